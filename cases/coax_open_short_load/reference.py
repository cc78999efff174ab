#!/usr/bin/env python3
"""Compares the reflection in a run of this case with that of its end.

    reference.py OUTDIR [--end load|short|open] [--resistance 47]

Gamma = (R - Z)/(R + Z), -1 or 1 at the plane of the end. Prints the largest deviation; of a load also how much of the
power arrives in it, 1 - |Gamma|^2, against the lumped port's own waves. Writes OUTDIR/reference.csv (frequency, S11_re,
S11_im); exit code 1 when a deviation is above 0.01.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

TOLERANCE = 0.01
LINE_OHM = 376.730313668 / (2 * np.pi) * np.log(2.3)


def main():
    parser = argparse.ArgumentParser(description="Compares S11 of a run with the reflection of the line's end.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    parser.add_argument("--end", choices=("load", "short", "open"), default="load")
    parser.add_argument("--resistance", type=float, default=47.0, help="of the load (default: %(default)s)")
    options = parser.parse_args()
    with h5py.File(options.directory / "results.h5", "r") as file:
        frequency_hz, s = file["s_parameters/frequency"][()], file["s_parameters/S"][()]
    load = options.resistance
    gamma = {"load": (load - LINE_OHM) / (load + LINE_OHM), "short": -1.0, "open": 1.0}[options.end]
    deviation = np.abs(s[:, 0, 0] - gamma)
    print(f"S11: largest deviation from {gamma:.5f} is {deviation.max():.5f} at {frequency_hz[deviation.argmax()] / 1e9:.2f} GHz")
    good = deviation.max() < TOLERANCE
    if options.end == "load":
        power = np.abs(s[:, 1, 0]) ** 2
        print(f"power in the load: {power.min():.5f} to {power.max():.5f} of what came, closed form {1 - gamma**2:.5f}")
        good = good and np.abs(power - (1 - gamma**2)).max() < TOLERANCE
    columns = [frequency_hz, np.full_like(frequency_hz, gamma), np.zeros_like(frequency_hz)]
    np.savetxt(options.directory / "reference.csv", np.column_stack(columns), delimiter=",", fmt="%.12g",
               header="frequency,S11_re,S11_im", comments="")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
