"""Laws of joints and forces act the same on every tree, or are refused by file and line: nothing is dropped in silence.
The trials are in tests/trials/dynamics; the motion of the slider-crank is compared with Lagrange's equation of its one
coordinate, integrated here.

usage: simulate_laws_test.py PROGRAM PRINT_RESULT SOURCE_FOLDER
"""

import json
import math
import os
import re
import subprocess
import sys
import unittest

SOURCE = os.path.abspath(sys.argv.pop())
PRINT_RESULT = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from folder import Folder  # noqa: E402

TRIALS = os.path.join(SOURCE, "tests", "trials", "dynamics")


class Laws(Folder):
    program = PROGRAM

    def trial(self, name):
        return os.path.join(TRIALS, name)

    def plan(self, model, *options):
        answer = self.run_verb("plan", model, *options, "-o", "plan.json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return "plan.json"

    def simulate(self, model, end, *options):
        answer = self.run_verb(
            "simulate", model, "-t", end, "--output-step", end, "--tolerance", 1e-9, "-o", "run", "--json", *options
        )
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        answer_of = json.loads(answer.stdout)
        printed = subprocess.run([PRINT_RESULT, self.path("run/result.h5")], capture_output=True, text=True)
        self.assertEqual(printed.returncode, 0, printed.stderr)
        subprocess.run(["rm", "-r", self.path("run")], check=True)
        lines = [line.split("\t") for line in printed.stdout.splitlines()]
        answer_of["bodies"] = [line[1] for line in lines if line[0] == "body"]
        answer_of["poses"] = [
            float.fromhex(number) for number in [line for line in lines if line[0] == "body_pose"][-1][1:]
        ]
        return answer_of

    def place(self, run, body):
        """Where the body is at the end: x y z."""
        first = len(run["poses"]) - 7 * len(run["bodies"]) + 7 * run["bodies"].index(body)
        return run["poses"][first : first + 3]

    def run_tree(self, name, cut, end, option="--cut"):
        model = self.trial(name)
        return self.simulate(model, end, "--plan", self.plan(model, option, cut))


class SliderCrank:
    """The slider-crank of the trials: crank of 0.5 m, rod of 1.2 m, slider along x; drawn at 60 degrees."""

    CRANK, ROD, START = 0.5, 1.2, math.pi / 3

    def __init__(self, gravity, armature=0.0, stiffness=0.0, follower=None):
        self.gravity, self.armature, self.stiffness, self.follower = gravity, armature, stiffness, follower

    def rates(self, turn):
        """Rates per unit of the crank's: angle of the rod, place of the slider."""
        lean = math.asin(self.CRANK * math.sin(turn) / self.ROD)
        rod = -self.CRANK * math.cos(turn) / (self.ROD * math.cos(lean))
        slider = -self.CRANK * math.sin(turn) + self.ROD * math.sin(-lean) * -rod
        return -lean, rod, slider

    def slider(self, turn):
        return self.CRANK * math.cos(turn) + self.ROD * math.cos(self.rates(turn)[0])

    def inertia(self, turn):
        lean, rod, slider = self.rates(turn)
        x = -self.CRANK * math.sin(turn) - self.ROD / 2 * math.sin(lean) * rod
        y = self.CRANK * math.cos(turn) + self.ROD / 2 * math.cos(lean) * rod
        bodies = 0.25**2 + 0.5**2 / 12 + x * x + y * y + 0.12 * rod * rod + slider * slider
        drives = self.armature * (1 + (rod - 1) ** 2 + rod**2 + slider**2)
        follower = self.follower[1](turn - self.START) ** 2 if self.follower else 0
        return bodies + drives + follower

    def potential(self, turn):
        lean = self.rates(turn)[0]
        height = self.CRANK / 2 * math.sin(turn) + self.CRANK * math.sin(turn) + self.ROD / 2 * math.sin(lean)
        return self.gravity * height + self.stiffness * (turn - self.START) ** 2 / 2

    def run(self, rate, end, steps=4000):
        """Crank's angle at the end: M f'' + M' f'^2 / 2 + V' = 0, by Runge-Kutta steps."""
        d = 1e-5

        def slope(turn, rate):
            inertia_rate = (self.inertia(turn + d) - self.inertia(turn - d)) / (2 * d)
            force = -(self.potential(turn + d) - self.potential(turn - d)) / (2 * d)
            return rate, (force - inertia_rate * rate * rate / 2) / self.inertia(turn)

        turn, h = self.START, end / steps
        for _ in range(steps):
            k1 = slope(turn, rate)
            k2 = slope(turn + h / 2 * k1[0], rate + h / 2 * k1[1])
            k3 = slope(turn + h / 2 * k2[0], rate + h / 2 * k2[1])
            k4 = slope(turn + h * k3[0], rate + h * k3[1])
            turn += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
            rate += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        return turn


class EveryTree(Laws):
    def assert_slider(self, run, wanted, accuracy):
        self.assertAlmostEqual(self.place(run, "slider")[0], wanted, delta=accuracy)

    def test_armature_of_a_cut_joint(self):
        wanted = SliderCrank(9.81, armature=0.5)
        wanted = wanted.slider(wanted.run(3.0, 1.0))
        self.assert_slider(self.simulate(self.trial("arm4.yaml"), 1), wanted, 1e-6)
        for cut in "ABPS":
            with self.subTest(cut=cut):
                run = self.run_tree("arm4.yaml", cut, 1)
                self.assert_slider(run, wanted, 1e-6)
                self.assertTrue(
                    any(f"Joint '{cut}' stays in the tree, since its armature" in note for note in run["notes"]),
                    run["notes"],
                )
                self.assertEqual([], run["plan"]["cut"])
                self.assertEqual([cut], [kept["joint"] for kept in run["plan"]["cut_bodies"]])
                self.assert_slider(self.run_tree("arm4.yaml", cut, 1, "--cut-body"), wanted, 1e-6)

    def test_spring_over_several_turns(self):
        wanted = SliderCrank(0, stiffness=0.2)
        turn = wanted.run(12.0, 1.2, 8000)
        self.assertGreater(turn, 2 * math.pi)
        for cut in "ABPS":
            with self.subTest(cut=cut):
                self.assert_slider(self.run_tree("cst.yaml", cut, 1.2), wanted.slider(turn), 1e-5)

    def test_polynomial_over_several_turns(self):
        wanted = SliderCrank(0, follower=(lambda a: 0.1 * a + 0.05 * a * a, lambda a: 0.1 + 0.1 * a))
        turn = wanted.run(3.0, 2.0)
        self.assertGreater(turn, math.pi + wanted.START)
        for cut in "AP":
            with self.subTest(cut=cut):
                run = self.run_tree("pol.yaml", cut, 2)
                self.assert_slider(run, wanted.slider(turn), 1e-5)
                self.assertAlmostEqual(
                    self.place(run, "f")[1], -1 + wanted.follower[0](turn - wanted.START), delta=1e-5
                )

    def test_limits_over_several_turns(self):
        runs = {cut: self.run_tree("csl2.yaml", cut, 1.3) for cut in "AB"}
        for at_a, at_b in zip(self.place(runs["A"], "slider"), self.place(runs["B"], "slider")):
            self.assertAlmostEqual(at_a, at_b, delta=1e-5)
        # Without limits it would be elsewhere.
        free = SliderCrank(0)
        self.assertGreater(abs(self.place(runs["A"], "slider")[0] - free.slider(free.run(12.0, 1.3, 8000))), 0.05)

    def test_massless_coupler(self):
        wanted = self.simulate(self.trial("massless4.yaml"), 0.5)
        self.assertEqual([], [note for note in wanted["notes"] if "stays in the tree" in note])
        self.assertIn(wanted["plan"]["cut"], (["A"], ["D"]))
        for cut in "ABCD":
            with self.subTest(cut=cut):
                run = self.run_tree("massless4.yaml", cut, 0.5)
                for body in ("crank", "coupler", "rocker"):
                    for found, there in zip(self.place(run, body), self.place(wanted, body)):
                        self.assertAlmostEqual(found, there, delta=1e-7)

    def test_restart_goes_on_with_the_same_tree(self):
        model = self.trial("arm4.yaml")
        for end, out in ((0.2, "part"), (0.4, "whole")):
            answer = self.run_verb(
                "simulate", model, "-t", end, "-o", out, "--json", "--plan", self.plan(model, "--cut", "A")
            )
            self.assertEqual(answer.returncode, 0, answer.stderr)
        answer = self.run_verb("simulate", "--restart", "part", "--end", 0.4, "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual([], [note for note in json.loads(answer.stdout)["notes"] if "stays" in note])


class HeldOrRefused(Laws):
    def test_rope_holds(self):
        z = self.place(self.simulate(self.trial("rope.yaml"), 2), "b")[2]
        self.assertAlmostEqual(z, -1, delta=1e-3)
        self.assertLess(z, -1)

    def test_effort_limit_holds(self):
        # 1 N m on a pendulum of 1.1 kg m^2 that hangs out sideways: friction would be no excuse.
        run = self.simulate(self.trial("j2.yaml"), 0.02)
        x, _, z = self.place(run, "a")
        self.assertTrue(any("effort_limit" in note for note in run["notes"]), run["notes"])
        self.assertTrue(any("velocity_limit" in note for note in run["notes"]), run["notes"])
        self.assertEqual((x, z), (0, 0))
        rate = (1 + 9.81) / 1.1 * 0.02
        energy = 1.1 * rate * rate / 2
        self.assertAlmostEqual(run["energy_scale"], energy, delta=0.02 * energy)

    def test_active_is_refused_by_line(self):
        self.assert_refused(
            ["act.yaml:2", "`active` keeps body 'b' from moving along z", "leave `active` out"],
            "simulate",
            self.trial("act.yaml"),
        )

    def test_active_that_joints_obey(self):
        with open(self.trial("act.yaml"), encoding="utf-8") as file:
            self.file("flat.yaml", file.read().replace("active: [x, y]", "active: [x, z, ry]"))
        self.simulate("flat.yaml", 0.1)

    def test_drive_on_a_blocked_joint(self):
        self.file(
            "blocked.yaml",
            "espalier: 1\nbodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n  - {name: b, mass: 1, inertia: [1, 1, 1]}\njoints:\n"
            "  - {name: weld, type: fixed, between: [ground, a], at: {}}\n  - {name: stuck, type: revolute, between: [ground, a], at: {}}\n"
            "  - {name: free, type: revolute, between: [a, b], at: {}}\nforces:\n  - {motion: {joint: stuck, position: t}}\n",
        )
        self.assert_refused(["blocked.yaml:10", "joint 'stuck' is driven but cannot move"], "simulate", "blocked.yaml")

    def test_contact_engine_holds_effort_limits_and_refuses_blocked_drives(self):
        run = self.document(
            "simulate", self.trial("j2.yaml"), "--engine", "contact", "-t", 0.02, "--step", 1e-4, "--no-files"
        )
        work = (1 + 9.81) / 1.1 * 0.02**2 / 2
        self.assertAlmostEqual(run["energy_end"] - run["energy_start"], work, delta=1e-3 * work)
        self.assertEqual(2, len([note for note in run["notes"] if "_limit" in note]), run["notes"])
        self.file(
            "far.yaml",
            "espalier: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\njoints: [{name: s, type: revolute, between: [ground, a], at: {}, stiffness: 1, rest: 4}]\n",
        )
        self.assert_refused(["far.yaml:3", "more than half a turn away"], "simulate", "far.yaml", "--engine", "contact")
        self.file(
            "blocked.yaml",
            "espalier: 1\nbodies:\n  - {name: wall, kind: obstacle}\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n"
            "joints: [{name: stuck, type: revolute, between: [ground, wall], at: {}}]\nforces:\n  - {motion: {joint: stuck, position: t}}\ncontact: {}\n",
        )
        self.assert_refused(["blocked.yaml:7", "joint 'stuck' is driven but cannot move"], "simulate", "blocked.yaml")

    def test_many_runs_are_checked_one_by_one(self):
        self.assert_refused(
            ["act.yaml:2", "`active`"], "simulate", self.trial("act.yaml"), "--vary", "bodies.b.mass=1:2", "--runs", 2
        )


# Ball joints as three hinges with massless links between them, between two arms on the ground.
BALLS = """espalier: 1
bodies:
  - {name: left, mass: 1, com: [0, 0, -0.3], inertia: [0.1, 0.1, 0.1], pose: {position: [0, 0, 1]}}
  - {name: m1, mass: 0, inertia: [0, 0, 0]}
  - {name: m2, mass: 0, inertia: [0, 0, 0]}
  - {name: rod, mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
  - {name: m3, mass: 0, inertia: [0, 0, 0], pose: {position: [1, 0, 0]}}
  - {name: m4, mass: 0, inertia: [0, 0, 0], pose: {position: [1, 0, 0]}}
  - {name: right, mass: 1, com: [0, 0, -0.3], inertia: [0.1, 0.1, 0.1], pose: {position: [1, 0, 1]}}
joints:
  - {name: A, type: revolute, between: [ground, left], at: {position: [0, 0, 1], axis: [0, 1, 0]}, velocity: 0.5}
  - {name: h1, type: revolute, between: [left, m1], at: {position: [0, 0, 0], axis: [1, 0, 0]}}
  - {name: h2, type: revolute, between: [m1, m2], at: {position: [0, 0, 0], axis: [0, 1, 0]}}
  - {name: h3, type: revolute, between: [m2, rod], at: {position: [0, 0, 0], axis: [0, 0, 1]}}
  - {name: h4, type: revolute, between: [rod, m3], at: {position: [1, 0, 0], axis: [1, 0, 0]}}
  - {name: h5, type: revolute, between: [m3, m4], at: {position: [1, 0, 0], axis: [0, 1, 0]}}
  - {name: h6, type: revolute, between: [m4, right], at: {position: [1, 0, 0], axis: [0, 0, 1]}}
  - {name: B, type: revolute, between: [ground, right], at: {position: [1, 0, 1], axis: [0.2, 1, 0]}}
"""


class ThreeHinges(Laws):
    def test_cuts_of_a_ball_joint_of_three_hinges(self):
        self.file("balls.yaml", BALLS)
        wanted = self.simulate("balls.yaml", 0.3)
        for cut in ("A", "h1", "h3", "h4", "h6", "B"):
            with self.subTest(cut=cut):
                run = self.simulate("balls.yaml", 0.3, "--plan", self.plan("balls.yaml", "--cut", cut))
                for body in ("left", "rod", "right"):
                    for found, there in zip(self.place(run, body), self.place(wanted, body)):
                        self.assertAlmostEqual(found, there, delta=1e-7)
        self.plan("balls.yaml", "--cut", "h2")
        answer = self.run_verb("simulate", "balls.yaml", "--plan", "plan.json")
        self.assertEqual(answer.returncode, 2, answer.stdout + answer.stderr)
        self.assertRegex(
            answer.stderr,
            r"balls.yaml:[45]: no mass resists .* in the tree that cuts 'h2'.*the tree that cuts '.*' can be computed",
        )
        runs = re.search(r"the tree that cuts '([^']*)' can be computed", answer.stderr).group(1)
        self.simulate("balls.yaml", 0.1, "--plan", self.plan("balls.yaml", "--cut", runs))


if __name__ == "__main__":
    unittest.main()
