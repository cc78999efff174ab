#!/usr/bin/env python3
"""The three vias: what every passive network keeps, the symmetry of the board, and runs beside each other.

    reference.py OUTDIR [OUTDIR ..] [--between 0.02 ..] [--picture FILE.png]

Exit code 1 where S12 differs from S21 by more than 0.01, S11 from S22 by more than 0.02 (the board is symmetric about its middle plane,
its mesh is not), the sum of |S|^2 of a column is above 1, less than 0.8 arrives below 1 GHz, or |S| of a further run differs from the
first by more than --between (one limit for each further run, the last for the rest).
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import network  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description="Compares runs of the three vias.")
    parser.add_argument("outdirs", nargs="+")
    parser.add_argument("--between", type=float, nargs="+", default=[0.02])
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    runs, is_good = network.judge(arguments.outdirs, arguments.between)
    for run in runs:
        through = np.abs(run.s[run.hertz <= 1e9, 1, 0]).min()
        mirror = np.abs(run.s[:, 0, 0] - run.s[:, 1, 1]).max() if len(run.driven) == 2 else 0
        print(f"{run.name}: |S11 - S22| at most {mirror:.4f}; |S21| at least {through:.3f} to 1 GHz")
        is_good = is_good and mirror <= 0.02 and through >= 0.8
    if arguments.picture:
        network.picture(arguments.picture, "Three vias", runs, [(0, 0, "S11"), (1, 0, "S21")], half=True)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
