"""Absorbing layers of ten cells reflect less than -50 dB up to 60 degrees; first-order absorbing faces by their law."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import h5py  # noqa: E402
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
