"""The verb modes as a user types it: what it prints, its methods, its exit codes, what it refuses.

usage: modes_cli_test.py PROGRAM SOURCE_FOLDER
"""

import json
import math
import os
import sys
import unittest

import folder
from modes_models import MASS, ROD

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
MODELS = os.path.join(SOURCE, "models")
DATA = os.path.join(SOURCE, "espalier/modes/test/data")
BEAM = os.path.join(MODELS, "stepped_beam.yaml")
FRAME = os.path.join(MODELS, "y_frame.yaml")
LAUNCHER = os.path.join(MODELS, "mlrs.yaml")
FIELDS = (
    "model file method damped found asked complete free_motions counted certainty certificate max_omega max_decay counts evaluations pieces modes "
    "vertices notes ranks seconds communication_seconds"
).split()
# The literature's Table 6, as printed.
TABLE_6 = [
    ("-13.1872", "10.4693"), ("-10.6857", "69.8781"), ("-10.0808", "175.8220"), ("-9.8454", "332.8125"),
    ("-9.7312", "541.7148"), ("-9.6679", "802.6656"), ("-9.6294", "1115.7216"),
]  # fmt: skip
PUBLISHED = ("--method", "recursive", "--box", -20, 0, 0, 1200, "--samples", 54, 97, "--resolution", 1e-4)
# Two bodies without mass that hold each other along y, and nothing holds both.
LOOSE = """espalier: 1
gravity: [0, 0, 0]
active: [x, y]
bodies:
  - {name: slug, mass: 0}
  - {name: plug, mass: 0, pose: {position: [1, 0, 0]}}
joints:
  - {name: thread, type: free, between: [ground, slug], at: {}, stiffness: [100, 0, 0, 0, 0, 0]}
  - {name: slide, type: prismatic, between: [slug, plug], at: {axis: [1, 0, 0]}, stiffness: 100}
"""


def reference(name):
    with open(os.path.join(DATA, name)) as file:
        return json.load(file)


class Folder(folder.Folder):
    program = PROGRAM
    verb = ("modes",)

    def modes(self, *arguments, code=0):
        return self.document(*arguments, code=code)


class Answers(Folder):
    def test_the_literatures_beam_to_nine_digits(self):
        expected = [complex(*map(float, s)) for s in reference("h05_tapered_damped_cantilever.json")["stepped_n50"]]
        document = self.modes(BEAM, "--count", 12, "--no-shapes", "--no-estimate")
        self.assertIn(document["certainty"], ("proved", "checked"))
        found = [complex(*mode["s"]) for mode in document["modes"]]
        oscillating = [s for s in found if s.imag > 0]
        self.assertGreaterEqual(len(oscillating), 12)
        for s, exact in zip(oscillating, expected):
            self.assertLess(abs(s - exact), 1e-9 * abs(exact))

    def test_frame_and_launcher_as_their_references(self):
        for model, name in ((FRAME, "h08_y_frame_tree.json"), (LAUNCHER, "h16_mlrs_one_firing_tube.json")):
            expected = [float(value["omega_mp_tmm"]) for value in reference(name)["eigenvalues"][:8]]
            document = self.modes(model, "--max-frequency", expected[-1] * (1 + 1e-6) / (2 * math.pi), "--no-shapes")
            self.assertEqual(document["certainty"], "proved")
            self.assertEqual((document["found"], document["counted"]), (8, 8))
            for mode, omega in zip(document["modes"], expected):
                self.assertLess(abs(mode["omega"] - omega), 1e-9 * omega)
                self.assertLess(mode["bracket"][0], omega * (1 + 1e-12))
                self.assertGreater(mode["bracket"][1], omega * (1 - 1e-12))

    def test_json_is_one_document_with_all_fields(self):
        document = self.modes(FRAME, "--count", 3)
        for field in FIELDS:
            self.assertIn(field, document)
        self.assertEqual((document["method"], document["ranks"]), ("auto", 1))
        for mode in document["modes"]:
            self.assertEqual(len(mode["shapes"]), mode["multiplicity"])
            self.assertEqual(len(mode["shapes"][0]), len(document["vertices"]))

    def test_text_names_frequency_and_certainty(self):
        answer = self.run_verb(FRAME, "--count", 3)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        for word in ("Y frame", "25.20844208", "proved", "counted below", "moves most", "work"):
            self.assertIn(word, answer.stdout)

    def test_output_holds_the_document(self):
        path = os.path.join(self.folder, "modes.json")
        answer = self.run_verb(FRAME, "--count", 2, "-o", path, "--quiet")
        self.assertEqual((answer.returncode, answer.stdout, answer.stderr), (0, "", ""))
        with open(path) as file:
            self.assertEqual(json.load(file)["model"], "Y frame")

    def test_a_box_keeps_what_lies_in_it(self):
        document = self.modes(BEAM, "--box", -10.5, 0, 100, 600, "--no-shapes", "--no-estimate")
        self.assertEqual([round(mode["omega"]) for mode in document["modes"]], [176, 333, 542])
        self.assertIn(document["certainty"], ("proved", "checked"))

    def test_certify_asks_for_a_proof(self):
        self.modes(FRAME, "--count", 2, "--certify", "--no-shapes")
        # Damping that grows with stiffness is compared with stiffness.
        rubber = self.file(
            "rubber.yaml", ROD.replace("material: steel}", "material: steel, damping: {kelvin_voigt: 1.0e-5}}")
        )
        self.modes(rubber, "--count", 2, "--certify", "--no-shapes")
        # A damper where no mass is has no proof.
        model = self.file("tip.yaml", ROD + "  - {name: dashpot, type: free, between: [ground, rod], at: {position: [1, 0, 0]}, "
                          "stiffness: [0, 0, 0, 0, 0, 0], damping: [0, 500, 0, 0, 0, 0]}\n")  # fmt: skip
        self.modes(model, "--count", 2, "--no-shapes")
        answer = self.run_verb(model, "--count", 2, "--certify", "--no-shapes")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("not proved", answer.stderr)

    def test_segments_are_estimated_unless_they_are_not_wanted(self):
        # The continuous taper's first and seventh eigenvalue.
        taper = {0: complex(-13.1911130762, 10.4718885699), 6: complex(-9.6351003113, 1116.1194421480)}
        document = self.modes(BEAM, "--box", -20, 0, 0, 1200, "--no-shapes")
        for k, exact in taper.items():
            error = abs(complex(*document["modes"][k]["s"]) - exact) / abs(exact)
            self.assertLess(abs(document["modes"][k]["segment_error"] - error), 0.02 * error)
            tapered = complex(*document["modes"][k]["tapered"])
            self.assertLess(abs(tapered - exact), 0.02 * abs(complex(*document["modes"][k]["s"]) - exact))
        self.assertNotIn("segment_error", self.modes(BEAM, "--count", 2, "--no-estimate")["modes"][0])
        self.assertNotIn("segment_error", self.modes(FRAME, "--count", 2)["modes"][0])
        # The table has those of the taper, not of its segments.
        table = self.run_verb(BEAM, "--count", 2).stdout
        self.assertIn("segments", table)
        self.assertIn("10.4718", table)
        self.assertNotIn("10.4693", table)


class Baselines(Folder):
    def test_table_6_digit_for_digit(self):
        answer = self.run_verb(BEAM, *PUBLISHED, "--no-shapes")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        rows = [line.split() for line in answer.stdout.splitlines()]
        printed = [(row[2], row[3]) for row in rows if len(row) == 5 and row[0].isdigit()]
        self.assertEqual(printed, TABLE_6)
        self.assertIn("none", answer.stdout)
        self.assertIn("does not know", " ".join(answer.stdout.split()))

    def test_ranks_threads_and_distributions_change_nothing(self):
        def search(*arguments):
            document = self.modes(BEAM, "--method", "recursive", "--box", -20, 0, 0, 200, "--samples", 20, 30,
                                  "--resolution", 1e-3, *arguments)  # fmt: skip
            document.pop("seconds")
            communication = document.pop("communication_seconds")
            ranks, distribution = document.pop("ranks"), document.pop("distribution")
            self.assertEqual(communication > 0, ranks > 1)
            document.pop("threads")
            return ranks, distribution, document

        ranks, distribution, alone = search()
        self.assertEqual((ranks, distribution), (1, "dynamic"))
        self.assertEqual(len(alone["modes"]), 3)
        self.assertEqual(search("--threads", 2)[2], alone)
        for wanted in ("dynamic", "paper", "elements"):
            ranks, distribution, together = search("--distribution", wanted, "--ranks", 2)
            self.assertEqual((ranks, distribution), (2, wanted))
            self.assertEqual(together, alone)

    def test_certified_search_on_two_ranks(self):
        def search(*arguments):
            document = self.modes(FRAME, "--count", 5, *arguments)
            for field in ("seconds", "communication_seconds", "ranks"):
                document.pop(field)
            return document

        self.assertEqual(search(), search("--ranks", 2))

    def test_bisection_of_an_undamped_structure(self):
        model = self.file("mass.yaml", MASS)
        for method in ("bisection", "recursive"):
            document = self.modes(model, "--method", method, "--max-frequency", 5, "--resolution", 1e-7)
            self.assertEqual(len(document["modes"]), 1)
            self.assertLess(abs(document["modes"][0]["omega"] - 10), 1e-6)
            self.assertEqual((document["certainty"], document["counted"]), ("none", None))
            self.assertNotIn("bracket", document["modes"][0])
        answer = self.run_verb(model, "--method", "bisection", "--max-frequency", 5, "--certify")
        self.assertEqual(answer.returncode, 1)

    def test_the_overall_matrix(self):
        document = self.modes(LAUNCHER, "--show-matrix", "--at", -1, 20)
        self.assertEqual(document["order"], 60 + 12 * (document["loops"] - 1))
        self.assertEqual(sum(unknown["count"] for unknown in document["unknowns"]), document["order"])
        self.assertEqual([len(row) for row in document["matrix"]], [document["order"]] * document["order"])
        answer = self.run_verb(BEAM, "--show-matrix")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for word in ("order   4", "2 boundaries", "forces of a support", "displacements of a free end"):
            self.assertIn(word, answer.stdout)
        # The determinant of the beam's matrix falls where an eigenvalue is.
        at = [
            self.modes(BEAM, "--show-matrix", "--at", *s)["determinant"]
            for s in ((-10.6856948200, 69.8780494865), (-10, 60))
        ]
        sizes = [math.hypot(*value["mantissa"]) * 2.0 ** (value["exponent"] - at[1]["exponent"]) for value in at]
        self.assertLess(sizes[0], 1e-6 * sizes[1])


class Refusals(Folder):
    def test_options(self):
        for words, arguments in (
            (["--method 'newton' is unknown", "auto, recursive, bisection"], ["--method", "newton"]),
            (["--box is 0 1 0 10", "Re s"], ["--box", 0, 1, 0, 10]),
            (["--box is -1 0 10 5"], ["--box", -1, 0, 10, 5]),
            (["--samples is 2 10", "from 3"], ["--method", "recursive", "--samples", 2, 10]),
            (["--samples is for --method"], ["--samples", 5, 10]),
            (["--resolution is -1"], ["--method", "recursive", "--resolution", -1]),
            (
                ["--distribution 'fair' is unknown", "dynamic, paper, elements"],
                ["--method", "recursive", "--distribution", "fair"],
            ),
            (["--threads is for"], ["--threads", 2]),
            (["--threads is 0"], ["--method", "recursive", "--threads", 0]),
            (["--ranks is 0"], ["--ranks", 0]),
            (["--count is 0"], ["--count", 0]),
            (["--max-frequency is -3"], ["--max-frequency", -3]),
            (["bisection", "damped"], ["--method", "bisection"]),
        ):
            with self.subTest(arguments=arguments):
                self.assert_refused(words, BEAM, *arguments)
        for arguments in (["--box", 1, 2], ["--box", -1, 0, 0, 9, "--count", 2], ["--at", 0, 1], ["--wobble"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.run_verb(BEAM, *arguments).returncode, 2)

    def test_models(self):
        bent = ROD.replace("to: [1, 0, 0]", "to: [0, 0, 0]")
        coupled = MASS.replace(
            "  - {name: mass,", "  - {name: other, mass: 1, inertia: [1, 1, 1]}\n  - {name: mass,"
        ) + (
            "  - {name: guide, type: prismatic, between: [ground, other], at: {axis: [1, 0, 0]}, stiffness: 10}\n"
            "couplings:\n  - {joints: [spring, guide], ratio: [1, -1]}\n"
        )
        for name, text, words in (
            ("coupled", coupled, ["coupled.yaml:12", "coupling"]),
            ("loose", LOOSE, ["loose.yaml", "plug", "neither inertia nor stiffness"]),
            ("nan", MASS.replace("mass: 2", "mass: .nan"), ["nan.yaml:6"]),
            ("negative", MASS.replace("stiffness: 200", "stiffness: -200"), ["negative.yaml:8"]),
            ("short", bent, ["short.yaml:6", "rod"]),
        ):
            with self.subTest(model=name):
                self.assert_refused(words, self.file(name + ".yaml", text))

    def test_errors_as_json(self):
        answer = self.run_verb("nowhere.yaml", "--json")
        self.assertEqual(answer.returncode, 2)
        self.assertEqual(json.loads(answer.stdout)["error"]["code"], "file")


if __name__ == "__main__":
    unittest.main()
