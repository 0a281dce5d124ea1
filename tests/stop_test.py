"""The first Ctrl-C and the first SIGTERM end a verb within a second, in the middle of one long piece of work.

usage: stop_test.py PROGRAM SOURCE_FOLDER
"""

import os
import signal
import subprocess
import sys
import time
import unittest

from folder import Folder, read_search

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
# Of a stop; the machine may be busy with other tests.
SOON = 3


def lattice(n):
    """n x n masses on springs along x, and what a search may vary: one search for its modes lasts."""
    bodies, joints = [], []
    for i in range(n):
        for j in range(n):
            bodies.append(
                f"  - {{name: m{i}_{j}, kind: point, mass: {1 + (7 * i + 3 * j) % 5}, "
                f"pose: {{position: [{i}, {j}, 0]}}}}"
            )
            for name, (k, l) in (("a", (i + 1, j)), ("b", (i, j + 1))):
                if k < n and l < n:
                    joints.append(
                        f"  - {{name: {name}{i}_{j}, type: free, between: [m{i}_{j}, m{k}_{l}], "
                        f"at: {{position: [{i}, {j}, 0]}}, stiffness: [900, 500, 700, 0, 0, 0]}}"
                    )
    joints.append(
        "  - {name: foot, type: free, between: [ground, m0_0], at: {position: [0, 0, 0]}, stiffness: [100, 100, 100, 0, 0, 0]}"
    )
    return "\n".join(["espalier: 1", "gravity: [0, 0, 0]", "active: [x, y, z]", "bodies:", *bodies, "joints:", *joints])


TUNE = """
tune:
  vary: {k: {path: joints.foot.stiffness.0, range: [50, 5000], scale: log}}
  goals: [{maximise: {frequency: 60}}, {avoid: [0.1, 0.2]}]
  population: 40
  generations: 50
"""


class Stops(Folder):
    def stop(self, number, *words, after=1.0, begun=None):
        process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   cwd=self.folder)  # fmt: skip
        for _ in range(600):
            if begun is None or os.path.exists(begun):
                break
            time.sleep(0.1)
        time.sleep(after)
        self.assertIsNone(process.poll(), "it was over before it could be stopped")
        begin = time.monotonic()
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
        process.stdout.close()
        process.stderr.close()
        self.assertLess(time.monotonic() - begin, SOON)
        # By the signal itself where there is nothing to save.
        self.assertIn(process.returncode, (128 + number, -number), error)
        return error

    def test_tune_inside_one_design(self):
        model = self.file("lattice.yaml", lattice(11) + TUNE)
        for number in (signal.SIGINT, signal.SIGTERM):
            folder = self.path(f"out{int(number)}")
            checkpoint = os.path.join(folder, "checkpoint.bin")
            error = self.stop(number, "tune", model, "-o", folder, "--threads", "1", after=0.3, begun=checkpoint)
            self.assertIn("--restart", error)
            self.assertEqual(read_search(checkpoint)["generation"], 0)

    def test_modes_inside_one_search(self):
        model = self.file("lattice.yaml", lattice(13))
        for number in (signal.SIGINT, signal.SIGTERM):
            self.stop(number, "modes", model, "--count", "400")

    def test_plan_inside_its_search(self):
        model = self.path("random.yaml")
        subprocess.run([PROGRAM, "generate", "random", "400", "900", "-o", model], capture_output=True, check=True)
        for number in (signal.SIGINT, signal.SIGTERM):
            self.stop(number, "plan", model, "--method", "exact")

    def test_simulate_in_its_run(self):
        model = os.path.join(SOURCE, "models/four_bar.yaml")
        for number in (signal.SIGINT, signal.SIGTERM):
            self.stop(number, "simulate", model, "--end", "2e4", "-o", self.path(f"run{int(number)}"))


if __name__ == "__main__":
    unittest.main()
