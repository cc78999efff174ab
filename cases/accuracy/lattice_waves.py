#!/usr/bin/env python3
"""Plane waves of DGTD-Central on a lattice: what else than light a mesh carries (src/theory/central.md).

    lattice_waves.py [SPACE..] [--phase KH..]

The lattice is that of `mesh.box`, cubes of side h in six tetrahedra; a wave goes along z with the phase k h a cube.
Prints frequencies w h/c of the equations exact in time, in twos for the two polarisations: the lowest after those of
static fields. Shares no code with the program: the spaces are made of monomials.
"""

import argparse
import itertools

import numpy as np

TETRAHEDRA = [np.cumsum([np.zeros(3), *np.eye(3)[list(p)]], axis=0) for p in itertools.permutations(range(3))]
SHIFTS = [np.array(s) for s in itertools.product((-1, 0, 1), repeat=3)]


def monomials(degree):
    return [p for p in itertools.product(range(degree + 1), repeat=3) if sum(p) <= degree]


def functions(space):
    """(monomials, coefficients [function, component, monomial]) of full-k, or mixed-k: of degree k - 1, and p with x.p = 0."""
    degree = int(space[-1])
    all_of = monomials(degree)
    plain = degree if space.startswith("full") else degree - 1
    found = [np.outer(np.eye(3)[c], np.eye(len(all_of))[m]) for m, p in enumerate(all_of) if sum(p) <= plain for c in range(3)]
    if plain < degree:
        high = [m for m, p in enumerate(all_of) if sum(p) == degree]
        product = {}
        for c, m in itertools.product(range(3), high):
            product.setdefault(tuple(np.array(all_of[m]) + np.eye(3, dtype=int)[c]), []).append((c, m))
        rows = np.zeros((len(product), 3, len(all_of)))
        for row, terms in zip(rows, product.values()):
            for c, m in terms:
                row[c, m] = 1
        rows = rows[:, :, high].reshape(len(product), -1)
        for null in np.linalg.svd(rows)[2][np.linalg.matrix_rank(rows):]:
            found.append(np.zeros((3, len(all_of))))
            found[-1][:, high] = null.reshape(3, -1)
    return np.array(all_of), np.array(found)


def simplex_rule(points, dimension):
    """Points and weights on the unit simplex, collapsed Gauss-Legendre."""
    x, w = np.polynomial.legendre.leggauss(points)
    x, w = (x + 1) / 2, w / 2
    places, weights = [], []
    for choice in itertools.product(range(points), repeat=dimension):
        place, weight, left = [], 1.0, 1.0
        for depth, i in enumerate(choice):
            place.append(x[i] * left)
            weight *= w[i] * left**(depth > 0)
            left -= place[-1]
        places.append(place)
        weights.append(weight)
    return np.array(places), np.array(weights)


def values(powers, coefficients, points, derivative=None):
    """[function, component, point] of the functions, or of their derivatives along an axis."""
    powers, factor = powers.copy(), np.ones(len(powers))
    if derivative is not None:
        factor = powers[:, derivative].astype(float)
        powers[:, derivative] = np.maximum(powers[:, derivative] - 1, 0)
    return np.einsum("fcm,m,xm->fcx", coefficients, factor, np.prod(points[:, None, :] ** powers, axis=2))


def neighbour(face, tetrahedron):
    """(index, shift in cubes) of the tetrahedron beyond a face given by its corners."""
    for shift, (other, corners) in itertools.product(SHIFTS, enumerate(TETRAHEDRA)):
        has_all = all(np.any(np.all(corners + shift == corner, axis=1)) for corner in face)
        if has_all and (other != tetrahedron or shift.any()):
            return other, shift
    raise AssertionError("a lattice has no ends")


def curl_matrix(space, phase):
    """M^-1/2 (C + sum_f 1/2 D_f (v+ - v)) M^-1/2 of a cube, Hermitian."""
    powers, coefficients = functions(space)
    n, points = len(coefficients), int(space[-1]) + 2
    (inside, weights), (across, face_weights) = simplex_rule(points, 3), simplex_rule(points, 2)
    mass, curl = np.zeros((6, n, 6, n)), np.zeros((6, n, 6, n), complex)

    def at(t, x):
        return values(powers, coefficients, x - TETRAHEDRA[t].mean(axis=0))

    for t, corners in enumerate(TETRAHEDRA):
        x = corners[0] + inside @ (corners[1:] - corners[0])
        d = [values(powers, coefficients, x - corners.mean(axis=0), axis) for axis in range(3)]
        of_curl = np.stack([d[1][:, 2] - d[2][:, 1], d[2][:, 0] - d[0][:, 2], d[0][:, 1] - d[1][:, 0]], axis=1)
        mass[t, :, t] = np.einsum("fcx,gcx,x->fg", at(t, x), at(t, x), weights)
        curl[t, :, t] = np.einsum("fcx,gcx,x->fg", at(t, x), of_curl, weights)
        for opposite in range(4):
            face = np.delete(corners, opposite, axis=0)
            normal = np.cross(face[1] - face[0], face[2] - face[0])  # as long as twice the area: weights add to a half
            normal *= np.sign(normal @ (face[0] - corners[opposite]))
            x = face[0] + across @ (face[1:] - face[0])
            other, shift = neighbour(face, t)
            for beyond, of, factor in ((at(other, x - shift), other, np.exp(-1j * phase * shift[2])), (at(t, x), t, -1)):
                curl[t, :, of] += factor / 2 * np.einsum("fcx,gcx,x->fg", at(t, x), np.cross(normal, beyond, axisb=1, axisc=1), face_weights)
    inverse = np.linalg.inv(np.linalg.cholesky(mass.reshape(6 * n, 6 * n)))
    return inverse @ curl.reshape(6 * n, 6 * n) @ inverse.T


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("spaces", nargs="*", default=["mixed-1", "full-1", "mixed-2", "full-2", "mixed-3", "full-3"])
    parser.add_argument("--phase", nargs="+", type=float, default=[0.01, 0.2, 0.63, 1.2, 3])
    options = parser.parse_args()
    for space, phase in itertools.product(options.spaces, options.phase):
        w = np.sort(np.abs(np.linalg.eigvalsh(curl_matrix(space, phase))))
        moving = w[w > 1e-7]
        print(f"{space}, k h = {phase}: {len(w) - len(moving)} static, then " + " ".join(f"{x:.4f}" for x in moving[:16:2]))


if __name__ == "__main__":
    main()
