"""Cases of mode frequency-domain in the guide of guide.py and in boxes, for the tests of this folder."""

import itertools
import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import meshes  # noqa: E402

ETA0 = 376.730313668
TEM = "{{name: {name}, boundary: {face}, type: tem, signal: y1{more}}}"
FRONT = TEM.format(name="front", face="z0", more=", excite: {}")
BACK = TEM.format(name="back", face="z1", more="")
LINE_M, CELLS = 0.020, 8


def plates(ports, boundaries="", basis="mixed-2", frequency="{start: 1 GHz, stop: 8 GHz, points: 8}", materials="air: {}",
           regions="feed: air", outputs="", s="{}", mesh="{file: guide.h5}"):
    """A case of the guide between plates; without S where `s` is empty."""
    outputs = ", ".join(([f"s_parameters: {s}"] if s else []) + ([outputs] if outputs else []))
    return f"""
mode: frequency-domain
mesh: {mesh}
materials: {{{materials}}}
regions: {{{regions}}}
boundaries: {{{boundaries or 'pec: [y0, y1], pmc: [x0, x1]'}}}
ports: [{', '.join(ports)}]
method: {{basis: {basis}}}
frequency: {frequency}
solver: {{method: direct}}
outputs: {{{outputs}}}
run: {{threads: 1}}
"""


def run_line(test, text, sheet=False):
    """On LINE_M of the guide, with the group sheet in its middle."""
    z = guide.planes((LINE_M, CELLS))
    return guide.run(test, text, prepare=lambda folder: guide.write_mesh(
        folder / "guide.h5", z, LINE_M / CELLS, sheet=CELLS // 2 if sheet else None))


def phasors(results):
    """omega, S."""
    return 2 * np.pi * results["s_parameters/frequency"], results["s_parameters/S"]


def write_box(path, size, cells, region_of=lambda points: 0, regions=("air",)):
    """A box in metres with the groups x0 to z1."""
    data = meshes.build(cells, lambda p: [size[i] * p[i] / cells[i] for i in range(3)],
                        [("x0", "x1"), ("y0", "y1"), ("z0", "z1")], region_of=region_of, regions=regions)
    meshes.write(path, data)


def write_part(path, elements, place, group_of, groups, region_of=lambda element: 0, regions=("air",), inner_group_of=lambda face: None):
    """The tetrahedra of a grid that are left, each of its outer faces in the group of that number, others too where they have one."""
    number = {point: n for n, point in enumerate(sorted({point for element in elements for point in element}))}
    uses = {}
    for element in elements:
        for face in itertools.combinations(element, 3):
            uses.setdefault(frozenset(face), []).append(face)
    grouped = [(found[0], (group_of if len(found) == 1 else inner_group_of)(found[0])) for found in uses.values()]
    faces = [face for face, group in grouped if group is not None]
    meshes.write(path, {
        "nodes": np.array([place(point) for point in number], float),
        "tetrahedra": np.array([[number[p] for p in element] for element in elements], np.int64),
        "region": np.array([region_of(element) for element in elements], np.int32), "region_names": np.array(regions, "S"),
        "faces": np.array([[number[p] for p in face] for face in faces], np.int64),
        "face_group": np.array([group for _, group in grouped if group is not None], np.int32), "group_names": np.array(groups, "S")})


class Checks(unittest.TestCase):
    def near(self, what, pairs, tolerance):
        """Every found one of the pairs is near the wanted."""
        deviations = [np.abs(found - wanted).max() for found, wanted in pairs]
        print(f"{what}: within " + ", ".join(f"{deviation:.1e}" for deviation in deviations))
        self.assertLess(max(deviations), tolerance, what)
