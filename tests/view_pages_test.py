#!/usr/bin/env python3
"""Opens pages of `espalier view` in Chromium and uses them: view_pages_test.py ESPALIER SOURCE_DIR SCREENSHOTS

No console error, no request to a network, a picture that is not blank, controls that do what they say. Skips, with a
line, where there is no browser. Screenshots stay in the folder SCREENSHOTS.
"""

import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from browser import start_browser, why_not

try:
    from selenium.webdriver.common.by import By
except ImportError:
    pass

PROGRAM, SOURCE, SHOTS = "", "", ""
HOSTILE = "</script><img src=x onerror=alert(1)>"


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        reason = why_not()
        if reason:
            print(f"skipped: {reason}", file=sys.stderr)
            raise unittest.SkipTest(reason)
        os.makedirs(SHOTS, exist_ok=True)
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = cls.place.name
        cls.browser = start_browser(os.path.join(cls.folder, "profile"))
        cls.browser.set_page_load_timeout(60)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.place.cleanup()

    def verb(self, *words, code=0):
        answer = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, cwd=self.folder, timeout=200)
        self.assertEqual(answer.returncode, code, answer.stdout + answer.stderr)
        return answer.stdout

    def js(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def until(self, text, seconds=25):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.js("return " + text):
                return
            time.sleep(0.05)
        self.fail(f"never true: {text}; message: {self.js('return document.getElementById(`message`).textContent')}")

    def open(self, page, address="play=0"):
        # Of another page the same address with another hash would load nothing.
        self.browser.get("about:blank")
        self.browser.get_log("browser"), self.browser.get_log("performance")
        self.browser.get(f"file://{self.folder}/{page}#{address}")
        self.until("window.espalier && espalier.frames > 0")

    def quiet(self):
        """What pages may never do."""
        errors = [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(errors, [])
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                self.assertRegex(url, r"^(file|about|data|blob):", url[:200])

    def colours(self):
        """How many different colours the canvas shows, of a coarse grid of its pixels."""
        return self.js(
            """espalier.update();
            const c = espalier.scene.canvas, copy = document.createElement('canvas');
            copy.width = 96; copy.height = 64;
            const pen = copy.getContext('2d');
            pen.drawImage(c, 0, 0, 96, 64);
            const d = pen.getImageData(0, 0, 96, 64).data, seen = new Set();
            for (let k = 0; k < d.length; k += 4) seen.add((d[k] >> 4) << 8 | (d[k + 1] >> 4) << 4 | d[k + 2] >> 4);
            return seen.size;"""
        )

    def picture(self):
        """The canvas as text, to be compared."""
        return self.js("espalier.update(); return espalier.scene.canvas.toDataURL()")

    def shot(self, name):
        self.browser.save_screenshot(os.path.join(SHOTS, name + ".png"))

    def view(self, what, page, *words):
        text = self.verb("view", what, "-o", page, *words)
        self.assertIn(f"Wrote {page}", text)
        return text

    def test_mechanism(self):
        self.verb("generate", "strandbeest", "6", "-o", "strandbeest.yaml")
        self.verb("simulate", "strandbeest.yaml", "--end", "2", "-o", "walk", "--quiet")
        self.view("walk", "walk.html")
        self.open("walk.html")
        self.assertGreater(self.colours(), 12, "a blank picture")
        self.shot("strandbeest")
        first = self.picture()
        # Play moves, and pause holds.
        self.browser.find_element(By.ID, "play").click()
        self.until("espalier.time > 0.02")
        self.browser.find_element(By.ID, "play").click()
        self.assertNotEqual(first, self.picture())
        # Scrubbing, and the address that leads back to the same picture.
        self.js("const s = document.getElementById('scrub'); s.value = 1.25; s.dispatchEvent(new Event('input'));")
        self.assertAlmostEqual(self.js("return espalier.time"), 1.25, places=6)
        address = self.js("espalier.update(); return location.hash")
        self.assertIn("t=1.25", address)
        kept = self.picture()
        self.open("walk.html", address.lstrip("#"))
        self.assertEqual(self.js("return espalier.time"), 1.25)
        self.assertEqual(kept, self.picture())
        self.cut_joint_tells_its_card()
        self.ghost_is_seen()
        self.curves_are_those_of_the_run()
        self.quiet()

    def cut_joint_tells_its_card(self):
        cut = self.browser.find_elements(By.CSS_SELECTOR, "#topology .cut")
        self.assertGreater(len(cut), 0)
        self.js("document.querySelector('#topology .cut').parentNode.dispatchEvent(new MouseEvent('click'))")
        self.until("!document.getElementById('card').hidden")
        card = self.browser.find_element(By.ID, "card").text
        self.assertIn("cut", card)
        self.assertIn("in the plan", card)
        self.assertIn(self.js("return espalier.nameOf(espalier.scene.selected)"), card)
        self.until("document.querySelectorAll('#topology g.on').length > 0")
        self.shot("cut_joint")
        # The same joint pointed at in the scene lights its line in the tree.
        self.js(
            """espalier.select(null); espalier.update();
            const joint = espalier.data.tree.cut[0].joint, at = espalier.scene.seen(espalier.scene.jointPlace(joint).place);
            espalier.scene.lit = {kind: 'joint', index: joint}; espalier.update(); return at;"""
        )
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#topology g.on .cut")), 1)
        self.js("espalier.scene.lit = null")

    def ghost_is_seen(self):
        self.verb("simulate", "strandbeest.yaml", "--end", "1", "-o", "short", "--quiet")
        self.view("walk", "both.html", "--compare", "short")
        # The shorter run stands still behind its end: there the two are apart.
        self.open("both.html", "t=1.6&play=0")
        both = self.picture()
        self.shot("ghost")
        self.browser.find_element(By.ID, "switch-ghost").click()
        self.assertNotEqual(both, self.picture())
        self.open("walk.html", "t=1.6&play=0")

    def curves_are_those_of_the_run(self):
        text = self.js("return espalier.plots.csv()")
        rows = [line.split(",") for line in text.strip().splitlines()]
        self.assertEqual(rows[0][0], "time [s]")
        self.assertIn("kinetic energy [J]", rows[0])
        self.assertEqual(len(rows), 1 + self.js("return espalier.motion.count"))
        self.assertAlmostEqual(float(rows[-1][0]), 2)

    def test_scene_on_ranks(self):
        self.verb("generate", "pile", "60", "-o", "pile.yaml")
        self.verb("simulate", "pile.yaml", "--end", "0.6", "--output-step", "0.02", "--csv", "-o", "pile", "--quiet")
        self.view("pile", "pile.html")
        self.open("pile.html", "t=0.5&play=0")
        self.assertGreater(self.colours(), 12)
        self.assertIn("contacts", self.browser.find_element(By.ID, "contacts").text)
        self.shot("pile")
        self.poses_are_those_of_the_run()
        with_arrows = self.picture()
        self.js("espalier.scene.switches.arrows = espalier.scene.switches.points = false")
        self.assertNotEqual(with_arrows, self.picture())
        self.quiet()

    def poses_are_those_of_the_run(self):
        with open(os.path.join(self.folder, "pile/result.csv"), encoding="utf-8") as file:
            last = list(csv.DictReader(file))[-1]
        pose = self.js("return Array.from(espalier.motion.at(espalier.motion.end))")
        names = self.js("return espalier.data.bodies.map(b => b.name)")
        for body, name in enumerate(names[1:], 1):
            for k, part in enumerate("xyz"):
                self.assertAlmostEqual(pose[7 * body + k], float(last[f"{name}.{part}"]), delta=1e-4, msg=name)
            turn = [float(last[f"{name}.{part}"]) for part in ("qw", "qx", "qy", "qz")]
            shown = pose[7 * body + 3 : 7 * body + 7]
            sign = math.copysign(1, sum(a * b for a, b in zip(turn, shown)))
            # The chord of two quaternions is half the angle between them.
            self.assertLess(2 * math.dist(turn, [sign * part for part in shown]), 2e-4, name)

    def test_model_light_and_dark_and_narrow(self):
        self.view(os.path.join(SOURCE, "models/stewart.yaml"), "stewart.html")
        self.open("stewart.html")
        self.assertFalse(self.browser.find_element(By.ID, "time").is_displayed(), "a model has no time")
        self.js("document.documentElement.dataset.theme = 'light'; espalier.themed()")
        light = self.picture()
        self.shot("stewart_light")
        self.browser.find_element(By.ID, "theme").click()
        self.assertEqual(self.js("return document.documentElement.dataset.theme"), "dark")
        self.assertNotEqual(light, self.picture())
        self.shot("stewart_dark")
        # A window of Chromium is not narrower than 500 pixels; what it shows may be.
        narrow = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", narrow)
        try:
            self.until("espalier.scene.w <= 400 && espalier.scene.w === espalier.scene.canvas.clientWidth")
            wide = self.js("return document.documentElement.scrollWidth - innerWidth")
            self.assertLessEqual(wide, 0, "the page scrolls sideways")
            self.shot("stewart_narrow")
        finally:
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.quiet()

    def test_modes_move_and_stand_still(self):
        self.verb("modes", os.path.join(SOURCE, "models/y_frame.yaml"), "--count", 4, "--page", "modes.html")
        # Less motion is asked for: the shape stands until it is told to move.
        self.open("modes.html", "")
        self.assertFalse(self.js("return espalier.modes.playing"))
        self.assertGreater(self.colours(), 10, "a blank picture")
        first = self.picture()
        self.browser.find_element(By.ID, "mode-play").click()
        self.until("espalier.modes.phase > 0.3")
        self.browser.find_element(By.ID, "mode-play").click()
        self.assertNotEqual(first, self.picture())
        rows = self.browser.find_elements(By.CSS_SELECTOR, "#modes tbody tr")
        self.assertEqual(len(rows), 4)
        kept = self.picture()
        rows[2].click()
        self.assertEqual(self.js("return espalier.modes.mode"), 2)
        self.assertNotEqual(kept, self.picture())
        # The address leads back to the same shape at the same moment.
        address = self.js("espalier.modes.phase = 1.25; espalier.saveAddress(); return espalier.address")
        kept = self.picture()
        self.open("modes.html", address.lstrip("#"))
        self.assertEqual(kept, self.picture())
        self.assertGreater(len(self.browser.find_elements(By.CSS_SELECTOR, "#charts svg")), 0)
        self.shot("modes")
        self.quiet()

    def test_pages_of_charts_need_no_scene(self):
        frame = os.path.join(SOURCE, "models/y_frame.yaml")
        self.verb("modes", frame, "--response", "hub.y", "tip.y", "--to", 30, "--page", "response.html")
        self.browser.get("about:blank")
        self.browser.get_log("browser"), self.browser.get_log("performance")
        self.browser.get(f"file://{self.folder}/response.html")
        self.until("document.getElementById('provenance') !== null")
        self.assertFalse(self.browser.find_element(By.ID, "stage").is_displayed())
        self.assertTrue(self.browser.find_element(By.CSS_SELECTOR, "#charts svg").is_displayed())
        self.shot("response")
        self.quiet()

    def test_a_plan_is_searched_and_read(self):
        self.verb("plan", os.path.join(SOURCE, "models/double_wishbone.yaml"), "--page", "plan.html")
        self.open("plan.html")
        field = self.browser.find_element(By.CSS_SELECTOR, "#topology input[type=search]")
        field.send_keys("Rw_rr")
        self.until("espalier.scene.selected && espalier.nameOf(espalier.scene.selected) === 'Rw_rr'")
        self.assertIn("Rw_rr", self.browser.find_element(By.ID, "card").text)
        rows = self.js("return document.querySelectorAll('#topology table tbody tr').length")
        self.assertEqual(rows, self.js("return espalier.data.joints.length"))
        self.shot("plan")
        self.quiet()

    def test_hostile_names_stay_text(self):
        body = {"name": HOSTILE, "material": "wood", "shapes": [{"box": {"size": [0.2, 0.1, 0.3]}}]}
        joint = {"name": HOSTILE + "j", "type": "revolute", "between": ["ground", HOSTILE], "at": {"axis": [0, -1, 0]}}
        model = {"espalier": 1, "name": HOSTILE, "materials": {"wood": {"density": 700}}, "bodies": [body], "joints": [joint]}
        with open(os.path.join(self.folder, "hostile.yaml"), "w", encoding="utf-8") as file:
            json.dump(model, file)
        self.verb("view", "hostile.yaml", "-o", "hostile.html")
        self.open("hostile.html")
        self.js("espalier.select({kind: 'body', index: 1}); espalier.update()")
        self.assertEqual(self.js("return document.querySelectorAll('img').length"), 0)
        self.assertIn(HOSTILE, self.browser.find_element(By.ID, "card").text)
        self.assertEqual(self.browser.find_element(By.ID, "title").text, HOSTILE)
        self.quiet()


if __name__ == "__main__":
    PROGRAM, SOURCE, SHOTS = (os.path.abspath(word) for word in sys.argv[1:4])
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
