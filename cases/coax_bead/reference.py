#!/usr/bin/env python3
"""Compares the S-parameters of a run of this case with the closed form.

    reference.py OUTDIR [--eps-r 2.1]

Three lengths of TEM line in a row, air 15 mm, bead 10 mm, air 15 mm, between ports of the air line's impedance.
Prints the largest |S - S_exact| of S11 and S21 and where it is, writes OUTDIR/reference.csv (frequency, S11_re,
S11_im, S21_re, S21_im); exit code 1 when a deviation is above 0.01.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

C0 = 299792458.0
LENGTHS_M = (0.015, 0.010, 0.015)
TOLERANCE = 0.01


def line(frequency_hz, length_m, eps_r):
    """ABCD matrix [nf, 2, 2] of a line; impedances in units of the air line's, Z = 1/sqrt(eps_r)."""
    theta = 2 * np.pi * frequency_hz * np.sqrt(eps_r) * length_m / C0
    impedance = 1 / np.sqrt(eps_r)
    cosine, sine = np.cos(theta) + 0j, np.sin(theta)
    return np.moveaxis(np.array([[cosine, 1j * impedance * sine], [1j * sine / impedance, cosine]]), -1, 0)


def exact(frequency_hz, bead_eps_r):
    """(S11, S21) at the outer faces, exp(+j omega t)."""
    chain = np.eye(2)
    for length_m, eps_r in zip(LENGTHS_M, (1.0, bead_eps_r, 1.0)):
        chain = chain @ line(frequency_hz, length_m, eps_r)
    a, b, c, d = chain[:, 0, 0], chain[:, 0, 1], chain[:, 1, 0], chain[:, 1, 1]
    return (a + b - c - d) / (a + b + c + d), 2 / (a + b + c + d)


def read_s(path):
    """(frequency, S11, S21) of results.h5."""
    with h5py.File(path, "r") as file:
        frequency_hz, matrix = file["s_parameters/frequency"][()], file["s_parameters/S"][()]
    return frequency_hz, matrix[:, 0, 0], matrix[:, 1, 0]


def main():
    parser = argparse.ArgumentParser(description="Compares S11 and S21 of a run with the closed form.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    parser.add_argument("--eps-r", type=float, default=2.1, help="of the bead (default: %(default)s); 1 for the empty line")
    options = parser.parse_args()
    frequency_hz, *computed = read_s(options.directory / "results.h5")
    expected = exact(frequency_hz, options.eps_r)

    worst = 0.0
    for name, found, wanted in zip(("S11", "S21"), computed, expected):
        deviation = np.abs(found - wanted)
        at = deviation.argmax() if np.isfinite(deviation).all() else np.isfinite(deviation).argmin()
        worst = max(worst, deviation[at]) if np.isfinite(deviation[at]) else np.inf
        print(f"{name}: largest deviation from the closed form {deviation[at]:.5f} at {frequency_hz[at] / 1e9:.2f} GHz")
    columns = [frequency_hz, *(part for curve in expected for part in (curve.real, curve.imag))]
    np.savetxt(options.directory / "reference.csv", np.column_stack(columns), delimiter=",", fmt="%.12g",
               header="frequency,S11_re,S11_im,S21_re,S21_im", comments="")
    if worst > TOLERANCE:
        print(f"above the {TOLERANCE} that this mesh reaches")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
