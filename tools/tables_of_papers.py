#!/usr/bin/env python3
"""Writes cases/PAPERS.md: all tables and figures of the four papers, their numbers and ours.

    tables_of_papers.py [--check] [-o FILE.md]

papers.json beside this file has their numbers, as printed, and for each of ours the place in a file of tests/gpu/results: the file, then keys,
and {key: value} for the item of a list in which all of these stand, a number for that item, {"says": PATTERN} for the number in the pattern's
first group among printed lines; two places are divided by each other. No number of ours is typed.
A file may be a pattern, as *-kerr-tables.json: the last by name that has the number, and an empty cell where it is null there or none has it
(of more GPUs than hosts had); `why` of a row then tells the reason.
--check: exit code 1 when FILE.md is not what would be written.
"""

import argparse
import json
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "tests/gpu/results"
FILES = {}


class Missing(LookupError):
    pass


class NotRun(Exception):
    """No file of that pattern is there yet."""


def find(place):
    """The number at [file, key, ..] below tests/gpu/results, the file, and the revision nearest to the number that is named on the way."""
    name, *keys = place
    if "*" not in name:
        return number_at(name, keys)
    for path in sorted(RESULTS.glob(name), reverse=True):
        try:
            return number_at(path.name, keys)
        except (Missing, IndexError):
            continue
    raise NotRun(name)


def number_at(name, keys):
    if name not in FILES:
        FILES[name] = json.loads((RESULTS / name).read_text(encoding="utf-8"))
    found, revision = FILES[name], None
    for key in keys:
        revision = revision_of(found) or revision
        if isinstance(key, int):
            found = found[key]
        elif isinstance(key, dict) and "says" in key:
            found = said(found, key["says"], name)
        elif isinstance(key, dict):
            fitting = [item for item in found if all(item.get(name_of) == value for name_of, value in key.items())]
            if len(fitting) != 1:
                raise Missing(f"{name}: {len(fitting)} items have {key}")
            found = fitting[0]
        elif key not in found:
            raise Missing(f"{name}: no '{key}' on the way to the number")
        else:
            found = found[key]
    if found is None:
        raise NotRun(name)
    return float(found), name, revision


def said(lines, pattern, name):
    """The number in the first group of a pattern in the lines that a command printed."""
    found = re.search(pattern, lines if isinstance(lines, str) else "\n".join(lines))
    if not found:
        raise Missing(f"{name}: no '{pattern}' in what was printed")
    return found[1].replace(" ", "").replace(",", "")


def revision_of(found):
    """The commit that an object of a results file names, in itself or in the line that its program says; or None."""
    if not isinstance(found, dict):
        return None
    machine = found.get("machine") or ""
    for text in (str(found.get("revision", "")), machine[0] if isinstance(machine, list) else machine):
        if known := re.match(r"(?:.*revision )?([0-9a-f]{7,12})\b", text):
            return known[1][:8]
    return None


def places_of(row):
    places = row.get("ours") or []
    return places if not places or isinstance(places[0], list) else [places]


def ours_of(row):
    """The number of a row, or None where nothing was run: `ours` is a place, or two whose quotient it is; times `scale`."""
    places = places_of(row)
    if not places:
        return None
    try:
        value = find(places[0])[0] / (find(places[1])[0] if len(places) > 1 else 1)
    except NotRun:
        return None
    return value * row.get("scale", 1)


def sources(entry):
    """The results files of a table and the revisions of the program that made its numbers."""
    files = {}
    for row in entry["rows"]:
        for place in places_of(row) if ours_of(row) is not None else []:
            _, name, revision = find(place)
            revisions = files.setdefault(name, [])
            if revision and revision not in revisions:
                revisions.append(revision)
    named = [f"[{name.removesuffix('.json')}](../tests/gpu/results/{name})" + (f" ({', '.join(revisions)})" if revisions else "")
             for name, revisions in files.items()]
    return [*paragraph(f"Results and revisions: {'; '.join(named)}."), ""] if named else []


def short(value, unit=""):
    """Three digits, or all before the point; a dash for nothing."""
    return "-" if value is None else (f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}") + (f" {unit}" if unit else "")


def links(entry):
    return ", ".join(f"[{name.split('/')[0]}]({name})" for name in entry.get("cases", ())) or "-"


def counted(rows):
    """How many of these rows have a number of ours, and those rows: with a number of theirs, or all where there is none."""
    rows = [row for row in rows if row.get("theirs") is not None] or list(rows)
    return sum(1 for row in rows if ours_of(row) is not None), rows


def state(entry):
    have, rows = counted(entry.get("rows", ()))
    parts = [f"{have} of {len(rows)} numbers"] if rows else []
    return "; ".join(parts + ([entry["note"]] if "note" in entry else []))


def table(entry):
    what = entry["what"][0].upper() + entry["what"][1:]
    lines = [f"### {entry['item']}", "", *paragraph(f"{what}. " + (f"Ours: {entry['ours']}" if "ours" in entry else "")), "",
             "| | theirs | ours | theirs over ours |", "|---|---|---|---|"]
    for row in entry["rows"]:
        ours, theirs = ours_of(row), row.get("theirs")
        ratio = theirs / ours if ours and theirs else None
        printed = "-" if theirs is None else f"{theirs:,} {row['unit']}".rstrip()
        lines.append(f"| {row['of']} | {printed} | {short(ours, row['unit'])} | {short(ratio)} |")
    return lines + ["", *reasons(entry), *sources(entry)]


def reasons(entry):
    """Why numbers of theirs have none of ours beside them: `why` of a row, with the number at `why_from` in it."""
    told = {}
    for row in entry["rows"]:
        if row.get("theirs") is not None and ours_of(row) is None and "why" in row:
            told.setdefault(row["why"].format(find(row["why_from"])[0] if "why_from" in row else 0), []).append(f"'{row['of']}'")
    words = "; ".join(f"{', '.join(rows)} ({why})" for why, rows in told.items())
    return [*paragraph(f"No number of ours: {words}."), ""] if told else []


def paragraph(text):
    return textwrap.wrap(text, 118, break_long_words=False, break_on_hyphens=False)


def page(papers):
    lines = ["# Tables and figures of the papers, and ours", "",
             *paragraph("Written by `tools/tables_of_papers.py` from `tools/papers.json` (their numbers) and `tests/gpu/results` (ours); "
                        "a dash marks a number that was not run or that the paper does not print. Their times are from their machines, ours from "
                        "one NVIDIA H200, or cores of its host, unless a paper's heading or a row says otherwise, so a ratio is that of machine and program "
                        "together. Below each table stand the results files of our numbers, with the revisions of the program where they name them."), ""]
    for paper in papers:
        entries = paper["entries"]
        have, rows = counted([row for entry in entries for row in entry.get("rows", ())])
        lines += [f"## {paper['name']}", "", *paragraph(f"{paper['source']} {paper['machine']} Of the {len(rows)} published numbers below, {have} stand beside one of ours."), "",
                  "| | what | where | state |", "|---|---|---|---|"]
        lines += [f"| {entry['item']} | {entry['what']} | {links(entry)} | {state(entry)} |" for entry in entries] + [""]
        for entry in entries:
            if "rows" in entry:
                lines += table(entry)
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "cases/PAPERS.md")
    arguments = parser.parse_args()
    try:
        text = page(json.loads((ROOT / "tools/papers.json").read_text(encoding="utf-8")))
    except (Missing, OSError) as error:
        print(f"tables_of_papers.py: error: {error}", file=sys.stderr)
        return 1
    if arguments.check:
        same = arguments.output.exists() and arguments.output.read_text(encoding="utf-8") == text
        print("" if same else f"{arguments.output} is not what tools/tables_of_papers.py writes", end="" if same else "\n")
        return 0 if same else 1
    arguments.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
