#!/usr/bin/env python3
"""The monopole's impedance beside that of the same antenna ten times smaller in the time domain, and its pattern.

    reference.py OUTDIR [--tolerance 0.05] [--picture FILE.png]

cases/monopole has a converged axisymmetric solution for a rod a tenth of this one over the same ground: 55.57 + 15.24j ohm at 750 MHz, which
is this one's at 75 MHz. Exit code 1 where the impedance is farther from it than the tolerance, relative, or the directivity from 5.2 dB (a
quarter-wave monopole: 5.16) than 0.3 dB.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

IMPEDANCE = 55.57 + 15.24j


def main():
    parser = argparse.ArgumentParser(description="Judges the monopole at 75 MHz.")
    parser.add_argument("outdir")
    parser.add_argument("--tolerance", type=float, default=0.05)
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    with h5py.File(Path(arguments.outdir) / "results.h5", "r") as file:
        s = complex(file["s_parameters/S"][0, 0, 0])
        line = float(file["ports/p1"].attrs["impedance"])
        group = file["far_field/75000000"]
        theta, directivity = group["theta"][()], group["directivity"][()]
        unknowns = int(file["frequency_domain/unknowns"][0])
    impedance = line * (1 + s) / (1 - s)
    error = abs(impedance - IMPEDANCE) / abs(IMPEDANCE)
    print(f"{unknowns:,} unknowns: Z {impedance.real:.2f} {impedance.imag:+.2f}j ohm, {100 * error:.1f} % from {IMPEDANCE}; directivity {directivity.max():.2f} dB")
    if arguments.picture:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
        level, angle = directivity.reshape(theta.size, -1)[:, 0], theta
        above = angle <= 90
        axes.plot(angle[above], level[above], label="computed")
        radians = np.radians(np.clip(angle[above], 1e-3, None))
        ideal = 20 * np.log10(np.abs(np.cos(np.pi / 2 * np.cos(radians)) / np.sin(radians)) + 1e-9) + 5.16
        axes.plot(angle[above], ideal, "--", linewidth=1, label="thin quarter-wave rod")
        axes.set(xlabel="theta (degrees)", ylabel="directivity (dB)", ylim=(-30, 8), xlim=(0, 90), title="Monopole at 75 MHz")
        axes.grid(alpha=0.4)
        axes.legend()
        figure.savefig(arguments.picture, dpi=130)
    return 0 if error <= arguments.tolerance and abs(directivity.max() - 5.2) <= 0.3 else 1


if __name__ == "__main__":
    sys.exit(main())
