"""What modes calls proved is so: inputs that once had a false proof, or none where there is one, against references of 200 bits.

usage: modes_proofs_test.py PROGRAM SOURCE_FOLDER
"""

import math
import os
import sys
import unittest

import folder
from modes_models import MASS

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
TRIALS = os.path.join(SOURCE, "tests", "trials", "modes")

# [rad/s], none of them free.
TRIANGLE = [8.245560, 8.913552, 13.48400, 18.25742, 27.82294, 33.08265]
LOOP = [5.498, 7.893, 10.42, 18.20, 34.17, 91.49, 131.7]
THREE_BODIES = [4.116910, 7.84791, 27.387, 148.379, 373.085, 538.047]

# A plate on three springs in its plane whose lines miss a common point by so much.
PLATE = """espalier: 1
gravity: [0, 0, 0]
active: [x, y, rz]
bodies:
  - {{name: plate, mass: 1, inertia: [0.1, 0.1, 0.2]}}
forces:
  - {{spring: {{between: [ground, plate], at: [[2, {miss:.9f}, 0], [1, {miss:.9f}, 0]], stiffness: 1000}}}}
  - {{spring: {{between: [ground, plate], at: [[-1, 1.5, 0], [-0.5, 0.75, 0]], stiffness: 1000}}}}
  - {{spring: {{between: [ground, plate], at: [[-1, -1.5, 0], [-0.5, -0.75, 0]], stiffness: 1000}}}}
"""


def lattice(n):
    """n x n nodes, half a metre apart, joined by steel beams that move in space, the lowest row clamped."""
    lines = ["espalier: 1", "gravity: [0, 0, 0]", "name: lattice"]
    lines += ["materials: {steel: {density: 7850, E: 2.1e+11, G: 8.1e+10}}", "bodies:"]
    joints, bars = [], []
    for i in range(n):
        for j in range(n):
            if j > 0:
                lines.append(
                    f"  - {{name: n{i}_{j}, mass: 0.1, inertia: [1.0e-4, 1.0e-4, 1.0e-4], pose: {{position: [{i / 2}, {j / 2}, 0]}}}}"
                )
            for di, dj in ((1, 0), (0, 1)):
                if i + di < n and j + dj < n and (j > 0 or dj > 0):
                    bars.append((i, j, i + di, j + dj))
    for k, (i, j, p, q) in enumerate(bars):
        section = f"{{b: 0.01, h: {0.012 + 0.0001 * (k % 7):.4f}}}"
        lines.append(
            f"  - {{name: b{k}, kind: beam, from: [{i / 2}, {j / 2}, 0], to: [{p / 2}, {q / 2}, 0], section: {section}, material: steel}}"
        )
        for x, y in ((i, j), (p, q)):
            body = f"n{x}_{y}" if y > 0 else "ground"
            joints.append(
                f"  - {{name: w{k}_{x}_{y}, type: fixed, between: [{body}, b{k}], at: {{position: [{x / 2}, {y / 2}, 0]}}}}"
            )
    return "\n".join(lines + ["joints:"] + joints) + "\n"


class Folder(folder.Folder):
    program = PROGRAM
    verb = ("modes",)

    def modes(self, *arguments, code=0):
        return self.document(*arguments, "--no-shapes", code=code)

    def trial(self, name, *arguments):
        return self.modes(os.path.join(TRIALS, name), "--certify", *arguments)

    def check(self, document, expected, relative):
        self.assertEqual(document["certainty"], "proved")
        self.assertEqual(document["free_motions"], 0)
        found = [mode["omega"] for mode in document["modes"] for _ in range(mode["multiplicity"])]
        self.assertEqual(len(found), len(expected), found)
        for omega, exact in zip(found, expected):
            self.assertLess(abs(omega / exact - 1), relative)
        for mode in document["modes"]:
            self.assertLess(mode["bracket"][0], mode["omega"])
            self.assertGreater(mode["bracket"][1], mode["omega"])
            self.assertIsNotNone(mode["error"])


class RigidLoops(Folder):
    def test_a_triangle_of_hinges_is_one_body(self):
        document = self.trial("defect1_triangle.yaml")
        self.check(document, TRIANGLE, 1e-6)
        self.assertTrue(document["complete"])
        self.check(self.trial("defect1_triangle.yaml", "--max-frequency", 3), TRIANGLE[:4], 1e-6)

    def test_a_loop_of_four_joints(self):
        self.check(self.trial("defect1b_loop.yaml"), LOOP, 1e-3)

    def test_fewer_than_asked_for_is_said(self):
        answer = self.run_verb(os.path.join(TRIALS, "defect1_triangle.yaml"))
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn(
            "6 found, fewer than the 10 asked for: the structure has no more", " ".join(answer.stdout.split())
        )
        document = self.modes(self.file("mass.yaml", MASS), "--count", 3)
        self.assertEqual((document["asked"], document["complete"], document["found"]), (3, True, 1))


class StiffAndSoft(Folder):
    def test_three_bodies_in_skew_axes(self):
        self.check(self.trial("defect2_three_bodies.yaml", "--count", 6), THREE_BODIES, 2e-5)

    def test_thirteen_decades(self):
        document = self.trial("min_n3_D13.yaml", "--max-frequency", 0.179023973)
        self.check(document, [1.12418], 1e-5)

    def test_three_springs_that_all_but_meet(self):
        free = self.modes(self.file("meet.yaml", PLATE.format(miss=0)), "--certify")
        self.assertEqual(free["free_motions"], 1)
        for miss in (1e-7, 1e-5, 1e-3):
            document = self.modes(self.file("miss.yaml", PLATE.format(miss=miss)), "--certify")
            self.assertEqual((document["certainty"], document["free_motions"], document["found"]), ("proved", 0, 3))
            # About the point where two of them meet, the third alone has a lever; the others give a little.
            lever = 1000 * miss**2 / 0.2
            self.assertLess(document["modes"][0]["omega"] ** 2, lever)
            self.assertGreater(document["modes"][0]["omega"] ** 2, 0.1 * lever)


class ManyRows(Folder):
    def test_lattices_take_few_evaluations(self):
        document = self.modes(self.file("lattice.yaml", lattice(6)), "--count", 6, "--certify")
        self.assertEqual(document["certainty"], "proved")
        self.assertLess(document["evaluations"], 8 * len(document["modes"]))
        for mode in document["modes"]:
            self.assertIsNotNone(mode["error"])
            self.assertLess(mode["error"], 1e-9)

    def test_the_launcher_with_all_tubes(self):
        document = self.trial("mlrs18.yaml", "--count", 74)
        self.assertLess(document["evaluations"], 8 * len(document["modes"]))
        self.assertTrue(all(math.isfinite(mode["error"]) for mode in document["modes"]))


if __name__ == "__main__":
    unittest.main()
