#!/usr/bin/env python3
"""Compares the slab's reflection and transmission in a run of this folder with the closed form.

    reference.py OUTDIR [--magnetic]

--magnetic for a run of magnetic.yaml. Prints the largest deviations of S11 and S21, taken to the faces of the slab;
writes OUTDIR/reference.csv (frequency, S11_re, S11_im, S21_re, S21_im, at the ports); exit code 1 when one is above 0.01.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from layers import compare_slab, lorentz  # noqa: E402

LENGTH_M, FEED_M, TOLERANCE = 0.020, 0.010, 0.01


def electric(f):
    """(eps, mu) of case.yaml at the frequencies f."""
    return 1.5 + lorentz(f, 1.5, 5e9, 1e9), 1


def magnetic(f):
    """(eps, mu) of magnetic.yaml at the frequencies f."""
    return 2.67, 1 + lorentz(f, 0.5, 0.8e9, 0.5e9)


def main():
    parser = argparse.ArgumentParser(description="Compares the slab's S-parameters with the closed form.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    parser.add_argument("--magnetic", action="store_true", help="a run of magnetic.yaml")
    options = parser.parse_args()
    _, worst = compare_slab(options.directory, magnetic if options.magnetic else electric, LENGTH_M, FEED_M)
    if worst > TOLERANCE:
        print(f"above the {TOLERANCE} that this mesh reaches")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
