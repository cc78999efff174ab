#!/usr/bin/env python3
"""Compares the pattern of the plane horn with that of its aperture, and its powers with each other.

    reference.py OUTDIR [--pattern-tolerance 1.0] [--picture FILE.png]

The aperture has the field of the guide, one half wave across, with the phase of the distance from the horn's apex; its far field is
integrated, times (1 + cos phi)/2. Exit code 1 where the pattern down to -10 dB is farther from that than the tolerance (dB), or power is not
balanced within 2 %.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

GUIDE, APERTURE, FLARE = 0.6, 3.0, 3.0


def aperture_pattern(phi, k):
    """E at angles from the axis (radians), and the directivity over a line source."""
    y = ((np.arange(4000) + 0.5) / 4000 - 0.5) * APERTURE
    apex = FLARE / (1 - GUIDE / APERTURE)
    field = np.cos(np.pi * y / APERTURE) * np.exp(-1j * k * (np.hypot(apex, y) - apex))
    sums = np.exp(1j * k * np.outer(np.sin(phi), y)) @ field * (APERTURE / y.size)
    directivity = k * abs(np.mean(field)) ** 2 / np.mean(np.abs(field) ** 2) * APERTURE
    return sums * (1 + np.cos(phi)) / 2, 10 * np.log10(directivity)


def main():
    parser = argparse.ArgumentParser(description="Compares the plane horn with aperture theory.")
    parser.add_argument("outdir")
    parser.add_argument("--pattern-tolerance", type=float, default=1.0)
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    with h5py.File(Path(arguments.outdir) / "results.h5", "r") as file:
        hertz = next(iter(file["far_field"]))
        group = file[f"far_field/{hertz}"]
        phi, directivity = np.radians(group["phi"][:]), group["directivity"][0]
        radiated, accepted = group.attrs["radiated_power"], group.attrs["accepted_power"]
        reflection = abs(file["s_parameters/S"][0, 0, 0])
        unknowns, iterations = int(file["frequency_domain/unknowns"][0]), int(file["frequency_domain/iterations"][0, 0])
        seconds = sum(float(file["frequency_domain"].attrs[f"seconds_{part}"]) for part in ("preprocess", "solve"))
        assembly = float(file["frequency_domain"].attrs["seconds_assembly"])
    sums, wanted_top = aperture_pattern(phi, 2 * np.pi * int(hertz) / 299792458)
    wanted = 20 * np.log10(np.maximum(np.abs(sums), 1e-12) / np.abs(sums).max())
    found = directivity - directivity.max()
    lobe = (wanted > -10) & (np.abs(phi) < np.pi / 2)
    worst = np.abs(found - wanted)[lobe].max()
    print(f"{unknowns:,} unknowns, {assembly:.2f} s to assemble, {seconds:.2f} s to solve, {iterations} iterations")
    print(f"directivity {directivity.max():.2f} dB over a line source, aperture {wanted_top:.2f} dB; |S11| {20 * np.log10(reflection):.1f} dB")
    print(f"radiated over accepted power {radiated / accepted:.4f}; pattern down to -10 dB within {worst:.2f} dB of the aperture's")
    if arguments.picture:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        figure, axes = plt.subplots(figsize=(8, 4.6), layout="constrained")
        axes.plot(np.degrees(phi), found, label="computed")
        axes.plot(np.degrees(phi), np.where(np.abs(phi) < np.pi / 2, wanted, np.nan), "--", linewidth=1, label="aperture")
        axes.set(xlabel="phi (degrees)", ylabel="dB below the maximum", ylim=(-50, 2), xlim=(-180, 180), title=f"Plane horn at {int(hertz) / 1e6:.0f} MHz")
        axes.grid(alpha=0.4)
        axes.legend()
        figure.savefig(arguments.picture, dpi=130)
    return 0 if worst <= arguments.pattern_tolerance and abs(radiated / accepted - 1) <= 0.02 else 1


if __name__ == "__main__":
    sys.exit(main())
