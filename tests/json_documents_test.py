"""JSON documents of every verb on every shipped model, against those that are kept in tests/documents/: the same keys in
the same order, the same numbers. Programs are written against them.

usage: json_documents_test.py PROGRAM SOURCE_FOLDER [--write]

--write keeps what the program prints now. A change of a key or a number belongs into CHANGELOG.md.
"""

import json
import os
import re
import sys
import unittest

from folder import Folder

WRITE = sys.argv[-1] == "--write" and sys.argv.pop() == "--write"
SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
KEPT = os.path.join(SOURCE, "tests", "documents")

# Sentences for people may be worded anew; times, versions and machines differ from run to run.
TEXTS = {"message", "notes", "certificate", "proof", "findings", "next", "reader_notes", "reason"}
MOVING = {"bytes", "version", "threads", "lanes", "machine", "busy", "waiting", "imbalance", "real_time_factor"}
SECONDS = re.compile(r"seconds|per_second|speed")

SHIPPED = sorted(name for name in os.listdir(os.path.join(SOURCE, "models")) if name.endswith(".yaml"))
ELASTIC = ("mlrs.yaml", "stepped_beam.yaml", "ten_rods.yaml", "ten_rods_uneven.yaml", "y_frame.yaml")
MOVED = [name for name in SHIPPED if name not in ELASTIC]
FORMATS = ("yaml", "urdf", "sdf", "xml", "usda")


def masked(value, key=""):
    """The document less what may differ: its words stay as their kind."""
    if key in TEXTS:
        return "text"
    if key in MOVING or SECONDS.search(key):
        return type(value).__name__
    if isinstance(value, dict):
        return {name: masked(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [masked(part, key if isinstance(part, str) else "") for part in value]
    return value


def lines(value, key=""):
    """One line per value or list of plain values, so that a difference can be read; floats as they are printed."""
    head = f"{key}: " if key else ""
    parts = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    if not any(isinstance(part, (dict, list)) for _, part in parts) and not isinstance(value, dict):
        return [head + json.dumps(value, ensure_ascii=False)]
    if not value:
        return [head + "{}"]
    return [line for name, part in parts for line in lines(part, f"{key}.{name}" if key else str(name))]


class Documents(Folder):
    program = PROGRAM

    def setUp(self):
        super().setUp()
        os.symlink(os.path.join(SOURCE, "models"), self.path("models"))
        self.maxDiff = 4000

    def keep_or_compare(self, name, documents):
        """`documents`: the command, then what it printed."""
        found = []
        for command, document in documents:
            text = json.dumps(masked(document)).replace(self.folder, "FOLDER")
            found += ["$ " + command, *lines(json.loads(text))]
        path = os.path.join(KEPT, name + ".txt")
        if WRITE:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(found) + "\n")
            return
        with open(path, encoding="utf-8") as file:
            kept = file.read().splitlines()
        for line, (before, now) in enumerate(zip(kept, found), 1):
            self.assertEqual(now, before, f"{path}:{line}")
        self.assertEqual(len(found), len(kept), path)

    def say(self, *words):
        return " ".join(map(str, words)), self.document(*words)

    def test_check(self):
        self.keep_or_compare("check", [self.say("check", "models/" + name) for name in SHIPPED])

    def test_plan(self):
        found = [self.say("plan", "models/" + name) for name in SHIPPED]
        for options in (
            ("--objective", "sequential"),
            ("--compare",),
            ("--method", "a2", "--trace"),
            ("--root", "free"),
        ):
            found.append(self.say("plan", "models/stewart.yaml", *options))
        self.keep_or_compare("plan", found)

    def test_simulate(self):
        found = [self.say("simulate", "models/" + name, "-t", 0.02, "--no-files") for name in MOVED]
        found.append(self.say("simulate", "models/four_bar.yaml", "-t", 0.1, "--integrator", "implicit", "-o", "run"))
        found.append(("run.json", json.loads(self.read("run/run.json"))))
        self.keep_or_compare("simulate", found)

    def test_contact(self):
        self.run_verb("generate", "pile", 6, "-o", "pile.yaml")
        found = [self.say("simulate", "pile.yaml", "-t", 0.3, "-o", "run")]
        found.append(("run.json", json.loads(self.read("run/run.json"))))
        self.keep_or_compare("contact", found)

    def test_sweep(self):
        found = [
            self.say(
                "simulate",
                "models/four_bar.yaml",
                "-t",
                0.05,
                "--vary",
                "bodies.rocker.mass=1:2",
                "--runs",
                3,
                "-o",
                "many",
            )
        ]
        self.keep_or_compare("sweep", found)

    def test_modes(self):
        found = [self.say("modes", "models/" + name, "--count", 4, "--no-shapes") for name in ELASTIC]
        found.append(self.say("modes", "models/y_frame.yaml", "--count", 2))
        response = ("--response", "hub.x", "tip.x", "--from", 1, "--to", 100, "--points", 3)
        found.append(self.say("modes", "models/y_frame.yaml", *response))
        self.keep_or_compare("modes", found)

    def test_convert(self):
        found = []
        for name in MOVED:
            for suffix in FORMATS:
                found.append(self.say("convert", "models/" + name, "-o", "there." + suffix))
                check = self.say("check", "there." + suffix)[1]
                counts = ("bodies", "bodies_after_welding", "movable_joints", "freedom", "joint_types")
                found.append((f"check {name} {suffix}", {key: check[key] for key in counts}))
        self.keep_or_compare("convert", found)

    def test_view(self):
        self.run_verb("simulate", "models/four_bar.yaml", "-t", 0.1, "-o", "run")
        self.run_verb("plan", "models/stewart.yaml", "-o", "plan.json")
        found = [self.say("view", what) for what in ("models/governor.yaml", "run", "plan.json")]
        found.append(self.say("view", "run", "--frames", "pictures", "--at", "0:0.1:0.05"))
        found.append(self.say("view", "run", "--paraview", "paraview"))
        self.keep_or_compare("view", found)

    def test_generate(self):
        kinds = (("ladder", 5), ("tree", 4), ("pile", 6), ("random", 12, 18), ("3sat", 3, 4), ("four_bar",))
        found = [self.say("generate", *words, "-o", f"model{k}.yaml") for k, words in enumerate(kinds)]
        self.keep_or_compare("generate", found)

    def test_tune(self):
        words = ("--generations", 2, "--population", 8, "--threads", 1, "--quiet", "-o", "found")
        self.keep_or_compare("tune", [self.say("tune", "models/mlrs.yaml", *words)])


if __name__ == "__main__":
    unittest.main()
