"""Steps and size of a simulation as a user meets them: a first step from rest, an end of 0, going on to a later end, and
memory that grows like the model.

usage: simulate_steps_test.py PROGRAM PRINT_RESULT SOURCE_FOLDER
"""

import os
import subprocess
import sys
import unittest

from folder import Folder

SOURCE = os.path.abspath(sys.argv.pop())
PRINT_RESULT = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
TRIALS = os.path.join(SOURCE, "tests/trials/dynamics")
FOUR_BAR = os.path.join(SOURCE, "models/four_bar.yaml")
# Beside the check of a model, simulate may take so much [bytes].
MOST_BYTES_A_JOINT = 8192


class Steps(Folder):
    program = PROGRAM

    def simulate(self, *words):
        return self.document("simulate", *words, "--quiet")

    def test_rest_with_tiny_coordinates_runs(self):
        for integrator in ["auto", "runge", "implicit"]:
            for tolerance in ["1e-6", "1e-12"]:
                if (integrator, tolerance) == ("implicit", "1e-12"):
                    continue  # right, but some 10^4 steps
                run = self.simulate(
                    os.path.join(TRIALS, "tiny2.yaml"),
                    "--tolerance",
                    tolerance,
                    "--integrator",
                    integrator,
                    "--no-files",
                )
                self.assertEqual(run["outcome"], "done")
                self.assertLess(run["energy_error_relative"], 10 * float(tolerance))

    def test_an_end_of_zero_is_the_start_alone(self):
        run = self.simulate(FOUR_BAR, "-t", 0, "--no-files")
        self.assertEqual((run["outcome"], run["time"], run["frames"], run["steps"]), ("done", 0, 1, 0))

    def result(self, folder):
        answer = subprocess.run(
            [PRINT_RESULT, os.path.join(self.folder, folder, "result.h5")], capture_output=True, check=True
        )
        return answer.stdout

    def test_a_run_that_goes_on_has_the_bits_of_one_run(self):
        for name, integrator, words in [
            ("four_bar", "runge", []),
            ("four_bar", "fixed", ["--step", "0.0073"]),
            ("four_bar", "implicit", []),
            ("stiff_governor", "auto", []),
        ]:
            tag = f"{name}-{integrator}"
            model = os.path.join(SOURCE, "models", name + ".yaml")
            words = [model, "--integrator", integrator, *words, "--output-step", "0.05"]
            whole = self.simulate(*words, "-t", 0.2, "-o", tag + "-whole")
            self.simulate(*words, "-t", 0.1, "-o", tag)
            parts = self.simulate("--restart", tag, "--end", 0.2)
            self.assertEqual(parts["state_hash"], whole["state_hash"], tag)
            self.assertEqual(parts["frames"], whole["frames"])
            self.assertEqual(self.result(tag), self.result(tag + "-whole"), tag)

    def test_a_scene_that_goes_on_has_the_bits_of_one_run(self):
        pile = self.model("pile", 8, "--grain", "mixed")
        whole = self.simulate(pile, "-t", 0.1, "-o", "whole")
        self.simulate(pile, "-t", 0.05, "-o", "parts")
        parts = self.simulate("--restart", "parts", "--end", 0.1)
        self.assertEqual(parts["state_hash"], whole["state_hash"])
        self.assertEqual(parts["frames"], whole["frames"])

    # Largest resident memory of a command [bytes].
    def peak(self, *words):
        with open(os.devnull, "w", encoding="utf-8") as nothing:
            child = subprocess.Popen([PROGRAM, *map(str, words)], stdout=nothing, stderr=nothing, cwd=self.folder)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 0, words)
        return 1024 * usage.ru_maxrss

    def model(self, *words):
        name = "-".join(map(str, words)) + ".yaml"
        answer = self.run_verb("generate", *words, "-o", name)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return name

    @unittest.skipIf(
        "ESPALIER_SANITIZED" in os.environ, "a sanitizer's own memory would be measured: three times as much"
    )
    def test_memory_grows_like_the_number_of_joints(self):
        for words in [("tree", 11), ("ladder", 300)]:
            model = self.model(*words)
            joints = {"tree": 2 ** words[1] - 1, "ladder": 3 * words[1] + 1}[words[0]]
            more = self.peak("simulate", model, "--no-files", "-t", 0, "--quiet") - self.peak("check", model)
            self.assertLess(more / joints, MOST_BYTES_A_JOINT, words)

    # How it grows is for a quiet machine: 2.2, 5.5, 10, 28, 44 ms for trees of 8 to 12 levels in a release build.
    def test_set_up_is_said(self):
        answer = self.simulate(self.model("tree", 8), "--no-files", "-t", 0)
        self.assertGreater(answer["setup_seconds"], 0)
        text = self.run_verb("simulate", FOUR_BAR, "--no-files", "-t", 0.01).stdout
        self.assertRegex(text, r"Time .* s to set up")


if __name__ == "__main__":
    unittest.main()
