#!/usr/bin/env python3
"""Modes of a silicon wire in oxide by finite differences on Yee's grid: the index that cases/photonic_amplifier/ring.py compares with.

    wire_modes.py [--cell UM] [--modes N]

E_x and E_y on staggered points, E_z and H eliminated (Zhu and Brown, Optics Express 10, 853, 2002): an eigenproblem for beta^2,
with PEC at the ends of the oxide. The permittivity of a component is averaged over its cell, along the component the inverse.
Lengths in um. At cells of 0.05 and 0.025 the first mode, E along the wide side, has an index of 2.7353 and 2.7403 at 193.4 THz,
2.7553 and 2.7604 at 196.6 THz.
"""

import argparse

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import eigs

WIRE, OXIDE = (0.55, 0.3), (2.55, 2.3)  # width and height
SILICON_EPS, OXIDE_EPS = 12.1104, 2.1025
FREQUENCIES_THZ = (193.4, 196.6)
LIGHT = 299.792458  # um THz


def inside(points, size, cell):
    """Share of a cell around each point that lies within size/2 of the middle."""
    parts = (np.arange(8) - 3.5) / 8 * cell
    return np.mean(np.abs(points[:, None] + parts) < size / 2, axis=1)


def permittivity(x, y, cell, along):
    """Of E_x (along 0), E_y (1) or E_z (2) at x, y; one value a point, y fastest."""
    of_x, of_y = inside(x, WIRE[0], cell), inside(y, WIRE[1], cell)
    if along == 2:
        return (OXIDE_EPS + (SILICON_EPS - OXIDE_EPS) * np.outer(of_x, of_y)).ravel()
    share, other = (of_x, of_y) if along == 0 else (of_y, of_x)
    series = 1 / (share / SILICON_EPS + (1 - share) / OXIDE_EPS)
    mixed = np.outer(series, other) + OXIDE_EPS * (1 - other)[None, :]
    return (mixed if along == 0 else mixed.T).ravel()


def indices(frequency, cell, count):
    """The largest effective indices at a frequency (THz)."""
    k0 = 2 * np.pi * frequency / LIGHT
    nx, ny = (int(round(size / cell)) for size in OXIDE)
    x, y = np.arange(nx) * cell - OXIDE[0] / 2, np.arange(ny) * cell - OXIDE[1] / 2
    ex, ey, ez = (sparse.diags(values) for values in (permittivity(x + cell / 2, y, cell, 0), permittivity(x, y + cell / 2, cell, 1),
                                                      1 / permittivity(x, y, cell, 2)))
    forward = [sparse.diags([-np.ones(n), np.ones(n - 1)], [0, 1]) / cell for n in (nx, ny)]
    ux, uy = sparse.kron(forward[0], sparse.identity(ny)), sparse.kron(sparse.identity(nx), forward[1])
    vx, vy = -ux.T, -uy.T
    k2, one = k0**2, sparse.identity(nx * ny)
    xx = -ux @ ez @ vy @ vx @ uy / k2 + (k2 * one + ux @ ez @ vx) @ (ex + vy @ uy / k2)
    yy = -uy @ ez @ vx @ vy @ ux / k2 + (k2 * one + uy @ ez @ vy) @ (ey + vx @ ux / k2)
    xy = ux @ ez @ vy @ (ey + vx @ ux / k2) - (k2 * one + ux @ ez @ vx) @ vy @ ux / k2
    yx = uy @ ez @ vx @ (ex + vy @ uy / k2) - (k2 * one + uy @ ez @ vy) @ vx @ uy / k2
    values = eigs(sparse.bmat([[xx, xy], [yx, yy]]).tocsc(), k=count, sigma=(2.8 * k0) ** 2, return_eigenvectors=False)
    return np.sort(np.sqrt(values).real)[::-1] / k0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cell", type=float, default=0.025)
    parser.add_argument("--modes", type=int, default=4)
    options = parser.parse_args()
    for frequency in FREQUENCIES_THZ:
        print(f"{frequency} THz:", *(f"{index:.4f}" for index in indices(frequency, options.cell, options.modes)))


if __name__ == "__main__":
    main()
