"""Loops as a user meets them: drawn open, rounded off in files, over-constrained in space; what the report says of energy.

usage: simulate_loops_test.py PROGRAM SOURCE_FOLDER
"""

import csv
import json
import math
import os
import re
import sys
import unittest

import folder

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
TRIALS = os.path.join(SOURCE, "tests", "trials", "dynamics")
ROUNDED = os.path.join(TRIALS, "fb5708.urdf")
OPEN = os.path.join(TRIALS, "fbexact.urdf")
FOUR_BAR = os.path.join(SOURCE, "models", "four_bar.yaml")


def four_bar(tilt):
    """The shipped four-bar, closed as drawn, the axis of C tilted by `tilt` [rad] against the others."""
    with open(FOUR_BAR, encoding="utf-8") as file:
        text = file.read()
    at = "at: {position: [0.3, 0, 0.24], axis: [0, -1, 0]}"
    assert at in text
    return text.replace(at, f"at: {{position: [0.3, 0, 0.24], axis: [{tilt!r}, -1, {0.6 * tilt!r}]}}")


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def bennett(alpha=0.5, beta=1.1, length=0.3, at=0.8, speed=12):
    """Bennett's loop as a native model: opposite links alike, sin(twist) / length the same for all."""

    def turn(t):
        return [[math.cos(t), -math.sin(t), 0, 0], [math.sin(t), math.cos(t), 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]

    def along(x, t):
        return [[1, 0, 0, x], [0, math.cos(t), -math.sin(t), 0], [0, math.sin(t), math.cos(t), 0], [0, 0, 0, 1]]

    other = length * math.sin(beta) / math.sin(alpha)
    second = 2 * math.atan(math.sin((beta + alpha) / 2) / math.sin((beta - alpha) / 2) / math.tan(at / 2))
    links = [(at, length, alpha), (second, other, beta), (-at, length, alpha), (-second, other, beta)]
    names = ["first", "second", "third", "ground"]
    pose = turn(0)
    bodies, joints = [], []
    for k, (angle, size, twist) in enumerate(links):
        point = [row[3] for row in pose[:3]]
        axis = [row[2] for row in pose[:3]]
        rate = f", velocity: {speed}" if k == 0 else ""
        joints.append(
            f"  - {{name: {'ABCD'[k]}, type: revolute, between: [{names[k - 1]}, {names[k]}], at: {{position: {point}, axis: {axis}}}{rate}}}"
        )
        pose = product(product(pose, turn(angle)), along(size, twist))
        if k < 3:
            middle = [(row[3] + p) / 2 for row, p in zip(pose[:3], point)]
            bodies.append(
                f"  - {{name: {names[k]}, mass: {size}, inertia: [0.01, 0.02, 0.025], pose: {{position: {middle}}}}}"
            )
    return "espalier: 1\nname: bennett\nbodies:\n" + "\n".join(bodies) + "\njoints:\n" + "\n".join(joints) + "\n"


class Folder(folder.Folder):
    program = PROGRAM

    def simulate(self, *arguments, **options):
        return self.document("simulate", *arguments, "--no-files", **options)


class Rounding(Folder):
    def test_a_urdf_with_angles_of_1_5708_moves_and_says_what_was_corrected(self):
        found = self.document("check", ROUNDED)
        self.assertEqual(found["freedom"], 1)
        self.assertEqual(found["assembly"]["outcome"], "closed")
        self.assertLess(found["correction"]["angle"], 1e-5)
        self.assertGreater(found["correction"]["angle"], 1e-7)
        self.assertTrue({joint["joint"] for joint in found["correction"]["joints"]} <= set("ABCD"))
        run = self.simulate(ROUNDED, "-t", 2, "--tolerance", 1e-9)
        self.assertEqual(run["outcome"], "done")
        self.assertEqual(run["correction"], found["correction"])
        self.assertIn("corrected by at most", run["notes"][1])
        self.assertLess(run["loop_distance"], 1e-11)
        self.assertLess(run["energy_error_relative"], 1e-7)
        said = self.run_verb("check", ROUNDED).stdout
        self.assertIn("corrected", said)

    # The exact file is the limit: 4e-6 rad in the frames are as little in the pose.
    def test_the_rounded_file_starts_where_the_exact_one_does(self):
        starts = []
        for model in (ROUNDED, OPEN):
            self.document("simulate", model, "-t", 1e-4, "--csv", "-o", os.path.basename(model))
            with open(self.path(os.path.join(os.path.basename(model), "result.csv"))) as file:
                first = next(csv.DictReader(file))
            starts.append([float(value) for name, value in first.items() if name[:1] in "ABCD"])
        self.assertTrue(starts[0])
        for rounded, exact in zip(*starts):
            self.assertLess(abs(math.remainder(rounded - exact, 2 * math.pi)), 1e-4)

    def test_tilts_that_files_lose_lock_nothing_and_larger_ones_do(self):
        for tilt, freedom in ((1e-7, 1), (1e-6, 1), (1e-5, 1), (6e-5, 1), (1e-2, 0)):
            with self.subTest(tilt=tilt):
                model = self.file("tilted.yaml", four_bar(tilt))
                found = self.document("check", model)
                self.assertEqual(found["freedom"], freedom)
                if freedom == 0:
                    continue
                self.assertLess(found["correction"]["angle"], 1.2 * tilt)
                run = self.simulate(model, "-t", 0.5, "--tolerance", 1e-8)
                self.assertLess(run["energy_error_relative"], 1e-6)

    def test_the_loop_tolerance_is_an_option_and_in_the_record(self):
        self.document("simulate", FOUR_BAR, "-t", 0.01, "--loop-tolerance", 3e-10, "-o", "run")
        with open(self.path("run/run.json")) as file:
            self.assertEqual(json.load(file)["engine"]["options"]["loop_tolerance"], 3e-10)
        refused = self.run_verb("simulate", FOUR_BAR, "--loop-tolerance", -1, "--no-files")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--loop-tolerance", refused.stderr)

    def test_a_corrected_run_goes_on_after_a_restart(self):
        self.document("simulate", ROUNDED, "-t", 0.2, "-o", "run")
        more = self.document("simulate", "--restart", "run", "--end", 0.4)
        self.assertEqual(more["outcome"], "done")
        self.assertLess(more["loop_distance"], 1e-11)


class Spatial(Folder):
    def test_bennett_keeps_its_energy_with_every_integrator(self):
        model = self.file("bennett.yaml", bennett())
        self.assertEqual(self.document("check", model)["freedom"], 1)
        for integrator in ("runge", "implicit"):
            with self.subTest(integrator):
                run = self.simulate(model, "-t", 2, "--integrator", integrator, "--tolerance", 1e-8, "--strict")
                self.assertEqual(run["outcome"], "done")
                self.assertLess(run["energy_error_relative"], 1e-6)


PENDULUM = """espalier: 1
bodies: [{name: bob, mass: 1, inertia: [0.01, 0.01, 0.01], pose: {position: [1, 0, 0]}}]
joints: [{name: A, type: revolute, between: [ground, bob], at: {position: [0, 0, 0], axis: [0, 1, 0]}}]
"""


class Energy(Folder):
    def test_an_error_that_nobody_may_miss(self):
        model = self.file("pendulum.yaml", PENDULUM)
        coarse = (model, "-t", 2, "--integrator", "fixed", "--step", 0.2)
        said = self.run_verb("simulate", *coarse, "--no-files")
        self.assertEqual(said.returncode, 0, said.stderr)
        report = said.stdout[: said.stdout.index("Run ")].splitlines()
        self.assertTrue(any(line.startswith("ENERGY") for line in report), said.stdout)
        run = self.simulate(*coarse)
        self.assertIn("energy balance is off", run["notes"][0])
        self.assertEqual(self.simulate(*coarse, "--strict", code=1)["outcome"], "done")
        fine = self.simulate(model, "-t", 2, "--strict")
        self.assertFalse([note for note in fine["notes"] if "energy balance" in note])

    def test_no_relative_error_where_nothing_moves(self):
        model = self.file("still.yaml", PENDULUM.replace("axis: [0, 1, 0]", "axis: [0, 0, 1]"))
        run = self.simulate(model, "-t", 0.1, "--strict")
        self.assertIsNone(run["energy_error_relative"])
        self.assertIn("nothing moved", self.run_verb("simulate", model, "-t", 0.1, "--no-files").stdout)


class OnePose(Folder):
    def start(self, name, *options):
        self.document("simulate", OPEN, "-t", 1e-4, "--csv", "-o", name, *options)
        with open(self.path(os.path.join(name, "result.csv"))) as file:
            first = next(csv.DictReader(file))
        return {key: float(value) for key, value in first.items() if key[:1] in "ABCD"}

    def test_every_tree_starts_alike_and_convert_writes_that_pose(self):
        starts = {}
        for cut in "ABCD":
            plan = self.path(cut + ".json")
            self.assertEqual(self.run_verb("plan", OPEN, "--cut", cut, "-o", plan).returncode, 0)
            starts[cut] = self.start(cut, "--plan", plan)
        self.assertEqual(len(starts["A"]), 4)
        for cut in "BCD":
            for joint, angle in starts["A"].items():
                self.assertLess(abs(math.remainder(angle - starts[cut][joint], 2 * math.pi)), 1e-10, (cut, joint))
        for name in ("closed.yaml", "closed.urdf"):
            self.assertEqual(self.run_verb("convert", OPEN, "--assembled", "-o", self.path(name)).returncode, 0)
            found = self.document("check", self.path(name))
            self.assertEqual(found["freedom"], 1)
            self.assertLess(found["assembly"]["gap_before"], 1e-9, name)
        self.document("simulate", self.path("closed.yaml"), "-t", 1e-4, "--csv", "-o", "converted")
        with open(self.path("converted/result.csv")) as file:
            first = next(csv.DictReader(file))
        for joint, angle in starts["A"].items():
            self.assertLess(abs(math.remainder(angle - float(first[joint]), 2 * math.pi)), 1e-9, joint)

    def test_the_picture_shows_the_closed_pose(self):
        self.assertEqual(self.run_verb("convert", OPEN, "--assembled", "-o", self.path("closed.yaml")).returncode, 0)
        for model, picture in ((OPEN, "a.svg"), (self.path("closed.yaml"), "b.svg")):
            self.assertEqual(self.run_verb("check", model, "--picture", self.path(picture)).returncode, 0)
        with open(self.path("a.svg")) as first, open(self.path("b.svg")) as second:
            numbers = [[float(n) for path in re.findall(r' d="(M[^"z]*)', text.read()) for n in re.findall(r"[\d.]+", path)]
                       for text in (first, second)]
        self.assertGreater(len(numbers[0]), 20)
        self.assertEqual(len(numbers[0]), len(numbers[1]))
        # Tenths of a pixel are written.
        self.assertLess(max(abs(a - b) for a, b in zip(*numbers)), 0.25)


if __name__ == "__main__":
    unittest.main()
