"""Each rule of check_words.py holds on a small tree that keeps it, and fails on the same tree with that rule broken."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import check_words

GLOSSARY = """# Glossary

## Refused words

| refused | say instead |
|---|---|
| `anew` | again |
| `so many ranks`, `kin` | N ranks |
"""
TREE = {
    "docs/glossary.md": GLOSSARY,
    "README.md": "# A house\n\nRead [the rooms](docs/rooms.md#the-first-room), or `anew` in code.\n",
    "docs/rooms.md": "# Rooms\n\n## The first room\n\nOne line per run.\n\n```\nkin 3 times a step\n```\n\n    kin = 2\n",
    "apps/main.cpp": '// anew, in a comment\n#include "anew.hpp"\nauto help = "spread over " "N ranks";\n',
}


class CheckWords(unittest.TestCase):
    def check(self, changes):
        """The violations of TREE with these files added or replaced."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in {**TREE, **changes}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            output = io.StringIO()
            with contextlib.redirect_stdout(output), self.assertRaises(SystemExit) as exit_:
                check_words.main([folder])
        lines = output.getvalue().splitlines()[:-1]
        self.assertEqual(exit_.exception.code, 1 if lines else 0)
        return lines

    def expect(self, changes, *starts):
        """Exactly these violations, each told by how its line starts."""
        lines = self.check(changes)
        self.assertEqual(len(lines), len(starts), lines)
        for line, start in zip(lines, starts):
            self.assertTrue(line.startswith(start), line)

    def test_a_tree_that_keeps_every_rule_passes(self):
        self.assertEqual(self.check({}), [])

    def test_words_of_prose(self):
        self.expect({"docs/rooms.md": "# Rooms\n## The first room\nBuilt\nAnew.\n"}, 'docs/rooms.md:4: words: "Anew"')
        self.expect({"docs/glossary.md": GLOSSARY + "\n## Rates\n\nanew\n"})

    def test_words_of_a_string_on_two_lines(self):
        self.expect({"apps/main.cpp": 'auto help =\n  "over so "\n  "many ranks";\n'}, 'apps/main.cpp:2: words: "so')
        self.expect({"espalier/plan/test/a_test.cpp": 'auto text = "anew";\n'})

    def test_rates(self):
        self.expect({"README.md": "It takes 3 ms a step.\n"}, 'README.md:1: rates: "ms a step"')
        self.expect({"README.md": "It takes a step.\n"})

    def test_length(self):
        long = "x" * 121
        self.expect({"README.md": long + "\n| " + long + " |\n"}, "README.md:1: length: 121")
        self.expect({"examples/a.cpp": f"\n//{long}\n"}, "examples/a.cpp:2: length: 123")
        self.expect({"README.md": f"[{long}](docs/rooms.md)\n"})
        self.expect({"examples/a.cpp": f'auto model = R"(a\n{long}\nb)";\n'})

    def test_links(self):
        self.expect({"README.md": "[a](docs/attic.md)\n"}, "README.md:1: links: docs/attic.md: no such file")
        self.expect(
            {"README.md": "\n[a](docs/rooms.md#attic)\n"}, "README.md:2: links: docs/rooms.md#attic: no such heading"
        )


if __name__ == "__main__":
    unittest.main()
