"""Which joints does a simulator on tree coordinates leave outside its articulation? A USD file with six nested loops, as
somebody else wrote it, is planned, written with the answer, and read back.

usage: usd_loops_test.py PROGRAM
"""

import json
import os
import re
import sys
import unittest

import folder

PROGRAM = os.path.abspath(sys.argv.pop())
LOOPS = 6


def body(name, x, y):
    return f"""
    def Xform "{name}" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]
    )
    {{
        double3 xformOp:translate = ({x}, {y}, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        float physics:mass = 2
        float3 physics:diagonalInertia = (100, 200, 150)
    }}
"""


def joint(name, kind, ends, excluded=False):
    """`ends`: a body, its place and the place of the joint, both in centimetres; None is the world."""
    text = f'\n    def {kind} "{name}"\n    {{\n'
    for number, (target, place, at) in enumerate(ends):
        if target is not None:
            text += f"        rel physics:body{number} = </tower/{target}>\n"
        x, y = at[0] - place[0], at[1] - place[1]
        text += f"        point3f physics:localPos{number} = ({x}, {y}, 0)\n"
    if kind == "PhysicsRevoluteJoint":
        text += '        uniform token physics:axis = "Z"\n'
    if excluded:
        text += "        bool physics:excludeFromArticulation = true\n"
    return text + "    }\n"


def tower():
    """Six rungs above each other between two chains: each loop lies in the next. Its author has cut the right chain,
    wherever that was, which leaves the rungs to hang from the left one."""
    text = '#usda 1.0\n(\n    metersPerUnit = 0.01\n    upAxis = "Y"\n)\n\ndef Xform "tower"\n{\n    def PhysicsScene "scene" {}\n'
    height = 50
    for k in range(1, LOOPS + 1):
        left, rung, right = (0, height * (k - 0.5)), (50, height * k), (100, height * (k - 0.5))
        text += body(f"left_{k}", *left) + body(f"rung_{k}", *rung) + body(f"right_{k}", *right)
        below = height * (k - 1)
        for side, place, kind in (("left", left, "PhysicsRevoluteJoint"), ("right", right, "PhysicsSphericalJoint")):
            before = (None, (0, 0)) if k == 1 else (f"{side}_{k - 1}", (place[0], place[1] - height))
            at = (place[0], below)
            text += joint(f"{side}_pin_{k}", kind, [(*before, at), (f"{side}_{k}", place, at)], side == "right")
        text += joint(f"rung_left_{k}", "PhysicsRevoluteJoint", [(f"left_{k}", left, (0, height * k)), (f"rung_{k}", rung, (0, height * k))])
        text += joint(f"rung_right_{k}", "PhysicsSphericalJoint", [(f"rung_{k}", rung, (100, height * k)), (f"right_{k}", right, (100, height * k))])
    return text + "}\n"


def prims(text, attribute):
    """Names of the joints that have this attribute as true."""
    parts = re.split(r'def Physics\w*Joint "(\w+)"', text)
    return {name for name, block in zip(parts[1::2], parts[2::2]) if f"{attribute} = true" in block.partition("\n    }")[0]}


class Loops(folder.Folder):
    program = PROGRAM

    def plan(self, model):
        return self.document("plan", model)

    def test_a_file_of_six_nested_loops(self):
        self.file("tower.usda", tower())
        counts = self.document("check", "tower.usda")
        planned = self.plan("tower.usda")
        self.assertEqual(len(planned["cut"]), LOOPS)
        # The plan is no worse than the author's choice, and is proved to be the best of all.
        self.assertTrue(planned["optimal"])
        given = self.document("plan", "tower.usda", *[word for k in range(1, LOOPS + 1) for word in ("--cut", f"right_pin_{k}")])
        self.assertLessEqual(planned["cost"], given["cost"])

        written = self.document("convert", "tower.usda", "-o", "planned.usda")
        self.assertEqual([c for c in written["changes"] if c["field"] != "closure"], [])
        self.assertEqual(prims(self.read("planned.usda"), "physics:excludeFromArticulation"), set(planned["cut"]))
        self.assertIn("excluded from the articulation, as `plan` cuts them", " ".join(written["notes"]))

        # Read back it is the same mechanism, with the same answer: in USD again, and in a format of another kind.
        again = self.document("check", "planned.usda")
        for key in ("bodies", "joints", "loops"):
            self.assertEqual(json.dumps(again.get(key)), json.dumps(counts.get(key)), key)
        self.assertEqual(set(self.plan("planned.usda")["cut"]), set(planned["cut"]))
        self.document("convert", "planned.usda", "-o", "again.usda")
        self.assertEqual(self.read("again.usda"), self.read("planned.usda"))
        self.document("convert", "planned.usda", "-o", "tower.yaml")
        self.assertEqual(set(self.plan("tower.yaml")["cut"]), set(planned["cut"]))
        self.assertEqual(self.read("tower.yaml").count("closure: true"), LOOPS)


if __name__ == "__main__":
    unittest.main()
