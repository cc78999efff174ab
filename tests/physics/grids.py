"""Grids of hexahedra with holes, regions and faces wherever wanted, as meshes, for the tests of this folder."""

import itertools
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402, F401
import meshes  # noqa: E402


def write_grid(path, cells, place, region_of, group_of):
    """Tetrahedra of a grid of hexahedra. place: metres by the point of the grid. region_of: a name by the place of a hexahedron, None: no mesh
    there. group_of: a name by the middle of a face in units of the grid, its axis (None: slanted) and whether it is an outer one; None: no
    group."""
    elements = []
    for points in meshes.cut_grid(cells):
        region = region_of(tuple(min(axis) for axis in zip(*points)))
        if region:
            elements.append((points, region))
    nodes = sorted({point for points, _ in elements for point in points})
    number = {point: n for n, point in enumerate(nodes)}
    uses = {}
    for points, _ in elements:
        for face in itertools.combinations(points, 3):
            uses.setdefault(face, []).append(face)
    faces = []
    for face, found in uses.items():
        flat = [axis for axis in range(3) if len({point[axis] for point in face}) == 1]
        group = group_of(np.mean(face, axis=0), flat[0] if flat else None, len(found) == 1)
        if group:
            faces.append((face, group))
    groups, regions = sorted({group for _, group in faces}), sorted({region for _, region in elements})
    meshes.write(path, {
        "nodes": np.array([place(point) for point in nodes], float),
        "tetrahedra": np.array([[number[point] for point in points] for points, _ in elements], np.int64),
        "region": np.array([regions.index(region) for _, region in elements], np.int32),
        "region_names": np.array(regions, "S"),
        "faces": np.array([[number[point] for point in face] for face, _ in faces], np.int64),
        "face_group": np.array([groups.index(group) for _, group in faces], np.int32),
        "group_names": np.array(groups, "S")})


def cubes(side_m):
    """As `place` of write_grid."""
    return lambda point: [side_m * k for k in point]


def inside(place, *ranges):
    """Along each axis, the upper end excluded."""
    return all(low <= x < high for x, (low, high) in zip(place, ranges))
