"""Mode fetd: the trapezoidal rule takes every equation of the frequency domain from f to tan(pi f dt)/(pi dt), so that
what is linear is to be found there, on the same mesh, to the last digits."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import frequency_domain as fd  # noqa: E402
import guide  # noqa: E402

HZ = np.linspace(1e9, 7e9, 7)
DT = 4e-12


def warped(hz, dt=DT):
    return np.tan(np.pi * np.asarray(hz) * dt) / (np.pi * dt)


def both(test, prepare, parts, ports, end="6 ns", basis="mixed-2", hz=HZ, dt=DT, excited=("front",), extra="", wave="{type: modulated-gaussian, frequency: 4 GHz, bandwidth: 9 GHz}"):
    """S of the march at hz, and of the frequency domain where the march has it. `parts`: of both cases."""
    lists = {}
    for mode in ("fetd", "frequency-domain"):
        waveform = "waveform: pulse" if mode == "fetd" else ""
        lists[mode] = ", ".join("{" + port + (f", excite: {{{waveform}}}" if any(name in port for name in excited) else "") + "}"
                                for port in ports)
    band = f"start: {hz[0]!r}, stop: {hz[-1]!r}, points: {len(hz)}"
    march = f"""
mode: fetd
{parts}
ports: [{lists['fetd']}]
waveforms: {{pulse: {wave}}}
method: {{basis: {basis}, time_step: {dt!r}}}
time: {{end: {end}}}
outputs: {{s_parameters: {{{band}, drive: each}}}}
run: {{threads: 1}}
{extra}
"""
    system = f"""
mode: frequency-domain
{parts}
ports: [{lists['frequency-domain']}]
method: {{basis: {basis}}}
frequency: {{values: [{', '.join(repr(float(f)) for f in warped(hz, dt))}]}}
outputs: {{s_parameters: {{drive: each}}}}
run: {{threads: 1}}
"""
    found = guide.run(test, march, prepare=prepare)
    return found["s_parameters/S"], guide.run(test, system, prepare=prepare)["s_parameters/S"], found


FRONT = "name: front, boundary: z0, type: tem, signal: y1"
BACK = "name: back, boundary: z1, type: tem, signal: y1"


def line(materials="air: {}", regions="feed: air", boundaries="pec: [y0, y1], pmc: [x0, x1]"):
    return f"""
mesh: {{file: guide.h5}}
materials: {{{materials}}}
regions: {{{regions}}}
boundaries: {{{boundaries}}}
"""


def slab_mesh(folder):
    z = guide.planes((0.006, 3), (0.008, 4), (0.006, 3))
    guide.write_mesh(folder / "guide.h5", z, 0.002, slab=(3, 7))


MEDIA = {
    "dielectric": "eps_r: 4",
    "conductor": "eps_r: 2, sigma: 0.3",
    "magnetic_loss": "mu_r: 2, sigma_m: 3e4",
    "axes": "eps_r: [2, 3, 4], mu_r: [1.5, 2, 1], sigma: 0.2",
    "debye": "eps_r: 2, electric_dispersion: [{model: debye, eps_static: 5, tau: 40 ps}]",
    "lorentz": "eps_r: 1.5, electric_dispersion: [{model: lorentz, delta: 1.2, frequency: 5 GHz, damping: 2e9}]",
    "drude": "eps_r: 3, electric_dispersion: [{model: drude, plasma_frequency: 4 GHz, collision: 4e9}]",
    "poles_of_both": "eps_r: 2, electric_dispersion: [{model: pole, residue: [2e10, 1e10], pole: [4e9, 2e10]}, {model: debye, delta: 1, tau: 20 ps}], "
                     "magnetic_dispersion: [{model: lorentz, delta: 0.8, frequency: 4 GHz, damping: 5e9}]",
}


class FetdTest(fd.Checks):
    def check_medium(self, medium):
        parts = line(f"air: {{}}, filling: {{{medium}}}", "feed: air, slab: filling")
        found, wanted, _ = both(self, slab_mesh, parts, (FRONT, BACK), excited=("front", "back"))
        self.assertGreater(np.abs(wanted[:, 0, 0]).max(), 0.05)
        print(np.abs(found - wanted).max())

    def test_reference(self):
        for name, medium in MEDIA.items():
            with self.subTest(medium=name):
                print(name, end=" ")
                self.check_medium(medium)


if __name__ == "__main__":
    unittest.main()
