"""A point current in a closed box: which schemes have its modes alone in the spectrum, and which structures are warned of."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

PROGRAM = os.environ.get("TETRAWAVE_PROGRAM", "")
BOX = """\
units: mm
mesh: {box: {size: [30, 20, 40], cells: [6, 4, 8]}}
materials: {air: {}}
regions: {box: air}
boundaries: {default: pec}
sources: [{type: dipole, position: [11.3, 9.1, 13.7], direction: [0, 1, 0], waveform: pulse}]
waveforms: {pulse: {type: modulated-gaussian, frequency: 6.5 GHz, bandwidth: 7 GHz}}
method: {basis: full-1}
time: {end: 20 ns}
outputs: {probes: [{name: p, point: [19.1, 11.3, 25.3], fields: [E], every: 1}]}
run: {threads: 1}
"""
TE101_HZ = 299792458 / 2 * np.hypot(1 / 0.03, 1 / 0.04)
SHORT = "time={steps: 10}"
UNDAMPED = "materials.air.electric_dispersion=[{model: lorentz, delta: 0.1, frequency: 20 GHz, damping: 0}]"
WEAK_DEBYE = "materials.air.electric_dispersion=[{model: debye, delta: 0.01, tau: 20 ps}]"
DEBYE = "materials.air.electric_dispersion=[{model: debye, delta: 2, tau: 20 ps}]"
LUMPED = "ports=[{name: p, boundary: x1, type: lumped, resistance: 50, direction: [0, 1, 0], excite: {waveform: pulse}}]"

OPEN = """\
units: mm
mesh: {box: {size: [90, 90, 90], cells: [6, 6, 6]}}
materials: {air: {}}
regions: {box: air}
boundaries: {pml: {faces: [x0, x1, y0, y1, z0, z1], thickness: 45, cells: 3}}
sources: [{type: dipole, position: [46.3, 44.1, 48.7], direction: [0, 0, 1], waveform: pulse}]
waveforms: {pulse: {type: modulated-gaussian, frequency: 2 GHz, bandwidth: 1.5 GHz}}
method: {basis: full-1}
time: {end: 5 ns}
outputs: {far_field: {frequencies: [2 GHz], theta: {start: 0, stop: 180, points: 19}, phi: [0]}}
run: {threads: 1}
"""
RADIATED_W = 376.730313668 * (2 * np.pi * 2e9 / 299792458) ** 2 / (12 * np.pi)


class PointSource(unittest.TestCase):
    def run_box(self, *settings):
        with tempfile.TemporaryDirectory() as place:
            case = Path(place) / "case.yaml"
            case.write_text(BOX, encoding="utf-8")
            options = [word for text in settings for word in ("--set", text)]
            run = subprocess.run([PROGRAM, "run", case, "-o", Path(place) / "out", "--quiet", *options], capture_output=True,
                                 text=True, timeout=300, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            with h5py.File(Path(place) / "out/results.h5") as file:
                return file["probes/p/time"][()], file["probes/p/E"][()][:, 1], run.stderr

    def peaks(self, *settings):
        """Frequencies [Hz] of the maxima of the spectrum from 3 to 8 GHz above a tenth of the largest, that one first."""
        time, field, _ = self.run_box(*settings)
        frequency = np.linspace(3e9, 8e9, 2501)
        spectrum = np.abs(np.exp(-2j * np.pi * np.outer(frequency, time)) @ (field * np.hanning(len(time))))
        inner = spectrum[1:-1]
        found = 1 + np.flatnonzero((inner > spectrum[:-2]) & (inner >= spectrum[2:]) & (inner > 0.1 * spectrum.max()))
        found = found[np.argsort(-spectrum[found])]
        print(f"{' '.join(settings)}: {len(found)} peaks, {', '.join(f'{hz / 1e9:.3f}' for hz in frequency[found][:6])} GHz")
        return frequency[found]

    def test_upwind_flux_and_edge_elements_have_the_mode_of_the_box_alone(self):
        for settings, most in ((("method.scheme=dgtd-upwind",), 0.003), (("mode=fetd", "method.time_step=5 ps"), 0.02)):
            with self.subTest(settings=settings):
                found = self.peaks(*settings, "time.end=10 ns")
                self.assertEqual(len(found), 1)
                self.assertLess(abs(found[0] / TE101_HZ - 1), most)

    def test_central_flux_has_spurious_modes_beside_it(self):
        self.assertGreater(len(self.peaks()), 5)

    def test_a_penalty_on_jumps_leaves_the_mode_of_the_box_alone(self):
        for basis, most in (("full-2", 0.002), ("mixed-2", 0.002)):
            with self.subTest(basis=basis):
                coarse = (f"method.basis={basis}", "mesh.box.cells=[3, 2, 4]")
                self.assertGreater(len(self.peaks(*coarse)), 3)
                found = self.peaks(*coarse, "method.penalty=0.1")
                self.assertEqual(len(found), 1)
                self.assertLess(abs(found[0] / TE101_HZ - 1), most)

    def test_nearly_closed_structures_with_central_flux_are_warned_of(self):
        for settings, expected in (
            ([], True), (["boundaries={impedance: {x0: 1000 ohm}, default: pec}"], True),
            (["boundaries={absorbing: [x0], default: pec}"], True), (["materials.air.sigma=0.001"], True),
            (["boundaries={default: pec}", LUMPED, "sources=[]"], True),
            (["method.penalty=0.1"], False), (["method.scheme=dgtd-upwind"], False), (["method.scheme=dfdd-eld"], False),
            (["method={scheme: dfdd-eld, basis: mixed-1}"], True), (["boundaries={default: absorbing}"], False),
            (["materials.air.sigma=1"], False), ([UNDAMPED], True), ([WEAK_DEBYE], True), ([DEBYE], False), (["boundaries={pml: {faces: [x1], thickness: 10, cells: 3}, default: pec}"], False),
        ):  # fmt: skip
            with self.subTest(settings=settings):
                _, _, said = self.run_box(SHORT, *settings)
                self.assertEqual(re.search("spurious modes of (central flux|mixed-1) ring in it", said) is not None, expected, said)

    def test_waves_that_pass_through_the_surface_and_do_not_radiate_are_warned_of(self):
        for settings, expected in (([], True), (["method.penalty=0.1"], True), (["method.scheme=dgtd-upwind"], False)):
            with self.subTest(settings=settings), tempfile.TemporaryDirectory() as place:
                Path(place, "case.yaml").write_text(OPEN, encoding="utf-8")
                options = [word for text in settings for word in ("--set", text)]
                run = subprocess.run([PROGRAM, "run", "case.yaml", "-o", "out", "--quiet", *options], cwd=place, capture_output=True,
                                     text=True, timeout=300, check=False)
                self.assertEqual(run.returncode, 0, run.stderr)
                with h5py.File(Path(place, "out/results.h5")) as file:
                    found = dict(file["far_field/2000000000"].attrs)
                pattern, surface = found["radiated_power"] / RADIATED_W, found["surface_power"] / RADIATED_W
                print(f"{settings}: of the closed form the pattern has {pattern:.3f}, the surface {surface:.3f}")
                self.assertAlmostEqual(pattern, 1, delta=0.05)
                self.assertEqual(abs(surface - 1) > 0.1, expected)
                self.assertEqual("W pass through the surface" in run.stderr, expected, run.stderr)
                if expected:
                    self.assertIn("use radiated_power, that of the pattern, or method.scheme: dgtd-upwind", run.stderr)

    def test_fields_at_points_beside_dipoles_are_warned_of(self):
        for settings, expected in (([], True), (["method.penalty=0.1"], True), (["method.scheme=dfdd-eld"], True),
                                   (["method.scheme=dgtd-upwind"], False), (["mode=fetd", "method.time_step=5 ps"], False),
                                   (["boundaries={default: pec}", LUMPED, "sources=[]"], False)):  # fmt: skip
            with self.subTest(settings=settings):
                _, _, said = self.run_box(SHORT, *settings)
                self.assertEqual("dipoles excite waves that the mesh does not resolve" in said, expected, said)


if __name__ == "__main__":
    unittest.main()
