#!/usr/bin/env python3
"""The power delivered into the enclosure, of several runs, with the lines of the cavity.

    reference.py OUTDIR [OUTDIR ..] [--tolerance 0.1] [--picture FILE.png]

Delivered over available power is 1 - |S11|^2. Prints the largest maximum near each mode of the empty cavity; of several runs the mean
difference from the first. Exit code 1 where a cavity line TMmn0 that the feed
excites has no maximum within 5 % (the rod and its load shift them), or runs differ by more than the tolerance in the mean.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

C0 = 299792458.0
WIDTH, LENGTH, HEIGHT = 0.22, 0.30, 0.14
FEED = (0.06, 0.08)
LARGEST_SHIFT = 0.05


def lines(low, high):
    """TMmn0 modes, E along the rod, that the feed excites."""
    found = []
    for m in range(1, 6):
        for n in range(1, 6):
            hertz = C0 / 2 * np.hypot(m / WIDTH, n / LENGTH)
            strength = abs(np.sin(m * np.pi * FEED[0] / WIDTH) * np.sin(n * np.pi * FEED[1] / LENGTH))
            if low < hertz < high and strength > 0.2:
                found.append((hertz, f"TM{m}{n}0"))
    return sorted(found)


def read(folder):
    with h5py.File(Path(folder) / "results.h5", "r") as file:
        return file["s_parameters/frequency"][()], 1 - np.abs(file["s_parameters/S"][:, 0, 0]) ** 2


def main():
    parser = argparse.ArgumentParser(description="Compares the power delivered into the enclosure.")
    parser.add_argument("outdirs", nargs="+")
    parser.add_argument("--tolerance", type=float, default=0.1)
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    runs = [(folder, *read(folder)) for folder in arguments.outdirs]
    _, hertz, power = runs[0]
    peaks = [k for k in range(1, power.size - 1) if power[k] > power[k - 1] and power[k] >= power[k + 1]]
    is_good = power.max() < 1.001
    for line, name in lines(hertz[0], hertz[-1]):
        near = [k for k in peaks if abs(hertz[k] / line - 1) < LARGEST_SHIFT]
        is_good = is_good and bool(near)
        if near:
            top = max(near, key=lambda k: power[k])
            print(f"{name} {line / 1e9:.4f} GHz: maximum {power[top]:.3f} at {hertz[top] / 1e9:.4f} GHz, {100 * (hertz[top] / line - 1):+.2f} %")
        else:
            print(f"{name} {line / 1e9:.4f} GHz: no maximum within {100 * LARGEST_SHIFT:.0f} %")
    for folder, other_hertz, other in runs[1:]:
        mean = np.mean(np.abs(np.interp(hertz, other_hertz, other) - power))
        print(f"{folder}: mean difference {mean:.3f} from {runs[0][0]}")
        is_good = is_good and mean <= arguments.tolerance
    if arguments.picture:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        figure, axes = plt.subplots(figsize=(9, 4.6), layout="constrained")
        for folder, x, y in runs:
            axes.plot(x / 1e9, y, linewidth=1.2, label=Path(folder).name.removesuffix(".out"))
        for line, name in lines(hertz[0], hertz[-1]):
            axes.axvline(line / 1e9, color="0.6", linewidth=0.8, linestyle=":")
            axes.text(line / 1e9, 1.02, name, rotation=90, fontsize=8, ha="center", va="bottom")
        axes.set(xlabel="GHz", ylabel="delivered over available power", ylim=(0, 1.01), xlim=(hertz[0] / 1e9, hertz[-1] / 1e9))
        axes.grid(alpha=0.4)
        axes.legend()
        figure.savefig(arguments.picture, dpi=130)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
