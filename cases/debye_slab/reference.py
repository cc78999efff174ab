#!/usr/bin/env python3
"""Compares the slab's reflection and transmission in a run of this case with the closed form.

    reference.py OUTDIR

Prints the largest deviations of S11 and S21, taken to the faces of the slab; writes OUTDIR/reference.csv (frequency,
S11_re, S11_im, S21_re, S21_im, at the ports); exit code 1 when one is above 0.01.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from layers import compare_slab, conductivity, debye  # noqa: E402

LENGTH_M, FEED_M, TOLERANCE = 0.020, 0.010, 0.01


def substrate(f):
    """(eps, mu) at the frequencies f."""
    return 3.64 + debye(f, 4.18 - 3.64, 11.4e-12) + conductivity(f, 6.29e-3), 1


def main():
    parser = argparse.ArgumentParser(description="Compares the slab's S-parameters with the closed form.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    options = parser.parse_args()
    _, worst = compare_slab(options.directory, substrate, LENGTH_M, FEED_M)
    if worst > TOLERANCE:
        print(f"above the {TOLERANCE} that this mesh reaches")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
