#!/usr/bin/env python3
"""Writes the measured numbers of pages, as those of cases/, from files of tests/gpu/results.

    page_figures.py [--check] [--root DIR]

page_figures.json beside this file has the sentences and rows of tables with numbers: `page`; `text` as it stands there, {:FORMAT} for each number; `from`,
the places of the numbers as in papers.json, or {"of": PLACE, "over": PLACE, "times": NUMBER, "less": NUMBER, "sum": [PLACE, ..]}, each behind the keys of `at`; {"study": FILE, "of": [PRECISION, METHOD, SPACE],
"to": ERROR} for seconds of cases/accuracy/study.py; {"source": FILE, "says": PATTERN} for a number that a file of the project holds, as a test.
Without --check the numbers of the pages are replaced; with it exit code 1 when one differs. A text must stand in its page once.
"""

import argparse
import json
import re
import sys
from pathlib import Path

from tables_of_papers import RESULTS, ROOT, Missing, NotRun, find, said

sys.dont_write_bytecode = True
HOLE = re.compile(r"\{:([^{}]*)\}")
NUMBER = r"([-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?)"


def words(text):
    """A pattern for a text, however its lines are broken."""
    return r"\s+".join(re.escape(word) for word in re.split(r"\s+", text))


def pattern(text):
    parts = HOLE.split(text)
    return re.compile("".join(NUMBER if place % 2 else words(part) for place, part in enumerate(parts)))


def seconds_to(number):
    """Of rows of cases/accuracy/study.py: seconds to an error by [precision, method, space]."""
    sys.path.insert(0, str(ROOT / "cases/accuracy"))
    import curves
    return curves.seconds_to(curves.select(json.loads((RESULTS / number["study"]).read_text(encoding="utf-8")), *number["of"]), number["to"])


def value_of(number, at):
    if isinstance(number, dict) and "study" in number:
        return seconds_to(number)
    if isinstance(number, dict) and "source" in number:
        return float(said((ROOT / number["source"]).read_text(encoding="utf-8"), number["says"], number["source"]))
    if isinstance(number, dict):
        of = sum(value_of(place, at) for place in number["sum"]) if "sum" in number else value_of(number["of"], at)
        return of / (value_of(number["over"], at) if "over" in number else 1) * number.get("times", 1) - number.get("less", 0)
    if isinstance(number, (int, float)):
        return number
    place = [number] if isinstance(number, str) else number
    return find(place if str(place[0]).endswith(".json") else [*at, *place])[0]


def written(value, form):
    """As Python formats it, exponents without zeros: 1.5e-3."""
    return re.sub(r"e([-+])0*(\d)", lambda found: f"e{found[1].strip('+')}{found[2]}", format(value, form))


def numbers_of(entry):
    forms, places = HOLE.findall(entry["text"]), entry["from"]
    if len(forms) != len(places):
        raise Missing(f"{entry['page']}: {len(forms)} numbers in '{entry['text'][:60]}', but {len(places)} places")
    return [written(value_of(place, entry.get("at", [])), form) for place, form in zip(places, forms)]


def filled(page, entry):
    """A page's text with the numbers of an entry, and [stands, should] of each that differs."""
    try:
        numbers = numbers_of(entry)
    except (NotRun, KeyError, IndexError) as error:
        raise Missing(f"{entry['page']}: '{entry['text'][:60]}': no {error}") from None
    found = list(pattern(entry["text"]).finditer(page))
    if len(found) != 1:
        raise Missing(f"{entry['page']}: {len(found)} times '{entry['text']}'")
    differing = [[found[0][group], number] for group, number in enumerate(numbers, 1) if found[0][group] != number]
    for group, number in reversed(list(enumerate(numbers, 1))):
        page = page[: found[0].start(group)] + number + page[found[0].end(group):]
    return page, differing


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the pages (default: the project)")
    options = parser.parse_args()
    pages, errors, numbers, wrong = {}, [], 0, 0
    for entry in json.loads((ROOT / "tools/page_figures.json").read_text(encoding="utf-8")):
        path = options.root / entry["page"]
        pages.setdefault(path, path.read_text(encoding="utf-8"))
        try:
            pages[path], differing = filled(pages[path], entry)
        except Missing as error:
            errors.append(error)
            continue
        numbers += len(entry["from"])
        for stands, should in differing:
            print(f"{entry['page']}: {stands} {'should be' if options.check else 'became'} {should} in '{entry['text'][:60]}'")
        wrong += len(differing) if options.check else 0
    for error in errors:
        print(f"page_figures.py: error: {error}", file=sys.stderr)
    if not options.check:
        for path, text in pages.items():
            path.write_text(text, encoding="utf-8")
    print(f"{numbers} numbers of {len(pages)} pages, {len(errors) + wrong} faults")
    return 1 if errors or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
