#!/usr/bin/env python3
"""Compares the S-parameters and the attenuation of a run of this case with the closed form.

    reference.py OUTDIR [--sigma 0.1] [--sigma-m 0]

The stretch between the feeds is a TEM line of the same cross-section with eps = 2.1 + sigma/(j w eps0) and mu = 1 +
sigma_m/(j w mu0). Prints the largest deviations of S at the ends of the stretch and of its attenuation; writes
OUTDIR/reference.csv (frequency, S11_re, S11_im, S21_re, S21_im, at the ports) and OUTDIR/attenuation.csv (frequency,
found and exact in dB/m); exit code 1 when S deviates by more than 0.005.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from layers import EPS0, MU0, compare_slab, conductivity, deviations  # noqa: E402

EPS_R, FEED_M, LENGTH_M = 2.1, 0.010, 0.060
TOLERANCE = 0.005
DB = 20 / np.log(10)


def attenuation(s11, s21):
    """Re gamma [1/m] of the stretch, a symmetric two-port: cosh(gamma L) = (1 - S11^2 + S21^2)/(2 S21)."""
    cosh = (1 - s11**2 + s21**2) / (2 * s21)
    return np.abs(np.log(np.abs(cosh + np.sqrt(cosh**2 - 1)))) / LENGTH_M


def main():
    parser = argparse.ArgumentParser(description="Compares S and the attenuation of a run with the closed form.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    parser.add_argument("--sigma", type=float, default=0.1, help="electric conductivity, S/m (default: %(default)s)")
    parser.add_argument("--sigma-m", type=float, default=0.0, help="magnetic conductivity, ohm/m (default: %(default)s)")
    options = parser.parse_args()

    def constants(f):
        return EPS_R + conductivity(f, options.sigma), 1 + conductivity(f, options.sigma_m) * EPS0 / MU0

    run, worst = compare_slab(options.directory, constants, LENGTH_M, FEED_M, EPS_R)
    found, exact = attenuation(*run.found) * DB, attenuation(*run.exact) * DB
    largest, at = deviations(found, exact)
    print(f"attenuation: {exact[-1]:.2f} dB/m at {run.frequency_hz[-1] / 1e9:.0f} GHz; largest deviation {largest:.2f} "
          f"dB/m at {run.frequency_hz[at] / 1e9:.2f} GHz")
    np.savetxt(options.directory / "attenuation.csv", np.column_stack([run.frequency_hz, found, exact]), delimiter=",",
               fmt="%.8g", header="frequency,found_dB_per_m,exact_dB_per_m", comments="")
    if worst > TOLERANCE:
        print(f"above the {TOLERANCE} that this mesh reaches")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
