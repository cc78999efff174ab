"""Edges of metal sheets: a strip resonates where it should, and a lossless notch filter loses no power at its ports."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).resolve().parent
PROGRAM = Path(os.environ.get("TETRAWAVE_PROGRAM", ""))
STRIP = f"""\
units: mm
mesh: {{file: {HERE}/strip.geo, parameters: {{fine: 3}}}}
materials: {{air: {{}}}}
regions: {{air: air}}
boundaries: {{pec: [strip, walls]}}
initial_fields:
  E: ["0", "(abs(x)<0.004) ? (y<0.005 ? -sin(pi*z/0.05) : sin(pi*z/0.05)) : 0", "0"]
  H: ["0", "0", "0"]
method: {{scheme: SCHEME, basis: BASIS}}
time: {{end: 4 ns}}
outputs:
  probes: [{{name: p, point: [0.3, 2.4, 25.2], fields: [E], every: 4}}, {{name: q, point: [0.3, 7.6, 24.2], fields: [E], every: 4}}]
run: {{threads: 1}}
"""
STRIP_HZ = 299792458 / 0.1
NOTCH = f"""\
units: mm
mesh: {{file: {HERE}/notch.geo, parameters: {{fine: 0.6}}}}
materials: {{air: {{}}, substrate: {{eps_r: 3.66}}}}
regions: {{air: air, substrate: substrate}}
boundaries: {{pec: [strip, walls]}}
ports:
  - {{name: p1, boundary: port1, type: tem, signal: strip, excite: {{waveform: pulse}}}}
  - {{name: p2, boundary: port2, type: tem, signal: strip}}
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 3.5 GHz, bandwidth: 6 GHz}}}}
method: {{basis: full-1}}
time: {{end: 4 ns}}
outputs: {{s_parameters: {{start: 2 GHz, stop: 5 GHz, points: 121}}}}
run: {{threads: 1}}
"""
IRIS = f"""\
units: mm
mesh: {{file: {HERE}/iris.geo, parameters: {{size: 4.5}}}}
materials: {{air: {{}}}}
regions: {{guide: air}}
boundaries: {{pec: [walls, iris]}}
ports:
  - {{name: p1, boundary: end1, type: rectangular-waveguide, excite: {{waveform: pulse}}}}
  - {{name: p2, boundary: end2, type: rectangular-waveguide}}
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 10.3 GHz, bandwidth: 8 GHz}}}}
method: {{scheme: dgtd-upwind, basis: mixed-2}}
time: {{end: 3 ns}}
outputs: {{s_parameters: {{start: 8.2 GHz, stop: 11 GHz, points: 29}}}}
run: {{threads: 1}}
"""
NOTCH_HZ = 3.70e9  # 3.68 GHz by mode frequency-domain with mixed-3
AS_PUBLISHED = ("--set", "method.pec=weak", "--set", "method.edge_factor=1", "--set", "ports.0.other_modes=absorb", "--set",
                "ports.1.other_modes=absorb")


@unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
class MetalEdges(unittest.TestCase):
    def run_case(self, text, *options):
        with tempfile.TemporaryDirectory() as place:
            case = Path(place) / "case.yaml"
            case.write_text(text, encoding="utf-8")
            run = subprocess.run([PROGRAM, "run", case, "-o", Path(place) / "out", *options], capture_output=True, text=True,
                                 timeout=600, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            with h5py.File(Path(place) / "out/results.h5") as file:
                datasets = {}
                file.visititems(lambda name, item: datasets.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
            return datasets, run.stdout + run.stderr

    def resonance(self, scheme, basis, *options):
        results, _ = self.run_case(STRIP.replace("SCHEME", scheme).replace("BASIS", basis), *options)
        time = results["probes/p/time"]
        values = (results["probes/p/E"] - results["probes/q/E"])[:, 1] * np.hanning(len(time))
        frequency = np.linspace(2e9, 4e9, 2001)
        spectrum = np.abs(np.exp(-2j * np.pi * np.outer(frequency, time)) @ values)
        return frequency[spectrum.argmax()]

    def test_a_strip_resonates_at_half_a_wave_and_without_the_correction_far_below(self):
        for scheme, basis in (("dgtd-central", "mixed-1"), ("dgtd-central", "full-1"), ("dgtd-central", "mixed-2"),
                              ("dgtd-central", "full-2"), ("dgtd-upwind", "full-1"), ("dfdd-eld", "full-1"), ("dfdd-eld", "mixed-2")):
            found = self.resonance(scheme, basis)
            print(f"{scheme} {basis}: {found / 1e9:.3f} GHz, {100 * (found / STRIP_HZ - 1):.2f} %")
            with self.subTest(scheme=scheme, basis=basis):
                self.assertLess(abs(found / STRIP_HZ - 1), 0.01)
        found = self.resonance("dgtd-central", "full-1", "--set", "method.edge_factor=1")
        print(f"without the correction: {found / 1e9:.3f} GHz")
        self.assertLess(found / STRIP_HZ - 1, -0.04)

    def filter(self, *options):
        results, said = self.run_case(NOTCH, *options)
        s = results["s_parameters/S"]
        s = s["r"] + 1j * s["i"] if s.dtype.names else s
        power = (np.abs(s[:, :, 0]) ** 2).sum(axis=1)
        notch = results["s_parameters/frequency"][np.abs(s[:, 1, 0]).argmin()]
        print(f"notch filter {' '.join(options[1::2])}: sum of |S|^2 {power.min():.4f} to {power.max():.4f}, notch {notch / 1e9:.3f} GHz")
        return power, notch, said

    def test_a_lossless_notch_filter_gives_back_what_goes_into_its_ports(self):
        power, notch, _ = self.filter()
        self.assertLess(np.abs(power - 1).max(), 0.01)
        self.assertLess(abs(notch / NOTCH_HZ - 1), 0.03)

    def test_dgtd_upwind_takes_no_power_at_edges_of_metal(self):
        power, notch, _ = self.filter("--set", "method.scheme=dgtd-upwind", "--set", "time.end=2 ns")
        self.assertLess(np.abs(power - 1).max(), 0.01)
        self.assertLess(abs(notch / NOTCH_HZ - 1), 0.03)

    def test_guides_of_dgtd_upwind_send_what_their_ports_take(self):
        def run(*options):
            s = self.run_case(IRIS, *options)[0]["s_parameters/S"]
            s = s["r"] + 1j * s["i"] if s.dtype.names else s
            power = (np.abs(s[:, :, 0]) ** 2).sum(axis=1)
            print(f"iris {' '.join(options[1::2])}: sum of |S|^2 {power.min():.4f} to {power.max():.4f}")
            return power
        self.assertGreater(run().min(), 0.985)
        self.assertLess(run("--set", "method.pec=weak", "--set", "ports.0.other_modes=absorb", "--set",
                            "ports.1.other_modes=absorb").min(), 0.98)

    def test_the_published_scheme_loses_power_there(self):
        power, notch, _ = self.filter(*AS_PUBLISHED)
        self.assertLess(power.min(), 0.95)
        self.assertLess(notch / NOTCH_HZ, 0.96)

    def test_strips_of_two_elements_are_warned_of(self):
        case = STRIP.replace("SCHEME", "dgtd-central").replace("BASIS", "full-1").replace("abs(x)<0.004", "abs(x)<0.001")
        case = case.replace("{fine: 3}", "{w: 2, fine: 2}")
        said = self.run_case(case, "--set", "time={steps: 10}")[1]
        self.assertIn("pec group 'strip': its strips are one or two elements wide", said)
        self.assertNotIn("elements wide", self.run_case(STRIP.replace("SCHEME", "dgtd-central").replace("BASIS", "full-1"),
                                                        "--set", "time={steps: 10}", "--set", "mesh.parameters={fine: 2}")[1])


if __name__ == "__main__":
    unittest.main()
