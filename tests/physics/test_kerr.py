"""A slab of a Kerr medium in a guide for plane waves, driven by a sine: harmonics and phase behind it.

The references are of the exact wave u(z, t) = f(t - z sqrt(eps_r + 3 chi3 E^2)/c0) with the nonlinear transmission at both
faces (given for E0 = 1, chi3 = 0.05, 20 GHz, eps_r = 1, air on both sides), and for weak fields the growth of the third
harmonic, 3 chi3 w z A^3/(8 c0), and the shift of phase, -3 chi3 w z A^2/(8 c0).
"""

import math
import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402

C0 = 299792458.0
FREQUENCY_HZ = 20e9
CELL_M = 0.75e-3
FEED_CELLS = 2
CASE = """\
mesh: {{file: slab.h5}}
materials: {{air: {{}}, glass: {{kerr: {{{kerr}}}}}}}
regions: {{feed: air, slab: glass}}
boundaries: {{pec: [y0, y1], pmc: [x0, x1]}}
ports:
  - {{name: front, boundary: z0, type: tem, signal: y1, excite: {{waveform: tone, amplitude: {amplitude}}}}}
  - {{name: back, boundary: z1, type: tem, signal: y1}}
waveforms: {{tone: {{{waveform}}}}}
method: {{basis: {basis}, cfl: 0.8, kerr: {{{method}}}}}
time: {{end: {end}}}
run: {{threads: 1}}
outputs: {{energy: {{every: 50}}}}
"""
SINE = "type: sine, frequency: 20 GHz, rise: 0.2 ns"
TWO_TONES = ('type: expression, expression: "sin(pi/2*min(t/0.2e-9,1))^2*(sin(2*pi*20e9*t)+0.1*sin(2*pi*23e9*t))"')
# Of tones of amplitude 1 at 20 GHz and 0.1 at 23 GHz behind a slab of 30 mm with chi3 = 0.02, by the exact wave.
MIXED = {17: 0.007794, 20: 0.995345, 23: 0.098827, 26: 0.001173, 60: 0.089501, 63: 0.027688}
# Slab length in cells: |A1|, A3, A5, A7 and the shift of the phase of A1 in degrees.
PUBLISHED = {20 / 3: (0.999035, 0.037387, 0.003529, 0.000433, -2.184)}


class Kerr(unittest.TestCase):
    def behind(self, chi3, cells=7, length_m=5e-3, basis="mixed-2", method="", field=1.0, kerr=None, waveform=SINE, end="0.7 ns"):
        """Time, the wave behind the slab and the incident one."""
        width = CELL_M
        z = guide.planes((FEED_CELLS * CELL_M, FEED_CELLS), (length_m, cells), (FEED_CELLS * CELL_M, FEED_CELLS))
        text = CASE.format(kerr=kerr or f"chi3: {chi3!r}", basis=basis, method=method, amplitude=field * 2 * width,
                           waveform=waveform, end=end)
        results = guide.run(self, text, prepare=lambda folder: guide.write_mesh(
            folder / "slab.h5", z, width, slab=(FEED_CELLS, FEED_CELLS + cells)))
        time, wave = results["ports/back/time"], results["ports/back/reflected"]
        incident = results["ports/front/incident"]
        self.results = results
        return time, wave, incident

    def tones(self, chi3, **options):
        """Complex amplitudes of the harmonics 1, 3, 5, 7 behind the slab, over the incident one."""
        time, wave, incident = self.behind(chi3, **options)
        late = time > 0.4e-9
        return fit(time[late], wave[late]) / abs(fit(time[late], incident[late])[0])

    def test_harmonics_behind_a_slab_are_those_of_the_exact_wave(self):
        linear = self.tones(0.0)
        found = self.tones(0.05)
        shift = math.degrees(np.angle(found[0] / linear[0]))
        one, three, five, seven, degrees = PUBLISHED[20 / 3]
        print(f"|A1| {abs(found[0]):.5f}, A3 {abs(found[1]):.5f}, A5 {abs(found[2]):.5f}, A7 {abs(found[3]):.6f}, "
              f"{shift:.3f} degrees")
        self.assertAlmostEqual(abs(found[0]) / abs(linear[0]), one, delta=0.002)
        self.assertAlmostEqual(abs(found[1]), three, delta=0.002)
        self.assertAlmostEqual(abs(found[2]), five, delta=0.002)
        self.assertAlmostEqual(abs(found[3]), seven, delta=0.001)
        self.assertAlmostEqual(shift, degrees, delta=0.1)

    def test_weak_fields_make_a_third_harmonic_and_a_phase_as_theory_says(self):
        chi3, z = 2e-3, 5e-3
        linear, found = self.tones(0.0), self.tones(chi3)
        third = 3 * chi3 * 2 * math.pi * FREQUENCY_HZ * z / (8 * C0)
        print(f"third harmonic {abs(found[1]):.3e}, theory {third:.3e}; phase {np.angle(found[0] / linear[0]):.3e}, theory {-3 * third / 3:.3e}")
        self.assertAlmostEqual(abs(found[1]) / third, 1, delta=0.02)
        self.assertAlmostEqual(-np.angle(found[0] / linear[0]) / third, 1, delta=0.02)

    def test_two_tones_mix_as_in_the_exact_wave(self):
        time, wave, incident = self.behind(0.02, cells=40, length_m=30e-3, waveform=TWO_TONES, end="1.2 ns")
        late = time > 0.45e-9
        orders = [*range(8, 36, 3), *range(51, 76, 3), *range(94, 119, 3)]   # GHz: 20 + 3 k and what is near its harmonics
        found = np.abs(fit(time[late], wave[late], orders, 1e9)) / abs(fit(time[late], incident[late], (20, 23), 1e9)[0])
        for order, right in MIXED.items():
            amplitude = found[orders.index(order)]
            print(f"{order} GHz: {amplitude:.6f}, exact {right:.6f}")
            self.assertAlmostEqual(amplitude / right, 1, delta=0.01)

    def test_both_iterations_agree_and_newton_needs_few(self):
        newton = self.tones(0.05, basis="full-1")
        print(f"{self.results.attributes['mean_nonlinear_iterations']:.2f} iterations of Newton, "
              f"eps_r up to {self.results.attributes['largest_eps_r']:.4f}")
        self.assertLess(self.results.attributes["mean_nonlinear_iterations"], 4)
        fixed = self.tones(0.05, basis="full-1", method="iteration: fixed-point, max_iterations: 60")
        self.assertLess(np.abs(newton - fixed).max(), 1e-7)

    def test_n2_is_the_index_per_intensity(self):
        chi3 = 0.05
        n2 = chi3 / (4 / 3 * 8.8541878128e-12 * C0)
        self.assertLess(np.abs(self.tones(chi3, basis="mixed-1") - self.tones(0, basis="mixed-1", kerr=f"n2: {n2!r}")).max(), 1e-9)

    def test_s_of_a_kerr_medium_tells_its_amplitude(self):
        """It depends on it: five times the wave turns the phase by more."""
        z = guide.planes((FEED_CELLS * CELL_M, FEED_CELLS), (5e-3, 7), (FEED_CELLS * CELL_M, FEED_CELLS))
        phases = []
        for amplitude, kerr in ((1.5e-3, "chi3: 0.05"), (7.5e-3, "chi3: 0.05"), (1.5e-3, "chi3: 0")):
            text = CASE.format(kerr=kerr, basis="mixed-1", method="", amplitude=amplitude, end="0.4 ns",
                               waveform="type: modulated-gaussian, frequency: 20 GHz, bandwidth: 20 GHz")
            text = text.replace("outputs: {", "outputs: {s_parameters: {start: 18 GHz, stop: 22 GHz, points: 3}, ")
            found = guide.run(self, text, prepare=lambda folder: guide.write_mesh(folder / "slab.h5", z, CELL_M, slab=(FEED_CELLS, FEED_CELLS + 7)))
            told = found.s_attributes.get("amplitudes")
            if kerr == "chi3: 0":
                self.assertIsNone(told)
                continue
            self.assertEqual(told[0], amplitude)
            self.assertTrue(np.isnan(told[1]))
            self.assertIn(f"! Warning: a Kerr medium makes S depend on the amplitude of the wave: this S is of {amplitude:.4g} at port 'front'", found.touchstone)
            phases.append(np.angle(found["s_parameters/S"][1, 1, 0]))
        self.assertGreater(abs(phases[1] - phases[0]), 0.1)


def fit(time, signal, orders=(1, 3, 5, 7, 9), unit_hz=FREQUENCY_HZ):
    """Amplitudes of cos and -sin of multiples of a frequency (the odd harmonics up to the ninth), by least squares."""
    columns = [trig(2 * math.pi * k * unit_hz * time) for k in orders for trig in (np.cos, np.sin)]
    best = np.linalg.lstsq(np.stack(columns + [np.ones_like(time)], axis=1), signal, rcond=None)[0]
    return np.array([best[2 * i] - 1j * best[2 * i + 1] for i in range(len(orders))])


if __name__ == "__main__":
    unittest.main()
