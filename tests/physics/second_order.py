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


def write_msh(mesh, path):
    """The mesh file as a Gmsh mesh of version 2.2, whose order of nodes it has."""
    with h5py.File(mesh, "r") as file:
        data = {name: file[name][()] for name in file}
    names = [(dimension, tag, name.decode()) for dimension, key in ((2, "group_names"), (3, "region_names")) for tag, name in enumerate(data[key], 1)]
    kinds = {3: 2, 6: 9, 4: 4, 10: 11}  # by the number of nodes
    elements = [(kinds[len(nodes)], tag + 1, nodes + 1) for key, tags in (("faces", "face_group"), ("tetrahedra", "region"))
                for nodes, tag in zip(data[key], data[tags])]
    sections = {"MeshFormat": ["2.2 0 8"], "PhysicalNames": [len(names)] + [f'{dimension} {tag} "{name}"' for dimension, tag, name in names],
                "Nodes": [len(data["nodes"])] + [f"{k} " + " ".join(map(repr, map(float, x))) for k, x in enumerate(data["nodes"], 1)],
                "Elements": [len(elements)] + [f"{k} {kind} 2 {tag} {tag} " + " ".join(map(str, nodes)) for k, (kind, tag, nodes) in enumerate(elements, 1)]}
    path.write_text("".join(f"${name}\n" + "".join(f"{line}\n" for line in lines) + f"$End{name}\n" for name, lines in sections.items()), encoding="utf-8")


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
