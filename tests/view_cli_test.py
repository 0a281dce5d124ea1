#!/usr/bin/env python3
"""What `espalier view` reads, refuses and writes, without a browser: view_cli_test.py ESPALIER SOURCE_DIR"""

import base64
import csv
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree as tree
import zlib

import folder

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
FOUR_BAR = os.path.join(SOURCE, "models", "four_bar.yaml")


class View(folder.Folder):
    program = PROGRAM

    def done(self, *words):
        answer = self.run_verb(*words)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        return answer.stdout

    def parts(self, page):
        """The data of a page, by name."""
        found = re.findall(r'<script type="text/plain" id="[^"]*" data-part="([^"]*)">([^<]*)</script>', self.read(page))
        return {name: zlib.decompress(base64.b64decode(text)) for name, text in found}

    def scene(self, page):
        return json.loads(self.parts(page)["scene"])

    def test_a_run_is_one_file_without_addresses(self):
        self.done("simulate", FOUR_BAR, "--end", "0.5", "-o", "run", "--quiet")
        self.assertIn("run four-bar: 3 bodies, 51 frames", self.done("view", "run/"))
        text = self.read("run.html")
        self.assertNotRegex(text, r"(src|href)=\"(?!data:)")
        self.assertLess(len(text), 600_000)
        self.assertIn("Permission is hereby granted", text)
        scene = self.scene("run.html")
        self.assertEqual(scene["frames"]["bodies"], [1, 2, 3], "all but the ground move")
        self.assertEqual(len(scene["tree"]["cut"]), 1)
        self.assertIn("espalier simulate", scene["provenance"]["command"])

    def test_curves_are_those_of_the_run(self):
        self.done("simulate", FOUR_BAR, "--end", "0.5", "--csv", "-o", "run", "--quiet")
        self.done("view", "run")
        scene, data = self.scene("run.html"), self.parts("run.html")["curves"]
        frames, order, count = len(scene["frames"]["times"]), scene["curves"]["order"], len(data) // 2
        head, *rows = [line.split(",") for line in self.read("run/result.csv").splitlines()]
        for joint in "ABCD":
            index = next(k for k, curve in enumerate(scene["curves"]["list"]) if curve["name"] == joint)
            curve, last, before = scene["curves"]["list"][index], 0, 0
            for k in range(frames):
                at = index * frames + k
                zigzag = data[at] | data[count + at] << 8
                step = (zigzag >> 1) ^ -(zigzag & 1)
                guess = 2 * last - before if order == 2 and k > 1 else last
                before, last = last, (guess + step) & 0xFFFF
                value = curve["low"] + curve["span"] * last / 65535
                self.assertAlmostEqual(value, float(rows[k][head.index(joint)]), delta=curve["span"] / 1e5 + 1e-12)

    def test_a_run_that_was_killed_is_shown(self):
        self.done("generate", "strandbeest", "6", "-o", "s.yaml")
        run = subprocess.Popen(
            [PROGRAM, "simulate", "s.yaml", "--end", "1000", "-o", "run", "--quiet"], cwd=self.folder
        )
        end = time.monotonic() + 60
        while time.monotonic() < end and not os.path.exists(self.path("run/result.h5")):
            time.sleep(0.05)
        time.sleep(2.5)
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.assertIn("The run is under way, or it was killed", re.sub(r"\s+", " ", self.done("view", "run")))
        self.assertGreater(len(self.scene("run.html")["frames"]["times"]), 1)

    def test_ranks_change_owners_alone(self):
        self.done("generate", "pile", "40", "-o", "pile.yaml")
        pages = []
        for ranks in ("1", "2", "4"):
            self.done("simulate", "pile.yaml", "--end", "0.4", "--ranks", ranks, "-o", "run" + ranks, "--quiet")
            self.done("view", "run" + ranks)
            pages.append(self.parts(f"run{ranks}.html"))
        for other in pages[1:]:
            for name in ("frames", "curves", "contacts"):
                self.assertEqual(pages[0][name], other[name], name)
            first, second = json.loads(pages[0]["scene"]), json.loads(other["scene"])
            for name in ("ranks", "provenance"):
                first.pop(name), second.pop(name)
            self.assertEqual(first, second)

    def test_a_plan_is_shown_with_its_own_tree(self):
        self.done("plan", FOUR_BAR, "--cut", "B", "-o", "plan.json")
        self.assertIn("plan four-bar", self.done("view", "plan.json"))
        scene = self.scene("plan.html")
        self.assertEqual([scene["joints"][cut["joint"]]["name"] for cut in scene["tree"]["cut"]], ["B"])

    def test_every_verb_writes_the_page_with_its_part(self):
        frame = os.path.join(SOURCE, "models", "y_frame.yaml")
        for words, part in (
            (("check", FOUR_BAR), "tree"),
            (("plan", FOUR_BAR, "--cut", "B"), "tree"),
            (("simulate", FOUR_BAR, "--end", "0.1", "-o", "run"), "frames"),
            (("modes", frame, "--count", "3", "-o", "modes.json"), "modes"),
        ):
            self.assertIn("Wrote p.html", self.done(*words, "--page", "p.html"), words)
            scene, text = self.scene("p.html"), self.read("p.html")
            self.assertIsNotNone(scene[part], words)
            self.assertIn('id="report"', text)
            self.assertEqual("espalier " + " ".join(map(str, words)) + " --page p.html", scene["provenance"]["command"])
        self.assertEqual(len(scene["modes"]["modes"]), 3)
        self.assertIn("<svg", self.read("p.html"))
        # A document of modes is shown as it was written.
        self.assertIn("Modes of Y frame: 3 modes", self.done("view", "modes.json", "-o", "again.html"))
        self.assertEqual(self.scene("again.html")["modes"], scene["modes"])
        # The plan of a plain graph has a picture in place of a scene.
        self.done("generate", "liu99_fig2a", "-o", "graph.json")
        self.done("plan", "graph.json", "--page", "p.html")
        self.assertNotIn('id="part-three"', self.read("p.html"))
        self.assertIn('id="pictures"', self.read("p.html"))

    def test_old_spellings_name_the_new_one(self):
        frame = os.path.join(SOURCE, "models", "y_frame.yaml")
        for words, option in ((("plan", FOUR_BAR), "--picture"), (("modes", frame, "--count", "2"), "--plot")):
            answer = self.run_verb(*words, option, "old.html")
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertIn("--page old.html", answer.stderr)
            self.done(*words, "--page", "new.html")
            old, new = self.scene("old.html"), self.scene("new.html")
            old.pop("provenance"), new.pop("provenance")
            self.assertEqual(old, new)

    def test_pages_of_sweeps_and_runs_without_files_are_refused(self):
        self.assert_refused("runs.html", "simulate", FOUR_BAR, "--vary", "bodies.rocker.mass=1:2:2", "--page", "p.html")
        self.assert_refused("--page", "simulate", FOUR_BAR, "--no-files", "--page", "p.html")
        self.file("modes.json", json.dumps({"modes": [], "vertices": []}))
        self.assert_refused(["no shapes", "--no-shapes"], "view", "modes.json")

    def test_two_runs_are_compared(self):
        self.done("simulate", FOUR_BAR, "--end", "0.5", "--csv", "*", "-o", "first", "--quiet")
        self.done("simulate", FOUR_BAR, "--end", "0.5", "-o", "same", "--quiet")
        self.assertIn("They do not differ", re.sub(r"\s+", " ", self.done("view", "first", "--compare", "same")))
        with open(FOUR_BAR, encoding="utf-8") as file:
            model = file.read()
        lighter = re.sub(r"^gravity:.*\n", "", model, flags=re.MULTILINE)
        self.file("light.yaml", lighter.replace("espalier: 1", "espalier: 1\ngravity: [0, 0, -9]", 1))
        self.done("simulate", "light.yaml", "--end", "0.4", "--csv", "*", "-o", "other", "--quiet")
        document = self.document("view", "first", "--compare", "other", "--tolerance", "1e-4")
        found = document["difference"]
        rows = [self.rows(run) for run in ("first", "other")]
        far = []
        for a, b in zip(*rows):
            for body in ("crank", "coupler", "rocker"):
                names = [f"{body}.position.{part} [m]" for part in "xyz"]
                far.append((math.dist([a[n] for n in names], [b[n] for n in names]), a["time [s]"], body))
        most = max(far)
        self.assertAlmostEqual(found["most"], most[0], delta=1e-9)
        self.assertEqual((found["most_time"], found["most_body"]), most[1:])
        first = min(time for distance, time, _ in far if distance > 1e-4)
        self.assertEqual(found["first_time"], first)
        self.assertEqual(len(self.scene("first.html")["ghost"]["times"]), 51)
        # Other bodies, a model, and what is no run.
        self.done("simulate", os.path.join(SOURCE, "models/governor.yaml"), "--end", "0.1", "-o", "governor", "--quiet")
        self.assert_refused(["--compare", "other bodies"], "view", "first", "--compare", "governor")
        self.assert_refused("--compare", "view", FOUR_BAR, "--compare", "first")
        self.assert_refused("no run", "view", "first", "--compare", ".")

    def rows(self, run):
        with open(self.path(run + "/result.csv"), encoding="utf-8") as file:
            return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]

    def test_meshes_that_are_missing_are_named(self):
        body = {"name": "cup", "mass": 1, "inertia": [1e-2, 1e-2, 1e-2], "shapes": [{"mesh": {"file": "cup.stl"}}]}
        model = {"espalier": 1, "bodies": [body], "joints": []}
        self.file("m.yaml", json.dumps(model))
        answer = self.done("view", "m.yaml")
        self.assertIn("'cup.stl' of 'cup'", answer)
        self.assertEqual(self.scene("m.html")["missing"][0]["file"], "cup.stl")
        # One triangle, as text and as bytes.
        self.file("cup.stl", "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                             "endloop\nendfacet\nendsolid t\n")
        self.assertNotIn("cup.stl", self.done("view", "m.yaml"))
        self.assertEqual(sorted(self.scene("m.html")["meshes"][0]["triangles"]), [0, 1, 2])

    def test_pictures_are_svg_at_the_times_asked_for(self):
        self.done("simulate", FOUR_BAR, "--end", "0.2", "-o", "run", "--quiet")
        self.assertIn("5 pictures", self.done("view", "run", "--frames", "pictures", "--at", "0:0.2:0.05"))
        files = sorted(os.listdir(self.path("pictures")))
        self.assertEqual(files, [f"frame_{k:05}.svg" for k in range(5)])
        texts = [self.read("pictures/" + name) for name in files]
        self.assertEqual(len(set(texts)), 5)
        for k, text in enumerate(texts):
            tree.fromstring(text)
            self.assertIn(f"{0.05 * k:.3f} s", text)
        self.done("view", "run", "--moving", "run.svg", "--at", "0:0.2:0.02")
        moving = tree.fromstring(self.read("run.svg"))
        self.assertEqual(len(moving.findall(".//{*}animateTransform")), 2 * 4, "three bodies, and joints of the ground")

    def test_bad_input_names_file_and_way_out(self):
        self.done("simulate", FOUR_BAR, "--end", "0.1", "-o", "run", "--quiet")
        os.mkdir(self.path("empty"))
        self.assert_refused(["empty", "no run"], "view", "empty")
        self.assert_refused("nowhere", "view", "nowhere.yaml")
        for times in ("0:1", "1:0:1", "0:1:-1", "soon"):
            self.assert_refused("FROM:TO:STEP", "view", "run", "--frames", "f", "--at", times)
        self.assert_refused("from 0 to 0.1 s", "view", "run", "--frames", "f", "--at", "0:0.3:0.1")
        self.assert_refused("run.json", "view", "run", "-o", "run/run.json/page.html")
        self.assert_refused("--model", "view", "run", "--model", os.path.join(SOURCE, "models/governor.yaml"))
        shutil.copytree(self.path("run"), self.path("other"))
        self.file("other/run.json", self.read("run/run.json").replace('"espalier_run": 2', '"espalier_run": 9'))
        self.assert_refused("other", "view", "other")
        with open(self.path("run/result.h5"), "r+b") as file:
            file.truncate(1000)
        self.assert_refused("result.h5", "view", "run")
        self.assert_refused(".svg", "check", FOUR_BAR, "--picture", "four_bar.png")
        self.assertFalse(os.path.exists(self.path("four_bar.png")))

    def test_licences(self):
        text = self.done("--licences")
        for words in ("three.js", "dygraphs", "Permission is hereby granted"):
            self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main()
