"""Absorbing layers of ten cells reflect less than -50 dB up to 60 degrees; first-order absorbing faces by their law,
and in media that they do not match what a run warns of."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import slow_layers  # noqa: E402
from reflection import Guide, law  # noqa: E402

PROGRAM = os.environ.get("TETRAWAVE_PROGRAM", "tetrawave")


class AbsorbingLayers(unittest.TestCase):
    def check(self, angle, wavelength, basis, scheme, ends=("pml",), wide=1):
        found = Guide(angle, wavelength, basis, scheme, wide).reflections(PROGRAM, ends)
        print(f"{scheme}, {basis}, {angle} degrees: " + ", ".join(f"{x:.1f} dB" for x in found))
        self.assertLess(found[0], -50)
        if len(ends) > 1:
            self.assertAlmostEqual(found[1], law(angle), delta=2.5)  # the packet holds angles around

    def test_normal_incidence(self):
        self.check(0, 20, "full-1", "dgtd-central")

    def test_central_at_60_degrees(self):
        self.check(60, 10, "mixed-2", "dgtd-central", ("pml", "absorbing"))

    def test_upwind_at_45_degrees(self):
        self.check(45, 10, "mixed-2", "dgtd-upwind")

    def test_second_order_scheme_at_normal_incidence(self):
        self.check(0, 20, "full-1", "dfdd-eld")

    def test_brakes_of_flat_elements_at_60_degrees(self):
        self.check(60, 10, "mixed-2", "dgtd-central", wide=2)


class AbsorbingFaces(unittest.TestCase):
    """Behind 10 mm of a medium: what a run warns of is what the wall reflects, by S11 of the air before the medium."""

    CASE = """
mode: {mode}
mesh: {{file: guide.h5}}
materials: {{air: {{}}, medium: {{{medium}}}}}
regions: {{feed: air, slab: medium}}
boundaries: {{pec: [y0, y1], pmc: [x0, x1], absorbing: [z1]}}
ports: [{{name: one, boundary: z0, type: tem, signal: y1, reference_plane: 0.004, excite: {{waveform: pulse}}}}]
waveforms: {{pulse: {{type: gaussian, width: 30 ps}}}}
method: {{basis: mixed-2}}
outputs: {{s_parameters: {{start: 1 GHz, stop: 4 GHz, points: 4}}}}
run: {{threads: 1}}
"""

    def reflected(self, mode, medium, eps):
        """What run says, and what S11 does at the lowest frequency."""
        text = self.CASE.format(mode=mode, medium=medium) + ("" if mode == "frequency-domain" else "time: {end: 1.5 ns}\n")
        found = guide.run(self, text, prepare=lambda folder: guide.write_mesh(folder / "guide.h5", np.arange(15) * 1e-3, 1e-3, slab=(4, 14)))
        said = re.search(r"wall of region 'slab' reflects ([0-9.e-]+) of a wave", found.warnings)
        index = np.sqrt(eps)
        first, s11 = (1 - index) / (1 + index), found["s_parameters/S"][0, 0, 0]
        there_and_back = np.exp(-2j * 2 * np.pi * 1e9 / 299792458 * index * 0.01)
        wall = abs((s11 - first) / (1 - first * s11) / there_and_back)
        print(f"{mode}, {medium}: {said and said[1]} said, {wall:.4f} reflected")
        return said and float(said[1]), wall

    def check(self, mode, medium, eps):
        said, wall = self.reflected(mode, medium, eps)
        self.assertIsNotNone(said)
        self.assertAlmostEqual(said, wall, delta=0.05 * wall + 0.002)

    def test_axes(self):
        for mode in ("time-domain", "frequency-domain"):
            self.check(mode, "eps_r: [6, 6, 2]", 6)

    def test_losses_and_dispersion_in_the_time_domain(self):
        medium = "eps_r: 4, sigma: 0.05, electric_dispersion: [{model: debye, delta: 4, tau: 10 ps}]"
        eps = 4 + 4 / (1 + 2j * np.pi * 1e9 * 10e-12) + 0.05 / (2j * np.pi * 1e9 * 8.8541878e-12)
        self.check("time-domain", medium, eps)
        self.check("fetd", medium, eps)
        said, wall = self.reflected("frequency-domain", medium, eps)
        self.assertIsNone(said)
        self.assertLess(wall, 1e-3)


class Growth(unittest.TestCase):
    """A column one cell wide with eight cells of layer, 3.75 mm thick, once the pulse is gone."""

    def march(self, scheme, space, width, time):
        box = {"size": f"[{width}, {1.07 * width}, 11.25]", "cells": "[1, 1, 1]", "place": f"[{width / 3}, {width / 2}, 5]"}
        text = slow_layers.CASE.format(scheme=scheme, space=space, cfl=0.9, end=f"end: {time}", **box)
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            (folder / "case.yaml").write_text(text, encoding="utf-8")
            run = subprocess.run([PROGRAM, "run", "case.yaml", "-o", "out", "--quiet"], cwd=folder, capture_output=True, text=True,
                                 timeout=300, check=False)
            if run.returncode:
                return run, None
            with h5py.File(folder / "out/results.h5") as file:
                return run, file["energy/total"][()]

    def check(self, scheme, space, width):
        run, energy = self.march(scheme, space, width, "14 ns")
        self.assertEqual(run.returncode, 0, run.stderr)
        print(f"{scheme}, {space}, {width} mm: {energy[-1] / energy.max():.1e} of the energy is left")
        self.assertLess(energy[-1], energy.max() / 10)
        self.assertLess(energy[-1], energy[energy.size * 2 // 3] * (1 + 1e-6))

    def test_mixed_2_with_cells_three_times_as_wide_as_thick(self):
        self.check("dgtd-central", "mixed-2", 13)

    def test_mixed_1_with_cells_seven_times_as_wide(self):
        self.check("dgtd-central", "mixed-1", 26)

    def test_second_order_scheme_with_cells_seven_times_as_wide(self):
        self.check("dfdd-eld", "full-2", 26)

    def test_what_cannot_be_damped_ends_with_a_word_that_helps(self):
        """Cells 27 times as wide as thick."""
        run, _ = self.march("dgtd-central", "mixed-2", 100, "14 ns")
        self.assertEqual(run.returncode, 76, run.stderr)
        self.assertIn("worst is element", run.stderr)
        self.assertIn("in region 'box.pml'", run.stderr)
        self.assertIn("a lower one does not help, absorbing layers grow where their elements are many times wider than thick", run.stderr)
        self.assertNotIn("method.cfl", run.stderr)


if __name__ == "__main__":
    unittest.main()
