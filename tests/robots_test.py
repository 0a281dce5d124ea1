"""Real robots and our own mechanisms, checked and moved for a moment: loops close and stay closed, energy is kept.

usage: robots_test.py PROGRAM SOURCE_FOLDER

The robots are others' files beside the repository; without them their tests are skipped.
"""

import json
import os
import subprocess
import sys
import unittest

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
ROBOTS = os.path.join(SOURCE, "..", "shared", "data", "models")
CASSIE = "menagerie/agility_cassie/cassie.xml"
KANGAROO = "gepetto/kangaroo_like_2legs"


def robot(path):
    path = os.path.join(ROBOTS, path)
    if not os.path.exists(path):
        raise unittest.SkipTest(f"the collection of real models is not beside this checkout: {path}")
    return path


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300)


class Robots(unittest.TestCase):
    def moves(self, path, time, *options):
        """Runs to `time` [s] and gives back what the program says of the run."""
        answer = run("simulate", path, "-t", time, "--tolerance", 1e-8, "--no-files", "--json", *options)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        record = json.loads(answer.stdout)
        self.assertEqual(record["outcome"], "done")
        self.assertEqual(record["time"], time)
        self.assertGreater(record["steps"], 0)
        self.assertLessEqual(record["loop_distance"], 1e-10)
        self.assertLessEqual(record["loop_angle"], 1e-10)
        self.assertGreater(record["energy_scale"], 0)
        self.assertLessEqual(record["energy_error_relative"], 1e-6)
        return record

    def says(self, answer, code, *words):
        text = " ".join((answer.stdout + answer.stderr).split())
        self.assertEqual(answer.returncode, code, text)
        for word in words:
            self.assertIn(word, text)

    def test_cassie_is_closed_from_its_keyframe_and_falls(self):
        path = robot(CASSIE)
        self.says(
            run("check", path),
            0,
            "closed as drawn",
            "solref and solimp make loops soft in MuJoCo; here loops are exact",
        )
        self.moves(path, 0.05, "--keyframe", "home")
        said = run("simulate", path, "-t", 0.001, "--keyframe", "home", "--no-files")
        self.says(said, 0, "The loops were open by 0.0019 m", "27 joints moved to close them")

    def test_cassie_as_drawn_is_outside_its_limits_and_that_is_said(self):
        said = run("simulate", robot(CASSIE), "-t", 1e-5, "--no-files")
        self.says(said, 0, "outside the limits of 4 coordinates", "'left-foot-crank' stands at 0", "keyframe 'home'")

    # Its loops are planar as the URDF has them, and miss each other sideways: hinges stand for ball joints there.
    def test_kangaroo_does_not_close_as_hinges(self):
        path = robot(os.path.join(KANGAROO, "robot.urdf"))
        self.says(
            run("simulate", path, "--no-files"),
            2,
            "the loops do not close: 0.043 m at 'closedloop23_A_3D-closedloop23_B_3D'",
            "26 joints are hinges but called like ball joints",
            "--spherical spherical reads them so",
        )
        self.says(run("check", path), 2, "stays open by 0.043 m", "51 bodies are far lighter")

    def test_kangaroo_closes_with_the_ball_joints_its_names_tell(self):
        path = robot(os.path.join(KANGAROO, "robot.urdf"))
        balls = ("--spherical", "spherical")
        self.says(
            run("check", path, *balls),
            0,
            "24 independent",
            "46 by rank",
            "closed in",
            "are read as ball joints",
            "and 25 more",
        )
        self.moves(path, 0.05, *balls)
        self.moves(path, 0.02, *balls, "--base", "fixed")

    def test_delta_robots_move(self):
        path = robot("gepetto/robot_delta/robot.urdf")
        self.says(run("check", path), 0, "closed in", "redundant 9 of 15")
        self.moves(path, 0.2)
        # Some of its links ask for no gravity, which bodies here cannot.
        path = robot("archirob/delta_robot.sdf")
        self.says(run("simulate", path, "--no-files"), 2, "asks for no gravity", "--accept gravity")
        self.moves(path, 0.2, "--accept", "gravity")

    def test_our_own_mechanisms_move(self):
        for name, time in (("strandbeest", 0.05), ("stewart", 0.2), ("delta", 0.2), ("double_wishbone", 0.1)):
            with self.subTest(name):
                path = os.path.join(SOURCE, "models", name + ".yaml")
                self.says(run("check", path), 0, "closed as drawn")
                self.moves(path, time)


if __name__ == "__main__":
    unittest.main()
