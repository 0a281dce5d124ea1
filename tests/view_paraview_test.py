#!/usr/bin/env python3
"""Files that `espalier view RUN --paraview FOLDER` writes, read by Python alone: view_paraview_test.py ESPALIER SOURCE_DIR

XML, counts, lengths of arrays, and numbers beside those of result.csv.
"""

import base64
import csv
import json
import math
import os
import struct
import sys
import unittest
import xml.etree.ElementTree as tree
import zlib

import folder

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
FOUR_BAR = os.path.join(SOURCE, "models", "four_bar.yaml")
LETTERS = {"Float32": "f", "Int32": "i", "Int64": "q"}
BODY, CONTACT, SURFACE = 0, 1, 2


def numbers(array):
    """The numbers of a DataArray: four words of its head in base64, then one deflated block in base64."""
    text = array.text
    blocks, whole, partial, *packed = struct.unpack("<QQQQ", base64.b64decode(text[:44])) if len(text) > 32 else (0, 0, 0)
    if blocks == 0:
        return []
    data = zlib.decompress(base64.b64decode(text[44:]))
    assert (blocks, partial) == (1, 0) and len(data) == whole and len(base64.b64decode(text[44:])) == packed[0]
    letter = LETTERS[array.get("type")]
    return struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data)


class Frame:
    def __init__(self, path):
        root = tree.parse(path).getroot()
        assert root.get("type") == "PolyData" and root.get("compressor") == "vtkZLibDataCompressor"
        self.piece = root.find("PolyData/Piece")
        self.count = {name: int(self.piece.get("NumberOf" + name)) for name in ("Points", "Verts", "Polys")}
        self.arrays = {}
        for section in self.piece:
            for array in section:
                self.arrays[f"{section.tag}/{array.get('Name')}"] = (int(array.get("NumberOfComponents")), numbers(array))

    def rows(self, name):
        width, values = self.arrays[name]
        return [values[k : k + width] for k in range(0, len(values), width)]

    def of(self, name):
        return self.arrays[name][1]


class Paraview(folder.Folder):
    program = PROGRAM

    def done(self, *words):
        answer = self.run_verb(*words)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        return answer.stdout

    def frames(self, name):
        """[(time, Frame)] of the collection in a folder."""
        found = tree.parse(self.path(f"{name}/run.pvd")).getroot().findall("Collection/DataSet")
        return [(float(entry.get("timestep")), Frame(self.path(f"{name}/{entry.get('file')}"))) for entry in found]

    def table(self, run):
        with open(self.path(run + "/result.csv"), encoding="utf-8") as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def check_lengths(self, frame):
        points, cells = frame.count["Points"], frame.count["Verts"] + frame.count["Polys"]
        for name, (width, values) in frame.arrays.items():
            section = name.split("/")[0]
            if section in ("PointData", "Points"):
                self.assertEqual(len(values), width * points, name)
            elif section == "CellData":
                self.assertEqual(len(values), width * cells, name)
        for section, size in (("Verts", 1), ("Polys", 3)):
            ends = frame.of(section + "/offsets")
            self.assertEqual(list(ends), [size * (k + 1) for k in range(frame.count[section])])
            corners = frame.of(section + "/connectivity")
            self.assertEqual(len(corners), size * frame.count[section])
            self.assertTrue(all(0 <= corner < points for corner in corners))
        parts = frame.of("CellData/part")
        self.assertEqual(list(parts), sorted(parts[: frame.count["Verts"]]) + [SURFACE] * frame.count["Polys"])

    def test_a_mechanism(self):
        self.done("simulate", FOUR_BAR, "--end", "0.2", "--csv", "*", "-o", "run", "--quiet")
        self.assertIn("21 frames; open out/run.pvd", self.done("view", "run", "--paraview", "out"))
        table, frames = self.table("run"), self.frames("out")
        self.assertEqual([time for time, _ in frames], [row["time [s]"] for row in table])
        with open(self.path("out/bodies.csv"), encoding="utf-8") as file:
            names = [row["name"] for row in csv.DictReader(file)]
        for row, (_, frame) in zip(table, frames):
            self.check_lengths(frame)
            places = frame.rows("Points/points")
            self.assertEqual(list(frame.of("CellData/body")[:3]), [1, 2, 3])
            for body in (1, 2, 3):
                for part, value in zip("xyz", places[body - 1]):
                    self.assertAlmostEqual(value, row[f"{names[body]}.position.{part} [m]"], delta=1e-6)
        # The points of a surface move as their own body does: central differences of the frames beside `velocity`.
        before, now, after = (frame for _, frame in frames[9:12])
        step = frames[11][0] - frames[9][0]
        for first, velocity, last in zip(
            before.rows("Points/points"), now.rows("PointData/velocity"), after.rows("Points/points")
        ):
            measured = [(b - a) / step for a, b in zip(first, last)]
            self.assertLess(math.dist(measured, velocity), 0.02 * (1 + math.hypot(*velocity)))

    def test_a_scene_on_two_ranks(self):
        self.done("generate", "pile", "40", "-o", "pile.yaml")
        self.done("simulate", "pile.yaml", "--end", "0.5", "--output-step", "0.1", "--ranks", "2", "-o", "run", "--quiet")
        document = json.loads(self.done("view", "run", "--paraview", "out", "--json"))
        self.assertEqual((document["frames"], document["written"]), (6, "out"))
        sizes = sum(os.path.getsize(self.path("out/" + name)) for name in os.listdir(self.path("out")))
        self.assertEqual(document["bytes"], sizes)
        frame = self.frames("out")[-1][1]
        self.check_lengths(frame)
        self.assertEqual(set(frame.of("CellData/rank")), {0, 1})
        parts, forces = frame.of("CellData/part"), frame.rows("PointData/force")
        contacts = [k for k in range(frame.count["Verts"]) if parts[k] == CONTACT]
        self.assertGreater(len(contacts), 10)
        self.assertTrue(any(math.hypot(*forces[k]) > 0 for k in contacts))
        self.assertTrue(all(forces[k] == (0, 0, 0) for k in range(len(forces)) if k not in contacts))
        # Contacts lie at the surface of what they are of: within the ball around the body.
        places, bodies, radius = frame.rows("Points/points"), frame.of("CellData/body"), frame.of("PointData/radius")
        for k in contacts:
            if bodies[k] > 0:
                self.assertLess(math.dist(places[k], places[bodies[k] - 1]), 1.1 * radius[bodies[k] - 1])

    def test_large_piles_are_points(self):
        self.done("generate", "pile", "3200", "-o", "pile.yaml")
        self.done("simulate", "pile.yaml", "--end", "0.002", "--output-step", "0.002", "-o", "run", "--quiet")
        self.done("view", "run", "--paraview", "out")
        frame = self.frames("out")[0][1]
        self.assertEqual((frame.count["Points"], frame.count["Polys"]), (3200, 0))
        self.assertGreater(min(frame.of("PointData/radius")), 0)

    def test_bad_input(self):
        self.done("simulate", FOUR_BAR, "--end", "0.1", "-o", "run", "--quiet")
        os.mkdir(self.path("empty"))
        self.assert_refused("no run", "view", "empty", "--paraview", "out")
        self.assert_refused("four_bar.yaml", "view", FOUR_BAR, "--paraview", "out")
        self.assert_refused("run.json", "view", "run", "--paraview", "run/run.json/out")
        self.assertFalse(os.path.exists(self.path("out")))


if __name__ == "__main__":
    unittest.main()
