"""Measurements of cases/ that tools make from many runs, in their small forms: statics of the two papers, iterations of Kerr media, commands of a page."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("TETRAWAVE_PROGRAM", ""))
CAPACITANCE = 589.5959e-12  # F/m, boundary elements


def python(*words):
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)


@unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
class Papers(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)

    def statics(self, *words):
        done = python(ROOT / "tools/papers_statics.py", *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_papers_on_assembly_and_colours_have_all_their_numbers_on_coarse_meshes(self):
        meshes, file = self.place / "meshes", self.place / "cpu.json"
        self.statics("meshes", PROGRAM, meshes, "--small")
        self.statics("run", PROGRAM, "--meshes", meshes, "--json", file)
        found = json.loads(file.read_text(encoding="utf-8"))
        capacitor = found["capacitor"]
        self.assertEqual(len(capacitor), 2 * 4 * 2)
        for row in capacitor:
            self.assertLess(row["difference_to_serial"], 1e-10)
            self.assertAlmostEqual(row["capacitance_per_length"] / CAPACITANCE, 1, delta=2.5e-3 if row["order"] == 1 else 1e-4)
        sizes = {row["coloring"]: row for row in found["table_1"]}
        self.assertGreater(sizes["ccm"]["largest_over_mean"], 1.15)
        for name in ("fcm", "ofcm"):
            self.assertLessEqual(sizes[name]["largest_over_mean"], 1.15)
            self.assertEqual(sizes[name]["colors"], sizes["ccm"]["colors"])
        for row in found["table_2_errors"]:
            self.assertLess(row["error_percent"], 4.5)
        self.assertEqual({row["coloring"] for row in found["table_3"]}, {"ofcm", "fcm"})
        self.statics("draw", "-o", self.place / "paper", file)
        self.assertEqual(sorted(path.name for path in (self.place / "paper").iterdir()),
                         ["README.md", *(f"figure_{number}_cpu.png" for number in (10, 5, 8, 9))])
        self.assertIn("| ebe-v1 | 151 |", (self.place / "paper/README.md").read_text(encoding="utf-8"))

    def test_a_mesh_whose_triangles_are_cut_in_four_has_its_area_its_groups_and_a_better_capacitance(self):
        sys.path.insert(0, str(ROOT / "tools"))
        import papers_statics  # noqa: E402
        subprocess.run([PROGRAM, "mesh", ROOT / "cases/capacitor/case.yaml", "--set", "mesh.parameters.refine=2.8", "-o",
                        self.place / "capacitor_2.8.h5"], check=True, capture_output=True)
        papers_statics.cut_in_four(self.place / "capacitor_2.8.h5", self.place / "fine.h5")
        errors = []
        for name in ("capacitor_2.8", "fine"):
            subprocess.run([PROGRAM, "run", ROOT / "cases/capacitor/case.yaml", "-o", self.place / "out", "--overwrite", "--quiet", "--set",
                            f"mesh={{file: {self.place}/{name}.h5}}"], check=True)
            with h5py.File(self.place / "out/results.h5") as file:
                a, b, c = np.moveaxis(file["assembly_2d/nodes"][()][file["assembly_2d/triangles"][()]], 1, 0)
                area = 0.5 * np.abs((b - a)[:, 0] * (c - a)[:, 1] - (c - a)[:, 0] * (b - a)[:, 1]).sum()
                errors.append((area, len(a), file["assembly_2d"].attrs["capacitance_per_length"] / CAPACITANCE - 1))
        self.assertAlmostEqual(errors[1][0] / errors[0][0], 1, delta=1e-12)
        self.assertEqual(errors[1][1], 4 * errors[0][1])
        self.assertLess(errors[1][2], 0.4 * errors[0][2])

    def test_the_commands_of_a_page_run_as_they_stand_and_leave_what_they_print_and_their_figures(self):
        file = self.place / "pages.json"
        for more, wrong in (((), 0), (("--seconds", "0.05"), 1)):
            done = python(ROOT / "tools/page_runs.py", PROGRAM, "--json", file, "lossy_line:lossy_line\\.out", *more)
            self.assertEqual(done.returncode, wrong, done.stdout + done.stderr)
            run, reference = json.loads(file.read_text(encoding="utf-8"))["pages"]["lossy_line"]
            self.assertEqual(run["command"], "build/bin/tetrawave run cases/lossy_line/case.yaml -o lossy_line.out")
            self.assertEqual(run["exit_code"], -9 if wrong else 0)
            if not wrong:
                self.assertEqual((run["figures"]["elements"], run["threads"]), (1152, 1))
                self.assertRegex(reference["says"][0], r"^S11: largest deviation from the closed form 0\.000\d+ at")

    def test_newton_needs_few_iterations_and_the_plain_fixed_point_hundreds_in_a_strong_field(self):
        done = python(ROOT / "cases/kerr_coax/iterations.py", PROGRAM, "--tolerances", "1e-14", "--picture", self.place / "iterations.png")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue((self.place / "iterations.png").exists())


if __name__ == "__main__":
    unittest.main()
