"""A coaxial line as a Tetrawave HDF5 mesh: hexahedra in r, phi, z cut into 6 tetrahedra each."""

from itertools import permutations

import h5py
import numpy as np


def write_coax(path, inner=1e-3, outer=2.3e-3, length=6e-3, cells=(2, 8, 5)):
    """Region `line`; faces `inner`, `outer`, `start` (z = 0) and `end`. Lengths in metres."""
    nr, nphi, nz = cells

    def node(i, j, k):
        return (k * nphi + j % nphi) * (nr + 1) + i

    nodes = np.zeros(((nr + 1) * nphi * (nz + 1), 3))
    for k in range(nz + 1):
        for j in range(nphi):
            for i in range(nr + 1):
                r, phi = inner + (outer - inner) * i / nr, 2 * np.pi * j / nphi
                nodes[node(i, j, k)] = r * np.cos(phi), r * np.sin(phi), length * k / nz
    tetrahedra, faces, groups = [], [], []
    for k in range(nz):
        for j in range(nphi):
            for i in range(nr):
                for order in permutations(range(3)):
                    corner, at = [node(i, j, k)], [i, j, k]
                    for axis in order:
                        at[axis] += 1
                        corner.append(node(*at))
                    tetrahedra.append(corner)
    names = ["inner", "outer", "start", "end"]
    rows = np.arange(len(nodes))
    layer = {"inner": rows % (nr + 1) == 0, "outer": rows % (nr + 1) == nr,
             "start": rows < (nr + 1) * nphi, "end": rows >= (nr + 1) * nphi * nz}
    for corner in tetrahedra:
        for f in range(4):
            face = corner[:f] + corner[f + 1 :]
            for group, name in enumerate(names):
                if layer[name][face].all():
                    faces.append(face)
                    groups.append(group)
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "tetrawave-mesh", "version": 1, "units": "m", "source": "coax_mesh.py"})
        file["nodes"] = nodes
        file["tetrahedra"] = np.array(tetrahedra, dtype=np.int64)
        file["region"] = np.zeros(len(tetrahedra), dtype=np.int32)
        file["faces"] = np.array(faces, dtype=np.int64)
        file["face_group"] = np.array(groups, dtype=np.int32)
        text = h5py.string_dtype()
        file.create_dataset("region_names", data=["line"], dtype=text)
        file.create_dataset("group_names", data=names, dtype=text)
