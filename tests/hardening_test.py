"""What a release build is hardened with (cmake/harden.cmake), seen in a program that was made with it.

usage: hardening_test.py SOURCE_FOLDER CMAKE CXX_COMPILER
"""

import os
import subprocess
import sys
import tempfile
import unittest

COMPILER = sys.argv.pop()
CMAKE = sys.argv.pop()
SOURCE = os.path.abspath(sys.argv.pop())


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


class Hardening(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        build = cls.folder.name
        configure = ["-S", os.path.join(SOURCE, "tests/hardening"), "-B", build, "-DCMAKE_BUILD_TYPE=Release"]
        for command in ([CMAKE, *configure, f"-DCMAKE_CXX_COMPILER={COMPILER}"], [CMAKE, "--build", build]):
            answer = run(*command)
            assert answer.returncode == 0, answer.stdout + answer.stderr
        cls.program = os.path.join(build, "hardened")

    def readelf(self, *options):
        return run("readelf", "-W", *options, self.program, check=True).stdout

    def test_addresses_are_random(self):
        self.assertRegex(self.readelf("-h"), r"Type:\s+DYN")

    def test_tables_are_read_only(self):
        self.assertIn("GNU_RELRO", self.readelf("-l"))
        self.assertRegex(self.readelf("-d"), r"BIND_NOW|FLAGS_1.*NOW")
        self.assertNotRegex(self.readelf("-l"), r"GNU_STACK.*RWE")

    def test_stack_and_copies_are_watched(self):
        symbols = self.readelf("--dyn-syms")
        self.assertIn("__stack_chk_fail", symbols)
        self.assertIn("_chk@", symbols.replace("__stack_chk_fail", ""))
        self.assertLess(run(self.program, "x" * 500, "y", "z").returncode, 0)  # 240 bytes into 64: stopped

    def test_the_project_takes_them(self):
        with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
            self.assertIn("include(cmake/harden.cmake)", file.read())


if __name__ == "__main__":
    unittest.main(verbosity=1)
