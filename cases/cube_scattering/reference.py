#!/usr/bin/env python3
"""Iterations over the relaxation factor of ssor-ai on the cube: the valley of the dissertation's figure 3.7.

    reference.py STUDYDIR [--picture FILE.png]

STUDYDIR: of `tetrawave study`. Exit code 1 unless a factor of 0.3 to 0.55 has the fewest iterations or at most a tenth more, by which
counts scatter with rounding, and 0.1 takes 1.3 times as many.
"""

import argparse
import csv
import sys
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description="Judges the relaxation factor of ssor-ai.")
    parser.add_argument("study")
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    with open(Path(arguments.study) / "study.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    factor, count = [float(row["solver.relaxation"]) for row in rows], [int(row["iterations"]) for row in rows]
    best = factor[count.index(min(count))]
    print(f"{int(rows[0]['dofs']):,} unknowns; " + ", ".join(f"{f:g}: {n}" for f, n in zip(factor, count)) + f"; fewest at {best:g}")
    if arguments.picture:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
        axes.plot(factor, count, "o-")
        axes.set(xlabel="relaxation factor", ylabel="iterations to 1e-3", ylim=(0, None), title=f"Cube, {int(rows[0]['dofs']):,} unknowns")
        axes.grid(alpha=0.4)
        figure.savefig(arguments.picture, dpi=130)
    valley = min(n for f, n in zip(factor, count) if 0.3 <= f <= 0.55)
    return 0 if valley <= 1.1 * min(count) and count[0] >= 1.3 * min(count) else 1


if __name__ == "__main__":
    sys.exit(main())
