"""What `plan` says of its plans: how long it tries, what is optimal given what, whose constants, loops that cannot close.

usage: plan_answers_test.py PROGRAM SOURCE_FOLDER
"""

import json
import os
import sys
import unittest

from folder import Folder

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
GRAPHS = os.path.join(SOURCE, "espalier", "plan", "test", "data")
FIG2A = os.path.join(GRAPHS, "liu1999_fig2a.json")


def model(name):
    return os.path.join(SOURCE, "models", name + ".yaml")


class Plans(Folder):
    program = PROGRAM

    def setUp(self):
        super().setUp()
        # What the user of this machine has measured is no part of a test.
        os.environ["XDG_CONFIG_HOME"] = self.folder

    def says(self, answer, code, *words):
        text = " ".join((answer.stdout + answer.stderr).split())
        self.assertEqual(answer.returncode, code, text)
        for word in words:
            self.assertIn(word, text)

    def test_the_optimum_lies_in_the_bracket_of_theorem_2(self):
        """[Liu99], Fig. 2a: radius 35, lightest tree 157, hence no cost below 192; the optimum is 196."""
        plan = self.document("plan", FIG2A)
        for key in ("length", "weight", "cost"):
            low, high = plan["bracket"][key]
            self.assertLessEqual(low, plan[key])
            self.assertLessEqual(plan[key], high)
        self.assertEqual([plan["bracket"][key][0] for key in ("length", "weight", "cost")], [35, 157, 192])
        self.says(self.run_verb("plan", FIG2A), 0, "the optimum has L 35 to ")
        self.assertNotIn("bracket", self.document("plan", FIG2A, "--objective", "mwst"))
        self.assertIsNone(self.document("plan", FIG2A, "--pin", "e1")["bracket"])

    def test_the_papers_graph_is_generated(self):
        answer = self.run_verb("generate", "liu99_fig2a", "-o", "fig2a.json")
        self.says(answer, 0, "a graph of 20 vertices and 32 edges")
        made = self.document("plan", "fig2a.json", "--method", "a3")
        self.assertEqual(made["cost"], 196)
        self.assertEqual(made["tree"], self.document("plan", FIG2A, "--method", "a3")["tree"])

    def test_all_trees_are_listed_the_cheapest_first(self):
        text = self.run_verb("plan", model("four_bar"), "--all-trees").stdout
        self.assertIn("trees     4 spanning trees to choose from", text)
        rows = [line.split() for line in text.partition("All trees, the cheapest first\n")[2].splitlines()]
        self.assertEqual(rows[0], "cost length L weight W equations root cut".split())
        document = self.document("plan", model("four_bar"), "--all-trees")
        told = [[f"{tree['cost']:g}", tree["cut"]] for tree in document["all_trees"]]
        self.assertEqual([[row[0], row[5:]] for row in rows[1:5]], told)
        self.assertEqual(sorted(cut for _, (cut,) in told), ["A", "B", "C", "D"])
        self.assertEqual(document["all_trees"][0]["cost"], document["cost"])
        self.assert_refused(
            "--all-trees: there are 1.1e20 spanning trees; at most 10000", "plan", model("strandbeest"), "--all-trees"
        )

    def test_counts_of_trees_beyond_all_digits_are_powers_of_ten(self):
        self.run_verb("generate", "lattice", 40, 40, "--graph", "-o", "lattice.json")
        text = self.run_verb("plan", "lattice.json").stdout
        self.assertRegex(text, r"trees     \d\.\de\d{3} spanning trees to choose from")

    def test_a_bound_that_says_nothing_is_not_printed(self):
        self.run_verb("generate", "lattice", 6, 7, "-o", "lattice.yaml")
        plan = ("plan", "lattice.yaml", "--objective", "time")
        self.assertGreater(self.document(*plan)["gap"], 0.5)
        answer = self.run_verb(*plan)
        self.says(answer, 0, "not known: the lower bound, ")
        self.assertNotIn("% above the optimum", answer.stdout)

    # Counted in nodes times arcs, not by a clock: a quarter of what the proof may take where it gains.
    def test_auto_does_not_try_for_long_what_it_cannot_prove(self):
        for vertices, edges in ((300, 900), (1000, 2000)):
            with self.subTest(vertices=vertices):
                self.run_verb("generate", "random", vertices, edges, "--graph", "-o", "g.json")
                auto = self.document("plan", "g.json")
                search = self.document("plan", "g.json", "--method", "search")
                self.assertLessEqual(auto["cost"], search["cost"])
                self.assertGreaterEqual(auto["lower_bound"], search["lower_bound"])
                if not auto["optimal"]:
                    self.assertLessEqual(auto["nodes"] * 2 * edges, 1e7)
                    self.assertIn("not proved", auto["proof"])

    def test_what_was_proved_stays_proved(self):
        for name in sorted(os.listdir(GRAPHS)):
            if name == "liu1999_trace.json":  # no graph, but the printed run
                continue
            for beta in (0.1, 1, 10):
                with self.subTest(name, beta=beta):
                    self.assertTrue(self.document("plan", os.path.join(GRAPHS, name), "--beta", beta)["optimal"])

    def test_optimal_is_said_of_what_was_left_to_choose(self):
        bar = model("four_bar")
        self.says(self.run_verb("plan", bar), 0, "optimal, proved")
        self.says(self.run_verb("plan", bar, "--cut", "A"), 0, "optimal given your cut, proved")
        self.says(
            self.run_verb("plan", bar, "--pin", "A", "--root", "coupler"),
            0,
            "optimal given your pin and your root, proved",
        )
        stewart = self.run_verb("plan", model("stewart"), "--cut", "S1", "--cut", "S2")
        self.says(stewart, 0, "optimal given your cuts, proved")
        self.assertEqual(self.document("plan", bar, "--cut", "A")["optimal_given"], "given your cut")
        self.assertNotIn("optimal_given", self.document("plan", bar))

    def test_loops_that_cannot_close_are_told(self):
        bars = "".join(
            f"  - {{name: {name}, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {{position: [{x}, 0, 0]}}}}\n"
            for name, x in (("p", 0.5), ("q", 1.5))
        )

        def hinge(name, a, b, x_a, x_b):
            frame = "{{position: [{}, 0, 0], axis: [0, 1, 0]}}"
            return (
                f"  - {{name: {name}, type: revolute, between: [{a}, {b}], in: {{{a}: {frame.format(x_a)}, "
                f"{b}: {frame.format(x_b)}}}}}\n"
            )

        joints = hinge("A", "ground", "p", 0, -0.5) + hinge("B", "p", "q", 0.5, -0.5)
        for end, code in ((1.5, 0), (5, 1)):
            self.file(
                "bars.yaml", f"espalier: 1\nbodies:\n{bars}joints:\n{joints}" + hinge("C", "ground", "q", end, 0.5)
            )
            answer = self.run_verb("plan", "bars.yaml")
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertEqual("OPEN" in answer.stdout, code == 1, answer.stdout)
        self.assertIn("the loops cannot be closed", self.document("plan", "bars.yaml")["open"])

    def test_measured_weights_are_those_of_the_machine(self):
        plan = ("plan", model("governor"), "--weights", "measured")
        self.says(
            self.run_verb(*plan), 0, "constants built in; espalier plan --calibrate measures those of this machine"
        )
        built_in = self.document(*plan)["length"]
        constants = {
            name: 0
            for name in (
                "loop",
                "row",
                "carried_row",
                "carried_coordinate",
                "coupling",
                "flop",
                "pair",
                "synchronisation",
            )
        }
        self.file("machine.json", json.dumps({**constants, "joint": 1e-6, "coordinate": 0}))
        self.says(self.run_verb(*plan, "--machine", "machine.json"), 0, "constants from machine.json")
        # A step takes the same time over every joint: L counts joints.
        self.assertEqual(self.document(*plan, "--machine", "machine.json")["length"], 3)
        self.assertGreater(built_in, 3)

    def test_a_run_says_why_its_tree_is_another_one(self):
        run = ("-t", 0.01, "--no-files")
        told = " ".join(self.document("simulate", model("stewart"), *run)["notes"])
        planned = self.document("plan", model("stewart"))
        chosen = self.document("simulate", model("stewart"), *run)["plan"]
        same = [planned["root"], planned["cut"]] == [chosen["root"], chosen["cut"]]
        self.assertEqual("The tree is not the one `espalier plan` prints" in told, not same)
        driven = self.document("simulate", model("slider_crank"), *run, "--objective", "mccst", "--root", "conrod")
        if driven["plan"]["root"] != self.document("plan", model("slider_crank"))["root"]:
            self.assertIn("a root was given", " ".join(driven["notes"]))


if __name__ == "__main__":
    unittest.main()
