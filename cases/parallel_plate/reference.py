#!/usr/bin/env python3
"""Compares the slab's reflection and transmission in a run of this case with the closed form.

    reference.py OUTDIR

The probe in front of the slab sees the packet first and what the slab sends back later: the two are parted in time
and transformed. The probe behind gives the transmission. Prints the largest |R - R_exact| and |T - T_exact| from 0.5
to 10 GHz, with the phases taken back to the slab's faces, and writes OUTDIR/slab.csv; exit code 1 when one is above
0.01.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

C0 = 299792458.0
EPS_R, SLAB_BEGIN_M, SLAB_LENGTH_M = 4.0, 0.095, 0.010
PACKET_M, FRONT_M, BEHIND_M = 0.030, 0.0622, 0.1122
FREQUENCY_HZ = np.linspace(0.5e9, 10e9, 96)
TOLERANCE = 0.01


def exact():
    """(R at the front face, T from face to face) of a slab in air at normal incidence, exp(+j omega t)."""
    index = np.sqrt(EPS_R)
    r = (1 - index) / (1 + index)
    delay = np.exp(-2j * np.pi * FREQUENCY_HZ * index * SLAB_LENGTH_M / C0)
    return r * (1 - delay**2) / (1 - (r * delay) ** 2), (1 - r**2) * delay / (1 - (r * delay) ** 2)


def spectrum(time_s, signal):
    """X(f) = sum x(t) exp(-j 2 pi f t) dt"""
    return np.exp(-2j * np.pi * np.outer(FREQUENCY_HZ, time_s)) @ signal * (time_s[1] - time_s[0])


def shift(distance_m):
    """The phase of a way in air."""
    return np.exp(-2j * np.pi * FREQUENCY_HZ * distance_m / C0)


def measure(path):
    """(R, T) of the run, at the slab's faces."""
    with h5py.File(path, "r") as file:
        time_s, front = file["probes/front/time"][()], file["probes/front/E"][:, 1]
        behind = file["probes/behind/E"][:, 1]
    # The middle of the packet meets the slab now: at the probe its tail is over, and the echo has not begun.
    first = time_s < (SLAB_BEGIN_M - PACKET_M) / C0
    incident = spectrum(time_s, np.where(first, front, 0))
    reflected = spectrum(time_s, np.where(first, 0, front))
    to_slab, from_slab = SLAB_BEGIN_M - FRONT_M, BEHIND_M - SLAB_BEGIN_M - SLAB_LENGTH_M
    return reflected / incident / shift(2 * to_slab), spectrum(time_s, behind) / incident / shift(to_slab + from_slab)


def main():
    parser = argparse.ArgumentParser(description="Compares the slab's reflection and transmission with the closed form.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    directory = parser.parse_args().directory
    measured, expected = measure(directory / "results.h5"), exact()
    worst = 0.0
    for name, found, wanted in zip(("reflection", "transmission"), measured, expected):
        deviation = np.abs(found - wanted)
        at = deviation.argmax()
        worst = max(worst, deviation[at]) if np.isfinite(deviation[at]) else np.inf
        print(f"{name}: largest deviation from the closed form {deviation[at]:.5f} at {FREQUENCY_HZ[at] / 1e9:.1f} GHz")
    columns = [FREQUENCY_HZ, *(part for curve in (*measured, *expected) for part in (curve.real, curve.imag))]
    header = "frequency,R_re,R_im,T_re,T_im,R_exact_re,R_exact_im,T_exact_re,T_exact_im"
    np.savetxt(directory / "slab.csv", np.column_stack(columns), delimiter=",", fmt="%.12g", header=header, comments="")
    if worst > TOLERANCE:
        print(f"above the {TOLERANCE} that this mesh reaches")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
