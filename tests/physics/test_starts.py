"""A mode given at t = 0 in a cavity full of a lossy or dispersive medium, against its ordinary differential equations.

E_z = e(t) sin(kx), H_y = h(t) cos(kx) between PEC walls across x and z and PMC walls across y:
eps e' + P' + sigma e = -k h, mu h' + Q' + sigma_m h = k e in units where c0 = eta0 = 1, with P(0) = Q(0) = 0.
"""

import cmath
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parent))
import guide  # noqa: E402

C0, ETA0 = 299792458.0, 376.730313668
LENGTH, CELLS, END = 0.11, 8, 1.2e-9
WAVE_NUMBER = np.pi / LENGTH
E0, H0 = 100.0, 0.25
SINE, COSINE = (np.cos(WAVE_NUMBER * 0.031 - shift) for shift in (np.pi / 2, 0))

MEDIA = {
    "conducting": {"sigma": 0.03},
    "magnetically lossy": {"sigma_m": 2000},
    "lossy in both fields": {"sigma": 0.03, "sigma_m": 2000},
    "conducting, with axes": {"sigma": 0.03, "eps_r": [3, 1, 2]},
    "Debye": {"electric_dispersion": [{"model": "debye", "delta": 1.5, "tau": 2e-10}]},
    "Debye, with axes": {"electric_dispersion": [{"model": "debye", "delta": 1.5, "tau": 2e-10}], "eps_r": [3, 1, 2]},
    "Lorentz and conducting": {"sigma": 0.01, "electric_dispersion":
                               [{"model": "lorentz", "delta": 1.5, "frequency": 1e9, "damping": 3e9}]},
    "Drude": {"electric_dispersion": [{"model": "drude", "plasma_frequency": 1e9, "collision": 2e9}]},
    "pole": {"electric_dispersion": [{"model": "pole", "residue": [1e9, -5e9], "pole": [2e9, -8e9]}]},
    "magnetic Lorentz": {"magnetic_dispersion": [{"model": "lorentz", "delta": 1.5, "frequency": 1e9, "damping": 3e9}]},
    "magnetic Debye, with axes": {"magnetic_dispersion": [{"model": "debye", "delta": 1.5, "tau": 6e-11}],
                                  "mu_r": [2, 1, 3]},
}
FAST = {
    "sigma dt/eps of 3": {"sigma": 5},
    "magnetic losses": {"sigma_m": 7e5},
    "Debye": {"electric_dispersion": [{"model": "debye", "delta": 70, "tau": 2e-11}]},
    "magnetic Debye": {"magnetic_dispersion": [{"model": "debye", "delta": 2, "tau": 1e-12}]},
    "losses in both fields": {"sigma": 5, "sigma_m": 1},
    "as large magnetic losses": {"sigma": 5, "sigma_m": 7e5},
    "Debye and magnetic losses": {"sigma_m": 1, "electric_dispersion": [{"model": "debye", "delta": 70, "tau": 2e-11}]},
    "Debye and magnetic Debye": {"electric_dispersion": [{"model": "debye", "delta": 70, "tau": 2e-11}],
                                 "magnetic_dispersion": [{"model": "debye", "delta": 2, "tau": 1e-12}]},
    "losses, with axes": {"sigma": 5, "eps_r": [3, 1, 2]},
    "losses in both fields, with axes": {"sigma": 5, "sigma_m": 1, "eps_r": [3, 1, 2], "mu_r": [2, 1, 3]},
    "Debye and magnetic losses, with axes": {"sigma_m": 2000, "eps_r": [3, 1, 2], "mu_r": [2, 1, 3],
                                             "electric_dispersion": [{"model": "debye", "delta": 70, "tau": 2e-11}]},
}


def residues_and_poles(term):
    """chi(t) = sum Re(residue exp(-pole t)) in 1/s, rad/s; a Drude term as its two poles, 0 and the collision rate."""
    if term["model"] == "debye":
        return [(term["delta"] / term["tau"], 1 / term["tau"])]
    if term["model"] == "pole":
        return [(complex(*term["residue"]), complex(*term["pole"]))]
    if term["model"] == "drude":
        strength = (2 * np.pi * term["plasma_frequency"]) ** 2 / term["collision"]
        return [(strength, 0), (-strength, term["collision"])]
    w0, damping = 2 * np.pi * term["frequency"], term["damping"]
    w1 = cmath.sqrt(w0**2 - damping**2)
    return [(-1j * term["delta"] * w0**2 / w1, damping - 1j * w1)]


def exact(medium, e, h, times):
    """e(t) and eta0 h(t): psi' = -pole psi + residue u, P = Re psi; the matrix of the system by its eigenvalues."""
    eps = medium.get("eps_r", 2)
    eps = eps if isinstance(eps, (int, float)) else eps[2]
    poles = [(0, pole) for term in medium.get("electric_dispersion", ()) for pole in residues_and_poles(term)]
    poles += [(1, pole) for term in medium.get("magnetic_dispersion", ()) for pole in residues_and_poles(term)]
    a = np.zeros((2 + 2 * len(poles), 2 + 2 * len(poles)))
    a[0, :2] = -medium.get("sigma", 0) * ETA0 * C0, -WAVE_NUMBER * C0
    a[1, :2] = WAVE_NUMBER * C0, -medium.get("sigma_m", 0) / ETA0 * C0
    for k, (field, (residue, pole)) in enumerate(poles):
        at = 2 + 2 * k
        residue, pole = complex(residue), complex(pole)
        a[at, [at, at + 1, field]] = -pole.real, pole.imag, residue.real
        a[at + 1, [at, at + 1, field]] = -pole.imag, -pole.real, residue.imag
        a[field] -= a[at]
    a[0] /= eps
    values, vectors = np.linalg.eig(a)
    start = np.zeros(len(a))
    start[:2] = e, h * ETA0
    parts = np.linalg.solve(vectors, start.astype(complex))
    states = (vectors[:2] * parts) @ np.exp(np.outer(values, times))
    return states.real


class Starts(unittest.TestCase):
    @staticmethod
    def text(medium, scheme, cfl, e, h):
        return f"""
mesh: {{box: {{size: [{LENGTH}, 0.0275, 0.0275], cells: [{CELLS}, 2, 2]}}}}
materials: {{m: {({"eps_r": 2} | medium)}}}
regions: {{box: m}}
boundaries: {{pec: [x0, x1, z0, z1], pmc: [y0, y1]}}
method: {{scheme: {scheme}, basis: mixed-2, cfl: {cfl}}}
time: {{end: {END}}}
outputs: {{probes: [{{name: p, point: [0.031, 0.017, 0.019]}}]}}
run: {{threads: 1}}
initial_fields: {{E: [0, 0, '{e}*sin({WAVE_NUMBER!r}*x)'], H: [0, '{h}*cos({WAVE_NUMBER!r}*x)', 0]}}
"""

    def check(self, name, scheme, largest, cfl):
        medium = MEDIA[name]
        errors = []
        for e, h in ((E0, 0), (0, H0)):
            got = guide.run(self, self.text(medium, scheme, cfl, e, h))
            expected = exact(medium, e, h, got["probes/p/time"])
            electric = got["probes/p/E"][:, 2] / SINE - expected[0]
            magnetic = got["probes/p/H"][:, 1] / COSINE * ETA0 - expected[1]
            errors += [np.abs(part).max() / np.abs(whole).max() for part, whole in zip((electric, magnetic), expected)]
        print(f"{name}, {scheme}: errors {', '.join(f'{error:.4f}' for error in errors)}")
        self.assertLess(max(errors), largest)


    def test_media_that_answer_within_a_step_neither_grow_nor_keep_what_is_given(self):
        for name, medium in FAST.items():
            for e, h in ((E0, 0), (0, H0))[:1 if "magnetic" in name else 2]:
                text = self.text(medium, "dfdd-eld", 0.9, e, h).replace("outputs: {", "outputs: {energy: {every: 1}, ")
                got = guide.run(self, text)
                energy = got["energy/total"]
                expected = exact(medium, e, h, got["probes/p/time"])
                electric = np.abs(got["probes/p/E"][:, 2] / SINE - expected[0]) / max(E0, np.abs(expected[0]).max())
                magnetic = np.abs(got["probes/p/H"][:, 1] / COSINE * ETA0 - expected[1]) / max(H0 * ETA0, np.abs(expected[1]).max())
                late = max(part[len(part) // 4:].max() for part in (electric, magnetic))
                print(f"{name}, given {'E' if e else 'H'}: at most {energy.max() / energy[0]:.4f} of the energy, errors after a quarter "
                      f"of the time {late:.4f}")
                self.assertLess(energy.max() / energy[0], 1.02)
                self.assertLess(late, 0.05)

    def test_h_given_in_fast_magnetic_media_is_refused_with_a_step_that_works(self):
        """In the leap-frog schemes, whose H is half a step earlier."""
        medium = {"sigma": 0.03, "sigma_m": 7e5}
        for scheme, most in (("dgtd-central", 0.07), ("dfdd-eld", 0.05)):
            text = self.text(medium, scheme, 0.9, 0, H0).replace(f"end: {END}", "end: 3e-11")
            with tempfile.TemporaryDirectory() as place:
                Path(place, "case.yaml").write_text(text, encoding="utf-8")
                run = subprocess.run([os.environ["TETRAWAVE_PROGRAM"], "run", "case.yaml", "--quiet"], cwd=place, capture_output=True,
                                     text=True, check=False)
            self.assertEqual(run.returncode, 78, run.stderr)
            said = re.search(r"case.yaml:10:\d+: error: initial_fields.H: region 'box' has magnetic losses that are [\d.]+ times too "
                             rf"fast for a given H in {scheme}: .*; use method.scheme: dgtd-upwind, method.time_step: (\S+) s, or",
                             run.stderr)
            self.assertIsNotNone(said, run.stderr)
            got = guide.run(self, text.replace("cfl: 0.9", f"time_step: {said[1]}"))
            expected = exact(medium, 0, H0, got["probes/p/time"])[0]
            error = np.abs(got["probes/p/E"][:, 2] / SINE - expected).max() / np.abs(expected).max()
            print(f"H given in fast magnetic media, {scheme}, step of {said[1]} s: error of E {error:.4f}")
            self.assertLess(error, most)
        got = guide.run(self, self.text(medium, "dgtd-upwind", 0.9, 0, H0))
        expected = exact(medium, 0, H0, got["probes/p/time"])[0]
        late = np.abs(got["probes/p/E"][:, 2] / SINE - expected)[20:].max() / np.abs(expected).max()
        self.assertLess(late, 0.005)


def add(name, scheme, largest, cfl=0.9):
    method = f"test_{name}_{scheme}".replace(",", "").replace(" ", "_").replace("-", "_")
    setattr(Starts, method, lambda test: test.check(name, scheme, largest, cfl))


for medium_name in MEDIA:  # the magnetic Debye term is fast: it leaves 0.13 at a cfl of 0.9, which falls as dt^2
    add(medium_name, "dfdd-eld", 0.012, 0.225 if "magnetic Debye" in medium_name else 0.9)
for of_scheme in ("dgtd-central", "dgtd-upwind"):
    add("conducting, with axes", of_scheme, 0.03)
    add("Lorentz and conducting", of_scheme, 0.03)
    add("magnetic Debye, with axes", of_scheme, 0.03)

if __name__ == "__main__":
    unittest.main()
