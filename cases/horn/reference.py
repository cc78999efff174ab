#!/usr/bin/env python3
"""Compares the horn's directivity and patterns with aperture theory, and its powers with each other.

    reference.py OUTDIR [--directivity-tolerance 0.3] [--picture FILE.png]

The aperture has the field of the guide, a half wave across and even up, with the phase of the distances from the horn's two apices; its
far field is integrated, times (1 + cos theta)/2. Exit code 1 where the directivity is farther from 21.8 dB than the tolerance, the pattern
down to -10 dB is 0.8 dB off, power is not balanced within 1 %, or more than 20 iterations were taken.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

HERTZ = 8750000000
K = 2 * np.pi * HERTZ / 299792458
GUIDE, APERTURE, LENGTH = (22.86e-3, 10.16e-3), (186.1e-3, 147.5e-3), 295.3e-3


def aperture_pattern(theta, plane):
    """dB below the maximum, in the plane of H (x) or of E (y)."""
    x, y = ((np.arange(800) + 0.5) / 800 * side - side / 2 for side in APERTURE)
    apices = [LENGTH / (1 - guide / side) for guide, side in zip(GUIDE, APERTURE)]
    along = [np.cos(np.pi * x / APERTURE[0]) * np.exp(-0.5j * K * x**2 / apices[0]), np.exp(-0.5j * K * y**2 / apices[1])]
    place = (x, y)[plane == "E"]
    field = along[plane == "E"]
    sums = np.exp(1j * K * np.outer(np.sin(theta), place)) @ field
    level = 20 * np.log10(np.maximum(np.abs(sums) * (1 + np.cos(theta)) / 2, 1e-10))
    return level - level[np.argmin(theta)]


def aperture_directivity():
    """4 pi/lambda^2 |int E|^2/int |E|^2, dB."""
    x, y = ((np.arange(4000) + 0.5) / 4000 * side - side / 2 for side in APERTURE)
    apices = [LENGTH / (1 - guide / side) for guide, side in zip(GUIDE, APERTURE)]
    across, up = np.cos(np.pi * x / APERTURE[0]) * np.exp(-0.5j * K * x**2 / apices[0]), np.exp(-0.5j * K * y**2 / apices[1])
    share = [abs(np.mean(part)) ** 2 / np.mean(np.abs(part) ** 2) * side for part, side in ((across, APERTURE[0]), (up, APERTURE[1]))]
    return 10 * np.log10(share[0] * share[1] * K**2 / np.pi)


def main():
    parser = argparse.ArgumentParser(description="Compares the horn with aperture theory.")
    parser.add_argument("outdir")
    parser.add_argument("--directivity-tolerance", type=float, default=0.3)
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    with h5py.File(Path(arguments.outdir) / "results.h5", "r") as file:
        group = file[f"far_field/{HERTZ}"]
        theta, phi, directivity = np.radians(group["theta"][:]), group["phi"][:], group["directivity"][:]
        balance, gain = group.attrs["power_balance"], group["gain"][:].max()
        reflection = abs(file["s_parameters/S"][0, 0, 0])
        iterations = int(file["iiee/iterations"][0])
    top = directivity[0].max()
    print(f"directivity {top:.2f} dB, gain {gain:.2f} dB, aperture theory {aperture_directivity():.2f} dB")
    print(f"radiated and lost over accepted power {balance:.4f}, |S11| {20 * np.log10(reflection):.1f} dB, {iterations} iterations")
    is_good = abs(top - 21.8) <= arguments.directivity_tolerance and abs(balance - 1) <= 0.01 and iterations <= 20
    curves = []
    for plane, at in (("H", 0), ("E", 90)):
        found = directivity[:, np.flatnonzero(phi == at)[0]] - top
        wanted = aperture_pattern(theta, plane)
        lobe = np.arange(theta.size) < np.argmax(wanted < -10)
        worst = np.abs(found - wanted)[lobe].max()
        half = [2 * np.degrees(np.interp(3.0103, -level[lobe], theta[lobe])) for level in (found, wanted)]
        print(f"plane of {plane}: half-power width {half[0]:.2f} degrees, aperture theory {half[1]:.2f}; down to -10 dB within {worst:.2f} dB")
        is_good = is_good and worst < 0.8
        curves.append((plane, found, wanted))
    if arguments.picture:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        figure, axes = plt.subplots(figsize=(8, 4.6), layout="constrained")
        for k, (plane, found, wanted) in enumerate(curves):
            axes.plot(np.degrees(theta), found, color=f"C{k}", label=f"plane of {plane}")
            axes.plot(np.degrees(theta), np.where(theta < 1.3, wanted, np.nan), "--", color=f"C{k}", linewidth=1, label=f"plane of {plane}, aperture theory")
        axes.set(xlabel="theta (degrees)", ylabel="dB below the maximum", ylim=(-50, 2), xlim=(0, 180), title=f"Horn at 8.75 GHz, {top:.2f} dB")
        axes.grid(alpha=0.4)
        axes.legend()
        figure.savefig(arguments.picture, dpi=110)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
