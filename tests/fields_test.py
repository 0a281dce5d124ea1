"""Every field of a native model, read, written and read again: the second file is the first, nothing has changed on the
way, and both are valid by the JSON Schema. The documents are those of tests/schema/accepted.yaml; a field that stands in
none of them fails the test.

usage: fields_test.py PROGRAM SOURCE_FOLDER
"""

import json
import os
import shutil
import sys
import unittest

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
sys.path.insert(0, os.path.join(SOURCE, "tools"))
import check_schema  # noqa: E402
import folder  # noqa: E402
import jsonschema  # noqa: E402

# What another file than the model's says, or what is said in other words when it is written.
ELSEWHERE = {
    "tune": "read by the verb tune alone",
    "units": "files are written in metres and radians",
    "angle": "one of the units",
    "rpy": "written as `rotation`",
    "axis2": "written as `rotation`",
    "d": "a tube is written by its radii",
    "impossible_inertia": "written only for a model that needs it",
}


def defined(schema, where=()):
    """Names of all fields that the schema gives a place in the model: those of `properties` anywhere but in `tune`."""
    if isinstance(schema, list):
        return set().union(*(defined(item, where) for item in schema), set())
    if not isinstance(schema, dict):
        return set()
    found = set()
    for key, value in schema.items():
        if key in ("tune", "tuned_parameter", "tuning_goal", "tuning_run", "looks_at_a_run", "extreme"):
            continue
        if key == "properties":
            found |= {name for name, field in value.items() if field is not False}
        found |= defined(value)
    return found


def used(document):
    """All keys of a document, at any depth."""
    if isinstance(document, list):
        return set().union(*(used(item) for item in document), set())
    if not isinstance(document, dict):
        return set()
    return set(document) | set().union(*(used(value) for value in document.values()), set())


class Fields(folder.Folder):
    program = PROGRAM

    def setUp(self):
        super().setUp()
        with open(check_schema.SCHEMA, encoding="utf-8") as file:
            self.schema = json.load(file)
        self.validator = jsonschema.Draft7Validator(self.schema)
        shutil.copy(os.path.join(SOURCE, "tests", "schema", "drive.csv"), self.folder)

    def documents(self):
        return list(check_schema.documents(check_schema.ROOT / "tests" / "schema" / "accepted.yaml"))

    def convert(self, name, output):
        answer = self.document("convert", name, "-o", output)
        self.assertEqual(answer["changes"], [], name)
        return self.read(output)

    def assert_valid(self, text):
        self.assertIsNone(check_schema.first_mistake(self.validator, check_schema.load(text)))

    def test_every_field_is_written_and_read(self):
        written = set()
        for number, (title, text) in enumerate(self.documents()):
            with self.subTest(title):
                self.assert_valid(text)
                self.file(f"{number}.yaml", text)
                once = self.convert(f"{number}.yaml", f"{number}_once.yaml")
                self.assert_valid(once)
                self.assertEqual(self.convert(f"{number}_once.yaml", f"{number}_twice.yaml"), once)
                written |= used(check_schema.load(once))
        self.assertEqual(sorted(defined(self.schema) - written - set(ELSEWHERE) - {"tune"}), [])

    def test_every_field_stands_in_a_document(self):
        known = set().union(*(used(check_schema.load(text)) for _, text in self.documents()))
        self.assertEqual(sorted(defined(self.schema) - known - {"impossible_inertia"}), [])

    # In a folder of its own a model still finds the files of its tables.
    def test_tables_are_found_from_other_folders(self):
        for title, text in self.documents():
            if "\ntables:" not in text:
                continue
            self.file("model.yaml", text)
            os.makedirs(self.path("deep/er"))
            self.convert("model.yaml", "deep/er/model.yaml")
            self.convert("deep/er/model.yaml", "back.yaml")
            self.assertEqual(self.read("back.yaml").count("file: drive.csv"), text.count("file: drive.csv"), title)


if __name__ == "__main__":
    unittest.main()
