"""The verb tune as a user types it: what it prints and writes, how it stops and goes on, what it refuses.

usage: tune_cli_test.py PROGRAM SOURCE_FOLDER
"""

import csv
import json
import os
import signal
import subprocess
import sys
import time
import unittest

from folder import Folder, read_search, skip_without_mpi

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
LAUNCHER = os.path.join(SOURCE, "models/mlrs.yaml")
# Two masses on springs along x; both frequencies are wanted.
MASSES = """espalier: 1
gravity: [0, 0, 0]
active: [x]
bodies:
  - {name: first, mass: 2, inertia: [1, 1, 1]}
  - {name: second, mass: 1, inertia: [1, 1, 1], pose: {position: [1, 0, 0]}}
joints:
  - {name: spring, type: prismatic, between: [ground, first], at: {axis: [1, 0, 0]}, stiffness: 200}
  - {name: link, type: prismatic, between: [first, second], at: {axis: [1, 0, 0]}, stiffness: 500}
tune:
  vary:
    spring: {path: joints.spring.stiffness, range: [10, 1000], scale: log}
    link: {path: joints.link.stiffness, range: [10, 1000], scale: log}
  goals:
    - {near: [1, 3], reference: {experiment: [1.1, 3.3]}}
    - {avoid: [0.1, 0.2]}
  population: 12
  generations: 40
"""
FRONT = """vary: {m: {path: bodies.second.mass, range: [0.5, 4]}}
goals: [{minimise: {frequency: 1}}, {minimise: mass}]
population: 8
generations: 5
pareto: true
"""


class Tune(Folder):
    program = PROGRAM
    verb = ("tune",)

    def setUp(self):
        super().setUp()
        self.model = self.file("masses.yaml", MASSES)

    def run_tune(self, *words, columns=80):
        return self.run_verb(*words, env={**os.environ, "COLUMNS": str(columns)})

    def tuned(self, *words):
        answer = self.run_tune(*words, "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return json.loads(answer.stdout)

    def refused(self, *words):
        answer = self.run_tune(*words)
        self.assertEqual(answer.returncode, 2, answer.stdout + answer.stderr)
        self.assertEqual(answer.stdout, "")
        return answer.stderr

    def checkpoint(self, folder):
        state = read_search(os.path.join(folder, "checkpoint.bin"))
        del state["seconds"]
        return state

    def test_prints_tables_and_writes_a_folder(self):
        answer = self.run_tune(self.model, "-o", self.path("out"))
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for word in ("target", "experiment", "proved", "spring", "avoid 0.1 to 0.2 Hz", "espalier modes"):
            self.assertIn(word, answer.stdout)
        names = sorted(os.listdir(self.path("out")))
        self.assertEqual(
            names,
            [
                "bands.svg",
                "best.yaml",
                "checkpoint.before.bin",
                "checkpoint.bin",
                "fitness.svg",
                "frequencies.svg",
                "history.csv",
                "index.html",
                "tune.json",
            ],
        )
        with open(self.path("out/history.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 40)
        best = [float(row["best"]) for row in rows]
        self.assertEqual(best, sorted(best, reverse=True))
        self.assertAlmostEqual(float(rows[-1]["frequency 1"]), 1, delta=0.01)
        self.assertAlmostEqual(float(rows[-1]["frequency 2"]), 3, delta=0.03)

    def test_the_best_model_has_the_frequencies(self):
        found = self.tuned(self.model, "-o", self.path("out"))
        self.assertEqual(found["best"]["certainty"], "proved")
        modes = subprocess.run(
            [PROGRAM, "modes", self.path("out/best.yaml"), "--count", "2", "--json"], capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        for mode, frequency in zip(json.loads(modes.stdout)["modes"], found["best"]["frequencies"]):
            self.assertAlmostEqual(mode["frequency"] / frequency, 1, delta=1e-12)

    def test_ranks_and_threads_do_not_change_a_bit(self):
        alone = self.tuned(self.model, "--generations", 8, "-o", self.path("one"), "--threads", 1)
        for words in (("--threads", 3), ("--ranks", 2), ("--ranks", 4)):
            folder = self.path("several" + words[0] + str(words[1]))
            other = self.tuned(self.model, "--generations", 8, "-o", folder, *words)
            self.assertEqual(other["parameters"], alone["parameters"])
            self.assertEqual(other["best"], alone["best"])
            self.assertEqual(self.checkpoint(folder), self.checkpoint(self.path("one")))

    def test_a_stopped_search_goes_on_to_the_same_bits(self):
        words = [self.model, "--generations", "150", "--threads", "1"]
        self.tuned(*words, "-o", self.path("whole"))
        process = subprocess.Popen(
            [PROGRAM, "tune", *words, "-o", self.path("halves")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        while not os.path.exists(self.path("halves/checkpoint.bin")) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130)
        self.assertIn("--restart", out + error)
        self.assertLess(self.checkpoint(self.path("halves"))["generation"], 150)
        self.tuned("--restart", self.path("halves"), "--ranks", 2)
        self.assertEqual(self.checkpoint(self.path("halves")), self.checkpoint(self.path("whole")))

    def test_several_goals_have_a_front(self):
        study = self.file("front.yaml", FRONT)
        found = self.tuned(self.model, "--study", study, "-o", self.path("out"))
        self.assertGreater(len(found["front"]), 1)
        with open(self.path("out/front.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(found["front"]))
        self.assertEqual(list(rows[0]), ["minimise frequency 1", "minimise mass", "m"])
        self.assertIn("front.svg", os.listdir(self.path("out")))
        swarm = self.refused(self.model, "--study", study, "--algorithm", "pso", "-o", self.path("pso"))
        self.assertIn("is for one goal", swarm)

    def test_the_launcher_searches(self):
        found = self.tuned(LAUNCHER, "--population", 4, "--generations", 2, "-o", self.path("out"))
        self.assertEqual(len(found["targets"]), 10)
        self.assertEqual(len(found["reference"]["experiment"]), 10)
        self.assertLessEqual(found["value"], sum(goal["value"] for goal in found["drawn"]["goals"]))
        self.assertEqual(found["best"]["certainty"], "proved")
        self.assertEqual(len(found["parameters"]), 16)

    def test_fits_a_narrow_terminal(self):
        answer = self.run_tune(self.model, "--generations", 2, "-o", self.path("out"), columns=60)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertTrue(all(len(line) <= 60 for line in answer.stdout.splitlines()), answer.stdout)

    def test_quiet_says_nothing(self):
        answer = self.run_tune(self.model, "--generations", 2, "--quiet", "-o", self.path("out"))
        self.assertEqual((answer.returncode, answer.stdout, answer.stderr), (0, "", ""))

    def test_bad_words_are_refused(self):
        self.assertIn("--population is 3; give a number from 4", self.refused(self.model, "--population", 3))
        self.assertIn("--generations is 0", self.refused(self.model, "--generations", 0))
        self.assertIn("--threads is 0", self.refused(self.model, "--threads", 0))
        self.assertIn("did you mean 'genetic'", self.refused(self.model, "--algorithm", "genetik"))
        self.assertIn("give a model file", self.refused())
        self.assertIn("--pareto needs two goals", self.refused(self.model, "--pareto"))
        self.assertIn("no section `tune`", self.refused(os.path.join(SOURCE, "models/y_frame.yaml")))
        self.assertIn("no such file", self.refused(self.path("nothing.yaml")))
        self.assertEqual(os.listdir(self.folder), ["masses.yaml"], "nothing is left behind")

    def test_bad_sections_are_refused_with_their_line(self):
        def error(before, after):
            return self.refused(self.file("bad.yaml", MASSES.replace(before, after)))

        self.assertIn("bad.yaml:12: parameter 'spring'", error("joints.spring.stiff", "joints.sprng.stiff"))
        self.assertIn("did you mean 'spring'", error("joints.spring.stiff", "joints.sprng.stiff"))
        self.assertIn("bad.yaml:12: parameter 'spring': `range` is [10, 1]", error("[10, 1000]", "[10, 1]"))
        self.assertIn("above 0, not 0", error("[10, 1000]", "[0, 1000]"))
        self.assertIn("bad.yaml:15: ", error("near: [1, 3]", "near: [1, x]"))

    def test_folders_are_refused_that_do_not_fit(self):
        self.tuned(self.model, "--generations", 2, "-o", self.path("out"))
        self.assertIn("holds a design search already", self.refused(self.model, "-o", self.path("out")))
        self.assertIn("another study", self.refused(LAUNCHER, "--restart", self.path("out")))
        self.assertIn("leave --algorithm", self.refused("--restart", self.path("out"), "--seed", 3))
        self.assertIn("checkpoint.bin", self.refused("--restart", self.path("nothing")))
        self.assertIn("masses.yaml", self.refused(self.model, "-o", self.path("masses.yaml/out")))


if __name__ == "__main__":
    unittest.main(verbosity=1)
