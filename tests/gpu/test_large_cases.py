"""large_cases.py in its small form: figures are those of its runs, a case that fails stops no other, a stopped march goes on."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PROGRAM = Path(os.environ.get("TETRAWAVE_PROGRAM", ""))


@unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
class LargeCases(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def script(self, name, *words):
        return subprocess.run([sys.executable, FOLDER / name, PROGRAM, *words], capture_output=True, text=True, timeout=600, check=False)

    def pack(self, *names):
        made = self.script("large_meshes.py", self.folder / "packed", "--small", *names)
        self.assertEqual(made.returncode, 0, made.stderr)

    def run_cases(self, *words):
        ended = self.script("large_cases.py", "--meshes", self.folder / "packed", "-o", self.folder / "out", "--backend", "cpu", "--small",
                            *words)
        report = json.loads((self.folder / "out/large_cases.json").read_text(encoding="utf-8"))
        return ended, report["cases"]

    def test_an_array_too_large_for_one_device_takes_all_and_a_failed_case_stops_no_other(self):
        self.pack("monopole_cells")
        ended, cases = self.run_cases("--gpus", "2", "--device-gib", "0.001", "vivaldi_40", "monopole_320", "far_field")
        self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)
        self.assertFalse(cases["vivaldi_40"]["passed"])
        self.assertIn("vivaldi_cells.h5.xz is missing", cases["vivaldi_40"]["error"])
        array, far = cases["monopole_320"], cases["far_field"]
        self.assertTrue(array["passed"] and far["passed"], ended.stdout)
        self.assertEqual([array["figures"]["ranks"], array["runs"][0]["ranks"]], [2, 2])
        for run in array["runs"] + far["runs"]:
            self.assertEqual(run["steps_done"], run["steps"])
            self.assertEqual(run["elements"], run["predicted"]["elements"])
            self.assertAlmostEqual(run["predicted"]["device_bytes"] / run["device_memory_bytes"], 1, delta=0.001)
            self.assertAlmostEqual(run["ms_per_step"] * run["steps"], 1e3 * run["march_seconds"], delta=1e-6 * run["march_seconds"])
        plain, sums = (run["ms_per_step"] for run in far["runs"])
        self.assertEqual(far["figures"]["with_sums_over_without"], sums / plain)
        again = self.run_cases("far_field")[0]
        self.assertIn("passed before: far_field", again.stdout)

    def test_pulses_that_were_stopped_go_on_to_their_end(self):
        self.pack("photonic_amplifier")
        ended, cases = self.run_cases("--march-seconds", "0.02", "amplifier_pulses")
        self.assertEqual(ended.returncode, 75, ended.stdout + ended.stderr)
        before = cases["amplifier_pulses"]["runs"]
        for run in before:  # a march of 12,000 steps is not done in a tenth of a second by any machine
            self.assertLess(run["steps_done"], run["steps"])
        ended, cases = self.run_cases("--march-seconds", "300", "amplifier_pulses")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        after = cases["amplifier_pulses"]
        for first, last in zip(before, after["runs"]):
            self.assertEqual(last["steps_done"], last["steps"])
            self.assertGreater(last["march_seconds"], first["march_seconds"])
        self.assertGreater(after["runs"][0]["largest_eps_r"], 12.2)
        self.assertEqual(after["figures"]["reached_ps"], [after["figures"]["whole_ps"]] * 2)
        self.assertGreater(abs(after["figures"]["idler_gain_db"]), 0.01)

    def test_a_run_asked_for_alone_needs_no_mesh_of_the_others(self):
        self.pack("horn_2d_0.3")
        ended, cases = self.run_cases("plane_tables", "--only", "horn_2d_0.3, factors")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertEqual(list(cases["plane_tables"]["figures"]), ["horn_2d_0.3, factors"])
        self.assertEqual([run["dofs"] for run in cases["plane_tables"]["runs"]], [cases["plane_tables"]["figures"]["horn_2d_0.3, factors"]["dofs"]])


if __name__ == "__main__":
    unittest.main()
