"""Slabs in a guide against the closed form, by the program: every slab, every scheme.

The guide has PEC plates (y) and PMC sides (x), so that a plane wave fits it, and a TEM port at each end: air, slab, air,
the S-parameters taken to the faces of the slab. A scheme or medium that this version lacks is skipped, as the program
says so itself. The references are tools/layers.py, whose numbers tests/tools/test_layers.py holds against given ones.
"""

import sys
import unittest
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import layers  # noqa: E402

FEED_M = 0.010
SUBSTRATE = "{eps_r: 3.64, sigma: 6.29e-3, electric_dispersion: [{model: debye, eps_static: 4.18, tau: 11.4 ps}]}"


def substrate(f):
    return 3.64 + layers.debye(f, 0.54, 11.4e-12) + layers.conductivity(f, 6.29e-3)


@dataclass
class Slab:
    """What fills the slab, in the words of a case and as (eps, mu) of frequency, and how it is meshed and driven."""

    material: str
    constants: object
    length_m: float
    cells: int  # along the slab
    band_hz: tuple  # start, stop, points
    end: str
    basis: str = "mixed-2"
    feed_eps: float = 1.0
    feed_cells: int = 4
    carrier: str = "{frequency: 6 GHz, bandwidth: 14 GHz}"
    magnitude: float = 0.005
    degrees: float = 1.0


SLABS = {
    "dielectric": Slab("{eps_r: 4}", lambda f: (4 + 0 * f, 1), 0.010, 4, (1e9, 10e9, 19), "2.5 ns"),
    "lossy": Slab("{eps_r: 4, sigma: 0.5 S/m}", lambda f: (4 + layers.conductivity(f, 0.5), 1), 0.010, 4,
                  (1e9, 10e9, 19), "2.5 ns"),
    "debye": Slab(SUBSTRATE, lambda f: (substrate(f), 1), 0.020, 16, (1e9, 15e9, 29), "3 ns", feed_cells=8,
                  carrier="{frequency: 8 GHz, bandwidth: 20 GHz}"),
    "water": Slab("{eps_r: 1.8, electric_dispersion: [{model: debye, eps_static: 81, tau: 9.4 ps}]}",
                  lambda f: (1.8 + layers.debye(f, 79.2, 9.4e-12), 1), 0.005, 10, (1e9, 20e9, 39), "2.5 ns",
                  feed_cells=6, carrier="{frequency: 10 GHz, bandwidth: 24 GHz}"),
    "lorentz": Slab("{eps_r: 1.5, electric_dispersion: [{model: lorentz, delta: 1.5, frequency: 5 GHz, damping: 1e9}]}",
                    lambda f: (1.5 + layers.lorentz(f, 1.5, 5e9, 1e9), 1), 0.020, 10, (2e9, 10e9, 17), "10 ns",
                    carrier="{frequency: 6 GHz, bandwidth: 14 GHz}"),
    "magnetic_lorentz": Slab(
        "{eps_r: 2.67, magnetic_dispersion: [{model: lorentz, mu_static: 1.5, frequency: 0.8 GHz, damping: 0.5e9}]}",
        lambda f: (2.67, 1 + layers.lorentz(f, 0.5, 0.8e9, 0.5e9)), 0.020, 4, (0.4e9, 3e9, 14), "20 ns", feed_cells=2,
        carrier="{frequency: 1.7 GHz, bandwidth: 4 GHz}"),
    # E_y and H_x see the second permittivity and the first permeability.
    "anisotropic": Slab("{eps_r: [9, 4, 2], mu_r: [2, 5, 7]}", lambda f: (4 + 0 * f, 2), 0.010, 6, (1e9, 10e9, 19), "2.5 ns"),
    "anisotropic_lossy": Slab(
        "{eps_r: [9, 4, 2], mu_r: [2, 5, 7], sigma: 0.2 S/m, "
        "electric_dispersion: [{model: debye, delta: 1.5, tau: 20 ps}], "
        "magnetic_dispersion: [{model: lorentz, delta: 0.6, frequency: 4 GHz, damping: 3e9}]}",
        lambda f: (4 + layers.conductivity(f, 0.2) + layers.debye(f, 1.5, 20e-12), 2 + layers.lorentz(f, 0.6, 4e9, 3e9)),
        0.010, 8, (1e9, 10e9, 19), "3 ns"),
    "substrate_between_lines": Slab(SUBSTRATE, lambda f: (substrate(f), 1), 0.020, 8, (1e9, 10e9, 19), "2.5 ns",
                                    feed_eps=2.1, feed_cells=4),
}

# Cells of slab and feeds in marches, which have wider limits than test_frequency_domain.py.
MARCHED = {"debye": {"cells": 12, "feed_cells": 6}, "lorentz": {"cells": 7}, "anisotropic_lossy": {"cells": 6}}

CASE = """\
mesh: {{file: slab.h5}}
materials:
  feed: {{eps_r: {slab.feed_eps}}}
  slab: {slab.material}
regions: {{feed: feed, slab: slab}}
boundaries: {{pec: [y0, y1], pmc: [x0, x1]}}
ports:
  - {{name: front, boundary: z0, type: tem, signal: y1, excite: {{waveform: pulse}}}}
  - {{name: back, boundary: z1, type: tem, signal: y1}}
waveforms: {{pulse: {{type: modulated-gaussian, {carrier}}}}}
method: {{scheme: {scheme}, basis: {slab.basis}}}
time: {{end: {slab.end}}}
outputs: {{s_parameters: {{start: {slab.band_hz[0]}, stop: {slab.band_hz[1]}, points: {slab.band_hz[2]}}}}}
run: {{threads: 1}}
"""


def write_mesh(path, slab):
    """Cells as long as they are wide in the slab."""
    z = guide.planes((FEED_M, slab.feed_cells), (slab.length_m, slab.cells), (FEED_M, slab.feed_cells))
    guide.write_mesh(path, z, slab.length_m / slab.cells, slab=(slab.feed_cells, slab.feed_cells + slab.cells))


class Slabs(unittest.TestCase):
    def compare(self, name, scheme):
        slab = replace(SLABS[name], **MARCHED.get(name, {}))
        text = CASE.format(slab=slab, scheme=scheme, carrier=slab.carrier.strip("{}"))
        results = guide.run(self, text, prepare=lambda folder: write_mesh(folder / "slab.h5", slab))
        self.check(name, scheme, slab, results["s_parameters/frequency"], results["s_parameters/S"])

    def check(self, name, scheme, slab, frequency, s):
        eps, mu = slab.constants(frequency)
        expected = layers.scattering(frequency, [layers.Layer(eps, mu, slab.length_m)], outside=slab.feed_eps**-0.5)
        to_faces = np.exp(4j * np.pi * frequency * FEED_M * np.sqrt(slab.feed_eps) / layers.C0)
        figures = []
        for found, wanted in zip((s[:, 0, 0] * to_faces, s[:, 1, 0] * to_faces), expected):
            magnitude = np.abs(np.abs(found) - np.abs(wanted)).max()
            clear = np.abs(wanted) > 0.05
            degrees = np.abs(np.angle(found[clear] / wanted[clear], deg=True)).max()
            figures += [magnitude, degrees]
        print(f"{name}, {scheme}: |S11| {figures[0]:.4f}, {figures[1]:.2f} degrees; |S21| {figures[2]:.4f}, "
              f"{figures[3]:.2f} degrees")
        for magnitude, degrees in (figures[:2], figures[2:]):
            self.assertLess(magnitude, slab.magnitude)
            self.assertLess(degrees, slab.degrees)


guide.add_tests(Slabs, Slabs.compare, SLABS)


class Points(unittest.TestCase):
    """E at points in front of a slab, of which waves that the mesh does not resolve are a part (theory/central)."""

    SLAB = Slab("{eps_r: 2, mu_r: 1.5}", None, 0.006, 6, (10e9, 20e9, 11), "0.8 ns", feed_cells=10,
                carrier="{frequency: 20 GHz, bandwidth: 30 GHz}")
    Z = (0.0033, 0.0055, 0.0083)

    def reflections(self, penalty):
        """Greatest error of R at each point, and the warnings."""
        band, spectra = np.linspace(*self.SLAB.band_hz), []
        probes = ", ".join(f"{{name: p{k}, point: [0.63e-3, 1.17e-3, {z}]}}" for k, z in enumerate(self.Z))
        for material in ("{}", self.SLAB.material):
            text = CASE.format(slab=self.SLAB, scheme="dgtd-central", carrier=self.SLAB.carrier.strip("{}"))
            text = text.replace(f"slab: {self.SLAB.material}", f"slab: {material}").replace("outputs: {", f"outputs: {{probes: [{probes}], ")
            results = guide.run(self, text, "--set", f"method.penalty={penalty}",
                                prepare=lambda folder: write_mesh(folder / "slab.h5", self.SLAB))
            time, e = results["probes/p0/time"], np.array([results[f"probes/p{k}/E"][:, 1] for k in range(len(self.Z))])
            spectra.append(e @ np.exp(-2j * np.pi * np.outer(time, band)) * (time[1] - time[0]))
        there = layers.scattering(band, [layers.Layer(2 + 0 * band, 1.5, self.SLAB.length_m)])[0]
        right = there * np.exp(-4j * np.pi * band / layers.C0 * (FEED_M - np.array(self.Z)[:, None]))
        return np.abs(spectra[1] / spectra[0] - 1 - right).max(axis=1), results.warnings

    def test_central_flux_without_and_with_a_penalty(self):
        """Without, some percent are wrong, and the run warns."""
        for penalty, warned in ((0, True), (0.1, False)):
            errors, warnings = self.reflections(penalty)
            print(f"penalty {penalty}: R at points within {', '.join(f'{error:.4f}' for error in errors)}")
            self.assertEqual("in mixed-2 fields at points" in warnings, warned, warnings)
            self.assertEqual(errors.max() > 0.01, warned)
        self.assertLess(errors.max(), 0.001)

    def test_spaces_of_higher_degree_are_warned_of_on_coarse_meshes(self):
        """1.7 and 2.5 elements a wavelength in the slab at the highest frequency."""
        whole = self.SLAB
        for basis, cells, feed, expected in (("mixed-3", 2, 3, True), ("mixed-3", 3, 5, False), ("full-2", 3, 5, True)):
            self.SLAB = replace(whole, basis=basis, cells=cells, feed_cells=feed, end="1.8 ns",
                                carrier="{frequency: 15 GHz, bandwidth: 10 GHz}")
            errors, warnings = self.reflections(0)
            print(f"{basis}, {6 // cells} mm: R at points within {', '.join(f'{error:.4f}' for error in errors)}")
            self.assertEqual(f"in {basis} fields at points" in warnings, expected, warnings)
            self.assertEqual(errors.max() > 0.01, expected)

    def test_a_case_without_frequencies_is_warned_of_too(self):
        case = ('mesh: {file: slab.h5}\nmaterials: {feed: {}, slab: {eps_r: 9}}\nregions: {feed: feed, slab: slab}\n'
                'boundaries: {default: pec}\ninitial_fields: {E: ["1", "0", "0"]}\nmethod: {basis: mixed-2}\ntime: {steps: 2}\n'
                'outputs: {probes: [{name: p, point: [0.63e-3, 1.17e-3, 0.013]}]}\n')
        results = guide.run(self, case, prepare=lambda folder: write_mesh(folder / "slab.h5", self.SLAB))
        self.assertIn("in mixed-2 fields at points", results.warnings)


if __name__ == "__main__":
    unittest.main()
