"""A program that reads a URDF needs neither MPI nor HDF5.

usage: link_line_test.py PROGRAM READ_URDF SOURCE_FOLDER
"""

import os
import subprocess
import sys
import unittest

SOURCE = os.path.abspath(sys.argv.pop())
READ_URDF = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
FOREIGN = ("mpi", "open-rte", "open-pal", "hdf5", "zoltan", "pagmo", "tbb")


def libraries(program):
    """All shared libraries that the program loads, those that its libraries load too."""
    answer = subprocess.run(["ldd", program], capture_output=True, text=True, check=True)
    return [os.path.basename(line.split()[0]) for line in answer.stdout.splitlines()]


def foreign(program):
    return sorted({word for word in FOREIGN for name in libraries(program) if name.startswith("lib" + word)})


class LinkLine(unittest.TestCase):
    def test_it_reads_a_urdf(self):
        model = os.path.join(SOURCE, "tests/trials/deg.urdf")
        answer = subprocess.run([READ_URDF, model], capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertRegex(answer.stdout, r"^[1-9][0-9]* bodies\n$")

    def test_it_loads_no_more_than_its_readers_need(self):
        self.assertEqual(foreign(READ_URDF), [])

    # Otherwise the test above would pass on a system whose ldd says nothing.
    def test_the_whole_program_loads_them(self):
        self.assertIn("hdf5", foreign(PROGRAM))


if __name__ == "__main__":
    unittest.main()
