"""Files of fields against the mode of a cavity, their own Fourier sums and probes."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import test_fe_iiee as iiee  # noqa: E402
from spheres import write_spheres  # noqa: E402

MU0, C0 = 1.25663706212e-6, 299792458.0
A, D = 0.03, 0.04
OMEGA = np.pi * C0 * np.hypot(1 / A, 1 / D)
CASE = """\
mesh: {{box: {{size: [0.03, 0.01, 0.04], cells: [8, 2, 10], jitter: {jitter}}}}}
materials: {{air: {{sigma: {sigma}}}}}
regions: {{box: air}}
boundaries: {{default: pec}}
initial_fields: {{E: ["0", "sin(pi*x/0.03)*sin(pi*z/0.04)", "0"]}}
method: {{scheme: {scheme}}}
time: {{steps: {steps}}}
outputs:
  probes: [{{name: p, point: [0.015, 0.005, 0.02], every: 3}}]
  fields:
    every: {every}
    frequencies: [4 GHz, 6.25 GHz]
    regions: [box]
    cuts: [{{name: middle, point: [0, 0.005, 0], normal: [0, 1, 0]}}]
run: {{threads: 1}}
"""


def mode(points, time):
    """E and H of the mode TE101 that begins as an electric field."""
    x, z = np.pi * points[:, 0] / A, np.pi * points[:, 2] / D
    zero = np.zeros(len(points))
    electric = np.stack((zero, np.sin(x) * np.sin(z) * np.cos(OMEGA * time), zero), axis=1)
    magnetic = np.stack((np.pi / D * np.sin(x) * np.cos(z), zero, -np.pi / A * np.cos(x) * np.sin(z)), axis=1)
    return electric, magnetic * np.sin(OMEGA * time) / (OMEGA * MU0)


class Series:
    """A file of fields as arrays [step, point, 3]."""

    def __init__(self, path):
        with h5py.File(path) as file:
            root = file["VTKHDF"]
            self.steps = root["Steps/Values"][()]
            self.units = {name: data.attrs["units"] for name, data in root["PointData"].items()}
            self.points = root["Points"][()].astype(float)
            self.element = root["CellData/element"][()]
            self.fields = {name: data[()].astype(float).reshape(len(self.steps), -1, 3) for name, data in root["PointData"].items()}

    def __getitem__(self, name):
        return self.fields[name]


class Fields(unittest.TestCase):
    def march(self, **values):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return self.run_case(Path(folder.name), CASE.format(**values))

    def run_case(self, path, text):
        """The folder of its results."""
        (path / "case.yaml").write_text(text, encoding="utf-8")
        done = subprocess.run([os.environ["TETRAWAVE_PROGRAM"], "run", "case.yaml", "-o", "out", "--quiet"], cwd=path,
                              capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path / "out"

    def check_mode(self, scheme):
        out = self.march(jitter=0.1, sigma=0, scheme=scheme, steps=211, every=30)
        for name in ("regions", "middle"):
            series = Series(out / "fields" / f"{name}.vtkhdf")
            self.assertEqual(9, len(series.steps))  # 0, 30, ..., 210, 211
            worst = [0.0, 0.0]
            for k, time in enumerate(series.steps):
                for j, (expected, scale) in enumerate(zip(mode(series.points, time), (1.0, 1 / (C0 * MU0)))):
                    error = series["EH"[j]][k] - expected
                    worst[j] = max(worst[j], np.sqrt((error ** 2).sum(axis=1).mean()) / scale)
            print(f"{scheme}, {name}: E within {worst[0]:.4f}, H within {worst[1]:.4f} of the mode")
            self.assertLess(max(worst), 0.06)

    def test_sums_are_those_of_the_snapshots_and_snapshots_those_of_the_probe(self):
        out = self.march(jitter=0, sigma=0.4, scheme="dgtd-central", steps=702, every=1)
        series, sums = Series(out / "fields/middle.vtkhdf"), Series(out / "fields/middle-frequencies.vtkhdf")
        self.assertEqual([4e9, 6.25e9], list(sums.steps))
        dt = series.steps[1]
        for k, frequency in enumerate(sums.steps):
            phase = np.exp(-2j * np.pi * frequency * series.steps) * dt
            # H of the snapshots is a mean of half steps, which the sums take at their own times.
            for field, factor in (("E", 1.0), ("H", 1 / np.cos(np.pi * frequency * dt))):
                expected = np.tensordot(phase, series[field], axes=(0, 0)) * factor
                found = sums[field + "_re"][k] + 1j * sums[field + "_im"][k]
                error = np.abs(found - expected).max() / np.abs(expected).max()
                print(f"{field} at {frequency / 1e9:g} GHz: sums within {error:.2e}")
                self.assertLess(error, 1e-5 if field == "E" else 3e-3)
        with h5py.File(out / "results.h5") as file:
            electric, magnetic = file["probes/p/E"][()], file["probes/p/H"][()]
        at = np.flatnonzero(np.abs(series.points - [0.015, 0.005, 0.02]).max(axis=1) < 1e-7)
        self.assertGreater(len(at), 0)
        # The probe takes the element with the lowest id; the plane is covered from one side.
        best = min(np.abs(series["E"][::3, point] - electric[:len(series["E"][::3])]).max() for point in at)
        whole = Series(out / "fields/regions.vtkhdf")
        at = np.flatnonzero(np.abs(whole.points - [0.015, 0.005, 0.02]).max(axis=1) < 1e-7)
        lowest = at[whole.element[at // 4].argmin()]
        for field, history in (("E", electric), ("H", magnetic)):
            self.assertLess(np.abs(whole[field][::3, lowest] - history).max(), 1e-6 * np.abs(history).max())
        self.assertLess(best, 0.1)

    def check_units(self, text, electric, magnetic):
        """Of the files of one run at frequencies, all of which are to have these units."""
        with tempfile.TemporaryDirectory() as folder:
            # Hollow: a quarter of a sphere of metal in air.
            write_spheres(Path(folder) / "spheres.h5", [iiee.RADIUS, 1.3 * iiee.RADIUS, 1.6 * iiee.RADIUS], {1: "sphere", 3: "S"},
                          core=1, hollow=True, whole="z")
            found = list(self.run_case(Path(folder), text).glob("fields/**/*-frequencies.vtkhdf"))
            self.assertTrue(found)
            for path in found:
                self.assertEqual(Series(path).units, {"E_re": electric, "E_im": electric, "H_re": magnetic, "H_im": magnetic}, path.name)

    def test_fields_of_a_march_at_frequencies_are_in_volt_seconds_per_metre(self):
        text = CASE.format(jitter=0, sigma=0, scheme="dgtd-central", steps=5, every=5)
        self.check_units(text, "V s/m", "A s/m")
        self.check_units("mode: fetd\n" + text.replace("scheme: dgtd-central", "basis: mixed-1, time_step: 2e-12"), "V s/m", "A s/m")

    def test_phasors_are_in_volts_per_metre(self):
        walls = iiee.METAL_QUARTER["boundaries"]
        for mode, boundaries in (("frequency-domain", walls + ", absorbing: [S]"), ("fe-iiee", walls)):
            text = iiee.case(boundaries, symmetry=iiee.QUARTER, tolerance=0.1, basis="mixed-1", mode=mode)
            self.check_units(text.replace("outputs: {", "outputs: {fields: {frequencies: [1 GHz]}, "), "V/m", "A/m")


for each in guide.SCHEMES:
    setattr(Fields, f"test_the_mode_of_a_cavity_{each.replace('-', '_')}", lambda self, scheme=each: self.check_mode(scheme))

if __name__ == "__main__":
    unittest.main()
