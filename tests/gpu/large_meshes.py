#!/usr/bin/env python3
"""Makes the meshes of large_cases.py that need Gmsh, packed by xz, so that they can be taken to a host without it.

    tests/gpu/large_meshes.py build/bin/tetrawave FOLDER [--small] [NAME...]

With --small they are as coarse as they can be, for a trial on a CPU. Boxes in layers, which need no Gmsh, are made where
they are used (write_box).
"""

import argparse
import lzma
import shutil
import subprocess
import sys
import threading
from itertools import permutations
from pathlib import Path

import h5py
import numpy as np

CASES = Path(__file__).resolve().parents[2] / "cases"
COARSE_COAX = "mesh.parameters={inner_radius: 1, outer_radius: 2, length: 40, bead_length: 36, segments: 8, radial_layers: 1, axial_size: 4}"
COARSE_OGIVE = ("mesh.parameters={half: 1, size: 40, size_tip: 20}",)
# Name: the case, what its mesh has otherwise than there, and what the small one has.
MESHES = {
    "monopole_cells": ("monopole_array/case.yaml", (), ("array.parameters={near_size: 2.6, far_size: 10, margin: 8, above: 8}",)),
    "vivaldi_cells": ("vivaldi_array/case.yaml", ("array.parameters={margin: 36, rim_size: 2.97}",),
                      ("array.parameters={feed_size: 0.8, slot_size: 4, far_size: 10, rim_size: 10, margin: 24, above: 24}",)),
    "self_focusing": ("self_focusing/full.yaml", (), ("mesh.parameters={quarter: 0, edge: 0.25}",)),
    **{f"self_focusing_{edge}": ("self_focusing/full.yaml", (f"mesh.parameters={{quarter: 1, edge: {edge}}}",), ("mesh.parameters={quarter: 1, edge: 0.25}",))
       for edge in (0.045, 0.036, 0.03)},
    "amplifier_tones": ("photonic_amplifier/case.yaml", (), ("mesh.parameters.length=0.5",)),
    "amplifier_pulses": ("photonic_amplifier/pulses.yaml", (), ("mesh.parameters.length=0.5",)),
    "photonic_amplifier": ("photonic_amplifier/full.yaml", (),
                           ("mesh.parameters={length: 0.5, core_cell: 0.15, axial_cell: 0.15, oxide_layers_x: 3, oxide_layers_y: 3}",)),
    "kerr_coax": ("kerr_coax/case.yaml", (), (COARSE_COAX,)),
    "kerr_coax_table": ("kerr_coax/table.yaml", (), (COARSE_COAX,)),
    "parallel_plate_line": ("parallel_plate_line/case.yaml", (), ("mesh.parameters={size: 2, feed_size: 1.2}",)),
    "patch_array": ("patch_array/case.yaml", (), ("mesh.parameters={feed_size: 1.2, edge_size: 10, far_size: 30, margin: 30, above: 40}",)),
    "fermi_antenna": ("fermi_antenna/case.yaml", (), ("mesh.parameters={feed_size: 0.8, edge_size: 4, far_size: 20, slots: 0}",)),
    "pcb_vias": ("pcb_vias/case.yaml", (), ("mesh.parameters={size: 2.5, via_size: 1}",)),
    "branch_line_coupler": ("branch_line_coupler/case.yaml", (), ("mesh.parameters={edge_size: 2, far_size: 6}",)),
    "branch_line_coupler_medium": ("branch_line_coupler/case.yaml", ("mesh.parameters={edge_size: 0.4, far_size: 3}",),
                                   ("mesh.parameters={edge_size: 2, far_size: 6}",)),
    "sphere_1": ("sphere_scattering/case.yaml", ("mesh.parameters.size=0.049",), ("mesh.parameters.size=0.2",)),
    "sphere_2": ("sphere_scattering/case.yaml", ("mesh.parameters.size=0.03",), ("mesh.parameters.size=0.2",)),
    "sphere_3": ("sphere_scattering/case.yaml", ("mesh.parameters.size=0.0229",), ("mesh.parameters.size=0.2",)),
    **{f"cube_{ghz}": ("cube_scattering/case.yaml", (f"mesh.parameters.size={size}",), ("mesh.parameters.size=0.3",))
       for ghz, size in (("0.3", 0.0493), ("0.5", 0.0358))},
    "emc_slot": ("emc_slot/fetd.yaml", ("mesh.parameters={size: 4.85, size_rod: 2.2}",), ("mesh.parameters={size: 60, size_rod: 8}",)),
    "emc_slot_open": ("emc_slot/slot.yaml", ("mesh.parameters={slot: 1, size: 6.6, size_rod: 2.5}",),
                      ("mesh.parameters={slot: 1, size: 60, size_rod: 8}",)),
    "emc_apertures": ("emc_apertures/fetd.yaml", ("mesh.parameters={size: 9.1, size_rod: 3}",), ("mesh.parameters={size: 90, size_rod: 8}",)),
    "emc_apertures_upper": ("emc_apertures/fetd.yaml", ("mesh.parameters.size=25",), ("mesh.parameters={size: 90, size_rod: 8}",)),
    "emc_apertures_high": ("emc_apertures/fetd.yaml", ("mesh.parameters={size: 7.3, size_rod: 3}",), ("mesh.parameters={size: 90, size_rod: 8}",)),
    **{f"{case}_{ghz}": (f"{case}/case.yaml", (f"mesh.parameters={{frequency: {ghz}}}",), ("mesh.parameters={frequency: 0.3, per_wavelength: 6}",))
       for case, frequencies in (("horn_2d", ("0.3", "0.5", "0.8")), ("room_2d", ("0.3", "0.5", "1"))) for ghz in frequencies},
    "monopole_75mhz": ("monopole_75mhz/case.yaml", ("mesh.parameters={near_size: 0.022, far_size: 0.097}",),
                       ("mesh.parameters={near_size: 0.15, far_size: 0.8}",)),
    "monopole_75mhz_wide": ("monopole_75mhz/case.yaml", ("mesh.parameters={near_size: 0.1, far_size: 0.15, radius: 7.8}",),
                            ("mesh.parameters={near_size: 0.15, far_size: 0.8}",)),
    "vivaldi_antenna": ("vivaldi/case.yaml", ("mesh.parameters.far_size=1.8",), ("mesh.parameters={slot_size: 4, far_size: 16, feed_size: 0.6}",)),
    **{f"cells_{far}": ("monopole_array_fd/case.yaml", (f"array.parameters.far_size={far}", "array.parameters.near_size=4"),
                        ("array.parameters.far_size=30", "array.parameters.near_size=10")) for far in ("5.4", "5.9")},
    # half an ogive at the largest sizes of tables 2 and 3 of the paper on FE-IIEE: 77,147 faces of S and 942 of S' (78,640 and 946), 32,080 and 304
    "ogive_78640": ("ogive/monostatic.yaml", ("mesh.parameters={half: 1, size: 6.26, size_tip: 4, size_outer: 1.166}",), COARSE_OGIVE),
    "ogive_32576": ("ogive/monostatic.yaml", ("mesh.parameters={half: 1, size: 18, size_tip: 7, size_outer: 1.82}",), COARSE_OGIVE),
    "kerr_coax_wedge": ("kerr_coax/wedge.yaml", (), ("mesh.parameters={radial_layers: 1, axial_size: 4}",)),
}


def make(program, name, folder, small):
    """Makes FOLDER/NAME.h5.xz; returns what the mesher says and the bytes of the packed mesh."""
    case, changes, coarse = MESHES[name]
    mesh = folder / f"{name}.h5"
    settings = [word for text in (coarse if small else changes) for word in ("--set", text)]
    said = subprocess.run([program, "mesh", CASES / case, *settings, "-o", mesh], check=True, capture_output=True, text=True)
    packed = folder / f"{name}.h5.xz"
    with open(mesh, "rb") as source, lzma.open(packed, "wb", preset=3) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    mesh.unlink()
    return (said.stdout or said.stderr).splitlines(), packed.stat().st_size


def unpack(name, packed, folder):
    """FOLDER/NAME.h5 of PACKED/NAME.h5 or PACKED/NAME.h5.xz, unpacked once."""
    target = folder / f"{name}.h5"
    if target.exists():
        return target
    plain, source = packed / f"{name}.h5", packed / f"{name}.h5.xz"
    if plain.exists():
        return plain
    if not source.exists():
        raise FileNotFoundError(f"{source} is missing: tests/gpu/large_meshes.py makes it")
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_suffix(f".{threading.get_ident()}.part")  # cases run side by side
    with lzma.open(source) as stream, open(unfinished, "wb") as file:
        shutil.copyfileobj(stream, file, 1 << 20)
    unfinished.replace(target)
    return target


def write_box(path, x, y, z, names, region_of_layer):
    """A box of hexahedra between the planes x, y, z (metres), cut into 6 tetrahedra each, with the region of each layer
    along z as an index into `names`; faces in z[0] are `floor`. Returns the number of elements."""
    nx, ny, nz = len(x) - 1, len(y) - 1, len(z) - 1
    k, j, i = np.meshgrid(np.arange(nz), np.arange(ny), np.arange(nx), indexing="ij")
    strides = np.array([1, nx + 1, (nx + 1) * (ny + 1)], dtype=np.int64)
    first = (i * strides[0] + j * strides[1] + k * strides[2]).ravel()
    walks = np.array([np.concatenate(([0], np.cumsum(strides[list(order)]))) for order in permutations(range(3))])
    tetrahedra = (first[:, None, None] + walks[None]).reshape(-1, 4)
    grid = np.meshgrid(z, y, x, indexing="ij")
    floor = tetrahedra[: 6 * nx * ny]
    faces = np.concatenate([np.delete(floor, corner, axis=1) for corner in range(4)])
    faces = faces[(faces < strides[2]).all(axis=1)]
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "tetrawave-mesh", "version": 1, "units": "m", "source": Path(__file__).name})
        file["nodes"] = np.stack([grid[2].ravel(), grid[1].ravel(), grid[0].ravel()], axis=1)
        file["tetrahedra"] = tetrahedra
        file["region"] = np.repeat(np.asarray(region_of_layer, dtype=np.int32), 6 * nx * ny)
        file["faces"] = faces
        file["face_group"] = np.zeros(len(faces), dtype=np.int32)
        file.create_dataset("region_names", data=list(names), dtype=h5py.string_dtype())
        file.create_dataset("group_names", data=["floor"], dtype=h5py.string_dtype())
    return len(tetrahedra)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {' '.join(MESHES)} (default: all)")
    options = parser.parse_intermixed_args()
    if unknown := set(options.names) - set(MESHES):
        parser.error(f"no such mesh: {' '.join(sorted(unknown))}")
    options.folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for name in options.names or MESHES:
        said, size = make(options.program.resolve(), name, options.folder.resolve(), options.small)
        total += size
        print(f"{name}: {size / 2**20:.1f} MiB packed", *(line for line in said if "tetrahedra" in line), sep="\n  ", flush=True)
    print(f"{total / 2**20:.1f} MiB in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
