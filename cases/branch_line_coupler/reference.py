#!/usr/bin/env python3
"""The branch-line coupler against an ideal one, and runs beside each other.

    reference.py OUTDIR [OUTDIR ..] [--between 0.02 ..] [--band DB] [--picture FILE.png]

At its centre, where |S11| + |S41| is least, an ideal coupler has S21 and S31 of -3.01 dB, 90 degrees apart, and nothing at 1 and 4. Exit code 1
where the centre is off 5 GHz by 4 percent, S21 or S31 off -3.01 dB by more than --band (0.6 dB), their phases off 90 degrees by 5, S11 or
S41 above -18 dB, the sum of |S|^2 of a column above 1, or |S| of a further run off the first by more than --between (one limit for
each further run, the last for the rest).
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import network  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description="Compares runs with an ideal coupler.")
    parser.add_argument("outdirs", nargs="+")
    parser.add_argument("--between", type=float, nargs="+", default=[0.02])
    parser.add_argument("--band", type=float, default=0.6)
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    runs, is_good = network.judge(arguments.outdirs, arguments.between)
    for run in runs:
        centre = run.hertz[np.argmin(np.abs(run.s[:, 0, 0]) + np.abs(run.s[:, 3, 0]))]
        s = run.at(centre)[:, 0]
        level = 20 * np.log10(np.abs(s))
        phase = np.degrees(np.angle(s[1] / s[2]))
        print(f"{run.name}: centre {centre / 1e9:.3f} GHz; S11 {level[0]:.1f}, S21 {level[1]:.2f}, S31 {level[2]:.2f}, S41 {level[3]:.1f} dB; "
              f"S21 {phase:.1f} degrees before S31")
        is_good = (is_good and abs(centre / 5e9 - 1) < 0.04 and np.abs(level[1:3] + 3.01).max() < arguments.band and abs(phase - 90) < 5
                   and max(level[0], level[3]) < -18)
    if arguments.picture:
        network.picture(arguments.picture, "Branch-line coupler", runs, [(k, 0, f"S{k + 1}1") for k in range(4)], groups=("strip",))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
