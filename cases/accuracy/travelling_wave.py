#!/usr/bin/env python3
"""Error and time of a plane wave over ten wavelengths, of leap-frog, fourth-order steps and DGTD-Upwind.

    travelling_wave.py [--tetrawave PROGRAM] [--only METHOD SPACE] [--cells N,..] [--cfl C,..]

Runs wave.yaml beside this script. The error is that of E and eta0 H at eight points over the last half period, relative
to the exact wave; the time is that of the march, without set-up (`march_seconds` of results.h5).
"""

import argparse
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

FOLDER = Path(__file__).resolve().parent
C0, ETA0 = 299792458.0, 376.730313668
METHODS = {"leap-frog": ("dgtd-central", 2), "fourth-order": ("dgtd-central", 4), "upwind": ("dgtd-upwind", 2)}
CELLS = {"full-2": (4, 6, 8), "full-3": (3, 4, 5), "full-4": (3, 4)}


def error_of(results):
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


def run(program, method, space, cells, cfl, options=()):
    """(error, seconds of the march, steps) of one mesh."""
    scheme, order = METHODS[method]
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out"
        command = [program, "run", FOLDER / "wave.yaml", "-o", out, "--quiet", *options]
        for setting in (f"mesh.box.cells=[{cells}, {cells}, {cells}]", f"method.scheme={scheme}", f"method.basis={space}",
                        f"method.time_order={order}", f"method.cfl={cfl}"):
            command += ["--set", setting]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{method} {space}: {done.stderr}")
        with h5py.File(out / "results.h5") as results:
            return error_of(results), float(results["performance"].attrs["march_seconds"]), int(results.attrs["steps"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tetrawave", default=FOLDER.parents[1] / "build" / "bin" / "tetrawave", type=Path)
    parser.add_argument("--only", nargs=2, metavar=("METHOD", "SPACE"))
    parser.add_argument("--cells", type=lambda text: [int(part) for part in text.split(",")])
    parser.add_argument("--cfl", type=lambda text: [float(part) for part in text.split(",")], default=[0.9])
    options = parser.parse_args()
    print(f"{'method':14} {'space':8} {'cells':>5} {'cfl':>6} {'error':>9} {'seconds':>8} {'steps':>7}")
    for method in METHODS:
        for space, meshes in CELLS.items():
            if options.only and (method, space) != tuple(options.only):
                continue
            for cells in options.cells or meshes:
                for cfl in options.cfl:
                    error, seconds, steps = run(options.tetrawave, method, space, cells, cfl)
                    print(f"{method:14} {space:8} {cells:5} {cfl:6.3g} {error:9.2e} {seconds:8.2f} {steps:7}", flush=True)


if __name__ == "__main__":
    main()
