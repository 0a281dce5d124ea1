"""What doxygen_filter.py makes of a header."""
import unittest

from doxygen_filter import filtered

HEADER = """#pragma once

// A <thing> and its *use*.
//   In:  a::b

#include <vector>

// Makes one, 50 % of "x".
int make(double size);  // [m]
// Not "// a comment" in a string.
const char* text = "// no";
"""


class DoxygenFilter(unittest.TestCase):
    def setUp(self):
        self.lines = filtered(HEADER).splitlines()

    def test_the_first_comment_describes_the_file_as_it_stands(self):
        self.assertEqual(
            self.lines[2:7],
            ["/// \\file", "/// \\verbatim", "///  A <thing> and its *use*.", "///    In:  a::b", "/// \\endverbatim"],
        )

    def test_a_comment_on_its_own_line_belongs_to_what_follows_and_holds_no_command(self):
        self.assertIn('/// Makes one, 50 \\% of \\"x\\".', self.lines)

    def test_a_comment_behind_code_belongs_to_that_code(self):
        self.assertIn("int make(double size);  ///< &#91;m&#93;", self.lines)

    def test_strings_stay(self):
        self.assertEqual(self.lines[-1], 'const char* text = "// no";')


if __name__ == "__main__":
    unittest.main()
