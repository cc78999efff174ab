"""A wave that goes round: a box whose faces lead to each other in all directions, against the closed form."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
from layers import C0  # noqa: E402

# A wave along x + z, one period of each, which needs both pairs and the way round the edges, and is the same along y.
KX, KZ = 2 * np.pi, 2 * np.pi
K = np.hypot(KX, KZ)
PERIOD_S = 2 * np.pi / (K * C0)
CASE = """\
mesh: {{box: {{size: [1, 1, 1], cells: [16, 4, 16], jitter: 0.1, seed: 3}}}}
materials: {{air: {{}}}}
regions: {{box: air}}
boundaries: {{periodic: [[x0, x1], [y0, y1], [z0, z1]]}}
initial_fields:
  E: ["{ex:.15g}*cos({kx:.15g}*x+{kz:.15g}*z)", "0", "{ez:.15g}*cos({kx:.15g}*x+{kz:.15g}*z)"]
  H: ["0", "{h:.15g}*cos({kx:.15g}*x+{kz:.15g}*z)", "0"]
method: {{scheme: {scheme}, basis: mixed-2, layout: {layout}}}
time: {{end: {end:.15g} s}}
outputs:
  probes: [{{name: middle, point: [0.52, 0.51, 0.49], fields: [E]}}, {{name: edge, point: [0.01, 0.02, 0.99], fields: [E]}}]
  energy: {{every: 1}}
run: {{threads: 1}}
"""
RUNS = {"central": ("dgtd-central", "factored", 0.1), "stored": ("dgtd-central", "stored", 0.1),
        "upwind": ("dgtd-upwind", "factored", 0.02), "dfdd": ("dfdd-eld", "factored", 0.07)}


class Periodic(unittest.TestCase):
    def march(self, scheme, layout, ranks=1):
        eta0 = 376.730313668
        text = CASE.format(ex=KZ / K, ez=-KX / K, kx=KX, kz=KZ, h=1 / eta0, scheme=scheme, layout=layout, end=1.5 * PERIOD_S)
        return guide.run(self, text, ranks=ranks)

    def compare(self, name, _):
        scheme, layout, tolerance = RUNS[name]
        results = self.march(scheme, layout)
        for probe, (x, z) in {"middle": (0.52, 0.49), "edge": (0.01, 0.99)}.items():
            time = results[f"probes/{probe}/time"]
            found = results[f"probes/{probe}/E"]
            wanted = np.cos(KX * x + KZ * z - K * C0 * time)[:, None] * np.array([KZ / K, 0, -KX / K])
            deviation = np.abs(found - wanted).max()
            print(f"{name}, {probe}: {deviation:.4f}")
            self.assertLess(deviation, tolerance)
        if scheme == "dgtd-central":
            total = results["energy/total"]
            self.assertLess(np.ptp(total) / total.mean(), 1e-12)

    def test_ranks_agree(self):
        one = self.march("dgtd-central", "factored")["probes/edge/E"]
        three = self.march("dgtd-central", "factored", ranks=3)["probes/edge/E"]
        self.assertTrue(np.array_equal(one, three))


guide.add_tests(Periodic, Periodic.compare, RUNS, schemes=("all_round",))

if __name__ == "__main__":
    unittest.main()
