#!/usr/bin/env python3
"""Iterations of mode fe-iiee around a metal sphere, by partial waves, which the iteration keeps apart.

usage: tests/physics/sphere_iterations.py [TOLERANCE]     prints the table of theory/fe-iiee: rate: plain, **gmres**

S is a sphere a gap (in wavelengths) outside of the metal, the wave a plane one. The error of each partial wave is multiplied by a
number of its own (spheres.partial_waves), so that the map of boundary values is a diagonal matrix; gmres on it is the program's.
"""

import math
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

SIZES = (1, 2, 5, 10, 20, 30, 40)
GAPS = (0.05, 0.1, 0.15, 0.2, 0.25)


def riccati(last, x):
    """x j_n and x h_n of the second kind, n = 0 .. last, and their derivatives: j by downward recurrence, y upward."""
    start = int(last + 20 + 2 * x)
    down = np.zeros(start + 2)
    down[start] = 1e-300
    for n in range(start, 0, -1):
        down[n - 1] = (2 * n + 1) / x * down[n] - down[n + 1]
        if abs(down[n - 1]) > 1e200:
            down /= 1e200
    scale = math.sin(x) / down[0] if abs(math.sin(x)) > abs(math.cos(x)) else (math.sin(x) / x - math.cos(x)) / down[1]
    j = down[:last + 1] * scale
    y = np.zeros(last + 1)
    y[0], y[1] = -math.cos(x), -math.cos(x) / x - math.sin(x)
    for n in range(1, last):
        y[n + 1] = (2 * n + 1) / x * y[n] - y[n - 1]
    h = j - 1j * y
    n = np.arange(1, last + 1)
    return h[1:], h[:-1] - n / x * h[1:]


def modes(x, outer):
    """Of the electric and magnetic waves that a metal sphere scatters of a plane one: their size on S in the solution, and what an
    iteration leaves of their error. x = k a, outer = k times the radius of S."""
    last = int(x + 4 * x ** (1 / 3)) + 6
    (h, dh), (far, dfar) = riccati(last, x), riccati(last, outer)
    back = -(dfar + 1j * far) / (dfar.real + 1j * far.real)
    size = np.sqrt(2 * np.arange(1, last + 1) + 1) * np.abs(dfar + 1j * far)
    values, rates = [], []
    for part in (dh.real / dh, h.real / h):
        values.append(size * part)
        rates.append(part * back / (1 + part * back))
    return np.concatenate(values), np.concatenate(rates)


def plain_changes(x, outer, count):
    values, rates = modes(x, outer)
    steps = np.arange(1, count + 1)[:, None]
    now, before = values * (1 - rates**steps), values * (1 - rates ** (steps - 1))
    return np.linalg.norm(now - before, axis=1) / np.linalg.norm(now, axis=1)


def gmres_changes(x, outer, count):
    """Of the iterations 1, 2, ..: the first has what the absorbing S leaves, each other one direction more."""
    values, rates = modes(x, outer)
    residual = values * (1 - rates)
    found, directions, images, changes = np.zeros_like(residual), [], [], [1.0]
    while len(changes) < count and changes[-1] > 1e-12:
        direction = residual / np.linalg.norm(residual)
        image = (1 - rates) * direction
        for _ in range(2):
            for old, its_image in zip(directions, images):
                part = np.vdot(its_image, image)
                image, direction = image - part * its_image, direction - part * old
        size = np.linalg.norm(image)
        directions.append(direction / size)
        images.append(image / size)
        part = np.vdot(images[-1], residual)
        residual, found = residual - part * images[-1], found + part * directions[-1]
        changes.append(np.linalg.norm(residual) / np.linalg.norm(found))
    return np.array(changes)


def count_to(changes, tolerance):
    within = np.nonzero(changes <= tolerance)[0]
    return str(within[0] + 1) if len(within) else "-"


def main(tolerance=1e-4):
    print("| k a | " + " | ".join(f"gap {gap:g}" for gap in GAPS) + " |\n" + "|---" * (len(GAPS) + 1) + "|")
    for size in SIZES:
        row = []
        for gap in GAPS:
            outer = size + 2 * math.pi * gap
            rate = max(abs(modes(size, outer)[1]))
            plain = count_to(plain_changes(size, outer, 1000), tolerance) if rate < 1 else "-"
            row.append(f"{rate:.2f}: {plain}, **{count_to(gmres_changes(size, outer, 60), tolerance)}**")
        print(f"| {size} | " + " | ".join(row) + " |")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
