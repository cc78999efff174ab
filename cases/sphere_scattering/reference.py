#!/usr/bin/env python3
"""Iterations of the preconditioners on the sphere beside table 3.2 of the dissertation, and the cross-section beside Mie's series.

    reference.py STUDYDIR [--tolerance-db 1.0]

STUDYDIR: of `tetrawave study`. Exit code 1 unless jacobi takes at least three times the iterations of ssor, ssor-ai between those of ssor
and two thirds of jacobi's, csr and jad the same number, and the cross-section is within the tolerance of the series down to a tenth of its maximum.
"""

import argparse
import csv
import math
import sys
from pathlib import Path

import h5py
import numpy as np

TABLE = {"jacobi": 1369, "ssor": 346, "ssor-ai": 546}
RADIUS, C0 = 0.5, 299792458.0


def mie(x, theta):
    """sigma/(pi a^2) in the planes of E and H of a metal sphere, at angles from the direction in which the wave goes."""
    def hankel(n):
        return 1j ** (n + 1) * np.exp(-1j * x) * sum(math.factorial(n + k) / math.factorial(k) / math.factorial(n - k) * (2j * x) ** -k for k in range(n + 1))
    mu, sums = np.cos(theta), np.zeros((2, theta.size), complex)
    before, pi = np.zeros_like(mu), np.ones_like(mu)
    for n in range(1, int(x) + 12):
        tau = n * mu * pi - (n + 1) * before
        h, dh = hankel(n), hankel(n - 1) - n / x * hankel(n)
        a, b = dh.real / dh, h.real / h
        weight = (2 * n + 1) / (n * (n + 1))
        sums += weight * np.array([a * tau + b * pi, a * pi + b * tau])
        before, pi = pi, ((2 * n + 1) * mu * pi - (n + 1) * before) / n
    return 4 / x**2 * np.abs(sums) ** 2


def main():
    parser = argparse.ArgumentParser(description="Judges the preconditioners on the sphere.")
    parser.add_argument("study")
    parser.add_argument("--tolerance-db", type=float, default=1.0)
    arguments = parser.parse_args()
    with open(Path(arguments.study) / "study.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    counts = {}
    for row in rows:
        name, seconds = row["solver.preconditioner"], float(row["seconds_preprocess"]) + float(row["seconds_solve"])
        counts.setdefault(name, []).append(int(row["iterations"]))
        print(f"{name:8} {row['solver.matrix_format']}: {int(row['dofs']):,} unknowns, {int(row['iterations']):,} iterations, {seconds:.2f} s")
    least = counts["ssor"][0]
    print("jacobi : ssor : ssor-ai = " + " : ".join(f"{counts[name][0] / least:.2f}" for name in TABLE)
          + ", in the dissertation " + " : ".join(f"{count / TABLE['ssor']:.2f}" for count in TABLE.values()))
    is_good = all(len(set(list_)) == 1 for list_ in counts.values()) and counts["jacobi"][0] >= 3 * least
    is_good = is_good and least < counts["ssor-ai"][0] < counts["jacobi"][0] / 1.5
    with h5py.File(Path(arguments.study) / "runs" / rows[-1]["run"] / "results.h5") as file:
        group = file["rcs/300000000"]
        theta, sigma = np.radians(np.unique(group["theta"][()])), group["sigma"][:, 0].reshape(-1, 2)
    wanted = mie(2 * np.pi * 3e8 / C0 * RADIUS, theta).T * np.pi * RADIUS**2
    worst = np.abs(10 * np.log10(sigma / wanted))[wanted > wanted.max() / 10].max()
    print(f"cross-section within {worst:.2f} dB of the series, down to a tenth of its maximum")
    return 0 if is_good and worst <= arguments.tolerance_db else 1


if __name__ == "__main__":
    sys.exit(main())
