#!/usr/bin/env python3
"""Compares the reflection in a run of this case with a converged one.

    reference.py OUTDIR

The reference is an axisymmetric finite element solution of high order with a PML (five digits). Prints Gamma and the
input impedance at its frequencies and the frequency where the antenna is resonant; writes OUTDIR/reference.csv
(frequency, S11_re, S11_im); exit code 1 when a deviation of Gamma is above 0.02 or the resonance is off by 1 percent.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

LINE_OHM = 376.730313668 / (2 * np.pi) * np.log(2.3)
TOLERANCE, RESONANCE = 0.02, 0.01
# MHz: |Gamma|, degrees at the ground plane
TABLE = {300: (0.97279, -44.121), 500: (0.67038, -98.159), 600: (0.32930, -137.878), 700: (0.09495, 122.188),
         750: (0.15239, 61.507), 1000: (0.43351, 1.355), 1500: (0.57547, -50.241)}


def impedance(gamma):
    return LINE_OHM * (1 + gamma) / (1 - gamma)


def resonance(frequency_hz, reactance):
    """Where the reactance first rises through zero."""
    k = np.nonzero((reactance[:-1] < 0) & (reactance[1:] >= 0))[0][0]
    return frequency_hz[k] - reactance[k] * (frequency_hz[k + 1] - frequency_hz[k]) / (reactance[k + 1] - reactance[k])


def main():
    parser = argparse.ArgumentParser(description="Compares Gamma of a run with a converged solution.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    options = parser.parse_args()
    with h5py.File(options.directory / "results.h5", "r") as file:
        frequency_hz, s11 = file["s_parameters/frequency"][()], file["s_parameters/S"][()][:, 0, 0]
    mhz = np.array(sorted(TABLE))
    expected = np.array([TABLE[f][0] * np.exp(1j * np.radians(TABLE[f][1])) for f in mhz])
    found = np.interp(mhz * 1e6, frequency_hz, s11.real) + 1j * np.interp(mhz * 1e6, frequency_hz, s11.imag)
    worst = 0.0
    for f, got, wanted in zip(mhz, found, expected):
        z, z_wanted = impedance(got), impedance(wanted)
        print(f"{f:5d} MHz: Gamma {abs(got):.5f} at {np.degrees(np.angle(got)):8.2f} degrees, Z {z.real:7.2f}{z.imag:+8.2f}j ohm; "
              f"reference {z_wanted.real:7.2f}{z_wanted.imag:+8.2f}j, |difference of Gamma| {abs(got - wanted):.4f}")
        worst = max(worst, abs(got - wanted))
    # The reference's reactance passes zero between 600 and 700 MHz; a parabola through its neighbours places it.
    near = np.array([600, 700, 750])
    x = [impedance(TABLE[f][0] * np.exp(1j * np.radians(TABLE[f][1]))).imag for f in near]
    roots = np.roots(np.polyfit(near, x, 2))
    wanted_hz = 1e6 * roots[(roots > 600) & (roots < 700)][0].real
    got_hz = resonance(frequency_hz, impedance(s11).imag)
    print(f"resonance at {got_hz / 1e6:.1f} MHz, reference {wanted_hz / 1e6:.1f} MHz")
    columns = [mhz * 1e6, expected.real, expected.imag]
    np.savetxt(options.directory / "reference.csv", np.column_stack(columns), delimiter=",", fmt="%.12g",
               header="frequency,S11_re,S11_im", comments="")
    return 0 if worst < TOLERANCE and abs(got_hz / wanted_hz - 1) < RESONANCE else 1


if __name__ == "__main__":
    sys.exit(main())
