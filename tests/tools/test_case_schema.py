"""Every case that is shipped passes the published schema, read by a validator that is not the program's own."""

import copy
import json
import re
import unittest
from pathlib import Path

import jsonschema
import yaml

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "config" / "case.schema.json").read_text(encoding="utf-8"))
# What editors support whole (VS Code, yaml-language-server): draft 7, and no keyword of a later one.
DRAFT = "http://json-schema.org/draft-07/schema#"
LATER = {"dependentRequired", "dependentSchemas", "prefixItems", "unevaluatedProperties", "unevaluatedItems",
         "minContains", "maxContains", "$anchor", "$dynamicRef", "$recursiveRef"}
NOTES = {"description", "default", "title"}


class Yaml12(yaml.SafeLoader):
    """YAML 1.2: 1e-6 is a number, yes and no are text."""


Yaml12.yaml_implicit_resolvers = {first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":bool", ":float"))]
                                  for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Yaml12.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
Yaml12.add_implicit_resolver("tag:yaml.org,2002:float",
                             re.compile(r"^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$"), list("-+.0123456789"))


def read(path):
    return yaml.load(path.read_text(encoding="utf-8"), Loader=Yaml12)


def shipped_cases():
    found = [(path, read(path)) for path in sorted((ROOT / "cases").rglob("*.yaml"))]
    return [(path, case) for path, case in found if isinstance(case, dict) and "regions" in case]


def parts(schema):
    yield schema
    for value in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(value, (dict, list)):
            yield from parts(value)


class CaseSchema(unittest.TestCase):
    def setUp(self):
        self.validator = jsonschema.Draft7Validator(SCHEMA)

    def faults(self, case):
        return [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in self.validator.iter_errors(case)]

    def test_every_shipped_case_names_the_schema_for_editors_by_a_path_that_resolves(self):
        for path in sorted((ROOT / "cases").rglob("*.yaml")):
            with self.subTest(path=path):
                named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", path.read_text(encoding="utf-8"))
                self.assertIsNotNone(named)
                self.assertEqual((path.parent / named[1]).resolve(), ROOT / "config" / "case.schema.json")

    def test_the_schema_is_one_of_the_draft_that_editors_support(self):
        self.assertEqual(SCHEMA["$schema"], DRAFT)
        jsonschema.Draft7Validator.check_schema(SCHEMA)
        for part in parts(SCHEMA):
            if isinstance(part, dict):
                self.assertFalse(LATER & part.keys(), part)

    def test_what_stands_beside_a_reference_constrains_nothing(self):
        for part in parts(SCHEMA):  # draft 7 ignores it
            if isinstance(part, dict) and isinstance(part.get("$ref"), str):
                self.assertFalse({key for key in part if not key.startswith("x-")} - NOTES - {"$ref"}, part)

    def test_every_shipped_case_is_valid(self):
        cases = shipped_cases()
        self.assertGreaterEqual(len(cases), 38)
        for path, case in cases:
            with self.subTest(case=str(path.relative_to(ROOT))):
                self.assertEqual(self.faults(case), [])

    def test_a_key_that_a_mode_needs_is_missed(self):
        case = {"mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}}, "materials": {"air": {}},
                "regions": {"box": "air"}, "time": {"steps": 10}}
        self.assertEqual(self.faults(case), [])
        for mode, needed in ((None, "time"), ("time-domain", "time"), ("fetd", "time"), ("assembly-2d", "assembly_2d"),
                             ("fe-iiee", "iiee")):
            without = copy.deepcopy(case)
            without.pop("time")
            if mode:
                without["mode"] = mode
            with self.subTest(mode=mode):
                self.assertEqual(self.faults(without), [f": '{needed}' is a required property"])

    def test_wrong_values_and_keys_are_refused(self):
        _, case = shipped_cases()[0]
        for key, value in (("tiem", {}), ("units", "furlong"), ("mode", "time"), ("run", {"threads": -1})):
            with self.subTest(key=key):
                self.assertNotEqual(self.faults({**case, key: value}), [])


if __name__ == "__main__":
    unittest.main()
