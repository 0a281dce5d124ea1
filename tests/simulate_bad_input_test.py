"""Mechanisms that cannot run, or not to the end: each stops by itself, says why with the names of the model, and keeps
the state it had reached.

usage: simulate_bad_input_test.py PROGRAM
"""

import json
import os
import shutil
import subprocess
import sys
import unittest

from folder import Folder

PROGRAM = os.path.abspath(sys.argv.pop(1))

WHEEL = """espalier: 1
bodies: [{name: wheel, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: axle, type: revolute, between: [ground, wheel], at: {}}]
"""
# Two links of 1 m between points 5 m apart.
TOO_SHORT = """espalier: 1
bodies:
  - {name: crank, mass: 1, inertia: [1, 1, 1]}
  - {name: rod, mass: 1, inertia: [1, 1, 1], pose: {position: [1, 0, 0]}}
joints:
  - {name: A, type: revolute, between: [ground, crank], at: {}}
  - {name: B, type: revolute, between: [crank, rod], at: {position: [1, 0, 0]}}
  - {name: C, type: revolute, between: [rod, ground], in: {rod: {position: [1, 0, 0]}, ground: {position: [5, 0, 0]}}}
"""
# A parallelogram folded flat: it can leave this pose as a parallelogram or as an antiparallelogram.
FLAT = """espalier: 1
gravity: [0, -9.81, 0]
bodies:
  - {name: left, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
  - {name: coupler, mass: 1, com: [1, 0, 0], inertia: [0.1, 0.1, 0.1], pose: {position: [1, 0, 0]}}
  - {name: right, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1], pose: {position: [2, 0, 0]}}
joints:
  - {name: A, type: revolute, between: [ground, left], at: {position: [0, 0, 0]}}
  - {name: B, type: revolute, between: [left, coupler], at: {position: [1, 0, 0]}}
  - {name: C, type: revolute, between: [coupler, right], at: {position: [3, 0, 0]}}
  - {name: D, type: revolute, between: [right, ground], at: {position: [2, 0, 0]}}
"""


def chain(masses):
    """Links of 1 m in a row; b0 hangs on the ground by j0, b1 on b0 by j1, ..."""
    lines = ["espalier: 1", "bodies:"]
    for k, mass in enumerate(masses):
        lines.append(
            f"  - {{name: b{k}, mass: {mass}, inertia: [{mass}, {mass}, {mass}], pose: {{position: [{k}, 0, 0]}}}}"
        )
    lines.append("joints:")
    for k in range(len(masses)):
        below = f"b{k - 1}" if k else "ground"
        lines.append(
            f"  - {{name: j{k}, type: revolute, between: [{below}, b{k}], at: {{position: [{k}, 0, 0], axis: [0, 1, 0]}}}}"
        )
    return "\n".join(lines) + "\n"


def pushed(formula):
    return WHEEL + f'forces: [{{name: push, torque: {{joint: axle, value: "{formula}"}}}}]\n'


class BadRuns(Folder):
    program = PROGRAM
    verb = ("simulate",)

    def simulate(self, text, code, *words, options=()):
        """Runs for 2 s into the folder run; the answer must have this exit code and these words."""
        self.file("model.yaml", text)
        answer = self.run_verb("model.yaml", "-t", "2", "-o", "run", *options)
        self.assertEqual(answer.returncode, code, answer.stdout + answer.stderr)
        self.assertEqual(answer.stderr.count("\n"), 1 if code else 0, answer.stderr)
        said = answer.stderr if code else " ".join(answer.stdout.split())
        for word in words:
            self.assertIn(word, said)
        return answer

    def assert_kept(self, time):
        """The run's folder holds what was reached up to `time` [s]."""
        with open(os.path.join(self.folder, "run", "run.json"), encoding="utf-8") as file:
            record = json.load(file)
        self.assertEqual(record["outcome"], "failed")
        self.assertAlmostEqual(record["time"], time, delta=1e-3)
        self.assertGreater(os.path.getsize(os.path.join(self.folder, "run", "checkpoint.bin")), 0)
        self.assertGreater(os.path.getsize(os.path.join(self.folder, "run", "result.h5")), 0)

    def test_a_loop_that_does_not_reach(self):
        self.simulate(TOO_SHORT, 2, "model.yaml: the loops do not close: 3 m at", "`espalier check`")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "run")))

    def test_nothing_to_accelerate_at_the_end_of_a_branch(self):
        self.simulate(
            chain([1, 1, 0]), 2, "model.yaml:5: ", "body 'b2' that hangs by joint 'j2'", "give it mass and inertia"
        )
        self.assertFalse(os.path.exists(os.path.join(self.folder, "run")))

    def test_a_link_of_nearly_no_mass_runs_and_is_named(self):
        self.simulate(chain([1, 1, 1e-9, 1, 1]), 0, "far lighter than the model's median", "'b2'", "0 to 2 s")

    def test_a_singular_start_runs_and_check_names_it(self):
        self.simulate(FLAT, 0, "0 to 2 s")
        said = subprocess.run(
            [PROGRAM, "check", "model.yaml"], capture_output=True, text=True, timeout=120, cwd=self.folder
        )
        self.assertEqual(said.returncode, 0)
        self.assertIn("singular", said.stdout)

    def test_formulas_that_are_no_number_from_the_start(self):
        for formula in ("0/0", "sqrt(-1)", "log(-1)"):
            with self.subTest(formula):
                self.simulate(pushed(formula), 1, "at t = 0 s", f"'{formula}'", "'push'")
                self.assert_kept(0)
                shutil.rmtree(os.path.join(self.folder, "run"))

    def test_a_formula_that_ends_on_the_way(self):
        for integrator in ("runge", "implicit", "fixed"):
            with self.subTest(integrator):
                self.simulate(
                    pushed("sqrt(0.5 - t)"),
                    1,
                    "'sqrt(0.5 - t)' of force 'push'",
                    "gives no finite number",
                    options=["--integrator", integrator],
                )
                self.assert_kept(0.5)
                shutil.rmtree(os.path.join(self.folder, "run"))

    def test_steps_that_become_too_short(self):
        self.simulate(pushed("1/(1 - t)"), 1, "at t = 0.99999", "the step fell to", "a tolerance above 1e-06")
        self.assert_kept(1)


if __name__ == "__main__":
    unittest.main()
