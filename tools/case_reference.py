#!/usr/bin/env python3
"""Writes config/REFERENCE.md, the reference of the case file, from config/case.schema.json.

    tools/case_reference.py           writes the page
    tools/case_reference.py --check   fails when the page is not what the schema gives
"""

import json
import pathlib
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "config" / "case.schema.json"
PAGE = ROOT / "config" / "REFERENCE.md"

NOT_YET = "*not available yet in this version*"


def wrapped(text):
    return textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False)


class Reference:
    def __init__(self, schema):
        self.schema = schema
        self.lines = []
        self.sections = {}  # $ref -> paths where its keys are shown, first the one with the table

    def resolved(self, node):
        """A schema with its $ref merged in; neighbours of the $ref win."""
        if "$ref" not in node:
            return node
        target = self.resolved(self.schema["$defs"][node["$ref"].split("/")[-1]])
        return {**target, **{key: value for key, value in node.items() if key != "$ref"}}

    # --- one value in words

    def bounds(self, node):
        words = [("exclusiveMinimum", "> {}"), ("minimum", ">= {}"), ("exclusiveMaximum", "< {}"), ("maximum", "<= {}")]
        return ", ".join(text.format(number(node[key])) for key, text in words if key in node and node[key] < 2**53)

    def kind(self, node):
        node = self.resolved(node)
        if "x-select" in node:
            return "map"
        if "enum" in node or "const" in node:
            return self.values(node)
        bounds = self.bounds(node)
        if "x-dimension" in node:
            return node["x-dimension"].replace("-", " ") + (f" {bounds}" if bounds else "")
        if "type" not in node:
            return "any"
        types = node["type"] if isinstance(node["type"], list) else [node["type"]]
        numeric = ("number", "integer")
        words = [self.type_words(name, node) + (f" {bounds}" if bounds and name in numeric else "") for name in types]
        return " or ".join(words)

    def values(self, node):
        later = node.get("x-unavailable", [])
        names = [f"`{text(v)}`" + (" (not yet)" if v in later else "") for v in node.get("enum", [node.get("const")])]
        return ", ".join(names)

    def type_words(self, name, node):
        if name == "array":
            count = node.get("minItems") if node.get("minItems") == node.get("maxItems") else None
            later = " (not yet)" if "array" in node.get("x-unavailable-types", []) else ""
            if later:
                return f"list of {count}{later}"
            item = self.kind(node["items"])
            return f"list of {count}: {item}" if count else f"list: {item}"
        if name == "object":
            other = node.get("additionalProperties")
            return f"map by name: {self.kind(other)}" if isinstance(other, dict) else "map"
        if name == "string":
            return {"name": "name", "file": "file name"}.get(node.get("format"), "text")
        return {"number": "number", "integer": "whole number", "boolean": "`true`, `false`"}[name]

    def default(self, name, node, parent):
        if "default" in node:
            return f"`{text(node['default'])}`"
        if "x-default" in node:
            return node["x-default"]
        return "**required**" if name in parent.get("required", []) else ""

    # --- tables

    def row(self, name, node, parent):
        full = self.resolved(node)
        description = full.get("description", "Selects this table." if "const" in full else "")
        if full.get("x-available") is False:
            description = f"{description} {NOT_YET}".strip()
        if "x-modes" in full:
            description = f"{description} {modes(full)}".strip()
        cells = [f"`{name}`", self.kind(node), self.default(name, full, parent), description]
        self.lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")

    def table(self, heading, node, level):
        self.lines += ["", f"{'#' * level} {heading}", ""]
        if node.get("description"):
            self.lines += [*wrapped(node["description"]), ""]
        if node.get("x-available") is False:
            self.lines += [NOT_YET, ""]
        one_of = [branch["required"][0] for branch in node.get("oneOf", []) if list(branch) == ["required"]]
        if one_of:
            self.lines += ["Exactly one of " + " and ".join(f"`{key}`" for key in one_of) + ".", ""]
        for group in node["not"].get("anyOf", [node["not"]]) if "not" in node else []:
            self.lines += ["Only one of " + " and ".join(f"`{key}`" for key in group["required"]) + ".", ""]
        self.lines += ["| key | value | default | meaning |", "|---|---|---|---|"]
        for name, child in node["properties"].items():
            self.row(name, child, node)

    def section(self, path, node):
        """The table of a map, or of the maps in a list or under names, and those below; the same table only once."""
        reference = node.get("$ref")
        full = self.resolved(node)
        if reference and ("properties" in full or "x-select" in full):
            if path in self.sections.setdefault(reference, []):
                return
            self.sections[reference].append(path)
            first = self.sections[reference][0]
            if path != first:
                self.lines += ["", f"## {path}", "", f"Keys as in `{first}`."]
                return
        if "x-select" in full:
            for branch in full["oneOf"]:
                name = branch["properties"][full["x-select"]]["const"]
                self.keys(path, f"{path}, {full['x-select']} {name}", branch)
        elif "properties" in full:
            self.keys(path, path, full)
        elif isinstance(full.get("additionalProperties"), dict):
            self.section(f"{path}.NAME", full["additionalProperties"])
        elif "items" in full:
            self.section(f"{path}.N", full["items"])

    def keys(self, path, heading, node):
        self.table(heading, node, 2)
        for name, child in node["properties"].items():
            self.section(f"{path}.{name}", child)

    def page(self):
        self.lines += [
            "<!-- Generated from case.schema.json by tools/case_reference.py. -->",
            "# Reference of the case file",
            "",
            *wrapped(self.schema["description"] + f" Version {self.schema['x-version']} of the case file (see CHANGELOG.md)."),
            "",
            "* Bare numbers are in SI units, lengths in `units`. A unit in a value is checked for its dimension (`20 GHz`, `1.5 mm`).",
            "* Names of ports, probes, groups, regions and materials: letters, digits, `.`, `_`, `-`, not starting with `.` or `-`,",
            "  at most 128 characters.",
            "* `--set a.b.c=VALUE` overrides a key by its dotted path, list items by index: `ports.0.excite.amplitude=2`.",
            "  Keys that exclude the one given are replaced: `time.end` by `time.steps=100`.",
            "* Unknown keys, duplicate keys, anchors, aliases, tags, numbers with leading zeros, `.nan` and `.inf` are errors.",
            "* Supported combinations of features: [SUPPORT.txt](SUPPORT.txt), the output of `tetrawave info --support`.",
            "* For completion in an editor put `# yaml-language-server: $schema=PATH/config/case.schema.json` on the first line.",
            "",
            "| dimension | units (bare numbers are in the first one, except lengths) |",
            "|---|---|",
        ]
        for dimension, units in self.schema["x-units"].items():
            self.lines.append(f"| {dimension.replace('-', ' ')} | " + ", ".join(f"`{unit}`" for unit in units) + " |")
        self.table("Top level", {key: value for key, value in self.schema.items() if key != "description"}, 2)
        for name, child in self.schema["properties"].items():
            self.section(name, child)
        return "\n".join(self.lines) + "\n"


def modes(node):
    return "Only in mode" + ("s " if len(node["x-modes"]) > 1 else " ") + ", ".join(f"`{mode}`" for mode in node["x-modes"]) + "."


def number(value):
    return f"{value:g}" if isinstance(value, float) else str(value)


def text(value):
    """A value as a case file writes it."""
    if isinstance(value, (dict, list)):
        return json.dumps(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return '""' if value == "" else str(value)


def main():
    page = Reference(json.loads(SCHEMA.read_text(encoding="utf-8"))).page()
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
            sys.exit(f"{PAGE} is stale: run tools/case_reference.py")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
