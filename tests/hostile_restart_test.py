"""Folders that somebody else may have made: --restart refuses what it cannot trust, before it writes anything.

usage: hostile_restart_test.py PROGRAM HOSTILE_H5 SOURCE_FOLDER
"""

import json
import os
import shutil
import subprocess
import sys
import unittest

from folder import Folder

SOURCE = os.path.abspath(sys.argv.pop())
HOSTILE_H5 = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
FOUR_BAR = os.path.join(SOURCE, "models/four_bar.yaml")
BOXES = os.path.join(SOURCE, "models/boxes.yaml")
MASS = """espalier: 1
gravity: [0, 0, 0]
active: [x]
bodies: [{name: first, mass: 2, inertia: [1, 1, 1]}]
joints: [{name: spring, type: prismatic, between: [ground, first], at: {axis: [1, 0, 0]}, stiffness: 200}]
tune: {vary: {k: {path: joints.spring.stiffness, range: [10, 1000]}}, goals: [{near: [1]}], population: 8, generations: 2}
"""


def fnv(text):
    """The sum at the end of a checkpoint."""
    sum_ = 0xCBF29CE484222325
    for byte in text:
        sum_ = ((sum_ ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return sum_


class Restart(Folder):
    program = PROGRAM

    def begin(self, model, *options):
        answer = self.run_verb("simulate", model, "-o", "run", "-t", "0.05", *options)
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def contents(self):
        """All bytes of the folder, but those of locks."""
        found = {}
        for folder, _, names in os.walk(self.folder):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and not name.endswith(".lock"):
                    with open(path, "rb") as file:
                        found[path] = file.read()
        return found

    def assert_untouched(self, words, *arguments):
        before = self.contents()
        self.assert_refused(words, *arguments)
        self.assertEqual(self.contents(), before)

    def refuse_run(self, *words):
        self.assert_untouched(list(words), "simulate", "--restart", "run", "--end", "0.1", "--quiet")


class Results(Restart):
    def test_hostile_results(self):
        self.begin(FOUR_BAR)
        result = self.path("run/result.h5")
        shutil.copy(result, self.path("good.h5"))
        shutil.copy(result, self.path("victim.h5"))
        kinds = subprocess.run([HOSTILE_H5], capture_output=True, text=True, check=True).stdout.split()
        self.assertGreater(len(kinds), 10)
        for kind in kinds:
            with self.subTest(kind):
                shutil.copy(self.path("good.h5"), result)
                subprocess.run([HOSTILE_H5, kind, result, self.path("victim.h5")], check=True)
                self.refuse_run("result.h5")
        shutil.copy(self.path("good.h5"), result)
        answer = self.run_verb("simulate", "--restart", "run", "--end", "0.1", "--quiet")
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def test_links_in_the_folder(self):
        self.begin(FOUR_BAR, "--csv")
        for name in ("result.h5", "result.csv", "checkpoint.bin", "run.json"):
            with self.subTest(name):
                os.rename(self.path("run/" + name), self.path("victim"))
                os.symlink(self.path("victim"), self.path("run/" + name))
                self.refuse_run(name, "a link")
                os.unlink(self.path("run/" + name))
                os.rename(self.path("victim"), self.path("run/" + name))


class Documents(Restart):
    def change(self, change, name="run/run.json"):
        document = json.loads(self.read(name))
        change(document)
        self.file(name, json.dumps(document))

    def refuse_option(self, key, value, *words):
        text = self.read("run/run.json")

        def put(document):
            of_all = document["options"]
            (of_all if key in of_all else document["engine"]["options"])[key] = value

        self.change(put)
        self.refuse_run("run.json", key, *words)
        self.file("run/run.json", text)

    def test_options_are_checked_as_if_typed(self):
        self.begin(FOUR_BAR)
        for key, value in (
            ("threads", 100000),
            ("threads", 0),
            ("output_step", 1e-300),
            ("output_step", 0),
            ("output_step", -1),
            ("tolerance", 0),
            ("tolerance", -1e-6),
            ("loop_tolerance", -1),
            ("max_steps", 0),
            ("step", -1),
        ):
            with self.subTest(key=key, value=value):
                self.refuse_option(key, value, "is ")

    def test_options_of_a_scene(self):
        self.begin(BOXES)
        for key, value in (
            ("step", 1e-300),
            ("step", 0),
            ("output_step", -1),
            ("tolerance", 0),
            ("max_sweeps", -1),
            ("balance_every", 0),
            ("weight_factor", 7),
            ("correction", 1e300),
        ):
            with self.subTest(key=key, value=value):
                self.refuse_option(key, value, "is ")

    def test_deep_documents(self):
        self.begin(FOUR_BAR)
        text = self.read("run/run.json")
        deep = "[" * 300000 + "]" * 300000
        at = text.index('"plan": ') + len('"plan": ')
        self.file("run/run.json", text[:at] + deep + "}")
        self.refuse_run("run.json")
        for key in ('"message": ', '"outcome": ', '"engine": '):
            self.file("run/run.json", text.replace("{", "{" + key + deep + ",", 1))
            self.refuse_run("run.json", "64 levels")
        # What a plan brings along unread stays as it is, however deep.
        self.file("run/run.json", text[:at] + '{"x": ' + deep + "," + text[at:].lstrip("{\n "))
        answer = self.run_verb("simulate", "--restart", "run", "--end", "0.1", "--quiet")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn(deep, self.read("run/run.json"))


class Searches(Restart):
    def setUp(self):
        super().setUp()
        self.file("m.yaml", MASS)
        answer = self.run_verb("tune", "m.yaml", "-o", "search")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        # Without the checkpoint before it, which would stand in for a damaged one.
        before = self.path("search/checkpoint.before.bin")
        if os.path.exists(before):
            os.unlink(before)

    def refuse_search(self, *words):
        self.assert_untouched(list(words), "tune", "--restart", "search", "--generations", "3")

    def put(self, text):
        with open(self.path("search/checkpoint.bin"), "wb") as file:
            file.write(text)

    def test_a_checkpoint_carries_its_sum(self):
        with open(self.path("search/checkpoint.bin"), "rb") as file:
            text = file.read()
        for old, new in (
            (b'"best":', b'"best" :'),
            (b'"generation":2', b'"generation":1'),
            (b"checkpoint 2 tune", b"checkpoint 2 mechanism"),
        ):
            self.assertIn(old, text)
            self.put(text.replace(old, new, 1))
            self.refuse_search("checkpoint.bin", "sum is wrong")
        self.put(text[:-8])
        self.refuse_search("checkpoint.bin", "sum is wrong")
        self.put(text)
        answer = self.run_verb("tune", "--restart", "search", "--generations", "3")
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def test_a_deep_checkpoint(self):
        text = b'espalier checkpoint 2 tune\n{"model": ' + b"[" * 300000 + b"]" * 300000 + b"}"
        self.put(text + fnv(text).to_bytes(8, "little"))
        self.refuse_search("checkpoint.bin", "64 levels")

    def test_a_checkpoint_of_the_version_before(self):
        os.rename(self.path("search/checkpoint.bin"), self.path("search/checkpoint.json"))
        self.refuse_search("checkpoint.json", "continue it with the program that wrote it")

    def test_links_in_the_folder(self):
        os.rename(self.path("search/best.yaml"), self.path("victim"))
        os.symlink(self.path("victim"), self.path("search/best.yaml"))
        self.refuse_search("best.yaml", "a link")


if __name__ == "__main__":
    unittest.main(verbosity=1)
