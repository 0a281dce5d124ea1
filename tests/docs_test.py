"""What the documents quote is what the program prints, and what they count is what the files hold.

usage: docs_test.py PROGRAM SOURCE_FOLDER
"""

import csv
import os
import re
import subprocess
import sys
import unittest

from folder import Folder, skip_without_mpi

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
# Lines that tell of the machine, of time, or of where files went.
MOVING = re.compile(r"^\s*(found by|Time|Ranks|Written|Next|work|written|next)\b")


def text_of(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


def quoted(name):
    """The commands a document shows with `$ build/espalier`, each with the lines that follow it."""
    for block in re.findall(r"```\n(\$ .*?)```", text_of(name), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


class Quotes(Folder):
    program = PROGRAM

    def run_quoted(self, command):
        words = command.split()
        self.assertEqual(words[0], "build/espalier", command)
        if os.path.exists(os.path.join(SOURCE, "models")) and not os.path.exists(self.path("models")):
            os.symlink(os.path.join(SOURCE, "models"), self.path("models"))
        answer = skip_without_mpi(
            subprocess.run([PROGRAM, *words[1:]], capture_output=True, text=True, timeout=300, cwd=self.folder,
                           env={**os.environ, "COLUMNS": "80"}))
        self.assertEqual(answer.returncode, 0, command + answer.stderr)
        return answer.stdout

    def compare(self, name, leave_out=()):
        """Every quoted line is printed, in this order; `...` stands for any lines, columns may be set differently."""
        count = 0
        for command, output in quoted(name):
            if any(word in command for word in leave_out):
                continue
            printed = self.run_quoted(command).splitlines()
            shown = [" ".join(line.split()) for line in printed if not MOVING.match(line)]
            # Long lines may be joined in the document.
            whole = " ".join(shown)
            for line in output.splitlines():
                if MOVING.match(line) or line.strip() in ("", "..."):
                    continue
                self.assertIn(" ".join(line.split()), whole, f"{name}: {command}")
                count += 1
        return count

    def test_readme(self):
        self.assertGreater(self.compare("README.md"), 6)

    # A search of 8064 designs is for tune_command_line.
    def test_tour(self):
        self.assertGreater(self.compare("docs/tour.md", leave_out=("tune ",)), 40)

    def test_the_four_bar_of_the_tour_moves(self):
        model = re.search(r"```yaml\n(espalier: 1.*?)```", text_of("docs/tour.md"), re.DOTALL).group(1)
        self.file("four_bar.yaml", model)
        check = self.document("check", "four_bar.yaml")
        self.assertEqual(check["freedom_by_rank"] if "freedom_by_rank" in check else check["freedom"], 1)
        run = self.document("simulate", "four_bar.yaml", "-t", 0.5, "--no-files")
        self.assertGreater(run["energy_scale"], 0.1)
        self.assertNotIn("Nothing moved", " ".join(run["notes"]))

    def test_the_caption_of_the_picture_is_a_command(self):
        command = re.search(r"Drawn by `espalier (.*?)`", text_of("README.md")).group(1)
        self.run_quoted("build/espalier " + command)
        self.assertIn("<svg", self.read("strandbeest.svg"))

    def test_ranks_have_the_bodies_of_the_scene(self):
        self.run_verb("generate", "pile", 24, "--grain", "mixed", "-o", "pile.yaml")
        answer = self.document("simulate", "pile.yaml", "--end", 0.01, "--step", 0.005, "--ranks", 2, "--no-files")
        self.assertEqual(sum(rank["bodies"] for rank in answer["ranks"]), 24)


class Counts(unittest.TestCase):
    def test_the_changelog_counts_the_shipped_models(self):
        words = {15: "Fifteen", 16: "Sixteen", 17: "Seventeen", 18: "Eighteen", 19: "Nineteen", 20: "Twenty"}
        shipped = [name for name in os.listdir(os.path.join(SOURCE, "models")) if name.endswith(".yaml")]
        self.assertIn(f"{words[len(shipped)]} shipped mechanisms", text_of("CHANGELOG.md"))

    def test_demo_shows_the_verbs_that_are_named(self):
        line = next(line for line in text_of("README.md").splitlines() if line.startswith("| `demo`"))
        named = set(re.findall(r"`(\w+)`", line)) - {"demo"}
        shown = set(re.findall(r'\("(\w+) \{\}|fmt::format\("(\w+) ', text_of("apps/espalier/cmd_demo.cpp")))
        self.assertEqual(named, {word for pair in shown for word in pair if word})


class Measurements(unittest.TestCase):
    """bench/README.md says what the tables say."""

    def rows(self, path):
        with open(os.path.join(SOURCE, "bench", "results", path), encoding="utf-8") as file:
            lines = [line for line in file if line.strip()]
        head = next(k for k, line in enumerate(lines) if line.startswith(("name", "part", "ranks", "experiment")))
        return list(csv.DictReader(lines[head:]))

    def setUp(self):
        self.text = text_of("bench/README.md")

    def test_modes_ranks(self):
        rows = self.rows("xeon-2100mhz-x16/modes_ranks.csv")

        def efficiencies(experiment, distribution, transport="shared"):
            found = [row["efficiency"] for row in rows if row["ranks"] != "1" and
                     (row["experiment"], row["distribution"], row["transport"]) == (experiment, distribution, transport)]
            return ", ".join(f"{float(value):.2f}" for value in found)

        self.assertIn(f"Beam: {efficiencies('table7', 'dynamic')} shared out dynamically, "
                      f"{efficiencies('table7', 'paper')} by the published shares", self.text)
        self.assertIn(f"Launcher: {efficiencies('table8', 'dynamic')} and {efficiencies('table8', 'paper')} ", self.text)
        self.assertIn(f"(row `copies`) has {efficiencies('copies', 'none', 'none')}:", self.text)

    def test_tune_rate(self):
        rows = self.rows("xeon-2100mhz-x16/tune_rate.csv")
        threads = [f"{float(row['designs_per_second']):.0f}" for row in rows if row["ranks"] == "1"]
        ranks = {row["ranks"]: f"{float(row['designs_per_second']):.0f}" for row in rows if row["threads"] == "1"}
        self.assertIn(f"{', '.join(threads[:-1])} and {threads[-1]} designs a second with 1, 2, 4, 8 and 16 threads, "
                      f"{ranks['2']} and {ranks['16']} with 2 and 16 ranks", self.text)

    def test_plan_large(self):
        rows = {row["name"]: row for row in self.rows("amd-epyc-x2/plan_large.csv")}

        def at(kind, size):
            row = rows[f"{kind}/{size}_median"]
            return f"{float(row['gap']):.2g} % in {float(row['cpu_time']) / 1000:.2g} s"

        gaps = ", ".join(f"{float(rows[f'search/{n}_median']['gap']):.2f}" for n in (1000, 2000, 3000, 4000))
        self.assertIn(f"within {gaps} % of the optimum", self.text)
        self.assertIn(f"random {at('search', 100000)}", self.text)
        for kind in ("grid", "ladder", "multibody"):
            self.assertTrue(f"{kind} {at(kind, 100000)}" in self.text, kind)

    def test_piles(self):
        rows = self.rows("xeon-2100mhz-x16/piles.csv")

        def seconds(part, ranks):
            return next(float(row["step_ms"]) / 1000 for row in rows
                        if (row["part"], row["scene"], row["bodies"], row["ranks"]) == (part, "spheres", "100000", ranks))

        one, sixteen = seconds("strong", "1"), seconds("strong", "16")
        self.assertIn(f"take {one:.2g} s a step on one rank and {sixteen:.2f} s on 16 (efficiency {one / sixteen / 16:.2f}",
                      self.text)
        self.assertIn(f"{seconds('order', '1'):.1f} and {seconds('order', '16'):.2f} s", self.text)


if __name__ == "__main__":
    unittest.main()
