#!/usr/bin/env python3
"""The stable step on good and on bad elements, for every scheme, and that it is sharp.

    bounds.py [--tetrawave PROGRAM] [--basis full-1]

For an even mesh, the graded mesh with improved elements and the graded mesh as the first triangulation leaves it: the
step limit that the program finds, over the inradius of the smallest element (in units of c0), and what becomes of 4000
steps 2 percent below and 2 percent above it. A scheme that this version lacks is left out.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

FOLDER = Path(__file__).resolve().parent
C0 = 299792458.0
MESHES = {"even": {"fine": 5, "improve": 1}, "graded, improved": {"improve": 1}, "graded, as triangulated": {}}
SCHEMES = ("dgtd-central", "dgtd-upwind", "dfdd-eld")
STEPS = 4000
UNSTABLE = 76


def smallest_inradius(path):
    """3 V/A of the tetrahedra [m]."""
    with h5py.File(path, "r") as file:
        corners = file["nodes"][()][file["tetrahedra"][()]]
    edges = corners[:, 1:] - corners[:, :1]
    volume = np.abs(np.linalg.det(edges)) / 6
    faces = [(0, 1), (1, 2), (2, 0)]
    area = sum(np.linalg.norm(np.cross(edges[:, a], edges[:, b]), axis=1) for a, b in faces) / 2
    area += np.linalg.norm(np.cross(edges[:, 1] - edges[:, 0], edges[:, 2] - edges[:, 0]), axis=1) / 2
    return (3 * volume / area).min()


class Program:
    def __init__(self, path, folder, settings):
        self.path, self.folder, self.settings = str(path), folder, settings

    def call(self, *words):
        command = [self.path, *map(str, words)]
        for setting in self.settings:
            command += ["--set", setting]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def stable_step(self):
        """Seconds; None when this version lacks what is asked for."""
        answer = self.call("check", FOLDER / "case.yaml", "--json")
        if "not available yet" in answer.stderr:
            return None
        if answer.returncode:
            sys.exit(answer.stderr)
        return json.loads(answer.stdout)["stable_step_s"]

    def fate(self, step_s):
        """What becomes of a march with this step: the largest energy over the first, or "unstable"."""
        out = self.folder / "run"
        answer = self.call("run", FOLDER / "case.yaml", "-o", out, "--overwrite", "--quiet", "--set", "method.allow_unstable=true",
                           "--set", f"method.time_step={step_s}", "--set", f"time={{steps: {STEPS}}}")
        if answer.returncode == UNSTABLE:
            return "unstable"
        if answer.returncode:
            sys.exit(answer.stderr)
        with h5py.File(out / "results.h5", "r") as file:
            energy = file["energy/total"][()]
        return f"energy {energy.max() / energy[0] - 1:+.0e}"


def main():
    parser = argparse.ArgumentParser(description="The stable step on good and bad elements, for every scheme.")
    parser.add_argument("--tetrawave", default=FOLDER.parents[1] / "build/bin/tetrawave", help="the program (default: %(default)s)")
    parser.add_argument("--basis", default="full-1", help="the space (default: %(default)s)")
    options = parser.parse_args()
    print("mesh                      scheme         stable step (ps)   c0 dt / r_in   at 0.98         at 1.02")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, parameters in MESHES.items():
            words = ", ".join(f"{key}: {value}" for key, value in parameters.items())
            mesh = folder / "mesh.h5"
            command = [str(options.tetrawave), "mesh", str(FOLDER / "case.yaml"), "-o", str(mesh), "--set",
                       f"mesh.parameters={{{words}}}"]
            subprocess.run(command, capture_output=True, check=True)
            for scheme in SCHEMES:
                settings = (f"mesh.parameters={{{words}}}", f"method.scheme={scheme}", f"method.basis={options.basis}")
                program = Program(options.tetrawave, folder, settings)
                step = program.stable_step()
                if step is None:
                    continue
                print(f"{name:<25} {scheme:<14} {step * 1e12:10.4f}         {C0 * step / smallest_inradius(mesh):8.3f}       "
                      f"{program.fate(0.98 * step):<15} {program.fate(1.02 * step)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
