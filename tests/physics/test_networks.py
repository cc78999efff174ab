"""The networks of the dissertation's chapter 4 on coarse meshes, each judged by its own reference.py; finer ones in slow_networks.py."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import test_cases

CASES, PROGRAM = test_cases.CASES, test_cases.PROGRAM
COARSE = {
    "parallel_plate_line": "mesh.parameters={size: 1.6, feed_size: 0.9}",
    "pcb_vias": "mesh.parameters={size: 1.4, via_size: 0.7}",
    "branch_line_coupler": "mesh.parameters={edge_size: 1, far_size: 5}",
    "patch_array": "mesh.parameters={feed_size: 1.2, edge_size: 8, far_size: 28, margin: 30, above: 40}",
    "fermi_antenna": "mesh.parameters={feed_size: 0.7, edge_size: 3, far_size: 12, slots: 0}",
}


@unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
class Networks(unittest.TestCase):
    run_case, run_seconds = test_cases.Cases.run_case, 600

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)

    def march(self, case, name, *settings, file="case.yaml", mesh=None):
        """Runs a case on the coarse mesh, or another, into a folder of this name."""
        words = [word for text in (mesh or COARSE[case], *settings) for word in ("--set", text)]
        self.run_case(f"{case}/{file}", self.place / name, *words)
        return self.place / name

    def judge(self, case, *outs, options=()):
        judged = subprocess.run([sys.executable, CASES / case / "reference.py", *outs, *options], capture_output=True, text=True, check=False)
        print(judged.stdout, end="")
        self.assertEqual(judged.returncode, 0, judged.stdout + judged.stderr)

    def test_a_coarse_parallel_plate_line_is_that_of_the_line_model_in_time_and_frequency_domain(self):
        case = "parallel_plate_line"
        self.judge(case, self.march(case, "time", "method.basis=full-1"), self.march(case, "frequency", file="frequency.yaml"),
                   options=("--tolerance", "0.25", "--between", "0.06"))

    def test_coarse_vias_are_symmetric_and_passive(self):
        self.judge("pcb_vias", self.march("pcb_vias", "frequency", file="frequency.yaml"))

    def test_a_coarse_branch_line_coupler_halves_the_power_with_90_degrees_between(self):
        self.judge("branch_line_coupler", self.march("branch_line_coupler", "frequency", "outputs.s_parameters.points=81", file="frequency.yaml"))

    def test_a_coarse_patch_array_is_resonant_where_its_cavity_with_the_magnetic_medium_is(self):
        self.judge("patch_array", self.march("patch_array", "frequency", "outputs.s_parameters.points=61", file="frequency.yaml"),
                   options=("--cavity", "0.07"))

    def test_the_fermi_antenna_fits_its_geometry(self):
        checked = subprocess.run([PROGRAM, "check", CASES / "fermi_antenna/case.yaml", "--set", COARSE["fermi_antenna"]], capture_output=True,
                                 text=True, timeout=600, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn("49.93 ohm", checked.stdout)


if __name__ == "__main__":
    unittest.main()
