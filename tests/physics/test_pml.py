"""Absorbing layers of ten cells reflect less than -50 dB up to 60 degrees; first-order absorbing faces by their law."""

import os
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
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


if __name__ == "__main__":
    unittest.main()
