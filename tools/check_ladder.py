#!/usr/bin/env python3
"""Fails on an include that goes up or sideways on the ladder of rooms, on one that enters a foreign package by another
door, on rooms that are too full or have no unit test, and on knots of components.

usage: tools/check_ladder.py [ROOT]      (ROOT: the project, default the folder above this script)
Prints one line `FILE:LINE: what` per fault; exit code 0 without faults, 1 with.
"""

import re
import sys
from pathlib import Path

# A room is a folder of src/ or cuda/ with sources. It includes from itself and from rooms of lines above its own.
LADDER = """
base/text
base
basis comm store kernels kernels/exchange statics/kernels case/yaml results/rational results/request statics/request
media mesh march/exchange fem/sparse kernels/pairs
fem/elimination
mesh/connect mesh/file sources march/interface fem/solvers
sources/ports fem/shared
case/spec
case/check case/schema
case/build
case mesh/array mesh/triangles fem/edge fem/device fem/clusters results/fields results/ports cuda
terms/dispersion terms/pml terms/ports terms/sources mesh/report statics fem/assembly fem/planar results/history cuda/pairs cuda/direct cuda/iteration
terms/walls mesh/make fem/parts cuda/statics cuda/assembly host
march/elements results/far_field
march/record results/s_parameters schemes/leap_frog/elements
terms/dispersion/device terms/pml/device terms/ports/device terms/sources/device schemes/stored results
march/loop
schemes/leap_frog
schemes/central schemes/dfdd schemes/upwind schemes/newmark model/ports
schemes/upwind_lts model cuda/tiles engines/parts
model/check model/set_up engines/lists
engines
engines/host host/isa cuda/launch
cuda/bench
modes/bench modes/assembly_2d modes/time_domain modes/frequency_domain
modes/fetd modes/fe_iiee modes/eigenmode modes/study modes/planar
app/help
app
app/new_case app/pages app/run
app/bench app/check app/selftest app/study
"""
LEVELS = {room: level for level, line in enumerate(LADDER.split("\n")[1:-1]) for room in line.split()}
TOP = len(LEVELS)  # src/main.cpp

# Folder of src/ -> the namespaces of its files below `tetrawave`; "" is `tetrawave` itself, the vocabulary of cases,
# meshes and materials that all others share. A longer path goes before a shorter one.
NAMESPACES = {
    "app": ("app",), "base": ("", "log"), "basis": ("basis",), "case": ("",), "comm": ("comm",),
    "engines": ("march", "host", "kernels"), "fem": ("fem", "fem::device"), "fem/sparse": ("fem", ""), "host": ("host", "host::TW_ISA"),
    "kernels": ("kernels",), "march": ("march",), "media": ("",), "mesh": ("",), "model": ("modes",), "modes": ("modes",),
    "results": ("results",), "results/request": ("",), "schemes": ("march", "kernels", "schemes"), "schemes/newmark": ("modes",),
    "sources": ("",), "statics": ("fem",), "statics/kernels": ("kernels",), "statics/request": ("",), "store": ("store",),
    "terms": ("march", "kernels", "schemes"), "terms/walls": ("march", "kernels", "schemes", "modes"),
}  # fmt: skip
NAMESPACE = re.compile(r"^namespace tetrawave(?:::(\w[\w:]*))? \{")

MOST_FILES = 24  # of a room
MOST_IN_KNOT = 4  # components that include one another

# A case and its parts (`Case`, `..Spec`) stop at the model: they are named in these folders, and in a mode's entry, the
# files of modes/NAME/ that are called NAME. In the other rooms lines with their names may only become fewer: at most
CASE_FOLDERS = ("case", "model", "app")
CASE_NAME = re.compile(r"\b(Case|(?!Wall)[A-Z]\w*Spec)\b")
# Enumerator -> the folders that may ask for its values (the table of engines, that of modes, the factory of ports,
# the laws of walls), and
# at most how many lines elsewhere still do.
ENUMERATORS = {
    "Scheme": (("base", "case", "engines", "app"), 12),
    "Wall": (("march/interface", "terms/walls", "model"), 4),
    "Mode": (("base", "case", "app"), 3),
    "PortType": (("base", "case", "sources/ports", "model/ports", "app"), 10),
}
CASE_LINES = {
    "modes/assembly_2d": 8,
    "modes/eigenmode": 7,
    "modes/fe_iiee": 15,
    "modes/frequency_domain": 34,
    "modes/planar": 23,
    "modes/time_domain": 3,
}
# The folders that may include headers of src/case.
CASE_READERS = ("case", "model", "modes", "app")

# Package -> (its headers, the places that may include them: a folder or one file).
DOORS = {
    "yaml-cpp": (r"yaml-cpp/", ["src/case"]),
    "CLI11": (r"CLI/|CLI11", ["src/app", "tools/mesher"]),
    "spdlog and fmt": (r"(spdlog|fmt)/", ["src/base"]),
    "MPI": (r"mpi(-ext)?\.h|mpi/", ["src/comm", "tools/mpi_fortran"]),
    "HDF5": (r"hdf5|H5\w*\.h", ["src/store"]),
    "MUMPS": (r"[sdcz]mumps_c\.h", ["src/fem/solvers/mumps_solver.cpp"]),
    "METIS": (r"(par)?metis\.h", ["src/mesh/connect/partition.cpp"]),
    "CUDA": (r"cuda(_\w+)?(\.h|/)|cooperative_groups|cub/|thrust/|nccl\.h|nvtx3/|nvToolsExt|cu(blas|sparse|fft|rand)",
             ["cuda"]),
    "Gmsh": (r"gmsh", ["tools/mesher"]),
    "muParser": (r"muParser", ["src/sources"]),
    "nlohmann::json": (r"nlohmann/", ["src/case", "src/store", "src/app"]),
    "Eigen": (r"Eigen/", ["src/fem", "src/schemes", "src/results/rational"]),
    "OpenMP": (r"omp\.h", ["src/host"]),
}  # fmt: skip
OWN_CUDA_FOLDER = "cuda/"
TARGET_MACRO = "__CUDACC__"
TARGET_HEADER = "src/base/target.hpp"
SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".inc", ".inl", ".ipp"}
INCLUDE = re.compile(r'^\s*#\s*(?:include|import)\s*(["<])([^">]+)[">]')
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def without_comments(text):
    """The text with comments blanked, line numbers kept."""

    def blank(match):
        return match[0] if match[0].startswith('"') else re.sub(r"[^\n]", " ", match[0])

    return COMMENT_OR_TEXT.sub(blank, text)


def room_of(path):
    """The room of a path below the root: `mesh/file` for src/mesh/file/.., `cuda` for cuda/.., else None."""
    folder = path.parent.as_posix()
    return folder.removeprefix("src/") if folder.startswith(("src/", "cuda")) else None


def is_below(path, place):
    return path.as_posix() == place or path.as_posix().startswith(place + "/")


def check_ladder(path, header):
    """The fault of including "header" from path, or None."""
    if path.parts[0] == "tools":
        return None
    own = room_of(path)
    target = header.rpartition("/")[0] or own
    if target.partition("/")[0] == "case" and own is not None and own.partition("/")[0] not in CASE_READERS:
        return f'"{header}": a case is read by {", ".join(CASE_READERS)}: pass what is needed of it'
    if header.startswith("."):
        return f'"{header}": include by the path below src/, not relatively'
    if target not in LEVELS or target == own:
        return None
    level = LEVELS.get(own, TOP)
    if LEVELS[target] > level:
        return f'"{header}": upward, {own} (L{level}) includes {target} (L{LEVELS[target]})'
    if LEVELS[target] == level:
        return f'"{header}": sideways, {own} and {target} are both L{level}'
    return None


def check_doors(path, quote, header):
    """The fault of entering a foreign package from path, or None."""
    if quote == '"' and header.startswith(OWN_CUDA_FOLDER):
        return None
    for package, (pattern, places) in DOORS.items():
        if re.match(pattern, header) and not any(is_below(path, place) for place in places):
            return f"<{header}>: {package} is used only in {', '.join(places)}"
    return None


def check_namespace(room, line):
    """The fault of opening a namespace in a room, or None."""
    opened = NAMESPACE.match(line)
    places = [place for place in (room, room.partition("/")[0]) if place in NAMESPACES]
    if opened is None or not places or (opened[1] or "") in NAMESPACES[places[0]]:
        return None
    allowed = " or ".join("tetrawave" + ("::" + name if name else "") for name in NAMESPACES[places[0]])
    return f"{opened[0][:-2]} in {room}: its names are in {allowed}"


def check_file(root, path):
    """Yields (line number, fault) for one file, path relative to root."""
    room = room_of(path)
    if room is not None and room not in LEVELS:
        yield 1, f"room {room} has no place on the ladder"
    text = without_comments((root / path).read_text(encoding="utf-8", errors="replace"))
    for number, line in enumerate(text.splitlines(), 1):
        if TARGET_MACRO in line and path.as_posix() != TARGET_HEADER:
            yield number, f"{TARGET_MACRO} appears only in {TARGET_HEADER}"
        if room is not None and (fault := check_namespace(room, line)):
            yield number, fault
        include = INCLUDE.match(line)
        if include is None:
            continue
        quote, header = include.groups()
        if quote == '"' and (fault := check_ladder(path, header)):
            yield number, fault
        if fault := check_doors(path, quote, header):
            yield number, fault


def names_case(root, path):
    """How many lines of a file name a case where only the model should."""
    room = room_of(path)
    if room is None or room.partition("/")[0] in CASE_FOLDERS or (room.startswith("modes/") and path.stem == path.parent.name):
        return 0
    text = without_comments((root / path).read_text(encoding="utf-8", errors="replace"))
    return sum(1 for line in text.splitlines() if CASE_NAME.search(line))


def case_lines(root):
    """Room -> lines that name a case, without rooms that have none."""
    counts = {}
    for path in source_files(root):
        if lines := names_case(root, path):
            counts[room_of(path)] = counts.get(room_of(path), 0) + lines
    return counts


def enumerator_lines(root, name):
    """Lines outside of its folders that ask for values of an enumerator."""
    pattern = re.compile(rf"\b{name}::\w")
    lines = 0
    for path in source_files(root):
        room = room_of(path)
        if room is None or any(room == place or room.startswith(place + "/") for place in ENUMERATORS[name][0]):
            continue
        text = without_comments((root / path).read_text(encoding="utf-8", errors="replace"))
        lines += sum(1 for line in text.splitlines() if pattern.search(line))
    return lines


def check_enumerators(root):
    for name, (places, most) in ENUMERATORS.items():
        if (lines := enumerator_lines(root, name)) > most:
            yield f"src/: {lines} lines ask for a {name} outside of {', '.join(places)}, at most {most} may: hand in what depends on it"


def check_case_lines(root, counts):
    for room, lines in sorted(counts.items()):
        if lines > CASE_LINES.get(room, 0):
            yield f"src/{room}: {lines} lines name a case or a part of it (Case, ..Spec), at most {CASE_LINES.get(room, 0)} may: pass what is needed of it"


def component_of(path):
    """`mesh/local_mesh` of src/mesh/local_mesh.hpp and of its source."""
    return path.with_suffix("").as_posix().removeprefix("src/")


def find_knots(root):
    """Sets of components, headers with their sources, that include one another by any way."""
    includes = {}
    for path in source_files(root):
        headers = [match[2] for line in (root / path).read_text(encoding="utf-8", errors="replace").splitlines()
                   if (match := INCLUDE.match(line)) and match[1] == '"' and "/" in match[2]]
        includes.setdefault(component_of(path), set()).update(header.rpartition(".")[0] for header in headers)
    reached = {}
    for start in includes:
        reached[start], ahead = set(), [start]
        while ahead:
            new = (includes.get(ahead.pop(), set()) & includes.keys()) - reached[start]
            reached[start] |= new
            ahead += new
    return {frozenset(b for b in reached[a] if a in reached[b]) | {a} for a in includes if a in reached[a]} - {
        frozenset({a}) for a in includes}


def check_knots(root):
    for knot in find_knots(root):
        if len(knot) > MOST_IN_KNOT:
            yield f"{', '.join(sorted(knot))}: {len(knot)} components include one another, at most {MOST_IN_KNOT} may"


def check_unit_tests(root):
    """A text for each room with a source, or with kernels, whose folder in tests/unit has no test."""
    if not (root / "tests/unit").is_dir():
        return
    for room in LEVELS:
        folder = root / "src" / room
        has_source = any(folder.glob("*.cpp")) or (room.partition("/")[0] == "kernels" and folder.is_dir())
        if has_source and not any((root / "tests/unit" / room).glob("*.cpp")):
            yield f"src/{room}: no test in tests/unit/{room}"


def source_files(root):
    for top in ("src", "cuda", "tools"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path.relative_to(root)


def check_sizes(root):
    """A text for each room with too many files."""
    for folder in sorted({path.parent for path in source_files(root) if room_of(path) is not None}):
        files = sum(1 for path in (root / folder).iterdir() if path.is_file())
        if files > MOST_FILES:
            yield f"{folder}: {files} files, at most {MOST_FILES} in a room"


def check_tree(root):
    """All faults of a tree as texts `FILE:LINE: what`."""
    faults = [f"{path}:{line}: {fault}" for path in source_files(root) for line, fault in check_file(root, path)]
    faults += [*check_sizes(root), *check_case_lines(root, case_lines(root)), *check_enumerators(root)]
    return faults + [*check_unit_tests(root), *check_knots(root)]


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    files = sum(1 for _ in source_files(root))
    faults = check_tree(root)
    for fault in faults:
        print(fault)
    if files == 0:
        print(f"{root}: no source files found", file=sys.stderr)
        return 1
    asks = ", ".join(f"{enumerator_lines(root, name)} for {name}" for name in ENUMERATORS)
    print(f"include ladder: {files} files in {len(LEVELS)} rooms; {sum(case_lines(root).values())} lines below the model name a "
          f"case; lines that ask elsewhere: {asks}; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
