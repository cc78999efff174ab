#!/usr/bin/env python3
"""Fails where single precision is slower than double in rows of `tetrawave bench --json`.

    tests/gpu/precisions.py FILE.json..

Rows of one file that differ in precision alone are compared, with 2 % for noise. Exit code 1 where one is slower, which is
named, or where nothing was compared.
"""

import json
import sys
from pathlib import Path

ALIKE = ("scheme", "basis", "layout", "ordering", "kernels", "elements")
NOISE = 1.02


def slower_in_single(rows):
    """A line of text for every pair of rows whose single precision takes longer; the number of pairs."""
    seconds = {}
    for row in rows:
        seconds.setdefault(tuple(row[key] for key in ALIKE), {})[row["precision"]] = row["seconds_per_step"]
    pairs = [(key, times) for key, times in seconds.items() if len(times) == 2]
    return [f"{' '.join(map(str, key))}: {times['single']:.3g} s a step in single precision, {times['double']:.3g} in double"
            for key, times in pairs if times["single"] > NOISE * times["double"]], len(pairs)


def main(files):
    found, compared = [], 0
    for file in files:
        lines, pairs = slower_in_single(json.loads(Path(file).read_text())["rows"])
        found += lines
        compared += pairs
    print(f"{compared} pairs of rows compared, {len(found)} slower in single precision", *found, sep="\n")
    return 1 if found or not compared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
