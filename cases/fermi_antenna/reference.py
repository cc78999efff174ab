#!/usr/bin/env python3
"""The Fermi antenna: match, pattern and balance of power, and runs beside each other.

    reference.py OUTDIR [OUTDIR ..] [--between 0.02 ..] [--balance 0.1] [--picture FILE.png]

Exit code 1 where the mean of |S11|^2 over the band is above 0.2, the largest directivity is not within 20 degrees of the axis of the
antenna (+x) or not 5 to 15 dBi, the power of a pattern off the accepted one by more than --balance, or |S| of a further run off
the first by more than --between (one limit for each further run, the last for the rest).
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import network  # noqa: E402

import h5py  # noqa: E402


def patterns(run):
    """(Hz, largest directivity in dB, its angle from +x in degrees, radiated over accepted power) of each frequency."""
    with h5py.File(run.folder / "results.h5", "r") as file:
        for hertz, group in sorted(file.get("far_field", {}).items(), key=lambda item: int(item[0])):
            theta, phi, directivity = np.radians(group["theta"][()]), np.radians(group["phi"][()]), group["directivity"][()]
            row, column = np.unravel_index(np.argmax(directivity), directivity.shape)
            from_x = np.degrees(np.arccos(np.sin(theta[row]) * np.cos(phi[column])))
            yield int(hertz), directivity.max(), from_x, group.attrs["radiated_power"] / group.attrs["accepted_power"]


def main():
    parser = argparse.ArgumentParser(description="Judges runs of the Fermi antenna.")
    parser.add_argument("outdirs", nargs="+")
    parser.add_argument("--between", type=float, nargs="+", default=[0.02])
    parser.add_argument("--balance", type=float, default=0.1)
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    runs, is_good = network.judge(arguments.outdirs, arguments.between)
    for run in runs:
        returned = np.mean(np.abs(run.s[:, 0, 0]) ** 2)
        print(f"{run.name}: mean of |S11|^2 {returned:.3f}, |S11| at most {20 * np.log10(np.abs(run.s[:, 0, 0]).max()):.1f} dB")
        is_good = is_good and returned < 0.2
        for hertz, directivity, from_x, balance in patterns(run):
            print(f"  {hertz / 1e9:g} GHz: directivity {directivity:.2f} dBi, {from_x:.0f} degrees from the axis; {balance:.3f} of the accepted power is radiated")
            is_good = is_good and 5 < directivity < 15 and from_x <= 20 and abs(balance - 1) < arguments.balance
    if arguments.picture:
        network.picture(arguments.picture, "Fermi antenna", runs, [(0, 0, "S11")], groups=("metal",))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
