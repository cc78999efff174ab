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

from typing import Any, Generic, Literal, SupportsIndex, TypeVar, Union

from typing_extensions import Required, TypedDict

from .schema import Map

Given = TypeVar("Given")
Found = TypeVar("Found")


class Keys(dict[str, Any]):
    """A map of the case, whose keys are attributes, too."""


class Named(dict[str, Any], Generic[Given, Found]):
    """A map of the case by names that are free."""
    def __getitem__(self, name: str) -> Found: ...
    def __setitem__(self, name: str, value: Union[Given, Found]) -> None: ...
    def __getattr__(self, name: str) -> Found: ...
    def __setattr__(self, name: str, value: Union[Given, Found, dict[str, Any]]) -> None: ...


class Items(list[Any], Generic[Given, Found]):
    """A list of the case."""
    def __getitem__(self, index: SupportsIndex) -> Found: ...  # type: ignore[override]
    def append(self, value: Union[Given, Found]) -> None: ...


'''
PLAIN = {"string": "str", "number": "float", "integer": "int", "boolean": "bool"}


class Types:
    def __init__(self, schema):
        self.schema = schema
        self.classes = {}  # name -> text, in the order of definition
        self.attributes = {}  # the same name -> text of the class with attributes
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

    def found_type(self, node, name):
        """The annotation of what an attribute of a case gives, and of what it takes, by the schema."""
        given, node = self.type_of(node, name), self.resolved(node)
        if "x-select" in node:
            return "Map", given
        if node.get("type") == "array":
            found, item = self.found_type(node["items"], singular(name))
            return (f"Items[{item}, {found}]" if found != item else given), given
        if node.get("type") == "object" and "properties" in node:
            return self.map_of(node, name).replace("CaseDict", "Case") + "Keys", given
        if node.get("type") == "object" and isinstance(node.get("additionalProperties"), dict):
            found, item = self.found_type(node["additionalProperties"], singular(name))
            return f"Named[{item}, {found}]", given
        return given, given

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
        self.attributes[name] = self.attributes_text(name, node)
        return name

    def attributes_text(self, name, node):
        """The class of a map in a case: attributes as they are found; those that are maps and lists take plain ones, too."""
        stem = name.replace("CaseDict", "Case")
        lines = [f"class {stem}Keys(Keys):", *(doc(node) or ["    ..."])]
        for field, child in node["properties"].items():
            if not is_name(field) or hasattr(dict, field):  # these are dict's own, read as case[..]
                continue
            found, given = self.found_type(child, stem.replace("Case", "") + camel(field))
            if found == given:
                lines += [f"    {field}: {found}", *doc(self.resolved(child))]
                continue
            lines += ["    @property", f"    def {field}(self) -> {found}:", *("    " + line for line in doc(self.resolved(child))), "        ...",
                      f"    @{field}.setter", f"    def {field}(self, value: Union[{given}, {found}]) -> None: ..."]
        return "\n".join(lines) + "\n"

    def ports(self):
        """The functions of tetrawave.ports as a class, whose only instance stands for that module."""
        lines = ["class Ports:", '    """Ports by type."""']
        for branch in map(self.resolved, self.resolved(self.schema["properties"]["ports"]["items"])["oneOf"]):
            kind = branch["properties"]["type"]["const"]
            needed = [key for key in branch["required"] if key != "type"]
            words = ["self"]
            for key in (*needed, "*", *(key for key in branch["properties"] if key not in (*needed, "type"))):
                if key == "*":
                    words.append(key)
                    continue
                annotation = self.type_of(branch["properties"][key], "Port" + camel(kind) + camel(key))
                words.append(f"{key}: {annotation}" + ("" if key in needed else " = ..."))
            lines += [f"    def {kind.replace('-', '_')}({', '.join(words)}) -> Port{camel(kind)}:", *("    " + line for line in doc(branch)), "        ..."]
        return "\n".join(lines) + "\n\n\nports: Ports\n"

    def text(self, name, node, fields):
        if not all(map(is_name, fields)):
            inner = "".join(f"    {field!r}: {kind},\n" for field, kind in fields.items())
            return f"{name} = TypedDict({name!r}, {{\n{inner}}}, total=False)\n"
        lines = [f"class {name}(TypedDict, total=False):", *doc(node)]
        for field, kind in fields.items():
            lines += [f"    {field}: {kind}", *doc(self.resolved(node["properties"][field]))]
        return "\n".join(lines) + "\n"

    def module(self):
        self.map_of(self.schema, "CaseDict")
        return HEAD + "\n\n".join([*self.classes.values(), *self.attributes.values(), self.ports()])


def is_name(field):
    return field.isidentifier() and not keyword.iskeyword(field)


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
