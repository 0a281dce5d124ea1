"""Goals of the verb tune as a user types them: a frame away from its motor, goals on runs, goals that nothing changes,
and searches that end without a gain.

usage: tune_goals_test.py PROGRAM SOURCE_FOLDER
"""

import csv
import math
import os
import signal
import subprocess
import sys
import time
import unittest

from folder import Folder, read_search

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
FRAME = os.path.join(SOURCE, "tests/trials/tune/tube_frame.yaml")
# 1 kg on a spring and a damper, pushed off at 1 m/s.
BLOCK = """espalier: 1
gravity: [0, 0, 0]
constants: {k: 2, c: 0.1}
bodies: [{name: block, mass: 1, inertia: [1, 1, 1]}]
joints:
  - {name: slide, type: prismatic, between: [ground, block], at: {axis: [1, 0, 0]}, stiffness: k, damping: c,
     velocity: 1}
tune:
  vary:
    spring: {path: constants.k, range: [1, 8]}
    damper: {path: constants.c, range: [0, 2]}
  goals: [GOALS]
  simulate: {RUN}
  population: 16
  generations: 40
"""
# Two masses that know nothing of each other.
APART = """espalier: 1
gravity: [0, 0, 0]
active: [x]
bodies:
  - {name: first, mass: 2, inertia: [1, 1, 1]}
  - {name: second, mass: 1, inertia: [1, 1, 1], pose: {position: [1, 0, 0]}}
joints:
  - {name: slow, type: prismatic, between: [ground, first], at: {axis: [1, 0, 0]}, stiffness: 200}
  - {name: fast, type: prismatic, between: [ground, second], at: {axis: [1, 0, 0]}, stiffness: 500}
tune:
  vary: {k: {path: joints.PATH.stiffness, range: [300, 900]}}
  goals:
    - {near: [1.2]}
  population: 8
  generations: 60
"""


class Goals(Folder):
    program = PROGRAM

    def tuned(self, *words):
        return self.document("tune", *words)

    def block(self, goals, run="end: 2"):
        return self.file("block.yaml", BLOCK.replace("GOALS", goals).replace("RUN", run))

    def checkpoint(self, folder):
        state = read_search(os.path.join(self.path(folder), "checkpoint.bin"))
        del state["seconds"]
        return state


class Frame(Goals):
    """A frame whose wall is one constant, as thin as may be without a frequency near the motor's 25 Hz."""

    def modes(self, wall):
        with open(FRAME, encoding="utf-8") as file:
            text = file.read().replace("t: 0.003}", f"t: {wall!r}}}")
        found = self.document("modes", self.file("frame.yaml", text), "--max-frequency", 60)
        self.assertEqual(found["certainty"], "proved")
        return [mode["frequency"] for mode in found["modes"]]

    def test_the_tube_keeps_away_from_25_hz(self):
        found = self.tuned(FRAME, "-o", "out", "--strict")
        wall = found["parameters"]["wall"]
        self.assertTrue(found["limits_held"])
        self.assertTrue([f for f in found["drawn"]["frequencies"] if 20 < f < 30], "as drawn it shakes")
        # The same by the verb modes, with nothing but this constant in the file.
        frequencies = self.modes(wall)
        self.assertEqual([f for f in frequencies if 20 < f < 30], [])
        for mine, theirs in zip(found["best"]["frequencies"], frequencies):
            self.assertAlmostEqual(mine / theirs, 1, delta=1e-10)
        # No thinner wall holds the band: all of a scan below have a frequency in it.
        self.assertGreater(wall, 0.0021)
        for part in range(12):
            thinner = 0.002 + (wall * (1 - 1e-4) - 0.002) * part / 11
            self.assertTrue([f for f in self.modes(thinner) if 20 < f < 30], thinner)
        # The constant stands in the model that was written.
        self.assertEqual(self.document("modes", "out/best.yaml", "--max-frequency", 60)["modes"][0]["frequency"],
                         frequencies[0])
        self.assertIn(f"t: {wall!r}", self.read("out/best.yaml"))

    def test_modes_scan_the_constant_that_tune_found(self):
        scan = self.document("modes", FRAME, "--vary", "constants.t=0.002,0.003,0.004", "--count", 2)
        self.assertEqual(scan["parameter"], "constants.t")
        for k, wall in enumerate((0.002, 0.003, 0.004)):
            self.assertAlmostEqual(scan["tracks"][0]["frequency"][k], self.modes(wall)[0], delta=1e-8)


class Runs(Goals):
    def test_an_end_and_a_largest_swing(self):
        found = self.tuned(self.block("{end: slide.position, target: 0.05}, {maximum: slide.position, at_most: 0.4}"),
                           "-o", "out", "--strict")
        end, swing = found["best"]["quantities"]
        self.assertEqual((end["statistic"], end["unit"], swing["statistic"]), ("end", "m", "maximum"))
        self.assertAlmostEqual(end["value"], 0.05, delta=1e-4)
        self.assertLessEqual(swing["value"], 0.4)
        self.assertEqual(found["run_end"], 2)
        self.assertEqual([limit["held"] for limit in found["best"]["limits"]], [True])
        # The closed form of what was found, and the run that `Next:` advises.
        k, c = found["parameters"]["spring"], found["parameters"]["damper"]
        w = math.sqrt(k - c * c / 4)
        self.assertAlmostEqual(math.exp(-c) * math.sin(2 * w) / w, 0.05, delta=2e-4)
        self.assertEqual(found["next"], "espalier simulate out/best.yaml --end 2")
        self.assertEqual(self.run_verb(*found["next"].split()[1:], "--no-files").returncode, 0)
        self.assertIn("run-1.svg", os.listdir(self.path("out")))
        self.assertIn("run-2.svg", os.listdir(self.path("out")))

    def test_the_report_names_what_was_wanted(self):
        model = self.block("{end: slide.position, target: 0.05}, {maximum: slide.position, at_most: 0.01}")
        answer = self.run_verb("tune", model, "--generations", 2, "-o", "out")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertRegex(answer.stdout, r"NOT HELD maximum slide.position: 0.\d+ m is not at most 0.01")
        self.assertRegex(answer.stdout, r"end slide.position +-?0.\d+ m +-?[0-9.e-]+ m +0.05")

    def test_a_table_of_a_run_finds_its_numbers_again(self):
        # Made by the program itself, with k = 5 and c = 0.4.
        made = self.file("made.yaml", BLOCK.partition("tune:")[0].replace("k: 2, c: 0.1", "k: 5, c: 0.4"))
        run = ("--end", 2, "--output-step", 0.05, "--tolerance", 1e-9)
        answer = self.run_verb("simulate", made, *run, "--csv", "slide.position", "-o", "run", "--quiet")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        model = self.block("{distance: slide.position, csv: run/result.csv}", "output_step: 0.05, tolerance: 1e-9")
        found = self.tuned(model, "-o", "out")
        self.assertEqual(found["run_end"], 2)
        self.assertAlmostEqual(found["parameters"]["spring"], 5, delta=1e-3)
        self.assertAlmostEqual(found["parameters"]["damper"], 0.4, delta=1e-3)
        self.assertLess(found["best"]["quantities"][0]["value"], 1e-4)

    def test_ranks_threads_and_a_restart_do_not_change_a_bit(self):
        model = self.block("{end: slide.position, target: 0.05}, {maximum: slide.position, at_most: 0.4}")
        words = (model, "--generations", 6)
        alone = self.tuned(*words, "-o", "one", "--threads", 1)
        for option, count in (("--threads", 2), ("--threads", 4), ("--ranks", 2), ("--ranks", 3)):
            folder = "several" + option + str(count)
            other = self.tuned(*words, "-o", folder, option, count)
            self.assertEqual(other["best"], alone["best"])
            self.assertEqual(self.checkpoint(folder), self.checkpoint("one"))

    def test_a_stopped_search_continues_to_the_same_bits(self):
        model = self.block("{end: slide.position, target: 0.05}, {maximum: slide.position, at_most: 0.4}")
        words = [model, "--generations", "40", "--threads", "1"]
        self.tuned(*words, "-o", "whole")
        process = subprocess.Popen([PROGRAM, "tune", *words, "-o", self.path("halves")], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while not os.path.exists(self.path("halves/checkpoint.bin")) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=300), 130)
        self.assertLess(self.checkpoint("halves")["generation"], 40)
        self.tuned("--restart", "halves", "--ranks", 2)
        self.assertEqual(self.checkpoint("halves"), self.checkpoint("whole"))

    def test_what_a_run_does_not_have_is_refused(self):
        refused = {
            "{end: slid.position, target: 1}": ["block.yaml:12", "did you mean 'slide.position'"],
            "{end: slide.position}": ["block.yaml:12", "`end` needs either `target`"],
            "{distance: slide.position, csv: none.csv}": ["block.yaml:12", "'none.csv': no such file"],
        }
        for goal, words in refused.items():
            self.assert_refused(words, "tune", self.block(goal), "-o", "out")
        self.assert_refused(["block.yaml:13", "integrator"], "tune",
                            self.block("{end: slide.position, target: 1}", "integrator: euler"), "-o", "out")
        self.assertFalse(os.path.exists(self.path("out")), "nothing is left behind")


class Unchanged(Goals):
    def test_a_goal_that_no_parameter_changes_is_refused(self):
        model = self.file("apart.yaml", APART.replace("PATH", "fast"))
        self.assert_refused(["apart.yaml:13: goal 'near': no parameter changes it; it is at 1.5915 Hz", "leave it out"],
                            "tune", model, "-o", "out")
        self.assertFalse(os.path.exists(self.path("out")))
        self.file("apart.yaml", APART.replace("PATH", "slow").replace("[300, 900]", "[50, 900]"))
        self.assertEqual(self.run_verb("tune", model, "-o", "out", "--generations", 1).returncode, 0)


    def test_a_mass_that_a_moment_of_area_does_not_change(self):
        frame = os.path.join(SOURCE, "tests/trials/tune/frame.yaml")
        self.assert_refused(["frame.yaml:60: goal 'minimise mass': no parameter changes it", "kg in all of"],
                            "tune", frame, "-o", "out")


class Patience(Goals):
    def test_a_search_without_a_gain_ends(self):
        model = self.file("apart.yaml", APART.replace("PATH", "slow").replace("[300, 900]", "[50, 900]"))
        found = self.tuned(model, "--patience", 4, "-o", "out")
        self.assertEqual((found["end"], found["patience"], found["outcome"]), ("patience", 4, "done"))
        self.assertEqual(found["generation"], found["last_gain"] + 4)
        self.assertLess(found["generation"], 60)
        text = self.run_verb("tune", model, "--patience", 4, "-o", "text").stdout
        self.assertIn(f"no gain in 4 generations, the patience of the search; the last was in generation "
                      f"{found['last_gain']}", " ".join(text.split()))
        with open(self.path("out/history.csv"), encoding="utf-8") as file:
            best = [float(row["best"]) for row in csv.DictReader(file)]
        self.assertLessEqual(best[-5] - best[-1], 1e-6 * best[-5])
        for words in (("--ranks", 3), ("--threads", 2)):
            self.tuned(model, "--patience", 4, "-o", "other" + words[0], *words)
            self.assertEqual(self.checkpoint("other" + words[0]), self.checkpoint("out"))

    def test_the_file_may_ask_for_it_and_more_of_it_continues(self):
        text = APART.replace("PATH", "slow").replace("[300, 900]", "[50, 900]")
        model = self.file("apart.yaml", text + "  patience: 2\n")
        found = self.tuned(model, "-o", "out")
        self.assertEqual((found["end"], found["patience"]), ("patience", 2))
        again = self.tuned("--restart", "out")
        self.assertEqual((again["generation"], again["evaluations_now"]), (found["generation"], 0))
        more = self.tuned("--restart", "out", "--patience", 1000)
        self.assertEqual((more["end"], more["generation"]), ("generations", 60))
        self.tuned(self.file("whole.yaml", text), "-o", "whole")
        ours, theirs = self.checkpoint("out"), self.checkpoint("whole")
        self.assertEqual(ours["population"], theirs["population"])
        self.assertEqual(ours["gain"], theirs["gain"])
        self.assert_refused("--patience is 0; give 1 or more", "tune", model, "--patience", 0)


class Paths(Goals):
    """Paths of modes --vary are those of tune."""

    def test_a_path_means_the_same_in_both(self):
        text = APART.partition("tune:")[0]
        model = self.file("apart.yaml", text.replace("espalier: 1\n", "espalier: 1\nconstants: {k: 500}\n").replace(
            "stiffness: 500", "stiffness: k"))
        for path in ("constants.k", "joints.slow.stiffness", "joints.*.stiffness", "joints.*o*.stiffness",
                     "bodies.*.mass", "joints.fast.damping"):
            scan = self.document("modes", model, "--vary", f"{path}=1,2,3", "--count", 2)
            self.assertEqual(scan["parameter"], path)
            study = self.file("study.yaml", f"vary: {{x: {{path: {path}, range: [1, 2]}}}}\n"
                                            "goals: [{near: [0.01, 9]}, {minimise: {parameters: x}, weight: 1e9}]\n"
                                            "population: 8\ngenerations: 40\n")
            # The least number is the best by far: 1, which is the first of the scan.
            best = self.tuned(model, "--study", study, "-o", "out-" + path.replace("*", "any"))
            self.assertEqual(best["parameters"]["x"], 1, path)
            first = sorted(track["frequency"][0] for track in scan["tracks"])
            for mine, theirs in zip(best["best"]["frequencies"], first):
                self.assertAlmostEqual(mine, theirs, delta=1e-8, msg=path)

    def test_what_is_not_there_is_told_by_all_alike(self):
        model = self.file("apart.yaml", APART.replace("PATH", "slow"))
        for path, words in {
            "springs.slow.stiffness": "its sections are espalier, gravity, active, bodies, joints",
            "joints.slo.stiffness": "did you mean 'slow'",
            "joints.x*.stiffness": "nothing fits",
        }.items():
            self.assert_refused(words, "modes", model, "--vary", f"{path}=1,2", "--count", 2)
            study = self.file("study.yaml", f"vary: {{x: {{path: {path}, range: [1, 2]}}}}\ngoals: [{{near: [1]}}]\n")
            self.assert_refused(words, "tune", model, "--study", study, "-o", "out")
            self.assert_refused(words, "simulate", model, "--vary", f"{path}=1,2", "-o", "out")


if __name__ == "__main__":
    unittest.main(verbosity=1)
