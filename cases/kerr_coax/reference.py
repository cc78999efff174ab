#!/usr/bin/env python3
"""Compares the wave behind the line with an independent solution in r and z.

    reference.py OUTDIR [--picture FILE] [--tolerance 0.04]

reference.csv beside this script is of tests/reference/kerr_coax.py (finite differences, cells of 50 by 12.5 um).
Prints the relative L2 difference of the wave that leaves the line and the levels of its harmonics; writes OUTDIR/wave.csv
(time, found, reference, the wave without the medium); exit code 1 when the difference is above the
tolerance.
"""

import argparse
import math
import sys
from pathlib import Path

import h5py
import numpy as np

C0, LENGTH_M = 299792458.0, 40e-3
CARRIER_HZ = 20e9


def spectrum(time, wave, frequencies):
    step = time[1] - time[0]
    return np.array([abs(np.sum(wave * np.exp(-2j * math.pi * f * time)) * step) for f in frequencies])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--tolerance", type=float, default=0.04)
    options = parser.parse_args()
    with h5py.File(options.directory / "results.h5") as results:
        port = results["ports/p2"]
        time = port["time"][()]
        wave = port["reflected"][()] * math.sqrt(port.attrs["impedance"])
        figures = dict(results["performance"].attrs)
    table = np.loadtxt(Path(__file__).with_name("reference.csv"), delimiter=",", skiprows=1)
    exact = np.interp(time, table[:, 0], table[:, 2])
    linear = np.interp(time, table[:, 0] + LENGTH_M / C0, table[:, 1])
    difference = np.linalg.norm(wave - exact) / np.linalg.norm(exact)
    print(f"wave behind the line: differs by {100 * difference:.2f} % (L2) from the reference")
    orders = (1, 3, 5, 7)
    found, right = (spectrum(time, w, [k * CARRIER_HZ for k in orders]) for w in (wave, exact))
    for k, a, b in zip(orders, found, right):
        print(f"  {k * CARRIER_HZ * 1e-9:4.0f} GHz: {20 * math.log10(a / right[0]):7.2f} dB, reference {20 * math.log10(b / right[0]):7.2f} dB")
    print(f"iterations: {figures['mean_nonlinear_iterations']:.2f} a step on average, at most "
          f"{figures['most_nonlinear_iterations']:.0f}; eps_r up to {figures['largest_eps_r']:.4f}")
    np.savetxt(options.directory / "wave.csv", np.stack((time, wave, exact, linear), axis=1), delimiter=",",
               header="time,found,reference,linear", comments="")
    if options.picture:
        draw(time, wave, exact, linear, options.picture)
    return 0 if difference < options.tolerance else 1


def draw(time, wave, exact, linear, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8))
    for signal, style, name in ((linear, "#7F7F7F", "linear line"), (wave, "#0072B2", "Kerr medium"), (exact, "k", "reference")):
        left.plot(time * 1e9, signal, color=style, lw=1.2, ls="--" if name == "reference" else "-", label=name)
        f = np.linspace(1e9, 160e9, 600)
        level = spectrum(time, signal, f)
        right.plot(f * 1e-9, 20 * np.log10(level / level.max()), color=style, lw=1.2, ls="--" if name == "reference" else "-")
    left.set(xlim=(0.45, 0.65), xlabel="time (ns)", ylabel="voltage behind the line (V)")
    right.set(ylim=(-80, 3), xlabel="frequency (GHz)", ylabel="spectrum (dB)")
    left.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(file, dpi=130)


if __name__ == "__main__":
    sys.exit(main())
