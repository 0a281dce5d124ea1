"""measure.py on a tree of five files of which every figure can be counted by hand."""
import tempfile
import unittest
from pathlib import Path

import measure

TREE = {
    "CMakeLists.txt": "add_room(base)\nadd_room(plan USES base)\n",
    "espalier/base/index.hpp": "#pragma once\n// A number.\nint id(bool next, int b);\n",
    "espalier/base/id.cpp": '#include "espalier/base/index.hpp"\n\n// Why.\nint id(bool, int b) {\n  return b;  // said beside\n}\n',
    "espalier/base/test/id_test.cpp": '#include "espalier/base/index.hpp"\nint main() {}\n',
    "espalier/plan/plan.hpp": "#pragma once\n",
    "espalier/plan/plan.cpp": '#include "espalier/plan/detail/steps.hpp"\nint i = a[static_cast<std::size_t>(b)];\n',
    "espalier/plan/detail/steps.hpp": "namespace espalier::plan {\nint f();\n}\n",
    "espalier/plan/detail/steps.cpp": '#include "espalier/plan/plan.hpp"\n#include "espalier/plan/detail/steps.hpp"\n',
    "apps/tool/main.cpp": '#include "espalier/plan/plan.hpp"\nint main() {}\n',
    "build/dev/.ninja_log": "# ninja log v5\n0\t1500\t1\ta.o\tf00\n0\t2500\t1\tb\tba5\n0\t2500\t1\tb.txt\tba5\n9\t9000\t1\ta.o\tf01\n",
    "build/dev/Testing/Temporary/CTestCostData.txt": "base_test 3 1.5\nplan_test 1 2.5\n---\nfailed\n",
}


class Measure(unittest.TestCase):
    maxDiff = None

    def figures(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in TREE.items():
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / name).write_text(text)
            return measure.measure(Path(folder))

    def test_every_figure_is_what_a_count_by_hand_gives(self):
        self.assertEqual(
            self.figures(),
            {
                "lines of apps/": 2,
                "public headers": 2,
                "public headers without a user": 1,
                "largest ring of files": 2,
                "rings by room": {"plan": 2},
                "comment share in bodies [%]": 11.1,
                "comment share in bodies by room [%]": {"base": 20, "plan": 0},
                "comment share in headers [%]": 14.3,
                "tests : code": 0.12,
                "sources with a test of their name [%]": 33.3,
                "bool parameters in public headers": 1,
                "static_cast<std::size_t> in the library": 1,
                "detail files outside namespace detail": 1,
                "longest source file [lines]": 6,
                "longest source file": "espalier/base/id.cpp",
                "build, sum of all steps [s]": 11,
                "tests, sum of all tests [s]": 4,
            },
        )


if __name__ == "__main__":
    unittest.main()
