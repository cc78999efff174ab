#!/usr/bin/env python3
"""Compares the resonances of a run of cases/cavity_modes with closed forms; exit code 1 where they are off.

usage: cases/cavity_modes/reference.py DIR
"""

import sys
from pathlib import Path

import h5py
import numpy as np

C0, MU0 = 299792458.0, 1.25663706212e-6
ETA0 = MU0 * C0
SIGMA = 5.8e7


def sphere():
    """f and Q: x of TM waves of order n are zeros of (x j_n)', of TE of j_n, each 2n + 1 times. delta is the skin depth;
    Q = a/delta (1 - n(n + 1)/x^2) for TM and a/delta for TE."""
    radius = 0.05
    modes = [(2.743707269992265, 1, True), (3.870238580046166, 2, True), (4.493409457909064, 1, False)]
    found = []
    for x, n, is_tm in modes:
        hz = C0 * x / (2 * np.pi * radius)
        depth = 1 / np.sqrt(np.pi * hz * MU0 * SIGMA)
        found += [(hz, radius / depth * (1 - n * (n + 1) / x**2 if is_tm else 1))] * (2 * n + 1)
    return np.array(found).T


def coaxial():
    """Voltage on the line sin(k z) from both ends, continuous in current at the bead; losses of walls and bead by the
    power that the fields without losses give."""
    near, far, length, bead = 0.004, 0.012, 0.060, 0.020
    rest, index, tangent = length - bead, np.sqrt(2.1), 2e-4

    def mismatch(k):
        return index * np.cos(index * k * bead) * np.sin(k * rest) + np.sin(index * k * bead) * np.cos(k * rest)

    k = np.linspace(1, 600, 60001)
    found = []
    for low, high in zip(k[:-1], k[1:]):
        if mismatch(low) * mismatch(high) > 0:
            continue
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if mismatch(low) * mismatch(middle) > 0 else (low, middle)
        found.append(low)
    results = []
    for k in found[:2]:
        z, step = np.linspace(0, length, 20001, retstep=True)
        inside = z <= bead
        size = np.sin(index * k * bead) / np.sin(k * rest) if abs(np.sin(k * rest)) > 1e-9 else -index * np.cos(index * k * bead) / np.cos(k * rest)
        voltage = np.where(inside, np.sin(index * k * z), size * np.sin(k * (length - z)))
        current = np.where(inside, index * np.cos(index * k * z), -size * np.cos(k * (length - z))) / ETA0  # of the field r H
        hz = C0 * k / (2 * np.pi)
        omega, resistance, log = 2 * np.pi * hz, np.sqrt(np.pi * hz * MU0 / SIGMA), np.log(far / near)
        eps = np.where(inside, index**2, 1) / (ETA0 * C0)
        integral = lambda values: step * (values.sum() - (values[0] + values[-1]) / 2)  # noqa: E731
        stored = np.pi * log * (integral(eps * voltage**2) + MU0 * integral(current**2)) / 2
        walls = np.pi * resistance * (integral(current**2) * (1 / near + 1 / far) + log * (current[0] ** 2 + current[-1] ** 2))
        dielectric = np.pi * log * omega * tangent * integral(np.where(inside, eps, 0) * voltage**2)
        results.append((hz, omega * stored / (walls + dielectric)))
    return np.array(results).T


def main():
    with h5py.File(Path(sys.argv[1]) / "results.h5") as file:
        name = "sphere" if "sphere.geo" in file.attrs["case"] else "coaxial"
        frequency, q = file["eigenmodes/frequency"][()].real, file["eigenmodes/q"][()]
    wanted_hz, wanted_q = sphere() if name == "sphere" else coaxial()
    good = True
    print(f"{name}:   f (GHz)      off       Q      off")
    for hz, own, exact, exact_q in zip(frequency, q, wanted_hz, wanted_q):
        print(f"  {hz / 1e9:10.6f}  {hz / exact - 1:8.1e}  {own:8.0f}  {own / exact_q - 1:8.1e}")
        good &= abs(hz / exact - 1) < 5e-3 and abs(own / exact_q - 1) < 3e-2
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
