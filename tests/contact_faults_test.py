"""Scenes on several ranks where something breaks: a rank is killed, the user stops the run, the disk is full. Each ends
soon, with one message, a state that is whole, and a restart that gives the bits of a run in one go.

usage: contact_faults_test.py PROGRAM
"""

import json
import os
import resource
import signal
import struct
import subprocess
import sys
import time
import unittest

import folder

PROGRAM = os.path.abspath(sys.argv.pop())
STEP = 0.0005  # [s]
MAGIC = "espalier checkpoint 2 scene\n"
WAIT = 120  # [s] before a test is given up
MPIRUN = ["mpirun", "--oversubscribe", "-n", "3", PROGRAM]
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def ranks_of(parent):
    """{rank: process} below this process."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", encoding="utf-8") as file:
                words = dict(word.partition("=")[::2] for word in file.read().split("\0"))
            above = name
            while above not in ("0", str(parent)):
                with open(f"/proc/{above}/stat", encoding="utf-8") as file:
                    above = file.read().rpartition(")")[2].split()[1]
        except (OSError, ValueError):
            continue
        if "OMPI_COMM_WORLD_RANK" in words and above != "0":
            found[int(words["OMPI_COMM_WORLD_RANK"])] = int(name)
    return found


class Folder(folder.Folder):
    program = PROGRAM

    def setUp(self):
        super().setUp()
        answer = self.run_verb("generate", "stack", 5, "-o", "scene.yaml")
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def simulate(self, *arguments):
        return self.document("simulate", *arguments)

    def begin(self, launcher, *arguments):
        """A run under way that has written a checkpoint of its own."""
        command = [*launcher, "simulate", "scene.yaml", "--end", "1000", "--step", str(STEP), "--output-step", str(STEP)]
        process = subprocess.Popen(
            [*command, "--checkpoint-every", "0.05", "-o", "run", *arguments], cwd=self.folder, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, **ROOT},
        )  # fmt: skip
        self.addCleanup(process.kill)
        checkpoint, first = self.path("run/checkpoint.bin"), None
        until = time.monotonic() + WAIT
        while time.monotonic() < until and process.poll() is None:
            try:
                written = os.stat(checkpoint).st_mtime_ns
            except OSError:
                written = None
            first = first or written
            if written and written != first:
                return process
            time.sleep(0.01)
        self.fail(f"no checkpoint: {process.communicate(timeout=WAIT)}")

    def end(self, process):
        """(exit code, standard output, standard error); nothing of it is left."""
        ranks = ranks_of(process.pid)
        output, errors = process.communicate(timeout=WAIT)
        self.assert_gone(ranks)
        return process.returncode, output, errors

    def assert_gone(self, ranks):
        until = time.monotonic() + WAIT
        while time.monotonic() < until and any(os.path.exists(f"/proc/{process}") for process in ranks.values()):
            time.sleep(0.05)
        for process in ranks.values():
            self.assertFalse(os.path.exists(f"/proc/{process}"))

    def assert_goes_on(self, ranks):
        """On this many ranks, to the bits of a run in one go."""
        with open(self.path("run/run.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["engine"]["name"], "contact")
        with open(self.path("run/checkpoint.bin"), "rb") as file:
            steps = struct.unpack_from("<Q", file.read(), len(MAGIC) + 8)[0]
        end = (steps + 20) * STEP
        whole = self.simulate("scene.yaml", "--end", end, "--step", STEP, "--output-step", STEP, "-o", "whole")
        again = self.simulate("--restart", "run", "--end", end, "--ranks", ranks)
        self.assertEqual((again["outcome"], len(again["ranks"])), ("done", ranks))
        self.assertGreater(whole["contacts"], 10)
        for word in ("state_hash", "steps", "frames", "contacts"):
            self.assertEqual(again[word], whole[word], word)


class Killed(Folder):
    def kill(self, launcher, rank, *arguments):
        process = self.begin(launcher, *arguments)
        ranks = ranks_of(process.pid)
        self.assertEqual(sorted(ranks), [0, 1, 2])
        os.kill(ranks[rank], signal.SIGKILL)
        output, errors = process.communicate(timeout=WAIT)
        self.assert_gone(ranks)
        self.assertEqual(process.returncode, 137, errors)
        self.assertEqual(errors.count("espalier: "), 1, errors)
        self.assertIn(f"espalier: rank {rank} of 3 is gone", errors)
        self.assertIn("continue from the last checkpoint: espalier simulate --restart run", errors)
        self.assertNotIn("Wrote", output)
        return errors

    def test_a_rank_ends_all_and_the_run_goes_on_with_two(self):
        errors = self.kill([PROGRAM], 2, "--ranks", "3")
        self.assertEqual(len([line for line in errors.splitlines() if line and not line.startswith("t ")]), 1, errors)
        self.assert_goes_on(2)

    def test_the_root_ends_all_and_the_run_goes_on_alone(self):
        self.kill([PROGRAM], 0, "--ranks", "3")
        self.assert_goes_on(1)

    def test_a_rank_under_mpirun_ends_all(self):
        self.assertIn("mpirun noticed", self.kill(MPIRUN, 1))

    def test_the_launcher_leaves_no_ranks_behind(self):
        process = self.begin([PROGRAM], "--ranks", "3")
        ranks = ranks_of(process.pid)
        process.kill()
        process.communicate(timeout=WAIT)
        self.assert_gone(ranks)


class Stopped(Folder):
    def test_control_c_saves_the_state_and_the_run_goes_on_elsewhere(self):
        process = self.begin([PROGRAM], "--ranks", "3")
        process.send_signal(signal.SIGINT)
        code, output, errors = self.end(process)
        self.assertEqual(code, 130, errors)
        self.assertIn("espalier simulate --restart run", output)
        self.assertNotIn("espalier: ", errors)
        self.assertEqual(json.loads(self.read("run/run.json"))["outcome"], "stopped")
        self.assert_goes_on(2)

    def test_sigterm_saves_the_state(self):
        process = self.begin([PROGRAM], "--ranks", "2")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.end(process)[0], 143)
        self.assertEqual(json.loads(self.read("run/run.json"))["outcome"], "stopped")

    def test_control_c_under_mpirun_saves_the_state(self):
        # The exit code is mpirun's.
        process = self.begin(MPIRUN)
        process.send_signal(signal.SIGINT)
        code, output, _ = self.end(process)
        self.assertNotEqual(code, 0)
        self.assertIn("espalier simulate --restart run", output)
        self.assertEqual(json.loads(self.read("run/run.json"))["outcome"], "stopped")

    def test_sigusr1_of_a_batch_system_saves_the_state(self):
        process = self.begin([PROGRAM])
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(self.end(process)[0], 130)
        self.assertEqual(json.loads(self.read("run/run.json"))["outcome"], "stopped")


class Disk(Folder):
    OPTIONS = ("--end", 1000, "--step", STEP, "--output-step", STEP, "--checkpoint-every", 0.05)

    def assert_full(self, answer, words):
        self.assertEqual(answer.returncode, 1, answer.stdout + answer.stderr)
        self.assertEqual(answer.stderr.count("espalier: "), 1, answer.stderr)
        # Rows that replace others go into the journal first.
        self.assertRegex(answer.stderr, r"result\.h5(\.journal)?: cannot be written: " + words)
        self.assertEqual(json.loads(self.read("run/run.json"))["outcome"], "failed")

    def test_a_file_that_may_not_grow_fails_the_run(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

        answer = self.run_verb("simulate", "scene.yaml", *self.OPTIONS, "-o", "run", preexec_fn=limit)
        self.assert_full(answer, "File too large")

    @unittest.skipUnless(os.geteuid() == 0, "a small disk can be mounted by root alone")
    def test_a_full_disk_stops_all_ranks_with_one_message(self):
        disk = self.path("disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64t", "tmpfs", disk], capture_output=True).returncode:
            self.skipTest("no small disk can be mounted here")
        try:
            # On a disk that is small from the start the run would be refused: this one shrinks.
            shrink = 'while ! [ -e disk/run/run.json ]; do sleep 0.01; done; mount -o remount,size=4m disk'
            shrinking = subprocess.Popen(["sh", "-c", shrink], cwd=self.folder)
            answer = self.run_verb("simulate", "scene.yaml", *self.OPTIONS, "-o", "disk/run", "--ranks", 3)
            self.assertEqual(shrinking.wait(timeout=60), 0)
            subprocess.run(["cp", "-r", "disk/run", "run"], cwd=self.folder, check=True)
        finally:
            subprocess.run(["umount", disk], check=True)
        self.assert_full(answer, "No space left on device")
        self.assert_goes_on(2)


if __name__ == "__main__":
    unittest.main()
