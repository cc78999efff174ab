"""Plane waves of mode fetd: through the border of a total field, and what a body scatters."""

import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import fetd  # noqa: E402
import frequency_domain as fd  # noqa: E402
import guide  # noqa: E402
from layers import C0  # noqa: E402

ETA0 = 376.730313668
SIDE, CELLS = 0.1, 6
FREQUENCY, BANDWIDTH = 1e9, 1.5e9
DIRECTION, POLARIZATION = np.array([0.3, 0.5, 1.0]), np.array([1.0, 0.0, -0.3])
INSIDE, OUTSIDE = np.array([0.052, 0.049, 0.051]), np.array([0.052, 0.049, 0.008])


def write_boxes(folder, body=False):
    """A box in a box, one cell away from its faces; in the middle of it a body of two cells."""
    def region_of(points):
        within = [all(low <= p[axis] <= CELLS - low for p in points for axis in range(3)) for low in (1, 2)]
        return 0 if not within[0] else (2 if body and within[1] else 1)

    fd.write_box(folder / "boxes.h5", (SIDE,) * 3, (CELLS,) * 3, region_of=region_of,
                 regions=("scattered", "total", "body") if body else ("scattered", "total"))


def case(basis="mixed-2", dt=10e-12, mode="fetd", body="", end="4 ns", outputs="", region="total"):
    method = f"{{basis: {basis}, time_step: {dt!r}}}" if mode == "fetd" else f"{{scheme: dgtd-upwind, basis: {basis}}}"
    return f"""
mode: {mode}
mesh: {{file: boxes.h5}}
materials: {{air: {{}}{', body: ' + body if body else ''}}}
regions: {{scattered: air, total: air{', body: body' if body else ''}}}
boundaries: {{default: absorbing}}
sources: [{{type: plane-wave, direction: {list(DIRECTION)}, polarization: {list(POLARIZATION)}, waveform: pulse, region: {region}}}]
waveforms: {{pulse: {{type: modulated-gaussian, frequency: {FREQUENCY!r}, bandwidth: {BANDWIDTH!r}}}}}
method: {method}
time: {{end: {end}}}
outputs: {{probes: [{{name: inside, point: {list(INSIDE)}}}, {{name: outside, point: {list(OUTSIDE)}}}]{outputs}}}
run: {{threads: 1}}
"""


class PlaneWaves(fd.Checks):
    def expected(self, time_s):
        """E of the wave inside, delayed from where it first meets the border."""
        k, along = DIRECTION / np.linalg.norm(DIRECTION), POLARIZATION / np.linalg.norm(POLARIZATION)
        cell = SIDE / CELLS
        first = sum(min(k[axis] * cell, k[axis] * (SIDE - cell)) for axis in range(3))
        width = np.sqrt(2 * np.log(10)) / (np.pi * BANDWIDTH)
        t = time_s - (k @ INSIDE - first) / C0 - 6 * width
        wave = np.where(t > -6 * width, np.sin(2 * np.pi * FREQUENCY * t) * np.exp(-t**2 / (2 * width**2)), 0)
        return np.outer(wave, along), np.outer(wave, np.cross(k, along)) / ETA0

    def test_a_wave_crosses_an_empty_box_and_leaves_nothing_outside(self):
        """Twelve cells a wavelength at 1.5 GHz; of the errors those of the space are the larger part."""
        found = {}
        for basis, inside, outside in (("mixed-1", 0.15, 0.01), ("mixed-2", 8e-3, 1e-3)):
            for ranks in (1, 3):
                results = guide.run(self, case(basis), prepare=write_boxes, ranks=ranks)
                electric, magnetic = self.expected(results["probes/inside/time"])
                self.near(f"{basis}, {ranks} ranks, E, H", [(results["probes/inside/E"], electric), (ETA0 * results["probes/inside/H"], ETA0 * magnetic)], inside)
                self.near(f"{basis}, {ranks} ranks, outside", [(results["probes/outside/E"], 0)], outside)
                found[ranks] = results["probes/inside/E"]
            self.near("ranks", [(found[3], found[1])], 1e-12)

    def test_a_body_scatters_as_in_another_march(self):
        """A cube of eps 4 with losses, both in full-2: the scattered field a cell behind the border, and cross-sections."""
        def prepare(folder):
            write_boxes(folder, body=True)

        far = ", far_field: {frequencies: [1 GHz], theta: [0, 60, 120], phi: [0, 90], surface: [total, body]}"
        options = {"body": "{eps_r: 4, sigma: 0.05}", "region": "[total, body]", "outputs": far}
        implicit = guide.run(self, case("full-2", **options), prepare=prepare)
        explicit = guide.run(self, case("full-2", mode="time-domain", **options), prepare=prepare)
        time_s = implicit["probes/outside/time"]
        wanted = np.stack([np.interp(time_s, explicit["probes/outside/time"], explicit["probes/outside/E"][:, axis]) for axis in range(3)], axis=1)
        self.assertGreater(np.abs(wanted).max(), 0.03)
        self.near("scattered field", [(implicit["probes/outside/E"] / np.abs(wanted).max(), wanted / np.abs(wanted).max())], 0.03)
        sections = [results["rcs/1000000000/sigma"] for results in (implicit, explicit)]
        self.near("cross-sections", [(sections[0] / sections[1].max(), sections[1] / sections[1].max())], 0.04)

    def test_a_run_that_was_stopped_goes_on_to_the_same_bits(self):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            write_boxes(folder)
            text = case("mixed-1", end="1.5 ns")
            whole = fetd.launch(self, folder, text, "whole")
            fetd.launch(self, folder, text, "parts", "--max-wall", "0.000001s", code=75)
            parts = fetd.launch(self, folder, text, "parts", "--resume")
            for name, values in whole.items():
                np.testing.assert_array_equal(values, parts[name], name)


if __name__ == "__main__":
    unittest.main()
