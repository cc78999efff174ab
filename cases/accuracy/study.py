#!/usr/bin/env python3
"""Error against time and cost of every scheme and space: which to choose when.

    study.py [--tetrawave PROGRAM] [--problem cavity|wave] [--quick] [--backend cpu|cuda] [--threads N] [--most S]
             [--within S] [--methods NAME..] [--spaces NAME..] [--precisions double single] [--steps LENGTH..]
             [--cpu-seconds] [--again] [--json FILE] [--picture FILE] [--draw FILE..]

Runs a case beside this script on jittered meshes of the unit cube. `cavity`, case.yaml: a standing wave; the error is
that of E and eta0 H at 64 points at the end, 5 + 3/8 periods after the start, relative to the exact one (a Monte Carlo
L2 norm). `wave`, wave.yaml: a plane wave over ten wavelengths, its error at eight points over the last half period, by
steps of several lengths where leap-frog's steps make the error. Seconds are those of the march, without set-up, by the
clock; with `--cpu-seconds`, which other programs disturb less, those of the processor for the run less those for the
same run of one step. The cost is what the march moves through memory, /performance/bytes_per_step times the steps.

`--quick` takes three meshes each, `--steps` some of leap-frog's steps (over the stable one); meshes finer than one whose
march takes more than `--most` seconds are left out, and no run begins after `--within` seconds. The rows that are in the
file of `--json` already are not run: a study that was stopped goes on; with `--again` they are run, and the shorter time
stays. Prints a row a run, with the order between successive meshes by cells along an edge, then the seconds to some
errors. `--picture` draws the rows, `--draw` those of earlier runs with --json, a panel each precision.
"""

import argparse
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from curves import front, order_between, seconds_to, select  # noqa: E402

FOLDER = Path(__file__).resolve().parent
C0, ETA0 = 299792458.0, 376.730313668
METHODS = {"dgtd-central": {"scheme": "dgtd-central"}, "penalty 0.1": {"scheme": "dgtd-central", "penalty": 0.1},
           "fourth order": {"scheme": "dgtd-central", "time_order": 4}, "dfdd-eld": {"scheme": "dfdd-eld"},
           "dgtd-upwind": {"scheme": "dgtd-upwind"}}
CELLS = {"mixed-1": (4, 6, 8, 12, 16), "full-1": (4, 6, 8, 12, 16), "mixed-2": (2, 3, 4, 6, 8), "full-2": (2, 3, 4, 6, 8),
         "mixed-3": (1, 2, 3, 4, 6), "full-3": (1, 2, 3, 4, 6), "full-4": (1, 2, 3, 4)}
QUICK = {"mixed-1": (6, 8, 12), "full-1": (6, 8, 12), "mixed-2": (3, 4, 6), "full-2": (3, 4, 6),
         "mixed-3": (1, 2, 3), "full-3": (1, 2, 3), "full-4": (1, 2, 3)}
CELLS_OF_WAVE = {"mixed-1": (8, 16, 24), "full-1": (8, 12, 16, 24, 32, 48), "mixed-2": (4, 6, 8, 12, 16),
                 "full-2": (4, 6, 8, 12, 16, 24), "mixed-3": (3, 4, 6, 8), "full-3": (3, 4, 5, 6, 7, 8),
                 "full-4": (3, 4, 5, 6)}


# Lengths of the steps over the stable one, by the degree of a space: of leap-frog, as far as its steps make the error.
STEPS_OF_WAVE = {"1": (0.9,), "2": (0.9, 0.45), "3": (0.9, 0.45, 0.2, 0.1), "4": (0.9, 0.2, 0.1)}
TARGETS = (1e-1, 1e-2, 1e-3, 1e-4)


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


def error_of_wave(results):
    """Relative error of all probes over the last half period."""
    wrong, size = 0.0, 0.0
    for probe in results["probes"].values():
        late = probe["time"][:] > 9.5 / C0
        wave = np.sin(2 * math.pi * (probe.attrs["position"][0] - C0 * probe["time"][late]))
        found = np.concatenate([probe["E"][late], ETA0 * probe["H"][late]], axis=1)
        right = np.zeros_like(found)
        right[:, 2], right[:, 4] = wave, -wave
        wrong += np.sum((found - right) ** 2)
        size += np.sum(right**2)
    return math.sqrt(wrong / size)


PROBLEMS = {"cavity": ("case.yaml", error_of, CELLS), "wave": ("wave.yaml", error_of_wave, CELLS_OF_WAVE)}


def call(program, problem, settings, options, out):
    """CPU seconds of a run."""
    command = [program, "run", FOLDER / PROBLEMS[problem][0], "-o", out, "--overwrite", "--quiet", *options]
    for setting in settings:
        command += ["--set", setting]
    used = [resource.getrusage(resource.RUSAGE_CHILDREN)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    used.append(resource.getrusage(resource.RUSAGE_CHILDREN))
    if done.returncode != 0:
        sys.exit(f"{' '.join(settings)}: {done.stderr}")
    before, after = (one.ru_utime + one.ru_stime for one in used)
    return after - before


def run(program, method, space, cells, options=(), problem="cavity", precision="double", cfl=None, cpu_seconds=False):
    """(error, bytes moved, seconds of the march, steps) of one mesh."""
    settings = [f"mesh.box.cells=[{cells}, {cells}, {cells}]", "method.time_order=2", f"method.basis={space}",
                f"method.precision={precision}"]
    settings += [f"method.{key}={value}" for key, value in METHODS[method].items()]
    settings += [] if cfl is None else [f"method.cfl={cfl}"]
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out"
        set_up = call(program, problem, [*settings, "time={steps: 1}"], options, out) if cpu_seconds else 0.0
        used = call(program, problem, settings, options, out) - set_up
        with h5py.File(out / "results.h5") as results:
            performance, steps = results["performance"].attrs, int(results.attrs["steps"])
            seconds = used if cpu_seconds else float(performance["march_seconds"])
            return PROBLEMS[problem][1](results), float(performance["bytes_per_step"]) * steps, seconds, steps


def precisions_of(rows):
    return list(dict.fromkeys(row["precision"] for row in rows))


def print_seconds_to(rows):
    print(f"\nseconds to an error of {', '.join(f'{error:g}' for error in TARGETS)}")
    for precision in precisions_of(rows):
        for method in METHODS:
            for space in CELLS:
                some = select(rows, precision, method, space)
                if some:
                    found = (seconds_to(some, error) for error in TARGETS)
                    print(f"{precision:7} {method:14} {space:8}" + "".join("        -" if math.isinf(s) else f"{s:9.3f}" for s in found))


def draw(rows, file):
    """A panel each precision."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.lines import Line2D

    colours = dict(zip(METHODS, ("#0072B2", "#56B4E9", "#CC79A7", "#009E73", "#D55E00")))
    marks = dict(zip(CELLS, ("o", "s", "^", "D", "v", "P", "X")))
    panels = precisions_of(rows)
    figure, all_axes = plt.subplots(1, len(panels), figsize=(1.6 + 5.4 * len(panels), 5.2), sharey=True, squeeze=False)
    for axes, precision in zip(all_axes[0], panels):
        for method in METHODS:
            for space in CELLS:
                some = front(select(rows, precision, method, space))
                axes.loglog([row["seconds"] for row in some], [row["error"] for row in some], marker=marks[space], ms=4,
                            color=colours[method], lw=1.1, ls="-" if space.startswith("full") else "--")
        axes.set_title(precision)
        axes.set_xlabel("seconds of the march")
        axes.grid(True, which="both", color="#E2E2E2", lw=0.5)
    all_axes[0][0].set_ylabel("relative error of E and H")
    known = {row[key] for row in rows for key in ("method", "space")}
    lines = [Line2D([], [], color=colours[method], label=method) for method in METHODS if method in known]
    lines += [Line2D([], [], color="black", marker=marks[space], ms=4, ls="-" if space.startswith("full") else "--", label=space)
              for space in CELLS if space in known]
    all_axes[0][-1].legend(handles=lines, fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))
    figure.tight_layout()
    figure.savefig(file, dpi=130)


def can(method, space):
    """Whether the method has the space, and its march is worth a row."""
    return (method, space) != ("dfdd-eld", "full-4") and (method != "fourth order" or space in ("full-2", "full-3", "full-4"))


def steps_of(options, method, space):
    """Lengths of the steps over the stable one; None: that of the case."""
    if options.problem == "cavity":
        return (None,)
    lengths = STEPS_OF_WAVE[space[-1]] if method in ("dgtd-central", "penalty 0.1", "dfdd-eld") else (0.9,)
    return [length for length in lengths if options.steps is None or length in options.steps]


def lines_of(options):
    """All (precision, method, space, cfl), each with its meshes."""
    of_space = QUICK if options.quick else PROBLEMS[options.problem][2]
    for precision in options.precisions:
        for method in options.methods:
            for space in options.spaces:
                for cfl in steps_of(options, method, space) if can(method, space) else ():
                    yield (precision, method, space, cfl), of_space[space]


def measure(options):
    end = time.monotonic() + options.within
    rows = json.loads(options.json.read_text()) if options.json and options.json.exists() else []
    known = {(*(row[key] for key in ("precision", "method", "space", "cfl", "cells")),): row for row in rows}
    extra = [] if options.backend is None else ["--backend", options.backend]
    extra += [] if options.threads is None else ["--set", f"run.threads={options.threads}"]
    print(f"{'':7} {'method':14} {'space':8} {'cfl':>5} {'cells':>5} {'error':>9} {'order':>6} {'GB moved':>9} {'steps':>6} {'seconds':>9}")
    for (precision, method, space, cfl), meshes in lines_of(options):
        last = None
        for cells in meshes:
            row = known.get((precision, method, space, cfl, cells))
            if row is None or options.again:
                if time.monotonic() > end:
                    return rows
                error, moved, seconds, steps = run(options.tetrawave, method, space, cells, extra, options.problem, precision, cfl,
                                                   options.cpu_seconds)
                if row is None:
                    row = {"precision": precision, "method": method, "space": space, "cfl": cfl, "cells": cells, "error": error,
                           "bytes": moved, "seconds": seconds, "steps": steps}
                    rows.append(row)
                row["seconds"] = min(seconds, row["seconds"])
                if options.json:
                    options.json.write_text("[" + ",\n ".join(json.dumps(row) for row in rows) + "]\n")
            order = f"{order_between(last, (cells, row['error'])):6.2f}" if last else "      "
            print(f"{precision:7} {method:14} {space:8} {cfl or '':5} {cells:5} {row['error']:9.2e} {order} {row['bytes'] / 1e9:9.3f} "
                  f"{row['steps']:6} {row['seconds']:9.4f}", flush=True)
            last = (cells, row["error"])
            if row["seconds"] > options.most:
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
    parser.add_argument("--within", type=float, default=math.inf)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--spaces", nargs="+", choices=CELLS, default=list(CELLS))
    parser.add_argument("--precisions", nargs="+", choices=("double", "single"), default=["double"])
    parser.add_argument("--steps", nargs="+", type=float, metavar="LENGTH")
    parser.add_argument("--cpu-seconds", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--draw", nargs="+", type=Path, metavar="FILE")
    options = parser.parse_args()
    rows = [row for file in options.draw for row in json.loads(file.read_text())] if options.draw else measure(options)
    print_seconds_to(rows)
    if options.picture:
        draw(rows, options.picture)


if __name__ == "__main__":
    main()
