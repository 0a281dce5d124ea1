"""Every published model with a reader and every shipped one, through `check`, `plan` and `simulate`; cli_test.py converts
them into every format and back.

usage: all_models_test.py PROGRAM SOURCE_FOLDER [SECONDS]

The published models are others' files beside the repository; without them their tests are skipped. SECONDS of motion are
asked of each run instead of the short ones below.
"""

import json
import os
import subprocess
import sys
import unittest

from folder import Folder

SECONDS = float(sys.argv.pop()) if len(sys.argv) > 3 else None
SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
ROBOTS = os.path.join(SOURCE, "..", "shared", "data", "models")

# file: options of the reader; what its reader leaves out and must be accepted; options of the run.
CASSIE = "menagerie/agility_cassie/cassie.xml"
GRIPPER = "menagerie/robotiq_2f85/2f85.xml"
KANGAROO = "gepetto/kangaroo_like_2legs/robot.urdf"
# Their bases have no mass: they are meant to stand.
FIXED = {"read": ("--base", "fixed")}
PUBLISHED = {
    CASSIE: {"run": ("--keyframe", "home")},
    # Three of its bodies have their mass from meshes, and a servo drives its tendon.
    GRIPPER: {"accept": ("mesh_mass", "actuator")},
    # Hinges stand for ball joints in its loops.
    KANGAROO: {"read": ("--spherical", "spherical")},
    "gepetto/robot_delta/robot.urdf": {},
    "gepetto/5bar_linkage/robot.urdf": {},
    "grbda/four_bar.urdf": FIXED,
    "grbda/six_bar.urdf": FIXED,
    "grbda/planar_leg_linkage.urdf": FIXED,
    "grbda/pc_d40_l40.urdf": FIXED,
    "drake/four_bar_loop.sdf": {},
    "drake/four_bar_weld.sdf": {},
    # Seven of its links ask for no gravity.
    "archirob/delta_robot.sdf": {"accept": ("gravity",)},
}
# Bodies after welding, movable joints but free ones, loops, degrees of freedom by count; cost and equations of the plan.
ANSWERS = {
    "menagerie/agility_cassie/cassie.xml": [23, 26, 4, 22, 46, 44],
    "menagerie/robotiq_2f85/2f85.xml": [8, 10, 2, 3, 10, 14],
    "gepetto/kangaroo_like_2legs/robot.urdf": [73, 96, 24, 46, 120, 190],
    "gepetto/robot_delta/robot.urdf": [12, 14, 3, 11, 14, 32],
    "gepetto/5bar_linkage/robot.urdf": [6, 6, 1, 9, 8, 16],
    "grbda/four_bar.urdf": [3, 4, 1, 1, 5, 8],
    "grbda/six_bar.urdf": [5, 6, 1, 3, 8, 10],
    "grbda/planar_leg_linkage.urdf": [4, 5, 1, 2, 7, 9],
    "grbda/pc_d40_l40.urdf": [80, 80, 0, 79, 120, 80],
    "drake/four_bar_loop.sdf": [3, 4, 1, 1, 5, 8],
    "drake/four_bar_weld.sdf": [3, 4, 1, 1, 5, 8],
    "archirob/delta_robot.sdf": [11, 15, 5, 15, 30, 45],
    "andrews_squeezer.yaml": [7, 10, 3, 1, 9, 22],
    "boxes.yaml": [7, 0, 0, 42, 0, 42],
    "bricard.yaml": [5, 6, 1, 1, 8, 10],
    "delta.yaml": [10, 15, 5, 3, 24, 33],
    "double_wishbone.yaml": [21, 28, 8, 14, 37, 62],
    "four_bar.yaml": [3, 4, 1, 1, 5, 8],
    "governor.yaml": [6, 8, 2, 2, 12, 14],
    "ladder.yaml": [11, 16, 5, 1, 13, 36],
    "mlrs.yaml": [10, 0, 6, 60, 90, 60],
    "slider_crank.yaml": [3, 4, 1, 1, 7, 7],
    "stepped_beam.yaml": [0, 0, 0, 0, 0, 0],
    "stewart.yaml": [13, 18, 5, 6, 27, 36],
    "stiff_governor.yaml": [4, 4, 0, 4, 6, 4],
    "strandbeest.yaml": [73, 109, 36, 1, 75, 253],
    "ten_rods.yaml": [0, 0, 0, 0, 0, 0],
    "ten_rods_uneven.yaml": [0, 0, 0, 0, 0, 0],
    "y_frame.yaml": [0, 0, 0, 0, 0, 0],
}
SHIPPED = sorted(name for name in os.listdir(os.path.join(SOURCE, "models")) if name.endswith(".yaml"))
# Structures for `modes`: they have elastic bodies, which `simulate` refuses and other formats cannot hold.
ELASTIC = ("mlrs.yaml", "stepped_beam.yaml", "ten_rods.yaml", "ten_rods_uneven.yaml", "y_frame.yaml")


def words(case):
    return [part for word in case.get("accept", ()) for part in ("--accept", word)]


class Models(Folder):
    program = PROGRAM

    def answer(self, code, verb, *options):
        found = self.run_verb(verb, *options, "--json")
        self.assertEqual(found.returncode, code, f"{verb} {options}: {found.stderr}")
        return json.loads(found.stdout)

    def counts(self, path, *options):
        found = self.answer(0, "check", path, *options)
        # Other formats write down the free joint of a body that nothing holds.
        joints = found["movable_joints"] - found["joint_types"].get("free", 0)
        return [found["bodies_after_welding"], joints, len(found["loops"]), found["freedom"]]

    def plan(self, path, case):
        found = self.answer(0, "plan", path, *case.get("read", ()), *words(case))
        self.assertTrue(found["optimal"], path)
        return [found["cost"], found["equations"]]

    def moves(self, path, case, time):
        """What must be accepted is refused before, and said after."""
        run = ("simulate", path, "-t", SECONDS or time, "--no-files", *case.get("read", ()), *case.get("run", ()))
        if case.get("accept"):
            self.assertIn("--accept " + case["accept"][0], self.run_verb(*run).stderr)
        record = self.answer(0, *run, *words(case))
        self.assertEqual(record["outcome"], "done")
        self.assertEqual(set(record["accepted"]), set(case.get("accept", ())))
        if record.get("engine") == "contact":
            return self.assertLessEqual(record["unconverged"], record["steps"] / 100)
        self.assertLessEqual(record["loop_distance"], 1e-9)
        self.assertLessEqual(record["energy_error"], 1e-3 * record["energy_scale"] + 1e-9)


def add_published(file, case):
    def test(self):
        path = os.path.join(ROBOTS, file)
        if not os.path.exists(path):
            raise unittest.SkipTest(f"the collection of real models is not beside this checkout: {path}")
        self.assertEqual(self.counts(path, *case.get("read", ())) + self.plan(path, case), ANSWERS[file])
        self.moves(path, case, 0.01)

    return test


def add_shipped(file):
    def test(self):
        path = os.path.join(SOURCE, "models", file)
        self.assertEqual(self.counts(path) + self.plan(path, {}), ANSWERS[file])
        if file in ELASTIC:
            self.assertIn("simulate moves rigid bodies alone", self.run_verb("simulate", path, "--no-files").stderr)
            return
        self.moves(path, {}, 0.01)

    return test


for _file, _case in PUBLISHED.items():
    setattr(Models, "test_" + _file.replace("/", "_").replace(".", "_"), add_published(_file, _case))
for _file in SHIPPED:
    setattr(Models, "test_" + _file.replace(".", "_"), add_shipped(_file))


if __name__ == "__main__":
    unittest.main()
