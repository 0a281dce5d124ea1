"""Files and options that ask for more than a machine has, or for what only their author wants. Each is refused with its
place and the bound, before it takes memory; nothing in it reaches a terminal, a shell or another file.

usage: hostile_input_test.py PROGRAM SOURCE_FOLDER
"""

import json
import os
import re
import resource
import subprocess
import sys
import unittest
import xml.dom.minidom

from folder import Folder

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
FOUR_BAR = os.path.join(SOURCE, "models/four_bar.yaml")
BOXES = os.path.join(SOURCE, "models/boxes.yaml")
BEAM = os.path.join(SOURCE, "models/stepped_beam.yaml")

BODY = "espalier: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
SCENE = """espalier: 1
bodies:
  - {name: ball, mass: 1, inertia: [1, 1, 1], pose: {position: [0, 0, 2]}, shapes: [{sphere: {radius: 0.1}}]}
  - {name: wall, kind: obstacle, shapes: [SHAPE]}
contact: {engine: on}
"""
MASS = """espalier: 1
gravity: [0, 0, 0]
active: [x]
bodies: [{name: first, mass: 2, inertia: [1, 1, 1]}]
joints: [{name: spring, type: prismatic, between: [ground, first], at: {axis: [1, 0, 0]}, stiffness: [200]}]
tune: {vary: {k: {path: joints.spring.stiffness.0, range: [10, 1000]}}, goals: [{near: [1]}], population: 8, generations: 2}
"""
MOST_BYTES = 500 * 2**20
NET_BYTES = 6 * 2**30  # where a bound is missing, the test fails and not the machine
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def is_sanitized():
    with open(PROGRAM, "rb") as file:
        return b"__asan_init" in file.read()


SANITIZED = is_sanitized()


class Hostile(Folder):
    program = PROGRAM

    def run_verb(self, *arguments, **options):
        """As the base class, with the largest memory of the program in `peak`."""
        command = [self.program, *arguments]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder, preexec_fn=self.limit, **options
        ) as process:
            out, err = process.communicate(timeout=120)
            answer = subprocess.CompletedProcess(command, process.returncode)
        answer.stdout = out.decode("utf-8", "surrogateescape")
        answer.stderr = err.decode("utf-8", "surrogateescape")
        return answer

    @staticmethod
    def limit():
        if not SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (NET_BYTES, NET_BYTES))

    def assert_refused(self, words, *arguments):
        answer = self.peak_of(*arguments)
        self.assertEqual(answer.returncode, 2, answer.stdout + answer.stderr)
        self.assertEqual(answer.stderr.count("\n"), 1, answer.stderr)
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, answer.stderr)
        if not SANITIZED:
            self.assertLess(answer.peak, MOST_BYTES)

    def peak_of(self, *arguments):
        """Runs the program under a shell of its own kind: the memory is that of this one run."""
        measure = (
            "import resource, subprocess, sys\n"
            "code = subprocess.run(sys.argv[1:], timeout=120).returncode\n"
            "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, file=open('peak', 'w'))\n"
        )
        answer = subprocess.run(
            [sys.executable, "-c", measure, PROGRAM, *arguments],
            capture_output=True,
            cwd=self.folder,
            preexec_fn=self.limit,
            timeout=150,
            check=True,
        )
        code, peak = map(int, self.read("peak").split())
        result = subprocess.CompletedProcess(arguments, code)
        result.stdout = answer.stdout.decode("utf-8", "surrogateescape")
        result.stderr = answer.stderr.decode("utf-8", "surrogateescape")
        result.peak = peak
        return result


class Files(Hostile):
    def test_aliases_of_long_texts(self):
        text = "espalier: 1\na: &a " + "x" * 30000 + "\nb: [" + ", ".join(["*a"] * 60000) + "]\n"
        self.assert_refused(["m.yaml:3", "100 MiB"], "check", self.file("m.yaml", text))

    def test_nested_anchors(self):
        text = "espalier: 1\na: " + "".join(f"&a{k} [" for k in range(50)) + "1" + ",1" * 500000 + "]" * 50 + "\n"
        self.assert_refused(["m.yaml:2", "100 MiB"], "check", self.file("m.yaml", text))

    def test_attributes_of_one_element(self):
        for name, root in (("a.urdf", "robot"), ("a.sdf", "sdf"), ("a.xml", "mujoco")):
            text = f"<{root}>\n<x " + " ".join(f'a{k}="1"' for k in range(100000)) + f"/></{root}>"
            self.assert_refused([f"{name}:2", "1000 attributes"], "check", self.file(name, text))

    def test_numbers_that_overflow(self):
        self.assert_refused("1e50 m", "check", os.path.join(SOURCE, "tests/hostile/overflow.xml"))
        for field in (
            "pose: {position: [1e308, 0, 0]}",
            "com: [0, -1e308, 0]",
            "mass: 1e308",
            "inertia: [1e308, 1e308, 1e308]",
        ):
            key = field.split(":")[0]
            rest = {"mass": "mass: 1", "inertia": "inertia: [1, 1, 1]"}
            others = ", ".join(text for name, text in rest.items() if name != key)
            self.assert_refused(
                ["m.yaml:2", "at most 1e300" if key in rest else "1e50"],
                "check",
                self.file("m.yaml", f"espalier: 1\nbodies: [{{name: a, {field}, {others}}}]\n"),
            )

    def test_machine_constants(self):
        for verb in ("plan", "simulate"):
            for name in ("machine.json", "machine_one_row.json"):
                file = os.path.join(SOURCE, "tests/hostile", name)
                os.makedirs(self.path("config/espalier"), exist_ok=True)
                with open(file, encoding="utf-8") as text:
                    self.file("config/espalier/machine.json", text.read())
                os.environ["XDG_CONFIG_HOME"] = self.path("config")
                self.addCleanup(os.environ.pop, "XDG_CONFIG_HOME", None)
                arguments = ("--objective", "time") if verb == "plan" else ("--no-files",)
                self.assert_refused(["machine.json", "1e+308", "from 0 to 1000"], verb, FOUR_BAR, *arguments)
        self.assert_refused(
            ["deep.json", "64 levels"],
            "plan",
            FOUR_BAR,
            "--objective",
            "time",
            "--machine",
            self.file("deep.json", '{"joint": ' + "[" * 100000 + "]" * 100000 + "}"),
        )

    def refuse_shape(self, shape, *words):
        file = self.file("scene.yaml", SCENE.replace("SHAPE", shape))
        self.assert_refused(words, "simulate", file, "--no-files", "-t", "0.01")

    def test_meshes(self):
        os.mkfifo(self.path("pipe.stl"))
        self.refuse_shape("{mesh: {file: pipe.stl}}", "scene.yaml:4", "pipe.stl")
        with open(self.path("huge.stl"), "wb") as file:
            file.truncate(2**30)
        self.refuse_shape("{mesh: {file: huge.stl}}", "huge.stl", "128 MiB")
        self.file("line.obj", "f" + " 1" * 10**6 + "\n")
        self.refuse_shape("{mesh: {file: line.obj}}", "line.obj:1", "1 MiB")
        self.file("fan.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + ("f" + " 1 2 3" * 1000 + "\n") * 700)
        self.refuse_shape("{mesh: {file: fan.obj}}", "fan.obj", "2000000 triangles")

    def test_hulls(self):
        points = ", ".join(f"[{k % 97}, {k % 89}, {k % 83}]" for k in range(20000))
        self.refuse_shape(f"{{hull: {{points: [{points}]}}}}", "scene.yaml:4", "20000 points", "4096")

    def test_axes_of_any_size(self):
        model = BODY + "joints: [{name: j, type: revolute, between: [ground, a], at: {axis: AXIS}}]\n"
        written = [
            self.run_verb("convert", self.file("m.yaml", model.replace("AXIS", axis)), "--to", "native").stdout
            for axis in ("[1e308, 1e308, 0]", "[1, 1, 0]", "[1e-11, 1e-11, 0]")
        ]
        self.assertIn("rotation", written[0])
        self.assertEqual(written[0], written[1])
        self.assertEqual(written[2], written[1])

    def test_places_in_lists(self):
        model = self.file("m.yaml", MASS)
        for place in (2**64, 2**64 - 1, 1, 10**30):
            study = MASS.split("tune: ")[1].replace("stiffness.0", f"stiffness.{place}")
            self.assert_refused(
                [str(place)[:20], "nothing is called"], "tune", model, "--study", self.file("s.yaml", study)
            )
            self.assert_refused(
                "nothing is called", "simulate", model, "--vary", f"joints.spring.stiffness.{place}=1,2"
            )
        stars = MASS.split("tune: ")[1].replace("joints.spring", "joints." + "*a" * 40 + "*b")
        self.assert_refused(
            "nothing fits",
            "tune",
            self.file("m.yaml", MASS.replace("spring", "a" * 200)),
            "--study",
            self.file("s.yaml", stars),
        )

    def test_what_is_no_number_stays_none(self):
        for law in ("min(0, sqrt(-1))", "max(sqrt(-1), 0)", "max(0, 0/0)", "step(0/0)", "sign(sqrt(-1))"):
            model = (
                BODY + "joints: [{name: j, type: revolute, between: [ground, a], at: {position: [0, 0, 0]}}]\n"
                f"forces: [{{torque: {{joint: j, value: '{law}'}}}}]\n"
            )
            answer = self.run_verb("simulate", self.file("m.yaml", model), "--no-files", "-t", "0.1")
            self.assertEqual(answer.returncode, 1, law + answer.stdout + answer.stderr)


class Options(Hostile):
    def test_numbers_without_an_end(self):
        self.assert_refused(["--threads is 100000", "1024"], "simulate", FOUR_BAR, "--threads", "100000", "--no-files")
        for engine in (FOUR_BAR, BOXES):
            self.assert_refused(
                ["--output-step is 1e-300", "frames"], "simulate", engine, "--output-step", "1e-300", "--no-files"
            )
        self.assert_refused(
            ["--step is 1e-300", "steps"],
            "simulate",
            FOUR_BAR,
            "--integrator",
            "fixed",
            "--step",
            "1e-300",
            "--no-files",
        )
        self.assert_refused(["--step is 1e+300", "ends at 1 s"], "simulate", BOXES, "--step", "1e300", "--no-files")
        self.assert_refused(["--step is 1e-300", "steps"], "simulate", BOXES, "--step", "1e-300", "--no-files")
        self.assert_refused(["--count is 1000000000", "100000"], "modes", BEAM, "--count", "1000000000")
        model = self.file("m.yaml", MASS)
        self.assert_refused(["--population is 1000000000", "100000"], "tune", model, "--population", "1000000000")
        self.assert_refused(["--threads", "100000", "1024"], "tune", model, "--threads", "100000")
        study = MASS.split("tune: ")[1]
        for key, value in (
            ("population: 8", "population: 1000000000"),
            ("near: [1]", "minimise: {frequency: 1000000000}"),
        ):
            self.assert_refused(
                ["s.yaml:1", "1000000000", "100000"],
                "tune",
                model,
                "--study",
                self.file("s.yaml", study.replace(key, value)),
            )
        self.assert_refused("--vary", "simulate", FOUR_BAR, "--vary", "bodies.crank.mass=1:2:100000000")

    def test_paths_that_are_no_text(self):
        name = os.path.join(os.fsencode(self.folder), b"run \xff\xfe")
        answer = self.run_verb("tune", os.fsencode(self.file("m.yaml", MASS)), "-o", name, "--json")
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        json.loads(answer.stdout)
        answer = self.run_verb("demo", "-o", name + b"demo", "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        json.loads(answer.stdout)


class Output(Hostile):
    ESCAPE = "\x1b]0;owned\x07\x1b[2J\u009b31m\u202e"

    def assert_clean(self, *arguments):
        answer = self.run_verb(*arguments)
        for text in (answer.stdout, answer.stderr):
            self.assertIsNone(CONTROLS.search(text), (arguments, text))
        return answer

    def test_nothing_reaches_the_terminal_raw(self):
        quoted = json.dumps(self.ESCAPE)
        model = self.file(
            "m.yaml",
            BODY.replace("espalier: 1", f"espalier: 1\nname: {quoted}")
            + f'joints: [{{name: "j\\u009b2J", type: revolute, between: [ground, a], at: {{position: [0, 0, 0]}}}}]\nkeyframes: [{{name: {quoted}}}]\n'
            + f"forces: [{{name: {quoted}, torque: {{joint: \"j\\u009b2J\", value: '0'}}}}]\n",
        )
        for verb in ("check", "plan", "simulate", "convert"):
            extra = (
                ("--no-files", "-t", "0.01")
                if verb == "simulate"
                else ("-o", self.path("out.urdf"))
                if verb == "convert"
                else ()
            )
            self.assert_clean(verb, model, *extra)
            self.assert_clean(verb, model, *extra, "--json")
        self.assert_clean("check", self.file(f"x{self.ESCAPE}.yaml", "nothing"))
        self.assert_clean("check", "\x1b[2J")
        self.assert_clean("check", FOUR_BAR, "--\x1b[2J")
        self.assert_clean("\x1b[2J")
        for root in ("robot", "sdf", "mujoco"):
            self.assert_clean("check", self.file("m.xml", f"<{root} name='\u009b31m'><\u009b31m/></{root}>"))
        graph = self.file("g.json", json.dumps({"edges": [[self.ESCAPE, "b"], ["b", "c"]]}))
        self.assert_clean("plan", graph)

    def test_names_do_not_break_a_picture(self):
        model = (
            BODY.replace("name: a,", "name: 'a]]>b<c&d',")
            + "joints: [{name: 'j]]>', type: revolute, between: [ground, 'a]]>b<c&d'], at: {position: [0, 0, 0]}}]\n"
        )
        answer = self.run_verb("check", self.file("m.yaml", model), "--picture", self.path("p.svg"))
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertNotIn("]]>", self.read("p.svg"))
        self.assertIn(
            "a]]>b<c&d",
            xml.dom.minidom.parse(self.path("p.svg"))
            .documentElement.toxml()
            .replace("&gt;", ">")
            .replace("&lt;", "<")
            .replace("&amp;", "&"),
        )

    def test_next_lines_are_shell_words(self):
        name = "it's a $(touch owned) ; name"
        answer = self.run_verb("generate", "four_bar", "-o", name + ".yaml")
        self.follow(answer.stdout, "Next: ")
        answer = self.run_verb("simulate", name + ".yaml", "-o", name, "-t", "0.02")
        self.follow(answer.stdout, "Next: ")
        answer = self.run_verb("plan", name + ".yaml")
        self.follow(answer.stdout, "Next: ")
        self.file("m.yaml", MASS)
        answer = self.run_verb("tune", "m.yaml", "-o", name + " tuned")
        self.follow(answer.stdout, "Next: ")
        self.assertFalse(os.path.exists(self.path("owned")))

    def follow(self, text, head):
        lines = [line[len(head) :] for line in text.splitlines() if line.startswith(head)]
        self.assertEqual(len(lines), 1, text)
        self.assertTrue(lines[0].startswith("espalier "), text)
        shell = f'espalier() {{ {PROGRAM} "$@"; }}\n{lines[0]}\n'
        answer = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, cwd=self.folder, timeout=120)
        self.assertEqual(answer.returncode, 0, lines[0] + answer.stderr)


class Program(unittest.TestCase):
    def test_libraries_come_from_no_folder_of_the_user(self):
        text = subprocess.run(["readelf", "-d", PROGRAM], capture_output=True, text=True, check=True).stdout
        for path in re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", text):
            for folder in path.split(":"):
                self.assertTrue(folder.startswith("/"), path)


if __name__ == "__main__":
    unittest.main(verbosity=1)
