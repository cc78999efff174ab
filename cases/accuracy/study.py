#!/usr/bin/env python3
"""Error against cost of every scheme and space: which to choose when.

    study.py [--tetrawave PROGRAM] [--quick] [--json FILE] [--picture FILE]

Runs case.yaml beside this script on jittered meshes of the unit cube. The error is that of E and eta0 H at 64 points at
the end, 5 + 3/8 periods after the start, relative to the exact standing wave (a Monte Carlo L2 norm). The cost is what
the march moves through memory, /performance/bytes_per_step times the steps,: all kernels are bound by
memory, so that time is this over a share of the bandwidth (`tetrawave bench` measures the share). `--quick` takes three
meshes each. Prints a table with the order between successive meshes, by cells along an edge.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

FOLDER = Path(__file__).resolve().parent
C0, ETA0 = 299792458.0, 376.730313668
SCHEMES = ("dgtd-central", "dfdd-eld", "dgtd-upwind")
CELLS = {"mixed-1": (4, 6, 8, 12, 16), "full-1": (4, 6, 8, 12, 16), "mixed-2": (2, 3, 4, 6, 8), "full-2": (2, 3, 4, 6, 8),
         "mixed-3": (1, 2, 3, 4, 6), "full-3": (1, 2, 3, 4, 6), "full-4": (1, 2, 3, 4)}
QUICK = {"mixed-1": (6, 8, 12), "full-1": (6, 8, 12), "mixed-2": (3, 4, 6), "full-2": (3, 4, 6),
         "mixed-3": (1, 2, 3), "full-3": (1, 2, 3), "full-4": (1, 2, 3)}


def exact(position, time_s):
    """E and eta0 H of TM110 in the unit cube, E_z = sin sin at t = 0."""
    x, y = math.pi * position[0], math.pi * position[1]
    phase = math.pi * math.sqrt(2) * C0 * time_s
    h = math.sin(phase) / math.sqrt(2)
    return np.array([0, 0, math.sin(x) * math.sin(y) * math.cos(phase), -h * math.sin(x) * math.cos(y),
                     h * math.cos(x) * math.sin(y), 0])


def error_of(results):
    """Relative error of the last row of all probes."""
    wrong, size = 0.0, 0.0
    for probe in results["probes"].values():
        right = exact(probe.attrs["position"], probe["time"][-1])
        found = np.concatenate([probe["E"][-1], ETA0 * probe["H"][-1]])
        wrong += np.sum((found - right) ** 2)
        size += np.sum(right**2)
    return math.sqrt(wrong / size)


def run(program, scheme, space, cells, options=()):
    """(error, bytes moved) of one mesh."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out"
        settings = (f"mesh.box.cells=[{cells}, {cells}, {cells}]", f"method.scheme={scheme}", f"method.basis={space}")
        command = [program, "run", FOLDER / "case.yaml", "-o", out, "--quiet", *options]
        for setting in settings:
            command += ["--set", setting]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{scheme} {space}: {done.stderr}")
        with h5py.File(out / "results.h5") as results:
            moved = float(results["performance"].attrs["bytes_per_step"]) * float(results.attrs["steps"])
            return error_of(results), moved


def order_between(coarse, fine):
    """Of two (cells, error)."""
    return math.log(coarse[1] / fine[1]) / math.log(fine[0] / coarse[0])


def draw(rows, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    colours = dict(zip(SCHEMES, ("#0072B2", "#009E73", "#D55E00")))
    marks = dict(zip(CELLS, ("o", "s", "^", "D", "v", "P", "X")))
    figure, axes = plt.subplots(figsize=(8, 5.2))
    for scheme in SCHEMES:
        for space in CELLS:
            some = [row for row in rows if row["scheme"] == scheme and row["space"] == space]
            if not some:
                continue
            axes.loglog([row["bytes"] / 1e9 for row in some], [row["error"] for row in some], marker=marks[space], ms=5,
                        color=colours[scheme], lw=1.3, ls="-" if space.startswith("full") else "--", label=f"{scheme}, {space}")
    axes.set_xlabel("data moved through memory (GB)")
    axes.set_ylabel("relative error of E and H after 5.4 periods")
    axes.grid(True, which="both", color="#E2E2E2", lw=0.5)
    axes.legend(fontsize=8, ncol=1, loc="center left", bbox_to_anchor=(1.01, 0.5))
    figure.tight_layout()
    figure.savefig(file, dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tetrawave", default=FOLDER.parents[1] / "build" / "bin" / "tetrawave", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    rows = []
    print(f"{'scheme':14} {'space':8} {'cells':>5} {'error':>9} {'order':>6} {'GB moved':>9}")
    for scheme in SCHEMES:
        for space, meshes in (QUICK if options.quick else CELLS).items():
            if (scheme, space) == ("dfdd-eld", "full-4"):
                continue
            last = None
            for cells in meshes:
                error, moved = run(options.tetrawave, scheme, space, cells)
                order = f"{order_between(last, (cells, error)):6.2f}" if last else "      "
                print(f"{scheme:14} {space:8} {cells:5} {error:9.2e} {order} {moved / 1e9:9.3f}", flush=True)
                rows.append({"scheme": scheme, "space": space, "cells": cells, "error": error, "bytes": moved})
                last = (cells, error)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    if options.picture:
        draw(rows, options.picture)


if __name__ == "__main__":
    main()
