"""A gripper from its URDF to a table of torque over time, for several gains of its servo.

usage: gripper_story_test.py PROGRAM SOURCE_FOLDER
"""

import csv
import os
import sys
import unittest
import xml.etree.ElementTree

import folder

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
URDF = os.path.join(SOURCE, "tests", "stories", "gripper.urdf")
GAINS = (0.3, 0.6, 1.0)
WANTED, DAMPING = 0.5, 0.02
# What the URDF cannot say: gains, and the servo that has them.
SERVO = f"""
constants: {{k: 0.5, d: {DAMPING}}}
forces:
  - {{name: servo, torque: {{joint: motor, value: "k*({WANTED} - q(motor)) - d*v(motor)"}}}}
"""
COLUMNS = ("servo.torque [N m]", "motor.position [rad]", "motor.velocity [rad/s]", "motor.acceleration [rad/s^2]")
QUANTITIES = ", ".join(name.partition(" ")[0] for name in COLUMNS)


class Gripper(folder.Folder):
    program = PROGRAM

    def ask(self, *arguments):
        answer = self.run_verb(*arguments)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        return answer.stdout

    def table(self, name):
        with open(self.path(name), newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def give_it_a_servo(self):
        """The robot in the format in which it can have one."""
        self.ask("convert", URDF, "--base", "fixed", "-o", "gripper.yaml")
        text = self.read("gripper.yaml")
        self.assertNotIn("forces:", text)
        self.file("gripper.yaml", text + SERVO)

    def sweep(self, name, *arguments):
        vary = "constants.k=" + ",".join(map(str, GAINS))
        return self.ask("simulate", "gripper.yaml", "--vary", vary, "--end", "0.5", "--output-step", "0.002", "--frames", "--csv", QUANTITIES, "-o", name, *arguments)

    def test_a_gripper_swept_over_its_gain(self):
        self.assertIn("2 independent", self.ask("check", URDF, "--base", "fixed"))
        self.give_it_a_servo()
        said = self.sweep("gains")
        self.assertIn("Result", said)
        self.assertIn("All of 3 runs", said)
        self.assertIn("gains/: runs.csv, runs.svg, runs.html", said)
        sums = self.table("gains/runs.csv")
        self.assertEqual([float(row["constants.k"]) for row in sums], list(GAINS))
        self.assertEqual({row["outcome"] for row in sums}, {"done"})
        errors = []
        for run, gain in enumerate(GAINS):
            rows = self.table(f"gains/runs/{run:06}/result.csv")
            self.assertEqual(list(rows[0]), ["time [s]", *COLUMNS])
            self.assertEqual(len(rows), 251)
            self.look_at_torque(rows, gain)
            for name in COLUMNS:
                values = [float(row[name]) for row in rows]
                for word, expected in (("least", min(values)), ("largest", max(values)), ("end", values[-1])):
                    self.assertEqual(float(sums[run][f"{word} {name}"]), expected, f"{word} {name} of run {run}")
            errors.append(abs(float(rows[-1][COLUMNS[1]]) - WANTED))
        # A stiffer servo holds the fingers nearer to where they shall be, against their weight.
        self.assertGreater(errors[0], errors[1])
        self.assertGreater(errors[1], errors[2])
        self.assertLess(errors[2], 0.08)

    def look_at_torque(self, rows, gain):
        """The law itself, and the acceleration as the slope of the velocity between frames."""
        torque, angle, speed, acceleration = ([float(row[name]) for row in rows] for name in COLUMNS)
        for k in range(len(rows)):
            self.assertAlmostEqual(torque[k], gain * (WANTED - angle[k]) - DAMPING * speed[k], delta=1e-12)
        self.assertGreater(max(map(abs, torque)), 0.1)
        largest = max(map(abs, acceleration))
        step = float(rows[1]["time [s]"])
        for k in range(1, len(rows) - 1):
            # Simpson's rule over two intervals: of fourth order.
            change = step / 3 * (acceleration[k - 1] + 4 * acceleration[k] + acceleration[k + 1])
            self.assertAlmostEqual(speed[k + 1] - speed[k - 1], change, delta=1e-3 * largest * step)

    def test_threads_change_no_digit(self):
        self.give_it_a_servo()
        self.sweep("one")
        self.sweep("two", "--threads", "2")
        for name in ("runs.csv", *(f"runs/{run:06}/result.csv" for run in range(len(GAINS)))):
            self.assertEqual(self.read(f"one/{name}"), self.read(f"two/{name}"), name)

    def test_the_chart_shows_every_run(self):
        self.give_it_a_servo()
        self.sweep("gains")
        for name in ("runs.svg", "runs.html"):
            text = self.read(f"gains/{name}")
            for word in ("servo.torque [N m]", "constants.k", "least", "largest", "at the end"):
                self.assertIn(word, text, name)
        xml.etree.ElementTree.fromstring(self.read("gains/runs.svg"))
        self.assertEqual(self.read("gains/runs.html").count("<figure>"), len(COLUMNS))

    def test_a_run_of_the_sweep_continues_with_its_columns(self):
        self.give_it_a_servo()
        self.sweep("gains")
        self.ask("simulate", "--restart", "gains/runs/000001", "--end", "0.6")
        self.file("stiff.yaml", self.read("gripper.yaml").replace("k: 0.5", "k: 0.6"))
        self.ask("simulate", "stiff.yaml", "--end", "0.6", "--output-step", "0.002", "--csv", QUANTITIES, "-o", "whole")
        self.assertEqual(self.read("gains/runs/000001/result.csv"), self.read("whole/result.csv"))


if __name__ == "__main__":
    unittest.main()
