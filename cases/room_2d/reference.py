#!/usr/bin/env python3
"""Judges the fields of a line current in the flat.

    reference.py OUTDIR --beside FINER_OUTDIR [--tolerance 0.1]     probes of two runs, such as of order 1 and 2
    reference.py OUTDIR --reversed OUTDIR [--tolerance 1e-6]         source and the probe kitchen have changed places
    reference.py OUTDIR --empty [--tolerance 0.02]                   walls of air (materials.concrete={}) and no cupboard: Hankel's wave

Differences are relative to the largest of the compared fields. Exit code 1 where one is above the tolerance.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

ETA0, C0 = 376.730313668, 299792458.0


def read(folder):
    """Frequency, E_z by probe, places."""
    with h5py.File(Path(folder) / "results.h5", "r") as file:
        probes = file["probes"]
        figures = file["frequency_domain"]
        print(f"{folder}: {int(figures['unknowns'][0]):,} unknowns, {figures.attrs['seconds_assembly']:.2f} s to assemble, "
              f"{figures.attrs['seconds_preprocess'] + figures.attrs['seconds_solve']:.2f} s to solve, {int(figures['iterations'][0, 0])} iterations")
        return (float(figures["frequency"][0]), {name: complex(probes[name]["E"][0, 2]) for name in probes},
                {name: probes[name].attrs["position"] for name in probes})


def hankel(x):
    """H_0 of the second kind: Bessel's and Neumann's integrals."""
    t = 2 * np.pi * np.arange(2000) / 2000
    nodes, weights = np.polynomial.legendre.leggauss(300)
    s, far = np.pi * (nodes + 1) / 2, 10 * (nodes + 1)
    y = (weights * np.sin(x * np.sin(s))).sum() / 2 - (weights * 20 * np.exp(-x * np.sinh(far))).sum() / np.pi
    return np.cos(x * np.sin(t)).mean() - 1j * y


def main():
    parser = argparse.ArgumentParser(description="Judges the fields of a line current in the flat.")
    parser.add_argument("outdir")
    parser.add_argument("--beside")
    parser.add_argument("--reversed")
    parser.add_argument("--empty", action="store_true")
    parser.add_argument("--tolerance", type=float)
    arguments = parser.parse_args()
    hertz, found, places = read(arguments.outdir)
    tolerance = arguments.tolerance
    if arguments.beside:
        wanted, tolerance = read(arguments.beside)[1], tolerance or 0.15
    elif arguments.reversed:
        found, wanted = {"kitchen": found["kitchen"]}, {"kitchen": read(arguments.reversed)[1]["kitchen"]}
        tolerance = tolerance or 1e-6
    elif arguments.empty:
        k, source = 2 * np.pi * hertz / C0, np.array([2.0, 2.5, 0])
        wanted = {name: -k * ETA0 / 4 * hankel(k * np.linalg.norm(place - source)) for name, place in places.items()}
        tolerance = tolerance or 0.02
    else:
        for name, value in found.items():
            print(f"{name}: |E_z| {abs(value):.3f} V/m")
        return 0
    top = max(abs(value) for value in wanted.values())
    worst = max(abs(found[name] - wanted[name]) / top for name in found)
    for name in found:
        print(f"{name}: |E_z| {abs(found[name]):.3f} V/m, beside it {abs(wanted[name]):.3f} V/m")
    print(f"largest difference {worst:.2g} of the largest field (tolerance {tolerance:g})")
    return 0 if worst <= tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
