"""Drives: servos that name coordinates and rates, and tables from CSV files, with both engines. A run in two parts has
the bits of a run in one go, on any number of ranks; a table that changed is another model.

usage: drives_test.py PROGRAM PRINT_RESULT
"""

import math
import os
import subprocess
import sys
import unittest

import folder

PRINT_RESULT = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())

# A loop with a servo of its own coordinate, a load that names another joint, and a drive from a table.
LOOP = """espalier: 1
gravity: [0, -9.81, 0]
bodies:
  - {name: crank, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [0.15, 0.2, 0]}}
  - {name: coupler, mass: 2, inertia: [0.1, 0.2, 0.2], pose: {position: [0.9, 0.7, 0]}}
  - {name: rocker, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [1.5, 0.5, 0]}}
joints:
  - {name: A, type: revolute, between: [ground, crank], at: {position: [0, 0, 0]}}
  - {name: B, type: revolute, between: [crank, coupler], at: {position: [0.3, 0.4, 0]}}
  - {name: C, type: revolute, between: [coupler, rocker], at: {position: [1.5, 1, 0]}}
  - {name: D, type: revolute, between: [rocker, ground], at: {position: [1.5, 0, 0]}}
tables:
  push: {file: push.csv, value: torque, outside: repeat}
forces:
  - {name: servo, torque: {joint: A, value: "60*(0.4 - q(A)) - 4*v(A)"}}
  - {name: other, torque: {joint: D, value: "2*sin(3*q(B)) - 0.3*v(C) + push(t)"}}
"""

# The same laws on bodies that touch: a cart on a rail that a servo holds, and a flap on a table, over a plane of balls.
SCENE = """espalier: 1
materials: {stone: {density: 500, friction: 0.4}}
bodies:
  - {name: ground, material: stone, shapes: [{plane: {}}]}
  - {name: cart, mass: 4, inertia: [0.2, 0.2, 0.2], pose: {position: [0, 0, 0.6]}, material: stone,
     shapes: [{box: {size: [0.4, 0.4, 0.4]}}]}
  - {name: flap, mass: 1, inertia: [0.05, 0.05, 0.05], pose: {position: [0.6, 0, 0.6]}, material: stone,
     shapes: [{box: {size: [0.5, 0.3, 0.05]}}]}
BALLS
joints:
  - {name: rail, type: prismatic, between: [ground, cart], at: {position: [0, 0, 0.6], axis: [1, 0, 0]}}
  - {name: hinge, type: revolute, between: [cart, flap], at: {position: [0.3, 0, 0.6], axis: [0, 1, 0]}}
tables:
  push: {file: push.csv, value: torque, outside: repeat}
forces:
  - {name: servo, force: {joint: rail, value: "300*(0.2*sin(8*t) - q(rail)) - 40*v(rail)"}}
  - {name: beat, torque: {joint: hinge, value: "push(2*t) - 3*q(hinge) - 0.2*v(hinge) - 0.1*v(rail)"}}
contact: {engine: on, margin: 0.001}
"""
BALLS = "".join(
    f"  - {{name: ball{k}, material: stone, pose: {{position: [{0.45 + 0.12 * (k % 5)}, {0.13 * (k // 5) - 0.15}, "
    f"{0.055 + 0.001 * k}]}}, shapes: [{{sphere: {{radius: 0.05}}}}]}}\n"
    for k in range(15)
)
PUSH = "t [ms];torque\n0;0\n130;1.5\n260;-1\n400;0\n"


class Drives(folder.Folder):
    program = PROGRAM
    verb = ("simulate",)

    def setUp(self):
        super().setUp()
        self.file("push.csv", PUSH)
        self.file("loop.yaml", LOOP)
        self.file("scene.yaml", SCENE.replace("BALLS\n", BALLS))

    def printed(self, run):
        answer = subprocess.run([PRINT_RESULT, self.path(run + "/result.h5")], capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer.stdout

    def last(self, run, quantity):
        row = [line for line in self.printed(run).splitlines() if line.startswith(quantity + "\t")][-1]
        return [float.fromhex(word) for word in row.split("\t")[1:]]

    def test_a_loop_in_two_parts_has_the_bits_of_one(self):
        for integrator, step in (("runge", []), ("fixed", ["--step", 0.005]), ("implicit", [])):
            with self.subTest(integrator=integrator):
                options = ["loop.yaml", "--integrator", integrator, *step, "--output-step", 0.05]
                whole = self.document(*options, "-t", 1, "-o", integrator + "-whole")
                self.document(*options, "-t", 0.43, "-o", integrator)
                parts = self.document("--restart", integrator, "--end", 1)
                self.assertEqual(parts["state_hash"], whole["state_hash"])
                self.assertEqual(self.printed(integrator), self.printed(integrator + "-whole"))

    def test_threads_change_no_bit(self):
        hashes = {self.document("loop.yaml", "-t", 0.5, "--threads", n, "-o", f"t{n}")["state_hash"] for n in (1, 2, 3)}
        self.assertEqual(len(hashes), 1)

    def test_a_scene_in_parts_and_on_ranks_has_the_bits_of_one(self):
        options = ["scene.yaml", "--step", 0.005]
        whole = self.document(*options, "-t", 0.5, "-o", "whole")
        self.assertGreater(whole["contacts"], 5)
        self.document(*options, "-t", 0.2, "-o", "parts")
        parts = self.document("--restart", "parts", "--end", 0.5)
        self.assertEqual(parts["state_hash"], whole["state_hash"])
        for ranks in (2, 3, 4):
            with self.subTest(ranks=ranks):
                name = f"ranks{ranks}"
                self.document(*options, "-t", 0.2, "-o", name, "--ranks", ranks)
                # Continued on another number of ranks than it was begun on.
                again = self.document("--restart", name, "--end", 0.5, "--ranks", 5 - ranks if ranks < 4 else 4)
                self.assertEqual(again["state_hash"], whole["state_hash"])

    def test_a_table_that_changed_is_another_model(self):
        self.document("loop.yaml", "-t", 0.1, "-o", "run")
        self.file("push.csv", PUSH.replace("1.5", "1.6"))
        self.assert_refused("changed since", "--restart", "run", "--end", 0.2)
        # Remarks and blanks are no part of it.
        self.file("push.csv", "# measured twice\n" + PUSH.replace(";", " ; "))
        self.assertEqual(self.document("--restart", "run", "--end", 0.2)["outcome"], "done")

    def test_a_prescribed_motion_follows_its_table(self):
        # A swing of a half turn in a second, as a table of a smooth step: two rows are that cubic.
        self.file("step.csv", "time,angle [deg]\n0.25,0\n1.25,180\n")
        text = """espalier: 1
bodies: [{name: arm, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [1, 0, 0]}}]
joints: [{name: pin, type: revolute, between: [ground, arm], at: {axis: [0, 0, 1]}}]
tables: {swing: {file: step.csv}}
forces: [{motion: {joint: pin, position: swing(t)}}]
"""
        self.file("arm.yaml", text)
        for name, more in (("tree", ""), ("rows", "contact: {engine: on}\n")):
            self.file("arm.yaml", text + more)
            step = ["--step", 0.001] if more else ["--tolerance", 1e-9]
            for end in (0.2, 0.5, 0.75, 1.25, 1.6):
                with self.subTest(engine=name, end=end):
                    run = f"{name}{end}"
                    answer = self.document("arm.yaml", "-t", end, *step, "-o", run)
                    self.assertEqual(answer["outcome"], "done")
                    s = min(max(end - 0.25, 0), 1)
                    angle = math.pi * s * s * (3 - 2 * s)
                    x, y, z = self.last(run, "body_pose")[-7:-4]
                    self.assertAlmostEqual(x, math.cos(angle), delta=2e-3 if more else 1e-6)
                    self.assertAlmostEqual(y, math.sin(angle), delta=2e-3 if more else 1e-6)

    def test_a_keyframe_says_what_acts(self):
        self.file("keyed.yaml", LOOP + "keyframes:\n  - {name: off, loads: {servo: 0}}\n  - {name: pull, loads: {servo: 9}}\n")
        # With the same coordinates named, so that the tree is the same.
        text = LOOP.replace("60*(0.4 - q(A)) - 4*v(A)", "9 + 0*q(A) - 0*v(A)")
        self.file("pulled.yaml", text)
        own = self.document("keyed.yaml", "-t", 0.3, "-o", "own")
        self.assertEqual(own["state_hash"], self.document("loop.yaml", "-t", 0.3, "-o", "plain")["state_hash"])
        pull = self.document("keyed.yaml", "-t", 0.3, "-o", "pull", "--keyframe", "pull")
        self.assertEqual(pull["state_hash"], self.document("pulled.yaml", "-t", 0.3, "-o", "pulled")["state_hash"])
        self.assertNotEqual(pull["state_hash"], own["state_hash"])
        # It still acts after a restart, in a sweep over it, and in a file that is written of it.
        self.document("keyed.yaml", "-t", 0.1, "-o", "parts", "--keyframe", "pull")
        self.assertEqual(self.document("--restart", "parts", "--end", 0.3)["state_hash"], pull["state_hash"])
        self.document("keyed.yaml", "-t", 0.3, "-o", "sweep", "--keyframe", "pull", "--vary", "keyframes.pull.loads.servo=0,9")
        rows = self.read("sweep/runs.csv").splitlines()
        column = rows[0].split(",").index("state_hash")
        self.assertEqual(rows[2].split(",")[column], pull["state_hash"])
        self.assertNotEqual(rows[1].split(",")[column], pull["state_hash"])
        answer = subprocess.run(
            [PROGRAM, "convert", "keyed.yaml", "--keyframe", "pull", "-o", "drawn.yaml"], capture_output=True, text=True,
            cwd=self.folder)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("torque: {joint: A, value: 9}", self.read("drawn.yaml"))

    def test_sweeps_and_best_designs_find_their_tables(self):
        answer = self.document("loop.yaml", "--vary", "bodies.crank.mass=1,2", "-t", 0.1, "-o", "deep/sweep", "--frames")
        self.assertEqual(answer["runs"], 2)
        again = self.document("--restart", "deep/sweep/runs/000001", "--end", 0.2)
        self.assertEqual(again["outcome"], "done")


if __name__ == "__main__":
    unittest.main()
