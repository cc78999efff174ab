#!/usr/bin/env python3
"""Compares the capacitance of a run or a study of this case with a boundary-element reference.

    reference.py OUTDIR [--tolerance 0.001]

The reference, 589.5959 pF/m, is of charges on the same plates and box (eight digits). Prints the relative error, and of a
run also that of the field in the middle of the gap against 48 V over 1/32 in; exit code 1 when the error of the finest
mesh is above the tolerance.
"""

import argparse
import csv
import sys
from pathlib import Path

import h5py
import numpy as np

CAPACITANCE = 589.5959e-12
GAP_FIELD = 48 / (0.0254 / 32)


def check_run(path):
    with h5py.File(path) as file:
        group = file["assembly_2d"]
        error = group.attrs["capacitance_per_length"] / CAPACITANCE - 1
        middle = group["nodes"][()][group["triangles"][:, :3]].mean(axis=1)
        field = group["field"][np.hypot(*middle.T).argmin(), 1]
    print(f"capacitance {group_text(error)}; field in the middle {abs(field):.1f} V/m ({abs(field) / GAP_FIELD - 1:+.1e})")
    return error


def check_study(path):
    with open(path, encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: (row["order"], float(row["elements"])))
    for row in rows:
        error = float(row["capacitance_per_length"]) / CAPACITANCE - 1
        print(f"order {row['order']}, {int(float(row['elements'])):6d} elements, {int(float(row['unknowns'])):6d} unknowns: "
              f"{group_text(error)}")
    return error


def group_text(error):
    return f"{CAPACITANCE * (1 + error) * 1e12:.4f} pF/m ({error:+.2e})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path, metavar="OUTDIR")
    parser.add_argument("--tolerance", type=float, default=1e-3)
    options = parser.parse_args()
    study = options.folder / "study.csv"
    error = check_study(study) if study.exists() else check_run(options.folder / "results.h5")
    return 0 if abs(error) < options.tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
