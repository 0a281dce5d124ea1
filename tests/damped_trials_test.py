"""Damped structures that searches lost modes of or did not come to an end with.

usage: damped_trials_test.py PROGRAM SOURCE_FOLDER
"""

import json
import os
import subprocess
import sys
import unittest

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())


def modes(file, *words, seconds=100):
    path = os.path.join(SOURCE, "tests/trials/modes", file)
    answer = subprocess.run([PROGRAM, "modes", path, "--json", "--no-shapes", *words], capture_output=True, text=True,
                            check=False, timeout=seconds)  # fmt: skip
    return answer.returncode, json.loads(answer.stdout)


class Trials(unittest.TestCase):
    def test_a_motor_on_damped_mounts_comes_to_an_end(self):
        code, found = modes("slow1.yaml", "--max-frequency", "30")
        self.assertEqual(code, 0)
        self.assertIn(found["certainty"], ("checked", "proved"))
        self.assertLess(found["evaluations"], 2000)

    def test_two_beams_keep_their_lowest_modes(self):
        code, found = modes("defect_damped_two_beams.yaml")
        self.assertEqual(code, 0)
        self.assertIn(found["certainty"], ("checked", "proved"))
        lowest = [mode["s"][1] for mode in found["modes"]][:4]
        for omega, expected in zip(lowest, (6.84, 7.05, 13.46, 14.22)):
            self.assertAlmostEqual(omega, expected, delta=0.01)

    def test_a_weak_damper_without_mass_is_counted(self):
        code, found = modes("ml.yaml")
        self.assertEqual(code, 0)
        self.assertEqual(found["found"], 5)
        self.assertIn(found["certainty"], ("checked", "proved"))

    def test_a_damped_lattice_comes_to_an_end(self):
        code, found = modes("defect_lattice5_damped.yaml", "--count", "6")
        self.assertEqual(code, 0, found["certificate"])
        self.assertIn(found["certainty"], ("checked", "proved"))
        self.assertGreaterEqual(sum(mode["multiplicity"] for mode in found["modes"]), 6)


if __name__ == "__main__":
    unittest.main()
