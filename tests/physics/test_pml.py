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
    def test_what_grows_by_little_from_check_to_check_does_not_pass_without_a_word(self):
        """In flat layers of mixed-2 the energy grows by 1.75 in 100 steps once the pulse is gone."""
        text = slow_layers.CASE.format(scheme="dgtd-central", space="mixed-2", cfl=0.9, **{**slow_layers.LONG, "end": "end: 21 ns"})
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            (folder / "case.yaml").write_text(text, encoding="utf-8")
            run = subprocess.run([PROGRAM, "run", "case.yaml", "-o", "out", "--quiet"], cwd=folder, capture_output=True, text=True,
                                 timeout=300, check=False)
            if run.returncode == 76:
                self.assertIn("though no source acts any more; worst is element", run.stderr)
                self.assertIn("in region 'box.pml'", run.stderr)
                return
            self.assertEqual(run.returncode, 0, run.stderr)
            with h5py.File(folder / "out/results.h5") as file:
                energy = file["energy/total"][()]
        self.assertLess(energy[-1], energy.max() / 10)


if __name__ == "__main__":
    unittest.main()
