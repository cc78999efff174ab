#!/usr/bin/env python3
"""Fails on an include that goes up or sideways on the ladder of src/, or that enters a foreign package by another door.

usage: tools/check_ladder.py [ROOT]      (ROOT: the project, default the folder above this script)
Prints one line `FILE:LINE: what` per fault; exit code 0 without faults, 1 with.
"""

import re
import sys
from pathlib import Path

# A folder of src/ includes only from itself and from folders with a smaller number. cuda/ stands beside host.
LEVELS = {
    "base": 0,
    "case": 1, "basis": 1, "comm": 1,
    "store": 2, "media": 2,
    "mesh": 3, "kernels": 3,
    "sources": 4, "schemes": 4,
    "march": 5, "fem": 5,
    "observe": 6,
    "host": 7, "cuda": 7,
    "modes": 8,
    "app": 9,
}  # fmt: skip
TOP = 10  # src/main.cpp

# Package -> (its headers, the places that may include them: a folder or one file).
DOORS = {
    "yaml-cpp": (r"yaml-cpp/", ["src/case"]),
    "CLI11": (r"CLI/|CLI11", ["src/app", "tools/mesher"]),
    "spdlog and fmt": (r"(spdlog|fmt)/", ["src/base"]),
    "MPI": (r"mpi(-ext)?\.h|mpi/", ["src/comm"]),
    "HDF5": (r"hdf5|H5\w*\.h", ["src/store"]),
    "MUMPS": (r"[sdcz]mumps_c\.h", ["src/fem/direct_solver.cpp"]),
    "METIS": (r"(par)?metis\.h", ["src/mesh/partition.cpp"]),
    "CUDA": (r"cuda(_\w+)?(\.h|/)|cooperative_groups|cub/|thrust/|nccl\.h|nvtx3/|nvToolsExt|cu(blas|sparse|fft|rand)",
             ["cuda"]),
    "Gmsh": (r"gmsh", ["tools/mesher"]),
    "muParser": (r"muParser", ["src/sources"]),
    "nlohmann::json": (r"nlohmann/", ["src/case", "src/store", "src/app"]),
    "Eigen": (r"Eigen/", ["src/fem"]),
    "OpenMP": (r"omp\.h", ["src/host"]),
}  # fmt: skip
OWN_CUDA_FOLDER = "cuda/"
TARGET_MACRO = "__CUDACC__"
TARGET_HEADER = "src/base/target.hpp"
SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh", ".inl", ".ipp"}
INCLUDE = re.compile(r'^\s*#\s*(?:include|import)\s*(["<])([^">]+)[">]')
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def without_comments(text):
    """The text with comments blanked, line numbers kept."""

    def blank(match):
        return match[0] if match[0].startswith('"') else re.sub(r"[^\n]", " ", match[0])

    return COMMENT_OR_TEXT.sub(blank, text)


def folder_of(path):
    """The ladder folder of a path below the root: `base` for src/base/..., `cuda` for cuda/..., else None."""
    parts = path.parts
    if parts[0] == "cuda":
        return "cuda"
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def is_below(path, place):
    return path.as_posix() == place or path.as_posix().startswith(place + "/")


def check_ladder(path, header):
    """The fault of including "header" from path, or None."""
    if path.parts[0] == "tools":
        return None
    own = folder_of(path)
    target = header.split("/")[0] if "/" in header else own
    if target == ".." or header.startswith("./"):
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


def check_file(root, path):
    """Yields (line number, fault) for one file, path relative to root."""
    if path.parts[0] == "src" and len(path.parts) > 2 and path.parts[1] not in LEVELS:
        yield 1, f"folder src/{path.parts[1]} has no place on the ladder"
    text = without_comments((root / path).read_text(encoding="utf-8", errors="replace"))
    for number, line in enumerate(text.splitlines(), 1):
        if TARGET_MACRO in line and path.as_posix() != TARGET_HEADER:
            yield number, f"{TARGET_MACRO} appears only in {TARGET_HEADER}"
        include = INCLUDE.match(line)
        if include is None:
            continue
        quote, header = include.groups()
        if quote == '"' and (fault := check_ladder(path, header)):
            yield number, fault
        if fault := check_doors(path, quote, header):
            yield number, fault


def source_files(root):
    for top in ("src", "cuda", "tools"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path.relative_to(root)


def check_tree(root):
    """All faults of a tree as texts `FILE:LINE: what`."""
    return [f"{path}:{line}: {fault}" for path in source_files(root) for line, fault in check_file(root, path)]


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    files = sum(1 for _ in source_files(root))
    faults = check_tree(root)
    for fault in faults:
        print(fault)
    if files == 0:
        print(f"{root}: no source files found", file=sys.stderr)
        return 1
    print(f"include ladder: {files} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
