"""The energy that the flux of dgtd-upwind takes from jumps, against what is missing: in a closed cavity, at ports."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parent))
import guide  # noqa: E402

HERE = Path(__file__).resolve().parent
CAVITY = """\
mesh: {{{mesh}}}
materials: {{medium: {{eps_r: 2}}}}
regions: {{{region}: medium}}
boundaries: {{{walls}}}
initial_fields: {{E: ["0", "sin(pi*x)*{along}(pi*z)", "0"], H: ["0", "0", "0"]}}
method: {{scheme: dgtd-upwind, basis: {basis}, layout: {layout}, local_time_stepping: {{max_classes: {classes}}}}}
time: {{end: 16 ns}}
outputs: {{energy: {{every: 8}}}}
run: {{threads: 1}}
"""
GUIDE = f"""\
units: mm
mesh: {{file: {HERE}/guide_iris.geo, parameters: {{size: 4.5}}}}
materials: {{air: {{}}}}
regions: {{guide: air}}
boundaries: {{pec: [walls, iris]}}
ports:
  - {{name: p1, boundary: end1, type: rectangular-waveguide, excite: {{waveform: pulse}}}}
  - {{name: p2, boundary: end2, type: rectangular-waveguide}}
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 10.3 GHz, bandwidth: 4 GHz}}}}
method: {{scheme: dgtd-upwind, basis: full-1}}
time: {{end: 5 ns, energy_decay: -60 dB}}
outputs: {{s_parameters: {{start: 9 GHz, stop: 11 GHz, points: 3}}}}
run: {{threads: 1}}
"""
REMEDY = "use a higher degree or smaller elements, or method.scheme: dgtd-central"


class Jumps(unittest.TestCase):
    def compare(self, text, name, tolerance=0.003, **how):
        got = guide.run(self, text, **how)
        total, jumps = got["energy/total"], got["energy/jumps"]
        start = np.searchsorted(got["energy/time"], 2e-9)  # before, parts decay within a step
        lost = total[start] - total[-2]  # the last row is not at a multiple of the steps between samples
        taken = jumps[-2] - jumps[start]
        print(f"{name}: {lost / total[0]:.3e} of the energy is lost, from jumps {taken / total[0]:.3e}, ratio {taken / lost:.4f}")
        self.ratio = taken / lost
        self.assertGreater(lost, 1e-4 * total[0])
        self.assertLess(abs(self.ratio - 1), tolerance)
        self.assertEqual(got["losses/jumps"][0], jumps[-1])
        self.assertNotIn("losses/accepted", got)
        return got

    def test_what_a_closed_lossless_cavity_loses_is_what_the_flux_takes_from_jumps(self):
        metal, magnetic = "pec: [x0, x1, y0, y1, z0, z1]", "pec: [x0, x1, y0, y1], pmc: [z0, z1]"
        for basis, layout, walls, ranks in (("full-1", "factored", metal, 1), ("full-1", "stored", metal, 2),
                                            ("full-1", "factored", magnetic, 2), ("mixed-1", "factored", metal, 1),
                                            ("mixed-2", "factored", metal, 1)):
            along = "sin" if walls is metal else "cos"
            self.compare(CAVITY.format(mesh="box: {size: [1, 0.5, 1], cells: [3, 2, 3], jitter: 0.1, seed: 1}", region="box",
                                       walls=walls, along=along, basis=basis, layout=layout, classes=1),
                         f"{basis}, {layout}, {walls}, {ranks} ranks", ranks=ranks)

    def test_the_same_holds_with_local_time_steps(self):
        z = [0, 0.02, 0.04, 0.06, 0.1, 0.2, 0.4, 0.6, 0.8, 1]
        found = []
        for ranks in (1, 2):
            got = self.compare(CAVITY.format(mesh="file: mesh.h5", region="feed", walls="pec: [x0, x1, y0, y1, z0, z1]", along="sin",
                                             basis="full-1", layout="factored", classes=2), f"two levels, {ranks} ranks",
                               tolerance=0.02,
                               prepare=lambda folder: guide.write_mesh(folder / "mesh.h5", z, 0.5), ranks=ranks)
            self.assertEqual(got.attributes["classes"], 2)
            found.append(got["losses/jumps"][0])
        self.assertEqual(*found)

    def test_with_local_time_steps_the_difference_falls_with_the_step(self):
        """A step has an energy of its own, of first order in it (theory/upwind)."""
        z, apart = [0, 0.02, 0.04, 0.06, 0.1, 0.2, 0.4, 0.6, 0.8, 1], []
        for cfl, tolerance in ((0.9, 0.05), (0.3, 0.017)):
            text = CAVITY.format(mesh="file: mesh.h5", region="feed", walls="pec: [x0, x1, y0, y1, z0, z1]", along="sin",
                                 basis="mixed-1", layout="factored", classes=2).replace("basis:", f"cfl: {cfl}, basis:")
            got = self.compare(text, f"two levels, mixed-1, cfl {cfl}", tolerance,
                               prepare=lambda folder: guide.write_mesh(folder / "mesh.h5", z, 0.5))
            self.assertEqual(got.attributes["classes"], 2)
            apart.append(self.ratio - 1)
        self.assertAlmostEqual(apart[0] / apart[1], 3, delta=1)

    def test_what_lossless_ports_do_not_give_back_is_what_the_flux_takes_from_jumps(self):
        got = guide.run(self, GUIDE)
        accepted = 0
        for port in ("p1", "p2"):
            a, b, t = (got[f"ports/{port}/{name}"] for name in ("incident", "reflected", "time"))
            accepted += ((a**2).sum() - (b**2).sum()) * (t[1] - t[0])
        taken = got["losses/jumps"][0]
        print(f"guide: ports keep {accepted:.4e} J, from jumps {taken:.4e} J, of what the first accepts "
              f"{got['losses/jumps_of_accepted'][0]:.4f}")
        self.assertLess(abs(taken / accepted - 1), 0.01)
        self.assertGreater(got["losses/jumps_of_accepted"][0], 0.01)
        self.assertIn("percent of the energy accepted by the ports from jumps between elements: " + REMEDY, got.warnings)


if __name__ == "__main__":
    unittest.main()
