"""Fourier sums of every m-th step against those of every step; the fields of ports' modes against closed forms; the end of a march by its energy."""

import math
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

PROGRAM = os.environ.get("TETRAWAVE_PROGRAM", "tetrawave")
ETA0 = 376.730313668

OPEN = """\
mesh: {box: {size: [0.03, 0.03, 0.03], cells: [4, 4, 4], jitter: 0.1}}
materials: {air: {}}
regions: {box: air}
boundaries: {default: absorbing}
sources:
  - {type: dipole, position: [0.015, 0.014, 0.016], direction: [0, 0, 1], waveform: pulse}
waveforms:
  pulse: {type: modulated-gaussian, frequency: 5 GHz, bandwidth: 6 GHz}
time: {end: 10 ns}
outputs:
  far_field: {frequencies: [3 GHz, 5 GHz, 7 GHz], theta: [0, 50, 90], phi: [0, 30]}
  fields: {frequencies: [5 GHz], regions: [box]}
run: {threads: 1}
"""
AT_REST = "initial_fields: {E: ['0', '0', '0']}\n"  # nothing, but the program cannot know its band

GUIDE = """\
mesh: {box: {size: [0.02, 0.01, 0.02], cells: [6, 3, 4]}}
materials: {filling: {eps_r: 2.25}}
regions: {box: filling}
boundaries: {SIDES}
ports:
  - {name: in, boundary: z0, PORT, excite: {waveform: pulse}}
  - {name: out, boundary: z1, PORT, excite: {waveform: pulse}}
waveforms: {pulse: {type: modulated-gaussian, frequency: 8 GHz, bandwidth: 4 GHz}}
time: {steps: 8}
outputs: {s_parameters: {start: 7 GHz, stop: 9 GHz, points: 3, drive: each}}
run: {threads: 1}
"""


class Cases(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def run_case(self, name, text):
        """results.h5 and what was said."""
        (self.folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        answer = subprocess.run([PROGRAM, "run", f"{name}.yaml", "-o", name], cwd=self.folder, capture_output=True, text=True,
                                check=False)
        self.assertEqual(0, answer.returncode, answer.stderr)
        return h5py.File(self.folder / name / "results.h5"), (self.folder / name / "log.txt").read_text(encoding="utf-8")

    def field_of(self, name):
        path, = (self.folder / name / "fields").rglob("*.vtkhdf")
        with h5py.File(path) as file:
            data = file["VTKHDF/PointData"]
            return {key: data[key][()] for key in data}


class Sampling(Cases):
    def test_every_mth_step_says_what_every_step_says(self):
        some, said = self.run_case("some", OPEN)
        every, said_of_every = self.run_case("every", OPEN + AT_REST)
        stride = int(re.search(r"sampled every (\d+) steps", said).group(1))
        self.assertGreaterEqual(stride, 4)
        self.assertIn("sampled every 1 steps", said_of_every)
        for group in some["far_field"]:
            for component in ("E_theta", "E_phi"):
                found, expected = (file[f"far_field/{group}/{component}"][()] for file in (some, every))
                size = np.abs(every[f"far_field/{group}/E_theta"][()]).max()
                self.assertLess(np.abs(found - expected).max(), 1e-6 * size)
        found, expected = self.field_of("some"), self.field_of("every")
        self.assertEqual(sorted(found), sorted(expected))
        for key, values in expected.items():
            self.assertLess(np.abs(found[key] - values).max(), 2e-6 * np.abs(values).max(), key)


class Modes(Cases):
    def mode(self, file, name):
        group = file[f"ports/{name}/mode"]
        points, cells = group["points"][()], group["cells"][()]
        corners = points[cells]
        area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
        self.assertEqual(("m", "V/m", "A/m"), tuple(group[part].attrs["units"] for part in ("points", "E", "H")))
        return group, corners.mean(axis=1), area, group["E"][()], group["H"][()]

    def test_the_mode_of_a_waveguide_is_its_closed_form_and_carries_one_watt(self):
        port = "type: rectangular-waveguide, mode: TE10"
        file, _ = self.run_case("guide", GUIDE.replace("SIDES", "pec: [x0, x1, y0, y1]").replace("PORT", port))
        impedance = ETA0 / 1.5
        for name, inward in (("in", 1), ("out", -1)):
            group, middle, area, electric, magnetic = self.mode(file, name)
            self.assertAlmostEqual(299792458 / 1.5 / 0.04, group.attrs["cutoff"], delta=1)
            self.assertEqual("rectangular-waveguide TE10", group.attrs["type"])
            expected = np.sqrt(2 * impedance / (0.02 * 0.01)) * np.sin(np.pi * middle[:, 0] / 0.02)
            np.testing.assert_allclose(np.abs(electric[:, 1]), expected, rtol=1e-9)
            np.testing.assert_allclose(magnetic, np.cross([0, 0, inward], electric) / impedance, atol=1e-9)
            power = (np.cross(electric, magnetic)[:, 2] * area).sum() * inward
            self.assertAlmostEqual(1, power, delta=0.05)  # one point a triangle

    def test_a_guide_that_rings_at_its_cutoff_ends_by_energy_decay(self):
        # Near the cutoff the port sends long after its waveform, by which alone the sources are over.
        port = "type: rectangular-waveguide, mode: TE10"
        text = GUIDE.replace("SIDES", "pec: [x0, x1, y0, y1]").replace("PORT", port).replace("frequency: 8 GHz", "frequency: 6 GHz")
        file, said = self.run_case("ringing", text.replace("time: {steps: 8}", "time: {end: 40 ns, energy_decay: -40 dB}"))
        self.assertEqual(2, said.count("stopped by time.energy_decay"), said)
        self.assertGreater(file["ports/in/time"][-1], 12 * math.sqrt(2 * math.log(10)) / (math.pi * 4e9) * 0.9)

    def test_what_is_left_of_the_largest_energy_holds_for_a_pulse_that_is_short_in_its_march(self):
        # It has passed after 2 % of the march, and 1.3e-5 of its energy rings on; of 0.7 ns later that is 8e-4.
        port = "type: rectangular-waveguide, mode: TE10"
        text = GUIDE.replace("SIDES", "pec: [x0, x1, y0, y1]").replace("PORT", port).replace(", drive: each", "")
        text = text.replace(", excite: {waveform: pulse}}\nwaveforms", "}\nwaveforms")
        text = text.replace("frequency: 8 GHz, bandwidth: 4 GHz", "frequency: 10 GHz, bandwidth: 20 GHz")
        for end_ns, warned in ((20, False), (5, True)):
            _, said = self.run_case(f"short_{end_ns}", text.replace("time: {steps: 8}", f"time: {{end: {end_ns} ns}}"))
            self.assertEqual(warned, "of the largest energy is left" in said, said)

    def test_the_mode_of_a_tem_port_is_that_of_parallel_plates(self):
        text = GUIDE.replace("SIDES", "pec: [y0, y1], pmc: [x0, x1]").replace("PORT", "type: tem, signal: y1")
        group, _, area, electric, magnetic = self.mode(self.run_case("plates", text)[0], "in")
        impedance = ETA0 / 1.5 / 2
        self.assertAlmostEqual(impedance, group.attrs["impedance"], delta=1e-6)
        self.assertAlmostEqual(2.25, group.attrs["eps_effective"], delta=1e-9)
        np.testing.assert_allclose(electric, np.outer(np.ones(len(area)), [0, -np.sqrt(impedance) / 0.01, 0]), rtol=1e-8, atol=1e-6)
        np.testing.assert_allclose(magnetic, np.cross([0, 0, 1], electric) * 1.5 / ETA0, atol=1e-8)
        self.assertAlmostEqual(1, (np.cross(electric, magnetic)[:, 2] * area).sum(), delta=1e-9)


if __name__ == "__main__":
    unittest.main()
