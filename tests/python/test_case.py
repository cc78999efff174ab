"""Cases in Python: what is checked when it is set, and what is written."""

import ast
import copy
import doctest
import importlib
import inspect
import os
import pickle
import subprocess
import sys
import unittest

import jsonschema
import numpy as np
from package import ROOT, FolderTest, guide, tw

from tetrawave import schema

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SHIPPED = [path for path in sorted((ROOT / "cases").rglob("*.yaml")) if "\nregions:" in path.read_text(encoding="utf-8")]


def leaves(node, value, path=()):
    """(path, schema) of every value of a case that is neither a map nor a list."""
    if isinstance(value, dict):
        node = schema._branch(schema.resolved(node), value, "")
        for key, item in value.items():
            yield from leaves(node.get("properties", {}).get(key, node.get("additionalProperties") or {}), item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(schema.resolved(node).get("items", {}), item, (*path, index))
    else:
        yield path, schema.resolved(node)


class CaseTest(unittest.TestCase):
    def test_the_examples_in_docstrings_hold(self):
        attempted = 0
        for name in ("", ".errors", ".schema", ".case", ".materials", ".ports", ".running"):
            result = doctest.testmod(importlib.import_module("tetrawave" + name), optionflags=OPTIONS)
            self.assertEqual(result.failed, 0, name)
            attempted += result.attempted
        self.assertGreaterEqual(attempted, 20)

    def test_every_shipped_case_is_read_and_written_as_it_is(self):
        self.assertGreaterEqual(len(SHIPPED), 38)
        validator = jsonschema.Draft7Validator(schema.schema())
        for path in SHIPPED:
            with self.subTest(case=str(path.relative_to(ROOT))):
                case = tw.Case.read(path)
                written = case.to_dict()
                self.assertEqual([error.message for error in validator.iter_errors(written)], [])
                self.assertEqual(tw.Case(written), written)
                file = case.get("mesh", {}).get("file")
                if file:
                    self.assertEqual(written["mesh"]["file"], os.path.normpath(path.parent / file))

    def test_a_written_case_is_read_back_with_the_same_numbers(self):
        import yaml

        from tetrawave.case import _loader

        for path in SHIPPED:
            case = tw.Case.read(path)
            self.assertEqual(yaml.load(case.to_yaml(), Loader=_loader()), case.to_dict(), path)

    def test_a_value_of_a_wrong_kind_is_refused_wherever_a_validator_of_json_refuses_it(self):
        tried = 0
        validators = {}
        for path in SHIPPED:
            whole = schema.plain(tw.Case.read(path))
            for keys, node in leaves(schema.schema(), whole):
                if "const" in node or not node:
                    continue
                for wrong in ({"no": "map"}, -1e300, True):
                    where = tuple("N" if isinstance(key, int) else key for key in keys), repr(wrong)
                    if where in validators:
                        continue
                    validators[where] = not jsonschema.Draft7Validator({"$defs": schema.schema()["$defs"], **node}).is_valid(wrong)
                    changed = copy.deepcopy(whole)
                    place = changed
                    for key in keys[:-1]:
                        place = place[key]
                    place[keys[-1]] = wrong
                    if validators[where]:
                        with self.assertRaises(tw.CaseError, msg=f"{path} {keys} {wrong}"):
                            tw.Case(changed)
                        tried += 1
                    else:
                        tw.Case(changed)
        self.assertGreater(tried, 500)

    def test_keys_that_the_program_does_not_know_are_refused_as_the_program_refuses_them(self):
        tried = 0
        for expected in sorted((ROOT / "tests" / "bad_input" / "case").glob("*.expected")):
            text = expected.read_text(encoding="utf-8")
            if text.count("error:") != 1 or "unknown key" not in text or expected.stem.startswith("set_") or not expected.with_suffix(".yaml").exists():
                continue
            with self.subTest(case=expected.stem), self.assertRaises(tw.CaseError) as caught:
                tw.Case.read(expected.with_suffix(".yaml"))
            unknown = text.split("unknown key '")[1].split("'")[0]
            self.assertIn(f"unknown key {unknown!r}", str(caught.exception))
            tried += 1
        self.assertGreaterEqual(tried, 3)

    def test_an_error_says_which_key_what_was_found_and_what_is_allowed(self):
        case = guide()
        for change, text in ((lambda: case.ports.append({"name": "p3", "boundary": "x0"}), "ports.2: type is missing; allowed: coaxial, "),
                             (lambda: case.ports[0].update(typo=1), "ports.0: unknown key 'typo'"),
                             (lambda: setattr(case.ports[0], "type", "tem"), "ports.0.type: it cannot change from 'rectangular-waveguide'"),
                             (lambda: case.frequency.update(start="9 ns"), "frequency.start: expected a frequency, found '9 ns'"),
                             (lambda: case.mesh.box.update(cells=[1, 2, "x"]), "mesh.box.cells.2: expected a whole number, found 'x'"),
                             (lambda: case.mesh.box.update(jitter=-1), "mesh.box.jitter: -1 is not allowed: it must be at least 0"),
                             (lambda: setattr(case, "units", "inches"), "units: unknown value 'inches' (did you mean 'inch'?)")):
            with self.assertRaises(tw.CaseError) as caught:
                change()
            self.assertIn(text, str(caught.exception))
            self.assertEqual(caught.exception.exit_code, 78)
        self.assertEqual(case, guide())

    def test_numbers_of_numpy_and_tuples_are_taken_as_pythons_own(self):
        case = tw.Case(mesh={"box": {"size": np.array([1.0, 2.0, 3.0]), "cells": (np.int64(1), 2, 3)}})
        self.assertEqual(case.to_dict(), {"mesh": {"box": {"size": [1.0, 2.0, 3.0], "cells": [1, 2, 3]}}})
        self.assertIs(type(case.mesh.box.cells[0]), int)

    def test_completion_offers_the_keys_of_the_schema(self):
        case = guide()
        self.assertLessEqual(set(schema.schema()["properties"]), set(dir(case)))
        self.assertIn("other_modes", dir(case.ports[0]))
        self.assertNotIn("inner_radius", dir(case.ports[0]))

    def test_every_type_of_port_is_a_function_with_the_keys_of_the_schema(self):
        branches = {branch["properties"]["type"]["const"]: branch for branch in schema.schema()["properties"]["ports"]["items"]["oneOf"]}
        self.assertEqual(sorted(kind.replace("-", "_") for kind in branches), dir(tw.ports))
        for kind, branch in branches.items():
            make = getattr(tw.ports, kind.replace("-", "_"))
            needed = [key for key in branch["required"] if key != "type"]
            self.assertEqual({*branch["properties"]} - {"type"}, {*inspect.signature(make).parameters})
            values = ["1 ohm" if key == "resistance" else key for key in needed]
            self.assertEqual({"type": kind, **dict(zip(needed, values))}, make(*values))
            self.assertIn(f"\n{needed[0]}: Unique name", make.__doc__)
        for call, text in ((lambda: tw.ports.tem("p1", "z0"), "port tem: signal is missing"),
                           (lambda: tw.ports.coaxial("p1", "z0", inner_radus=1), "port coaxial: unknown key 'inner_radus' (did you mean 'inner_radius'?)"),
                           (lambda: tw.ports.lumped("p1", "z0", "50 F"), "port lumped.resistance: expected a resistance, found '50 F'")):
            with self.assertRaises(tw.CaseError) as caught:
                call()
            self.assertIn(text, str(caught.exception))
        with self.assertRaises(AttributeError):
            tw.ports.coax("p1", "z0")

    def test_copies_share_nothing(self):
        case = guide()
        for other in (case.copy(), copy.deepcopy(case), pickle.loads(pickle.dumps(case))):
            other["ports"][0]["name"] = "changed"
            self.assertEqual(case.ports[0].name, "near")

    def test_the_types_for_editors_have_every_key_of_the_schema(self):
        sys.path.insert(0, str(ROOT / "tools" / "python"))
        import make_types

        text = make_types.Types(schema.schema()).module()
        ast.parse(text)
        for key in schema.schema()["properties"]:
            self.assertIn(f"\n    {key}: ", text)
        for part in ("class PortCoaxial(TypedDict, total=False):", "'wideband-debye': MaterialWidebandDebye",
                     "type: Required[Literal['coaxial']]"):
            self.assertIn(part, text)


class ImportTest(FolderTest):
    def test_importing_loads_neither_numpy_nor_h5py_and_takes_milliseconds(self):
        code = ("import sys, time; begin = time.perf_counter(); import tetrawave; took = time.perf_counter() - begin; "
                "assert not {'numpy', 'h5py', 'yaml', 'matplotlib'} & set(sys.modules), sys.modules.keys(); print(took)")
        took = min(float(subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT / "tools" / "python")}, text=True,
                                        stdout=subprocess.PIPE, check=True).stdout) for _ in range(3))
        self.assertLess(took, 0.3)


if __name__ == "__main__":
    unittest.main()
