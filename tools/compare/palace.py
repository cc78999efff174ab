#!/usr/bin/env python3
"""Tetrawave beside Palace: both codes' inputs from one mesh each, one core, and a table of CPU seconds and answers.

    tools/compare/palace.py build/bin/tetrawave [--palace PROGRAM] [--only CASE ...] [--whole] [-o DIR] [--json FILE]

Cases: bead-flat (17,280 flat elements, mixed-1, 496 frequencies), bead-curved (4,032 curved ones, mixed-2), slab-coarse and slab
(cases/wr90, 432 and 1,512 elements of mixed-2, 22 frequencies), filter (1001 frequencies, Tetrawave alone) and box (3,888 elements of
mixed-2, resonances). Errors of |S11| and |S21| are against the closed forms of the cases' reference.py, by both codes from one mesh in
one space. Palace: `pip install palace-solver==0.18.1`; without --palace and without one in PATH Tetrawave runs alone. Palace runs with
each of its sparse direct solvers, and the least CPU time counts. --whole also solves every frequency, which takes minutes.
"""
import argparse
import csv
import importlib.util
import json
import math
import os
import pathlib
import resource
import shutil
import subprocess
import sys

import h5py
import numpy as np

CASES = pathlib.Path(__file__).resolve().parents[2] / "cases"
BEAD = CASES / "coax_bead/frequency.yaml"
SOLVERS = ("MUMPS", "SuperLU", "STRUMPACK")
C0 = 299792458.0
BOX = """\
mode: eigenmode
mesh: {box: {size: [6, 4, 8], cells: [9, 6, 12]}}
materials: {air: {}}
regions: {box: air}
boundaries: {default: pec}
method: {basis: mixed-2}
eigenmode: {target: 25 MHz, count: 10}
"""


def reference(case):
    """The module of a case's reference.py."""
    spec = importlib.util.spec_from_file_location("reference", CASES / case / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cpu_seconds(command, folder):
    """User and system time of a command on one thread."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(str(word) for word in command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_msh(mesh, path):
    """A mesh of Tetrawave in Gmsh's format 2.2; returns the numbers of groups and regions, in metres."""
    with h5py.File(mesh) as file:
        nodes, tets, region, faces, group = (file[name][()] for name in ("nodes", "tetrahedra", "region", "faces", "face_group"))
        groups, regions = ([name.decode() for name in file[name_list][()]] for name_list in ("group_names", "region_names"))
    kinds = {3: 2, 6: 9, 4: 4, 10: 11}
    with open(path, "w", encoding="ascii") as out:
        out.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(nodes)}\n")
        for number, point in enumerate(nodes, 1):
            out.write(f"{number} {point[0]:.17g} {point[1]:.17g} {point[2]:.17g}\n")
        out.write(f"$EndNodes\n$Elements\n{len(faces) + len(tets)}\n")
        number = 1
        for cells, tags, first in ((faces, group, 1), (tets, region, 1)):
            for cell, tag in zip(cells, tags):
                words = [number, kinds[cells.shape[1]], 2, tag + first, tag + first, *(cell + 1)]
                out.write(" ".join(str(word) for word in words) + "\n")
                number += 1
        out.write("$EndElements\n")
    return {name: n for n, name in enumerate(groups, 1)}, {name: n for n, name in enumerate(regions, 1)}


def palace_input(folder, name, order, materials, boundaries, problem, solver, linear):
    config = {
        "Problem": {"Type": problem, "Verbose": 1, "Output": name},
        "Model": {"Mesh": "mesh.msh", "L0": 1.0},
        "Domains": {"Materials": materials},
        "Boundaries": boundaries,
        "Solver": {"Order": order, "Device": "CPU", problem: solver,
                   "Linear": {"Type": linear, "MGMaxLevels": 1, "KSPType": "GMRES", "Tol": 1e-8, "MaxIts": 200,
                              "ComplexCoarseSolve": problem == "Driven"}}}
    path = folder / f"{name}.json"
    path.write_text(json.dumps(config, indent=2), encoding="utf-8")
    return path


def table_of(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return [word.strip() for word in rows[0]], np.array([[float(word) for word in row] for row in rows[1:]])


def best_of_palace(palace, folder, order, materials, boundaries, problem, solver):
    """Least CPU seconds over the sparse direct solvers, and the folder of that run."""
    runs = []
    for linear in SOLVERS:
        name = f"palace_{linear}"
        path = palace_input(folder, name, order, materials, boundaries, problem, solver, linear)
        try:
            runs.append((cpu_seconds([palace, path], folder), linear, folder / name))
        except RuntimeError as error:
            print(f"Palace with {linear} fails: {error}", file=sys.stderr)
    if not runs:
        raise SystemExit("error: Palace fails with all of its solvers")
    return min(runs)


class Comparison:
    def __init__(self, program, palace, folder, whole):
        self.program, self.palace, self.folder, self.whole = program.resolve(), palace, folder, whole

    def run(self, case, name, *changes):
        """CPU seconds and results.h5 of Tetrawave on one thread."""
        words = [word for change in ("run.threads=1", *changes) for word in ("--set", change)]
        seconds = cpu_seconds([self.program, "run", case, "-o", name, "--overwrite", "--quiet", "--backend", "cpu", *words], self.folder)
        return seconds, h5py.File(self.folder / name / "results.h5")

    def mesh(self, case, *changes):
        words = [word for change in changes for word in ("--set", change)]
        subprocess.run([self.program, "mesh", case, "-o", "mesh.h5", *words], cwd=self.folder, check=True, capture_output=True)
        return write_msh(self.folder / "mesh.h5", self.folder / "mesh.msh")

    def bead(self, basis, order, parameters, axial):
        size = f"mesh.parameters={{segments: {parameters[0]}, radial_layers: {parameters[1]}, axial_size: {axial}}}"
        groups, regions = self.mesh(BEAD, size, f"mesh.order={order}")
        drive = (f"mesh.file={self.folder / 'mesh.h5'}", "mesh.parameters={}", f"mesh.order={order}", f"method.basis={basis}", "units=m",
                 "ports=[{name: p1, boundary: port1_face, type: coaxial, excite: {}}, {name: p2, boundary: port2_face, type: coaxial}]")
        seconds, results = self.run(BEAD, "tetrawave", *drive)
        row = row_of(seconds, results)
        impedance = float(results["ports/p1"].attrs["impedance"])
        if self.whole:
            row["each CPU s"], each = self.run(BEAD, "each", *drive, "frequency.sweep.fast=false")
            row["off each"] = float(np.abs(s_of(each) - s_of(results)).max())
        ports = [{"Index": n, "Attributes": [groups[f"port{n}_face"]], "Direction": "+R", "R": impedance, "Excitation": n == 1} for n in (1, 2)]
        materials = [{"Attributes": [regions["line"]], "Permittivity": 1.0}, {"Attributes": [regions["bead"]], "Permittivity": 2.1}]
        walls = {"PEC": {"Attributes": [groups["inner"], groups["outer"]]}, "LumpedPort": ports}
        return self.against(row, results, lambda hertz: reference("coax_bead").exact(hertz, 2.1), order, materials, walls)

    def against(self, row, results, exact, order, materials, walls):
        """The row with the error of |S11| and |S21| over the band, and the same of Palace."""
        frequency, ours = results["s_parameters/frequency"][()], np.abs(s_of(results)[:, :, 0]).T
        wanted = np.abs(exact(frequency))
        row["error"] = float(np.abs(ours - wanted).max())
        if self.palace:
            step = (frequency[-1] - frequency[0]) / (len(frequency) - 1) / 1e9
            driven = {"Samples": [{"Type": "Linear", "MinFreq": frequency[0] / 1e9, "MaxFreq": frequency[-1] / 1e9, "FreqStep": step}],
                      "AdaptiveTol": 1e-3}
            row["Palace CPU s"], row["Palace with"], place = best_of_palace(self.palace, self.folder, order, materials, walls, "Driven", driven)
            theirs = np.array(palace_s(place))
            row["Palace error"], row["apart"] = float(np.abs(theirs - wanted).max()), float(np.abs(theirs - ours).max())
        return row

    def wr90(self, cell):
        case = CASES / "wr90/frequency.yaml"
        groups, regions = self.mesh(case, f"mesh.parameters={{cell: {cell}, slab_cell: {cell / 1.5:.3g}}}")
        seconds, results = self.run(case, "tetrawave", f"mesh.file={self.folder / 'mesh.h5'}", "mesh.parameters={}", "units=m", "outputs={s_parameters: {}}",
                                    "ports=[{name: p1, boundary: end1, type: rectangular-waveguide, excite: {}}, {name: p2, boundary: end2, type: rectangular-waveguide}]")
        ports = [{"Index": n, "Attributes": [groups[f"end{n}"]], "Mode": 1, "Offset": 0.0, "Excitation": n == 1} for n in (1, 2)]
        materials = [{"Attributes": [regions["feeds"]], "Permittivity": 1.0}, {"Attributes": [regions["slab"]], "Permittivity": 2.25}]
        return self.against(row_of(seconds, results), results, lambda hertz: reference("wr90").slab(hertz, 2.25), 2, materials,
                            {"PEC": {"Attributes": [groups["walls"]]}, "WavePort": ports})

    def slab_coarse(self):
        return self.wr90(5.8)

    def slab(self):
        return self.wr90(3.8)

    def bead_flat(self):
        return self.bead("mixed-1", 1, (24, 3), 1)

    def bead_curved(self):
        return self.bead("mixed-2", 2, (16, 2), 2)

    def filter(self):
        case = CASES / "filter/case.yaml"
        self.mesh(case)
        given = (f"mesh.file={self.folder / 'mesh.h5'}", "units=m", "ports.0.reference_plane=0.012", "ports.1.reference_plane=0.012")
        seconds, results = self.run(case, "tetrawave", *given)
        row = row_of(seconds, results)
        if self.whole:
            row["each CPU s"], each = self.run(case, "each", *given, "frequency.sweep.fast=false")
            row["off each"] = float(np.nanmax(np.abs(s_of(each) - s_of(results))))
        return row

    def box(self):
        (self.folder / "box.yaml").write_text(BOX, encoding="utf-8")
        groups, regions = self.mesh("box.yaml")
        exact = sorted(C0 / 2 * math.sqrt((i / 6)**2 + (j / 4)**2 + (k / 8)**2) for i in range(9) for j in range(9) for k in range(9)
                       for _ in range(2 if i and j and k else int((i > 0) + (j > 0) + (k > 0) == 2)))
        row = {"elements": 3888, "frequencies": 10}
        for count in (4, 10):
            seconds, results = self.run("box.yaml", "tetrawave", f"eigenmode.count={count}")
            found = complex_of(results["eigenmodes/frequency"]).real
            row[f"CPU s, {count}"], row[f"off, {count}"] = seconds, float(np.abs(found / exact[:count] - 1).max())
            if self.palace:
                row[f"Palace CPU s, {count}"], row[f"Palace with, {count}"], place = best_of_palace(
                    self.palace, self.folder, 2, [{"Attributes": list(regions.values())}], {"PEC": {"Attributes": sorted(groups.values())}},
                    "Eigenmode", {"N": count, "Tol": 1e-8, "Target": 0.025})
                theirs = table_of(place / "eig.csv")[1][:count, 1] * 1e9
                row[f"Palace off, {count}"] = float(np.abs(theirs / exact[:count] - 1).max())
        return row


def row_of(seconds, results):
    return {"CPU s": seconds, "solved": int(results["frequency_domain/sweep/solved"][()].sum()), "elements": int(results.attrs["elements"]),
            "frequencies": len(results["s_parameters/frequency"])}


def complex_of(data):
    data = data[()]
    return data["r"] + 1j * data["i"] if data.dtype.names else data


def s_of(results):
    return complex_of(results["s_parameters/S"])


def palace_s(place):
    """|S11| and |S21|."""
    names, values = table_of(place / "port-S.csv")
    return [10 ** (values[:, next(k for k, name in enumerate(names) if name.startswith(f"|S[{port}][1]|"))] / 20) for port in (1, 2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    cases = {"bead-flat": Comparison.bead_flat, "bead-curved": Comparison.bead_curved, "slab-coarse": Comparison.slab_coarse,
             "slab": Comparison.slab, "filter": Comparison.filter, "box": Comparison.box}
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--palace", default=shutil.which("palace"))
    parser.add_argument("--only", nargs="+", choices=cases, default=list(cases))
    parser.add_argument("--whole", action="store_true", help="also solve every frequency")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("compare.out"))
    arguments = parser.parse_args()
    if arguments.palace is None:
        print("no palace in PATH and no --palace: Tetrawave alone")
    rows = {}
    for name in arguments.only:
        folder = arguments.output.resolve() / name
        folder.mkdir(parents=True, exist_ok=True)
        rows[name] = cases[name](Comparison(arguments.program, arguments.palace, folder, arguments.whole))
        words = [f"{key} {value:.3g}" if isinstance(value, float) else f"{key} {value}" for key, value in rows[name].items()]
        print(f"{name}: " + ", ".join(words), flush=True)
    if arguments.json:
        info = subprocess.run([arguments.program, "info"], check=True, capture_output=True, text=True).stdout.splitlines()
        content = {"command": "tools/compare/palace.py PROGRAM --palace palace", "machine": info[:3], "rows": rows}
        if arguments.palace:
            content["palace"] = subprocess.run([arguments.palace, "--version"], check=True, capture_output=True, text=True).stdout.strip().splitlines()
        arguments.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
