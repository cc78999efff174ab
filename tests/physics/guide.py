"""A guide for plane waves as a mesh, and runs of the program on it, for the tests of this folder.

PEC plates (y) and PMC sides (x) fit E_y and H_x of a plane wave; the ends are z0 and z1.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tools"), str(ROOT / "tests" / "bad_input")]
import meshes  # noqa: E402

SCHEMES = ("dgtd-central", "dgtd-upwind", "dfdd-eld")


def write_mesh(path, z, width, slab=None, sheet=None):
    """Planes at z [m], cells `width` wide, 2 across; cells from plane slab[0] to slab[1] are the region slab, others
    feed; the faces on the plane number `sheet` are the group sheet."""
    def region_of(points):
        return int(slab is not None and slab[0] <= min(p[2] for p in points) and max(p[2] for p in points) <= slab[1])

    data = meshes.build((2, 2, len(z) - 1), lambda p: [p[0] * width, p[1] * width, z[p[2]]],
                        [("x0", "x1"), ("y0", "y1"), ("z0", "z1")], region_of=region_of,
                        regions=("feed", "slab") if slab else ("feed",), inner=None if sheet is None else (2, sheet, "sheet"))
    meshes.write(path, data)


def run(test, text, *options, prepare=lambda folder: None, ranks=1):
    """Runs the case `text` on `ranks` ranks and returns the open results.h5 in memory; skips what this version lacks."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        prepare(folder)
        (folder / "case.yaml").write_text(text, encoding="utf-8")
        launch = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
        command = launch + [os.environ["TETRAWAVE_PROGRAM"], "run", "case.yaml", "-o", "out", "--quiet", *options]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode == 78 and "not available yet in this version" in done.stderr:
            test.skipTest("not available yet: " + done.stderr.splitlines()[0])
        test.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(folder / "out" / "results.h5", "r") as file:
            results = Results({name: file[name][()] for name in names_of(file)})
            results.attributes = dict(file["performance"].attrs)
            results.mode = file.attrs["mode"]
            results.far_attributes = {name: dict(group.attrs) for name, group in file.get("far_field", {}).items()}
            results.port_attributes = {name: dict(port.attrs) for name, port in file.get("ports", {}).items()}
            results.s_attributes = dict(file["s_parameters"].attrs) if "s_parameters" in file else {}
            results.touchstone = "".join(path.read_text(encoding="utf-8") for path in (folder / "out").glob("sparameters.*"))
            results.warnings = done.stderr
            return results


class Results(dict):
    """Data sets by their path; `attributes`: those of /performance; `port_attributes`: those of ports by name; `far_attributes`: those of far fields by hertz; `s_attributes`: those of S; `touchstone`: that file; `mode`; `warnings`: what the run said."""


def names_of(file):
    names = []
    file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
    return names


def planes(*stretches):
    """Planes of stretches (length, cells) in a row."""
    z = [0.0]
    for length, cells in stretches:
        z += list(z[-1] + length * np.arange(1, cells + 1) / cells)
    return z


def add_tests(cases, check, names, schemes=SCHEMES):
    """Adds a test to the class `cases` for each name and scheme, which calls check(test, name, scheme)."""
    def make(name, scheme):
        return lambda test: check(test, name, scheme)

    for name in names:
        for scheme in schemes:
            setattr(cases, f"test_{name}_{scheme.replace('-', '_')}", make(name, scheme))
