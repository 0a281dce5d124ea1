"""What the verb modes answers to models and options that cannot be right: file, line, value and way out, never a guess.

usage: modes_bad_input_test.py PROGRAM
"""

import os
import sys
import unittest

import folder
from modes_models import MASS
from modes_models import ROD as BEAM

PROGRAM = os.path.abspath(sys.argv.pop())
# Two masses that hold each other, and nothing holds both.
PAIR = """espalier: 1
gravity: [0, 0, 0]
active: [x]
bodies:
  - {name: tug, mass: 2, inertia: [1, 1, 1]}
  - {name: barge, mass: 3, inertia: [1, 1, 1], pose: {position: [1, 0, 0]}}
joints:
  - {name: rope, type: prismatic, between: [tug, barge], at: {axis: [1, 0, 0]}, stiffness: 200, damping: 3}
"""
RUBBER = BEAM.replace("material: steel}", "material: steel, damping: {kelvin_voigt: 1.0e-3}}")
# A damper at the end of a beam, where no mass is: its modes are checked and not proved.
TIP = BEAM + (
    "  - {name: dashpot, type: free, between: [ground, rod], at: {position: [1, 0, 0]}, "
    "stiffness: [0, 0, 0, 0, 0, 0], damping: [0, 500, 0, 0, 0, 0]}\n"
)


def spring(words):
    return MASS + "forces:\n  - {spring: {between: [ground, mass], at: [[-1, 0, 0], [0, 0, 0]], " + words + "}}\n"


class Folder(folder.Folder):
    program = PROGRAM
    verb = ("modes",)

    def run_verb(self, text, *arguments):
        return super().run_verb(self.file("model.yaml", text), *arguments)

    def modes(self, text, *arguments, code=0):
        return self.document(text, *arguments, code=code)


class Values(Folder):
    def test_every_number_that_is_none(self):
        for word in (".nan", ".inf", "-.inf"):
            for name, text in {
                "model.yaml:6": MASS.replace("mass: 2", f"mass: {word}"),
                "`inertia`": MASS.replace("[1, 1, 1]", f"[1, {word}, 1]"),
                "`stiffness`": MASS.replace("stiffness: 200", f"stiffness: {word}"),
                "`damping`": MASS.replace("stiffness: 200", f"stiffness: 200, damping: {word}"),
                "`to`": BEAM.replace("to: [1, 0, 0]", f"to: [{word}, 0, 0]"),
                "`b`": BEAM.replace("b: 0.01", f"b: {word}"),
                "density": BEAM.replace("density: 7850", f"density: {word}"),
                "E": BEAM.replace("E: 2.1e+11", f"E: {word}"),
                "`foundation`": BEAM.replace("material: steel}", f"material: steel, foundation: {word}}}"),
                "`viscous`": BEAM.replace("material: steel}", f"material: steel, damping: {{viscous: {word}}}}}"),
                "`kelvin_voigt`": BEAM.replace(
                    "material: steel}", f"material: steel, damping: {{kelvin_voigt: {word}}}}}"
                ),
                "spring": spring(f"stiffness: {word}"),
            }.items():
                with self.subTest(word=word, field=name):
                    self.assert_refused(["model.yaml:", name, "finite"], text)

    def test_signs_and_sizes(self):
        for words, text in (
            (["model.yaml:8", "'spring'", "-200", "zero or more"], MASS.replace("200", "-200")),
            (["model.yaml:8", "-1", "zero or more"], MASS.replace("stiffness: 200", "stiffness: 200, damping: -1")),
            (["model.yaml:6", "'mass'", "negative mass"], MASS.replace("mass: 2", "mass: -2")),
            (["model.yaml:10", "-50", "0 or more"], spring("stiffness: -50")),
            (["model.yaml:10", "-3", "0 or more"], spring("stiffness: 5, damping: -3")),
            (["model.yaml:4", "E = -2", "0 or more"], BEAM.replace("E: 2.1e+11", "E: -2")),
            (["model.yaml:6", "'rod'", "`E`"], BEAM.replace("E: 2.1e+11", "E: 0")),
            (["model.yaml:6", "'rod'", "density"], BEAM.replace("density: 7850, ", "")),
            (["model.yaml:6", "b = 0 ", "positive"], BEAM.replace("b: 0.01", "b: 0")),
            (["model.yaml:6", "h = 0 ", "positive"], BEAM.replace("h: 0.01", "h: [0.01, 0]")),
            (
                ["model.yaml:6", "-1000", "0 or more"],
                BEAM.replace("material: steel}", "material: steel, foundation: -1000}"),
            ),
            (
                ["model.yaml:6", "-3", "0 or more"],
                BEAM.replace("material: steel}", "material: steel, damping: {viscous: -3}}"),
            ),
            (["model.yaml:6", "segments", "1 to 1000000"], BEAM.replace("h: 0.01}", "h: [0.01, 0.005]}, segments: 0")),
        ):
            with self.subTest(words=words):
                self.assert_refused(words, text)

    def test_elements_without_length(self):
        for to in ("[0, 0, 0]", "[1.0e-300, 0, 0]"):
            self.assert_refused(
                ["model.yaml:6", "'rod'", "no length", "two points"], BEAM.replace("to: [1, 0, 0]", f"to: {to}")
            )
        self.assert_refused(["model.yaml:10", "no length", "bushing"],
                            spring("stiffness: 50").replace("[[-1, 0, 0]", "[[0, 0, 0]"))  # fmt: skip

    def test_ranges_of_fifteen_decades_are_answered(self):
        soft = MASS.replace("stiffness: 200", "stiffness: 2.0e-6")
        self.assertAlmostEqual(self.modes(soft)["modes"][0]["omega"] / 1e-3, 1, places=12)
        hard = MASS.replace("stiffness: 200", "stiffness: 2.0e+12")
        self.assertAlmostEqual(self.modes(hard)["modes"][0]["omega"] / 1e6, 1, places=12)


class Structures(Folder):
    def test_free_motions_are_named(self):
        document = self.modes(PAIR)
        self.assertEqual((document["certainty"], document["free_motions"]), ("proved", 1))
        answer = self.run_verb(PAIR)
        self.assertIn("1 free motion: 'tug', 'barge' move (x)", answer.stdout)

    def test_free_motions_are_refused_where_they_are_not_wanted(self):
        self.assert_refused(["model.yaml", "1 free motion", "'tug', 'barge' move (x)", "--no-free-motion", "stiffness"],
                            PAIR, "--no-free-motion")  # fmt: skip
        loose = MASS.replace(", stiffness: 200", "")
        self.assert_refused(["'mass' moves (x)"], loose, "--no-free-motion")
        self.modes(MASS, "--no-free-motion")

    def test_more_modes_than_there_are(self):
        document = self.modes(MASS, "--count", 50)
        self.assertEqual((document["found"], document["certainty"]), (1, "proved"))
        damped = self.modes(MASS.replace("200", "200, damping: 2"), "--count", 50)
        self.assertEqual((damped["found"], damped["certainty"]), (2, "proved"))

    def test_nothing_that_moves(self):
        document = self.modes(MASS.replace("prismatic", "fixed").replace(", stiffness: 200", ""))
        self.assertEqual((document["found"], document["modes"]), (0, []))

    def test_no_body(self):
        self.assert_refused(["model.yaml:1", "no body"], "espalier: 1\n")


class Regions(Folder):
    def test_a_box_around_an_essential_singularity(self):
        self.assert_refused(["-1000", "Kelvin-Voigt", "smaller decay"], RUBBER, "--box", -2000, 0, 0, 100)
        self.assert_refused(["-1000", "Kelvin-Voigt"], RUBBER, "--max-frequency", 50, "--max-decay", 1000)
        self.modes(RUBBER, "--box", -500, 0, 0, 400)

    def test_a_box_where_nothing_is(self):
        document = self.modes(MASS, "--box", -1, 0, 20, 30)
        self.assertEqual((document["modes"], document["certainty"]), ([], "proved"))

    def test_numbers_without_bound(self):
        for arguments in (["--max-frequency", "nan"], ["--max-frequency", "inf"], ["--max-frequency", 1e300],
                          ["--max-frequency", 5, "--max-decay", 1e300], ["--box", -1, 0, 0, 1e300],
                          ["--box", "nan", 0, 0, 1], ["--count", -1]):  # fmt: skip
            with self.subTest(arguments=arguments):
                self.assert_refused([arguments[-2] if arguments[-2].__class__ is str else "--box"], MASS, *arguments)

    def test_certify_where_there_is_no_proof(self):
        self.assertEqual(self.modes(TIP, "--count", 3)["certainty"], "checked")
        answer = self.run_verb(TIP, "--count", 3, "--certify")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("not proved", answer.stderr)
        self.assertIn("neither mass nor stiffness", answer.stderr)


if __name__ == "__main__":
    unittest.main()
