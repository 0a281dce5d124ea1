#!/usr/bin/env python3
"""Checks schema/espalier-model.schema.json. Exit 1 and one line a mistake, or exit 0.

    tools/check_schema.py

  - the schema itself is a valid JSON Schema (draft 7, which editors know)
  - every models/*.yaml has the modeline that names the schema, and is valid
  - every document of tests/schema/accepted.yaml is valid, every one of tests/schema/refused.yaml is not;
    espalier/formats/test/schema_test.cpp puts the same documents before the reader, so that the two agree
"""
import json
import re
import sys
from pathlib import Path

import jsonschema
import yaml

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "schema" / "espalier-model.schema.json"
MODELINE = "# yaml-language-server: $schema=../schema/espalier-model.schema.json"


class Loader(yaml.SafeLoader):
    """YAML 1.2 numbers: PyYAML takes 1e-3 for a text, since YAML 1.1 wants a point."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+$"),
    list("-+0123456789."),
)


def text_keys(value):
    """The document as JSON has it: every key of a map a text."""
    if isinstance(value, dict):
        return {str(key): text_keys(item) for key, item in value.items()}
    if isinstance(value, list):
        return [text_keys(item) for item in value]
    return value


def load(text):
    return text_keys(yaml.load(text, Loader))


def documents(path):
    """(title, text) of each document; its title stands in the line that opens it."""
    for part in path.read_text().split("\n--- # ")[1:]:
        title, _, text = part.partition("\n")
        yield title, text


def first_mistake(validator, document):
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    if error is None:
        return None
    place = "/".join(str(step) for step in error.absolute_path)
    return f"{place or 'the model'}: {error.message[:200]}"


def check(validator):
    models = sorted((ROOT / "models").glob("*.yaml"))
    if not models:
        yield "models/: no model found"
    for path in models:
        text = path.read_text()
        if not text.startswith(MODELINE + "\n"):
            yield f"{path.name}: its first line must be `{MODELINE}`"
        mistake = first_mistake(validator, load(text))
        if mistake:
            yield f"{path.name}: {mistake}"
    for name, good in (("accepted.yaml", True), ("refused.yaml", False)):
        titles = 0
        for title, text in documents(ROOT / "tests" / "schema" / name):
            titles += 1
            mistake = first_mistake(validator, load(text))
            if good and mistake:
                yield f"{name}: '{title}' is refused: {mistake}"
            if not good and not mistake:
                yield f"{name}: '{title}' is accepted"
        if titles == 0:
            yield f"{name}: no document found"


def main():
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    mistakes = list(check(jsonschema.Draft7Validator(schema)))
    for mistake in mistakes:
        print(mistake)
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
