"""Lumped ports with an inductance in an array: those of its plain mesh, where every port has a face group of its own."""

import itertools
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

PROGRAM = Path(os.environ.get("TETRAWAVE_PROGRAM", ""))
CELLS = (12, 12, 4)  # of 5 mm; the antenna cell has those from 4 to 7 along x and y
FLOOR, OUTSIDE, PLATE, PATCH = range(4)
CASE = """\
array: {unit_cells: cells.h5, size: [2, 1]}
materials: {air: {}}
regions: {air: air}
boundaries: {pec: [floor, plate], absorbing: [outside]}
ports:
  - {name: p, boundary: patch, type: lumped, resistance: 50 ohm, inductance: 5 nH, direction: [0, 0, 1], excite: {waveform: pulse}}
waveforms: {pulse: {type: modulated-gaussian, frequency: 3 GHz, bandwidth: 4 GHz}}
method: {basis: mixed-1}
time: {steps: 300}
outputs: {probes: [{name: above, point: [25 mm, 30 mm, 15 mm]}]}
run: {threads: 1}
"""


def node(place):
    return (place[0] * (CELLS[1] + 1) + place[1]) * (CELLS[2] + 1) + place[2]


def tetrahedra():
    """Kuhn's six of every cell, and whether the cell is the antenna's."""
    for cell in itertools.product(*map(range, CELLS)):
        for path in itertools.permutations(range(3)):
            place, corners = list(cell), [node(cell)]
            for axis in path:
                place[axis] += 1
                corners.append(node(place))
            yield corners, int(4 <= cell[0] < 8 and 4 <= cell[1] < 8)


def squares():
    """Axis, place along it, low corner in the plane, and group of every named square."""
    for i, j in itertools.product(range(CELLS[0]), range(CELLS[1])):
        yield 2, 0, (i, j), FLOOR
        yield 2, CELLS[2], (i, j), OUTSIDE
    for axis in (0, 1):
        for u, k in itertools.product(range(CELLS[1 - axis]), range(CELLS[2])):
            yield axis, 0, (u, k), OUTSIDE
            yield axis, CELLS[axis], (u, k), OUTSIDE
    for i, j in itertools.product((5, 6), (5, 6)):
        yield 2, 2, (i, j), PLATE
    for j, k in itertools.product((5, 6), (0, 1)):
        yield 0, 6, (j, k), PATCH


def triangles():
    for axis, place, low, group in squares():
        first, second = (other for other in range(3) if other != axis)
        for middle in ((1, 0), (0, 1)):
            corners = []
            for step in ((0, 0), middle, (1, 1)):
                at = [place] * 3
                at[first], at[second] = low[0] + step[0], low[1] + step[1]
                corners.append(node(at))
            yield corners, group


def write_mesh(path):
    elements, regions = zip(*tetrahedra())
    faces, groups = zip(*triangles())
    with h5py.File(path, "w") as file:
        file.attrs["format"] = np.bytes_("tetrawave-mesh")
        file.attrs["version"] = np.int64(1)
        file.attrs["units"] = np.bytes_("m")
        file["nodes"] = 5e-3 * np.array(list(itertools.product(*(range(n + 1) for n in CELLS))), dtype=float)
        file["tetrahedra"] = np.array(elements, dtype=np.int64)
        file["region"] = np.array(regions, dtype=np.int32)
        file["region_names"] = np.array([b"air", b"cell.air"])
        file["faces"] = np.array(faces, dtype=np.int64)
        file["face_group"] = np.array(groups, dtype=np.int32)
        file["group_names"] = np.array([b"floor", b"outside", b"plate", b"patch"])


class ReactivePortsOfArrays(unittest.TestCase):
    def run_case(self, name, *changes):
        command = [PROGRAM, "run", "case.yaml", "-o", name, "--quiet"]
        for change in changes:
            command += ["--set", change]
        run = subprocess.run(command, cwd=self.place, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        with h5py.File(self.place / name / "results.h5", "r") as file:
            return [file[path][()] for path in ("ports/p/voltage", "ports/p/current", "probes/above/E")]

    def test_copies_of_a_port_with_an_inductance_are_ports_of_their_own(self):
        self.place = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)
        write_mesh(self.place / "cells.h5")
        (self.place / "case.yaml").write_text(CASE, encoding="utf-8")
        array = self.run_case("array")
        plain = self.run_case("plain", "array.explicit=true")
        for found, wanted in zip(array, plain):
            self.assertGreater(np.abs(wanted).max(), 0)
            np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9 * np.abs(wanted).max())


if __name__ == "__main__":
    unittest.main()
