#!/usr/bin/env python3
"""Compares the beam in the Kerr medium with that in the linear one.

    reference.py OUTDIR LINEAR_OUTDIR

Prints the root mean square of |E| along the axis over the last 10 ps (three periods) of both runs. Focusing is weaker
diffraction: exit code 1 unless the beam in the Kerr medium is stronger at every probe, 8 percent or more on average.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

LAST_S = 10e-12
LEAST = 1.08


def strengths(directory):
    """Root mean square of |E| by probe, ascending along z; the largest eps_r."""
    with h5py.File(directory / "results.h5") as results:
        found = []
        for probe in results["probes"].values():
            time, field = probe["time"][()], probe["E"][()]
            late = time > time[-1] - LAST_S
            found.append((probe.attrs["position"][2], np.sqrt((field[late] ** 2).sum(axis=1).mean())))
        return np.array(sorted(found)), results["performance"].attrs.get("largest_eps_r", 1.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("linear", type=Path)
    options = parser.parse_args()
    (kerr, eps_r), (linear, _) = strengths(options.directory), strengths(options.linear)
    ratio = kerr[:, 1] / linear[:, 1]
    for (z, a), (_, b), r in zip(kerr, linear, ratio):
        print(f"  z = {1e3 * z:.1f} mm: |E| {a:.4f} V/m, in the linear medium {b:.4f} V/m, ratio {r:.3f}")
    print(f"on average {ratio.mean():.3f} times as strong; eps_r up to {eps_r:.2f}")
    return 0 if ratio.min() > 1 and ratio.mean() > LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
