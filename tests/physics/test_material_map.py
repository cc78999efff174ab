"""A cavity filled with one medium rings at s^2 eps(s) mu(s) = -k^2, k the resonance of the empty cavity on the same mesh.

The modes of every scheme are to obey it with their own discrete k, so that the comparison is sharp on coarse meshes. By
the program; lengths in m, rates in units of c0.
"""

import itertools
import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
from layers import C0, MU0  # noqa: E402

ETA0 = MU0 * C0
CASE = """\
mesh: {{box: {{size: [1, 1, 1], cells: [3, 3, 3]}}}}
materials: {{filling: {material}}}
regions: {{box: filling}}
boundaries: {{default: pec}}
initial_fields: {{E: ["0", "0", "sin(pi*x)*sin(pi*y)"]}}
method: {{scheme: {scheme}, basis: mixed-2, cfl: 0.3}}
time: {{end: {end_s}}}
outputs:
  energy: {{every: 1}}
  probes: [{probes}]
run: {{threads: 1}}
"""
POINTS = list(itertools.product((0.15, 0.38, 0.62, 0.85), (0.15, 0.38, 0.62, 0.85), (0.3, 0.7)))
PROBES = ", ".join(f"{{name: p{i}, point: [{x}, {y}, {z}], fields: [E]}}" for i, (x, y, z) in enumerate(POINTS))
WEIGHTS = [np.sin(np.pi * x) * np.sin(np.pi * y) for x, y, _ in POINTS]

# What fills the cavity, eps(s) and mu(s) of it as ratios of polynomials (highest power first), and the modes of a cavity
# without discretisation, k^2 = 2 pi^2, to choose the exponentials by.
FREQUENCY = C0 * 6 / (2 * np.pi)
LORENTZ = ([1, 0.6, 36 * 2.25], [1, 0.6, 36])
FILLINGS = {
    "conducting": (f"{{sigma: {1 / ETA0}}}", ([1, 1], [1, 0]), ([1], [1]), (-0.5 + 4.414658j,)),
    "magnetically_conducting": (f"{{sigma_m: {ETA0}}}", ([1], [1]), ([1, 1], [1, 0]), (-0.5 + 4.414658j,)),
    "debye": (f"{{electric_dispersion: [{{model: debye, delta: 2, tau: {0.3 / C0}}}]}}", ([0.3, 3], [0.3, 1]), ([1], [1]),
              (-0.702991 + 2.676189j,)),
    "lorentz": (f"{{electric_dispersion: [{{model: lorentz, delta: 1.25, frequency: {FREQUENCY}, damping: {0.3 * C0}}}]}}",
                LORENTZ, ([1], [1]), (-0.042505 + 2.763025j, -0.257495 + 9.643288j)),
    "magnetic_lorentz": (
        f"{{magnetic_dispersion: [{{model: lorentz, delta: 1.25, frequency: {FREQUENCY}, damping: {0.3 * C0}}}]}}",
        ([1], [1]), LORENTZ, (-0.042505 + 2.763025j, -0.257495 + 9.643288j)),
    # As a complex pole: chi = Re(residue exp(-pole t)) of the same Lorentz term.
    "pole": (f"{{electric_dispersion: [{{model: pole, residue: [0, {-1.25 * 36 / np.sqrt(35.91) * C0}], pole: "
             f"[{0.3 * C0}, {-np.sqrt(35.91) * C0}]}}]}}", LORENTZ, ([1], [1]), (-0.042505 + 2.763025j,)),
    "drude": (f"{{electric_dispersion: [{{model: drude, plasma_frequency: {3 * C0 / (2 * np.pi)}, collision: {0.5 * C0}}}]}}",
              ([1, 0.5, 9], [1, 0.5, 0]), ([1], [1]), (-0.077969 + 5.355322j,)),
}


def exponentials(signal, step, order=12, significant=1e-7):
    """The exponents s of a sum of exponentials, by the matrix pencil (Hua and Sarkar, 1990)."""
    rows = len(signal) // 2
    hankel = np.lib.stride_tricks.sliding_window_view(signal, rows).T
    u, values, _ = np.linalg.svd(hankel, full_matrices=False)
    u = u[:, : min(order, int((values > significant * values[0]).sum()))]
    return np.log(np.linalg.eigvals(np.linalg.pinv(u[:-1]) @ u[1:]).astype(complex)) / step


class MaterialMap(unittest.TestCase):
    end = 8.0

    def ring(self, material, scheme):
        """Exponents of the ringing mode, in units of c0, and the results."""
        results = guide.run(self, CASE.format(material=material, scheme=scheme, end_s=self.end / C0, probes=PROBES))
        time = results["probes/p0/time"] * C0
        signal = sum(w * results[f"probes/p{i}/E"][:, 2] for i, w in enumerate(WEIGHTS))
        every = max(1, round(0.05 / (time[1] - time[0])))
        return exponentials(signal[::every], every * (time[1] - time[0])), results

    def compare(self, name, scheme):
        material, eps, mu, targets = FILLINGS[name]
        found, results = self.ring(material, scheme)
        empty, _ = self.ring("{}", scheme)
        empty = min(empty, key=lambda s: abs(s - 1j * np.sqrt(2) * np.pi))
        # s^2 eps mu = s_empty^2
        numerator = np.polymul([1, 0, 0], np.polymul(eps[0], mu[0]))
        denominator = np.polymul(eps[1], mu[1]).astype(complex) * empty**2
        roots = np.roots(np.polysub(numerator.astype(complex), denominator))
        for target in targets:
            wanted = min(roots, key=lambda s: abs(s - target))
            self.assertLess(abs(wanted - target), 0.02 * abs(target))
            s = min(found, key=lambda s: abs(s - wanted))
            print(f"{name}, {scheme}: s = {s:.6f}, off by {abs(s - wanted) / abs(wanted):.1e}")
            self.assertLess(abs(s - wanted), 2e-3 * abs(wanted))
        energy = results["energy/total"]
        self.assertLess(energy.max(), energy[0] * (1 + 1e-9))


# Started from fields, DFDD-ELD keeps their static part, which spoils a fit of decays: its media are met by the slabs.
guide.add_tests(MaterialMap, MaterialMap.compare, FILLINGS, ("dgtd-central", "dgtd-upwind"))

if __name__ == "__main__":
    unittest.main()
