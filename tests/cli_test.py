"""The command line as a user types it.

usage: cli_test.py PROGRAM SOURCE_FOLDER
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from folder import Folder

SOURCE = sys.argv.pop()
PROGRAM = sys.argv.pop()
VERBS = ("check", "convert", "generate", "demo")
FORMATS = {"native": "yaml", "urdf": "urdf", "sdf": "sdf", "mjcf": "xml", "usda": "usda"}


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


def report_of(case, *arguments, code=0):
    """The one JSON document that --json puts on standard output."""
    answer = run(*arguments, "--json")
    case.assertEqual(answer.returncode, code, answer.stderr)
    return json.loads(answer.stdout)


def counts(report):
    return report["bodies"], report["movable_joints"], report["loop_count"]


class CommandLine(Folder):
    def test_help_names_every_verb_and_each_verb_has_help(self):
        answer = run("--help")
        self.assertEqual(answer.returncode, 0)
        for verb in VERBS:
            self.assertIn(verb, answer.stdout)
            self.assertEqual(run(verb, "--help").returncode, 0)
        self.assertRegex(run("--version").stdout, r"^espalier \d+\.\d+\.\d+\n")

    def test_all_reports_count_bodies_alike(self):
        """Without the ground, before welding: three bodies, two of which are welded, on two elastic hinges."""
        hinge = "type: revolute, stiffness: 50, at: {axis: [0, 1, 0]}"
        body = "mass: 1, inertia: [0.1, 0.2, 0.3], com: [0.5, 0, 0]"
        text = (
            f"espalier: 1\nname: welded\nbodies: [{{name: a, {body}}}, {{name: b, {body}}}, {{name: c, {body}}}]\n"
            f"joints:\n  - {{name: i, between: [ground, a], {hinge}}}\n  - {{name: k, between: [a, b], {hinge}}}\n"
            "  - {name: w, type: fixed, between: [b, c], at: {}}\n"
        )
        path = self.file("welded.yaml", text)
        told = "3 bodies (2 links after welding)"
        self.assertIn("bodies    3 (2 links after welding)", run("check", path).stdout)
        self.assertEqual(report_of(self, "check", path)["bodies"], 3)
        self.assertIn(f"welded: {told}, 2 joints", run("plan", path).stdout)
        answer = run("simulate", path, "-t", 0.01, "--no-files")
        self.assertIn(f"welded: {told}, 3 joints", answer.stdout + answer.stderr)
        # Elastic bodies would move although they are welded: of modes the bodies alone are told.
        self.assertIn("welded: 3 bodies, ", run("modes", path, "--count", 1).stdout)
        # No rule welds, so that generate tells its bodies alone; the others count the same in its file.
        made = self.path("made.yaml")
        self.assertIn("7 bodies, 10 movable joints", run("generate", "ladder", 3, "-o", made).stdout)
        self.assertIn("bodies    7\n", run("check", made).stdout)
        self.assertIn(": 7 bodies, 10 joints", run("plan", made).stdout)

    def test_rules_make_what_their_sizes_say(self):
        for arguments, expected in (
            (("ladder", 7), (15, 22, 7)),
            (("ladder", 3, "--spatial"), (7, 10, 3)),
            (("chain", 9), (9, 9, 0)),
            (("tree", 4), (15, 15, 0)),
            (("lattice", 3, 5), (15, 23, 8)),
            (("random", 10, 17, "--seed", 5), (10, 17, 7)),
            (("strandbeest", 6), (73, 109, 36)),
            (("strandbeest", 1), (13, 19, 6)),
        ):
            with self.subTest(arguments):
                file = self.path("made.yaml")
                self.assertEqual(counts(report_of(self, "generate", *arguments, "-o", file)), expected)
                self.assertEqual(counts(report_of(self, "check", file)), expected)

    def test_another_seed_gives_another_model_and_the_same_seed_the_same(self):
        first, again, other = (run("generate", "random", "8", "12", "--seed", seed).stdout for seed in (1, 1, 2))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_graph_of_a_mechanism(self):
        graph = json.loads(run("generate", "stewart", "--graph").stdout)
        self.assertEqual((graph["vertices"], len(graph["edges"])), (14, 18))
        self.assertEqual(sorted({edge[2] for edge in graph["edges"]}), [1, 2, 3])

    def test_3sat_is_a_graph_with_its_question(self):
        file = self.path("hard.json")
        answer = run("generate", "3sat", 6, 25, "--seed", 3, "-o", file)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn(f"Next: espalier plan {file} --objective bcbbwst --max-weight 98 --max-length 5\n", answer.stdout)
        with open(file, encoding="utf-8") as text:
            graph = json.load(text)
        self.assertEqual((graph["vertices"], len(graph["edges"])), (2 * 6 + 25 + 2, 3 * 6 + 3 * 25 + 1))
        self.assertEqual(json.loads(run("generate", "3sat", 6, 25, "--seed", 3).stdout), graph)
        self.assertNotEqual(json.loads(run("generate", "3sat", 6, 25, "--seed", 4).stdout), graph)
        report = report_of(self, "generate", "3sat", 6, 25)
        self.assertEqual((report["max_weight"], report["max_length"]), (98, 5))
        for wrong in (("2",), ("5", "0"), ("5", "6", "7"), ("5", "6", "--to", "urdf"), ("--spatial",)):
            self.assertEqual(run("generate", "3sat", *wrong).returncode, 2, wrong)

    def test_every_shipped_model_keeps_its_counts_in_every_format(self):
        for name in sorted(os.listdir(os.path.join(SOURCE, "models"))):
            model = os.path.join(SOURCE, "models", name)
            before = report_of(self, "check", model)
            for word, ending in FORMATS.items():
                with self.subTest(name, to=word):
                    file = self.path("written." + ending)
                    said = report_of(self, "convert", model, "--to", word, "-o", file)
                    after = report_of(self, "check", file)
                    if word == "native":
                        self.assertEqual(said["changes"], [])
                    # A loose body of a contact scene is held by a free joint where the format has no contact.
                    new = [c for c in said["changes"] if c["element"] == "joint" and c["after"] == "new"]
                    self.assertEqual(after["movable_joints"], before["movable_joints"] + len(new))
                    self.assertEqual((after["bodies"], after["loop_count"]), (before["bodies"], before["loop_count"]))

    def test_convert_prints_the_file_alone_on_standard_output(self):
        model = os.path.join(SOURCE, "models", "four_bar.yaml")
        answer = run("convert", model, "--to", "urdf")
        self.assertTrue(answer.stdout.startswith("<robot"))
        self.assertIn("changed", answer.stderr)

    def test_a_narrow_terminal_is_enough(self):
        answer = run("check", os.path.join(SOURCE, "models", "strandbeest.yaml"), env={**os.environ, "COLUMNS": "44"})
        self.assertLessEqual(max(map(len, answer.stdout.splitlines())), 44)

    def test_picture_is_an_svg_that_names_every_joint(self):
        file = self.path("four_bar.svg")
        run("check", os.path.join(SOURCE, "models", "four_bar.yaml"), "--picture", file)
        with open(file, encoding="utf-8") as picture:
            text = picture.read()
        self.assertTrue(text.startswith("<svg") and text.rstrip().endswith("</svg>"))
        for joint in "ABCD":
            self.assertIn(f"'{joint}' (revolute)", text)

    def test_reads_from_a_pipe(self):
        text = run("generate", "four_bar").stdout
        self.assertEqual(run("check", "/dev/stdin", input=text).returncode, 0)

    def four_bar(self, coupler):
        """A four-bar drawn open, crank up and rocker up; its ground is 2.5 m, crank and rocker 1 m."""
        inertia = "mass: 1, inertia: [1, 1, 1, 0, 0, 0]"
        text = f"""
espalier: 1
name: open four-bar
bodies:
  - {{name: crank, {inertia}, pose: {{position: [0, 0, 0]}}}}
  - {{name: coupler, {inertia}, pose: {{position: [0, 1, 0]}}}}
  - {{name: rocker, {inertia}, pose: {{position: [2.5, 0, 0]}}}}
joints:
  - {{name: A, type: revolute, between: [ground, crank], in: {{ground: {{position: [0, 0, 0]}}, crank: {{position: [0, 0, 0]}}}}, velocity: 2}}
  - {{name: B, type: revolute, between: [crank, coupler], in: {{crank: {{position: [0, 1, 0]}}, coupler: {{position: [0, 0, 0]}}}}}}
  - {{name: C, type: revolute, between: [coupler, rocker], in: {{coupler: {{position: [{coupler}, 0, 0]}}, rocker: {{position: [0, 1, 0]}}}}}}
  - {{name: D, type: revolute, between: [ground, rocker], in: {{ground: {{position: [2.5, 0, 0]}}, rocker: {{position: [0, 0, 0]}}}}}}
keyframes:
  - {{name: low, positions: {{A: -1.2, B: 1.2}}}}
"""
        file = self.path("four_bar_open.yaml")
        with open(file, "w", encoding="utf-8") as written:
            written.write(text)
        return file

    def test_check_closes_an_open_loop_and_says_so(self):
        file = self.four_bar(2.7)
        report = report_of(self, "check", file)
        self.assertEqual(report["assembly"]["outcome"], "closed")
        self.assertAlmostEqual(report["assembly"]["gap_before"], 0.2, 12)
        self.assertLess(report["assembly"]["gap_after"], 1e-12)
        self.assertEqual((report["freedom"], report["rank"], report["equations"]), (1, 2, 5))
        (joint,) = {equation["joint"] for equation in report["redundant"]}
        self.assertEqual([e["direction"] for e in report["redundant"]], ["slide_z", "turn_x", "turn_y"])
        self.assertEqual(
            [(r["type"], r["removes"]) for r in report["remedies"]], [("spherical", 2), ("cylindrical", 1)]
        )
        self.assertEqual((report["velocity"]["given"], report["velocity"]["consistent"]), (1, True))
        text = run("check", file).stdout
        self.assertIn("joint 'C' was open by 0.2 m as drawn", text)
        self.assertIn(f"make {joint} spherical: 2 fewer", text)

    def test_check_refuses_a_loop_that_cannot_close(self):
        file = self.four_bar(0.25)
        answer = run("check", file)
        self.assertEqual(answer.returncode, 2)
        self.assertRegex(answer.stderr, r"four_bar_open.yaml:\d+: the loops cannot be closed from this start: joint '")
        answer = run("check", file, "--json")
        self.assertEqual(answer.returncode, 2)
        report = json.loads(answer.stdout)
        self.assertEqual(report["assembly"]["outcome"], "open")
        # Crank, coupler and rocker in line lack 2.5 - 1 - 0.25 - 1.
        self.assertAlmostEqual(report["assembly"]["gap_after"], 0.25, 5)

    def test_check_starts_from_a_keyframe(self):
        file = self.four_bar(2.7)
        report = report_of(self, "check", file, "--keyframe", "low")
        self.assertEqual((report["keyframe"], report["assembly"]["outcome"]), ("low", "closed"))
        answer = run("check", file, "--keyframe", "lwo")
        self.assertEqual(answer.returncode, 2)
        self.assertIn("did you mean 'low'?", answer.stderr)

    def test_shipped_models_are_assembled_and_free_as_known(self):
        for name, freedom, redundant in (
            ("four_bar", 1, 3),
            ("andrews_squeezer", 1, 9),
            ("bricard", 1, 1),
            ("ladder", 1, 15),
            ("strandbeest", 1, 108),
            ("stewart", 6, 0),
            ("delta", 3, 0),
            ("double_wishbone", 14, 0),
            ("governor", 2, 0),
        ):
            with self.subTest(name):
                report = report_of(self, "check", os.path.join(SOURCE, "models", name + ".yaml"))
                self.assertEqual((report["freedom"], len(report["redundant"])), (freedom, redundant))
                self.assertEqual(report["remedied"], redundant)
                self.assertEqual((report["assembly"]["outcome"], report["singular"]), ("closed", False))

    def test_demo_goes_through(self):
        answer = run("demo", "-o", self.path("demo"))
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("36 independent", answer.stdout)
        # One page that holds it all: every page it shows is there.
        with open(self.path("demo/index.html"), encoding="utf-8") as file:
            pages = re.findall(r'<button data-page="([^"]+)"', file.read())
        self.assertEqual(pages, ["check.html", "plan.html", "pile.html", "modes.html", "tuned.html"])
        for page in pages:
            self.assertGreater(os.path.getsize(self.path("demo/" + page)), 100_000)
        document = report_of(self, "demo", "-o", self.path("demo"))
        self.assertEqual({step["exit_code"] for step in document["commands"]}, {0})
        self.assertEqual(document["page"], self.path("demo/index.html"))

    def test_generate_says_what_a_format_loses(self):
        answer = run("generate", "stiff_governor", "--to", "mjcf", "-o", self.path("x.xml"))
        self.assertIn("left out", answer.stdout)


# file, bodies, movable joints by type, loops, couplings: as the authors of the files count them. Joints that a format
# writes as loop closures (URDF, MJCF) are among ours: a graph knows no difference.
REAL = (
    ("menagerie/agility_cassie/cassie.xml", 25, {"revolute": 20, "spherical": 2 + 4, "free": 1}, 4, 0),
    ("menagerie/robotiq_2f85/2f85.xml", 14, {"revolute": 8, "spherical": 2}, 2, 1),
    ("gepetto/kangaroo_like_2legs/robot.urdf", 131, {"revolute": 66, "prismatic": 12, "spherical": 18}, 24, 0),
    ("gepetto/robot_delta/robot.urdf", 16, {"revolute": 14}, 3, 0),
    ("gepetto/5bar_linkage/robot.urdf", 8, {"revolute": 6}, 1, 0),
    ("grbda/four_bar.urdf", 4, {"revolute": 3 + 1}, 1, 0),
    ("grbda/six_bar.urdf", 6, {"revolute": 5 + 1}, 1, 0),
    ("grbda/planar_leg_linkage.urdf", 5, {"revolute": 4 + 1}, 1, 0),
    ("grbda/pc_d40_l40.urdf", 81, {"revolute": 80}, 0, 1),
    ("drake/four_bar_loop.sdf", 3, {"revolute": 4}, 1, 0),
    ("drake/four_bar_weld.sdf", 4, {"revolute": 4}, 1, 0),
    ("archirob/delta_robot.sdf", 11, {"spherical": 12, "revolute": 3}, 5, 0),
)
COLLECTION = os.path.join(SOURCE, "..", "shared", "data", "models")
# Its rods hang on revolute joints along their own axes, called "spherical": as written, 18 of its loops cannot close.
STAYS_OPEN = "gepetto/kangaroo_like_2legs/robot.urdf"

# What their readers leave out and a converted file would lack: masses that only meshes know and a servo; links without
# gravity.
ACCEPT = {
    "menagerie/robotiq_2f85/2f85.xml": ("--accept", "mesh_mass", "--accept", "actuator"),
    "archirob/delta_robot.sdf": ("--accept", "gravity"),
}


def code_of(file):
    return 2 if file == STAYS_OPEN else 0


@unittest.skipUnless(os.path.isdir(COLLECTION), "the collection of real model files is not here")
class RealFiles(unittest.TestCase):
    def test_counts_are_those_of_their_authors(self):
        for file, bodies, types, loops, couplings in REAL:
            with self.subTest(file):
                report = report_of(self, "check", os.path.join(COLLECTION, file), code=code_of(file))
                found = report["bodies"], report["joint_types"], report["loop_count"], report["couplings"]
                self.assertEqual(found, (bodies, types, loops, couplings))

    def test_every_format_gives_the_same_counts_back(self):
        with tempfile.TemporaryDirectory() as folder:
            for file, bodies, types, loops, couplings in REAL:
                for word, ending in FORMATS.items():
                    with self.subTest(file, to=word):
                        written = os.path.join(folder, "written." + ending)
                        said = report_of(
                            self,
                            "convert",
                            os.path.join(COLLECTION, file),
                            "--to",
                            word,
                            "-o",
                            written,
                            *ACCEPT.get(file, ()),
                        )
                        report = report_of(self, "check", written, code=code_of(file))
                        self.assertEqual((report["bodies"], report["loop_count"]), (bodies, loops), said["changes"])
                        if word == "native":
                            self.assertEqual(said["changes"], [])

    def test_loops_close(self):
        for file, freedom in (
            ("menagerie/agility_cassie/cassie.xml", 22),
            ("gepetto/robot_delta/robot.urdf", 11),
            ("gepetto/5bar_linkage/robot.urdf", 9),
            ("grbda/six_bar.urdf", 9),
            ("drake/four_bar_loop.sdf", 1),
            ("archirob/delta_robot.sdf", 15),
        ):
            with self.subTest(file):
                report = report_of(self, "check", os.path.join(COLLECTION, file))
                self.assertEqual((report["assembly"]["outcome"], report["freedom"]), ("closed", freedom))
                self.assertLess(report["assembly"]["gap_after"], 1e-12)

    def test_kangaroo_closes_with_balls_where_its_joints_are_called_so(self):
        report = report_of(self, "check", os.path.join(COLLECTION, STAYS_OPEN), code=2)
        self.assertEqual(report["assembly"]["outcome"], "open")
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "kangaroo.yaml")
            run("convert", os.path.join(COLLECTION, STAYS_OPEN), "-o", file)
            with open(file, encoding="utf-8") as text:
                lines = text.read().splitlines()
            for k, line in enumerate(lines):
                if "spherical" in line and "type: revolute" in line:
                    line = line.replace("type: revolute", "type: spherical")
                    lines[k] = line.replace(", effort_limit: 1, velocity_limit: 20", "")
            with open(file, "w", encoding="utf-8") as text:
                text.write("\n".join(lines) + "\n")
            report = report_of(self, "check", file)
            self.assertEqual((report["assembly"]["outcome"], report["freedom"]), ("closed", 46))
            self.assertLess(report["assembly"]["gap_after"], 1e-12)

    def test_cassie_at_home_is_open_by_two_millimetres(self):
        cassie = os.path.join(COLLECTION, "menagerie/agility_cassie/cassie.xml")
        assembly = report_of(self, "check", cassie, "--keyframe", "home")["assembly"]
        self.assertAlmostEqual(assembly["gap_before"], 1.95e-3, 5)
        self.assertLess(assembly["gap_after"], 1e-12)

    def test_chrono_is_named(self):
        answer = run("check", os.path.join(COLLECTION, "chrono", "model_slider_crank.yaml"))
        self.assertEqual(answer.returncode, 2)
        self.assertIn("Chrono model: not a format I read", answer.stderr)


if __name__ == "__main__":
    unittest.main()
