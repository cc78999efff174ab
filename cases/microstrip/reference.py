#!/usr/bin/env python3
"""Compares a run of this case with the formulas of a microstrip line.

    reference.py OUTDIR [--width 1.8] [--height 0.8] [--length 20] [--eps-r 3.55]

Impedance and effective permittivity: E. Hammerstad, O. Jensen, "Accurate models for microstrip computer-aided design", 1980
(static, 0.2 percent). Dispersion: M. Kirschning, R. H. Jansen, 1982 (0.6 percent). Prints the port's impedance beside the
formula's, the largest |S11| and the effective permittivity in the phase of S21; writes OUTDIR/reference.csv (frequency,
S11_re, S11_im, S21_re, S21_im of a line of the formula between ports of its impedance); exit code 1 when the impedance is
off by 2 percent, the wave number by 2 percent, or |S11| above 0.03.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

C0, ETA0 = 299792458.0, 376.730313668
IMPEDANCE, WAVE_NUMBER, REFLECTION = 0.02, 0.02, 0.03


def static_line(u, eps_r):
    """(impedance, effective permittivity) of a strip of width u heights, without thickness."""
    a = 1 + np.log((u**4 + (u / 52) ** 2) / (u**4 + 0.432)) / 49 + np.log(1 + (u / 18.1) ** 3) / 18.7
    b = 0.564 * ((eps_r - 0.9) / (eps_r + 3)) ** 0.053
    eps = (eps_r + 1) / 2 + (eps_r - 1) / 2 * (1 + 10 / u) ** (-a * b)
    f = 6 + (2 * np.pi - 6) * np.exp(-((30.666 / u) ** 0.7528))
    return ETA0 / (2 * np.pi * np.sqrt(eps)) * np.log(f / u + np.sqrt(1 + 4 / u**2)), eps


def permittivity(frequency_hz, u, height_m, eps_r):
    """The effective permittivity at a frequency."""
    x = frequency_hz * 1e-9 * height_m * 100  # GHz cm
    p1 = 0.27488 + u * (0.6315 + 0.525 / (1 + 0.157 * x) ** 20) - 0.065683 * np.exp(-8.7513 * u)
    p2 = 0.33622 * (1 - np.exp(-0.03442 * eps_r))
    p3 = 0.0363 * np.exp(-4.6 * u) * (1 - np.exp(-((x / 3.87) ** 4.97)))
    p4 = 1 + 2.751 * (1 - np.exp(-((eps_r / 15.916) ** 8)))
    p = p1 * p2 * ((0.1844 + p3 * p4) * 10 * x) ** 1.5763
    return eps_r - (eps_r - static_line(u, eps_r)[1]) / (1 + p)


def main():
    parser = argparse.ArgumentParser(description="Compares a run with the formulas of a microstrip line.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    for name, value in (("width", 1.8), ("height", 0.8), ("length", 20.0), ("eps-r", 3.55)):
        parser.add_argument(f"--{name}", type=float, default=value, help="of the case, lengths in mm (%(default)s)")
    options = parser.parse_args()
    u, length_m = options.width / options.height, options.length * 1e-3
    with h5py.File(options.directory / "results.h5", "r") as file:
        frequency_hz, s = file["s_parameters/frequency"][()], file["s_parameters/S"][()]
        ohms = file["ports/p1"].attrs["impedance"]
    wanted, eps = static_line(u, options.eps_r)
    print(f"impedance of the port {ohms:.3f} ohm, formula {wanted:.3f} ohm: {100 * (ohms / wanted - 1):+.2f} percent")
    k0 = 2 * np.pi * frequency_hz / C0
    expected = np.exp(-1j * k0 * length_m * np.sqrt(permittivity(frequency_hz, u, options.height * 1e-3, options.eps_r)))
    found = np.unwrap(-np.angle(s[:, 1, 0])) / (k0 * length_m)
    wanted_index = np.sqrt(permittivity(frequency_hz, u, options.height * 1e-3, options.eps_r))
    worst = np.abs(found / wanted_index - 1).max()
    for at in (0, frequency_hz.size // 2, -1):
        print(f"{frequency_hz[at] / 1e9:.2f} GHz: effective permittivity {found[at] ** 2:.4f}, formula {wanted_index[at] ** 2:.4f}"
              f" (static {eps:.4f}), |S11| {abs(s[at, 0, 0]):.5f}, |S21| {abs(s[at, 1, 0]):.5f}")
    reflected = np.abs(s[:, 0, 0]).max()
    print(f"wave number within {100 * worst:.2f} percent, |S11| at most {reflected:.4f} ({20 * np.log10(reflected):.1f} dB)")
    columns = [frequency_hz, 0 * frequency_hz, 0 * frequency_hz, expected.real, expected.imag]
    np.savetxt(options.directory / "reference.csv", np.column_stack(columns), delimiter=",", fmt="%.12g",
               header="frequency,S11_re,S11_im,S21_re,S21_im", comments="")
    good = abs(ohms / wanted - 1) < IMPEDANCE and worst < WAVE_NUMBER and reflected < REFLECTION
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
