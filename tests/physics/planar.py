"""Plane problems for the tests of this folder: meshes of discs and rectangles, Bessel's functions, waves around cylinders."""

import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402, F401
import meshes  # noqa: E402

C0, ETA0 = 299792458.0, 376.730313668


def write(path, nodes, corners, middles, regions, names, edges, edge_middles, groups, group_names):
    """A mesh of second order: corners [n, 3] and middles [n, 3] of the edges 01, 12, 20; edges [m, 2]."""
    meshes.write(path, {
        "nodes": np.column_stack([nodes, np.zeros(len(nodes))]), "triangles": np.hstack([corners, middles]).astype(np.int64),
        "region": np.array(regions, np.int32), "region_names": np.array(names, "S"),
        "edges": np.column_stack([edges, edge_middles]).astype(np.int64), "face_group": np.array(groups, np.int32),
        "group_names": np.array(group_names, "S")})


def write_grid(path, u, v, place, region_of, names, sides, closed=False, sheet=None):
    """Triangles of a grid u x v; place: u, v to x, y, of middles too; sides: names of the groups at the first and last u, the
    first and last v, or None. closed: the last u is the first. region_of: middle u, v of a cell to its number. sheet: 0 and the
    number of a u whose edges are the group sheet."""
    u, v = np.asarray(u, float), np.asarray(v, float)
    fine = [np.sort(np.concatenate([w, (w[1:] + w[:-1]) / 2])) for w in (u, v)]
    columns = len(fine[0]) - (1 if closed else 0)
    number = lambda i, j: (i % columns if closed else i) * len(fine[1]) + j  # noqa: E731
    nodes = np.array([place(a, b) for a in fine[0][:columns] for b in fine[1]])
    corners, middles, regions, edges = [], [], [], {name: [] for name in sides if name}
    for i in range(len(u) - 1):
        for j in range(len(v) - 1):
            low, high = (2 * i, 2 * j), (2 * i + 2, 2 * j + 2)
            for other in ((2 * i + 2, 2 * j), (2 * i, 2 * j + 2)):
                three = [low, other, high]
                corners.append([number(*p) for p in three])
                middles.append([number((p[0] + q[0]) // 2, (p[1] + q[1]) // 2) for p, q in zip(three, three[1:] + three[:1])])
                regions.append(region_of((u[i] + u[i + 1]) / 2, (v[j] + v[j + 1]) / 2))
    for side, ends in ((0, 0), (1, len(fine[0]) - 1)):
        if sides[side]:
            edges[sides[side]] += [[number(ends, j), number(ends, j + 2), number(ends, j + 1)] for j in range(0, len(fine[1]) - 1, 2)]
    for side, ends in ((2, 0), (3, len(fine[1]) - 1)):
        if sides[side]:
            edges[sides[side]] += [[number(i, ends), number(i + 2, ends), number(i + 1, ends)] for i in range(0, len(fine[0]) - 1, 2)]
    if sheet:
        at = 2 * sheet[1]
        edges["sheet"] = [[number(at, j), number(at, j + 2), number(at, j + 1)] for j in range(0, len(fine[1]) - 1, 2)]
    used = sorted({n for row in corners + middles for n in row})
    new = {old: k for k, old in enumerate(used)}
    flat = np.array([[new[n] for n in edge] for name in edges for edge in edges[name]]).reshape(-1, 3)
    groups = [k for k, name in enumerate(edges) for _ in edges[name]]
    write(path, nodes[used], np.array([[new[n] for n in row] for row in corners]), np.array([[new[n] for n in row] for row in middles]),
          regions, names, flat[:, :2], flat[:, 2], groups, list(edges))


def write_ring(path, radii, sectors, names=("air",), region_of=lambda r: 0):
    """Between circles: radii ascending; groups inner and outer."""
    write_grid(path, np.linspace(0, 2 * np.pi, sectors + 1), radii, lambda a, r: (r * np.cos(a), r * np.sin(a)),
               lambda a, r: region_of(r), names, (None, None, "inner", "outer"), closed=True)


def write_disc(path, radii, sectors, names=("air",), region_of=lambda r: 0):
    """From a square around the origin, whose side is the first radius, to circles from twice that radius, one of the radii, on; group outer."""
    half = radii[0]
    n = sectors // 4
    square = np.linspace(-half, half, n + 1) / 2

    def rim(t):  # on the square's border, anticlockwise from the corner (-, -)
        side, along = int(t // n) % 4, (t % n) / n * half - half / 2
        return [(along, -half / 2), (half / 2, along), (-along, half / 2), (-half / 2, -along)][side]

    def place(t, r):
        angle = 2 * np.pi * t / (4 * n) - 3 * np.pi / 4
        circle = np.array([r * np.cos(angle), r * np.sin(angle)])
        share = max(2 - r / half, 0)
        return share * np.array(rim(t)) + (1 - share) * circle

    join(path, [
        (square, square, lambda a, b: (a, b), lambda a, b: region_of(0), (None, None, None, None), False),
        (np.arange(4 * n + 1), np.asarray(radii), place, lambda a, b: region_of(b), (None, None, None, "outer"), True)], names)


def join(path, parts, names):
    """Several grids as one mesh, whose nodes at the same places are one."""
    import h5py
    data = []
    for u, v, place, region_of, sides, closed in parts:
        write_grid(path, u, v, place, region_of, names, sides, closed)
        with h5py.File(path) as file:
            data.append({name: file[name][()] for name in file})
    nodes = np.vstack([d["nodes"] for d in data])
    _, first, number = np.unique(np.round(nodes / np.abs(nodes).max() * 1e9).astype(np.int64), axis=0, return_index=True, return_inverse=True)
    number, shift = number.reshape(-1), np.cumsum([0] + [len(d["nodes"]) for d in data])
    triangles = np.vstack([number[d["triangles"] + s] for d, s in zip(data, shift)])
    edges = np.vstack([number[d["edges"].reshape(-1, 3) + s] for d, s in zip(data, shift)])
    write(path, nodes[first][:, :2], triangles[:, :3], triangles[:, 3:], np.concatenate([d["region"] for d in data]), names,
          edges[:, :2], edges[:, 2], np.zeros(len(edges)), [name.decode() for d in data for name in d["group_names"]])


def bessel_j(n, x):
    """Bessel's integral; the trapezoidal sum of a periodic function is exact."""
    t = 2 * np.pi * np.arange(400) / 400
    return np.exp(1j * (x * np.sin(t) - n * t)).mean()


RULE = np.polynomial.legendre.leggauss(400)


def bessel_y(n, x):
    """Of real x, from the integrals of orders 0 and 1 upwards."""
    nodes, weights = RULE
    t, s = np.pi * (nodes + 1) / 2, 10 * (nodes + 1)
    y = []
    for order in (0, 1):
        near = (weights * np.sin(x * np.sin(t) - order * t)).sum() / 2
        far = (weights * 10 * (np.exp(order * s) + (-1) ** order * np.exp(-order * s)) * np.exp(-x * np.sinh(np.minimum(s, 30)))).sum() / np.pi
        y.append(near - far)
    for order in range(1, abs(n)):
        y.append(2 * order / x * y[order] - y[order - 1])
    return y[abs(n)] * (-1) ** (n if n < 0 else 0)


def hankel(n, x):
    """Of the second kind: outgoing with exp(j omega t)."""
    return bessel_j(n, x) - 1j * bessel_y(n, x)


def slope(function, n, x):
    return (function(n - 1, x) - function(n + 1, x)) / 2


def cylinder(ka, kind, eps=1, kR=None):
    """a_n of the scattered field sum j^-n (a_n H_n(k r) + b_n J_n(k r)) exp(j n phi), n from 0, of a wave along phi = 0 of the
    component along z. kind: E_z or H_z; eps 0: metal. kR: of the circle that ends the mesh with du/dr = -j k u; else b_n = 0."""
    found = []
    for n in range(int(ka) + 25):
        back = 0
        if kR:
            back = -(slope(hankel, n, kR) + 1j * hankel(n, kR)) / (slope(bessel_j, n, kR) + 1j * bessel_j(n, kR))
        wave, outgoing = np.array([bessel_j(n, ka), slope(bessel_j, n, ka)]), np.array([hankel(n, ka), slope(hankel, n, ka)])
        outgoing = outgoing + back * wave
        if eps == 0:
            row = 0 if kind == "E_z" else 1
            found.append(-wave[row] / outgoing[row])
            continue
        index = np.sqrt(complex(eps))
        factor = index if kind == "E_z" else index / eps
        inside = np.array([bessel_j(n, index * ka), factor * slope(bessel_j, n, index * ka)])
        found.append(-(wave[0] * inside[1] - wave[1] * inside[0]) / (outgoing[0] * inside[1] - outgoing[1] * inside[0]))
    return np.array(found)


def width(a, k, degrees):
    """Scattering width [m] at angles from the way of the wave."""
    n = np.arange(len(a))
    weight = np.where(n == 0, 1, 2)
    return 4 / k * np.abs((a * weight * np.cos(np.outer(np.radians(degrees), n))).sum(axis=1)) ** 2


def case(field, order, regions="air: air", materials="air: {}", boundaries="absorbing: [outer]", more="", frequency="0.3 GHz", outputs="",
         solver="{method: direct}", mesh="{file: mesh.h5}"):
    return f"""
mode: frequency-domain
dimension: 2
planar: {{field: {field}, order: {order}}}
mesh: {mesh}
materials: {{{materials}}}
regions: {{{regions}}}
boundaries: {{{boundaries}}}
{more}
frequency: {{values: [{frequency}]}}
solver: {solver}
outputs: {{{outputs}}}
run: {{threads: 1}}
"""
