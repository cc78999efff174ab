"""What the templates of `tetrawave new` give, beside closed forms: those of the cases whose geometry they have."""

import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np

CASES = Path(__file__).resolve().parents[2] / "cases"
KINDS = {"antenna": "patch", "coaxial-line": "coax_bead", "microstrip": "microstrip", "scatterer": "sphere_rcs", "waveguide": "wr90"}
C0, ETA0 = 299792458.0, 376.730313668


def check_cavity(results):
    """Four resonances of a box of 30 by 20 by 40 mm, and Q of TE101 in copper (D. M. Pozar, "Microwave Engineering", 6.3)."""
    a, b, d = 0.03, 0.02, 0.04
    found = [(m, n, p) for m in range(3) for n in range(3) for p in range(3) if (m > 0) + (n > 0) + (p > 0) >= 2]
    exact = np.sort([C0 / 2 * np.hypot(np.hypot(m / a, n / b), p / d) for m, n, p in found])[:4]
    with h5py.File(results) as file:
        np.testing.assert_allclose(np.sort(file["eigenmodes/frequency"][()].real), exact, rtol=2e-3)
        q = file["eigenmodes/q"][0]
    k = 2 * np.pi * exact[0] / C0
    resistance = np.sqrt(np.pi * exact[0] * ETA0 / C0 / 5.8e7)
    expected = (k * a * d) ** 3 * b * ETA0 / (2 * np.pi**2 * resistance) / (2 * a**3 * b + 2 * b * d**3 + a**3 * d + a * d**3)
    np.testing.assert_allclose(q, expected, rtol=0.01)


def check(kind, directory):
    """AssertionError where the run of a template is off its closed form."""
    if kind == "cavity":
        return check_cavity(directory / "results.h5")
    script = CASES / KINDS[kind] / "reference.py"
    done = subprocess.run([sys.executable, script, directory], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{kind}: {done.stdout}{done.stderr}")
    return None
