#!/usr/bin/env python3
"""Iterations over the relaxation factor of ssor-ai on the cube: the valley of the dissertation's figure 3.7.

    reference.py STUDYDIR [STUDYDIR ..] [--picture FILE.png]

STUDYDIR: of `tetrawave study`. Exit code 1 unless in each of them a factor of 0.3 to 0.55 has the fewest iterations or at most a tenth more, by
which counts scatter with rounding, and 0.1 takes 1.3 times as many.
"""

import argparse
import csv
import sys
from pathlib import Path


def read(folder):
    """Unknowns, factors, iterations."""
    with open(Path(folder) / "study.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return int(rows[0]["dofs"]), [float(row["solver.relaxation"]) for row in rows], [int(row["iterations"]) for row in rows]


def is_valley(factor, count):
    least = min(n for f, n in zip(factor, count) if 0.3 <= f <= 0.55)
    return least <= 1.1 * min(count) and count[0] >= 1.3 * min(count)


def main():
    parser = argparse.ArgumentParser(description="Judges the relaxation factor of ssor-ai.")
    parser.add_argument("studies", nargs="+")
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    studies = [read(folder) for folder in arguments.studies]
    for unknowns, factor, count in studies:
        print(f"{unknowns:,} unknowns; " + ", ".join(f"{f:g}: {n}" for f, n in zip(factor, count)) + f"; fewest at {factor[count.index(min(count))]:g}")
    if arguments.picture:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
        for unknowns, factor, count in studies:
            axes.plot(factor, count, "o-", label=f"{unknowns:,} unknowns")
        axes.set(xlabel="relaxation factor", ylabel="iterations to 1e-3", ylim=(0, None), title="Cube")
        axes.grid(alpha=0.4)
        axes.legend()
        figure.savefig(arguments.picture, dpi=130)
    return 0 if all(is_valley(factor, count) for _, factor, count in studies) else 1


if __name__ == "__main__":
    sys.exit(main())
