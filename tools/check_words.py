#!/usr/bin/env python3
"""Holds documents, help texts and messages to docs/glossary.md. Exit 1 and one line per violation, or exit 0.

    tools/check_words.py [ROOT]

  words    no word of the table "Refused words" in docs/glossary.md, in prose of *.md files or in a string of C++ code
  rates    "per", not "a": "5 m per second", "one line per run"
  length   no line of prose or C++ is longer than 120 characters; tables, links and quoted documents may be
  links    a link of a document leads to a file that exists, and to a heading in it
"""
import re
import sys
from pathlib import Path

from check_layers import INCLUDE, TOKEN, blank

LONGEST_LINE = 120
GLOSSARY = Path("docs/glossary.md")
# What others wrote, or what a test compares with what the program prints.
NOT_OURS = {"build", ".git", "tests/fuzz/corpus", "tests/documents", "models"}
CODE = {".cpp", ".hpp", ".inc"}

# A quoted document: a model of a test, the script of a page.
QUOTED = re.compile(r'R"(?P<mark>[^\s()\\]*)\(.*?\)(?P=mark)"', re.DOTALL)
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
INLINE_CODE = re.compile(r"`[^`\n]*`")
MATHS = re.compile(r"^(?:    .*\n?)+", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*$", re.MULTILINE)
ROW = re.compile(r"^\|(.*?)\|(.*?)\|\s*$", re.MULTILINE)

# A quantity and what it is spread over. The lists hold what is measured here; a new unit belongs to them.
QUANTITY = (
    r"(?:ns|us|µs|ms|s|kB|MB|GB|bytes|flops|metres|sweeps|iterations|evaluations|designs|times|frames|points"
    r"|numbers?|lists?|lines?|rows?|entries|equations|messages|samples|products|exchanges?|constants?|marks?"
    r"|columns?|pairs?)"
)
BASE = (
    r"(?:second|minute|hour|day|step|turn|unit|row|rank|joint|coordinate|body|link|element|loop|run|frame|level"
    r"|cut joint|contact|sphere|brick|worker|point|sweep|iteration|generation|design|equation|component|vertex"
    r"|mechanism|piece|length|way|value|pass)"
)
RATE = re.compile(rf"\b{QUANTITY} an? {BASE}\b")


def refused_words(text):
    """[(pattern, what to say instead)] of the table in the glossary."""
    table = text.partition("## Refused words")[2]
    words = []
    for match in ROW.finditer(table):
        for word in re.findall(r"`([^`]+)`", match[1]):
            words.append(
                (re.compile(rf"\b{re.escape(word)}\b".replace(r"\ ", r"\s+"), re.IGNORECASE), match[2].strip())
            )
    return words


def prose_of(text):
    """A document without its code; every line keeps its number and every character its place."""
    for pattern in (FENCE, MATHS, INLINE_CODE):
        text = pattern.sub(lambda match: blank(match[0]), text)
    return text


def strings_of(text):
    """C++ text with all but its string literals made blank. The parts of a literal on several lines are joined."""
    text = INCLUDE.sub(lambda match: blank(match[0]), text)
    kept, end = [], 0
    for token in TOKEN.finditer(text):
        is_text = token["comment"] is None and not token[0].startswith("'")
        kept.append(blank(text[end : token.start()]))
        kept.append(token[0] if is_text else blank(token[0]))
        end = token.end()
    kept.append(blank(text[end:]))
    # "over so " "many" is one text: the quotes between its parts become blanks, and line ends are blanks to \s.
    return re.sub(r'"(\s*)"', r" \1 ", "".join(kept))


def slug(heading):
    """The anchor that a heading gets."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Checker:
    def __init__(self, root):
        self.root = root
        self.violations = []
        self.files = 0
        self.words = refused_words((root / GLOSSARY).read_text())
        self.anchors = {}

    def report(self, file, text, place, sentence):
        self.violations.append((str(file), text.count("\n", 0, place) + 1, sentence))

    def run(self):
        for path in sorted(self.root.rglob("*")):
            file = path.relative_to(self.root)
            if not path.is_file() or any(str(file) == name or str(file).startswith(name + "/") for name in NOT_OURS):
                continue
            if path.suffix == ".md":
                self.check_document(file, path.read_text())
            elif path.suffix in CODE:
                self.check_source(file, path.read_text())
        return sorted(self.violations)

    def check_document(self, file, text):
        self.files += 1
        prose = prose_of(text)
        self.check_words(file, prose if file != GLOSSARY else prose.partition("## Rates")[0])
        self.check_length(file, text, prose=True)
        for match in LINK.finditer(prose):
            self.check_link(file, text, match.start(), match[1] or match[2])

    def check_source(self, file, text):
        self.files += 1
        if file.parts[0] in ("apps", "espalier") and "test" not in file.parts:
            self.check_words(file, strings_of(text))
        self.check_length(file, QUOTED.sub(lambda match: "\n" * match[0].count("\n"), text), prose=False)

    def check_words(self, file, text):
        for pattern, instead in self.words:
            for match in pattern.finditer(text):
                self.report(file, text, match.start(), f'words: "{" ".join(match[0].split())}": say {instead}')
        for match in RATE.finditer(text):
            self.report(file, text, match.start(), f'rates: "{match[0]}": say "per"')

    def check_length(self, file, text, prose):
        for number, line in enumerate(text.splitlines(), 1):
            excepted = prose and (line.startswith("|") or "](" in line or "http" in line)
            if len(line) > LONGEST_LINE and not excepted and "http" not in line:
                self.violations.append((str(file), number, f"length: {len(line)} characters, at most {LONGEST_LINE}"))

    def check_link(self, file, text, place, target):
        if re.match(r"[a-z]+:", target):
            return
        name, _, anchor = target.partition("#")
        path = (self.root / file.parent / name).resolve() if name else (self.root / file).resolve()
        if not path.exists():
            self.report(file, text, place, f"links: {target}: no such file")
        elif anchor and path.suffix == ".md" and anchor not in self.anchors_of(path):
            self.report(file, text, place, f"links: {target}: no such heading")

    def anchors_of(self, path):
        if path not in self.anchors:
            outside = FENCE.sub(lambda match: blank(match[0]), path.read_text())
            self.anchors[path] = {slug(heading) for heading in HEADING.findall(outside)}
        return self.anchors[path]


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    checker = Checker(root)
    violations = checker.run()
    for file, line, sentence in violations:
        print(f"{file}:{line}: {sentence}")
    if not checker.files:
        sys.exit(f"{root}: no file found")
    print(f"{checker.files} files, {len(violations)} violations")
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
