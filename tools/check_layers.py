#!/usr/bin/env python3
"""Checks the rules of the house that a compiler does not see. Exit 1 and one line a violation, or exit 0.

    tools/check_layers.py [ROOT]

add_room(<name> USES <room>...) in ROOT/CMakeLists.txt is the one source of truth:
  layers      a file of a room includes headers of its own room and of the rooms it USES, named directly
  private     detail/ and test/ of a room are included by that room alone; apps, examples, ... see public headers only;
              tests of all rooms share tests/support/
  full path   an include in quotes is the path from the repository root to a file that exists
  mpi         <mpi.h> and ESPALIER_MPI conditionals stand in .cpp files of comm/ alone
  cycles      no file includes itself, directly or through others
  references  a source key in a comment (a name and two digits in brackets) is in docs/references.md
  length      no source file is longer than 600 lines, whatever its language
  namespace   what stands in detail/ is in namespace espalier::ROOM::detail (base: espalier::detail)
  users       a public header is included outside its room, or by a public header that is
  rings       at most two files of a room need each other, a header and its .cpp counted as one
and this in the rooms named below, until it holds in all of them:
  bool        no function of a public header takes a bool: an enumeration or a field of its options says what is meant
"""
import re
import sys
from pathlib import Path

LONGEST_FILE = 600
LARGEST_RING = 2
# A room joins the list as soon as it keeps the rule, and stays there.
BOOL_KEPT = {
    "base", "math", "comm", "graph", "model", "plan", "dynamics", "modes", "geometry", "optimize", "formats",
    "draw", "record", "contact", "files", "study",
}
DOORS = ["apps", "examples", "bench", "tests", "python", "tools"]
CODE = {".cpp", ".hpp", ".inc"}
SOURCES = CODE | {".c", ".h", ".in", ".py", ".sh", ".cmake", ".js", ".css", ".html"}

# One token of C++ at a time, so that a comment sign in a string is not a comment, nor a quote in a comment a string.
TOKEN = re.compile(
    r'R"(?P<mark>[^\s()\\]*)\(.*?\)(?P=mark)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)",
    re.DOTALL,
)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"(?P<quoted>[^"]*)"|<(?P<angled>[^>]*)>)', re.MULTILINE)
MPI_CONDITION = re.compile(
    r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|elifdef|elifndef)\b.*\bESPALIER_MPI\b.*", re.MULTILINE
)
KEY = re.compile(r"\[([A-Z][A-Za-z]+[0-9]{2})\]")
NAMESPACE = re.compile(r"\bnamespace\s+(espalier::[\w:]+)\s*\{")
# A namespace that holds nothing but names of types that are declared elsewhere.
FORWARD = re.compile(r"\bnamespace\s+[\w:]+\s*\{(?:\s*(?:struct|class|enum class)\s+\w+\s*(?::\s*[\w:]+\s*)?;)*\s*\}")
BOOL_PARAMETER = re.compile(r"[(,]\s*(?:const\s+)?bool(?:\s*&)?\s*\w*\s*(?==|,|\))")
ROOM = re.compile(r"\badd_room\s*\(\s*(\w+)([^)]*)\)")


def blank(text):
    """The text with everything but its line ends made blank."""
    return re.sub(r"[^\n]", " ", text)


def split_comments(text):
    """C++ text as two texts of the same length: without its comments, and its comments alone."""
    code, comments, end = [], [], 0
    for token in TOKEN.finditer(text):
        code.append(text[end : token.start()])
        comments.append(blank(text[end : token.start()]))
        is_comment = token["comment"] is not None
        code.append(blank(token[0]) if is_comment else token[0])
        comments.append(token[0] if is_comment else blank(token[0]))
        end = token.end()
    code.append(text[end:])
    comments.append(blank(text[end:]))
    return "".join(code), "".join(comments)


def read_rooms(root, report):
    """{room: rooms it uses} in the order of CMakeLists.txt."""
    text = re.sub(r"#[^\n]*", "", (root / "CMakeLists.txt").read_text())
    rooms = {}
    for match in ROOM.finditer(text):
        name, words = match[1], match[2].split()
        uses = [word for word in words if word != "USES"]
        line = text.count("\n", 0, match.start()) + 1
        for used in uses:
            if used not in rooms:
                report("CMakeLists.txt", line, f"add_room({name} USES {used})", f"layers: {used} is not a room above {name}")
        rooms[name] = set(uses)
    return rooms


def strongly_connected(edges):
    """Tarjan's algorithm over {node: nodes}: the lists of nodes that reach each other, those of one node included."""
    number, low, stack, rings = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for target in edges.get(node, ()):
            if target not in number:
                visit(target)
            if target in stack:
                low[node] = min(low[node], low[target])
        if low[node] == number[node]:
            start = stack.index(node)
            rings.append(sorted(stack[start:]))
            del stack[start:]

    for node in sorted(edges):
        if node not in number:
            visit(node)
    return rings


def find_rings(includes):
    """Files of the library that need each other, x.hpp and x.cpp as one node: lists of paths without their endings."""
    edges = {}
    for file, targets in includes.items():
        if file.parts[0] != "espalier" or is_test_of_a_room(file):
            continue
        node = file.with_suffix("")
        edges.setdefault(node, set()).update(t.with_suffix("") for _, t in targets if t.with_suffix("") != node)
    return [ring for ring in strongly_connected(edges) if len(ring) > 1]


def is_public(file):
    """A header that lies directly in a room."""
    return file.parts[0] == "espalier" and len(file.parts) == 3 and file.suffix == ".hpp"


def find_unused_headers(includes, headers):
    """The public headers that nothing outside their room includes, neither itself nor over another public header."""
    used = set()
    for file, targets in includes.items():
        for _, target in targets:
            if is_public(target) and (file.parts[0] != "espalier" or file.parts[1] != target.parts[1]):
                used.add(target)
    todo = list(used)
    while todo:
        for _, target in includes.get(todo.pop(), []):
            if is_public(target) and target not in used:
                used.add(target)
                todo.append(target)
    return sorted(set(headers) - used)


def find_foreign_namespace(code, room):
    """The first namespace that a file of espalier/ROOM/detail/ opens although it is not the room's detail; or None."""
    own = "espalier::detail" if room == "base" else f"espalier::{room}::detail"
    for match in NAMESPACE.finditer(FORWARD.sub(lambda m: blank(m[0]), code)):
        if match[1] != own and not match[1].startswith(own + "::"):
            return match
    return None


def is_test_of_a_room(file):
    """espalier/ROOM/test/FILE"""
    return file.parts[0] == "espalier" and len(file.parts) == 4 and file.parts[2] == "test"


class Checker:
    def __init__(self, root):
        self.root = root
        self.violations = []
        self.files = 0
        self.includes = {}  # file -> [(line, included file)]
        self.public = []
        self.rooms = read_rooms(root, self.report)
        references = root / "docs" / "references.md"
        self.keys = set(KEY.findall(references.read_text())) if references.is_file() else set()

    def report(self, file, line, found, rule):
        self.violations.append((str(file), line, f"{found}: {rule}"))

    def run(self):
        for folder in ["espalier", *DOORS]:
            for path in sorted((self.root / folder).rglob("*")):
                if path.suffix in SOURCES | {".txt"} and path.is_file():
                    self.check_file(path.relative_to(self.root))
        # What a page is made of. The program that packs it belongs to draw, and may include what is private there.
        for path in sorted((self.root / "viewer").rglob("*")):
            if path.suffix in SOURCES - CODE:
                self.check_file(path.relative_to(self.root))
        for path in sorted([*self.root.glob("*.md"), *(self.root / "docs").rglob("*.md")]):
            if path.name != "references.md":
                self.check_keys(path.relative_to(self.root), path.read_text())
        self.check_cycles()
        self.check_rings()
        self.check_users()
        return sorted(self.violations)

    def check_file(self, file):
        if file.suffix == ".txt" and file.name != "CMakeLists.txt":
            return
        text = (self.root / file).read_text()
        length = len(text.splitlines())
        if length > LONGEST_FILE:
            self.report(file, length, f"{length} lines", f"length: at most {LONGEST_FILE}; split the file")
        if file.suffix == ".py":
            self.check_keys(file, text)
        self.files += file.suffix in CODE | {".py"}
        if file.suffix in CODE:
            self.check_code(file, *split_comments(text))

    def check_code(self, file, code, comments):
        self.check_keys(file, comments)
        room = self.room_of(file)
        if room is not None and room not in self.rooms:
            self.report(file, 1, f"folder espalier/{room}", "layers: no add_room() in CMakeLists.txt names it")
        for match in INCLUDE.finditer(code):
            self.check_include(file, code.count("\n", 0, match.start()) + 1, match["quoted"], match["angled"])
        if not (room == "comm" and file.suffix == ".cpp"):
            for match in MPI_CONDITION.finditer(code):
                line = code.count("\n", 0, match.start()) + 1
                self.report(file, line, match[0].strip(), "mpi: conditionals stand in .cpp files of comm/ alone")
        if is_public(file):
            self.check_public(file, room, code)
        foreign = room is not None and file.parts[2:3] == ("detail",) and find_foreign_namespace(code, room)
        if foreign:
            line = code.count("\n", 0, foreign.start()) + 1
            self.report(file, line, f"namespace {foreign[1]}", f"namespace: detail/ is in espalier::{room}::detail")

    def check_public(self, file, room, code):
        self.public.append(file)
        if room in BOOL_KEPT:
            for match in BOOL_PARAMETER.finditer(code):
                line = code.count("\n", 0, match.end()) + 1
                found = match[0].lstrip("(,").strip()
                self.report(file, line, found, "bool: a public function takes an enumeration or options instead")

    @staticmethod
    def room_of(file):
        """The room a file lies in; None outside the library."""
        return file.parts[1] if file.parts[0] == "espalier" and len(file.parts) > 2 else None

    def check_include(self, file, line, quoted, angled):
        room = self.room_of(file)
        if angled is not None:
            if angled in ("mpi.h", "mpicxx.h") and not (room == "comm" and file.suffix == ".cpp"):
                self.report(file, line, f"#include <{angled}>", "mpi: only .cpp files of comm/ may")
            if angled.startswith("espalier/"):
                self.report(file, line, f"#include <{angled}>", "full path: our own headers stand in quotes")
            return
        found = f'#include "{quoted}"'
        if ".." in quoted.split("/") or "/" not in quoted or not (self.root / quoted).is_file():
            self.report(file, line, found, "full path: not the path of a file from the repository root")
            return
        target = Path(quoted)
        self.includes.setdefault(file, []).append((line, target))
        self.check_layer(file, line, found, target)

    def check_layer(self, file, line, found, target):
        room, other = self.room_of(file), self.room_of(target)
        if is_test_of_a_room(file) and target.parts[:2] == ("tests", "support"):
            return
        if room is not None and other is None:
            self.report(file, line, found, "layers: the library includes nothing outside espalier/")
        if other is None or other == room:
            return
        if len(target.parts) > 3:
            self.report(file, line, found, f"private: {'/'.join(target.parts[1:3])}/ is for {other} alone")
        if room is not None and other not in self.rooms.get(room, set()):
            allowed = ", ".join(sorted(self.rooms.get(room, set()))) or "no room"
            self.report(file, line, found, f"layers: {room} may use {allowed} (add_room in CMakeLists.txt)")

    def check_keys(self, file, text):
        for match in KEY.finditer(text):
            if match[1] not in self.keys:
                line = text.count("\n", 0, match.start()) + 1
                self.report(file, line, match[0], "references: no such key in docs/references.md")

    def check_cycles(self):
        """Depth-first over the includes; an include of a file that is still open closes a cycle."""
        done, open_files = set(), []

        def visit(file):
            open_files.append(file)
            for line, target in self.includes.get(file, []):
                if target in open_files:
                    ring = [*open_files[open_files.index(target) :], target]
                    self.report(file, line, f'#include "{target}"', "cycles: " + " -> ".join(map(str, ring)))
                elif target not in done:
                    visit(target)
            open_files.pop()
            done.add(file)

        for file in list(self.includes):
            if file not in done:
                visit(file)

    def check_rings(self):
        for ring in find_rings(self.includes):
            if len(ring) > LARGEST_RING:
                names = ", ".join(map(str, ring))
                self.report(f"{ring[0]}.hpp", 1, f"{len(ring)} files", f"rings: need each other, {names}")

    def check_users(self):
        for header in find_unused_headers(self.includes, self.public):
            self.report(header, 1, "public header", "users: no file outside its room needs it; detail/ is its place")


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    checker = Checker(root)
    violations = checker.run()
    for file, line, sentence in violations:
        print(f"{file}:{line}: {sentence}")
    if not checker.files:
        sys.exit(f"{root}: no source file found")
    print(f"{checker.files} files, {len(violations)} violations")
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
