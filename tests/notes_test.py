"""What a file says and a model cannot hold reaches every verb, and nothing that changes an answer passes in silence.

usage: notes_test.py PROGRAM SOURCE_FOLDER
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from folder import Folder

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
TRIALS = os.path.join(SOURCE, "tests", "trials")
NOTES = os.path.join(TRIALS, "notes.xml")
REPLICATE = os.path.join(TRIALS, "replicate.xml")
WORDS = ["fluid", "gravcomp", "springdamper", "tendon", "actuator"]


def run(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, cwd=cwd)


def accept(*words):
    return [part for word in words for part in ("--accept", word)]


def mjcf(body="", after="", option=""):
    """A pendulum, and what a test puts into its body, behind the world or before it."""
    return (
        f'<mujoco>{option}<worldbody><body name="a" {body}><joint name="j" axis="0 1 0"/>'
        f'<geom type="box" size="0.5 0.1 0.1" pos="0.5 0 0"/></body></worldbody>{after}</mujoco>'
    )


def sdf(link="", model="", world=""):
    return (
        f'<sdf version="1.9"><world name="w">{world}<model name="m"><link name="a"><inertial><mass>1</mass>'
        f"<pose>1 0 0 0 0 0</pose><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>{link}</link>"
        f'<joint name="j" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz></axis>'
        f"</joint>{model}</model></world></sdf>"
    )


def urdf(inside=""):
    return (
        '<robot name="r"><link name="world"/><link name="a"><inertial><origin xyz="1 0 0"/><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        f'<joint name="j" type="continuous"><parent link="world"/><child link="a"/><axis xyz="0 1 0"/></joint>'
        f"{inside}</robot>"
    )


class Case(Folder):
    def says(self, answer, code, *words):
        text = " ".join((answer.stdout + answer.stderr).split())
        self.assertEqual(answer.returncode, code, text)
        for word in words:
            self.assertIn(word, text)


class Verbs(Case):
    def test_check_lists_every_word(self):
        self.says(run("check", NOTES, "--all"), 0, *[f"--accept {word}" for word in WORDS])
        notes = json.loads(run("check", NOTES, "--json").stdout)["notes"]
        self.assertEqual({n["word"] for n in notes if n["changes"] == "forces"}, set(WORDS))

    def test_simulate_refuses_what_changes_the_motion(self):
        said = run("simulate", NOTES, "-t", 0.1, "--no-files")
        self.says(said, 2, "notes.xml:2:", "changes the motion", *[f"--accept {word}" for word in WORDS])
        error = json.loads(run("simulate", NOTES, "--no-files", "--json").stdout)["error"]
        self.assertEqual((error["code"], error["line"]), ("unsupported", 2))

    def test_one_word_is_not_enough(self):
        self.says(
            run("simulate", NOTES, "--no-files", *accept("fluid", "tendon")), 2, "notes.xml:4:", "--accept gravcomp"
        )

    def test_what_is_accepted_is_said_and_kept_by_a_restart(self):
        folder = self.path("r")
        said = run("simulate", NOTES, "-t", 0.1, "-o", folder, *accept(*WORDS))
        self.says(said, 0, "accepted: fluid, gravcomp, springdamper, tendon, actuator", "line 2: density of <option>")
        with open(os.path.join(folder, "run.json")) as file:
            self.assertEqual(json.load(file)["model"]["accept"], WORDS)
        again = json.loads(run("simulate", "--restart", folder, "--end", 0.2, "--json").stdout)
        self.assertEqual(again["accepted"], WORDS)
        self.assertEqual({n["word"] for n in again["reader_notes"] if n["changes"] == "forces"}, set(WORDS))

    def test_many_runs_ask_and_tell_too(self):
        vary = ("--vary", "bodies.a.mass=1,2", "-t", 0.01)
        self.says(run("simulate", NOTES, *vary, cwd=self.folder), 2, "--accept gravcomp")
        folder = self.path("s")
        self.says(run("simulate", NOTES, *vary, "-o", folder, "--frames", *accept(*WORDS)), 0, "accepted: fluid")
        with open(os.path.join(folder, "runs", "000000", "run.json")) as file:
            self.assertEqual(json.load(file)["model"]["accept"], WORDS)

    def test_a_plan_needs_no_forces_but_tells(self):
        self.says(run("plan", NOTES), 0, "line 2: density of <option>: not read", "more notes of the reader")
        document = json.loads(run("plan", NOTES, "--json").stdout)
        self.assertEqual(document["accepted"], [])
        self.assertIn("tendon", [note["word"] for note in document["reader_notes"]])

    def test_modes_tune_and_convert_ask(self):
        self.says(run("modes", NOTES), 2, "notes.xml:2:", "changes the modes", "--accept gravcomp")
        self.says(run("modes", NOTES, "--vary", "bodies.a.mass=1,2"), 2, "changes the modes")
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as study:
            study.write("vary:\n  mass: {path: bodies.a.mass, range: [1, 2]}\ngoals:\n  - {near: [1.0]}\n")
            study.flush()
            self.says(run("tune", NOTES, "--study", study.name), 2, "changes the modes")
        self.says(run("convert", NOTES, "--to", "urdf"), 2, "changes the model that is written")
        self.says(run("convert", NOTES, "--to", "native", *accept(*WORDS)), 0, "accepted: fluid", "joints:")

    def test_contact_asks_for_what_touches(self):
        path = self.file("c.xml", mjcf(after='<contact><pair geom1="a" geom2="b"/></contact>'))
        self.says(run("simulate", path, "-t", 0.01, "--no-files"), 0, "<pair> in <contact>: not read")
        self.says(run("simulate", path, "--engine", "contact", "-t", 0.01, "--no-files"), 2, "--accept pair")
        self.says(
            run("simulate", path, "--engine", "contact", "-t", 0.01, "--no-files", *accept("pair")), 0, "accepted: pair"
        )


class Families(Case):
    """One element each that changes an answer, or that only looks like one."""

    def test_missing_bodies_and_ties_change_every_answer(self):
        self.says(run("plan", REPLICATE), 2, "replicate.xml:1:", "--accept replicate --accept equality")
        self.says(run("simulate", REPLICATE, "--no-files"), 2, "--accept replicate --accept equality")
        self.says(run("plan", REPLICATE, *accept("replicate", "equality")), 0, "accepted: replicate, equality")
        inside = '<mujoco><worldbody><body name="a"><joint/><geom size="1"/>{}</body></worldbody></mujoco>'
        for element in ("composite", "flexcomp", "attach", "replicate"):
            with self.subTest(element):
                path = self.file("m.xml", inside.format(f'<{element} type="cable"/>'))
                self.says(run("plan", path), 2, f"--accept {element}")
                self.says(run("convert", path, "--to", "sdf"), 2, f"--accept {element}")
        path = self.file("d.xml", mjcf(after="<deformable><flex/></deformable>"))
        self.says(run("plan", path), 2, "--accept deformable")

    def test_forces_that_are_not_read_are_refused(self):
        cases = {
            "tendon": mjcf(after='<tendon><fixed name="t" stiffness="1"><joint joint="j" coef="1"/></fixed></tendon>'),
            "fluid": mjcf(option='<option viscosity="1"/>'),
            "flag": mjcf(option='<option><flag limit="disable"/></option>'),
            "actuator": mjcf(after='<actuator><muscle joint="j"/></actuator>'),
            "gravity": sdf(link="<gravity>false</gravity>"),
            "velocity_decay": sdf(link="<velocity_decay><linear>0.1</linear></velocity_decay>"),
            "kinematic": sdf(link="<kinematic>true</kinematic>"),
            "linear_bushing_rpy": sdf(model="<drake:linear_bushing_rpy/>"),
            "force_element": urdf("<force_element><linear_spring_damper/></force_element>"),
        }
        for word, text in cases.items():
            with self.subTest(word):
                path = self.file("f.xml", text)
                self.says(run("simulate", path, "-t", 0.01, "--no-files"), 2, f"--accept {word}", "f.xml:1:")
                self.says(run("simulate", path, "-t", 0.01, "--no-files", *accept(word)), 0, f"accepted: {word}")
                self.says(run("plan", path), 0)

    def test_what_changes_nothing_needs_no_word(self):
        cases = [
            mjcf(body='gravcomp="0"'),
            mjcf(after='<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>'),
            mjcf(
                after='<actuator><motor joint="j"/><general joint="j"/></actuator><sensor><jointpos joint="j"/></sensor>'
            ),
            mjcf(option='<option wind="1 0 0"/>'),
            sdf(link="<kinematic>0</kinematic><velocity_decay><linear>0</linear></velocity_decay><sensor/>"),
            sdf(world="<light/><plugin/>"),
            urdf('<gazebo reference="a"><mu1>1</mu1></gazebo><ros2_control/>'),
        ]
        for text in cases:
            with self.subTest(text):
                self.says(run("simulate", self.file("n.xml", text), "-t", 0.01, "--no-files"), 0)


class Degrees(Case):
    def test_angles_and_limits_in_degrees_are_found(self):
        found = json.loads(run("check", os.path.join(TRIALS, "deg.urdf"), "--json").stdout)["findings"]
        told = [f for f in found if f["kind"] == "degrees"]
        self.assertEqual([f["line"] for f in told], [12])
        self.assertIn("[-35, 50] rad; if degrees are meant, write [-0.610865, 0.872665]", told[0]["message"])
        found = json.loads(run("check", os.path.join(TRIALS, "rpy.urdf"), "--json").stdout)["findings"]
        self.assertEqual([f["line"] for f in found if f["kind"] == "degrees"], [13])
        self.says(run("plan", os.path.join(TRIALS, "rpy.urdf")), 0, "rpy of <origin> is more than a turn")

    def test_a_pose_of_sdf_and_an_euler_of_mjcf_too(self):
        path = self.file("s.sdf", sdf(link="<pose>0 0 0 0 90 0</pose>"))
        self.says(run("check", path), 0, "rpy of <pose> is more than a turn")
        path = self.file("m.xml", mjcf(body='euler="0 90 0"', option='<compiler angle="radian"/>'))
        self.says(run("check", path), 0, "euler of <body> is more than a turn")

    def kinds(self, name, text):
        return [f["kind"] for f in json.loads(run("check", self.file(name, text), "--json").stdout)["findings"]]

    def test_limits_are_found_in_every_format(self):
        """Radians are the unit of SDF, of MJCF on request and of ours unless the file says degrees."""
        limited = sdf().replace("</xyz>", "</xyz><limit><lower>-90</lower><upper>90</upper></limit>")
        self.assertEqual(self.kinds("l.sdf", limited), ["degrees"])
        ranged = mjcf(option='<compiler angle="radian"/>').replace('axis="0 1 0"', 'axis="0 1 0" range="-90 90"')
        self.assertEqual(self.kinds("l.xml", ranged), ["degrees"])
        self.assertEqual(self.kinds("m.xml", ranged.replace("radian", "degree")), [])
        native = (
            "espalier: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
            "joints: [{name: j, type: revolute, between: [ground, a], at: {axis: [0, 1, 0]}, limits: [-90, 90]}]\n"
        )
        self.assertEqual(self.kinds("l.yaml", native), ["degrees"])
        self.assertEqual(self.kinds("m.yaml", native + "units: {angle: deg}\n"), [])

    def test_angles_of_native_files_and_axisangle_too(self):
        native = "espalier: 1\nbodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], pose: {rpy: [0, 90, 0]}}\n"
        path = self.file("r.yaml", native)
        self.says(run("check", path), 0, "line 3: body 'a': `pose`: rpy is more than a turn")
        self.assertEqual(self.kinds("s.yaml", native + "units: {angle: deg}\n"), [])
        path = self.file("a.xml", mjcf(body='axisangle="0 1 0 90"', option='<compiler angle="radian"/>'))
        self.says(run("check", path), 0, "axisangle of <body> is more than a turn")

    def test_radians_in_a_file_of_degrees_are_found(self):
        ranged = mjcf(body='euler="0 1.5708 0"').replace('axis="0 1 0"', 'axis="0 1 0" range="-1.57 1.57"')
        path = self.file("d.xml", ranged)
        self.says(
            run("check", path),
            0,
            "range of <joint> is a part of a turn in radians",
            "euler of <body> is a part of a turn in radians",
        )
        self.assertEqual(self.kinds("e.xml", ranged.replace("<mujoco>", '<mujoco><compiler angle="radian"/>')), [])

    def test_turns_and_degrees_that_are_meant_are_not(self):
        path = self.file("s.sdf", sdf(link='<pose degrees="true">0 0 0 0 90 0</pose>'))
        self.assertNotIn("turn", run("check", path).stdout)
        path = self.file("m.xml", mjcf(body='euler="0 90 0"'))
        self.assertNotIn("turn", run("check", path).stdout)
        winch = (
            urdf()
            .replace('type="continuous"', 'type="revolute"')
            .replace("<axis", '<limit lower="-12.566370614" upper="12.566370614" effort="1" velocity="1"/><axis')
        )
        self.assertNotIn("degrees", run("check", self.file("w.urdf", winch)).stdout)


class Meshes(Case):
    def test_one_that_is_named_and_not_found_is_a_note_in_every_format(self):
        shape = "<visual><geometry><mesh{}</geometry></visual>"
        files = {
            "a.urdf": urdf().replace("</link><joint", shape.format(' filename="lost.stl"/>') + "</link><joint"),
            "a.sdf": sdf(link=shape.format("><uri>lost.stl</uri></mesh>").replace("<visual>", '<visual name="v">')),
            "a.xml": mjcf(option='<asset><mesh name="m" file="lost.stl"/></asset>').replace(
                "</body>", '<geom type="mesh" mesh="m" contype="0" conaffinity="0"/></body>'
            ),
        }
        for name, text in files.items():
            with self.subTest(name):
                report = json.loads(run("check", self.file(name, text), "--json").stdout)
                told = [note for note in report["notes"] if "lost.stl" in note["message"]]
                self.assertEqual(len(told), 1, report["notes"])
                self.assertIn("is not found", told[0]["message"])
                self.assertEqual(report["findings"], [])

    def test_what_is_doubtful_comes_before_what_was_counted(self):
        answer = run("check", os.path.join(TRIALS, "deg.urdf"))
        self.says(answer, 0, "mesh 'package://my_gripper/meshes/palm.stl' is not found")
        self.assertLess(answer.stdout.index("[-35, 50] rad"), answer.stdout.index("bodies  "))


def bars(names, joints):
    """Bars of 1 kg along x, and hinges about y at these points: (name, one, other, x, z)."""
    bodies = "".join(
        f"  - {{name: {name}, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {{position: [{x}, 0, {z}]}}}}\n"
        for name, x, z in names
    )
    hinges = "".join(
        f"  - {{name: {name}, type: revolute, between: [{a}, {b}], at: {{position: [{x}, 0, {z}], "
        f"axis: [0, 1, 0]}}}}\n"
        for name, a, b, x, z in joints
    )
    return f"espalier: 1\nname: bars\nbodies:\n{bodies}joints:\n{hinges}"


class Runs(Case):
    def notes(self, path, *options):
        answer = run("simulate", path, "-t", 0.01, "--no-files", "--json", *options)
        self.assertIn(answer.returncode, (0, 1), answer.stderr)
        return " ".join(json.loads(answer.stdout)["notes"])

    def test_a_base_that_nothing_holds_falls(self):
        base = (
            '<link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
            "</inertial></link>"
        )
        robot = urdf().replace('<link name="world"/>', base).replace('"world"', '"base"')
        path = self.file("r.urdf", robot)
        self.assertIn("Nothing holds 'base' to the ground: it falls freely.", self.notes(path))
        self.assertNotIn("falls", self.notes(path, "--base", "fixed"))
        self.says(run("simulate", path, "-t", 0.01, "--no-files"), 0, "Note Nothing holds 'base' to the ground")

    def test_where_nothing_moves_it_is_said(self):
        path = self.file("x.xml", mjcf().replace('axis="0 1 0"', 'axis="0 0 1"'))
        self.assertIn("Nothing moved: no force acts along what is free to move", self.notes(path))
        self.assertNotIn("Nothing moved", self.notes(self.file("y.xml", mjcf())))

    def test_links_without_mass_and_impossible_inertias(self):
        chain = urdf(
            '<link name="b"/><link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="5" ixy="0" '
            'ixz="0" iyz="0"/></inertial></link><joint name="k" type="continuous"><parent link="a"/><child '
            'link="b"/><axis xyz="0 1 0"/></joint><joint name="l" type="continuous"><parent link="b"/><child '
            'link="c"/><axis xyz="1 0 0"/></joint>'
        )
        told = self.notes(self.file("c.urdf", chain))
        self.assertIn("1 body is without mass, so it is moved by what it is joined to alone: 'b'.", told)
        self.assertIn("'c': moments of inertia break the triangle inequality", told)

    # Folded flat, a parallelogram may leave as one or as a crossed one.
    def test_a_flat_parallelogram_starts_at_a_singular_pose(self):
        flat = bars(
            [("p", 0.5, 0), ("q", 2, 0), ("r", 2.5, 0)],
            [("A", "ground", "p", 0, 0), ("B", "p", "q", 1, 0), ("C", "q", "r", 3, 0), ("D", "r", "ground", 2, 0)],
        )
        self.assertIn("The start is a singular pose", self.notes(self.file("flat.yaml", flat)))
        self.assertNotIn("singular", self.notes(os.path.join(SOURCE, "models", "four_bar.yaml")))

    def test_a_truss_cannot_move(self):
        truss = bars(
            [("p", 0.5, 0.5), ("q", 1.5, 0.5)],
            [("A", "ground", "p", 0, 0), ("B", "p", "q", 1, 1), ("C", "q", "ground", 2, 0)],
        )
        self.assertIn("Nothing can move: the loops leave no degree of freedom.", self.notes(self.file("t.yaml", truss)))

    def test_a_start_outside_its_limits(self):
        robot = (
            urdf()
            .replace('type="continuous"', 'type="revolute"')
            .replace("<axis", '<limit lower="0.1" upper="0.2" effort="1" velocity="1"/><axis')
        )
        self.assertIn("outside the limits of 1 coordinate", self.notes(self.file("l.urdf", robot)))


if __name__ == "__main__":
    unittest.main()
