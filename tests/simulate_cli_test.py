"""The verb simulate as a user types it: what it prints and writes, how it is stopped and goes on, what it refuses.

usage: simulate_cli_test.py PROGRAM PRINT_RESULT SOURCE_FOLDER
"""

import csv
import fcntl
import json
import math
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
import unittest

import folder

SOURCE = os.path.abspath(sys.argv.pop())
PRINT_RESULT = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
MODELS = os.path.join(SOURCE, "models")
FOUR_BAR = os.path.join(MODELS, "four_bar.yaml")
FIELDS = (
    "model file outcome message time end_time integrator tolerance frames steps rejected evaluations loop_distance "
    "loop_angle energy_error energy_scale energy_error_relative seconds setup_seconds real_time_factor state_hash plan folder files next"
).split()
FREE = "espalier: 1\nname: stone\nbodies: [{name: a, mass: 1, inertia: [1, 2, 2.5], velocity: {angular: [0.1, 3, 0.2]}}]\n"


class Folder(folder.Folder):
    program = PROGRAM
    verb = ("simulate",)

    def simulate(self, *arguments):
        return self.document(*arguments)

    def result(self, folder):
        """{quantity: list of numbers as text}, and the names."""
        answer = subprocess.run([PRINT_RESULT, os.path.join(self.folder, folder, "result.h5")], capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer.stdout

    def numbers(self, folder, quantity):
        lines = [line.split("\t") for line in self.result(folder).splitlines()]
        return [float.fromhex(number) for number in [line for line in lines if line[0] == quantity][-1][1:]]

    def record(self, folder):
        with open(self.path(os.path.join(folder, "run.json"))) as file:
            return json.load(file)


class Runs(Folder):
    def test_four_bar_for_a_second(self):
        answer = self.run_verb(FOUR_BAR, "-o", "run")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for word in ("four-bar: 3 bodies, 4 joints, 1 loop", "Tree", "root ground", "cut", "proved", "Loops", "Energy", "real time", "run/: run.json, result.h5, checkpoint.bin", "Next", "view run"):
            self.assertIn(word, answer.stdout)
        self.assertEqual(answer.stderr, "")
        self.assertEqual(sorted(os.listdir(self.path("run"))), ["checkpoint.before.bin", "checkpoint.bin", "result.h5", "run.json"])
        record = self.record("run")
        self.assertEqual((record["outcome"], record["time"], record["counts"]["frames"]), ("done", 1, 101))
        self.assertEqual(record["command"], f"espalier simulate {FOUR_BAR} -o run")
        self.assertEqual(record["plan"]["root"], "ground")
        self.assertEqual(len(record["model"]["hash"]), 16)
        times = self.numbers("run", "time")
        self.assertEqual(len(times), 101)
        self.assertEqual((times[0], times[-1]), (0, 1))
        self.assertLess(max(self.numbers("run", "loop_distance")), 1e-9)
        balance = [k + p - x for k, p, x in zip(*(self.numbers("run", q) for q in ("kinetic", "potential", "exchanged")))]
        self.assertLess(max(balance) - min(balance), 1e-4 * max(self.numbers("run", "kinetic")))

    def test_json_is_one_document_with_all_fields(self):
        document = self.simulate(FOUR_BAR, "-o", "run", "-t", 0.5, "--csv")
        for field in FIELDS:
            self.assertIn(field, document)
        self.assertEqual(document["outcome"], "done")
        self.assertEqual(document["files"], ["run.json", "result.h5", "result.csv", "checkpoint.bin"])
        self.assertEqual(document["plan"]["root"], "ground")
        self.assertLess(document["energy_error_relative"], 1e-3)
        self.assertEqual(document["state_hash"], self.record("run")["state_hash"])

    def test_csv_holds_the_numbers_of_the_result(self):
        self.simulate(FOUR_BAR, "-o", "run", "-t", 0.2, "--csv")
        with open(self.path("run/result.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["time", "A", "B", "C", "D", "kinetic", "potential", "exchanged", "total", "loop_distance", "loop_angle"])
        for quantity in ("time", "kinetic", "potential", "exchanged", "total", "loop_distance", "loop_angle"):
            self.assertEqual([float(row[quantity]) for row in rows], self.numbers("run", quantity))
        positions = self.numbers("run", "joint_position")
        self.assertEqual([float(row[joint]) for row in rows for joint in "ABCD"], positions)

    def test_folders_are_numbered_and_never_overwritten(self):
        for number in (1, 2):
            document = self.simulate(FOUR_BAR, "-t", 0.02)
            self.assertEqual(document["folder"], f"four_bar-{number}")
        self.assert_refused(["four_bar-1", "holds a run already", "--restart"], FOUR_BAR, "-o", "four_bar-1", "--quiet")
        self.assertEqual(self.simulate(FOUR_BAR, "-t", 0.02, "--no-files")["folder"], "")
        self.assertEqual(sorted(os.listdir(self.folder)), ["four_bar-1", "four_bar-2"])

    def test_quiet_says_nothing(self):
        answer = self.run_verb(FOUR_BAR, "-t", 0.1, "-o", "run", "--quiet")
        self.assertEqual((answer.returncode, answer.stdout, answer.stderr), (0, "", ""))

    def test_floating_bodies_and_no_gravity(self):
        model = self.file("stone.yaml", FREE + "gravity: [0, 0, 0]\n")
        document = self.simulate(model, "-t", 2, "-o", "run")
        self.assertEqual(document["plan"]["cut"], [])
        kinetic = self.numbers("run", "kinetic")
        self.assertAlmostEqual(kinetic[0], 0.5 * (0.1**2 + 2 * 3**2 + 2.5 * 0.2**2), places=12)
        self.assertLess(max(kinetic) - min(kinetic), 1e-4 * kinetic[0])

    def test_every_integrator_reaches_the_end(self):
        ends = {}
        for integrator in ("auto", "runge", "fixed", "implicit"):
            step = ["--step", 1e-3] if integrator == "fixed" else ["--tolerance", 1e-7]
            document = self.simulate(FOUR_BAR, "-t", 0.3, "-o", integrator, "--integrator", integrator, *step)
            self.assertEqual(document["time"], 0.3)
            ends[integrator] = self.numbers(integrator, "joint_position")[-4]
        for end in ends.values():
            self.assertAlmostEqual(end, ends["runge"], places=4)

    def test_nothing_is_wider_than_a_narrow_terminal(self):
        answer = self.run_verb(FOUR_BAR, "-t", 0.1, "-o", "run", env={**os.environ, "COLUMNS": "60"})
        for line in answer.stdout.splitlines():
            self.assertLessEqual(len(line), 60, line)

    def test_progress_is_one_line_on_a_terminal(self):
        main, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        command = [PROGRAM, "simulate", FOUR_BAR, "-t", "1e9", "--no-files"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=other, cwd=self.folder)
        shown = b""
        while shown.count(b"ETA") < 2 and len(shown) < 4000:
            shown += os.read(main, 1000)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        os.close(main)
        os.close(other)
        for line in shown.decode().split("\r\033[K")[1:]:
            self.assertLessEqual(len(line), 59, line)
            self.assertNotIn("\n", line)
        for word in ("t ", "%", "x ", "ETA", "loop", "energy"):
            self.assertIn(word, shown.decode())


class Plans(Folder):
    def test_a_saved_plan_is_used(self):
        plan = self.path("plan.json")
        subprocess.run([PROGRAM, "plan", FOUR_BAR, "--cut", "A", "-o", plan], capture_output=True, check=True)
        document = self.simulate(FOUR_BAR, "--plan", plan, "-t", 0.1, "-o", "run")
        self.assertEqual(document["plan"]["cut"], ["A"])
        names = [line for line in self.result("run").splitlines() if line.startswith("q\t")][0]
        self.assertEqual(sorted(names.split("\t")[1:]), ["B [rad]", "C [rad]", "D [rad]"])
        again = self.simulate(FOUR_BAR, "--plan", "run/run.json", "-t", 0.1, "-o", "again")
        self.assertEqual(self.result("again"), self.result("run"))
        self.assertEqual(again["state_hash"], document["state_hash"])

    def test_trees_give_the_same_motion(self):
        ends = []
        for joint in "ABCD":
            plan = self.path(joint + ".json")
            subprocess.run([PROGRAM, "plan", FOUR_BAR, "--cut", joint, "-o", plan], capture_output=True, check=True)
            self.simulate(FOUR_BAR, "--plan", plan, "-t", 0.5, "-o", joint, "--tolerance", 1e-9)
            ends.append(self.numbers(joint, "body_pose")[-28:])
        for end in ends[1:]:
            for a, b in zip(ends[0], end):
                self.assertAlmostEqual(a, b, places=6)

    def test_words_of_plan_choose_the_tree(self):
        document = self.simulate(FOUR_BAR, "-t", 0.05, "--no-files", "--root", "coupler", "--objective", "scbst")
        self.assertEqual((document["plan"]["root"], document["plan"]["objective"]), ("coupler", "scbst"))

    def test_plans_that_do_not_fit_are_refused(self):
        plan = self.path("plan.json")
        governor = os.path.join(MODELS, "governor.yaml")
        subprocess.run([PROGRAM, "plan", governor, "-o", plan], capture_output=True, check=True)
        self.assert_refused([plan, "another model"], FOUR_BAR, "--plan", plan)
        self.assert_refused("no such file", FOUR_BAR, "--plan", self.path("none.json"))
        self.assert_refused("leave --objective, --beta and --root out", FOUR_BAR, "--plan", plan, "--beta", 2)
        self.assert_refused("not a plan", FOUR_BAR, "--plan", self.file("empty.json", "{}"))


class Stops(Folder):
    """A run that is stopped and goes on leaves what one that was never stopped leaves."""

    def start(self, *arguments, frames=5):
        """Starts a long run and waits until some frames are in its file."""
        process = subprocess.Popen([PROGRAM, "simulate", FOUR_BAR, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        file = self.path("run/result.h5")
        for _ in range(600):
            time.sleep(0.1)
            shown = subprocess.run([PRINT_RESULT, file], capture_output=True, text=True).stdout
            if "rows\t" in shown and int(shown.split("rows\t")[1].split("\n")[0]) >= frames:
                return process
            if process.poll() is not None:
                break
        process.kill()
        self.fail("no frames: " + process.stderr.read().decode())

    LONG = ("-t", "1e5", "-o", "run", "--output-step", "0.0625", "--csv")

    def finish(self, stop_time):
        """Continues to a frame past the stop."""
        end = (int(stop_time / 0.0625) + 20) * 0.0625
        answer = self.run_verb("--restart", "run", "--end", end, "--quiet")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return end

    def test_ctrl_c_keeps_everything_and_the_run_goes_on(self):
        process = self.start(*self.LONG)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        record = self.record("run")
        self.assertEqual(record["outcome"], "stopped")
        self.assertEqual(len(self.numbers("run", "time")), record["counts"]["frames"])
        end = self.finish(record["time"])
        self.simulate(FOUR_BAR, "-t", end, "-o", "whole", "--output-step", "0.0625", "--csv")
        self.assert_same("run", "whole")
        self.assertEqual(self.record("run")["outcome"], "done")
        self.assertEqual(self.record("run")["counts"]["steps"], self.record("whole")["counts"]["steps"])

    def test_a_killed_run_goes_on_from_its_checkpoint(self):
        process = self.start(*self.LONG, "--checkpoint-every", "0.2")
        process.kill()
        process.wait(timeout=60)
        self.assertEqual(self.record("run")["outcome"], "running")
        end = self.finish(self.numbers("run", "time")[-1])
        self.simulate(FOUR_BAR, "-t", end, "-o", "whole", "--output-step", "0.0625", "--csv")
        self.assert_same("run", "whole")

    def assert_same(self, folder, other):
        self.assertEqual(self.result(folder), self.result(other))
        with open(self.path(folder + "/result.csv")) as a, open(self.path(other + "/result.csv")) as b:
            self.assertEqual(a.read(), b.read())
        self.assertEqual(self.record(folder)["state_hash"], self.record(other)["state_hash"])

    def test_a_run_that_is_done_goes_on_to_a_later_end(self):
        self.simulate(FOUR_BAR, "-t", 0.2, "-o", "run")
        self.assert_refused(["is done", "--end"], "--restart", "run")
        self.assert_refused("has reached", "--restart", "run", "--end", 0.1)
        self.assertEqual(self.simulate("--restart", "run", "--end", 0.4)["frames"], 41)
        self.assertEqual(len(self.numbers("run", "time")), 41)

    def test_wrong_restarts_are_refused(self):
        model = self.path("m.yaml")
        with open(FOUR_BAR) as file:
            text = file.read()
        self.file("m.yaml", text)
        self.simulate(model, "-t", 0.1, "-o", "run")
        self.assert_refused("no run.json", "--restart", "nowhere")
        self.assert_refused("options of the run", "--restart", "run", "--tolerance", 1e-3)
        self.file("m.yaml", text.replace("density: 7850", "density: 7851"))
        self.assert_refused([model, "changed since"], "--restart", "run", "--end", 1)
        self.file("m.yaml", "# Only a comment more.\n" + text)
        self.file("bad.bin", "x")
        os.rename(self.path("run/checkpoint.bin"), self.path("good.bin"))
        os.remove(self.path("run/checkpoint.before.bin"))
        self.assert_refused("no such file", "--restart", "run", "--end", 1)
        os.rename(self.path("bad.bin"), self.path("run/checkpoint.bin"))
        self.assert_refused("not a checkpoint", "--restart", "run", "--end", 1)
        governor = os.path.join(MODELS, "governor.yaml")
        self.simulate(governor, "-t", 0.01, "-o", "other")
        os.replace(self.path("other/checkpoint.bin"), self.path("run/checkpoint.bin"))
        self.assert_refused("made by another run", "--restart", "run", "--end", 1)
        os.replace(self.path("good.bin"), self.path("run/checkpoint.bin"))
        self.assertEqual(self.simulate("--restart", "run", "--end", 0.2)["outcome"], "done")

    def test_the_checkpoint_before_stands_in_for_a_damaged_one(self):
        whole = self.simulate(FOUR_BAR, "-t", 0.1, "-o", "whole")
        self.simulate(FOUR_BAR, "-t", 0.05, "-o", "run")
        with open(self.path("run/checkpoint.bin"), "r+b") as file:
            file.truncate(100)
        again = self.simulate("--restart", "run", "--end", 0.1)
        self.assertIn("continues from the checkpoint before it", again["notes"][0])
        self.assertEqual(again["state_hash"], whole["state_hash"])
        self.assertEqual(self.numbers("run", "time"), self.numbers("whole", "time"))


class Sweeps(Folder):
    VARY = ("--vary", "joints.A.velocity=0:100", "--vary", "gravity.2=-9.81,-1.62", "--runs", "3", "-t", "0.1")

    def setUp(self):
        super().setUp()
        with open(FOUR_BAR) as file:
            self.model = self.file("m.yaml", file.read() + "gravity: [0, 0, -9.81]\n")

    def table(self, folder):
        with open(self.path(folder + "/runs.csv"), newline="") as file:
            return list(csv.DictReader(file))

    def test_every_run_stands_in_the_table(self):
        document = self.simulate(self.model, *self.VARY, "-o", "s")
        self.assertEqual((document["runs"], document["computed"], document["complete"], document["failed"]), (6, 6, True, 0))
        rows = self.table("s")
        self.assertEqual([row["run"] for row in rows], ["0", "1", "2", "3", "4", "5"])
        self.assertEqual([row["gravity.2"] for row in rows], ["-9.81"] * 3 + ["-1.62"] * 3)
        self.assertEqual({row["outcome"] for row in rows}, {"done"})
        self.assertEqual(len({row["position A"] for row in rows}), 6)

    def test_threads_ranks_and_restarts_leave_the_same_table(self):
        self.simulate(self.model, *self.VARY, "-o", "one")
        self.simulate(self.model, *self.VARY, "-o", "threads", "--threads", 2)
        self.assertEqual(self.simulate(self.model, *self.VARY, "-o", "one")["computed"], 0)
        os.remove(self.path("one/blocks/000002.csv"))
        self.assertEqual(self.simulate(self.model, *self.VARY, "-o", "one")["computed"], 1)
        self.assertEqual(self.table("one"), self.table("threads"))
        answer = self.run_verb(self.model, *self.VARY, "-o", "ranks", "--ranks", 2, "--json")
        if "built without MPI" in answer.stderr:
            self.skipTest("built without MPI")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(json.loads(answer.stdout)["ranks"], 2)
        self.assertEqual(self.table("one"), self.table("ranks"))

    def test_a_file_says_the_same(self):
        text = "samples: 3\nvary:\n  joints.A.velocity: {range: [0, 100]}\n  gravity.2: {values: [-9.81, -1.62]}\n"
        self.simulate(self.model, "--sweep", self.file("s.yaml", text), "-t", 0.1, "-o", "file", "--frames")
        self.simulate(self.model, *self.VARY, "-o", "words")
        self.assertEqual(self.table("file"), self.table("words"))
        self.assertEqual(self.record("file/runs/000005")["state_hash"], self.table("file")[5]["state_hash"])
        self.assertEqual(len(self.numbers("file/runs/000005", "time")), 11)
        self.assertEqual(self.simulate("--restart", "file/runs/000005", "--end", 0.2)["frames"], 21)

    def test_mistakes_are_refused(self):
        for words, arguments in (
            ("did you mean 'crank'?", ["--vary", "bodies.crnk.mass=1:2"]),
            ("PATH=low:high", ["--vary", "gravity.2"]),
            ("varies twice", ["--vary", "gravity.2=1:2", "--vary", "gravity.2=1,2"]),
            ("nothing is random", ["--vary", "gravity.2=1,2", "--runs", 3]),
            ("no such file", ["--sweep", "nowhere.yaml"]),
            ("nowhere.json", ["--vary", "gravity.2=1,2", "--plan", "nowhere.json"]),
            ("--csv of many runs names quantities", ["--vary", "gravity.2=1,2", "--csv"]),
            ("did you mean 'A.velocity'?", ["--vary", "gravity.2=1,2", "--csv", "A.velocty"]),
            ("--restart and --no-files are for a single run", ["--vary", "gravity.2=1,2", "--no-files"]),
            ("say with --vary or --sweep what varies", ["--runs", 3]),
            ("not a number", ["--vary", "bodies.crank.name=1,2"]),
        ):
            with self.subTest(words):
                self.assert_refused(words, self.model, *arguments)
        self.assertEqual(os.listdir(self.folder), ["m.yaml"])


class Quantities(Folder):
    """Chosen columns, and what is told of a result before it is written."""

    def rows(self, name):
        with open(self.path(name + "/result.csv"), newline="") as file:
            return list(csv.DictReader(file))

    def test_chosen_columns_are_those_of_the_result(self):
        words = "A, crank.acceleration, motor, B.reaction.x, *.velocity.rz, energy.kinetic"
        self.simulate(FOUR_BAR, "-o", "run", "-t", 0.2, "--csv", words)
        rows = self.rows("run")
        heads = list(rows[0])
        self.assertEqual(heads[:5], ["time [s]", "A.position [rad]", "A.velocity [rad/s]", "A.acceleration [rad/s^2]", "A.torque [N m]"])
        self.assertIn("crank.acceleration.x [m/s^2]", heads)
        self.assertIn("motor.torque [N m]", heads)
        self.assertEqual(heads[-1], "energy.kinetic [J]")
        self.assertEqual([float(row["energy.kinetic [J]"]) for row in rows], self.numbers("run", "kinetic"))
        drawn = self.numbers("run", "joint_drive")
        self.assertEqual([float(row["A.torque [N m]"]) for row in rows], drawn[0::4])
        self.assertEqual([float(row["motor.torque [N m]"]) for row in rows], self.numbers("run", "force"))
        for row in rows:
            self.assertAlmostEqual(float(row["motor.torque [N m]"]), 0.5 * math.sin(2 * math.pi * float(row["time [s]"])), delta=1e-12)
        self.assertEqual(self.record("run")["options"]["quantities"], words)

    def test_a_word_behind_csv_may_be_the_model(self):
        self.simulate("--csv", FOUR_BAR, "-o", "run", "-t", 0.1)
        self.assertEqual(list(self.rows("run")[0])[:2], ["time", "A"])
        self.assertNotIn("quantities", self.record("run")["options"])

    def test_a_continued_run_writes_the_same_table(self):
        words = "*.acceleration,*.torque,*.passive"
        self.simulate(FOUR_BAR, "-o", "whole", "-t", 0.4, "--csv", words)
        self.simulate(FOUR_BAR, "-o", "part", "-t", 0.2, "--csv", words, "--threads", 2)
        self.simulate("--restart", "part", "--end", 0.4)
        self.assertEqual(self.read("whole/result.csv"), self.read("part/result.csv"))

    def test_names_that_name_nothing_are_refused(self):
        self.assert_refused(["no quantity is called 'A.torqe'", "did you mean 'A.torque'?", "of joints (A, B, C, D)"], FOUR_BAR, "--csv", "A.torqe")
        self.assert_refused("--csv names no quantity", FOUR_BAR, "--csv", " , ")
        self.assert_refused("--csv cannot change", "--restart", "run", "--csv", "energy")
        self.assertEqual(os.listdir(self.folder), [])

    def test_the_size_of_a_result_is_told_before_the_run(self):
        answer = self.run_verb(FOUR_BAR, "-t", 0.5, "-o", "run")
        head, _, rest = answer.stdout.partition("\nRun ")
        told = re.search(r"^Result  about ([0-9.]+) kB in 51 frames$", head, re.MULTILINE)
        self.assertTrue(told, answer.stdout)
        written = sum(8 * len(line.split("\t")[1:]) for line in self.result("run").splitlines())
        self.assertLess(abs(float(told[1]) * 1000 - written), 0.1 * written)
        self.assertNotIn("Result", self.run_verb(FOUR_BAR, "-t", 0.5, "--no-files").stdout)

    def test_more_frames_than_any_disk_holds_are_refused(self):
        scene = self.file("scene.yaml", FREE + "contact: {}\n")
        for model in (FOUR_BAR, scene):
            self.assert_refused(["--output-step is 1e-18", "1e+18 frames", "are too many"], model, "--output-step", 1e-18)
            step = ("--step", 1e-14) if model == scene else ()
            self.assert_refused(["PB in 1e+14 frames", "are free in", "longer --output-step"], model, "--output-step", 1e-14, *step)
        vary = ("--vary", "gravity.2=1,2")
        self.assert_refused(["1e+18 frames", "are too many"], FOUR_BAR, *vary, "--output-step", 1e-18)
        self.assert_refused(["PB in 2e+14 frames", "are free in"], FOUR_BAR, *vary, "--frames", "--output-step", 1e-14)
        self.assertEqual(os.listdir(self.folder), ["scene.yaml"])


class Refusals(Folder):
    def test_bad_options(self):
        for words, arguments in (
            ("no model is named", []),
            ("no such file", ["nowhere.yaml"]),
            ("--end is -1", [FOUR_BAR, "--end=-1"]),
            ("--output-step is 0", [FOUR_BAR, "--output-step", 0]),
            ("--tolerance", [FOUR_BAR, "--tolerance", "inf"]),
            ("did you mean 'runge'?", [FOUR_BAR, "--integrator", "rung"]),
            ("--step is for --integrator fixed", [FOUR_BAR, "--step", 1e-3]),
            ("--threads is 0", [FOUR_BAR, "--threads", 0]),
            ("did you mean 'mccst'?", [FOUR_BAR, "--objective", "mcst"]),
            ("did you mean 'crank'?", [FOUR_BAR, "--root", "crnk"]),
            ("the model has no keyframe", [FOUR_BAR, "--keyframe", "home"]),
            ("--engine 'x' is unknown", [FOUR_BAR, "--engine", "x"]),
            ("contradict", [FOUR_BAR, "--no-files", "--csv"]),
        ):
            with self.subTest(words):
                self.assert_refused(words, *arguments)
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_would_change_the_answer_is_refused(self):
        contact = self.file("contact.yaml", FREE + "contact: {engine: on}\n")
        self.assert_refused(["contact", "--engine recursive"], contact, "--vary", "gravity.2=-9.81,-1.62")
        self.assert_refused(["scenes with contact"], contact, "--engine", "recursive", "--solver", "newton")
        self.assertEqual(self.simulate(contact, "-t", 0.1, "--engine", "recursive", "--no-files")["outcome"], "done")
        self.assert_refused(["is of kind beam", "kind: rigid"], os.path.join(MODELS, "stepped_beam.yaml"))

    def test_a_folder_that_cannot_be_written_is_said(self):
        self.file("file", "text")
        self.assert_refused("Not a directory", FOUR_BAR, "-o", "file/run", "--quiet", code=1)

    @unittest.skipUnless(hasattr(os, "geteuid") and os.geteuid() == 0, "a small disk can be mounted by root alone")
    def test_a_full_disk_keeps_what_was_computed(self):
        disk = self.path("disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64t", "tmpfs", disk], capture_output=True).returncode:
            self.skipTest("no small disk can be mounted here")
        try:
            # On a disk that is small from the start the run would be refused: this one shrinks.
            command = [PROGRAM, "simulate", FOUR_BAR, "-t", "1e7", "--output-step", "1e-3", "-o", "disk/run"]
            process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            while not os.path.exists(self.path("disk/run/run.json")):
                time.sleep(0.01)
            subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
            errors = process.communicate(timeout=300)[1]
            self.assertEqual(process.returncode, 1, errors)
            self.assertIn("No space left on device", errors)
            times = self.numbers("disk/run", "time")
            self.assertGreater(len(times), 100)
            self.assertEqual(times, [k * 1e-3 for k in range(len(times))])
        finally:
            subprocess.run(["umount", disk], check=True)


if __name__ == "__main__":
    unittest.main()
