#!/usr/bin/env python3
"""Checks runs of this case with what must hold for an array of antennas without losses, and with each other.

    reference.py OUTDIR [OUTDIR ..] [--balance 0.1] [--between 0.05]

As a whole the antennas return no more power than they are sent, at any frequency; what they accept is what is radiated, within
`--balance`; active reflections of the first and of each further run (a finer mesh, more air) are within `--between` of each other
at the frequencies of the far field. Exit code 1 when one of these does not hold.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

SHOWN_GHZ = (3, 4)


class Run:
    """Active reflections [frequency, antenna, antenna] of a run, and power at its far fields."""

    def __init__(self, folder):
        self.name = folder.name.removesuffix(".out")
        with h5py.File(folder / "results.h5", "r") as file:
            self.elements = int(file.attrs["elements"])
            self.hertz, self.active = file["s_parameters/frequency"][()], file["s_parameters/active/p"][()]
            self.radiated = {float(hertz): group.attrs["radiated_power"] / group.attrs["accepted_power"] for hertz, group in file["far_field"].items()}

    def at(self, hertz):
        return self.active[np.argmin(np.abs(self.hertz - hertz))]

    def judge(self, balance):
        returned = (np.abs(self.active) ** 2).mean(axis=(1, 2)).max()
        print(f"{self.name} ({self.elements:,} elements): of the power sent, at most {returned:.3f} comes back (limit 1)")
        for ghz in SHOWN_GHZ:
            if np.abs(self.hertz - 1e9 * ghz).min() > 1e7 * ghz:
                continue
            level = np.abs(self.at(1e9 * ghz))
            print(f"  {ghz} GHz: |b/a| {level.mean():.3f}, of an antenna {level.min():.3f} to {level.max():.3f}")
        for hertz, share in self.radiated.items():
            print(f"  {hertz / 1e9:g} GHz: {share:.3f} of the accepted power is radiated (limit {balance:g} from 1)")
        return returned <= 1 and max(abs(share - 1) for share in self.radiated.values()) <= balance


def main():
    parser = argparse.ArgumentParser(description="Checks the power of an array of Vivaldi antennas, and runs against each other.")
    parser.add_argument("outdirs", nargs="+", type=Path)
    parser.add_argument("--balance", type=float, default=0.1)
    parser.add_argument("--between", type=float, default=0.05)
    options = parser.parse_args()
    first, *others = runs = [Run(folder) for folder in options.outdirs]
    good = all([run.judge(options.balance) for run in runs])
    for other in others:
        apart = max(np.abs(np.abs(first.at(hertz)) - np.abs(other.at(hertz))).max() for hertz in first.radiated)
        print(f"|b/a| of {first.name} and {other.name}: {apart:.3f} apart at most (limit {options.between:g})")
        good = good and apart <= options.between
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
