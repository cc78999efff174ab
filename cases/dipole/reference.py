#!/usr/bin/env python3
"""Compares the far field of a run of this case with the closed form of a point current I l = 1 A m along z.

    reference.py OUTDIR [--picture FILE.png]

Prints directivity, radiated power and the largest deviation of the pattern per frequency, writes OUTDIR/reference.csv
(frequency, theta, E_theta_im of the closed form); exit code 1 when the directivity is off by more than 0.5 %, the power by
more than 1 %, or the pattern by more than 1 % of its maximum.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

C0 = 299792458.0
ETA0 = 376.730313668


def draw(picture, theta, curves):
    """|r E_theta| in the half plane phi = 0."""
    from matplotlib import pyplot

    axis = pyplot.figure(figsize=(4.5, 4)).add_subplot(projection="polar")
    axis.set(theta_zero_location="N", theta_direction=-1)
    for title, found, expected in curves:
        axis.plot(theta, np.abs(expected), lw=4, alpha=0.3)
        axis.plot(theta, np.abs(found), lw=1, color="black")
        axis.annotate(f"{title}, V", (np.pi / 2, np.abs(found).max()), fontsize=7)
    axis.figure.tight_layout()
    axis.figure.savefig(picture, dpi=110)


def main():
    parser = argparse.ArgumentParser(description="Compares the far field of a run with that of a point current.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    parser.add_argument("--picture", type=Path, help="draws the pattern too")
    options = parser.parse_args()
    rows, good, curves = [], True, []
    with h5py.File(options.directory / "results.h5", "r") as file:
        for hertz in sorted(file["far_field"], key=int):
            group = file["far_field"][hertz]
            wave_number = 2 * np.pi * int(hertz) / C0
            theta = np.radians(group["theta"][()])
            expected = 1j * ETA0 * wave_number / (4 * np.pi) * np.sin(theta)  # r E_theta exp(jkr), in V
            largest = np.abs(expected).max()
            deviation = max(np.abs(group["E_theta"][()] - expected[:, None]).max(), np.abs(group["E_phi"][()]).max())
            power = group.attrs["radiated_power"] / (ETA0 * wave_number**2 / (12 * np.pi))
            directivity = 10 ** (group["directivity"][()].max() / 10)
            print(f"{int(hertz) / 1e9:g} GHz: directivity {directivity:.4f} (1.5), radiated power {power:.4f} of the closed "
                  f"form, pattern within {100 * deviation / largest:.2f} % of its maximum")
            good = good and abs(directivity / 1.5 - 1) < 5e-3 and abs(power - 1) < 1e-2 and deviation < 1e-2 * largest
            curves.append((f"{int(hertz) / 1e9:g} GHz", group["E_theta"][:, 0], expected))
            rows += [(int(hertz), t, e.imag) for t, e in zip(group["theta"][()], expected)]
    np.savetxt(options.directory / "reference.csv", rows, delimiter=",", fmt="%.12g",
               header="frequency,theta,E_theta_im", comments="")
    if options.picture:
        draw(options.picture, theta, curves)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
