#!/usr/bin/env python3
"""Residuals over iterations of one step of iterations.yaml, as the dissertation's figure 5.2: Newton and fixed-point.

    iterations.py build/bin/tetrawave [--tolerances 1e-1 1e-2 ..] [--json FILE] [--picture FILE]

chi3 0.055 and 7.27 m^2/V^2 in a field of 1 V/m: eps_r 1.055 and 8.27 as in the coaxial line and in the beam. The iterations that
the program needs in its worst element for each tolerance, |r| <= tolerance |M D|. `averaged`: eps at the mean of the old and the
new field, as the dissertation has it; its fixed point is plain, ours (eps at the new field) relaxed. Exit code 1 unless Newton's
iteration needs 7 or fewer for every tolerance, the relaxed fixed point at most the halvings of the residual, 1/2 being its
factor in strong fields, and three more, and the plain one, whose factor is s/(1 + s), most of all where s = chi3 E^2 is 7.27.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py

CASE = Path(__file__).resolve().parent / "iterations.yaml"
MEDIA = (0.055, 7.27)
METHODS = {"newton": "iteration: newton", "fixed point, relaxed": "iteration: fixed-point",
           "newton, averaged": "iteration: newton, residual: averaged", "fixed point, plain, averaged": "iteration: fixed-point, residual: averaged"}
TOLERANCES = [10.0**-k for k in range(1, 15)]


def iterations(program, folder, chi3, method, tolerance):
    settings = [f"materials.kerr.kerr.chi3={chi3}", f"method.kerr={{{method}, tolerance: {tolerance}, max_iterations: 1000}}", "run.threads=1"]
    subprocess.run([program, "run", CASE, "-o", folder, "--overwrite", "--quiet", "--backend", "cpu", *(word for text in settings for word in ("--set", text))],
                   check=True)
    with h5py.File(folder / "results.h5") as file:
        return int(file["performance"].attrs["most_nonlinear_iterations"])


def measure(program, tolerances):
    with tempfile.TemporaryDirectory() as place:
        return [{"chi3": chi3, "method": name, "tolerance": tolerance, "iterations": iterations(program, Path(place) / "out", chi3, method, tolerance)}
                for chi3 in MEDIA for name, method in METHODS.items() for tolerance in tolerances]


def is_good(rows):
    most = {(row["chi3"], row["method"], row["tolerance"]): row["iterations"] for row in rows}
    newton = all(count <= 7 for (_, name, _), count in most.items() if name.startswith("newton"))
    relaxed = all(count <= math.ceil(-math.log2(tolerance)) + 3 for (_, name, tolerance), count in most.items() if "relaxed" in name)
    finest = min(row["tolerance"] for row in rows)
    plain = most[7.27, "fixed point, plain, averaged", finest]
    return newton and relaxed and all(plain > count for (chi3, name, _), count in most.items() if (chi3, name) != (7.27, "fixed point, plain, averaged"))


def draw(rows, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", sharey=True)
    for axes, chi3 in zip(panels, MEDIA):
        for name, color, marker in zip(METHODS, ("#0072B2", "#009E73", "#56B4E9", "#D55E00"), "os^v"):
            points = [(row["iterations"], row["tolerance"]) for row in rows if (row["chi3"], row["method"]) == (chi3, name)]
            axes.loglog(*zip(*points), marker=marker, markersize=4, color=color, label=name)
        axes.set(xlabel="iterations of the worst element", title=f"eps_r up to about {1 + chi3:g}")
        axes.grid(True, color="#D5D5D5", linewidth=0.6)
    panels[0].set(ylabel="residual over density")
    panels[0].legend(fontsize=8, loc="lower left")
    figure.savefig(file, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--tolerances", type=float, nargs="+", default=TOLERANCES)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    rows = measure(options.program, options.tolerances)
    for chi3 in MEDIA:
        for name in METHODS:
            print(f"chi3 {chi3:5}, {name:28}: " + " ".join(str(row["iterations"]) for row in rows if (row["chi3"], row["method"]) == (chi3, name)))
    if options.json:
        info = subprocess.run([options.program, "info"], check=True, capture_output=True, text=True).stdout.splitlines()
        options.json.write_text(json.dumps({"machine": info, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    if options.picture:
        draw(rows, options.picture)
    return 0 if is_good(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
