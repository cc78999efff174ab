"""Walls of metal against the closed form: attenuation and phase of a line between plates with a skin effect."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
from layers import C0  # noqa: E402

MU0, ETA0 = 1.25663706212e-6, 376.730313668
LENGTH_M, GAP_M, CELLS = 0.040, 0.005, 16
CASE = """\
mesh: {{file: guide.h5}}
materials: {{air: {{}}}}
regions: {{feed: air}}
boundaries: {{pmc: [x0, x1], {walls}}}
ports:
  - {{name: front, boundary: z0, type: tem, signal: y1, excite: {{waveform: pulse}}}}
  - {{name: back, boundary: z1, type: tem, signal: y1}}
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 5 GHz, bandwidth: 12 GHz}}}}
method: {{scheme: {scheme}, basis: {basis}, precision: {precision}, layout: {layout}}}
time: {{end: 2 ns, energy_decay: -80 dB}}
outputs: {{s_parameters: {{start: 1 GHz, stop: 8 GHz, points: 15}}}}
run: {{threads: 1}}
"""


def surface_impedance(frequency, sigma, roughness=0.0):
    """(1 + j)/(sigma delta), its resistance by Hammerstad's factor for a rough surface."""
    depth = 1 / np.sqrt(np.pi * frequency * MU0 * sigma)
    factor = 1 + 2 / np.pi * np.arctan(1.4 * (roughness / depth) ** 2)
    return (factor + 1j) / (sigma * depth)


def propagation(frequency, impedance):
    """Of the TM0 wave between plates: a series impedance of 2 Z_s in the line, to first order in Z_s/(k gap)."""
    k = 2 * np.pi * frequency / C0
    return 1j * k * np.sqrt(1 + 2 * impedance / (1j * k * ETA0 * GAP_M))


class Conductors(unittest.TestCase):
    def march(self, walls, scheme="dgtd-central", basis="mixed-2", precision="double", layout="factored"):
        text = CASE.format(walls=walls, scheme=scheme, basis=basis, precision=precision, layout=layout)
        z = guide.planes((LENGTH_M, CELLS))
        results = guide.run(self, text, prepare=lambda folder: guide.write_mesh(folder / "guide.h5", z, GAP_M / 2))
        return results["s_parameters/frequency"], results["s_parameters/S"]

    def compare(self, sigma, roughness=0.0, **method):
        wall = f"{sigma} S/m" if roughness == 0 else f"{{conductivity: {sigma} S/m, roughness: {roughness}}}"
        frequency, s = self.march(f"conductor: {{y0: {wall}, y1: {wall}}}", **method)
        _, without = self.march("pec: [y0, y1]", **method)
        # Over PEC, so that what the mesh does to the phase drops out.
        ratio = s[:, 1, 0] / without[:, 1, 0]
        gamma = propagation(frequency, surface_impedance(frequency, sigma, roughness))
        expected = gamma - 2j * np.pi * frequency / C0
        found = -np.log(np.abs(ratio)) / LENGTH_M - 1j * np.unwrap(np.angle(ratio)) / LENGTH_M
        attenuation = np.abs(found.real / expected.real - 1).max()
        print(f"sigma {sigma}, roughness {roughness}, {method}: attenuation {expected.real[0]:.3g} to {expected.real[-1]:.3g} Np/m, "
              f"within {100 * attenuation:.2f} %; phase within {100 * np.abs(found.imag / expected.imag - 1).max():.2f} %")
        return attenuation, np.abs(found.imag / expected.imag - 1).max()

    def test_attenuation_and_phase_of_a_line_with_a_skin_effect(self):
        attenuation, phase = self.compare(2000.0)
        self.assertLess(attenuation, 0.03)
        self.assertLess(phase, 0.05)

    def test_the_second_order_scheme(self):
        attenuation, phase = self.compare(2000.0, scheme="dfdd-eld")
        self.assertLess(attenuation, 0.03)
        self.assertLess(phase, 0.05)

    def test_the_upwind_scheme(self):
        attenuation, phase = self.compare(2000.0, scheme="dgtd-upwind")
        self.assertLess(attenuation, 0.03)
        self.assertLess(phase, 0.05)

    def test_rough_metal_in_the_other_schemes(self):
        self.assertLess(self.compare(1e5, roughness=20e-6, scheme="dfdd-eld", basis="full-1", precision="single")[0], 0.05)
        self.assertLess(self.compare(1e5, roughness=20e-6, scheme="dgtd-upwind", basis="full-1", layout="stored")[0], 0.05)

    def test_a_rough_surface_takes_more(self):
        attenuation, _ = self.compare(1e5, roughness=20e-6)
        self.assertLess(attenuation, 0.03)

    def test_single_precision_and_another_basis(self):
        self.assertLess(self.compare(2000.0, basis="full-1", precision="single")[0], 0.05)

    def test_a_cavity_of_metal_from_given_fields(self):
        """TE101, given as E or as H: the energy falls as exp(-w t/Q), Q by the power lost in the walls."""
        a, b, d, sigma = 0.02, 0.01, 0.024, 2e4
        kx, kz = np.pi / a, np.pi / d
        w = C0 * np.hypot(kx, kz)
        hx, hz = kz / (w * MU0), kx / (w * MU0)
        resistance = np.sqrt(w * MU0 / (2 * sigma))
        stored = a * b * d * (hx**2 + hz**2) * MU0 / 8
        lost = resistance / 2 * (a * b * hx**2 + b * d * hz**2 + a * d / 2 * (hx**2 + hz**2))
        given = {"E": f"E: ['0', 'sin({kx}*x)*sin({kz}*z)', '0']",
                 "H": f"H: ['{hx}*sin({kx}*x)*cos({kz}*z)', '0', '{-hz}*cos({kx}*x)*sin({kz}*z)']"}
        for scheme in guide.SCHEMES:
            for field, start in given.items():
                got = guide.run(self, f"""
mesh: {{box: {{size: [{a}, {b}, {d}], cells: [4, 2, 4]}}}}
materials: {{air: {{}}}}
regions: {{box: air}}
boundaries: {{conductor: {{x0: {sigma}, x1: {sigma}, y0: {sigma}, y1: {sigma}, z0: {sigma}, z1: {sigma}}}}}
initial_fields: {{{start}}}
sources: [{{type: dipole, position: [0.01, 0.005, 0.012], direction: [1, 0, 0], waveform: band, amplitude: 1e-12}}]
waveforms: {{band: {{type: modulated-gaussian, frequency: 8 GHz, bandwidth: 8 GHz}}}}
method: {{scheme: {scheme}, basis: full-2}}
time: {{end: 1.5 ns}}
outputs: {{energy: {{every: 10}}}}
run: {{threads: 1}}
""")
                energy = got["energy/total"] / stored / np.exp(-lost / stored * got["energy/time"])
                late = energy[got["energy/time"] > 0.3e-9]
                print(f"cavity, {scheme}, given {field}: energy over that by Q {late.min():.4f} to {late.max():.4f}")
                self.assertLess(np.abs(late - 1).max(), 0.05)


if __name__ == "__main__":
    unittest.main()
