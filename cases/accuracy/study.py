#!/usr/bin/env python3
"""Error against time and cost of every scheme and space: which to choose when.

    study.py [--tetrawave PROGRAM] [--problem cavity|wave] [--quick] [--backend cpu|cuda] [--threads N] [--most S]
             [--json FILE] [--picture FILE] [--draw FILE..]

Runs a case beside this script on jittered meshes of the unit cube. `cavity`, case.yaml: a standing wave; the error is
that of E and eta0 H at 64 points at the end, 5 + 3/8 periods after the start, relative to the exact one (a Monte Carlo
L2 norm). `wave`, wave.yaml: a plane wave over ten wavelengths, its error at eight points over the last half period.
Seconds are those of the march, without set-up; the cost is what the march moves through memory,
/performance/bytes_per_step times the steps. `--quick` takes three meshes each; meshes finer than one whose march takes
more than `--most` seconds are left out. Prints a table with the order between successive meshes, by cells along an
edge. `--picture` draws the rows, `--draw` those of earlier runs with --json, a panel each.
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
sys.path.append(str(FOLDER))
import travelling_wave  # noqa: E402

C0, ETA0 = 299792458.0, 376.730313668
METHODS = {"dgtd-central": {"scheme": "dgtd-central"}, "penalty 0.1": {"scheme": "dgtd-central", "penalty": 0.1},
           "fourth order": {"scheme": "dgtd-central", "time_order": 4}, "dfdd-eld": {"scheme": "dfdd-eld"},
           "dgtd-upwind": {"scheme": "dgtd-upwind"}}
CELLS = {"mixed-1": (4, 6, 8, 12, 16), "full-1": (4, 6, 8, 12, 16), "mixed-2": (2, 3, 4, 6, 8), "full-2": (2, 3, 4, 6, 8),
         "mixed-3": (1, 2, 3, 4, 6), "full-3": (1, 2, 3, 4, 6), "full-4": (1, 2, 3, 4)}
QUICK = {"mixed-1": (6, 8, 12), "full-1": (6, 8, 12), "mixed-2": (3, 4, 6), "full-2": (3, 4, 6),
         "mixed-3": (1, 2, 3), "full-3": (1, 2, 3), "full-4": (1, 2, 3)}
CELLS_OF_WAVE = {"mixed-1": (8, 16, 24), "full-1": (8, 12, 16, 24, 32), "mixed-2": (4, 6, 8, 12), "full-2": (4, 6, 8, 12, 16),
                 "mixed-3": (3, 4, 6, 8), "full-3": (3, 4, 6, 8, 10), "full-4": (3, 4, 5, 6)}


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


PROBLEMS = {"cavity": ("case.yaml", error_of, CELLS), "wave": ("wave.yaml", travelling_wave.error_of, CELLS_OF_WAVE)}


def run(program, method, space, cells, options=(), problem="cavity"):
    """(error, bytes moved, seconds of the march) of one mesh."""
    case, error, _ = PROBLEMS[problem]
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out"
        settings = [f"mesh.box.cells=[{cells}, {cells}, {cells}]", "method.time_order=2", f"method.basis={space}"]
        settings += [f"method.{key}={value}" for key, value in METHODS[method].items()]
        command = [program, "run", FOLDER / case, "-o", out, "--quiet", *options]
        for setting in settings:
            command += ["--set", setting]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{method} {space}: {done.stderr}")
        with h5py.File(out / "results.h5") as results:
            performance = results["performance"].attrs
            moved = float(performance["bytes_per_step"]) * float(results.attrs["steps"])
            return error(results), moved, float(performance["march_seconds"])


def order_between(coarse, fine):
    """Of two (cells, error)."""
    return math.log(coarse[1] / fine[1]) / math.log(fine[0] / coarse[0])


def draw(panels, file):
    """Panels: (title, rows)."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.lines import Line2D

    colours = dict(zip(METHODS, ("#0072B2", "#56B4E9", "#CC79A7", "#009E73", "#D55E00")))
    marks = dict(zip(CELLS, ("o", "s", "^", "D", "v", "P", "X")))
    figure, all_axes = plt.subplots(1, len(panels), figsize=(1.6 + 5.4 * len(panels), 5.2), sharey=True, squeeze=False)
    for axes, (title, rows) in zip(all_axes[0], panels):
        for method in METHODS:
            for space in CELLS:
                some = [row for row in rows if row["method"] == method and row["space"] == space]
                axes.loglog([row["seconds"] for row in some], [row["error"] for row in some], marker=marks[space], ms=4,
                            color=colours[method], lw=1.1, ls="-" if space.startswith("full") else "--")
        axes.set_title(title)
        axes.set_xlabel("seconds of the march")
        axes.grid(True, which="both", color="#E2E2E2", lw=0.5)
    all_axes[0][0].set_ylabel("relative error of E and H")
    lines = [Line2D([], [], color=colours[method], label=method) for method in METHODS]
    lines += [Line2D([], [], color="black", marker=marks[space], ms=4, ls="-" if space.startswith("full") else "--", label=space)
              for space in CELLS]
    all_axes[0][-1].legend(handles=lines, fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))
    figure.tight_layout()
    figure.savefig(file, dpi=130)


def can(method, space):
    """Whether the method has the space, and its march is worth a row."""
    return (method, space) != ("dfdd-eld", "full-4") and (method != "fourth order" or space in ("full-2", "full-3", "full-4"))


def measure(options):
    rows = []
    extra = [] if options.backend is None else ["--backend", options.backend]
    extra += [] if options.threads is None else ["--set", f"run.threads={options.threads}"]
    print(f"{'method':14} {'space':8} {'cells':>5} {'error':>9} {'order':>6} {'GB moved':>9} {'seconds':>9}")
    for method in METHODS:
        for space, meshes in (QUICK if options.quick else PROBLEMS[options.problem][2]).items():
            last = None
            for cells in meshes if can(method, space) else ():
                error, moved, seconds = run(options.tetrawave, method, space, cells, extra, options.problem)
                order = f"{order_between(last, (cells, error)):6.2f}" if last else "      "
                print(f"{method:14} {space:8} {cells:5} {error:9.2e} {order} {moved / 1e9:9.3f} {seconds:9.4f}", flush=True)
                rows.append({"method": method, "space": space, "cells": cells, "error": error, "bytes": moved,
                             "seconds": seconds})
                if options.json:
                    options.json.write_text(json.dumps(rows, indent=1))
                last = (cells, error)
                if seconds > options.most:
                    break
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tetrawave", default=FOLDER.parents[1] / "build" / "bin" / "tetrawave", type=Path)
    parser.add_argument("--problem", choices=PROBLEMS, default="cavity")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--backend", choices=("cpu", "cuda"))
    parser.add_argument("--threads", type=int)
    parser.add_argument("--most", type=float, default=math.inf)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--draw", nargs="+", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.draw:
        panels = [(file.stem, json.loads(file.read_text())) for file in options.draw]
    else:
        rows = measure(options)
        panels = [(options.backend or "", rows)]
    if options.picture:
        draw(panels, options.picture)


if __name__ == "__main__":
    main()
