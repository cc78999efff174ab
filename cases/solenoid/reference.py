#!/usr/bin/env python3
"""Compares the field on the axis of a run of this case with Biot and Savart.

    reference.py OUTDIR [--tolerance 0.005]

B_z(z) = (mu0 J/2) [f(z + L/2) - f(z - L/2)], f(u) = u ln((R2 + sqrt(R2^2 + u^2))/(R1 + sqrt(R1^2 + u^2))): a winding of
thickness R2 - R1 in free space. Prints the largest relative error within the winding (|z| <= 100 mm) and at twice its
length, and the inductance of 200 turns; exit code 1 when the first is above the tolerance.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

MU0 = 1.25663706212e-6
INNER, OUTER, LENGTH, DENSITY, TURNS = 0.045, 0.055, 0.2, 1e5, 200


def biot_savart(z):
    def part(u):
        return u * np.log((OUTER + np.hypot(OUTER, u)) / (INNER + np.hypot(INNER, u)))

    return MU0 * DENSITY / 2 * (part(z + LENGTH / 2) - part(z - LENGTH / 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path, metavar="OUTDIR")
    parser.add_argument("--tolerance", type=float, default=5e-3)
    options = parser.parse_args()
    with h5py.File(options.folder / "results.h5") as file:
        group = file["assembly_2d"]
        z, field = group["axis_position"][()], group["axis_field"][()]
        inductance = group.attrs["inductance_per_length"] * TURNS**2
        elements, order = file.attrs["elements"], group.attrs["order"]
    error = np.abs(field / biot_savart(z) - 1)
    inside = error[np.abs(z) <= LENGTH / 2].max()
    print(f"{elements} elements of order {order}: B_z on the axis within {100 * inside:.3f} % in the winding, "
          f"{100 * error[np.abs(z) <= LENGTH].max():.3f} % up to |z| = {LENGTH} m; "
          f"L = {inductance * 1e6:.2f} uH, B_z(0) = {1e3 * np.interp(0, z, field):.5f} mT (exact {1e3 * biot_savart(0.0):.5f})")
    return 0 if inside < options.tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
