#!/usr/bin/env python3
"""Compares runs of this case with a line model, and with each other.

    reference.py OUTDIR [OUTDIR ..] [--tolerance 0.15] [--between 0.02 ..] [--picture FILE.png]

The model: between the plates the modes of a line of their width (TEM and those below cutoff), with open ends; at each coaxial line
the junction of a coaxial and a radial line with the field of the TEM mode in the mouth (A. G. Williamson, "Radial-line/coaxial-line
junctions: analysis and equivalent circuits", Int. J. Electronics 58 (1985)), all modes along z. Nothing is fitted. Exit code 1 where
S differs from the model by more than --tolerance, S12 from S21 by more than 0.01, the sum of |S|^2 of a column is above 1, or |S| of
a further run differs from the first by more than --between (one limit for each further run, the last for the rest).
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import network  # noqa: E402

C0, EPS0, MU0 = 299792458.0, 8.8541878128e-12, 4e-7 * np.pi
LENGTH, WIDTH, HEIGHT, FEED_AT = 40e-3, 10e-3, 1.5e-3, 5e-3
A, B, EPS_COAX = 0.63e-3, 2e-3, 2.1
MODES_Z, MODES_Y = 60, 200


def permittivity(hertz):
    omega = 2 * np.pi * hertz
    return 3.64 + (4.18 - 3.64) / (1 + 1j * omega * 11.4e-12) + 6.29e-3 / (1j * omega * EPS0)


def bessel(order, x):
    """J of order 0 or 1 of a complex number, by its integral."""
    t = (np.arange(64) + 0.5) * np.pi / 64
    return np.mean(np.cos(order * t - x * np.sin(t)))


def hankel(order, x):
    """H of the second kind, order 0 or 1, of a complex number: by series (|x| below 12)."""
    k = np.arange(1, 40)
    factorial = np.cumprod(k.astype(float))
    harmonic = np.cumsum(1 / k)
    log = np.log(x / 2) + 0.5772156649015329
    if order == 0:
        y = 2 / np.pi * (log * bessel(0, x) - np.sum((-(x**2) / 4) ** k / factorial**2 * harmonic))
    else:
        terms = np.sum((-(x**2) / 4) ** k / (factorial * factorial * (k + 1)) * (2 * harmonic + 1 / (k + 1)))
        y = -2 / (np.pi * x) + 2 / np.pi * log * bessel(1, x) - x / (2 * np.pi) * (1 + terms)
    return bessel(order, x) - 1j * y


def modified(order, x):
    """exp(-x) I and exp(x) K of order 0 or 1 of a positive number."""
    t = (np.arange(400) + 0.5) * np.pi / 400
    i = np.mean(np.exp(x * (np.cos(t) - 1)) * np.cos(order * t))
    u = np.linspace(0, np.arccosh(1 + 45 / x), 4001)
    values = np.exp(-x * (np.cosh(u) - 1)) * np.cosh(order * u)
    k = np.sum((values[1:] + values[:-1]) / 2 * np.diff(u))
    return i, k


def evanescent(omega, eps):
    """Admittance at the mouth of the modes cos(n pi z / h), n from 1 on; they do not reach beyond their line. `eps` in F/m."""
    log, total = np.log(B / A), 0
    for n in range(1, MODES_Z + 1):
        q = np.sqrt((n * np.pi / HEIGHT) ** 2 - (omega**2 * MU0 * eps).real)  # losses matter for n = 0 alone
        (i0a, k0a), (i0b, k0b) = modified(0, q * A), modified(0, q * B)
        # H = c/rho + p I1 + r K1 within the mouth, K1 outside; d(rho H)/drho = 0 at the post
        c = 2j * omega * eps / (HEIGHT * q**2 * log)
        # I1 K0 + I0 K1 = 1/(q b): p = -c q K0(qb), and of the jump at b; r makes E_z vanish at a
        p = -c * q * k0b  # times exp(-q b)
        r = p * i0a / k0a  # times exp(q (2 a - b))
        inner = p * (i0b - i0a * np.exp(-q * (B - A))) / q
        outer = r * (k0a * np.exp(-q * (B - A)) - k0b * np.exp(-2 * q * (B - A))) / q
        total += 2 * np.pi / log * (c * log + inner + outer)
    tail = 1 / MODES_Z - 1 / (2 * MODES_Z**2)  # of the sum of 1/n^2
    return total + 2 * np.pi * 2j * omega * eps * HEIGHT / np.pi**2 * tail / log


def green(k, x, x0, y):
    """Field at (x, y) of a line current at (x0, 0) between magnetic walls, outgoing amplitude 1 of H0 (by modes over y)."""
    m = np.arange(MODES_Y)[:, None] * 2  # the lines stand in the middle of the width: even modes
    kx = np.sqrt(k**2 - (m * np.pi / WIDTH) ** 2 + 0j)
    kx = np.where(kx.imag > 0, -kx, kx)
    low, high = np.minimum(x, x0), LENGTH - np.maximum(x, x0)
    # cos(kx low) cos(kx high) / sin(kx L), without growing exponentials
    def e(distance):
        return np.exp(-1j * kx * distance)

    ratio = 1j * e(LENGTH - low - high) * (1 + e(2 * low)) * (1 + e(2 * high)) / (2 * (1 - e(2 * LENGTH)))
    weight = np.where(m == 0, 1, 2) / WIDTH * np.cos(m * np.pi * (y + WIDTH / 2) / WIDTH) * np.cos(m * np.pi / 2)
    return 4j * np.sum(-weight * ratio / kx, axis=0)


def model(hertz):
    """S of the two coaxial lines at the lower plate."""
    omega = 2 * np.pi * hertz
    eps = EPS0 * permittivity(hertz)
    k = np.sqrt(omega**2 * MU0 * eps)
    log, radius = np.log(B / A), 3e-3
    at = np.array([FEED_AT, LENGTH - FEED_AT])
    angle = (np.arange(48) + 0.5) * 2 * np.pi / 48
    t = np.empty((2, 2), complex)
    for i in range(2):
        around = np.mean(green(k, at[i] + radius * np.cos(angle), at[i], radius * np.sin(angle)))
        t[i, i] = (around - hankel(0, k * radius)) / bessel(0, k * radius)
        t[i, 1 - i] = green(k, np.array([at[i]]), at[1 - i], np.array([0.0]))[0]
    c = -1j * omega * eps / (HEIGHT * k**2 * log)
    a1, b1 = -0.5j * c * np.pi * k * hankel(0, k * B), 0.5j * c * np.pi * k * bessel(0, k * B)
    s = bessel(0, k * A) / hankel(0, k * A)
    d = np.linalg.solve(np.eye(2) + s * t, -(s * a1 + b1) * np.eye(2))
    coefficient_a = t @ d + a1 * np.eye(2)
    coefficient_b = -s * coefficient_a
    y = 2 * np.pi / log * (c * log * np.eye(2) + coefficient_a * (bessel(0, k * A) - bessel(0, k * B)) / k
                           + coefficient_b * (hankel(0, k * A) - hankel(0, k * B)) / k)
    y = (y + evanescent(omega, eps) * np.eye(2)) * np.sqrt(MU0 / EPS0 / EPS_COAX) / (2 * np.pi) * log
    return np.linalg.solve(np.eye(2) + y, np.eye(2) - y)


def main():
    parser = argparse.ArgumentParser(description="Compares runs with a line model.")
    parser.add_argument("outdirs", nargs="+")
    parser.add_argument("--tolerance", type=float, default=0.15)
    parser.add_argument("--between", type=float, nargs="+", default=[0.02])
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    runs, is_good = network.judge(arguments.outdirs, arguments.between)
    wanted = np.array([model(f) for f in runs[0].hertz])
    for run in runs:
        apart = np.abs(run.s - (wanted if run.hertz.size == runs[0].hertz.size else np.array([model(f) for f in run.hertz]))[:, :, run.driven]).max(axis=0)
        print(f"{run.name}: from the model S11 {apart[0, 0]:.3f}, S21 {apart[1, 0]:.3f}, limit {arguments.tolerance:g}")
        is_good = is_good and apart.max() <= arguments.tolerance
    if arguments.picture:
        more = [(f"{name}, line model", runs[0].hertz, np.abs(wanted[:, row, 0]), f"C{row}") for row, name in enumerate(("S11", "S21"))]
        network.picture(arguments.picture, "Parallel-plate line", runs, [(0, 0, "S11"), (1, 0, "S21")], half=True, more=more)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
