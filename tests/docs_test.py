"""What the documents quote is what the program prints, and what they count is what the files hold.

usage: docs_test.py PROGRAM SOURCE_FOLDER
"""

import email.utils
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
    """The files a page shows: blocks of YAML, JSON, XML or CSV whose first line is a comment with a name."""
    shown = r"^```(?:yaml|json|xml|csv)\n(?:# |<!-- )([\w.-]+\.\w+)(?: -->)?\n(.*?)^```"
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

    def test_the_list_of_what_to_extend_names_files_that_are_there(self):
        named = re.findall(r"`([\w{},./-]+/[\w{},.-]+\.[\w{},]+)`", text_of("docs/extend.md"))
        self.assertGreater(len(named), 50)
        for name in named:
            head, alternatives, tail = re.fullmatch(r"([^{]*)(?:{(.*)})?([^}]*)", name).groups()
            for part in (alternatives or "").split(","):
                file = head + part + tail
                there = any(os.path.isfile(os.path.join(SOURCE, top, file)) for top in ("", "espalier"))
                self.assertTrue(there, file)

    def test_the_four_bar_of_the_tour_moves(self):
        model = re.search(r"```yaml\n(espalier: 1.*?)```", text_of("docs/tour.md"), re.DOTALL).group(1)
        self.file("four_bar.yaml", model)
        check = self.document("check", "four_bar.yaml")
        self.assertEqual(check["freedom_by_rank"] if "freedom_by_rank" in check else check["freedom"], 1)
        run = self.document("simulate", "four_bar.yaml", "-t", 0.5, "--no-files")
        self.assertGreater(run["energy_scale"], 0.1)
        self.assertNotIn("Nothing moved", " ".join(run["notes"]))

    def test_the_caption_of_the_picture_is_a_command(self):
        caption = re.search(r"<sub>(.*?)</sub>", text_of("README.md"), re.DOTALL).group(1)
        for command in re.findall(r"`espalier (.*?)`", caption):
            self.assertEqual(self.run_quoted("build/espalier " + command)[1], 0, command)
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
        shown = set(re.findall(r'\{"(\w+)"', text_of("espalier/manual/first_tour.cpp")))
        self.assertEqual(named, shown)


class Versions(unittest.TestCase):
    def test_every_file_names_the_version_of_the_program(self):
        answer = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, timeout=60)
        version = answer.stdout.splitlines()[0].removeprefix("espalier ")
        self.assertIn(f"project(espalier VERSION {version} ", text_of("CMakeLists.txt"))
        self.assertIn(f"\nversion: {version}\n", text_of("CITATION.cff"))
        # find_package takes a version that is the same but for the last number.
        self.assertIn(f"find_package(espalier {version.rpartition('.')[0]} ", text_of("docs/CMakeLists.example.txt"))
        released = re.search(r"^date-released: (.*)$", text_of("CITATION.cff"), re.MULTILINE)[1]
        packaged = re.search(r"^ -- .*>  (.*)$", text_of("packaging/changelog.in"), re.MULTILINE)[1]
        self.assertEqual(str(email.utils.parsedate_to_datetime(packaged).date()), released)


class MovedHeaders(unittest.TestCase):
    def test_what_is_named_is_there_and_what_stood_there_is_gone(self):
        text = text_of("docs/moved-headers.md")
        there = lambda header: os.path.isfile(os.path.join(SOURCE, "espalier", header))
        rows = re.findall(r"^\| `((\w+)/\w+\.hpp)` \| (.*) \|$", text, re.MULTILINE)
        self.assertGreater(len(rows), 50)
        for header, room, was in rows:
            self.assertTrue(there(header), header)
            for word in re.findall(r"`([\w/.]+)`", was):
                before = word if "/" in word else f"{room}/{word}.hpp"
                self.assertFalse(there(before), before)
        private = text.partition("## Private now")[2].partition("\n## ")[0]
        for room, words in re.findall(r"^- `(\w+)`: (.*(?:\n  .*)*)", private, re.MULTILINE):
            for word in re.findall(r"`(\w+)`", words):
                places = [there(f"{room}/{folder}/{word}.hpp") for folder in ("detail", "baseline")]
                self.assertTrue(any(places) and not there(f"{room}/{word}.hpp"), f"{room}/{word}")


class Measurements(unittest.TestCase):
    """The pages of bench/ are what the script writes from the measured tables."""

    def test_pages_are_those_of_the_tables(self):
        script = os.path.join(SOURCE, "bench", "pages.py")
        answer = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def test_every_table_has_a_page(self):
        for machine in os.listdir(os.path.join(SOURCE, "bench", "results")):
            for name in os.listdir(os.path.join(SOURCE, "bench", "results", machine)):
                if name.endswith(".csv"):
                    page = re.sub(r"-\d+$", "", name[:-4]) + ".md"
                    self.assertIn(f"results/{machine}/{name}", text_of(f"bench/{page}"))


if __name__ == "__main__":
    unittest.main()
