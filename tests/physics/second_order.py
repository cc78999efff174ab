"""Second-order meshes: nodes on the edges of straight ones, moved onto round surfaces, for the tests of this folder."""

import sys
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402, F401
import meshes  # noqa: E402

# Gmsh's order of the nodes on edges, behind the corners.
ELEMENT_EDGES = ((0, 1), (1, 2), (0, 2), (0, 3), (2, 3), (1, 3))
FACE_EDGES = ((0, 1), (1, 2), (0, 2))


def curve(path, middle):
    """Makes a mesh file one of second order. middle: the points [n, 3] on edges from the points [n, 2, 3] at their ends."""
    with h5py.File(path, "r") as file:
        data = {name: file[name][()] for name in file}
    corners, faces = data["tetrahedra"], data["faces"]
    ends = np.concatenate([np.sort(items[:, edges].reshape(-1, 2), axis=1)
                           for items, edges in ((corners, ELEMENT_EDGES), (faces, FACE_EDGES))])
    edges, number = np.unique(ends, axis=0, return_inverse=True)
    number = number.reshape(-1) + len(data["nodes"])
    of_elements, of_faces = np.split(number, [6 * len(corners)])
    data["tetrahedra"] = np.hstack([corners, of_elements.reshape(-1, 6)])
    data["faces"] = np.hstack([faces, of_faces.reshape(-1, 3)])
    data["nodes"] = np.vstack([data["nodes"], middle(data["nodes"][edges])])
    meshes.write(path, data)


def keep_length(points, axes):
    """Middles of edges whose ends are as far from the origin along these axes, moved out to that distance; others where they are."""
    middle = points.mean(axis=1)
    lengths = np.linalg.norm(points[:, :, axes], axis=2)
    own = np.linalg.norm(middle[:, axes], axis=1)
    same = np.abs(lengths[:, 0] - lengths[:, 1]) < 1e-9 * lengths[:, 0]
    factor = np.where(same, lengths[:, 0] / np.where(own > 0, own, 1), 1)
    middle[:, axes] *= factor[:, None]
    return middle


def on_spheres(points):
    return keep_length(points, [0, 1, 2])


def on_cylinders(points):
    """About the z axis."""
    return keep_length(points, [0, 1])
