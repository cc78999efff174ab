"""A small array of monopoles: as a plain mesh, on several ranks, resumed, and what its S-parameters must be."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

CASE = Path(__file__).resolve().parents[2] / "cases" / "monopole_array" / "case.yaml"
PROGRAM = Path(os.environ.get("TETRAWAVE_PROGRAM", ""))
COARSE = {"near_size": 2, "far_size": 8, "margin": 8, "above": 6}
STEPS = 300


def datasets(path):
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
    return found


@unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
class Array(unittest.TestCase):
    def setUp(self):
        self.place = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)
        text = CASE.read_text(encoding="utf-8").replace("cells.geo", str(CASE.with_name("cells.geo")))
        text = text.replace("time: {end: 30 ns}", f"time: {{steps: {STEPS}}}")
        text += "  probes: [{name: above, point: [3, 4, 12]}]\n"
        (self.place / "case.yaml").write_text(text, encoding="utf-8")

    def run_case(self, name, *changes, ranks=1, options=(), exit_code=0):
        out = self.place / name
        command = [PROGRAM, "run", "case.yaml", "-o", out, "--quiet", "--set", "run.threads=1", *options]
        for change in [*(f"array.parameters.{key}={value}" for key, value in COARSE.items()), *changes]:
            command += ["--set", change]
        if ranks > 1:
            command = ["mpirun", "--oversubscribe", "-n", str(ranks), *command]
        run = subprocess.run(command, cwd=self.place, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(run.returncode, exit_code, run.stderr)
        return run.stderr if exit_code else datasets(out / "results.h5")

    def assert_alike(self, one, other, tolerance):
        self.assertEqual(set(one), set(other))
        for name, values in one.items():
            if values.dtype.kind not in "fc" or name.endswith("axial_ratio"):
                continue
            largest = np.nanmax(np.abs(values))
            self.assertLessEqual(np.nanmax(np.abs(values - other[name])), tolerance * largest, name)
            np.testing.assert_array_equal(np.isnan(values), np.isnan(other[name]))

    def check_active_table(self, run):
        lines = (self.place / "array" / "active_p.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], "frequency_Hz,i,j,active_re,active_im,active_dB")
        active = run["s_parameters/active/p"]
        driven = [(f, i, j) for f in range(active.shape[0]) for i in range(3) for j in range(2) if (i, j) != (1, 0)]
        self.assertEqual(len(lines) - 1, len(driven))
        for line, (f, i, j) in zip(lines[1:], driven):
            hertz, *cell, real, imag, decibels = (float(number) for number in line.split(","))
            self.assertEqual(cell, [i, j])
            self.assertAlmostEqual(hertz, run["s_parameters/frequency"][f], delta=1e-3)
            self.assertAlmostEqual(abs(complex(real, imag) - active[f, i, j]), 0, delta=1e-8)
            self.assertAlmostEqual(decibels, 20 * np.log10(abs(active[f, i, j])), delta=1e-5)

    SCANNED = ("array.size=[3,2]", "array.scan.theta=40", "array.scan.phi=25",
               "array.excitation.amplitude=[1, 0.5, 0, 1, 2, 1]")

    def test_an_array_is_its_plain_mesh_on_any_number_of_ranks(self):
        array = self.run_case("array", *self.SCANNED)
        self.assertEqual(array["ports/p/voltage"].shape, (STEPS + 1, 3, 2))
        self.assertTrue(np.isnan(array["s_parameters/active/p"][:, 1, 0]).all())
        self.check_active_table(array)
        for ranks in (1, 3):
            plain = self.run_case(f"plain{ranks}", *self.SCANNED, "array.explicit=true", ranks=ranks)
            self.assert_alike(array, plain, 1e-12)
        for ranks in (2, 3, 7):
            self.assert_alike(array, self.run_case(f"ranks{ranks}", *self.SCANNED, ranks=ranks), 1e-15)

    def test_check_gives_the_port_of_a_cell_its_own_area(self):
        areas = []
        for explicit in ("false", "true"):
            command = [PROGRAM, "check", "case.yaml", "--json", "--set", "array.size=[3,2]", "--set", f"array.explicit={explicit}"]
            for key, value in COARSE.items():
                command += ["--set", f"array.parameters.{key}={value}"]
            check = subprocess.run(command, cwd=self.place, capture_output=True, text=True, timeout=600, check=False)
            self.assertEqual(check.returncode, 0, check.stderr)
            areas.append(json.loads(check.stdout)["mesh"]["boundaries"]["port 'p.0.0'"]["area_m2"])
        self.assertAlmostEqual(areas[0] / areas[1], 1, places=9)

    def test_layers_round_an_array_are_those_of_its_plain_mesh(self):
        layers = ("array.size=[2,1]", "boundaries.absorbing=[]", "time.steps=200",
                  "boundaries.pml={faces: [outside], thickness: 8, cells: 4}")
        array = self.run_case("array", *layers)
        self.assert_alike(array, self.run_case("plain", *layers, "array.explicit=true", ranks=2), 1e-12)
        self.assert_alike(array, self.run_case("ranks3", *layers, ranks=3), 1e-15)

    def test_a_resumed_array_is_one_that_was_not_stopped(self):
        case = ("array.size=[2,1]", "array.scan.theta=40", "array.scan.phi=25", "time.steps=20000")
        whole = self.run_case("whole", *case)
        self.run_case("resumed", *case, options=("--max-wall", "0.1s"), exit_code=75)
        self.assert_alike(whole, self.run_case("resumed", *case, options=("--resume",), ranks=2), 1e-15)

    def test_cells_that_are_symmetric_and_reciprocal_have_such_s_parameters(self):
        run = self.run_case("each", "array.size=[2,2]", "outputs.s_parameters.drive=each", "time.steps=2500")
        waves = [run[f"excitations/p.{j // 2}.{j % 2}/ports/p/reflected"].reshape(2501, 4) for j in range(4)]
        for i in range(4):
            for j in range(i):
                self.assertLess(np.abs(waves[j][:, i] - waves[i][:, j]).max(), 1e-6 * np.abs(waves[j][:, i]).max())
        # S is divided by the incident wave as it is recorded, which has a share of what comes back.
        s = run["s_parameters/S"]
        self.assertLess(np.abs(s - s.transpose(0, 2, 1)).max(), 2e-3)
        # The mesh has no mirror symmetry of its own, so that cells differ by what it does not resolve.
        middle = s[s.shape[0] // 2]
        for i in (1, 2, 3):
            self.assertLess(abs(middle[i, i] - middle[0, 0]), 0.01)
        self.assertLess(abs(middle[3, 2] - middle[1, 0]), 0.01)
        self.assertGreater(abs(middle[1, 0]), 0.1)

    def test_a_beam_points_where_it_is_scanned_to(self):
        """Eight rods half a wavelength apart, whose beam is 16 degrees wide and drawn to the horizon by each rod's own."""
        run = self.run_case("beam", "array.size=[8,1]", "array.scan.theta=50", "array.scan.phi=0", "time.steps=3500",
                            "outputs.far_field.phi=[0, 180]")
        pattern = run["far_field/750000000/directivity"]
        theta = run["far_field/750000000/theta"]
        self.assertLess(abs(theta[np.argmax(pattern[:, 0])] - 50), 8)
        self.assertGreater(pattern[:, 0].max() - pattern[:, 1].max(), 8)


if __name__ == "__main__":
    unittest.main()
