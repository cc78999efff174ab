#!/usr/bin/env python3
"""Compares energy and fluxes of a run of this case with a reference of high order.

    reference.py OUTDIR [--tolerance 0.003]

The reference (sixth-order elements, refined at the corners): 2805.04 J/m, 1.12257 Wb/m through the limb with the winding and
1.11746 Wb/m through the other at y = 0, as differences of A_z between its sides. Prints relative errors; exit code 1 when
one is above the tolerance.
"""

import argparse
import sys
from pathlib import Path

import h5py
import matplotlib.tri as mtri

ENERGY, LEFT, RIGHT = 2805.04, 1.12257, 1.11746


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path, metavar="OUTDIR")
    parser.add_argument("--tolerance", type=float, default=3e-3)
    options = parser.parse_args()
    with h5py.File(options.folder / "results.h5") as file:
        group = file["assembly_2d"]
        nodes, triangles = group["nodes"][()], group["triangles"][:, :3]
        potential = mtri.LinearTriInterpolator(mtri.Triangulation(*nodes.T, triangles), group["potential"][()])
        energy, elements, order = group.attrs["energy_per_length"], file.attrs["elements"], group.attrs["order"]
    left = float(potential(-0.6, 0) - potential(-1.4, 0))
    right = float(potential(0.6, 0) - potential(1.4, 0))
    errors = energy / ENERGY - 1, left / LEFT - 1, right / RIGHT - 1
    print(f"{elements} elements of order {order}: energy {energy:.2f} J/m ({errors[0]:+.1e}), flux {left:.5f} Wb/m "
          f"({errors[1]:+.1e}) and {right:.5f} Wb/m ({errors[2]:+.1e}), coupling {right / left:.5f}")
    return 0 if max(map(abs, errors)) < options.tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
