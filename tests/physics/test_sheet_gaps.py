"""A gap of 1 mm in the middle of a strip of thin metal, in a box: what coarse elements across it shift, and what is told of that."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
from grids import write_grid  # noqa: E402

GAP_HZ = 2.614e9  # within 0.2 %: mixed-2 from below, full-1 from above, 0.15 mm at all edges
CASE = """\
mode: eigenmode
mesh: {file: gap.h5}
materials: {air: {}}
regions: {air: air}
boundaries: {pec: [strip, walls]}
method: {basis: BASIS}
solver: {method: direct}
eigenmode: {target: 2.1 GHz, count: 1}
run: {threads: 1}
"""


def write_mesh(path, size):
    """Elements of `size` [mm], one across the gap; a strip of 8 mm in a box of 20 x 10 x 50 mm."""
    def steps(*ends):
        planes = [ends[0]]
        for end in ends[1:]:
            planes += list(np.linspace(planes[-1], end, max(1, round((end - planes[-1]) / size)) + 1)[1:])
        return np.array(planes)

    x, y, z = steps(-10, -4, 4, 10), steps(0, 5, 10), steps(0, 24.5, 25.5, 50)
    random, places = np.random.default_rng(3), {}

    def place(point):
        at = np.array([x[point[0]], y[point[1]], z[point[2]]])
        for axis, planes in enumerate((x, y, z)):
            is_held = point[axis] in (0, len(planes) - 1) or (abs(at[0]) <= 4 and at[1] == 5) or (axis == 1 and at[1] == 5)
            if not is_held:
                near = min(planes[point[axis] + 1] - planes[point[axis]], planes[point[axis]] - planes[point[axis] - 1])
                at[axis] += 0.2 * near * random.uniform(-1, 1)
        return places.setdefault(point, 1e-3 * at)

    def group_of(middle, axis, is_outer):
        if is_outer:
            return "walls"
        at = [np.interp(middle[k], np.arange(len(planes)), planes) for k, planes in enumerate((x, y, z))]
        return "strip" if axis == 1 and at[1] == 5 and abs(at[0]) < 4 and abs(at[2] - 25) > 0.5 else None

    write_grid(path, (len(x) - 1, len(y) - 1, len(z) - 1), place, lambda place: "air", group_of)


class GapsOfSheets(unittest.TestCase):
    def test_the_shift_is_told_within_a_factor_of_two(self):
        for basis, size in (("mixed-1", 4), ("mixed-1", 2), ("full-1", 4), ("full-1", 2), ("mixed-2", 4), ("mixed-2", 2), ("full-2", 4)):
            results = guide.run(self, CASE.replace("BASIS", basis), prepare=lambda folder, size=size: write_mesh(folder / "gap.h5", size))
            low = 100 * (1 - results["eigenmodes/frequency"].real[0] / GAP_HZ)
            told = re.search(r"gaps between edges of metal .* low by about ([\d.]+) percent", results.warnings)
            print(f"gap between sheets, {basis}, {size} mm: low by {low:.2f} %, {told and told[1]} told")
            with self.subTest(basis=basis, size=size):
                self.assertIsNotNone(told, results.warnings)
                self.assertLess(abs(np.log2(float(told[1]) / low)), 1)

    def test_check_reports_what_is_told_while_it_sets_up(self):
        with tempfile.TemporaryDirectory() as place:
            write_mesh(Path(place, "gap.h5"), 4)
            march = CASE.replace("mode: eigenmode", "mode: time-domain").replace("solver: {method: direct}\n", "")
            march = march.replace("eigenmode: {target: 2.1 GHz, count: 1}", "time: {steps: 4}")
            for text in (CASE, march):
                Path(place, "case.yaml").write_text(text.replace("BASIS", "mixed-1"), encoding="utf-8")
                check = subprocess.run([os.environ["TETRAWAVE_PROGRAM"], "check", "case.yaml", "--json"], cwd=place, capture_output=True,
                                       text=True, check=False)
                self.assertEqual(check.returncode, 0, check.stderr)
                warnings = json.loads(check.stdout)["warnings"]
                for told in ("gaps between edges of metal are bridged by", "its strips are "):
                    self.assertEqual(sum(told in warning for warning in warnings), 1, warnings)


if __name__ == "__main__":
    unittest.main()
