"""Fast sweeps of mode fe-iiee have the answers of sweeps that solve every frequency, and of closed forms."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from spheres import cross_sections  # noqa: E402
from test_fe_iiee import METAL_QUARTER, RADIUS, TOP, Antennas, Runs, WAVELENGTH, case, four_of  # noqa: E402

BAND = np.linspace(0.5e9, 2e9, 31).round().astype(int)
LIST = ", ".join(f"{hertz} Hz" for hertz in BAND)
FINE = [RADIUS * n / 3 for n in (1, 2, 3)] + [RADIUS + part * WAVELENGTH for part in (0.05, 0.1)]


class Spheres(Runs):
    def sections(self, *options, radii=FINE, surfaces={3: "sphere", 5: "S"}, ranks=1, whole="z", **text):
        """Over pi a^2, [frequency][direction], with all that the run has."""
        core = min(surfaces)
        text = case(**{**METAL_QUARTER, "frequency": LIST, "tolerance": 1e-4, **text})
        results = self.run_spheres(text, radii, surfaces, *options, ranks=ranks, core=core, hollow=True, whole=whole)
        return np.array([four_of({"rcs/1000000000/sigma": results[f"rcs/{hertz}/sigma"]}) for hertz in BAND]), results

    def test_a_band_of_a_sphere_of_metal(self):
        """k a from 0.5 to 2: few frequencies solved, cross-sections at all, against each solved and Mie's series."""
        each, none = self.sections("--set", "frequency.sweep.fast=false")
        fast, results = self.sections()
        self.assertNotIn("frequency_domain/sweep/solved", none)
        solved = results["frequency_domain/sweep/solved"]
        self.assertLessEqual(solved.sum(), 10)
        self.near("fast and each", [(fast / each.max(axis=1)[:, None], each / each.max(axis=1)[:, None])], 1e-3)
        series = np.array([np.append(cross_sections(x, x + 0.2 * np.pi * x, 0, [180, 90, 0], np.inf),
                                     cross_sections(x, x + 0.2 * np.pi * x, 0, [90], np.inf, "H")) for x in BAND / 1e9])
        size = series.max(axis=1)[:, None]
        self.near("fast and Mie", [(fast / size, series / size)], 0.05)
        self.near("as far from Mie as each", [(np.abs(fast - series) / size, np.abs(each - series) / size)], 1e-3)
        self.assertEqual(list(results["iiee/iterations"] > 0), list(solved == 1))
        self.assertEqual(list(results["iiee/converged"]), [1] * len(BAND))
        self.assertLess(results["frequency_domain/sweep/error_estimate"].max(), 1e-2)

    def test_a_tighter_tolerance(self):
        options = ("--set", "frequency.sweep.tolerance=1e-6")
        coarse = {"radii": [RADIUS, 1.6 * RADIUS], "surfaces": {1: "sphere", 2: "S"}, "tolerance": 1e-8}
        each, _ = self.sections("--set", "frequency.sweep.fast=false", **coarse)
        fast, _ = self.sections(*options, **coarse)
        self.near("1e-6", [(fast / each.max(axis=1)[:, None], each / each.max(axis=1)[:, None])], 3e-6)
        for other in ({"ranks": 2}, {"method": "method: bicgstab, tolerance: 1e-10"}, {"images": "method: plain"}):
            again, results = self.sections(*options, **{**coarse, **other})
            self.assertLess(results["frequency_domain/sweep/solved"].sum(), 16)
            self.near(str(other), [(again / each.max(axis=1)[:, None], each / each.max(axis=1)[:, None])], 3e-6)

    def test_waves_far_from_the_origin_of_their_phase(self):
        """Two waves askew, a whole sphere, fields at a point."""
        waves = f"{TOP}, {{theta: 60, phi: 30, polarization: phi}}"
        coarse = {"radii": [RADIUS, 1.6 * RADIUS], "surfaces": {1: "sphere", 2: "S"}, "whole": "xyz", "waves": waves,
                  "symmetry": "", "boundaries": "pec: [sphere]"}
        point = f"outputs.probes=[{{name: p, point: [0, 0, {1.3 * RADIUS}]}}]"
        found = []
        for fast in ("true", "false"):
            _, results = self.sections("--set", f"frequency.sweep.fast={fast}", "--set", point, **coarse)
            found.append([results[f"excitations/wave-{wave}/probes/p/E"] for wave in (0, 1)])
        for swept, wanted in zip(*found):
            self.near("fields at a point", [(swept / np.abs(wanted).max(), wanted / np.abs(wanted).max())], 1e-3)


class Guides(Antennas):
    def test_an_open_guide_over_a_band(self):
        """S and the power that is radiated."""
        def over_a_band(fast):
            def change(text):
                text = text.replace("frequency: {values: [10 GHz]}", f"frequency: {{start: 8 GHz, stop: 12 GHz, points: 41, sweep: {{fast: {fast}}}}}")
                return text.replace("far_field: {frequencies: [10 GHz]", "far_field: {frequencies: [8.5 GHz, 10 GHz, 11.1 GHz]")
            return self.run_open_guide(1, change)

        fast, each = over_a_band("true"), over_a_band("false")
        self.assertLessEqual(fast["frequency_domain/sweep/solved"].sum(), 12)
        self.near("S", [(fast["s_parameters/S"], each["s_parameters/S"])], 1e-3)
        for hertz in (8500000000, 10000000000, 11100000000):
            name = f"far_field/{hertz}/E_theta"
            self.near(name, [(fast[name] / np.abs(each[name]).max(), each[name] / np.abs(each[name]).max())], 2e-3)

    test_open_guide_in_a_plane = None


if __name__ == "__main__":
    unittest.main(verbosity=2)
