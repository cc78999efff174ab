"""Spheres of metal or a dielectric: Mie's series and meshes, for the tests of this folder."""

import itertools
import math
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402, F401
import meshes  # noqa: E402


def riccati(order, x):
    """Riccati-Hankel functions of the second kind of a real number, and their derivatives; the real parts are those of Bessel."""
    def value(n):
        terms = [math.factorial(n + k) / math.factorial(k) / math.factorial(n - k) * (2j * x) ** -k for k in range(n + 1)]
        return 1j ** (n + 1) * np.exp(-1j * x) * sum(terms)

    return value(order), value(order - 1) - order / x * value(order)


def partial_waves(order, x, outer, index):
    """Of a sphere of metal (index 0) or a dielectric: what it scatters of the electric and the magnetic wave of an order, a and
    b, and how much of them is left of the error after an iteration of the integral equation with S a sphere. x = k a, outer = k
    times the radius of S, which sends waves back by psi' = -j psi."""
    (h, dh), (far, dfar) = riccati(order, x), riccati(order, outer)
    back = -(dfar + 1j * far) / (dfar.real + 1j * far.real)
    a, b = dh.real / dh, h.real / h
    if index:
        inside, slope = (part.real for part in riccati(order, index * x))
        a = (index * inside * dh.real - h.real * slope) / (index * inside * dh - h * slope)
        b = (inside * dh.real - index * h.real * slope) / (inside * dh - index * h * slope)
    return [(part, part * back / (1 + part * back)) for part in (a, b)]


def cross_sections(x, outer, index, angles, iterations=0, plane="E"):
    """Over pi a^2, at angles to the way of the wave, in the plane of E or of H. x, outer, index as above. Without iterations S
    is absorbing; after many (math.inf) it is as if absent."""
    cosine = np.cos(np.radians(angles))
    total, before, last = 0, np.zeros(len(cosine)), np.ones(len(cosine))  # pi_(n-1), pi_n
    for n in range(1, 8):
        a, b = (part * (1 - (0 if iterations == math.inf else rest ** (iterations + 1)))
                for part, rest in partial_waves(n, x, outer, index))
        tau = n * cosine * last - (n + 1) * before
        total = total + (2 * n + 1) / (n * (n + 1)) * (a * tau + b * last if plane == "E" else a * last + b * tau)
        before, last = last, ((2 * n + 1) * cosine * last - (n + 1) * before) / n
    return 4 * np.abs(total) ** 2 / x**2


def changes(x, outer, index, count):
    """Of the boundary values in iterations 1, 2, .., over their size: the first radiate from what the absorbing S leaves. A plane
    wave has 2n+1 times the same of every order on S; what its scattered waves are there is (x h)'/x + j h, up to a factor."""
    waves = []
    for n in range(1, 8):
        far, dfar = riccati(n, outer)
        waves += [((2 * n + 1) ** 0.5 * abs(dfar + 1j * far) * part, rest) for part, rest in partial_waves(n, x, outer, index)]
    part, rest = np.array(waves).T
    steps = np.arange(1, count + 1)[:, None]
    now, before = part * (1 - rest**steps), part * (1 - rest ** (steps - 1))
    return np.linalg.norm(now - before, axis=1) / np.linalg.norm(now, axis=1)


def write_spheres(path, radii, surfaces, core=0, hollow=False, whole="xyz", by_volume=True):
    """Spheres within each other from cubes: radii [m] of the levels 1, 2, .. (each with the volume that it should have, in
    facets, or by_volume=False with its corners there), surfaces: their groups by level. The levels up to `core` are the region core, left out where hollow. The mesh is its
    own image along x, y and z; the half x < 0 is left out, with the group x0 in its place, where x is not in `whole`."""
    count = len(radii)
    octant = [e for e in meshes.cut_grid((count,) * 3) if not hollow or any(max(p) > core for p in e)]
    signs = list(itertools.product(*((1, -1) if axis in whole else (1,) for axis in "xyz")))
    elements = [tuple(tuple(s * c for s, c in zip(sign, p)) for p in e) for e in octant for sign in signs]

    def level(point):
        return max(abs(c) for c in point)

    faces = {}
    for element in elements:
        for face in itertools.combinations(element, 3):
            faces.setdefault(frozenset(face), []).append(face)

    def on_level(face):
        return level(face[0]) if len({level(p) for p in face}) == 1 else 0

    volumes = np.zeros(count + 1)  # of facets on unit spheres, of all meshed octants
    for found in faces.values():
        if number := on_level(found[0]):
            volumes[number] += abs(np.linalg.det([np.array(p) / np.linalg.norm(p) for p in found[0]])) / 6
    scaled = [radius * (len(signs) * np.pi / 6 / volume) ** (1 / 3) if volume > 0 and by_volume else radius
              for radius, volume in zip(radii, volumes[1:])]

    names = list(surfaces.values()) + ["x0", "y0", "z0"]
    used, group = [], []
    for found in faces.values():
        face = found[0]
        flat = ["xyz"[axis] + "0" for axis in range(3) if "xyz"[axis] not in whole and all(p[axis] == 0 for p in face)]
        name = flat[0] if flat else surfaces.get(on_level(face))
        if name:
            used.append(face)
            group.append(names.index(name))
    number = {point: n for n, point in enumerate(sorted({p for e in elements for p in e}, key=lambda p: ([abs(c) for c in p], p)))}
    meshes.write(path, {
        "nodes": np.array([(0, *scaled)[level(p)] * np.array(p) / max(np.linalg.norm(p), 1) for p in number], float),
        "tetrahedra": np.array([[number[p] for p in element] for element in elements], np.int64),
        "region": np.array([int(all(level(p) <= core for p in element)) for element in elements], np.int32),
        "region_names": np.array(["air", "core"] if core and not hollow else ["air"], "S"),
        "faces": np.array([[number[p] for p in face] for face in used], np.int64),
        "face_group": np.array(group, np.int32), "group_names": np.array(names, "S")})
