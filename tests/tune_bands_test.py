"""Bands and other limits of the verb tune: held before goals are looked at, and told where they are not.

usage: tune_bands_test.py PROGRAM SOURCE_FOLDER
"""

import json
import os
import sys
import unittest

from folder import Folder

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
with open(os.path.join(SOURCE, "tests/trials/tune/frame.yaml"), encoding="utf-8") as trial:
    FRAME = trial.read()
# One mass on a spring from 1 to 10 000 N/m, f = sqrt(k / m) / 2 pi from 0.16 to 15.9 Hz.
MASS = """espalier: 1
gravity: [0, 0, 0]
active: [x]
bodies:
  - {name: mass, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: spring, type: prismatic, between: [ground, mass], at: {axis: [1, 0, 0]}, stiffness: 900%s}
tune:
  vary: {k: {path: joints.spring.stiffness, %s}}
  goals: [%s]
  population: 16
  generations: 30
"""


class Bands(Folder):
    program = PROGRAM
    verb = ("tune",)

    def tune(self, text, *words):
        model = self.file("model.yaml", text)
        out = self.path(f"out{len(os.listdir(self.folder))}")
        return self.run_verb(model, "-o", out, *words, env={**os.environ, "COLUMNS": "100"})

    def mass(self, goals, *words, spring="range: [1, 10000], scale: log", more=""):
        return self.tune(MASS % (more, spring, goals), *words)

    def test_the_frame_keeps_out_of_its_band(self):
        text = FRAME.replace("{minimise: mass}", "{maximise: {frequency: 1}}")
        answer = self.tune(text, "--population", "16", "--generations", "12", "--json", "--strict")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        found = json.loads(answer.stdout)
        self.assertTrue(found["limits_held"])
        self.assertEqual([f for f in found["best"]["frequencies"] if 20 < f < 30], [])
        self.assertEqual(found["best"]["limits"],
                         [{"name": "avoid 20 to 30 Hz", "held": True, "constraint": True, "frequencies": []}])

    def test_a_band_comes_before_a_goal_that_pulls_into_it(self):
        # Nearest to 5 Hz and not between 4 and 7: 4 Hz itself.
        answer = self.mass("{near: [5]}, {avoid: [4, 7]}", "--json", "--strict")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertAlmostEqual(json.loads(answer.stdout)["best"]["frequencies"][0], 4, delta=0.05)

    def test_a_band_weighed_by_hand_is_weighed(self):
        for more, code in ([], 0), (["--strict"], 1):
            answer = self.mass("{near: [5], weight: 1000}, {avoid: [4, 7], weight: 1}", "--json", *more)
            self.assertEqual(answer.returncode, code, answer.stderr)
            found = json.loads(answer.stdout)
            self.assertAlmostEqual(found["best"]["frequencies"][0], 5, delta=0.05)
            self.assertFalse(found["limits_held"])

    def test_a_band_that_cannot_be_held_is_told(self):
        words = {"spring": "range: [700, 800]"}
        answer = self.mass("{maximise: {frequency: 1}}, {avoid: [1, 9]}", **words)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("NOT HELD avoid 1 to 9 Hz: 4.2108 Hz lies inside", answer.stdout)
        self.assertIn("IN 1 to 9", answer.stdout)
        answer = self.mass("{maximise: {frequency: 1}}, {avoid: [1, 9]}", "--strict", **words)
        self.assertEqual(answer.returncode, 1)
        self.assertIn("NOT HELD", answer.stdout)

    def test_damping_is_a_limit_too(self):
        # zeta = c / 2 sqrt(k m) >= 0.5 with c = 40: k <= 1600.
        answer = self.mass("{maximise: {frequency: 1}}, {damping: 0.5}", "--json", "--strict", more=", damping: 40")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        found = json.loads(answer.stdout)
        self.assertAlmostEqual(found["parameters"]["k"], 1600, delta=80)
        self.assertLessEqual(found["parameters"]["k"], 1600.001)

    def test_what_makes_no_sense_is_refused(self):
        cases = {
            "nothing in the model dissipates": self.mass("{damping: 0.5}, {maximise: {frequency: 1}}"),
            "is 0 in the model and stays 0": self.tune(
                MASS.replace("stiffness: 900", "stiffness: 900, damping: 0").replace(
                    "joints.spring.stiffness", "joints.spring.damping") % ("", "factor: [1, 2]", "{near: [5]}")),
            "`density` is 0": self.tune(FRAME.replace("density: 7850", "density: 0")),
        }  # fmt: skip
        for text, answer in cases.items():
            self.assertEqual(answer.returncode, 2, answer.stdout)
            self.assertIn(text, " ".join(answer.stderr.split()))
            self.assertRegex(answer.stderr, r"model\.yaml:\d+")


if __name__ == "__main__":
    unittest.main()
