"""Arrays in mode frequency-domain: superposition, symmetry, one cell as a plain mesh, ranks, the check."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

CELLS = Path(__file__).resolve().parents[2] / "cases" / "monopole_array" / "cells.geo"
PROGRAM = Path(os.environ.get("TETRAWAVE_PROGRAM", ""))
HZ = 0.75e9
PITCH = 0.2
CASE = """\
mode: frequency-domain
units: cm
array:
  unit_cells: CELLS
  parameters: {near_size: 2.2, far_size: 7, feed: 3, margin: 10, above: 10}
  size: [2, 2]
  EXTRA
materials: {air: {}}
regions: {air: air}
boundaries: {absorbing: [outside], default: pec}
ports:
  - {name: p, boundary: port_face, type: coaxial, excite: {}}
method: {basis: mixed-2}
outputs:
  s_parameters: {start: 0.6 GHz, stop: 0.9 GHz, points: 3DRIVE}
  far_field: {frequencies: [0.75 GHz], theta: {start: 0, stop: 90, points: 7}, phi: [0, 45], ground: {axis: z}}
run: {threads: 1}
"""
NAMES = [f"p.{i}.{j}" for i in (0, 1) for j in (0, 1)]


@unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
class ArrayInFrequency(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Path(tempfile.mkdtemp())
        cls.each = cls.run_case("each", drive=", drive: each")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.place, ignore_errors=True)

    @classmethod
    def command(cls, name, verb, extra="", drive="", changes=(), ranks=1):
        text = CASE.replace("CELLS", str(CELLS)).replace("EXTRA", extra).replace("DRIVE", drive)
        for old, new in changes:
            text = text.replace(old, new)
        (cls.place / f"{name}.yaml").write_text(text, encoding="utf-8")
        command = [PROGRAM, verb, f"{name}.yaml", *(("-o", name, "--quiet") if verb == "run" else ("--json",))]
        if ranks > 1:
            command = ["mpirun", "--oversubscribe", "-n", str(ranks), *command]
        done = subprocess.run(command, cwd=cls.place, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @classmethod
    def run_case(cls, name, **options):
        cls.command(name, "run", **options)
        with h5py.File(cls.place / name / "results.h5") as file:
            found = {}
            file.visititems(lambda key, item: found.__setitem__(key, item[()]) if isinstance(item, h5py.Dataset) else None)
        return found

    def test_a_beam_is_the_sum_of_the_cells_one_by_one(self):
        beam = self.run_case("beam", extra="scan: {theta: 30, phi: 0}")
        delay = {name: int(name[2]) * PITCH * 0.5 / 299792458.0 for name in NAMES}
        at = int(np.argmin(np.abs(beam["ports/p.0.0/frequency"] - HZ)))
        weights = {name: np.exp(-2j * np.pi * HZ * delay[name]) for name in NAMES}
        for name in NAMES:
            expected = sum(weights[n] * self.each[f"excitations/{n}/ports/{name}/reflected"][at] for n in NAMES)
            self.assertLess(abs(beam[f"ports/{name}/reflected"][at] - expected), 1e-10 * abs(expected))
        for i, name in enumerate(NAMES):
            active = beam["s_parameters/active/p"][1, i // 2, i % 2]
            self.assertAlmostEqual(active, beam[f"ports/{name}/reflected"][at] / beam[f"ports/{name}/incident"][at], delta=1e-12)
        for part in ("E_theta", "E_phi"):
            expected = sum(weights[n] * self.each[f"excitations/{n}/far_field/750000000/{part}"] for n in NAMES)
            largest = np.abs(beam["far_field/750000000/E_theta"]).max()
            self.assertLess(np.abs(beam[f"far_field/750000000/{part}"] - expected).max(), 1e-10 * largest)

    def test_cells_of_amplitude_zero_are_matched_and_not_driven(self):
        one = self.run_case("one_driven", extra="excitation: {amplitude: [0, 2, 0, 0]}")
        active = one["s_parameters/active/p"]
        self.assertLess(np.abs(active[:, 0, 1] - self.each["s_parameters/S"][:, 1, 1]).max(), 1e-12)
        self.assertEqual(np.isnan(active).sum(), 3 * len(active))
        for name in NAMES:
            expected = 2 * self.each[f"excitations/p.0.1/ports/{name}/reflected"]
            self.assertLess(np.abs(one[f"ports/{name}/reflected"] - expected).max(), 1e-12)

    def test_cells_of_a_symmetric_array_are_alike_and_reciprocal(self):
        s = self.each["s_parameters/S"]
        self.assertLess(np.abs(s - s.transpose(0, 2, 1)).max(), 1e-12)
        for port in range(4):
            self.assertLess(np.abs(np.abs(s[:, port, port]) - np.abs(s[:, 0, 0])).max(), 2e-3)
        self.assertGreater(np.abs(s[:, 0, 1]).min(), 0.02)
        self.assertGreater(np.abs(s[:, 0, 1]).min(), np.abs(s[:, 0, 3]).max())

    def test_an_array_of_one_cell_is_its_geometry_as_a_plain_mesh(self):
        one = self.run_case("one", changes=[("size: [2, 2]", "size: [1, 1]")])
        array = CASE[CASE.index("array:"):CASE.index("materials:")]
        plain = f"mesh: {{file: {CELLS}, parameters: {{near_size: 2.2, far_size: 7, feed: 3, margin: 10, above: 10}}}}\n"
        changes = [(array.replace("CELLS", str(CELLS)).replace("EXTRA", ""), plain), ("{air: air}", "{cell.air: air, air: air}")]
        found = self.run_case("plain", changes=changes)
        expected = one["ports/p.0.0/reflected"] / one["ports/p.0.0/incident"]
        self.assertLess(np.abs(found["ports/p/reflected"] / found["ports/p/incident"] - expected).max(), 1e-10)
        self.assertLess(np.abs(found["far_field/750000000/E_theta"] - one["far_field/750000000/E_theta"]).max(),
                        1e-10 * np.abs(found["far_field/750000000/E_theta"]).max())

    def test_an_array_repeated_from_its_cells_is_the_one_whose_cells_are_joined_by_their_places(self):
        joined = self.run_case("joined", extra="explicit: true", drive=", drive: each")
        self.assertLess(np.abs(joined["s_parameters/S"] - self.each["s_parameters/S"]).max(), 1e-10)
        for name in NAMES:
            path = f"excitations/{name}/far_field/750000000/E_theta"
            self.assertLess(np.abs(joined[path] - self.each[path]).max(), 1e-10 * np.abs(joined[path]).max())

    def test_an_iteration_preconditioned_cell_by_cell_finds_what_factors_find(self):
        changes = [("size: [2, 2]", "size: [4, 1]"), ("mixed-2", "mixed-1"), ("points: 3", "points: 2")]
        factors = self.run_case("factors", changes=changes)
        solver = "solver: {method: METHOD, preconditioner: oras, tolerance: 1e-9}\nrun: {threads: 2}"
        for name, method in (("cells", "method: bicgstab, "), ("by_default", "")):
            text = solver.replace("method: METHOD, ", method)
            cells = self.run_case(name, changes=[*changes, ("run: {threads: 1}", text)])
            log = (self.place / name / "log.txt").read_text(encoding="utf-8")
            self.assertIn("oras: 18 parts, 15 kinds of them", log)
            self.assertIn("bicgstab with oras by MUMPS", log)
            self.assertLess(max(cells["frequency_domain/iterations"].flatten()), 40)
            for port in (f"p.{i}.0" for i in range(4)):
                error = np.abs(cells[f"ports/{port}/reflected"] - factors[f"ports/{port}/reflected"]).max()
                self.assertLess(error, 1e-7 * np.abs(factors["ports/p.0.0/incident"]).max())

    def test_ranks_share_out_the_frequencies(self):
        shared = self.run_case("shared", drive=", drive: each", ranks=2)
        self.assertLess(np.abs(shared["s_parameters/S"] - self.each["s_parameters/S"]).max(), 1e-10)

    def test_the_check_counts_the_ports_of_all_cells(self):
        found = json.loads(self.command("checked", "check", drive=", drive: each"))
        self.assertEqual(found["right_hand_sides"], 4)

    def test_ports_of_all_cells_are_warned_of_once(self):
        found = json.loads(self.command("high", "check", changes=[("stop: 0.9 GHz", "stop: 3 GHz")]))  # TE11: 2.89 GHz
        self.assertEqual(sum("carries a second mode" in warning for warning in found["warnings"]), 1, found["warnings"])


if __name__ == "__main__":
    unittest.main()
