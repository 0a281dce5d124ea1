"""Joints, springs, drives and loads by two engines: along a tree, and as rows of the contact engine.

usage: contact_joints_test.py PROGRAM PRINT_RESULT
"""

import csv
import os
import subprocess
import sys
import unittest

from folder import Folder

PRINT_RESULT = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())

# Every law on every kind of joint, in six bodies.
SWING = """espalier: 1
name: swing
bodies:
  - {name: arm, mass: 2, inertia: [0.2, 0.3, 0.1], pose: {position: [0.5, 0, 0]}}
  - {name: fore, mass: 1, inertia: [0.1, 0.05, 0.08], pose: {position: [1.4, 0, 0.1]}}
  - {name: hand, mass: 0.5, inertia: [0.02, 0.03, 0.02], pose: {position: [2, 0.1, 0.2]}}
  - {name: slider, mass: 1.5, inertia: [0.1, 0.1, 0.1], pose: {position: [0, 1, 0]}}
  - {name: nut, mass: 1, inertia: [0.1, 0.1, 0.05], pose: {position: [0, 1, 0.6]}}
  - {name: block, mass: 3, inertia: [0.3, 0.2, 0.25], pose: {position: [-1, 0, 0]}}
joints:
  - {name: shoulder, type: revolute, between: [ground, arm], at: {axis: [0, 1, 0]}, stiffness: 6, damping: 0.4, rest: 0.2, armature: 0.1}
  - {name: elbow, type: universal, between: [arm, fore], at: {position: [1, 0, 0], axis: [1, 0, 0], axis2: [0, 1, 0]}, stiffness: [3, 4], damping: [0.1, 0.2]}
  - {name: wrist, type: spherical, between: [fore, hand], at: {position: [1.8, 0, 0.1]}, stiffness: [2, 1, 3], damping: [0.05, 0.1, 0.15]}
  - {name: rail, type: prismatic, between: [ground, slider], at: {position: [0, 1, 0], axis: [0.2, 0, 1]}, stiffness: 60, rest: 0.1, damping: 1}
  - {name: thread, type: screw, between: [slider, nut], at: {position: [0, 1, 0.3], axis: [1, 0, 1]}, pitch: 0.4, stiffness: 0.5, damping: 0.02}
  - {name: mount, type: free, between: [ground, block], at: {position: [-1, 0, 0]}, stiffness: [80, 90, 100, 9, 8, 7], damping: [1, 2, 3, 0.1, 0.2, 0.3]}
forces:
  - {spring: {between: [arm, slider], in: {arm: [0.2, 0, 0.1], slider: [0, -0.1, 0]}, stiffness: 30, damping: 0.5, length: 0.6, tension: 1}}
  - {bushing: {between: [block, arm], at: {position: [-0.6, 0, 0]}, stiffness: [20, 25, 30, 2, 3, 4], damping: [0.2, 0.2, 0.2, 0.1, 0.1, 0.1]}}
  - {force: {body: hand, point: [0.1, 0, 0.05], frame: body, value: ["2*sin(5*t)", 1, "t"]}}
  - {torque: {body: block, value: [0, 0.5, "cos(3*t)"]}}
  - {torque: {joint: shoulder, value: "1.5*sin(2*t)"}}
"""

# A table that slides in a plane and turns, with a tube on a cylindrical joint: both bodies of it move.
TABLE = """espalier: 1
name: table
bodies:
  - {name: table, mass: 2, inertia: [0.2, 0.3, 0.4]}
  - {name: tube, mass: 1, inertia: [0.1, 0.05, 0.08], pose: {position: [0.3, 0, 0.5]}}
joints:
  - {name: plane, type: planar, between: [ground, table], at: {axis: [0.1, 0, 1]}, stiffness: [20, 30, 2], damping: [1, 0.5, 0.1], rest: [0.1, 0, 0.3]}
  - {name: sleeve, type: cylindrical, between: [table, tube], at: {position: [0.2, 0, 0.2], axis: [1, 0.5, 0]}, stiffness: [15, 0.4], damping: [0.2, 0.02], rest: [0.2, 1]}
forces:
  - {force: {body: tube, point: [0, 0.2, 0], value: [0.5, "2*cos(4*t)", 1]}}
"""

# A crank that a motor turns, and the loop behind it.
FOUR_BAR = """espalier: 1
name: driven
gravity: [0, -9.81, 0]
bodies:
  - {name: crank, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [0.15, 0.2, 0]}}
  - {name: coupler, mass: 2, inertia: [0.1, 0.2, 0.2], pose: {position: [0.9, 0.7, 0]}}
  - {name: rocker, mass: 1.5, inertia: [0.1, 0.2, 0.2], pose: {position: [1.5, 0.5, 0]}}
joints:
  - {name: A, type: revolute, between: [ground, crank], at: {axis: [0, 0, 1]}}
  - {name: B, type: revolute, between: [crank, coupler], at: {position: [0.3, 0.4, 0], axis: [0, 0, 1]}}
  - {name: C, type: spherical, between: [coupler, rocker], at: {position: [1.5, 1, 0]}}
  - {name: D, type: revolute, between: [ground, rocker], at: {position: [1.5, 0, 0], axis: [0, 0, 1]}, damping: 0.3}
forces:
  - {motion: {joint: A, position: "2*t^2"}}
"""


class TwoEngines(Folder):
    program = PROGRAM
    verb = ("simulate",)

    def final(self, text, *options):
        """Pose of every body at the end, and the potential energy of the first and last frame."""
        self.runs = getattr(self, "runs", 0) + 1
        folder = f"run{self.runs}"
        said = self.document(self.file("model.yaml", text), "--end", "1", "-o", folder, *options)
        result = subprocess.run(
            [PRINT_RESULT, os.path.join(self.folder, folder, "result.h5")], capture_output=True, text=True
        )
        rows = [line.split("\t") for line in result.stdout.splitlines()]
        bodies = sum(row[0] == "body" for row in rows)
        numbers = {row[0]: row[1:] for row in rows}
        poses = [float.fromhex(word) for word in numbers["body_pose"][-7 * bodies :]]
        potential = [float.fromhex(numbers["potential"][k]) for k in (0, -1)]
        return poses, potential, said

    def distance(self, one, other):
        """Largest difference of a number; quaternions up to their sign."""
        worst = 0
        for k in range(0, len(one), 7):
            a, b = one[k : k + 7], other[k : k + 7]
            sign = 1 if sum(x * y for x, y in zip(a[3:], b[3:])) > 0 else -1
            worst = max(
                [worst] + [abs(x - y) for x, y in zip(a[:3], b[:3])] + [abs(x - sign * y) for x, y in zip(a[3:], b[3:])]
            )
        return worst

    def compare(self, text, steps, tolerance):
        tree, tree_energy, _ = self.final(text, "--tolerance", 1e-9)
        errors = []
        for step in steps:
            rows, rows_energy, run = self.final(text, "--engine", "contact", "--step", step, "--tolerance", 1e-11)
            self.assertEqual((run["engine"], run["unconverged"]), ("contact", 0))
            errors.append(self.distance(tree, rows))
        self.assertLess(errors[-1], tolerance)
        # Halving the step: the square of it.
        self.assertGreater(errors[0] / errors[-1], 3.4)
        return tree_energy, rows_energy

    def columns(self, text, words, step, *options):
        """{head: numbers} of chosen columns up to 0.2 s, a frame a step."""
        self.runs = getattr(self, "runs", 0) + 1
        where = ("--end", 0.2, "--output-step", step, "-o", f"run{self.runs}")
        self.document(self.file("model.yaml", text), *where, "--csv", words, *options)
        with open(self.path(f"run{self.runs}/result.csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return {head: [float(row[head]) for row in rows] for head in rows[0]}

    def compare_columns(self, text, words, step, is_mean):
        """Columns of both engines: at the frames, or means over the step before each of them."""
        tree = self.columns(text, words, step, "--tolerance", 1e-10)
        rows = self.columns(text, words, step, "--engine", "contact", "--step", step, "--tolerance", 1e-12)
        self.assertEqual(list(tree), list(rows))
        self.assertGreater(len(tree), 3)
        for head, numbers in tree.items():
            if head == "time [s]":
                continue
            largest = max(map(abs, numbers))
            for k in range(1, len(numbers)):
                expected = (numbers[k] + numbers[k - 1]) / 2 if is_mean else numbers[k]
                self.assertAlmostEqual(rows[head][k], expected, delta=5e-3 * largest + 1e-5, msg=f"{head}, frame {k}")

    def test_both_engines_show_the_same_of_joints_and_forces(self):
        for text, efforts in ((SWING, "*.torque,*.force"), (TABLE, "*.force"), (FOUR_BAR, "*.torque")):
            with self.subTest(efforts):
                self.compare_columns(text, "joints.*.position,*.velocity", 0.001, False)
                self.compare_columns(text, "*.acceleration,*.passive," + efforts, 0.001, True)

    def test_every_law_on_every_joint(self):
        tree, rows = self.compare(SWING, (0.004, 0.002), 3e-5)
        for one, other in zip(tree, rows):
            self.assertAlmostEqual(one, other, delta=1e-3)

    def test_sliding_on_what_moves(self):
        self.compare(TABLE, (0.004, 0.002), 5e-5)

    def test_a_driven_four_bar(self):
        self.compare(FOUR_BAR, (0.004, 0.002), 1e-4)


if __name__ == "__main__":
    unittest.main()
