"""Every write of a short run fails once, and at every write the run is killed once: nothing may be lost in silence, and
what was begun can always be brought to its end, with the bits of a run that nobody disturbed.

Points are the calls of the system that change files. strace counts them, and makes one of them fail or the process die.
Each engine has a run that writes frames and checkpoints after every step.

usage: write_faults_test.py PROGRAM PRINT_RESULT

By default a sample of the points, spread over the run; ESPALIER_ALL_WRITES=1 takes them all.
"""

import collections
import os
import re
import shutil
import subprocess
import sys
import unittest

import folder

PRINT_RESULT = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
ALL = os.environ.get("ESPALIER_ALL_WRITES", "") not in ("", "0")
SAMPLE = 12  # points that fail, and as many at which a run is killed, where not all are taken
# strace counts each of them by itself.
CALLS = [
    "write", "writev", "pwrite64", "pwritev", "ftruncate", "truncate", "fsync", "fdatasync", "rename", "renameat",
    "renameat2", "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "openat",
]  # fmt: skip
# LeakSanitizer does not work under ptrace.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
Point = collections.namedtuple("Point", "call number line")

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
  generations: 3
"""


def works():
    """Whether a process may be traced here."""
    if shutil.which("strace") is None:
        return False
    traced = ["strace", "-f", "-o", os.devnull, "-e", "inject=write:error=EIO:when=1", "true"]
    return subprocess.run(traced, capture_output=True).returncode == 0


def sampled(points, count, turn):
    """Spread over the whole run; another turn takes others."""
    if ALL or len(points) <= count:
        return points
    return [points[(2 * k + turn) * len(points) // (2 * count)] for k in range(count)]


@unittest.skipUnless(works(), "strace is not there, or may not trace here: no write is made to fail")
class Writes(folder.Folder):
    program = PROGRAM

    def traced(self, options, command, cwd):
        return subprocess.run(
            ["strace", "-f", "-qq", *options, "--", PROGRAM, *command], cwd=cwd, capture_output=True, text=True,
            timeout=300, env=ENVIRONMENT,
        )  # fmt: skip

    def points(self, command):
        """All of them, in the order of the run; files that are only read are none."""
        log = self.path("trace")
        cwd = self.fresh("counted")
        answer = self.traced(["-o", log, "-y", "-e", "trace=" + ",".join(CALLS), "-e", "signal=none"], command, cwd)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        counts, found, processes = collections.Counter(), [], set()
        for line in self.read("trace").splitlines():
            match = re.match(r"(\d+)\s+(\w+)\((.*)", line)
            if match is None:
                continue
            processes.add(match[1])
            counts[match[2]] += 1
            # UndefinedBehaviorSanitizer asks by a pipe of its own whether an address can be read.
            if re.match(r"([3-9]|\d\d+)<pipe:", match[3]):
                continue
            if match[2] != "openat" or "O_WRONLY" in line or "O_RDWR" in line:
                found.append(Point(match[2], counts[match[2]], line))
        self.assertEqual(len(processes), 1, "one thread is to write, or the counts mean nothing")
        return found

    def fresh(self, name):
        """A folder with the model alone in it."""
        path = self.path(name)
        shutil.rmtree(path, ignore_errors=True)
        os.mkdir(path)
        shutil.copy(self.path("model.yaml"), path)
        return path

    def names(self, cwd):
        """The files that a run leaves; a lock without its process is none, and the checkpoint before may be missing."""
        return sorted(
            name for name in os.listdir(os.path.join(cwd, "run")) if name != ".lock" and ".before." not in name
        )

    def result(self, cwd):
        """All that counts of what a run has left."""
        raise NotImplementedError

    def finish(self, command, again, cwd):
        """Brings a run that was disturbed to its end."""
        begun = os.path.exists(os.path.join(cwd, "run", self.MARK))
        answer = subprocess.run(
            [PROGRAM, *(again if begun else command)], cwd=cwd, capture_output=True, text=True, timeout=300
        )
        done = "is done" in answer.stderr  # nothing was left to do
        self.assertTrue(answer.returncode == 0 or done, (begun, answer.stdout, answer.stderr))

    def disturb(self, command, again):
        points = self.points(command)
        whole = self.result(self.path("counted"))
        failed, killed = sampled(points, SAMPLE, 0), sampled(points, SAMPLE, 1)
        for number, point in enumerate(failed):
            error = ("EIO", "ENOSPC")[number % 2]
            with self.subTest(point=point, error=error):
                self.fail_at(point, error, command, again, whole)
        for point in killed:
            with self.subTest(point=point, error="SIGKILL"):
                self.kill_at(point, command, again, whole)
        print(f"{self.id()}: {len(failed)} failed and {len(killed)} killed of {len(points)} writes", file=sys.stderr)

    def fail_at(self, point, error, command, again, whole):
        cwd = self.fresh("failed")
        inject = f"inject={point.call}:error={error}:when={point.number}"
        answer = self.traced(["-o", os.devnull, "-e", inject], command, cwd)
        if answer.returncode != 0:
            # 2 where a folder cannot be made or locked: the user may have named a wrong one.
            named = point.call.startswith("mkdir") or ".lock" in point.line
            self.assertIn(answer.returncode, (1, 2) if named else (1,), answer.stderr)
            self.assertIn("espalier: ", answer.stderr)
            self.finish(command, again, cwd)
        # Where it says that all went well, all is there.
        self.assertEqual(self.result(cwd), whole)

    def kill_at(self, point, command, again, whole):
        cwd = self.fresh("killed")
        inject = f"inject={point.call}:signal=SIGKILL:when={point.number}"
        answer = self.traced(["-o", os.devnull, "-e", inject], command, cwd)
        self.assertIn(answer.returncode, (-9, 137))
        self.finish(command, again, cwd)
        self.assertEqual(self.result(cwd), whole)


class Runs(Writes):
    MARK = "run.json"

    def result(self, cwd):
        names = self.names(cwd)
        rows = subprocess.run([PRINT_RESULT, "run/result.h5"], cwd=cwd, capture_output=True, text=True, check=True)
        with open(os.path.join(cwd, "run/run.json"), encoding="utf-8") as file:
            state = re.search(r'"state_hash": "(\w+)"', file.read())[1]
        csv = os.path.join(cwd, "run/result.csv")
        with open(csv if os.path.exists(csv) else os.devnull, encoding="utf-8") as file:
            return names, rows.stdout, state, file.read()

    def run_is_whole(self, *options):
        command = ["simulate", "model.yaml", "--checkpoint-every", "1e-9", "-o", "run", *options]
        self.disturb(command, ["simulate", "--restart", "run", "--quiet"])

    def test_of_a_mechanism(self):
        self.assertEqual(self.run_verb("generate", "four_bar", "-o", "model.yaml").returncode, 0)
        self.run_is_whole("--integrator", "fixed", "--step", "0.01", "--end", "0.02", "--csv", "--json")

    def test_of_a_scene(self):
        self.assertEqual(self.run_verb("generate", "stack", 2, "-o", "model.yaml").returncode, 0)
        self.run_is_whole("--step", "0.001", "--output-step", "0.001", "--end", "0.002")


class Searches(Writes):
    MARK = "checkpoint.bin"

    def result(self, cwd):
        texts = []
        for name in ("history.csv", "best.yaml"):
            with open(os.path.join(cwd, "run", name), encoding="utf-8") as file:
                texts.append(file.read())
        return self.names(cwd), texts

    def test_of_a_design_search(self):
        self.file("model.yaml", TUNED)
        command = ["tune", "model.yaml", "--threads", "1", "-o", "run"]
        self.disturb(command, ["tune", "--restart", "run", "--threads", "1", "--quiet"])


class Sweeps(Writes):
    MARK = "sweep.json"

    def result(self, cwd):
        with open(os.path.join(cwd, "run/runs.csv"), encoding="utf-8") as file:
            return file.read(), self.names(cwd)

    def test_of_many_runs(self):
        self.assertEqual(self.run_verb("generate", "four_bar", "-o", "model.yaml").returncode, 0)
        command = ["simulate", "model.yaml", "--vary", "bodies.crank.mass=1,2", "--end", "0.01", "-o", "run"]
        self.disturb(command, command)


if __name__ == "__main__":
    unittest.main()
