"""The Kerr cases as users run them, each judged by its own reference.py: minutes on two cores."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CASES = Path(__file__).resolve().parents[2] / "cases"
PROGRAM = Path(os.environ.get("TETRAWAVE_PROGRAM", ""))


@unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
class KerrCases(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)

    def march(self, case, name, *options):
        out = self.place / name
        run = subprocess.run([PROGRAM, "run", CASES / case, "-o", out, "--quiet", *options], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        return out

    def judge(self, folder, *words):
        judged = subprocess.run([sys.executable, CASES / folder / "reference.py", *words], capture_output=True, text=True, check=False)
        print(f"{folder}:\n{judged.stdout}", end="")
        self.assertEqual(judged.returncode, 0, judged.stdout + judged.stderr)

    def test_the_wave_behind_the_coaxial_line_is_that_of_the_fine_grid(self):
        self.judge("kerr_coax", self.march("kerr_coax/wedge.yaml", "kerr"), "--tolerance", "0.01")

    def test_a_beam_in_the_kerr_medium_is_stronger_on_its_axis(self):
        linear = self.march("self_focusing/case.yaml", "linear", "--set", "materials.kerr.kerr.chi3=0")
        self.judge("self_focusing", self.march("self_focusing/case.yaml", "kerr"), linear)

    def test_pump_signal_and_idler_are_coupled_amplitudes(self):
        linear = self.march("photonic_amplifier/case.yaml", "linear", "--set", "materials.nonlinear.kerr.chi3=0")
        self.judge("photonic_amplifier", self.march("photonic_amplifier/case.yaml", "kerr"), linear)


if __name__ == "__main__":
    unittest.main()
