"""The verb plan as a user types it: what it prints, what its JSON says of itself, what it refuses.

usage: plan_cli_test.py PROGRAM SOURCE_FOLDER
"""

import html.parser
import json
import os
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import folder

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
GRAPHS = os.path.join(SOURCE, "espalier", "plan", "test", "data")
MODELS = os.path.join(SOURCE, "models")
COLLECTION = os.path.join(SOURCE, "..", "shared", "data", "models")
FIG2A = os.path.join(GRAPHS, "liu1999_fig2a.json")
GOVERNOR = os.path.join(MODELS, "governor.yaml")
FIELDS = (
    "objective method beta root cost length weight equations lower_bound optimal gap tree cut critical_branch levels "
    "loops centres pr cut_array chains schedule seconds"
).split()
OWN_MODELS = ("four_bar", "governor", "slider_crank", "stewart", "strandbeest", "delta", "bricard", "double_wishbone")


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


def plan_of(case, *arguments):
    answer = run("plan", *arguments, "--json")
    case.assertEqual(answer.returncode, 0, answer.stderr)
    return json.loads(answer.stdout)


class Folder(folder.Folder):
    program = PROGRAM
    verb = ("plan",)

    def graph(self, vertices, edges, **more):
        return self.file("graph.json", json.dumps({"vertices": vertices, "edges": edges, **more}))


class Document(Folder):
    """Every field of the JSON against the others."""

    def assert_tree(self, plan):
        parents = {step["vertex"]: step["parent"] for step in plan["tree"]}
        self.assertEqual(len(parents), len(plan["tree"]), "a vertex hangs on two")
        seen = set(plan["roots"])
        for step in plan["tree"]:
            self.assertIn(step["parent"], seen, "parents come first")
            seen.add(step["vertex"])
        self.assertFalse(set(parents) & set(plan["roots"]))
        self.assertIn(plan["root"], plan["roots"])
        joints = [step["joint"] for step in plan["tree"]]
        self.assertEqual(len(set(joints) | set(plan["cut"])), len(joints) + len(plan["cut"]))
        self.assertEqual(len(joints) + len(plan["cut"]), len(plan["cut_array"]))
        self.assertEqual(sum(plan["cut_array"]), len(plan["cut"]))
        return parents

    def assert_arrays(self, plan, parents):
        level = {root: 0 for root in plan["roots"]}
        for step in plan["tree"]:
            level[step["vertex"]] = level[step["parent"]] + 1
        found = {vertex: depth for depth, vertices in enumerate(plan["levels"]) for vertex in vertices}
        self.assertEqual(found, level)
        self.assertEqual(len(plan["pr"]), len(level))
        self.assertEqual(plan["pr"].count(0), len(plan["roots"]))
        self.assertEqual(sorted(plan["forward"]), sorted(level))
        self.assertEqual(plan["backward"], plan["forward"][::-1])
        tips = set(level) - set(parents.values())
        self.assertEqual({chain[-1] for chain in plan["chains"]}, tips)
        for chain in plan["chains"] + [plan["critical_branch"]]:
            self.assertIn(chain[0], plan["roots"])
            for parent, vertex in zip(chain, chain[1:]):
                self.assertEqual(parents[vertex], parent)

    def assert_loops(self, plan):
        joint_of = {step["vertex"]: step["joint"] for step in plan["tree"]}
        self.assertEqual([loop[0] for loop in plan["loops"]], plan["cut"])
        for loop in plan["loops"]:
            self.assertEqual(len(set(loop)), len(loop))
            self.assertLessEqual(set(loop[1:]), set(joint_of.values()))

    def assert_schedule(self, plan, parents):
        schedule = plan["schedule"]
        for word, before in (("forward", lambda v: [parents[v]]), ("backward", lambda v: children.get(v, []))):
            children = {}
            for vertex, parent in parents.items():
                children.setdefault(parent, []).append(vertex)
            self.assertLessEqual(len(schedule[word]), schedule["workers"])
            ends = {turn["vertex"]: turn["end"] for worker in schedule[word] for turn in worker}
            for worker in schedule[word]:
                for first, second in zip(worker, worker[1:]):
                    self.assertLessEqual(first["end"], second["start"] + 1e-9)
                for turn in worker:
                    if turn["vertex"] not in parents:
                        continue
                    for earlier in before(turn["vertex"]):
                        self.assertLessEqual(ends.get(earlier, 0), turn["start"] + 1e-9)
            self.assertLessEqual(max(ends.values(), default=0), schedule["makespan"] + 1e-9)
        self.assertLessEqual(schedule["lower_bound"], schedule["makespan"] + 1e-9)
        self.assertLessEqual(schedule["makespan"], schedule["total"] + 1e-9)

    def assert_consistent(self, plan):
        for field in FIELDS:
            self.assertIn(field, plan)
        parents = self.assert_tree(plan)
        self.assert_arrays(plan, parents)
        self.assert_loops(plan)
        self.assert_schedule(plan, parents)
        if plan["objective"] == "mccst":
            self.assertAlmostEqual(plan["cost"], plan["length"] + plan["beta"] * plan["weight"], 9)
        self.assertLessEqual(plan["lower_bound"], plan["cost"])
        if plan["optimal"]:
            self.assertEqual(plan["gap"], 0)
        else:
            self.assertAlmostEqual(plan["gap"], plan["cost"] / plan["lower_bound"] - 1, 12)

    def test_of_every_graph_and_method(self):
        for name in sorted(os.listdir(GRAPHS)):
            if name == "liu1999_trace.json":
                continue
            for method in "auto exact search a1 a2 a3 exchange dfs bfs prim kruskal".split():
                with self.subTest(name, method=method):
                    plan = plan_of(self, os.path.join(GRAPHS, name), "--method", method, "--beta", 0.7)
                    self.assert_consistent(plan)
                    self.assertEqual(plan["beta"], 0.7)
                    self.assertIn(plan["root"], plan["centres"])

    def test_of_our_models_with_every_weight_and_root(self):
        for name in OWN_MODELS:
            for options in ((), ("--weights", "wang"), ("--weights", "measured"), ("--root", "free")):
                with self.subTest(name, options=options):
                    plan = plan_of(self, os.path.join(MODELS, name + ".yaml"), *options)
                    self.assert_consistent(plan)
                    self.assertTrue(plan["optimal"], plan["proof"])
                    self.assertIsInstance(plan["equations"], int)
                    if "free" not in options:
                        self.assertEqual(plan["roots"][0], "ground")

    @unittest.skipUnless(os.path.isdir(COLLECTION), "the collection of real model files is not here")
    def test_of_real_robots(self):
        for file, loops in (
            ("menagerie/agility_cassie/cassie.xml", 4),
            ("gepetto/kangaroo_like_2legs/robot.urdf", 24),
            ("archirob/delta_robot.sdf", 5),
        ):
            with self.subTest(file):
                plan = plan_of(self, os.path.join(COLLECTION, file))
                self.assert_consistent(plan)
                self.assertEqual(len(plan["cut"]), loops)
                self.assertTrue(plan["optimal"], plan["proof"])

    def test_of_pieces_and_half_bodies(self):
        boxes = plan_of(self, os.path.join(MODELS, "boxes.yaml"))
        self.assert_consistent(boxes)
        self.assertGreater(len(boxes["roots"]), 1)
        whole = plan_of(self, GOVERNOR)
        joint = whole["cut"][0]
        halved = plan_of(self, GOVERNOR, "--cut-body", joint)
        self.assert_consistent(halved)
        self.assertNotIn(joint, halved["cut"])
        self.assertEqual([half["joint"] for half in halved["half_bodies"]], [joint])
        self.assertEqual(len(halved["cut"]), len(whole["cut"]) - 1)


class Answers(Folder):
    def test_governor_has_two_loops(self):
        plan = plan_of(self, GOVERNOR)
        self.assertEqual(len(plan["cut"]), 2)
        self.assertTrue(plan["optimal"])

    def test_figure_2a_and_its_variants(self):
        for name, method, cost in (
            ("", "a2", 202), ("", "a3", 196), ("", "exact", 196), ("", "auto", 196),
            ("_variantB", "exact", 196), ("_variantC", "exact", 199),
        ):
            with self.subTest(name, method=method):
                plan = plan_of(self, os.path.join(GRAPHS, f"liu1999_fig2a{name}.json"), "--method", method)
                self.assertEqual(plan["cost"], cost)
                self.assertIsNone(plan["equations"])

    def test_instances_are_proved_for_each_beta(self):
        for name in sorted(os.listdir(GRAPHS)):
            if not name.startswith("h"):
                continue
            file = os.path.join(GRAPHS, name)
            with open(file, encoding="utf-8") as text:
                exact = json.load(text)["exact"]
            for beta, record in exact["mccst"].items():
                with self.subTest(name, beta=beta):
                    plan = plan_of(self, file, "--beta", beta)
                    self.assertAlmostEqual(plan["cost"], record["cost"], 9)
                    self.assertTrue(plan["optimal"])
            plan = plan_of(self, file, "--front", "--objective", "scbmwst")
            self.assertEqual(plan["front"], exact["pareto_front"])
            self.assertTrue(plan["front_proved"])
            self.assertEqual(plan["weight"], exact["scbmwst"]["weight"])

    def test_trace_prints_the_run_of_the_paper(self):
        with open(os.path.join(GRAPHS, "liu1999_trace.json"), encoding="utf-8") as text:
            printed = json.load(text)["printed_A3"]
        answer = run("plan", FIG2A, "--method", "a3", "--trace")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        lines = [line.strip() for line in answer.stdout.splitlines()]
        self.assertEqual(lines[0], f"initial fc= {printed['initial_fc']}")
        stacks = [line for line in lines if line.startswith("STACK=")]
        self.assertEqual(stacks, ["STACK= " + " ".join(map(str, r["stack"])) for r in printed["rounds"]])
        for vertex, parent in enumerate(printed["final_predecessors"], 1):
            self.assertIn(f"{vertex} -> {parent}", lines)
        self.assertIn(f"Total Cost Function Reduction = {printed['reduction']}", lines)
        self.assertIn(f"Final fc = {printed['final_fc']}", lines)
        trace = plan_of(self, FIG2A, "--method", "a3", "--trace")["trace"]
        self.assertEqual([[int(v) for v in r["stack"]] for r in trace["rounds"]], [r["stack"] for r in printed["rounds"]])
        self.assertEqual((trace["start_cost"], trace["accumulated"], trace["cost"]), (224, 196, 196))

    def test_3sat_is_decided(self):
        file = self.path("hard.json")
        answers = set()
        for seed in range(1, 9):
            made = json.loads(run("generate", "3sat", 5, 22, "--seed", seed, "-o", file, "--json").stdout)
            limits = ("--max-weight", made["max_weight"], "--max-length", made["max_length"])
            plan = plan_of(self, file, "--objective", "bcbbwst", *limits)
            self.assertTrue(plan["optimal"])
            answers.add(plan["feasible"])
            if plan["feasible"]:
                self.assertLessEqual(plan["weight"], made["max_weight"])
                self.assertLessEqual(plan["length"], made["max_length"])
            text = run("plan", file, "--objective", "bcbbwst", *limits).stdout
            self.assertIn("yes: " if plan["feasible"] else "no: ", text)
        self.assertEqual(answers, {True, False})

    def test_sequential_counts_equations(self):
        plan = plan_of(self, os.path.join(MODELS, "stewart.yaml"), "--objective", "sequential")
        # Six spherical joints are cut but one: 6 U and 6 T and one S stay.
        self.assertEqual(plan["cost"], 6 * 2 + 6 * 1 + 3 + 5 * 3)
        self.assertEqual(plan["cost"], plan["equations"])
        self.assertEqual(plan["lower_bound"], plan["cost"])

    def test_root_by_name(self):
        with open(GOVERNOR, encoding="utf-8") as text:
            self.assertIn("spindle", text.read())
        self.assertEqual(plan_of(self, GOVERNOR, "--root", "spindle")["root"], "spindle")
        self.assertEqual(plan_of(self, GOVERNOR, "--root", "auto")["root"], "ground")
        self.assertEqual(plan_of(self, FIG2A, "--root", "7")["root"], "7")

    def test_pins_stay_and_cuts_go(self):
        free = plan_of(self, FIG2A)
        pinned = plan_of(self, FIG2A, "--pin", free["cut"][0], "--pin", free["cut"][3])
        self.assertFalse({free["cut"][0], free["cut"][3]} & set(pinned["cut"]))
        self.assertGreaterEqual(pinned["cost"], free["cost"])
        joint = free["tree"][5]["joint"]
        cut = plan_of(self, FIG2A, "--cut", joint)
        self.assertIn(joint, cut["cut"])
        self.assertGreaterEqual(cut["cost"], free["cost"])

    def test_the_model_may_follow_a_pin(self):
        first = run("plan", FIG2A, "--pin", "e1", "--json")
        last = run("plan", "--pin", "e1", FIG2A, "--json")
        self.assertEqual(last.returncode, 0, last.stderr)
        strip = lambda answer: {k: v for k, v in json.loads(answer.stdout).items() if k != "seconds"}
        self.assertEqual(strip(first), strip(last))

    def test_the_same_plan_comes_twice(self):
        strip = lambda plan: {k: v for k, v in plan.items() if k != "seconds"}
        for method in ("auto", "exact", "search"):
            first, again = (strip(plan_of(self, FIG2A, "--method", method, "--beta", 0.3)) for _ in range(2))
            self.assertEqual(first, again)

    def test_another_seed_keeps_the_promises(self):
        for seed in (1, 2, 3):
            plan = plan_of(self, FIG2A, "--method", "search", "--seed", seed)
            self.assertLessEqual(plan["lower_bound"], 196)
            self.assertGreaterEqual(plan["cost"], 196)

    def test_time_limit_that_strikes_leaves_an_honest_gap(self):
        edges = [[v, (v * 7) % (v - 1) + 1 if v > 2 else 1, v * 13 % 10 + 1, v * 29 % 17 + 1] for v in range(2, 201)]
        edges += [[v * 31 % 200 + 1, v * 57 % 199 + 1, v * 17 % 10 + 1, v * 5 % 13 + 1] for v in range(1, 230)]
        edges = [edge for edge in edges if edge[0] != edge[1]]
        file = self.graph(200, edges)
        plan = plan_of(self, file, "--method", "exact", "--beta", 0.1, "--time-limit", 0.2)
        self.assertEqual(len(plan["tree"]), 199)
        if not plan["optimal"]:
            self.assertGreater(plan["gap"], 0)
            self.assertIn("not proved", plan["proof"])
            self.assertIn("% above the optimum", run("plan", file, "--method", "a2", "--beta", 0.1).stdout)


class Text(Folder):
    def text(self, *arguments):
        answer = run("plan", *arguments)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        return answer.stdout

    def test_says_cost_proof_root_cut_and_next(self):
        text = self.text(GOVERNOR)
        for words in ("cost", "optimal, proved", "root      ground", "cut", "critical", "equations", "Next: espalier plan"):
            self.assertIn(words, text)

    def test_explains_each_cut(self):
        text = self.text(FIG2A, "--explain")
        plan = plan_of(self, FIG2A, "--explain")
        self.assertEqual([cut["joint"] for cut in plan["explanation"]], plan["cut"])
        for cut, loop in zip(plan["explanation"], plan["loops"]):
            self.assertEqual(cut["loop"], loop)
            self.assertIn(f"  {cut['joint']}: {cut['reason'].split()[0]}", text)
            self.assertTrue(all(other["cost"] >= -1e-9 for other in cut["instead"]))
            self.assertEqual([other["joint"] for other in cut["instead"]], loop[1:])

    def test_compares_all_methods(self):
        text = self.text(FIG2A, "--compare")
        for words in ("breadth first", "depth first", "A2: from A1, nearest first     202   3.06", "from Kruskal, centre out"):
            self.assertIn(words, text)

    def test_front_and_matrices(self):
        text = self.text(FIG2A, "--front", "--matrices")
        for words in ("The front", "(proved)", "Incidence matrix", "Path matrix", "adjacency", "Edge array"):
            self.assertIn(words, text)
        document = plan_of(self, FIG2A, "--matrices")
        plan = document["matrices"]
        # The arrays of [Wang97] as the document has them, and the same adjacency without weights.
        numbers = [" ".join(map(str, document[key])) for key in ("pr", "cut_array")]
        said = " ".join(text.split())
        self.assertIn(f"Array PR of [Wang97]: by vertex, its parent; 0 for a root {numbers[0]} Array CUT", said)
        self.assertIn(f"1 where it is cut {numbers[1]} Incidence", said)
        self.assertIn("Adjacency matrix: 1 where an edge joins the two", text)
        weights, plain = plan["adjacency"], plan["plain_adjacency"]
        self.assertEqual(sum(map(sum, plain)), 2 * 32)
        for v, row in enumerate(plain):
            self.assertEqual(row, [int(w != v and weights[v][w] > 0) for w in range(20)])
        self.assertEqual((len(plan["incidence"]), len(plan["incidence"][0])), (20, 32))
        self.assertTrue(all(sum(column) == 2 for column in zip(*plan["incidence"])))

    def test_a_narrow_terminal_is_enough(self):
        for arguments in ((), ("--explain",)):
            answer = run("plan", os.path.join(MODELS, "strandbeest.yaml"), *arguments, env={**os.environ, "COLUMNS": "60"})
            self.assertLessEqual(max(map(len, answer.stdout.splitlines()[:-1])), 60)

    def test_files_are_written_and_read_back(self):
        svg, page, out = self.path("p.svg"), self.path("p.html"), self.path("p.json")
        text = self.text(GOVERNOR, "--picture", svg, "-o", out)
        self.assertIn(f"Wrote {out}\nWrote {svg}\n", text)
        self.text(GOVERNOR, "--page", page)
        root = xml.etree.ElementTree.parse(svg).getroot()
        self.assertTrue(root.tag.endswith("svg"))
        names = "".join(root.itertext())
        with open(out, encoding="utf-8") as file:
            plan = json.load(file)
        for joint in plan["cut"]:
            self.assertIn(joint, names)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assert_balanced(text)
        # The spelling of before writes the same page, and says how it is spelt now.
        old = run("plan", GOVERNOR, "--picture", page)
        self.assertEqual(old.returncode, 0)
        self.assertIn("--page " + page, old.stderr)
        with open(page, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("<!DOCTYPE html>"))

    def assert_balanced(self, text):
        empty = {"meta", "link", "br", "img", "input", "hr", "col"}
        stack = []

        class Parser(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                if tag not in empty:
                    stack.append(tag)

            def handle_endtag(self, tag):
                if tag not in empty:
                    if not stack or stack.pop() != tag:
                        raise AssertionError(f"</{tag}> closes nothing")

        parser = Parser()
        parser.feed(text)
        parser.close()
        self.assertEqual(stack, [])
        self.assertTrue(text.lstrip().lower().startswith("<!doctype html>"))


class Refused(Folder):
    """Exit code 2, nothing on standard output, one line that names the value and the way out."""

    def assert_refused(self, words, *arguments):
        answer = super().assert_refused(words, *arguments)
        self.assertTrue(answer.stderr.startswith("espalier: "), answer.stderr)
        self.assertLess(len(answer.stderr), 500)

    def test_options_that_make_no_sense(self):
        for options, *words in (
            (["--objective", "time", "--machine", "nowhere.json"], "nowhere.json"),
            (["--calibrate"], "--calibrate measures the machine", "takes no model"),
            (["--objective", "mcst"], "--objective 'mcst' is unknown", "did you mean 'mccst'?"),
            (["--method", "exat"], "--method 'exat' is unknown", "did you mean 'exact'?"),
            (["--method", "A2"], "--method 'A2' is unknown", "a2"),
            (["--weights", "lui"], "--weights 'lui' is unknown", "did you mean 'liu'?"),
            (["--weights", "file"], "--weights file: no joint of the model has a weight or length", "liu, wang or measured"),
            (["--root", "spindel"], "--root: no body is called 'spindel'", "did you mean 'spindle'?"),
            (["--root", "nothing_like_it"], "--root: no body is called 'nothing_like_it'; there are 'ground', 'spindle'"),
            (["--pin", "nothing_like_it"], "--pin: no joint is called 'nothing_like_it'; there are '"),
            (["--cut", "nothing_like_it"], "--cut: no joint is called 'nothing_like_it'"),
            (["--cut-body", "nothing_like_it"], "--cut-body: no joint is called 'nothing_like_it'"),
            (["--beta", "0"], "--beta is 0", "positive"),
            (["--beta", "-1"], "--beta is -1", "positive"),
            (["--beta", "nan"], "--beta is nan", "positive"),
            (["--beta", "inf"], "--beta is inf", "positive"),
            (["--beta", "1e99"], "--beta is 1e+99", "at most 1e+12"),
            (["--exponent", "5"], "--exponent is 5", "between 2 and 3"),
            (["--exponent", "nan"], "--exponent is nan", "between 2 and 3"),
            (["--time-limit", "-1"], "--time-limit is -1", "seconds"),
            (["--time-limit", "inf"], "--time-limit is inf", "seconds"),
            (["--workers", "0"], "--workers is 0", "at least 1"),
            (["--workers", "-3"], "--workers is -3", "at least 1"),
            (["--trace"], "method auto makes no exchanges to trace", "a2, a3 or exchange"),
            (["--trace", "--method", "exact"], "method exact makes no exchanges to trace", "a2, a3 or exchange"),
            (["--start", "scbst", "--method", "a2"], "--start and --sweep belong to --method exchange"),
            (["--sweep", "sideways"], "--sweep 'sideways' is unknown", "near, far, centre-out"),
            (["--start", "mst"], "--start 'mst' is unknown", "did you mean 'mwst'?"),
            (["--objective", "bcbmwst"], "--objective bcbmwst needs --max-length"),
            (["--objective", "bwscbst"], "--objective bwscbst needs --max-weight"),
            (["--objective", "bcbbwst", "--max-length", "3"], "--objective bcbbwst needs --max-weight"),
            (["--max-length", "3"], "--objective mccst has no use for --max-length", "leave it out"),
            (["--objective", "mwst", "--max-weight", "3"], "--objective mwst has no use for --max-weight"),
            (["--objective", "bcbmwst", "--max-length", "0"], "--max-length is 0", "positive"),
            (["--objective", "bcbmwst", "--max-length", "nan"], "--max-length is nan", "positive"),
            (["--objective", "bcbmwst", "--max-length", "1"], "no tree has a critical branch of 1 or less", "raise --max-length"),
            (["--objective", "bwscbst", "--max-weight", "1"], "no tree weighs 1 or less", "raise --max-weight"),
            (["-o", GOVERNOR + "/plan.json"], "governor.yaml/plan.json"),
            (["--picture", GOVERNOR + "/plan.svg"], "governor.yaml/plan.svg"),
            (["-o", "/dev/full"], "No space left"),
        ):
            with self.subTest(options):
                self.assert_refused(words, GOVERNOR, *options)

    def test_wishes_that_contradict_each_other(self):
        square = self.graph(4, [[1, 2, 1], [2, 3, 1], [3, 4, 1], [4, 1, 1]])
        for options, *words in (
            (["--pin", "e1", "--cut", "e1"], "--pin and --cut both name 'e1'", "leave one of them out"),
            (["--cut-body", "e2", "--pin", "e2"], "--pin and --cut-body both name 'e2'"),
            (["--pin", "e1", "--pin", "e2", "--pin", "e3", "--pin", "e4"], "--pin keeps a whole loop", "pin one less"),
            (["--cut", "e1", "--cut", "e2"], "the forced cuts separate '2' from", "leave one of them out"),
            (["--cut", "e9"], "--cut: no edge is called 'e9'; they are called e1 to e4"),
            (["--root", "5"], "--root: no vertex is called '5'; they are called 1 to 4"),
            (["--weights", "liu"], "--weights liu is for mechanisms"),
            (["--objective", "sequential"], "--objective sequential counts equations", "use mwst"),
            (["--objective", "time"], "--objective time counts equations", "no joint types"),
            (["--method", "dfs", "--pin", "e4"], "method dfs knows no pins and cuts 'e4'"),
            (["--base", "fixed"], "--base is for URDF; this is a plain graph"),
        ):
            with self.subTest(options):
                self.assert_refused(words, square, *options)

    def test_fixed_joints_are_no_choice(self):
        model = self.file("welded.yaml", """espalier: 1
bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]
joints:
  - {name: hinge, type: revolute, between: [ground, a], at: {position: [0, 0, 0]}}
  - {name: weld, type: fixed, between: [a, b], at: {position: [0, 0, 0]}}
""")
        for option in ("--pin", "--cut", "--cut-body"):
            self.assert_refused([f"{option} 'weld'", "welded before planning"], model, option, "weld")
        self.assertEqual(plan_of(self, model, "--root", "b")["root"], "a")

    def test_graphs_that_cannot_be_planned(self):
        for name, text, *words in (
            ("too few edges", '{"vertices": 4, "edges": [[1, 2, 1], [3, 4, 1]]}', "not connected", "at least 3 edges"),
            ("two parts", '{"vertices": 4, "edges": [[1, 2, 1], [3, 4, 1], [4, 3, 1]]}', "no way leads from vertex 1 to vertex 3"),
            ("two parts with joints", '{"vertices": 4, "edges": [[1, 2, 1], [3, 4, 1], [4, 3, 1]], "joints": ["R", "R", "R"]}',
             "no way leads from vertex 1 to vertex 3"),
            ("zero", '{"vertices": 2, "edges": [[1, 2, 0]]}', "positive"),
            ("negative", '{"vertices": 2, "edges": [[1, 2, 1, -2]]}', "positive"),
            ("huge", '{"vertices": 2, "edges": [[1, 2, 1e300]]}', "at most 1000000000000"),
            ("nan", '{"vertices": 2, "edges": [[1, 2, NaN]]}', "graph.json"),
            ("no vertices", '{"vertices": 0, "edges": []}', "graph.json"),
            ("beyond", '{"vertices": 2, "edges": [[1, 3, 1]]}', "3"),
            ("self loop", '{"vertices": 2, "edges": [[1, 2, 1], [2, 2, 1]]}', "itself"),
        ):
            with self.subTest(name):
                self.assert_refused(words, self.file("graph.json", text))

    def test_json_carries_the_error(self):
        answer = run("plan", GOVERNOR, "--beta", "0", "--json")
        self.assertEqual(answer.returncode, 2)
        self.assertIn("--beta is 0", json.loads(answer.stdout)["error"]["message"])

    def test_unknown_options(self):
        for options in (["--bogus"], ["--beta", "x"], ["--beta"], ["extra.yaml"]):
            answer = run("plan", GOVERNOR, *options)
            self.assertEqual(answer.returncode, 2, options)
            self.assertEqual(answer.stdout, "")
        self.assertEqual(run("plan").returncode, 2)


class Time(Folder):
    """The objective that predicts the solver, and the file of a machine."""

    def setUp(self):
        super().setUp()
        # What the user of this machine has measured is no part of a test.
        self.environment = dict(os.environ, XDG_CONFIG_HOME=self.folder)

    def run_here(self, *arguments):
        answer = run("plan", *arguments, env=self.environment)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer.stdout

    def plan(self, *arguments):
        return json.loads(self.run_here(*arguments, "--objective", "time", "--json"))

    def test_small_mechanisms_are_proved(self):
        for name in ("four_bar", "governor", "slider_crank"):
            with self.subTest(name):
                plan = self.plan(os.path.join(MODELS, name + ".yaml"))
                self.assertEqual(plan["objective"], "time")
                self.assertTrue(plan["optimal"], plan["proof"])
                self.assertEqual(plan["gap"], 0)
                self.assertGreater(plan["cost"], 0)
                self.assertLess(plan["cost"], 1e-3)
                self.assertIsNone(plan["machine"])
                self.assertEqual(plan["time_workers"], 1)

    def test_large_ones_say_how_far_they_can_be(self):
        plan = self.plan(os.path.join(MODELS, "strandbeest.yaml"))
        self.assertFalse(plan["optimal"])
        self.assertLess(plan["lower_bound"], plan["cost"])
        self.assertAlmostEqual(plan["gap"], plan["cost"] / plan["lower_bound"] - 1, places=9)
        self.assertEqual(plan["root"], "ground")
        # All loops of its legs pass the crank: without what they do to each other there the bound was a third of this.
        self.assertLess(plan["gap"], 0.06)
        self.assertEqual(plan["prediction_spread"], {"typical": 0.15, "largest": 0.37})
        text = " ".join(self.run_here(os.path.join(MODELS, "strandbeest.yaml"), "--objective", "time").split())
        self.assertRegex(text, r"at most \d\.\d* % above the optimum \(no tree costs less than \d+\.\d* us\)")
        self.assertIn("predicted times are 15 % off, 37 % at most on the trees that were timed", text)

    def test_workers_are_one_unless_given(self):
        model = os.path.join(MODELS, "strandbeest.yaml")
        one = self.plan(model)
        eight = self.plan(model, "--workers", 8)
        self.assertEqual(eight["time_workers"], 8)
        self.assertLess(eight["cost"], one["cost"])
        self.assertEqual(one["schedule"]["workers"], 4)

    def test_compares_all_methods_by_time(self):
        plan = self.plan(os.path.join(MODELS, "strandbeest.yaml"), "--compare")
        costs = {method["name"]: method["cost"] for method in plan["comparison"]["methods"]}
        self.assertEqual(min(costs.values()), costs["auto"])
        self.assertAlmostEqual(costs["auto"], plan["cost"], delta=1e-12 * plan["cost"])
        self.assertGreater(costs["depth first"], costs["auto"])

    def test_text_names_time_and_machine(self):
        text = self.run_here(GOVERNOR, "--objective", "time", "--explain")
        self.assertIn("us predicted for one evaluation", text)
        self.assertIn("1 worker, constants built in", text)
        self.assertIn("optimal, proved", text)

    def test_calibrate_writes_what_a_plan_reads(self):
        found = json.loads(self.run_here("--calibrate", "--json"))
        file = os.path.join(self.folder, "espalier", "machine.json")
        self.assertEqual(found["file"], file)
        with open(file, encoding="utf-8") as written:
            self.assertEqual(json.load(written), found["machine"])
        self.assertTrue(all(seconds >= 0 for seconds in found["machine"].values()))
        plan = self.plan(GOVERNOR)
        self.assertEqual(plan["machine"], file)
        errors = {"typical": found["typical_error"], "largest": found["largest_error"]}
        self.assertEqual(plan["prediction_spread"], errors)
        # beta = 2 b / a, and more where loops stay open.
        beta = found["beta"]
        self.assertAlmostEqual(beta["value"], 2 * beta["equation_seconds"] / beta["level_seconds"])
        self.assertTrue(0 <= beta["least"] <= beta["value"] <= beta["most"], beta)
        # Twice as slow a machine takes twice as long on the same tree.
        slow = {name: 2 * seconds for name, seconds in found["machine"].items()}
        other = self.file("slow.json", json.dumps(slow))
        again = self.plan(GOVERNOR, "--machine", other)
        self.assertEqual(again["machine"], other)
        self.assertEqual(again["cut"], plan["cut"])
        self.assertAlmostEqual(again["cost"], 2 * plan["cost"], delta=1e-12 * plan["cost"])

    def test_a_broken_machine_file_is_refused(self):
        answer = run("plan", GOVERNOR, "--objective", "time", "--machine", self.file("bad.json", '{"joint": -1}'))
        self.assertEqual(answer.returncode, 2)
        self.assertIn("bad.json: 'joint' is -1", answer.stderr)
        # No other objective looks at it.
        self.assertEqual(run("plan", GOVERNOR, "--machine", self.path("bad.json")).returncode, 0)


if __name__ == "__main__":
    unittest.main()
