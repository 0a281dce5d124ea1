"""What happens around a run: standard output that is closed or full, signals, two processes on one folder, ranks that are
asked to end before they are there. Nothing is lost, and what is lost is said.

usage: run_faults_test.py PROGRAM
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
import unittest

import folder

PROGRAM = os.path.abspath(sys.argv.pop())
WAIT = 120  # [s] before a test is given up
SHORT = ("--end", 0.02)
TUNED = """espalier: 1
gravity: [0, 0, 0]
active: [x]
bodies:
  - {name: first, mass: 2, inertia: [1, 1, 1]}
joints:
  - {name: spring, type: prismatic, between: [ground, first], at: {axis: [1, 0, 0]}, stiffness: 200}
tune:
  vary:
    spring: {path: joints.spring.stiffness, range: [10, 1000], scale: log}
  goals:
    - {near: [1]}
  population: 4
  generations: 100000
"""


class Folder(folder.Folder):
    program = PROGRAM

    def setUp(self):
        super().setUp()
        self.assertEqual(self.run_verb("generate", "four_bar", "-o", "model.yaml").returncode, 0)

    def begin(self, *arguments, made="run/run.json", **options):
        """A run that is under way."""
        process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            **options,
        )  # fmt: skip
        self.addCleanup(self.kill, process)
        until = time.monotonic() + WAIT
        while time.monotonic() < until and process.poll() is None and not os.path.exists(self.path(made)):
            time.sleep(0.01)
        self.assertTrue(os.path.exists(self.path(made)))
        return process

    def kill(self, process):
        if process.returncode is None:
            process.kill()
            process.communicate(timeout=WAIT)

    def end(self, process):
        output, errors = process.communicate(timeout=WAIT)
        return process.returncode, output, errors

    def outcome(self, name="run"):
        return json.loads(self.read(name + "/run.json"))["outcome"]


class Output(Folder):
    VERBS = (
        ("check", "model.yaml"),
        ("plan", "model.yaml"),
        ("modes", "tuned.yaml", "--count", 1),
        ("convert", "model.yaml", "--to", "urdf"),
        ("generate", "four_bar"),
        ("simulate", "model.yaml", *SHORT, "--no-files", "--json"),
        ("simulate", "model.yaml", "--vary", "bodies.crank.mass=1,2", *SHORT, "-o", "sweep"),
        ("tune", "tuned.yaml", "--generations", 2, "-o", "tuned"),
        ("--help",),
        ("simulate", "--help"),
    )

    def assert_said(self, answer, words):
        self.assertEqual(answer.returncode, 1, answer.stderr)
        self.assertIn("espalier: standard output cannot be written: " + words, answer.stderr)

    def with_output(self, output, *arguments, **options):
        command = [PROGRAM, *map(str, arguments)]
        return subprocess.run(
            command, cwd=self.folder, stdout=output, stderr=subprocess.PIPE, text=True, timeout=WAIT, **options
        )

    def test_that_is_full_is_said_by_every_verb(self):
        self.file("tuned.yaml", TUNED)
        for words in self.VERBS:
            with self.subTest(words), open("/dev/full", "wb") as full:
                self.assert_said(self.with_output(full, *words), "No space left on device")

    def test_that_is_full_or_closed_or_unread_does_not_stop_a_run(self):
        whole = self.document("simulate", "model.yaml", *SHORT, "-o", "whole")
        command = ("simulate", "model.yaml", *SHORT, "-o")
        with open("/dev/full", "wb") as full:
            self.assert_said(self.with_output(full, *command, "full"), "No space left on device")
        closed = self.with_output(None, *command, "closed", preexec_fn=lambda: os.close(1))
        self.assert_said(closed, "it is closed")
        reader, writer = os.pipe()
        os.close(reader)
        self.assert_said(self.with_output(writer, *command, "unread", restore_signals=True), "Broken pipe")
        os.close(writer)
        for name in ("full", "closed", "unread"):
            record = json.loads(self.read(name + "/run.json"))
            self.assertEqual((record["outcome"], record["state_hash"]), ("done", whole["state_hash"]), name)

    def test_all_streams_closed_harm_no_file(self):
        def close():
            for stream in range(3):
                os.close(stream)

        command = [PROGRAM, "simulate", "model.yaml", "--end", "0.02", "-o", "run"]
        self.assertEqual(subprocess.run(command, cwd=self.folder, preexec_fn=close, timeout=WAIT).returncode, 1)
        self.assertEqual(self.outcome(), "done")
        with open(self.path("run/result.h5"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89HDF\r\n\x1a\n")

    def test_that_is_not_needed_may_be_closed(self):
        answer = self.with_output(
            None, "simulate", "model.yaml", *SHORT, "--quiet", "-o", "run", preexec_fn=lambda: os.close(1)
        )
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))


class Signals(Folder):
    LONG = ("simulate", "model.yaml", "--end", 2e4, "-o", "run", "--quiet")

    def assert_goes_on(self):
        self.assertEqual(self.outcome(), "stopped")
        self.assertGreater(json.loads(self.read("run/run.json"))["time"], 0)
        end = json.loads(self.read("run/run.json"))["time"] + 0.01
        self.assertEqual(self.document("simulate", "--restart", "run", "--end", end)["outcome"], "done")

    def stop(self, number, times=1):
        process = self.begin(*self.LONG)
        time.sleep(0.1)
        for _ in range(times):
            process.send_signal(number)
        code, _, errors = self.end(process)
        self.assertEqual(code, 128 + number, errors)
        self.assert_goes_on()

    def test_a_terminal_that_closes_saves_the_state(self):
        self.stop(signal.SIGHUP, times=3)

    def test_a_batch_system_saves_the_state(self):
        self.stop(signal.SIGTERM)

    def test_a_limit_on_time_saves_the_state(self):
        command = [PROGRAM, *map(str, self.LONG)]
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (2, 60))
        answer = subprocess.run(
            command, cwd=self.folder, preexec_fn=limit, capture_output=True, text=True, timeout=WAIT
        )
        self.assertEqual(answer.returncode, 128 + signal.SIGXCPU, answer.stderr)
        self.assert_goes_on()

    def test_nohup_is_obeyed(self):
        process = self.begin(*self.LONG, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        time.sleep(0.2)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.end(process)[0], 128 + signal.SIGTERM)

    def test_a_file_that_may_not_grow_fails_the_run_with_words(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
        many = ("simulate", "model.yaml", "--end", 100, "--output-step", "1e-4", "-o", "run", "--quiet")
        answer = self.run_verb(*many, preexec_fn=limit)
        self.assertEqual(answer.returncode, 1, answer.stderr)
        self.assertIn("result.h5: cannot be written: File too large", answer.stderr)
        self.assertEqual(self.outcome(), "failed")


class Locks(Folder):
    def assert_locked(self, process, *arguments):
        answer = self.run_verb(*arguments)
        self.assertEqual(answer.returncode, 2, answer.stderr)
        self.assertIn(f"process {process.pid} is writing in this folder", answer.stderr)

    def test_of_a_run(self):
        process = self.begin("simulate", "model.yaml", "--end", 2e4, "-o", "run", "--quiet")
        self.assert_locked(process, "simulate", "--restart", "run", "--end", 3e4)
        self.assert_locked(process, "simulate", "model.yaml", *SHORT, "-o", "run")
        process.kill()
        self.end(process)
        # The state of the start is whole, and the lock ended with its process.
        self.assertEqual(self.document("simulate", "--restart", "run", *SHORT)["outcome"], "done")
        self.assertNotIn(".lock", os.listdir(self.path("run")))

    def test_of_a_scene(self):
        self.assertEqual(self.run_verb("generate", "stack", 2, "-o", "scene.yaml").returncode, 0)
        process = self.begin("simulate", "scene.yaml", "--end", 1000, "-o", "run", "--quiet")
        self.assert_locked(process, "simulate", "--restart", "run", "--end", 2000)

    def test_of_a_design_search(self):
        self.file("tuned.yaml", TUNED)
        process = self.begin("tune", "tuned.yaml", "-o", "run", "--quiet", made="run/checkpoint.bin")
        self.assert_locked(process, "tune", "--restart", "run")
        self.assert_locked(process, "tune", "tuned.yaml", "-o", "run")

    def test_of_many_runs(self):
        sweep = ("simulate", "model.yaml", "--vary", "bodies.crank.mass=1,2", "--end", 1e6, "-o", "run", "--quiet")
        process = self.begin(*sweep, made="run/sweep.json")
        self.assert_locked(process, *sweep)


class Ranks(Folder):
    def test_that_no_machine_has_are_refused_at_once(self):
        for ranks in (0, -1, 1_000_000, 2_000_000_000):
            for verb in (
                ("simulate", "model.yaml", "--vary", "bodies.crank.mass=1,2"),
                ("modes", "model.yaml"),
                ("tune", "model.yaml"),
            ):
                begin = time.monotonic()
                answer = self.run_verb(*verb, "--ranks", ranks)
                self.assertLess(time.monotonic() - begin, 10)
                self.assertEqual(answer.returncode, 2, answer.stderr)
                self.assertRegex(answer.stderr, f"--ranks is {ranks}; give a number from 1 to [0-9]+, 16 for each core")

    def scene(self, *arguments, **options):
        """A run on two ranks that is begun."""
        self.assertEqual(self.run_verb("generate", "stack", 2, "-o", "scene.yaml").returncode, 0)
        command = [PROGRAM, "simulate", "scene.yaml", "--ranks", "2", *arguments]
        process = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(self.kill, process)
        return process

    def skip_without_mpi(self):
        if "without MPI" in self.run_verb("modes", "model.yaml", "--ranks", 2).stderr:
            self.skipTest("built without MPI")

    def test_end_when_asked_however_early(self):
        self.skip_without_mpi()
        for number, delay in enumerate((0.02, 0.1, 0.2, 0.4)):
            with self.subTest(delay=delay):
                process = self.scene("--end", "1000", "-o", f"run{number}", stdout=subprocess.DEVNULL)
                time.sleep(delay)
                process.send_signal(signal.SIGINT)
                _, errors = process.communicate(timeout=WAIT)
                # Before it has begun to listen, the signal itself ends it.
                self.assertIn(process.returncode, (130, -signal.SIGINT), errors)

    def test_that_print_to_a_full_disk_say_so_and_save_the_run(self):
        self.skip_without_mpi()
        with open("/dev/full", "wb") as full:
            process = self.scene("--end", "0.01", "-o", "run", stdout=full)
        _, errors = process.communicate(timeout=WAIT)
        self.assertEqual(process.returncode, 1, errors)
        self.assertEqual(errors.count("espalier: standard output cannot be written"), 1, errors)
        self.assertEqual(self.outcome(), "done")


if __name__ == "__main__":
    unittest.main()
