#!/usr/bin/env python3
"""The measurements of the papers on assembly without colouring and on fast colouring, and their tables and pictures.

    papers_statics.py meshes build/bin/tetrawave FOLDER [--small]       where Gmsh is
    papers_statics.py run build/bin/tetrawave --meshes FOLDER --backend cpu --json FILE.json [--threads N]
    papers_statics.py draw -o OUTDIR FILE.json ..

run: studies of cases/capacitor (sizes, orders, algorithms, colourings), cases/transformer (tables 1 and 3 of the colouring
paper) and cases/solenoid (its table 2), all numbers into FILE.json; the directories of runs go with the temporary folder,
or stay in -o OUTDIR. draw: README.md from such files, one of a CPU and one of a GPU, or either, and figures 5, 8, 9 and 10 from
the one with the most meshes (cases/capacitor/paper is made so). Every number of ours is from these files, theirs stand in
this one.
"""

import argparse
import csv
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from plotting.base import COLOURS, STYLE  # noqa: E402

CASES = Path(__file__).resolve().parents[1] / "cases"
ALGORITHMS = ("a-fem", "ebe-v1", "ebe-v2")
PREPROCESSING = ("adjacency", "order", "coloring", "balance")
PHASES = ("transfer", "element", "convert", "solve")
TABLE_3 = {11443: 0.0785, 19328: 0.0603, 40816: 0.0411, 61390: 0.0334, 171338: 0.01993}  # elements there: mesh.parameters.size here
TABLE_1 = 0.0538  # for 24,106
BYTES = {"ebe-v2": 79, "ebe-v1": 151, "a-fem": 192}  # figure 10 of Amorim et al.
SIZES = [2.8, 1]  # of cases/capacitor: 1,680 and 9,178 triangles; Gmsh makes triangles without area below 0.4
SPLIT = 3         # times the triangles of the last are cut in four: 36,712, 146,848 and 587,392


class Program:
    """The program with its options, and the folder of meshes: meshes.json there has the seconds of the mesher."""

    def __init__(self, path, backend, threads, meshes, folder):
        self.path, self.meshes, self.folder = path, meshes, folder
        self.options = ["--overwrite", "--quiet", "--backend", backend, "--set", f"run.threads={threads}"]
        self.made = json.loads((meshes / "meshes.json").read_text(encoding="utf-8"))

    def study(self, case, meshes, vary, settings=(), name=None):
        """Rows of study.csv, numbers as numbers, seconds_mesh those of the mesher."""
        folder = self.folder / (name or case)
        files = [str((self.meshes / f"{mesh}.h5").resolve()) for mesh in meshes]
        axes = ", ".join(f"{key}: [{', '.join(map(str, values))}]" for key, values in {"mesh.file": files, **vary}.items())
        words = [f"mesh={{file: {files[0]}}}", f"study={{vary: {{{axes}}}}}", "assembly_2d.fields=false", "assembly_2d.repeats=2", *settings]
        begin = time.monotonic()
        subprocess.run([self.path, "study", CASES / case / "case.yaml", "-o", folder, *self.options,
                        *(word for text in words for word in ("--set", text))], check=True)
        print(f"{name or case}: {time.monotonic() - begin:.1f} s", flush=True)
        with open(folder / "study.csv", encoding="utf-8") as file:
            rows = [{key: number(value) for key, value in row.items()} for row in csv.DictReader(file)]
        for row in rows:
            mesh = Path(row.pop("mesh.file")).stem
            row.update(mesh=mesh, seconds_mesh=self.made[mesh], ms_preprocessing=1e3 * preprocessing(row), ms_execution=1e3 * execution(row))
        return rows

    def solenoid(self, algorithm, coloring):
        """The largest error of the field on the axis, in percent: within the winding, and up to twice its length."""
        folder = self.folder / f"solenoid_{algorithm}_{coloring}"
        words = [f"mesh={{file: {self.meshes.resolve()}/solenoid_1.24.h5}}", "assembly_2d.order=1", f"assembly_2d.algorithm={algorithm}",
                 f"assembly_2d.coloring={coloring}"]
        subprocess.run([self.path, "run", CASES / "solenoid/case.yaml", "-o", folder, *self.options,
                        *(word for text in words for word in ("--set", text))], check=True)
        said = subprocess.run([sys.executable, CASES / "solenoid/reference.py", folder, "--tolerance", "1"], check=True, capture_output=True,
                              text=True).stdout
        inside, far = re.search(r"within ([0-9.]+) % in the winding, ([0-9.]+) %", said).groups()
        return {"algorithm": algorithm, "coloring": coloring, "error_percent_inside": float(inside), "error_percent": float(far)}


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def meshes_of(small):
    """{name: (case, parameter, value)}"""
    sizes = list(TABLE_3.values())[:1] if small else [*TABLE_3.values(), TABLE_1]
    made = {f"capacitor_{value}": ("capacitor", "refine", value) for value in (SIZES[:1] if small else SIZES)}
    made |= {f"transformer_{value}": ("transformer", "size", value) for value in sizes}
    return made | {"solenoid_1.24": ("solenoid", "refine", 1.24)}


def cut_in_four(coarse, fine):
    """A mesh file with every triangle cut through the middles of its sides, every side of a group in two."""
    with h5py.File(coarse) as file, h5py.File(fine, "w") as target:
        nodes, triangles, edges = file["nodes"][()], file["triangles"][()].astype(np.int64), file["edges"][()].astype(np.int64)
        a, b, c = triangles.T
        sides = np.sort(np.concatenate((triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]], edges)), axis=1)
        pairs, place = np.unique(sides, axis=0, return_inverse=True)
        ab, bc, ca, middle = np.split(place.ravel() + len(nodes), np.cumsum([len(triangles)] * 3))
        parts = np.stack((np.stack((a, ab, ca), 1), np.stack((ab, b, bc), 1), np.stack((ca, bc, c), 1), np.stack((ab, bc, ca), 1)), 1)
        target.attrs.update({name: file.attrs[name] for name in ("format", "source", "units", "version")})
        target["nodes"] = np.concatenate((nodes, nodes[pairs].mean(axis=1)))
        target["triangles"] = parts.reshape(-1, 3).astype(file["triangles"].dtype)
        target["edges"] = np.stack((np.stack((edges[:, 0], middle), 1), np.stack((middle, edges[:, 1]), 1)), 1).reshape(-1, 2).astype(file["edges"].dtype)
        for name, times in (("region", 4), ("face_group", 2)):
            target[name] = np.repeat(file[name][()], times)
        for name in ("region_names", "group_names"):
            file.copy(name, target)


def make_meshes(arguments):
    arguments.folder.mkdir(parents=True, exist_ok=True)
    seconds = {}
    for name, (case, parameter, value) in meshes_of(arguments.small).items():
        begin = time.monotonic()
        subprocess.run([arguments.program, "mesh", CASES / case / "case.yaml", "--set", f"mesh.parameters.{parameter}={value}", "-o",
                        arguments.folder / f"{name}.h5"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds[name] = time.monotonic() - begin
    fine = arguments.folder / f"capacitor_{SIZES[-1]}.h5"
    for _ in range(0 if arguments.small else SPLIT):
        begin, coarse = time.monotonic(), fine
        fine = coarse.with_stem(coarse.stem + "s")
        cut_in_four(coarse, fine)
        seconds[fine.stem] = seconds[coarse.stem] + time.monotonic() - begin
    (arguments.folder / "meshes.json").write_text(json.dumps(seconds, indent=1) + "\n", encoding="utf-8")


def measure(program, backend, most):
    names = list(program.made)
    transformers = [f"transformer_{value}" for value in TABLE_3.values() if f"transformer_{value}" in names]
    algorithms = ["serial", *ALGORITHMS] if backend == "cpu" else list(ALGORITHMS)
    both = {"assembly_2d.algorithm": ["serial", "ebe-v1"], "assembly_2d.coloring": ["ofcm", "fcm"]}
    capacitors = [name for name in names if name.startswith("capacitor_")][:most]
    table_1 = f"transformer_{TABLE_1}" if f"transformer_{TABLE_1}" in names else transformers[0]
    found = {"capacitor": program.study("capacitor", capacitors, {"assembly_2d.order": [1, 2], "assembly_2d.algorithm": algorithms, "assembly_2d.coloring": ["none", "ofcm"]},
                                        ["assembly_2d.compare_to_serial=" + ("true" if backend == "cpu" else "false")]),
             "table_1": program.study("transformer", [table_1], {"assembly_2d.coloring": ["ccm", "fcm", "ofcm"]}, ["assembly_2d.algorithm=ebe-v1"], name="table_1"),
             "table_2": program.study("solenoid", ["solenoid_1.24"], both, ["assembly_2d.order=1"]),
             "table_2_errors": [program.solenoid("ebe-v1", coloring) for coloring in ("ofcm", "fcm")] + [program.solenoid("serial", "none")],
             "table_3": program.study("transformer", transformers, both)}
    for row in found["table_1"]:
        row["largest_over_mean"] = row["largest_color"] * row["colors"] / row["elements"]
    return found


def run(arguments):
    machine = subprocess.run([arguments.program, "info"], check=True, capture_output=True, text=True).stdout.splitlines()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        program = Program(arguments.program, arguments.backend, arguments.threads, arguments.meshes, arguments.output or Path(temporary))
        rows = measure(program, arguments.backend, arguments.most)
    seconds = round(time.monotonic() - begin, 1)
    content = {"date": time.strftime("%Y-%m-%d"), "backend": arguments.backend, "threads": arguments.threads, "machine": machine, "wall_seconds": seconds, **rows}
    arguments.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"{seconds} s in all")


def seconds_of(row, phases):
    return sum(value for phase in phases if isinstance(value := row.get(f"seconds_{phase}"), float) and np.isfinite(value))


def preprocessing(row):
    return seconds_of(row, PREPROCESSING)


def execution(row):
    return seconds_of(row, PHASES)


def label(row):
    return row["algorithm"] + ("" if row["coloring"] == "none" or row["algorithm"] == "serial" else f", {row['coloring']}")


def wanted(row):
    """serial has no colours: one row of it."""
    return row["algorithm"] != "serial" or row["coloring"] == "none"


def capacitor_rows(file, order):
    return [row for row in file["capacitor"] if row["order"] == order and wanted(row)]


def short(value, digits=3):
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}g}"


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(map(str, row)) + " |" for row in rows), ""]


def capacitor_table(file, order):
    """Milliseconds of the phases on the largest mesh."""
    rows = capacitor_rows(file, order)
    most = max(row["elements"] for row in rows)
    chosen = [row for row in rows if row["elements"] == most]
    mesh = 1e3 * chosen[0]["seconds_mesh"]
    lines = [f"Order {order}, {most:,.0f} triangles, {file['backend']}: ms; the mesh itself takes {short(mesh)} ms.", ""]
    head = ("", "adjacency, order", "colouring, balance", "element", "conversion", "solution", "iterations", "total", "with preprocessing", "bytes an element",
            "while solving")
    return lines + table(head, [(label(row), short(1e3 * seconds_of(row, PREPROCESSING[:2])), short(1e3 * seconds_of(row, PREPROCESSING[2:])),
                                 *(short(1e3 * row[f"seconds_{phase}"]) for phase in PHASES[1:]), f"{row['iterations']:.0f}",
                                 short(row["ms_execution"]), short(row["ms_execution"] + row["ms_preprocessing"]),
                                 short(row["bytes_per_element"]), short(row["bytes_per_element_solve"])) for row in chosen])


def bytes_table(files):
    lines = ["Bytes an element of the first order at most, largest mesh, without colours.", ""]
    found = []
    for algorithm, theirs in BYTES.items():
        ours = []
        for file in files:
            rows = [row for row in capacitor_rows(file, 1) if row["algorithm"] == algorithm and row["coloring"] == "none"]
            ours.append(short(max(rows, key=lambda row: row["elements"])["bytes_per_element"]))
        found.append((algorithm, theirs, *ours))
    return lines + table(("", "theirs, GPU", *(f"ours, {file['backend']}" for file in files)), found)


def remeshing_table(file):
    """Every mesh of the study once, as in a run that is meshed anew that often: sums in ms."""
    lines = [f"All {len({row['elements'] for row in capacitor_rows(file, 1)})} meshes of the study one after the other, order 1, {file['backend']}: sums in ms, "
             "the mesher's own time apart.", ""]
    sums = {}
    for row in capacitor_rows(file, 1):
        before, after = sums.setdefault(label(row), [0.0, 0.0])
        sums[label(row)] = [before + row["ms_preprocessing"], after + row["ms_execution"]]
    least = min(sum(pair) for name, pair in sums.items() if name != "serial")
    return lines + table(("", "adjacency, order, colours", "element to solution", "both", "over the least"),
                         [(name, short(a), short(b), short(a + b), short((a + b) / least)) for name, (a, b) in sums.items()])


def sizes_table(file):
    rows = file["table_1"]
    lines = [f"Colours of {rows[0]['elements']:,.0f} triangles of the transformer (theirs 24,106), {file['backend']}.", ""]
    return lines + table(("", "colours", "smallest", "largest", "largest over mean", "colouring (ms)", "balance (ms)"),
                         [(row["coloring"], f"{row['colors']:.0f}", f"{row['smallest_color']:,.0f}", f"{row['largest_color']:,.0f}",
                           short(row["largest_over_mean"]), short(1e3 * seconds_of(row, ("coloring",))), short(1e3 * seconds_of(row, ("balance",)))) for row in rows])


def figure(path, draw, panels=1):
    with plt.rc_context(STYLE):
        made, axes = plt.subplots(1, panels, figsize=(5.6 * panels, 4.2), layout="constrained", squeeze=False)
        draw(*axes[0])
        made.savefig(path, dpi=100)
        plt.close(made)


def lines_over_elements(axes, rows, value, name):
    for k, (what, of) in enumerate(name.items()):
        points = sorted((row["elements"], value(row)) for row in rows if label(row) == what)
        if points:
            axes.loglog(*zip(*points), "o-" if k < 4 else "s--", markersize=4, color=COLOURS[k % len(COLOURS)], label=of)


def draw_file(file, folder):
    """Draws the figures of a file; their names and what they show."""
    rows = capacitor_rows(file, 1)
    labels = {label(row): label(row) for row in rows}
    backend = file["backend"]

    def preparation(axes):
        colored = [row for row in rows if label(row) == "ebe-v1, ofcm"]
        for k, (phase, name) in enumerate((("mesh", "mesh"), ("adjacency", "adjacency"), ("order", "order of visits"), ("coloring", "colouring"),
                                           ("balance", "balance"))):
            axes.loglog(*zip(*sorted((row["elements"], seconds_of(row, (phase,))) for row in colored)), "o-", markersize=4, color=COLOURS[k], label=name)
        axes.set(xlabel="triangles", ylabel="seconds", title="Preprocessing (theirs: figure 5)")
        axes.legend()

    def tasks(*panels):
        for axes, name in zip(panels, ("a-fem", "ebe-v1, ofcm", "ebe-v2, ofcm")):
            chosen = sorted((row for row in rows if label(row) == name), key=lambda row: row["elements"])
            place, bottom = np.arange(len(chosen)), np.zeros(len(chosen))
            for k, phases in enumerate((PREPROCESSING[:2], PREPROCESSING[2:], ("transfer",), ("element",), ("convert",), ("solve",))):
                height = np.array([seconds_of(row, phases) for row in chosen])
                axes.bar(place, height / [seconds_of(row, PREPROCESSING + PHASES) for row in chosen], bottom=bottom, color=COLOURS[k], label=", ".join(phases))
                bottom += height / [seconds_of(row, PREPROCESSING + PHASES) for row in chosen]
            axes.set_xticks(place, [short(row["elements"]) for row in chosen], fontsize=8)
            axes.set(title=f"{name}, {backend}", xlabel="triangles", ylabel="part of the time")
        panels[0].legend(fontsize=8, loc="lower left")

    def totals(without, with_it):
        lines_over_elements(without, rows, execution, labels)
        lines_over_elements(with_it, rows, lambda row: execution(row) + preprocessing(row), labels)
        without.set(xlabel="triangles", ylabel="seconds", title=f"element to solution, {backend}")
        with_it.set(xlabel="triangles", ylabel="seconds", title="with adjacency, order and colours")
        without.legend(fontsize=8)

    def memory(axes):
        lines_over_elements(axes, [row for row in rows if row["coloring"] == "none"], lambda row: row["bytes_per_element"], labels)
        for (name, theirs), style in zip(BYTES.items(), (":", "--", "-.")):
            axes.axhline(theirs, color="k", linestyle=style, linewidth=1, label=f"theirs, {name}")
        axes.set(xlabel="triangles", ylabel="bytes an element", title=f"Memory at most, {backend}", yscale="linear")
        axes.legend(fontsize=8)

    made = []
    for place, draw, panels, what in ((5, preparation, 1, "Preprocessing"), (8, tasks, 3, "Parts of the time"), (9, totals, 2, "Totals"),
                                      (10, memory, 1, "Bytes an element")):
        made.append((f"figure_{place}_{backend}.png", f"{what}, {backend}"))
        figure(folder / made[-1][0], draw, panels)
    return made


def draw(arguments):
    files = [json.loads(path.read_text(encoding="utf-8")) for path in arguments.files]
    arguments.output.mkdir(parents=True, exist_ok=True)
    lines = ["# The capacitor's times, memory and colours, as the papers draw them", "",
             "Written by `tools/papers_statics.py draw` from the results files", "", *(f"* {described(path, file)}" for path, file in zip(arguments.files, files)), "",
             "Times are of single runs. `serial` has no colours; `a-fem`, `ebe-v1` and `ebe-v2` without a colouring add atomically.", ""]
    for file in files:
        lines += capacitor_table(file, 1) + capacitor_table(file, 2) + remeshing_table(file) + sizes_table(file)
    lines += [*bytes_table(files), "The papers' figures 5, 8, 9 and 10:", ""]
    drawn = max(files, key=lambda file: len({row["mesh"] for row in file["capacitor"]}))
    for name, what in draw_file(drawn, arguments.output):
        lines += [f"![{what}]({name})", ""]
    (arguments.output / "README.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def described(path, file):
    """Name, revision, device and date of a results file."""
    revision = re.search(r"revision ([0-9a-f]{8})", file["machine"][0])
    device = next(line for line in reversed(file["machine"]) if line.startswith("cuda 0:" if file["backend"] == "cuda" else "cpu:"))
    return f"{path.name}: revision {revision[1] if revision else 'unknown'}, {device.split(': ', 1)[1].split(' (')[0].split(', compute')[0]}, {file['date']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    commands = parser.add_subparsers(required=True)
    none = commands.add_parser("meshes")
    none.add_argument("program", type=Path)
    none.add_argument("folder", type=Path)
    none.add_argument("--small", action="store_true", help="coarse meshes only")
    none.set_defaults(do=make_meshes)
    one = commands.add_parser("run")
    one.add_argument("program", type=Path)
    one.add_argument("--meshes", type=Path, required=True, help="FOLDER of `meshes`")
    one.add_argument("--backend", choices=("cpu", "cuda"), default="cpu")
    one.add_argument("--threads", type=int, default=1)
    one.add_argument("--most", type=int, default=9, help="of the capacitor only so many meshes, from the coarsest")
    one.add_argument("--json", type=Path, required=True)
    one.add_argument("-o", "--output", type=Path, help="folder of the runs (default: a temporary one)")
    one.set_defaults(do=run)
    two = commands.add_parser("draw")
    two.add_argument("files", type=Path, nargs="+", metavar="FILE.json")
    two.add_argument("-o", "--output", type=Path, required=True)
    two.set_defaults(do=draw)
    arguments = parser.parse_args()
    arguments.do(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
