"""Scenes with contact as a user types them: generate, simulate on ranks, stop, go on elsewhere, and what is refused.

usage: contact_cli_test.py PROGRAM PRINT_RESULT SOURCE_FOLDER
"""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

import folder

SOURCE = os.path.abspath(sys.argv.pop())
PRINT_RESULT = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
BOXES = os.path.join(SOURCE, "models", "boxes.yaml")
# What does not depend on who computed it.
SAME = (
    "time body_pose body_velocity kinetic potential total contact_end contact_bodies contact_point contact_normal "
    "contact_force contact_gap body_acceleration joint_position joint_velocity joint_acceleration joint_drive "
    "joint_passive force"
).split()

HEAD = "espalier: 1\nname: scene\nmaterials:\n  stone: {density: 2000, friction: 0.5}\nbodies:\n  - {name: ground, shapes: [{plane: {}}]}\n"
TAIL = "contact: {engine: on, margin: 0.001}\n"


def ball(name, place, **more):
    words = ", ".join(f"{key}: {value}" for key, value in more.items())
    return f"  - {{name: {name}, material: stone, pose: {{position: {place}}}, shapes: [{{sphere: {{radius: 0.5}}}}]{', ' + words if words else ''}}}\n"


class Folder(folder.Folder):
    program = PROGRAM

    def simulate(self, *arguments):
        return self.document("simulate", *arguments)

    def generate(self, *arguments):
        answer = self.run_verb("generate", *arguments, "-o", "scene.yaml")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return "scene.yaml"

    def result(self, folder):
        """{quantity: list of numbers}."""
        answer = subprocess.run([PRINT_RESULT, os.path.join(self.folder, folder, "result.h5")], capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        rows = (line.split("\t") for line in answer.stdout.splitlines())
        return {row[0]: [float.fromhex(word) for word in row[1:]] for row in rows if row[0] not in ("model", "rows", "body")}

    def assert_same(self, one, other):
        first, second = self.result(one), self.result(other)
        for quantity in SAME:
            self.assertEqual(first[quantity], second[quantity], quantity)


class Generate(Folder):
    def test_every_scene_is_a_model_that_moves(self):
        for words in (["pile", 8, "--grain", "mixed", "--seed", 4], ["stack", 3], ["arch", 7], ["beads", 3], ["silo", 4]):
            with self.subTest(words=words):
                scene = self.generate(*words)
                run = self.simulate(scene, "--end", 0.02, "--step", 0.005, "--no-files")
                self.assertEqual(run["engine"], "contact")
                self.assertEqual((run["outcome"], run["steps"], run["unconverged"]), ("done", 4, 0))
                self.assertEqual(run["notes"], [])

    def test_options_of_other_kinds_are_refused(self):
        for words, message in (
            (["stack", "--grain", "box"], "--grain belongs to pile"),
            (["pile", "--thickness", "0.1"], "--thickness belongs to arch"),
            (["stack", "--seed", "3"], "--seed belongs to"),
            (["pile", "--grain", "mixd"], "did you mean 'mixed'?"),
        ):
            answer = self.run_verb("generate", *words)
            self.assertEqual(answer.returncode, 2)
            self.assertIn(message, answer.stderr)

    def test_a_thin_arch_falls_and_a_thick_one_stands(self):
        lowest = {}
        for thickness in (0.09, 0.12):
            scene = self.generate("arch", 11, "--thickness", thickness)
            self.simulate(scene, "--end", 0.5, "--step", 0.005, "-o", f"arch-{thickness}")
            poses = self.result(f"arch-{thickness}")["body_pose"]
            bodies = len(self.result(f"arch-{thickness}")["owner"]) // len(self.result(f"arch-{thickness}")["time"])
            first, last = poses[: 7 * bodies], poses[-7 * bodies :]
            lowest[thickness] = min(b - a for a, b in zip(first[2::7], last[2::7]))
        self.assertGreater(lowest[0.12], -1e-2)
        self.assertLess(lowest[0.09], 3 * lowest[0.12])


class Simulate(Folder):
    def test_a_model_with_contact_chooses_the_engine_and_reports_in_words(self):
        answer = self.run_verb("simulate", BOXES, "--end", 0.1, "--step", 0.002, "-o", "run")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for words in ("boxes: 7 bodies, 0 joints, with contact", "Contacts", "Solver", "Wrote", "Next: ", "view run"):
            self.assertIn(words, answer.stdout)
        result = self.result("run")
        self.assertEqual(len(result["time"]), 11)
        self.assertEqual(len(result["body_pose"]), 11 * 8 * 7)
        self.assertEqual(result["contact_end"][-1], len(result["contact_gap"]))
        with open(os.path.join(self.folder, "run", "run.json"), encoding="utf-8") as file:
            run = json.load(file)
        self.assertEqual((run["engine"]["name"], run["outcome"], run["counts"]["steps"]), ("contact", "done", 50))

    def test_forces_carry_the_weight(self):
        self.simulate(BOXES, "--end", 0.05, "--step", 0.005, "--tolerance", 1e-10, "-o", "run")
        result = self.result("run")
        begin, end = (int(result["contact_end"][-2]), int(result["contact_end"][-1]))
        lift = 0
        for c in range(begin, end):
            master, slave = result["contact_bodies"][2 * c : 2 * c + 2]
            if slave == 0 and master != 7:
                lift += result["contact_force"][3 * c + 2]
        self.assertAlmostEqual(lift, 6 * 600 * 0.2**3 * 9.81, delta=1e-4)

    def test_two_ranks_write_the_same_bodies(self):
        scene = self.generate("pile", 24, "--grain", "mixed")
        options = [scene, "--end", 0.3, "--step", 0.005]
        one = self.simulate(*options, "-o", "one")
        two = self.simulate(*options, "-o", "two", "--ranks", 2)
        other = self.simulate(*options, "-o", "other", "--ranks", 2, "--storage", "redundant")
        self.assertEqual([len(run["ranks"]) for run in (one, two, other)], [1, 2, 2])
        self.assertGreater(one["contacts"], 10)
        self.assertEqual({run["state_hash"] for run in (one, two, other)}, {one["state_hash"]})
        self.assert_same("one", "two")
        self.assert_same("one", "other")
        self.assertEqual(set(self.result("two")["owner"]), {0, 1})

    def test_a_run_goes_on_with_another_number_of_ranks(self):
        scene = self.generate("pile", 20)
        whole = self.simulate(scene, "--end", 0.3, "--step", 0.005, "-o", "whole")
        # 0.13 is no multiple of the output step: its frame goes.
        self.simulate(scene, "--end", 0.135, "--step", 0.005, "-o", "parts", "--ranks", 2)
        parts = self.simulate("--restart", "parts", "--end", 0.3)
        self.assertEqual(parts["state_hash"], whole["state_hash"])
        self.assertEqual((parts["steps"], parts["frames"]), (whole["steps"], whole["frames"]))
        self.assert_same("whole", "parts")

    def test_control_c_ends_after_a_step_and_the_run_goes_on(self):
        scene = self.generate("stack", 5)
        options = ["--end", "1.2", "--step", "0.0005"]
        process = subprocess.Popen([PROGRAM, "simulate", scene, *options, "-o", "run", "--quiet"], cwd=self.folder)
        marker = os.path.join(self.folder, "run", "run.json")
        until = time.monotonic() + 60
        while not os.path.exists(marker) and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        with open(marker, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["outcome"], "stopped")
        stopped = self.simulate("--restart", "run")
        self.assertEqual(stopped["outcome"], "done")
        self.assertEqual(stopped["state_hash"], self.simulate(scene, *options, "-o", "whole")["state_hash"])
        self.assert_same("run", "whole")

    def test_what_is_turned_reaches_the_run(self):
        scene = self.generate("stack", 3)
        turned = {"--correction": 0, "--max-sweeps": 7, "--imbalance": 1.5, "--balance-every": 9}
        options = [word for pair in turned.items() for word in pair]
        self.simulate(scene, "--end", 0.01, *options, "-o", "turned")
        with open(os.path.join(self.folder, "turned", "run.json"), encoding="utf-8") as file:
            kept = json.load(file)["engine"]["options"]
        self.assertEqual([kept[key[2:].replace("-", "_")] for key in turned], list(turned.values()))
        # What decides bits stays; who computes may change.
        self.assertEqual(self.run_verb("simulate", "--restart", "turned", "--end", 0.02, "--balance-every", 3).returncode, 0)
        self.assertEqual(self.run_verb("simulate", "--restart", "turned", "--correction", 0.1).returncode, 2)
        for option, value in (("--correction", 1.5), ("--max-sweeps", 0), ("--balance-every", 0), ("--imbalance", -1)):
            refused = self.run_verb("simulate", scene, "--end", 0.01, option, value, "--no-files")
            self.assertEqual(refused.returncode, 2, option)
            self.assertIn(option[2:].split("-")[0], refused.stderr)

    def test_steps_that_do_not_converge_are_told_and_strict_fails(self):
        scene = self.generate("arch", 7)
        options = ["simulate", scene, "--end", 0.02, "--step", 0.005, "--tolerance", 1e-300, "--no-files"]
        told = self.run_verb(*options)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn("of 4 steps did not reach the tolerance 1e-300", " ".join(told.stdout.split()))
        strict = self.run_verb(*options, "--strict", "--quiet")
        self.assertEqual(strict.returncode, 1)
        self.assertIn("did not reach the tolerance", strict.stderr)


class Refuse(Folder):
    def refuse(self, text, *messages, words=()):
        scene = self.file("scene.yaml", text)
        answer = self.run_verb("simulate", scene, "--no-files", *words)
        self.assertEqual(answer.returncode, 2, answer.stdout + answer.stderr)
        for message in messages:
            self.assertIn(message, answer.stderr)
        self.assertEqual(answer.stderr.count("espalier: "), 1, answer.stderr)

    def test_options_of_the_other_engine_are_refused(self):
        text = HEAD + ball("a", [0, 0, 1]) + TAIL
        for words in (["--integrator", "runge"], ["--threads", "2"], ["--keyframe", "x"], ["--beta", "1"], ["--loop-tolerance", "1"]):
            self.refuse(text, "not for the contact engine", words=words)
        self.refuse(text, "--storage 'x' is unknown; it is one of efficient, redundant", words=["--storage", "x"])
        self.refuse(text, "--step is -1; it must be a positive number", words=["--step", "-1"])

    def test_bad_input_on_many_ranks_is_said_once(self):
        scene = self.file("scene.yaml", HEAD + "  - {name: a}\n" + TAIL)
        answer = self.run_verb("simulate", scene, "--no-files", "--ranks", 3)
        self.assertEqual(answer.returncode, 2, answer.stderr)
        self.assertEqual(answer.stderr.count("scene.yaml:7"), 1, answer.stderr)

    def test_a_run_does_not_go_on_with_another_model(self):
        scene = self.file("scene.yaml", HEAD + ball("a", [0, 0, 1]) + TAIL)
        self.simulate(scene, "--end", 0.01, "-o", "run")
        self.file("scene.yaml", HEAD + ball("a", [0, 0, 2]) + TAIL)
        answer = self.run_verb("simulate", "--restart", "run", "--end", 0.02)
        self.assertEqual(answer.returncode, 2)
        self.assertIn("not the model of the run in run, or changed since", answer.stderr)


if __name__ == "__main__":
    unittest.main()
