#!/usr/bin/env python3
"""Measures the house: sizes, comments, tests and rings of the sources, and what a build and its tests took.

    tools/measure.py [ROOT] [--json]

Times are those of the last `make test` in ROOT/build/dev, where there was one: the steps of a build and the tests run side
by side, so both sums are processor seconds only where each of them had a core to itself and nothing came out of a cache.
"""
import json
import re
import sys
from pathlib import Path

import check_layers

BODIES = {".cpp", ".inc"}
CAST = re.compile(r"\bstatic_cast<std::size_t>")


def percent(part, whole):
    return round(100 * part / whole, 1) if whole else 0


class House:
    """All C++ files below a root by what they are: library, tests, doors."""

    def __init__(self, root):
        self.root = root
        self.code, self.lines, self.includes = {}, {}, {}
        for folder in ["espalier", *check_layers.DOORS]:
            for path in sorted((root / folder).rglob("*")):
                if path.suffix in check_layers.CODE and path.is_file():
                    self.read(path.relative_to(root))
        self.library = [f for f in self.code if f.parts[0] == "espalier" and not check_layers.is_test_of_a_room(f)]
        self.public = [f for f in self.library if check_layers.is_public(f)]

    def read(self, file):
        text = (self.root / file).read_text()
        code, comments = check_layers.split_comments(text)
        self.code[file] = code
        self.lines[file] = list(zip(code.splitlines(), comments.splitlines()))
        targets = [Path(m["quoted"]) for m in check_layers.INCLUDE.finditer(code) if m["quoted"]]
        self.includes[file] = [(0, t) for t in targets if (self.root / t).is_file()]

    def length(self, file):
        return len(self.lines[file])

    def app_lines(self):
        return sum(self.length(f) for f in self.code if f.parts[0] == "apps")

    def rings(self):
        """{room: size of its largest ring}, largest first; a room without a ring is left out."""
        largest = {}
        for ring in check_layers.find_rings(self.includes):
            room = check_layers.Checker.room_of(ring[0])
            largest[room] = max(largest.get(room, 0), len(ring))
        return dict(sorted(largest.items(), key=lambda item: -item[1]))

    def comment_share(self, files):
        """Whole-line comments per line that is not blank, in percent."""
        comments = lines = 0
        for file in files:
            for code, comment in self.lines[file]:
                lines += bool(code.strip() or comment.strip())
                comments += bool(comment.strip() and not code.strip())
        return percent(comments, lines)

    def comment_shares(self):
        """{room: percent in its bodies}"""
        rooms = sorted({check_layers.Checker.room_of(f) for f in self.library} - {None})
        bodies = {room: [f for f in self.bodies() if check_layers.Checker.room_of(f) == room] for room in rooms}
        return {room: self.comment_share(files) for room, files in bodies.items()}

    def bodies(self):
        return [f for f in self.library if f.suffix in BODIES]

    def code_lines(self, files):
        return sum(bool(code.strip()) for f in files for code, _ in self.lines[f])

    def tests_to_code(self):
        tests = [f for f in self.code if check_layers.is_test_of_a_room(f) or f.parts[0] == "tests"]
        scripts = (self.root / "tests").rglob("*.py")
        script_lines = sum(
            bool(line.strip() and not line.strip().startswith("#"))
            for path in scripts
            for line in path.read_text().splitlines()
        )
        code = [f for f in self.code if f in set(self.library) or f.parts[0] == "apps"]
        return round((self.code_lines(tests) + script_lines) / self.code_lines(code), 2)

    def tested_share(self):
        """Source files x.cpp of the library with a test x_test.cpp or x_mpi_test.cpp in their room, in percent."""
        sources = [f for f in self.library if f.suffix == ".cpp"]
        tested = [
            f
            for f in sources
            if any(
                (self.root / Path(*f.parts[:2]) / "test" / f"{f.stem}{end}.cpp").is_file()
                for end in ["_test", "_mpi_test"]
            )
        ]
        return percent(len(tested), len(sources))

    def bool_parameters(self):
        return sum(len(check_layers.BOOL_PARAMETER.findall(self.code[f])) for f in self.public)

    def casts(self):
        return sum(len(CAST.findall(self.code[f])) for f in self.library)

    def foreign_details(self):
        details = [f for f in self.library if f.parts[2:3] == ("detail",)]
        return sum(bool(check_layers.find_foreign_namespace(self.code[f], f.parts[1])) for f in details)

    def longest_file(self):
        """(lines, file) of all sources, whatever their language."""
        files = [
            path
            for folder in ["espalier", *check_layers.DOORS, "cmake"]
            for path in (self.root / folder).rglob("*")
            if path.suffix in check_layers.SOURCES and path.is_file()
        ]
        return max((len(path.read_text().splitlines()), str(path.relative_to(self.root))) for path in files)


def build_seconds(log):
    """Sum of the times of the last build of every output in ninja's log [s]; None without a log."""
    if not log.is_file():
        return None
    steps = {}
    for line in log.read_text().splitlines():
        words = line.split("\t")
        if len(words) == 5:
            steps[words[3]] = (int(words[0]), int(words[1]), words[4])
    # A step with several outputs stands in the log once for each of them.
    return round(sum(end - start for start, end, _ in set(steps.values())) / 1000)


def test_seconds(costs):
    """Sum of the times of all tests, from the file in which ctest keeps them [s]; None without one."""
    if not costs.is_file():
        return None
    words = (line.split() for line in costs.read_text().split("---")[0].splitlines())
    return round(sum(float(word[2]) for word in words if len(word) == 3))


def measure(root):
    """{what: value} in the order of the table."""
    house = House(root)
    length, file = house.longest_file()
    headers = [f for f in house.library if f.suffix == ".hpp"]
    rings = house.rings()
    build = root / "build" / "dev"
    return {
        "lines of apps/": house.app_lines(),
        "public headers": len(house.public),
        "public headers without a user": len(check_layers.find_unused_headers(house.includes, house.public)),
        "largest ring of files": max(rings.values(), default=1),
        "rings by room": rings,
        "comment share in bodies [%]": house.comment_share(house.bodies()),
        "comment share in bodies by room [%]": house.comment_shares(),
        "comment share in headers [%]": house.comment_share(headers),
        "tests : code": house.tests_to_code(),
        "sources with a test of their name [%]": house.tested_share(),
        "bool parameters in public headers": house.bool_parameters(),
        "static_cast<std::size_t> in the library": house.casts(),
        "detail files outside namespace detail": house.foreign_details(),
        "longest source file [lines]": length,
        "longest source file": file,
        "build, sum of all steps [s]": build_seconds(build / ".ninja_log"),
        "tests, sum of all tests [s]": test_seconds(build / "Testing" / "Temporary" / "CTestCostData.txt"),
    }


def in_words(value):
    if value is None:
        return "not measured"
    if isinstance(value, dict):
        return ", ".join(f"{name} {entry}" for name, entry in value.items()) or "none"
    return str(value)


def main(arguments):
    words = [word for word in arguments if word != "--json"]
    root = Path(words[0]) if words else Path(__file__).resolve().parent.parent
    figures = measure(root)
    if "--json" in arguments:
        print(json.dumps(figures, indent=2))
        return
    width = max(map(len, figures))
    for name, value in figures.items():
        print(f"{name:{width}}  {in_words(value)}")


if __name__ == "__main__":
    main(sys.argv[1:])
