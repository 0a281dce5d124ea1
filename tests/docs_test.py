"""What the documents quote is what the program prints, and what they count is what the files hold.

usage: docs_test.py PROGRAM SOURCE_FOLDER
"""

import csv
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

from folder import Folder, skip_without_mpi

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
# Lines that tell of time, of the machine and its folders.
MOVING = re.compile(r"^\s*(Time|Ranks|work)\b")
SECONDS = re.compile(r"\b(in|after) [0-9.e-]+ s\b")


def text_of(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


def pages():
    """Every page that may quote a command."""
    for top, _, names in os.walk(os.path.join(SOURCE, "docs")):
        for name in sorted(names):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(top, name), SOURCE)
    for name in sorted(os.listdir(SOURCE)):
        if name.endswith(".md"):
            yield name


def quoted(name):
    """The commands a page shows behind `$ `, each with the lines that follow it."""
    for block in re.findall(r"^```\w*\n(\$ .*?)^```", text_of(name), re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def files_of(name):
    """The files a page shows: blocks of YAML, JSON or XML whose first line is a comment with a name."""
    shown = r"^```(?:yaml|json|xml)\n(?:# |<!-- )([\w.-]+\.\w+)(?: -->)?\n(.*?)^```"
    for match in re.finditer(shown, text_of(name), re.DOTALL | re.MULTILINE):
        # The first line stays, so that a line number in a message is the one a reader counts.
        yield match.group(1), match.group(0).partition("\n")[2].rpartition("```")[0]


def words_of(text):
    """All words but those of lines that change from run to run; how lines are broken does not count."""
    kept = [SECONDS.sub(r"\1 TIME s", line) for line in text.splitlines() if not MOVING.match(line)]
    return " ".join(kept).split()


def same_word(quote, printed):
    """Equal, or numbers with a fraction that agree to three digits."""
    if quote == printed:
        return True
    number = r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?"
    if re.sub(number, "#", quote) != re.sub(number, "#", printed):
        return False
    pairs = zip(re.findall(number, quote), re.findall(number, printed))
    return all(a == b or (("." in a or "e" in a) and abs(float(a) - float(b)) <= 2e-3 * abs(float(b))) for a, b in pairs)


def first_difference(quote, printed):
    """None where `printed` is what `quote` shows, `...` standing for any words; else the words quoted in vain."""
    chunks = " ".join(quote).split("...") if "..." in quote else [" ".join(quote)]
    place = 0
    for k, chunk in enumerate(words.split() for words in chunks):
        starts = range(place, len(printed) - len(chunk) + 1)
        if k == 0:
            starts = starts[:1]
        if k == len(chunks) - 1:
            starts = starts[-1:] if k else [s for s in starts if len(chunk) == len(printed)]
        found = next((s for s in starts if all(map(same_word, chunk, printed[s:]))), None)
        if found is None:
            wrong = next((n for n, pair in enumerate(zip(chunk, printed[place:])) if not same_word(*pair)), len(chunk))
            return " ".join(chunk[max(0, wrong - 5):wrong + 5])
        place = found + len(chunk)
    return None


class Quotes(Folder):
    program = PROGRAM

    def run_quoted(self, command):
        """What the program prints, and whether it says that something is wrong."""
        words = shlex.split(command)
        self.assertIn(words[0], ("build/espalier", "espalier"), command)
        if not os.path.exists(self.path("models")):
            os.symlink(os.path.join(SOURCE, "models"), self.path("models"))
        answer = skip_without_mpi(
            subprocess.run([PROGRAM, *words[1:]], capture_output=True, text=True, timeout=300, cwd=self.folder,
                           env={**os.environ, "COLUMNS": "1000"}))
        self.assertIn(answer.returncode, (0, 1, 2), command + answer.stderr)
        # Progress, which is on standard error, tells of time.
        return answer.stdout + (answer.stderr if answer.returncode else ""), answer.returncode

    def compare(self, name):
        """Every command of a page prints what the page shows, in this order; one that shows nothing succeeds."""
        for file, text in files_of(name):
            self.file(file, text)
        for command, output in quoted(name):
            printed, code = self.run_quoted(command)
            fails = re.search(r"^espalier: (?!note)|^Failed", output, re.MULTILINE) is not None
            self.assertEqual(code != 0, fails, f"{name}: {command}: exit {code}\n{printed}")
            if output.strip():
                lost = first_difference(words_of(output), words_of(printed))
                self.assertIsNone(lost, f"{name}: {command}\nquotes '{lost}' in vain; printed is\n{printed}")

    def test_every_command_of_every_page(self):
        for name in pages():
            with self.subTest(page=name), tempfile.TemporaryDirectory() as folder:
                self.folder = folder
                self.compare(name)
        self.assertGreater(len(list(quoted("README.md"))), 0)
        self.assertGreater(len(list(quoted("docs/tour.md"))), 6)

    def test_no_command_hides_outside_of_a_block(self):
        for name in pages():
            self.assertEqual(len(re.findall(r"^\s*\$ ", text_of(name), re.MULTILINE)), len(list(quoted(name))), name)

    def test_a_wrong_quote_is_found(self):
        printed = "cost 27 in 0.1 s; 9.8512 of 36 loops".split()
        for right in ("cost 27 in 0.1 s; 9.85 of 36 loops", "cost 27 ... 36 loops", "... 9.8523 of 36 loops"):
            self.assertIsNone(first_difference(right.split(), printed), right)
        for wrong in ("cost 28 in 0.1 s; 9.85 of 36 loops", "cost 27", "... 9.95 of 36 loops", "cost 27 ... 37 loops", "27 ..."):
            self.assertIsNotNone(first_difference(wrong.split(), printed), wrong)

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


class Troubleshooting(unittest.TestCase):
    """Every message that the page explains is one of the program."""

    def messages(self):
        sys.path.insert(0, os.path.join(SOURCE, "tools"))
        import check_words

        for room in ("espalier", "apps"):
            for top, _, names in os.walk(os.path.join(SOURCE, room)):
                for name in names:
                    if name.endswith((".cpp", ".hpp", ".inc")) and os.path.basename(top) != "test":
                        yield " ".join(check_words.strings_of(text_of(os.path.join(top, name))).split())

    def test_messages_are_those_of_the_program(self):
        known = "\n".join(self.messages())
        quoted_messages = re.findall(r"^\*\*`([^`]+)`", text_of("docs/troubleshooting.md"), re.MULTILINE)
        self.assertGreater(len(quoted_messages), 15)
        for message in quoted_messages:
            for part in message.split("..."):
                self.assertIn(part.strip(" .;:"), known, message)


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
