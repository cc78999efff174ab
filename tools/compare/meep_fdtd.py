#!/usr/bin/env python3
"""Tetrawave beside FDTD (Meep) on a WR-90 guide: CPU seconds on a core against the error of |S11| and |S21|.

    tools/compare/meep_fdtd.py build/bin/tetrawave [--only slab iris] [--json FILE]

Cases of cases/wr90: a slab of eps_r 2.25 that fills the guide (closed form) and a thin iris (modes matched). Meep (Debian's
python3-meep) on finer and finer grids, subpixel averaging on, its run of the empty guide included, which it needs for what is
incident; Tetrawave in time (DGTD-Central, DFDD-ELD, DGTD-Upwind) and in the frequency domain, mesh and all. The guide is
what a grid is best at: its walls and the slab lie on planes of the grid.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from palace import cpu_seconds, reference

CASES = pathlib.Path(__file__).resolve().parents[2] / "cases/wr90"
C0, A, B, SLAB, WINDOW = 299792458.0, 22.86, 10.16, 10.0, 12.0  # mm
HZ = np.linspace(8.2e9, 12.4e9, 22)
GRIDS = (16, 24, 32, 48)  # cells over the width
IRIS = """\
mode: frequency-domain
units: mm
mesh: {file: %s/iris.geo}
materials: {air: {}}
regions: {guide: air}
boundaries: {pec: [walls, iris], pmc: [middle]}
ports:
  - {name: p1, boundary: end1, type: rectangular-waveguide, symmetry: [pmc], reference_plane: 20, excite: {}}
  - {name: p2, boundary: end2, type: rectangular-waveguide, symmetry: [pmc], reference_plane: 20}
frequency: {start: 8.2 GHz, stop: 12.4 GHz, points: 22}
outputs: {s_parameters: {}}
"""
FINE, MIDDLE, COARSE = "{size: 1.8, edge_size: 0.2}", "{size: 2.5, edge_size: 0.5}", "{size: 3.8, edge_size: 1}"
# What, the case, space, mesh.parameters, settings.
OURS = {"slab": [("time, dgtd-central", "case.yaml", basis, f"{{cell: {cell}, slab_cell: {cell / 1.5:.3g}}}", ()) for basis, cell in (("mixed-2", 3.8), ("full-2", 5.8))]
                + [("time, dfdd-eld", "case.yaml", "full-2", "{cell: 5.8, slab_cell: 3.87}", ("method.scheme=dfdd-eld",)),
                   ("time, dgtd-upwind", "case.yaml", "full-2", "{cell: 5.8, slab_cell: 3.87}", ("method.scheme=dgtd-upwind",))]
                + [("frequency domain", "frequency.yaml", "mixed-2", f"{{cell: {cell}, slab_cell: {cell / 1.5:.3g}}}", ()) for cell in (5.8, 3.8)],
        "iris": [("time, dgtd-central", "iris.yaml", "full-2", mesh, ()) for mesh in (COARSE, MIDDLE)]
                + [("time, dfdd-eld", "iris.yaml", "full-1", mesh, ("method.scheme=dfdd-eld",)) for mesh in (COARSE, MIDDLE, FINE)]
                + [("frequency domain", "IRIS", "mixed-2", mesh, ()) for mesh in (COARSE, MIDDLE, FINE)]}


def wanted(case):
    """|S11| and |S21| of the closed form or of matched modes."""
    module = reference("wr90")
    return np.abs(module.slab(HZ, 2.25) if case == "slab" else module.iris(HZ, 1e-3 * WINDOW))


def ours(program, yaml, basis, mesh, settings, folder):
    """|S11|, |S21| and CPU seconds, the mesher's included."""
    case = CASES / yaml
    if yaml == "IRIS":
        case = pathlib.Path(folder) / "iris.yaml"
        case.write_text(IRIS % CASES, encoding="utf-8")
    points = "{start: 8.2 GHz, stop: 12.4 GHz, points: 22}"
    words = [f"method.basis={basis}", f"mesh.parameters={mesh}", *settings, "run.threads=1"]
    if yaml not in ("IRIS", "frequency.yaml"):
        words.append(f"outputs.s_parameters={points}")
    command = [program, "run", case, "-o", "run", "--overwrite", "--quiet", "--backend", "cpu", *(word for text in words for word in ("--set", text))]
    seconds = cpu_seconds(command, folder)
    with h5py.File(pathlib.Path(folder) / "run/results.h5") as file:
        s, elements = file["s_parameters/S"][()], int(file.attrs["elements"])
    return np.abs(np.array([s[:, 0, 0], s[:, 1, 0]])), seconds, f"{elements} elements"


def fdtd(case, cells, empty):
    """Fluxes through two planes of a guide along z, of which the first has that of the empty guide subtracted if it is given."""
    import meep as mp  # pylint: disable=import-outside-toplevel,import-error
    mp.verbosity(0)
    resolution, layer, feed = cells / A, 40.0, 15.0
    half = np.ceil((SLAB / 2 + 2 * feed + layer) * resolution) / resolution
    objects = []
    if empty and case == "slab":
        objects = [mp.Block(mp.Vector3(mp.inf, mp.inf, SLAB), material=mp.Medium(epsilon=2.25))]
    elif empty:
        side = (A - WINDOW) / 2
        objects = [mp.Block(mp.Vector3(side, mp.inf, 0.5 / resolution), center=mp.Vector3(sign * (A - side) / 2), material=mp.metal) for sign in (-1, 1)]
    hz_to_unit = 1e-3 / C0
    centre, width = 10.3e9 * hz_to_unit, 5e9 * hz_to_unit
    source = mp.Source(mp.GaussianSource(centre, fwidth=width), component=mp.Ey, center=mp.Vector3(0, 0, layer - half + 2), size=mp.Vector3(A, B),
                       amp_func=lambda point: np.cos(np.pi * point.x / A))
    simulation = mp.Simulation(cell_size=mp.Vector3(A, np.ceil(B * resolution) / resolution, 2 * half), resolution=resolution, geometry=objects, sources=[source],
                               boundary_layers=[mp.PML(layer, direction=mp.Z)])
    planes = [simulation.add_flux((HZ[0] + HZ[-1]) / 2 * hz_to_unit, (HZ[-1] - HZ[0]) * hz_to_unit, len(HZ),
                                  mp.FluxRegion(center=mp.Vector3(0, 0, sign * (SLAB / 2 + feed)), size=mp.Vector3(A, B))) for sign in (-1, 1)]
    if empty:
        simulation.load_minus_flux_data(planes[0], empty["data"])
    simulation.run(until_after_sources=mp.stop_when_fields_decayed(50, mp.Ey, mp.Vector3(0, 0, SLAB / 2 + feed), 1e-6))
    return {"flux": [np.array(mp.get_fluxes(plane)) for plane in planes], "data": simulation.get_flux_data(planes[0])}


def fdtd_s(case, cells):
    incident = fdtd(case, cells, None)
    found = fdtd(case, cells, incident)
    return np.sqrt(np.abs([found["flux"][0], found["flux"][1]] / np.abs(incident["flux"][0])))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", choices=tuple(OURS), default=tuple(OURS))
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--fdtd", nargs=2, help=argparse.SUPPRESS)  # one run, in a process of its own
    options = parser.parse_args()
    if options.fdtd:
        import meep  # pylint: disable=import-outside-toplevel,import-error
        print(json.dumps({"version": meep.__version__, "s": fdtd_s(options.fdtd[0], int(options.fdtd[1])).tolist()}))
        return 0
    rows, version = [], None

    def add(case, what, mesh, s, seconds):
        error = float(np.abs(s - wanted(case)).max())
        rows.append({"case": case, "what": what, "mesh": mesh, "seconds": seconds, "error": error})
        print(f"{case:5} {what:34} {mesh:22} {seconds:9.2f} s   error {error:.2e}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        for case in options.only:
            for what, yaml, basis, parameters, settings in OURS[case]:
                s, seconds, mesh = ours(options.program.resolve(), yaml, basis, parameters, settings, folder)
                add(case, f"{what}, {basis}", mesh, s, seconds)
            for cells in GRIDS:
                out = pathlib.Path(folder) / "fdtd.json"
                command = ["/bin/sh", "-c", f'exec "{sys.executable}" "{pathlib.Path(__file__).resolve()}" x --fdtd {case} {cells} > "{out}"']
                seconds = cpu_seconds(command, folder)
                found = json.loads(next(line for line in out.read_text(encoding="utf-8").splitlines() if line.startswith("{")))
                version = found["version"]
                add(case, "meep", f"{cells} cells a width", np.array(found["s"]), seconds)
    if options.json:
        info = subprocess.run([options.program, "info"], check=True, capture_output=True, text=True).stdout.splitlines()
        options.json.write_text(json.dumps({"command": "tools/compare/meep_fdtd.py PROGRAM", "meep": version, "machine": info[:3], "rows": rows}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
