#!/usr/bin/env python3
"""Writes the types of a case's maps, for editors and type checkers, from config/case.schema.json.

    tools/python/make_types.py FILE.pyi

`cmake --install` runs it for the wheel: keys, values and descriptions are those of the schema that is built in.
"""

import json
import keyword
import re
import sys
import textwrap
from pathlib import Path

SCHEMA = Path(__file__).resolve().parents[2] / "config" / "case.schema.json"
HEAD = '''"""Keys and values of a case. Generated from case.schema.json by tools/python/make_types.py."""

from typing import Any, Literal, Union

from typing_extensions import Required, TypedDict

'''
PLAIN = {"string": "str", "number": "float", "integer": "int", "boolean": "bool"}


class Types:
    def __init__(self, schema):
        self.schema = schema
        self.classes = {}  # name -> text, in the order of definition
        self.names = {}    # text of a schema -> name of its class

    def resolved(self, node):
        if "$ref" not in node:
            return node
        target = self.resolved(self.schema["$defs"][node["$ref"].split("/")[-1]])
        return {**target, **{key: value for key, value in node.items() if key != "$ref"}}

    def type_of(self, node, name):
        """The annotation of a schema; `name` is for the class of a map."""
        node = self.resolved(node)
        if "const" in node:
            return f"Literal[{node['const']!r}]"
        if "enum" in node:
            return f"Literal[{', '.join(repr(value) for value in node['enum'])}]"
        if "x-select" in node:
            select = node["x-select"]
            branches = [self.resolved(branch) for branch in node["oneOf"]]
            kinds = [self.map_of(branch, name + camel(branch["properties"][select]["const"])) for branch in branches]
            return kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"
        types = node.get("type", [])
        words = [self.one(kind, node, name) for kind in ([types] if isinstance(types, str) else types)]
        return "Any" if not words else words[0] if len(words) == 1 else f"Union[{', '.join(words)}]"

    def one(self, kind, node, name):
        if kind == "array":
            return f"list[{self.type_of(node['items'], singular(name))}]"
        if kind != "object":
            return PLAIN[kind]
        if "properties" in node:
            return self.map_of(node, name)
        other = node.get("additionalProperties")
        return f"dict[str, {self.type_of(other, singular(name)) if isinstance(other, dict) else 'Any'}]"

    def map_of(self, node, name):
        key = json.dumps({k: node[k] for k in ("properties", "required") if k in node}, sort_keys=True)
        if key in self.names:
            return self.names[key]
        while name in self.classes:
            name += "_"
        self.names[key] = name
        self.classes[name] = ""  # keeps its place
        fields = {}
        for field, child in node["properties"].items():
            kind = self.type_of(child, name.replace("CaseDict", "") + camel(field))
            fields[field] = f"Required[{kind}]" if field in node.get("required", []) and name != "CaseDict" else kind
        self.classes[name] = self.text(name, node, fields)
        return name

    def text(self, name, node, fields):
        if not all(field.isidentifier() and not keyword.iskeyword(field) for field in fields):
            inner = "".join(f"    {field!r}: {kind},\n" for field, kind in fields.items())
            return f"{name} = TypedDict({name!r}, {{\n{inner}}}, total=False)\n"
        lines = [f"class {name}(TypedDict, total=False):", *doc(node)]
        for field, kind in fields.items():
            lines += [f"    {field}: {kind}", *doc(self.resolved(node["properties"][field]))]
        return "\n".join(lines) + "\n"

    def module(self):
        self.map_of(self.schema, "CaseDict")
        return HEAD + "\n\n".join(self.classes.values())


def camel(name):
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", str(name)))


def singular(name):
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name + "Item"


def doc(node):
    text = node.get("description", "").replace("\\", "\\\\").replace('"""', "'''")
    return textwrap.wrap(f'"""{text}"""', 116, initial_indent="    ", subsequent_indent="    ") if text else []


def main(output):
    text = Types(json.loads(SCHEMA.read_text(encoding="utf-8"))).module()
    Path(output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: tools/python/make_types.py FILE.pyi")
    main(sys.argv[1])
