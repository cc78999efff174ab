#!/usr/bin/env python3
"""Compares the S-parameters of a run of this case with those of the guide's modes.

    reference.py OUTDIR [--eps-r 2.25]      the slab in case.yaml: a line of another modal impedance, exact
    reference.py OUTDIR --empty             the empty guide (eps_r 1): |S11| and the phase of S21
    reference.py OUTDIR --iris 12           the iris in iris.yaml: modes matched in the window, converged to 1e-4

S is taken at the faces of the slab, or at the plane of the iris. Prints the largest deviations, writes
OUTDIR/reference.csv (frequency, S11_re, S11_im, S21_re, S21_im); exit code 1 when one is above its limit.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

C0 = 299792458.0
A_M, SLAB_M, FEED_M = 22.86e-3, 10e-3, 15e-3
SLAB_LIMIT, IRIS_LIMIT = 0.01, 0.01


def gamma(frequency_hz, mode=1, eps_r=1.0):
    """Propagation constant of TE_m0, beta = -j gamma."""
    k = 2 * np.pi * frequency_hz * np.sqrt(eps_r) / C0
    return np.sqrt((mode * np.pi / A_M) ** 2 - k**2 + 0j)


def slab(frequency_hz, eps_r):
    """(S11, S21) of the slab at its faces."""
    air, filled = gamma(frequency_hz), gamma(frequency_hz, 1, eps_r)
    rho = (air - filled) / (air + filled)  # Y ~ gamma
    through = np.exp(-filled * SLAB_M)
    bottom = 1 - rho**2 * through**2
    return rho * (1 - through**2) / bottom, (1 - rho**2) * through / bottom


def iris(frequency_hz, window_m, in_window=30, in_guide=3000):
    """(S11, S21) of a thin iris of infinite conductivity with a window in the middle.

    E in the window is a sum of (cos t)-weighted Chebyshev functions, sin(p t) with x = -d/2 cos t: they have the edge's
    behaviour, so that few are enough. H is matched by Galerkin's method over the TE_m0 modes of both sides.
    """
    t = (np.arange(4000) + 0.5) * np.pi / 4000
    x = A_M / 2 - window_m / 2 * np.cos(t)
    weight = window_m / 2 * np.sin(t) * np.pi / 4000
    basis = np.sin(np.outer(np.arange(1, in_window + 1), t))
    modes = np.arange(1, in_guide + 1)
    overlap = (basis * weight) @ np.sin(np.outer(x, modes) * np.pi / A_M)  # [p, m]
    s11, s21 = [], []
    for hz in np.atleast_1d(frequency_hz):
        admittance = gamma(hz, modes)
        matrix = (overlap * admittance) @ overlap.T
        amplitude = np.linalg.lstsq(matrix, admittance[0] * overlap[:, 0], rcond=1e-14)[0]
        s21.append(amplitude @ overlap[:, 0])
        s11.append(s21[-1] - 1)
    return np.array(s11), np.array(s21)


def read_s(path):
    """(frequency, S11, S21) of results.h5."""
    with h5py.File(path, "r") as file:
        frequency_hz, matrix = file["s_parameters/frequency"][()], file["s_parameters/S"][()]
    return frequency_hz, matrix[:, 0, 0], matrix[:, 1, 0]


def judge_empty(frequency_hz, s11, s21):
    worst = 20 * np.log10(np.abs(s11).max())
    error = np.degrees(np.angle(s21 * np.exp(gamma(frequency_hz) * (SLAB_M))))
    print(f"|S11| at most {worst:.1f} dB; phase of S21 within {np.abs(error).max():.2f} degrees over 40 mm of guide")
    return worst < -40 and np.abs(error).max() < 1


def judge(frequency_hz, computed, expected, limit):
    good = True
    for name, found, wanted in zip(("S11", "S21"), computed, expected):
        deviation = np.abs(found - wanted)
        at = np.argmax(np.where(np.isfinite(deviation), deviation, np.inf))
        print(f"{name}: largest deviation {deviation[at]:.5f} at {frequency_hz[at] / 1e9:.2f} GHz")
        good = good and deviation[at] < limit
    return good


def main():
    parser = argparse.ArgumentParser(description="Compares S11 and S21 of a run with those of the guide's modes.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--eps-r", type=float, default=2.25, help="of the slab (default: %(default)s)")
    kind.add_argument("--empty", action="store_true", help="the run had materials.dielectric.eps_r=1")
    kind.add_argument("--iris", type=float, metavar="MM", help="the run was of iris.yaml, with a window of this width")
    options = parser.parse_args()
    frequency_hz, s11, s21 = read_s(options.directory / "results.h5")
    expected = slab(frequency_hz, 1.0 if options.empty else options.eps_r)
    limit = SLAB_LIMIT
    if options.iris:
        expected, limit = iris(frequency_hz, options.iris * 1e-3), IRIS_LIMIT
    columns = [frequency_hz, *(part for curve in expected for part in (curve.real, curve.imag))]
    np.savetxt(options.directory / "reference.csv", np.column_stack(columns), delimiter=",", fmt="%.12g",
               header="frequency,S11_re,S11_im,S21_re,S21_im", comments="")
    good = judge_empty(frequency_hz, s11, s21) if options.empty else judge(frequency_hz, (s11, s21), expected, limit)
    if not good:
        print("above the limit of this mesh")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
