"""A folder of its own for each test, and the verbs of the program in it."""

import json
import os
import subprocess
import tempfile
import unittest


def skip_without_mpi(answer):
    """What a program without MPI says of --ranks ends the test that asked for them; the rest of the file goes on."""
    if "built without MPI" in answer.stderr:
        raise unittest.SkipTest("this program was built without MPI: nothing is run on several ranks")
    return answer


def read_search(path):
    """The state in the checkpoint of a design search: between its first line and its sum."""
    with open(path, "rb") as file:
        head, _, rest = file.read().partition(b"\n")
    assert head == b"espalier checkpoint 2 tune", head
    return json.loads(rest[:-8])


class Folder(unittest.TestCase):
    """Derive from it and set `program`, and `verb` where all calls are of one."""

    program = ""
    verb = ()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def run_verb(self, *arguments, **options):
        command = [self.program, *self.verb, *map(str, arguments)]
        return skip_without_mpi(
            subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=self.folder, **options)
        )

    def document(self, *arguments, code=0):
        """What the verb says with --json."""
        answer = self.run_verb(*arguments, "--json")
        self.assertEqual(answer.returncode, code, answer.stdout + answer.stderr)
        return json.loads(answer.stdout)

    def assert_refused(self, words, *arguments, code=2):
        """This exit code, and nothing but one line on standard error with all these words in it."""
        answer = self.run_verb(*arguments)
        self.assertEqual(answer.returncode, code, answer.stdout + answer.stderr)
        self.assertEqual(answer.stderr.count("\n"), 1, answer.stderr)
        if "--json" not in arguments:
            self.assertEqual(answer.stdout, "")
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, answer.stderr)
        return answer
