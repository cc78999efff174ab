#!/usr/bin/env python3
"""The single Vivaldi antenna at 3 GHz: S11 and directivity of one run, or of two beside each other (frequency and time domain).

    reference.py OUTDIR [OTHER_OUTDIR] [--tolerance 0.15] [--picture FILE.png]

Exit code 1 where S11 of the two differs by more than the tolerance, the patterns by more than 1.5 dB down to -10 dB, or power that a pattern has
differs from the accepted one by more than 10 %.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import network  # noqa: E402


def read(folder):
    with h5py.File(Path(folder) / "results.h5", "r") as file:
        hertz = file["s_parameters/frequency"][()]
        s = file["s_parameters/S"][int(np.argmin(np.abs(hertz - 3e9))), 0, 0]
        group = file["far_field/3000000000"]
        theta = np.unique(group["theta"][()])
        balance = group.attrs["radiated_power"] / group.attrs["accepted_power"]
        return complex(s), theta, group["directivity"][()].reshape(theta.size, -1), float(balance)


def main():
    parser = argparse.ArgumentParser(description="Compares runs of the Vivaldi antenna.")
    parser.add_argument("outdirs", nargs="+")
    parser.add_argument("--tolerance", type=float, default=0.15)
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    runs = [(folder, *read(folder)) for folder in arguments.outdirs]
    is_good = True
    for folder, s, _, directivity, balance in runs:
        print(f"{folder}: S11 {abs(s):.3f} at {np.degrees(np.angle(s)):.0f} degrees, directivity {directivity.max():.2f} dB, pattern over accepted power {balance:.3f}")
        is_good = is_good and abs(balance - 1) < 0.1
    if len(runs) > 1:
        apart = abs(runs[0][1] - runs[1][1])
        strong = runs[0][3] > runs[0][3].max() - 10
        worst = np.abs(runs[0][3] - runs[1][3])[strong].max()
        print(f"S11 {apart:.3f} apart, patterns within {worst:.2f} dB down to -10 dB")
        is_good = is_good and apart <= arguments.tolerance and worst <= 1.5
    if arguments.picture:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        from matplotlib.collections import PolyCollection
        figure, (left, axes) = plt.subplots(1, 2, figsize=(11, 4.6), width_ratios=(1, 1.5), layout="constrained")
        fins = network.faces_of(Path(runs[0][0]) / "mesh.h5", ("fins",))
        left.add_collection(PolyCollection(fins[:, :, ::2], facecolor="0.85", edgecolor="0.3", linewidth=0.2))
        left.autoscale()
        left.set(aspect="equal", xlabel="x (mm)", ylabel="z (mm)", title="the fins")
        for k, (folder, _, theta, directivity, _) in enumerate(runs):
            for column, plane in enumerate(("phi 0", "phi 90")):
                axes.plot(theta, directivity[:, column], color=f"C{column}", linestyle="-" if k == 0 else "--", label=f"{Path(folder).name.removesuffix('.out')}, {plane}")
        axes.set(xlabel="theta (degrees)", ylabel="directivity (dB)", ylim=(-20, 10), xlim=(0, 90), title="patterns at 3 GHz")
        axes.grid(alpha=0.4)
        axes.legend(fontsize=8)
        figure.savefig(arguments.picture, dpi=130)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
