#!/usr/bin/env python3
"""Compares the cross-sections of a run of this case at 1.19 GHz with those of a boundary-element method.

    reference.py OUTDIR [--picture FILE.png]                        of case.yaml, bistatic
    reference.py OUTDIR [OUTDIR of E along y] [--picture FILE.png]  of monostatic.yaml

The values are extrapolated from meshes of an electric-field integral equation with Rao, Wilton and Glisson's functions, within 0.15 dB.
Exit code 1 where one above -40 dBsm is 1 dB off or one below is 2 dB off.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

HERTZ = "1190000000"
# dBsm. Bistatic: by the angle from the way back, in the planes of E and of H; monostatic: by the angle from the axis, with E in its
# plane with the wave's way ("theta") and normal to it ("phi").
BISTATIC = {0: (-42.10, -42.10), 30: (-48.1, -46.8), 60: (-37.0, -37.4), 90: (-28.00, -27.46), 120: (-29.1, -27.0), 150: (-41.4, -33.4),
            180: (-39.8, -39.8)}
MONOSTATIC = {0: (-42.10, -42.10), 15: (-30.95, -43.59), 30: (-19.99, -56.8), 45: (-15.57, -33.89), 60: (-18.52, -24.48),
              75: (-18.84, -19.43), 90: (-12.55, -17.80)}


def open_results(out):
    return h5py.File(Path(out) / "results.h5", "r")


def bistatic(out):
    """[(label, angles, dBsm, angles and values of the reference)]"""
    with open_results(out) as file:
        group = file[f"rcs/{HERTZ}"]
        theta, phi, level = group["theta"][:], group["phi"][:], 10 * np.log10(group["sigma"][:, 0])
    angles = np.array(list(BISTATIC))
    return [(name, theta[phi == at], level[phi == at], angles, np.array(list(BISTATIC.values()))[:, k])
            for k, (name, at) in enumerate((("plane of E", 0), ("plane of H", 90)))]


def monostatic(out):
    with open_results(out) as file:
        group = file[f"monostatic/{HERTZ}"]
        theta, kind, level = group["theta"][:], group["polarization"][:], 10 * np.log10(group["sigma"][:])
    angles = np.array(list(MONOSTATIC))
    return [(("E in the plane of the axis", "E normal to it")[k], theta[kind == k], level[kind == k], angles,
             np.array(list(MONOSTATIC.values()))[:, k]) for k in np.unique(kind)]


def main():
    parser = argparse.ArgumentParser(description="Compares the cross-sections of a run of this case with those of another method.")
    parser.add_argument("outdirs", nargs="+")
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    curves, over = [], ""
    for out in arguments.outdirs:
        with open_results(out) as file:
            is_sweep = "monostatic" in file
        over = "angle of arrival from the axis" if is_sweep else "angle from the way back"
        curves += (monostatic if is_sweep else bistatic)(out)
    worst = 0
    for name, theta, level, angles, wanted in curves:
        off = np.interp(angles, theta, level) - wanted
        for angle, value, deviation in zip(angles, wanted, off):
            print(f"{name}, {angle:3d} degrees: {value + deviation:7.2f} dBsm, {deviation:+.2f} dB off")
            worst = max(worst, abs(deviation) / (1 if value > -40 else 2))
    if arguments.picture:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        figure, axes = plt.subplots(figsize=(8, 4.6), layout="constrained")
        for k, (name, theta, level, angles, wanted) in enumerate(curves):
            axes.plot(theta, level, color=f"C{k}", label=name)
            axes.plot(angles, wanted, "o", color=f"C{k}", markersize=5)
        axes.set(xlabel=f"{over} (degrees)", ylabel="cross-section (dBsm)", title="Ogive at 1.19 GHz: points of a boundary-element method")
        axes.grid(alpha=0.4)
        axes.legend()
        figure.savefig(arguments.picture, dpi=110)
    return 0 if worst < 1 else 1


if __name__ == "__main__":
    sys.exit(main())
