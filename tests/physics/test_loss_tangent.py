"""A line that a medium with a loss tangent fills from port to port, in every mode and scheme, against the closed form.

The ports end the line by the mode of the lossless medium: the line is a lossy layer between half spaces without losses.
"""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import layers  # noqa: E402
from frequency_domain import BACK, FRONT, LINE_M, plates, run_line  # noqa: E402

BAND = "{start: 4 GHz, stop: 8 GHz, points: 9}"
MATERIALS = {"loss_tangent": "{eps_r: 4, loss_tangent: 0.05}", "eps_complex": "{eps_complex: [4, -0.2]}"}


def laminate(f):
    """What the time domain makes of it, a causal medium, by the formula of Djordjevic and Sarkar: 4 (1 - 0.05j) in the middle of the band."""
    low, high = 4e9, 8e9
    middle = np.sqrt(low * high)
    strength = 4 * 0.05 / (np.arctan(middle / low) - np.arctan(middle / high))
    shape = lambda f: np.log((high + 1j * f) / (low + 1j * f))
    return 4 + strength * (shape(f) - shape(middle).real)


def march(mode, material, method, end="3 ns"):
    text = plates([FRONT.replace("{}", "{waveform: pulse}"), BACK], materials=f"air: {material}", s=BAND)
    rest = [line for line in text.splitlines() if not line.startswith(("mode:", "method:", "frequency:", "solver:"))]
    return "\n".join([f"mode: {mode}", f"method: {{{method}}}", f"time: {{end: {end}}}",
                      "waveforms: {pulse: {type: modulated-gaussian, frequency: 6 GHz, bandwidth: 10 GHz}}", *rest])


class LossTangent(unittest.TestCase):
    def check(self, name, text, tolerance, eps=laminate):
        results = run_line(self, text)
        f, s = results["s_parameters/frequency"], results["s_parameters/S"]
        expected = layers.scattering(f, [layers.Layer(eps(f), 1, LINE_M)], outside=0.5)
        deviation = max(np.abs(s[:, 0, 0] - expected[0]).max(), np.abs(s[:, 1, 0] - expected[1]).max())
        print(f"{name}: |S21| {abs(s[0, 1, 0]):.4f} to {abs(s[-1, 1, 0]):.4f}, S within {deviation:.1e}")
        self.assertLess(deviation, tolerance, name)

    def test_frequency_domain(self):
        for name, material in MATERIALS.items():
            self.check(name, plates([FRONT, BACK], materials=f"air: {material}", frequency=BAND), 1e-3, lambda f: 4 * (1 - 0.05j) + 0 * f)

    def test_fetd(self):
        self.check("fetd", march("fetd", MATERIALS["loss_tangent"], "basis: mixed-2, time_step: 1 ps"), 2e-3)


def add_schemes():
    def make(scheme, modes):
        method = f"scheme: {scheme}, basis: mixed-2"
        def test(self):
            text = march("time-domain", MATERIALS["loss_tangent"], method)
            if modes:
                text = text.replace("signal: y1", f"signal: y1, other_modes: {modes}")
            self.check(f"{scheme}, other_modes {modes or 'auto'}", text, 0.006)
        return test

    for scheme in guide.SCHEMES:
        setattr(LossTangent, f"test_{scheme.replace('-', '_')}", make(scheme, ""))
    for modes in ("absorb", "reflect"):
        setattr(LossTangent, f"test_dgtd_central_{modes}", make("dgtd-central", modes))


add_schemes()

if __name__ == "__main__":
    unittest.main()
