"""Each rule of check_layers.py holds on a small tree that keeps it, and fails on the same tree with that rule broken."""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import check_layers

# floor 0: base; floor 1: comm and model; floor 2: plan, which uses model but not base.
TREE = {
    "CMakeLists.txt": "add_room(base)\nadd_room(comm USES base)  # ranks\nadd_room(model USES base)\nadd_room(plan\n  USES model)\n",
    "docs/references.md": "- [Liu" + "99] A paper.\n",
    "espalier/base/index.hpp": "#pragma once\n",
    "espalier/comm/comm.hpp": '#pragma once\n#include "espalier/base/index.hpp"\n',
    "espalier/comm/comm.cpp": '#ifdef ESPALIER_MPI\n#include <mpi.h>\n#endif\n#include "espalier/comm/comm.hpp"\n',
    "espalier/model/model.hpp": '#pragma once\n#include "espalier/base/index.hpp"  // [Liu' + "99] eq. (1)\n",
    "espalier/model/detail/check.hpp": '#pragma once\n#include "espalier/model/model.hpp"\n',
    "espalier/model/model.cpp": '#include "espalier/model/detail/check.hpp"\n#include <vector>\n',
    "espalier/plan/plan.hpp": '#pragma once\n#include "espalier/model/model.hpp"\n',
    "apps/tool/verbs.hpp": "#pragma once\n",
    "apps/tool/main.cpp": '#include "apps/tool/verbs.hpp"\n#include "espalier/plan/plan.hpp"\n'
                          '#include "espalier/comm/comm.hpp"\n',
}


class CheckLayers(unittest.TestCase):
    def check(self, changes, users=True):
        """The violations of TREE with these files added or replaced, and a user for each public header if `users`."""
        headers = [name for name in changes if check_layers.is_public(Path(name))] if users else []
        uses = {"tests/uses.cpp": "".join(f'#include "{name}"\n' for name in headers)}
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in {**TREE, **uses, **changes}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            output = io.StringIO()
            with contextlib.redirect_stdout(output), self.assertRaises(SystemExit) as exit_:
                check_layers.main([folder])
        lines = output.getvalue().splitlines()[:-1]
        self.assertEqual(exit_.exception.code, 1 if lines else 0)
        return lines

    def expect(self, changes, *starts):
        """Exactly these violations, each told by how its line starts and by its rule: (start, rule)."""
        lines = self.check(changes)
        self.assertEqual(len(lines), len(starts), lines)
        for line, (start, rule) in zip(lines, starts):
            self.assertTrue(line.startswith(start), line)
            self.assertIn(f": {rule}: ", line)

    def test_a_tree_that_keeps_every_rule_passes(self):
        self.assertEqual(self.check({}), [])

    def test_a_room_may_not_include_a_room_it_does_not_use(self):
        self.expect({"espalier/base/index.hpp": '#pragma once\n\n#include "espalier/plan/plan.hpp"\n'},
                    ("espalier/base/index.hpp:1: 4 files", "rings"),
                    ('espalier/base/index.hpp:3: #include "espalier/plan/plan.hpp"', "layers"),
                    ("espalier/model/model.hpp:2:", "cycles"))

    def test_use_through_another_room_is_not_enough(self):
        self.expect({"espalier/plan/plan.cpp": '#include "espalier/base/index.hpp"\n'},
                    ('espalier/plan/plan.cpp:1: #include "espalier/base/index.hpp"', "layers"))

    def test_a_folder_that_is_no_room_is_named(self):
        self.expect({"espalier/extra/extra.hpp": "#pragma once\n"}, ("espalier/extra/extra.hpp:1:", "layers"))

    def test_a_room_uses_only_rooms_above_it(self):
        self.expect({"CMakeLists.txt": TREE["CMakeLists.txt"].replace("add_room(base)", "add_room(base USES plan)")},
                    ("CMakeLists.txt:1: add_room(base USES plan)", "layers"))

    def test_the_library_does_not_include_a_door(self):
        self.expect({"espalier/plan/plan.cpp": '#include "apps/tool/verbs.hpp"\n'},
                    ("espalier/plan/plan.cpp:1:", "layers"))

    def test_detail_of_another_room_is_private(self):
        self.expect({"espalier/plan/plan.cpp": '#include "espalier/model/detail/check.hpp"\n'},
                    ("espalier/plan/plan.cpp:1:", "private"))

    def test_doors_see_public_headers_only(self):
        for door in ["apps", "examples", "bench", "tests", "python"]:
            self.expect({f"{door}/x/x.cpp": '#include "espalier/model/detail/check.hpp"\n'},
                        (f"{door}/x/x.cpp:1:", "private"))

    def test_an_include_is_the_full_path_of_a_file(self):
        for include in ['"model.hpp"', '"../model/model.hpp"', '"espalier/model/../model/model.hpp"', '"model/model.hpp"',
                        '"espalier/model/modle.hpp"', '"vector"', "<espalier/model/model.hpp>"]:
            self.expect({"espalier/plan/plan.cpp": f"#include {include}\n"},
                        (f"espalier/plan/plan.cpp:1: #include {include}", "full path"))

    def test_mpi_h_stands_in_comm_sources_alone(self):
        self.expect({"espalier/plan/plan.cpp": "#include <mpi.h>\n"}, ("espalier/plan/plan.cpp:1:", "mpi"))
        self.expect({"espalier/comm/comm.hpp": "# include <mpi.h>\n"}, ("espalier/comm/comm.hpp:1:", "mpi"))
        self.expect({"apps/tool/verbs.hpp": "#include <mpi.h>\n"}, ("apps/tool/verbs.hpp:1:", "mpi"))

    def test_mpi_conditionals_stand_in_comm_sources_alone(self):
        for condition in ["#ifdef ESPALIER_MPI", "# ifndef ESPALIER_MPI", "#if defined(ESPALIER_MPI) && X"]:
            for file in ["espalier/plan/plan.cpp", "espalier/comm/comm.hpp", "tests/x.cpp"]:
                self.expect({file: f"\n{condition}\n#endif\n"}, (f"{file}:2: {condition}", "mpi"))

    def test_include_cycles_are_found(self):
        self.expect({"espalier/model/a.hpp": '#include "espalier/model/b.hpp"\n',
                     "espalier/model/b.hpp": '\n#include "espalier/model/a.hpp"\n'},
                    ("espalier/model/b.hpp:2:", "cycles"))
        self.expect({"espalier/model/a.hpp": '#include "espalier/model/a.hpp"\n'}, ("espalier/model/a.hpp:1:", "cycles"))

    def test_a_source_key_must_be_in_the_references(self):
        key = "[Nobody" + "00]"
        self.expect({"espalier/plan/plan.cpp": f"// After {key}.\n"}, (f"espalier/plan/plan.cpp:1: {key}", "references"))
        self.expect({"espalier/plan/plan.cpp": f"/* After\n {key}. */\n"}, ("espalier/plan/plan.cpp:2:", "references"))
        self.expect({"tools/x.py": f"# After {key}.\n"}, ("tools/x.py:1:", "references"))
        self.expect({"docs/theory/plan.md": f"\nAfter {key}.\n"}, ("docs/theory/plan.md:2:", "references"))

    def test_a_bracket_outside_a_comment_is_no_source_key(self):
        self.assertEqual(self.check({"espalier/plan/plan.cpp": 'auto s = "// [Nobody' + '00]"; int i = a[Nobody' + "00];\n"}), [])

    def test_comments_and_strings_hold_no_includes(self):
        text = '// #include "x"\n/*\n#include "x"\n*/\nauto s = R"(\n)"; auto c = \'"\'; auto n = 100\'000;  // it isn\'t\n'
        self.assertEqual(self.check({"espalier/plan/plan.cpp": text}), [])

    def test_a_file_has_at_most_600_lines(self):
        for file in ["espalier/plan/plan.cpp", "espalier/plan/long.hpp", "espalier/plan/long.inc", "tools/x.py"]:
            self.assertEqual(self.check({file: "\n" * 600}), [])
            self.expect({file: "\n" * 601}, (f"{file}:601: 601 lines", "length"))

    def test_a_file_in_another_language_has_at_most_600_lines_too(self):
        for file in ["tools/x.sh", "apps/tool/CMakeLists.txt", "apps/tool/page.js", "viewer/view.js"]:
            self.expect({file: "\n" * 601}, (f"{file}:601: 601 lines", "length"))
        self.assertEqual(self.check({"tests/golden.txt": "\n" * 601}), [])

    def test_at_most_two_files_need_each_other(self):
        ring = {"espalier/model/one.cpp": '#include "espalier/model/one.hpp"\n#include "espalier/model/two.hpp"\n',
                "espalier/model/one.hpp": "#pragma once\n",
                "espalier/model/two.hpp": "#pragma once\n",
                "espalier/model/two.cpp": '#include "espalier/model/one.hpp"\n'}
        self.assertEqual(self.check(ring), [])
        ring["espalier/model/two.cpp"] = '#include "espalier/model/three.hpp"\n'
        ring["espalier/model/three.hpp"] = '#pragma once\n#include "espalier/model/one.hpp"\n'
        self.expect(ring, ("espalier/model/one.hpp:1: 3 files", "rings"))

    def test_detail_stands_in_namespace_detail(self):
        file = "espalier/model/detail/check.hpp"
        for name in ["espalier::model::detail", "espalier::model::detail::lanes"]:
            self.assertEqual(self.check({file: f"namespace {name} {{\nint f();\n}}\n"}), [])
        self.expect({file: "\nnamespace espalier::model {\nint f();\n}\n"},
                    (f"{file}:2: namespace espalier::model", "namespace"))
        self.assertEqual(self.check({"espalier/base/detail/x.hpp": "namespace espalier::detail {\nint f();\n}\n"}), [])
        named = "namespace espalier::model {\nstruct Model;\nenum class Kind : char;\n}\n"
        self.assertEqual(self.check({file: named}), [])

    def test_a_public_function_takes_no_bool(self):
        for text in ["void f(bool fast);", "void f(int a, const bool b = true);", "void f(int a, bool& b);", "void f(bool);"]:
            self.expect({"espalier/model/model.hpp": f"#pragma once\n{text}\n"}, ("espalier/model/model.hpp:2:", "bool"))
            self.assertEqual(self.check({"espalier/model/detail/check.hpp": text}), [])
        for text in ["bool f(int a);", "struct S {\n  bool fast = false;\n};", "std::optional<bool> f();"]:
            self.assertEqual(self.check({"espalier/model/model.hpp": f"#pragma once\n{text}\n"}), [])

    def test_a_public_header_has_a_user_outside_its_room(self):
        lonely = self.check({"espalier/model/lonely.hpp": "#pragma once\n",
                             "espalier/model/test/lonely_test.cpp": '#include "espalier/model/lonely.hpp"\n'}, users=False)
        self.assertEqual([line.split(": ")[2] for line in lonely], ["users"], lonely)
        for user in ["apps/tool/x.cpp", "espalier/plan/x.cpp", "espalier/plan/test/x_test.cpp", "espalier/model/model.hpp"]:
            text = '#include "espalier/model/lonely.hpp"\n'
            self.assertEqual(self.check({"espalier/model/lonely.hpp": "#pragma once\n", user: text}, users=False), [])

    def test_a_tree_without_sources_is_not_a_pass(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "CMakeLists.txt").write_text("add_room(base)\n")
            with self.assertRaises(SystemExit) as exit_:
                check_layers.main([folder])
        self.assertNotEqual(exit_.exception.code, 0)


if __name__ == "__main__":
    unittest.main()
