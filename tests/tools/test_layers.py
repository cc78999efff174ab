"""tools/layers.py against given values, and against what every passive two-port keeps."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import layers  # noqa: E402
from layers import Layer, conductivity, debye, drude, lorentz, pole, scattering  # noqa: E402


def substrate(f):
    return 3.64 + debye(f, 0.54, 11.4e-12) + conductivity(f, 6.29e-3)


# Layers and outside impedance; per frequency in GHz: |S11|, degrees, |S21|, degrees (None: not listed).
PUBLISHED = {
    "dielectric": (lambda f: Layer(4, 1, 0.01), 1.0, {
        2: (.487040, -144.266, .873380, -54.266), 5: (.544384, 155.136, .838836, -114.864),
        7.5: (.001631, None, .999999, 179.844), 10: (.545344, -155.355, .838212, 114.645)}),
    "lossy": (lambda f: Layer(4 + conductivity(f, .5), 1, 0.01), 1.0, {
        1: (.496985, 179.212, .515036, -23.061), 2: (.521159, 175.748, .516845, -45.885),
        5: (.450918, 151.200, .559589, -115.541), 10: (.417172, -174.761, .536722, 118.836)}),
    "debye": (lambda f: Layer(substrate(f), 1, 0.02), 1.0, {
        1: (.497131, -147.465, .845385, -55.002), 2: (.597317, 172.792, .776652, -95.947),
        5: (.521967, -162.187, .751605, 112.841), 10: (.446173, 159.385, .653916, -116.527),
        15: (.212533, 165.926, .600604, 10.210)}),
    "water": (lambda f: Layer(1.8 + debye(f, 79.2, 9.4e-12), 1, 0.005), 1.0, {
        1: (.950835, -171.150, .264631, -78.324), 5: (.862666, 179.762, .164092, 102.577),
        10: (.794604, 176.220, .040394, -112.437), 20: (.776629, 173.430, 8.84e-4, None)}),
    "lorentz": (lambda f: Layer(1.5 + lorentz(f, 1.5, 5e9, 1e9), 1, 0.02), 1.0, {
        2: (.527074, -178.166, .837235, -87.244), 4: (.493882, -156.956, .663248, 127.817),
        5: (.743536, 163.611, 5.77e-4, None), 6: (.862536, 108.330, .054023, -14.878),
        10: (.008814, None, .956634, 119.714)}),
    "magnetic lorentz": (lambda f: Layer(2.67, 1 + lorentz(f, .5, .8e9, .5e9), 0.02), 1.0, {
        .4: (.082731, -105.804, .989212, -20.761), .8: (.317153, -66.926, .657159, -40.668),
        1.2: (.421942, -131.501, .878394, -44.626), 2: (.477581, -166.244, .872755, -76.717),
        3: (.432607, 157.369, .899046, -112.831)}),
    "substrate between lines": (lambda f: Layer(substrate(f), 1, 0.02), 2.1**-0.5, {
        1: (.252204, -144.380, .949183, -50.475), 2.5: (.273973, 147.479, .928669, -120.927),
        5: (.269129, -161.410, .865302, 115.547), 7.5: (.054347, -172.286, .821777, -3.082),
        10: (.219879, 153.690, .733497, -119.302)}),
}


class Published(unittest.TestCase):
    def test_slabs_have_the_given_reflection_and_transmission(self):
        for name, (layer, outside, rows) in PUBLISHED.items():
            for ghz, values in rows.items():
                with self.subTest(slab=name, ghz=ghz):
                    f = np.array([ghz * 1e9])
                    for s, magnitude, degrees in zip(scattering(f, [layer(f)], outside), values[::2], values[1::2]):
                        self.assertAlmostEqual(abs(s[0]), magnitude, delta=1.2e-6)
                        if degrees is not None:
                            self.assertAlmostEqual(np.angle(s[0], deg=True), degrees, delta=1.2e-3)


class Identities(unittest.TestCase):
    frequency = np.linspace(0.1e9, 30e9, 300)

    def test_layers_without_loss_keep_the_power(self):
        s11, s21 = scattering(self.frequency, [Layer(4, 1, 0.003), Layer(1, 2, 0.001), Layer(9, 1, 0.002)])
        self.assertLess(np.abs(abs(s11) ** 2 + abs(s21) ** 2 - 1).max(), 1e-12)

    def test_a_layer_in_pieces_is_the_layer(self):
        eps = substrate(self.frequency)
        whole = scattering(self.frequency, [Layer(eps, 1.5, 0.01)])
        pieces = scattering(self.frequency, [Layer(eps, 1.5, 0.004), Layer(eps, 1.5, 0.006)])
        self.assertLess(max(abs(a - b).max() for a, b in zip(whole, pieces)), 1e-12)

    def test_equal_constants_do_not_reflect(self):
        loss = conductivity(self.frequency, 0.05)
        s11, s21 = scattering(self.frequency, [Layer(1 + loss, 1 + loss, 0.05)])
        self.assertLess(abs(s11).max(), 1e-12)
        expected = np.exp(-0.05 * 376.730313668 * 0.05 - 2j * np.pi * self.frequency * 0.05 / layers.C0)
        self.assertLess(abs(s21 - expected).max(), 1e-9)

    def test_terms_are_complex_poles_and_lose_energy(self):
        f, w0, damping = self.frequency, 2 * np.pi * 5e9, 1e9
        w1 = np.sqrt(w0**2 - damping**2)
        same = pole(f, -1.5j * w0**2 / w1, damping - 1j * w1)
        self.assertLess(abs(lorentz(f, 1.5, 5e9, 1e9) - same).max(), 1e-9)
        self.assertLess(abs(debye(f, 2, 1e-11) - pole(f, 2e11, 1e11)).max(), 1e-12)
        for term in (debye(f, 2, 1e-11), lorentz(f, 1, 5e9, 1e9), drude(f, 5e9, 1e9), conductivity(f, 1)):
            self.assertLess(term.imag.max(), 0)


if __name__ == "__main__":
    unittest.main()
