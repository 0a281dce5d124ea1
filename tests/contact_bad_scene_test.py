"""Scenes that cannot be right: each is named with file, line, value and way out, and nothing is computed.

usage: contact_bad_scene_test.py PROGRAM
"""

import os
import struct
import sys
import unittest

import folder

PROGRAM = os.path.abspath(sys.argv.pop())
# The body that is wrong stands in line 7, `contact` behind it.
HEAD = """espalier: 1
name: scene
materials:
  stone: {density: 2000, friction: 0.5}
bodies:
  - {name: ground, shapes: [{plane: {}}]}
"""
TAIL = "contact: {engine: on, margin: 0.001}\n"
BALL = "{sphere: {radius: 0.5}}"
GIVEN = "mass: 1, inertia: [1, 1, 1]"
TETRAHEDRON = "[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]"


def body(shape=BALL, more="", name="a", place="[0, 0, 1]"):
    words = f", {more}" if more else ""
    return f"  - {{name: {name}, material: stone, pose: {{position: {place}}}, shapes: [{shape}]{words}}}\n"


def hull(points, more=""):
    return body(f"{{hull: {{points: [{points}]}}}}", more)


class Folder(folder.Folder):
    program = PROGRAM
    verb = ("simulate",)

    def refuse(self, text, *words, options=()):
        scene = self.file("scene.yaml", text)
        self.assert_refused(words, scene, "--no-files", "--end", 0.002, *options)


class Bodies(Folder):
    def test_without_mass(self):
        self.refuse(HEAD + body(more="mass: 0") + TAIL, "scene.yaml:7: ", "'a'", "moves but has no mass", "give `mass`")
        self.refuse(HEAD + body(more="mass: -1") + TAIL, "scene.yaml:7: ", "'a'", "negative mass")
        self.refuse(
            HEAD + body(more="mass: 1, inertia: [0, 0, 0]") + TAIL, "scene.yaml:7: ", "no inertia", "give `inertia`"
        )
        self.refuse(HEAD + body().replace("material: stone, ", "") + TAIL, "scene.yaml:7: ", "no mass", "`density`")

    def test_of_a_material_that_is_not_there(self):
        self.refuse(
            HEAD + body().replace("stone", "stoen") + TAIL, "scene.yaml:7: ", "'stoen'", "did you mean 'stone'?"
        )

    def test_sizes_that_are_none(self):
        for shape, words in (
            ("{sphere: {radius: .nan}}", ("`radius` is '.nan'", "finite")),
            ("{box: {size: [1, .inf, 1]}}", ("`size` is '.inf'", "finite")),
            ("{sphere: {radius: -0.5}}", ("the radius must be positive, it is -0.5",)),
            ("{box: {size: [1, 0, 2]}}", ("must be positive, they are 1, 0, 2",)),
            ("{capsule: {radius: 1, length: -3}}", ("must be positive, they are 1, -3",)),
        ):
            self.refuse(HEAD + body(shape) + TAIL, "scene.yaml:7: ", *words)
        self.refuse(HEAD + body(place="[0, .nan, 1]") + TAIL, "scene.yaml:7: ", "'.nan'")

    def test_hulls_that_enclose_nothing(self):
        flat = "[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]"
        self.refuse(HEAD + hull(flat, GIVEN) + TAIL, "scene.yaml:7: ", "lie in one plane", "use a thin box")
        self.refuse(
            HEAD + hull("[0, 0, 0], [1, 0, 0], [0, 1, 0]") + TAIL, "scene.yaml:7: ", "at least four points, it has 3"
        )
        self.refuse(HEAD + hull("[0, 0, 0], " * 3 + "[0, 0, 0]", GIVEN) + TAIL, "scene.yaml:7: ", "hull")
        self.refuse(HEAD + hull(TETRAHEDRON.replace("1]", ".nan]")) + TAIL, "scene.yaml:7: ", "'.nan'")

    def test_a_hull_is_the_hull_of_its_points_whichever_lie_inside(self):
        runs = []
        for points in (TETRAHEDRON, TETRAHEDRON + ", [0.2, 0.2, 0.2]"):
            scene = self.file("scene.yaml", HEAD + hull(points, GIVEN) + TAIL)
            runs.append(self.document(scene, "--no-files", "--end", 0.01)["state_hash"])
        self.assertEqual(runs[0], runs[1])

    def test_planes_and_meshes_do_not_move(self):
        self.refuse(HEAD + body("{plane: {}}", GIVEN) + TAIL, "scene.yaml:7: ", "'a' moves", "give it a hull")


class Laws(Folder):
    def test_friction_and_restitution_out_of_range(self):
        for words, message in (
            ("friction: -0.5", "friction = -0.5 must be a finite number, 0 or more"),
            ("friction: .nan", "`friction` is '.nan'"),
            ("restitution: 2", "restitution = 2 must lie between 0 and 1"),
        ):
            self.refuse(HEAD.replace("friction: 0.5", words) + body() + TAIL, "scene.yaml:4: ", "'stone'", message)
            self.refuse(HEAD + body() + TAIL.replace("margin: 0.001", words), "scene.yaml:8: ", "contact", message)
        self.refuse(HEAD + body() + TAIL.replace("0.001", "-1"), "scene.yaml:8: ", "margin = -1")


class Meshes(Folder):
    def refuse_mesh(self, name, *words, data=None):
        if data is not None:
            with open(self.path(name), "wb") as file:
                file.write(data)
        wall = f"  - {{name: wall, kind: obstacle, shapes: [{{mesh: {{file: {name}}}}}]}}\n"
        self.refuse(HEAD + wall + body() + TAIL, name, *words)

    def test_files_that_are_not_there(self):
        self.refuse_mesh("no/such.stl", "scene.yaml:7: ", "paths start at the folder of the model file")
        self.refuse_mesh(".", "scene.yaml:7: ", "cannot read the mesh")
        self.refuse_mesh("wall.blend", ".stl and .obj", data=b"x")

    def test_files_that_are_cut_off(self):
        self.refuse_mesh("a.stl", "cut off", data=b"")
        self.refuse_mesh("a.stl", "cut off", data=b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n")
        promised = bytes(80) + struct.pack("<I", 0xFFFFFFFF) + bytes(60)
        self.refuse_mesh("b.stl", "promises 4294967295 triangles and holds 1", data=promised)

    def test_corners_that_are_none(self):
        self.refuse_mesh("a.obj", "a.obj:1: ", "'nan'", data=b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.refuse_mesh("a.obj", "a.obj:4: ", "'9'", data=b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")


class Overlaps(Folder):
    SCENE = (
        HEAD
        + body(place="[0, 0, 0.5]")
        + body(name="b", place="[0.9, 0, 0.5]")
        + body(name="c", place="[0, 0.7, 0.5]")
        + TAIL
    )

    def test_the_deepest_is_named_and_the_run_goes_on(self):
        run = self.document(self.file("scene.yaml", self.SCENE), "--no-files", "--end", 0.002)
        self.assertEqual(len(run["notes"]), 1)
        self.assertIn("2 pairs of bodies reach into each other", run["notes"][0])
        self.assertIn("'a' and 'c', by 0.3 m", run["notes"][0])

    def test_strict_refuses_it(self):
        words = ("scene.yaml:7: ", "'a' and 'c', by 0.3 m", "draw them apart")
        self.refuse(self.SCENE, *words, options=("--strict",))


if __name__ == "__main__":
    unittest.main()
