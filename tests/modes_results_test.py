"""What users get out of the verb modes beside eigenvalues: energies, masses, responses, sweeps, plots.

usage: modes_results_test.py PROGRAM SOURCE_FOLDER
"""

import base64
import csv
import json
import math
import os
import re
import sys
import unittest
import xml.etree.ElementTree
import zlib

import folder

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
MODELS = os.path.join(SOURCE, "models")
FRAME = os.path.join(MODELS, "y_frame.yaml")
LAUNCHER = os.path.join(MODELS, "mlrs.yaml")
RODS = os.path.join(MODELS, "ten_rods.yaml")
UNEVEN = os.path.join(MODELS, "ten_rods_uneven.yaml")
# Two masses on springs along x; 2 kg with a damper: 10 rad/s, 5 kg: 10 rad/s at k = 500.
PAIR = """espalier: 1
name: pair
gravity: [0, 0, 0]
active: [x]
bodies:
  - {name: one, mass: 2, inertia: [1, 1, 1]}
  - {name: two, mass: 5, inertia: [1, 1, 1], pose: {position: [1, 0, 0]}}
joints:
  - {name: left, type: prismatic, between: [ground, one], at: {axis: [1, 0, 0]}, stiffness: 200, damping: %s}
  - {name: right, type: prismatic, between: [ground, two], at: {axis: [1, 0, 0]}, stiffness: 300}
"""


class Folder(folder.Folder):
    program = PROGRAM
    verb = ("modes",)

    def modes(self, *arguments, code=0):
        return self.document(*arguments, code=code)


class Shapes(Folder):
    def test_energy_shares_add_up(self):
        document = self.modes(LAUNCHER, "--count", 4)
        for mode in document["modes"]:
            for shape in mode["energy"]:
                for kind in ("kinetic", "potential"):
                    parts = [part[kind] for group in shape.values() for part in group.values()]
                    self.assertAlmostEqual(sum(parts), 1, delta=1e-3)
                self.assertGreater(len(shape["joints"]), 3)

    def test_effective_masses_of_all_modes_are_the_mass(self):
        document = self.modes(self.file("pair.yaml", PAIR % 0), "--count", 2)
        self.assertAlmostEqual(document["mass"][0], 7)
        self.assertAlmostEqual(sum(mode["effective_mass"][0][0] for mode in document["modes"]), 7)

    def test_scaling_by_mass(self):
        document = self.modes(FRAME, "--count", 2, "--scaling", "mass")
        for mode in document["modes"]:
            self.assertAlmostEqual(mode["modal_mass"][0], 1)
        largest = self.modes(FRAME, "--count", 2)["modes"][0]["shapes"][0]
        self.assertAlmostEqual(max(abs(u) for row in largest for u in row[:3]), 1)


class Responses(Folder):
    def test_mass_on_a_spring(self):
        model = self.file("pair.yaml", PAIR % 3)
        arguments = ("--response", "one.x", "one.x", "--from", 1, "--to", 3, "--points", 5)
        document = self.modes(model, *arguments, "--csv", self.path("r.csv"), "--plot", self.path("r.svg"))
        self.assertEqual(document["unit"], "m/N")
        for hertz, value in zip(document["frequency"], document["receptance"]):
            omega = 2 * math.pi * hertz
            self.assertAlmostEqual(complex(*value), 1 / complex(200 - 2 * omega**2, 3 * omega), delta=1e-12)
        with open(self.path("r.csv"), newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual(len(rows), 6)
        self.assertAlmostEqual(float(rows[1][3]), document["amplitude"][0])
        xml.etree.ElementTree.fromstring(self.read("r.svg"))

    def test_bad_words(self):
        self.assert_refused(["hup", "did you mean"], FRAME, "--response", "hup.x", "hub.x", "--to", 10)
        self.assert_refused(["direction"], FRAME, "--response", "hub", "hub.x", "--to", 10)
        self.assert_refused(["--to"], FRAME, "--response", "hub.x", "hub.x")
        self.assert_refused(["the lower first"], FRAME, "--response", "hub.x", "hub.x", "--from", 9, "--to", 3)
        self.assert_refused(["--csv"], FRAME, "--csv", "x.csv")


class Sweeps(Folder):
    def test_modes_cross_and_keep_their_identity(self):
        model = self.file("pair.yaml", PAIR % 0)
        vary = ("--vary", "joints.right.stiffness=300:800:6", "--count", 2)
        document = self.modes(model, *vary, "--csv", self.path("s.csv"), "--plot", self.path("s.html"))
        self.assertEqual(document["certainty"], ["proved"] * 6)
        moving, still = document["tracks"]
        for k, hertz in zip(document["values"], moving["frequency"]):
            self.assertAlmostEqual(2 * math.pi * hertz, math.sqrt(k / 5))
        for hertz in still["frequency"]:
            self.assertAlmostEqual(2 * math.pi * hertz, 10)
        self.assertEqual(len(self.read("s.csv").splitlines()), 7)
        self.assertIn("<svg", self.read("s.html"))

    def test_ranks_change_nothing(self):
        model = self.file("pair.yaml", PAIR % 0)
        vary = ("--vary", "joints.right.stiffness=300:800:3", "--count", 2)
        self.assertEqual(self.modes(model, *vary), self.modes(model, *vary, "--ranks", 2))

    def test_bad_words(self):
        model = self.file("pair.yaml", PAIR % 0)
        self.assert_refused(["how many"], model, "--vary", "joints.right.stiffness=300:800")
        self.assert_refused(["in order"], model, "--vary", "joints.right.stiffness=3,1,2")
        self.assert_refused(["rigth"], model, "--vary", "joints.rigth.stiffness=300:800:3")


class Plots(Folder):
    def test_determinant_as_svg_and_shapes_as_page(self):
        self.assertEqual(self.run_verb(FRAME, "--count", 3, "--quiet", "--plot", "d.svg").stderr, "")
        xml.etree.ElementTree.fromstring(self.read("d.svg"))
        self.run_verb(FRAME, "--count", 3, "--quiet", "--plot", "d.html")
        page = self.read("d.html")
        for word in ("log10 |det|", "25.20844208", 'data-script="three"'):
            self.assertIn(word, page)
        scene = re.search(r'data-part="scene">([^<]*)<', page).group(1)
        motion = json.loads(zlib.decompress(base64.b64decode(scene)))["modes"]
        self.assertEqual((motion["up"], len(motion["modes"])), (2, 3))
        for mode in motion["modes"]:
            self.assertEqual(len(mode["displacement"]), len(motion["points"]))
        self.assertTrue(any(line["kind"] == "elastic" and len(line["points"]) > 5 for line in motion["lines"]))

    def test_other_endings_are_refused(self):
        self.assert_refused([".svg or .html"], FRAME, "--plot", "x.png")


class TenRods(Folder):
    """The literature's example: 200 samples on [0, 60000] rad/s, resolution 1e-4."""

    GRID = ("--box", -1, 1, 0, 60000, "--no-shapes")
    SEARCH = ("--samples", 3, 200, "--resolution", 1e-4)

    def count(self, model, method):
        search = self.SEARCH if method != "auto" else ()
        return len(self.modes(model, *self.GRID, "--method", method, *search)["modes"])

    def test_equal_masses_are_easy(self):
        self.assertEqual([self.count(RODS, m) for m in ("bisection", "recursive", "auto")], [10, 10, 10])

    def test_two_close_roots_hide_from_sign_changes(self):
        self.assertEqual([self.count(UNEVEN, m) for m in ("bisection", "recursive", "auto")], [8, 10, 10])


if __name__ == "__main__":
    unittest.main()
