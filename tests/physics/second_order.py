"""Second-order meshes: nodes on the edges of straight ones, moved onto round surfaces, for the tests of this folder."""

import sys
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402, F401
import meshes  # noqa: E402


def curve(path, middle):
    """Makes a mesh file one of second order. middle: as meshes.second_order has it."""
    with h5py.File(path, "r") as file:
        data = {name: file[name][()] for name in file}
    meshes.second_order(data, middle)
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
