#!/usr/bin/env python3
"""Fails on citations and links of places that are not there, and on prose over 120 columns.

usage: tools/check_docs.py [ROOT]      (ROOT: the project, default the folder above this script)
Checked are: `theory/CHAPTER` and `theory/CHAPTER#SECTION` in any text file (a file of src/theory and a heading in it),
numbers of decisions, relative links and `sources` in Markdown files, that src/THEORY.md lists every chapter, and the
width of Markdown outside of tables, formulas and code. Prints one line `FILE:LINE: what` per fault; exit code 0 without
faults.
"""

import fnmatch
import re
import sys
from pathlib import Path

import check_style

WIDTH = 120
CITATION = re.compile(r"(?<![\w/.-])(?:src/)?theory/([a-z][a-z0-9-]*)(?:\.md)?(?:#([a-z0-9-]+))?")
NUMBERED = re.compile(r"THEORY(\.md)?,? \d")
DECISION = re.compile(r"\bdecisions?[ /](\d{3})\b")
SOURCE = re.compile(r"`((?!generated/)[\w./*-]+\.(?:[ch]pp|cuh?|inc|py|sh|cmake|\*))`")
HISTORY = re.compile(r"src/decisions/|CHANGELOG")  # these name sources of their day
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchor_of(heading):
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors_in(path):
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return {anchor_of(heading) for heading in re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)}


class Places:
    """What a tree's citations may name."""

    def __init__(self, root):
        self.root = root
        self.chapters = {path.stem: anchors_in(path) for path in (root / "src/theory").glob("*.md")}
        self.decisions = {path.name[:3] for path in (root / "src/decisions").glob("*.md")}
        self.files = [f"/{path.relative_to(root)}" for top in check_style.TOPS for path in (root / top).rglob("*.*")]

    def faults_of_citations(self, line):
        for chapter, section in CITATION.findall(line):
            if chapter not in self.chapters:
                yield f"no chapter src/theory/{chapter}.md"
            elif section and section not in self.chapters[chapter]:
                yield f"no section '{section}' in src/theory/{chapter}.md"
        if NUMBERED.search(line):
            yield "theory cited by a number: cite theory/CHAPTER"
        for number in DECISION.findall(line):
            if number not in self.decisions:
                yield f"no decision {number}"

    def faults_of_sources(self, line):
        for name in SOURCE.findall(line):
            if not fnmatch.filter(self.files, "*/" + name.removeprefix("../")):
                yield f"no source {name}"

    def faults_of_links(self, path, line):
        for target in LINK.findall(line):
            name, _, section = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            file = (self.root / path.parent / name) if name else self.root / path
            if not file.exists():
                yield f"link to {target}, which is not there"
            elif section and section not in anchors_in(file):
                yield f"link to {target}: no such heading"


def is_too_wide(line, fenced):
    """Whether a line is over WIDTH and could be broken: no table, formula, code or single word."""
    return not fenced and len(line) > WIDTH and not line.startswith(("|", "    ")) and len(line.split()) > 2


def check_file(places, path):
    """Yields (line number, fault) for one file, path relative to the root."""
    markdown, fenced = path.suffix == ".md", False
    text = (places.root / path).read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= markdown and line.lstrip().startswith("```")
        faults = list(places.faults_of_citations(line))
        if markdown and not fenced:
            faults += places.faults_of_links(path, line)
            faults += () if HISTORY.match(path.as_posix()) else places.faults_of_sources(line)
        if markdown and is_too_wide(line, fenced):
            faults.append(f"{len(line)} columns, at most {WIDTH}")
        yield from ((number, fault) for fault in faults)


def check_tree(root):
    """All faults of a tree as texts `FILE:LINE: what`."""
    places = Places(root)
    files = sorted(path.relative_to(root) for path in root.glob("*.md")) + list(check_style.text_files(root))
    faults = [f"{path}:{line}: {fault}" for path in files for line, fault in check_file(places, path)]
    contents = root / "src/THEORY.md"
    listed = set(re.findall(r"theory/([a-z0-9-]+)\.md", contents.read_text(encoding="utf-8"))) if contents.exists() else set()
    return faults + [f"src/THEORY.md:1: chapter {name} is not listed" for name in sorted(set(places.chapters) - listed)]


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    faults = check_tree(root)
    for fault in faults:
        print(fault)
    print(f"documents: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
