#!/usr/bin/env python3
"""Fails on an include that goes up or sideways on the ladder of rooms, on one that enters a foreign package by another
door, and on rooms that are too full.

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
basis comm store kernels kernels/exchange statics/kernels case/spec case/yaml
media mesh march/exchange fem/sparse kernels/pairs case/check case/schema
mesh/connect mesh/file sources sources/ports march/interface fem/solvers case/build
case mesh/array mesh/triangles march/elements fem/edge fem/clusters results/fields results/ports results/rational
mesh/report march/record terms/dispersion terms/sources statics fem/planar results/history cuda
mesh/make march/loop terms/pml terms/ports results/s_parameters cuda/statics cuda/pairs cuda/direct
terms/walls
schemes/leap_frog
schemes/stored results/far_field
schemes/central schemes/dfdd schemes/upwind schemes/newmark results
schemes/upwind_lts cuda/tiles engines/memory engines/parts
engines/lists
engines
host cuda/launch
host/isa cuda/bench model
model/check modes/bench modes/fetd
modes/time_domain modes/frequency_domain modes/assembly_2d
modes/fe_iiee modes/study modes/eigenmode modes/planar
app/help
app
app/bench app/new_case app/pages app/run
app/check app/selftest app/study
"""
LEVELS = {room: level for level, line in enumerate(LADDER.split("\n")[1:-1]) for room in line.split()}
TOP = len(LEVELS)  # src/main.cpp

# Includes that go up or sideways for now. This table may only shrink: one that is no longer needed is a fault.
UPWARD = {
    "src/march/elements/element_system.hpp": ["engines/kernel_list.hpp"],
    "src/march/elements/layout.cpp": [
        "schemes/leap_frog/wall_corrections.hpp",
        "terms/dispersion/coefficients.hpp",
        "terms/dispersion/pole_lists.hpp",
        "terms/pml/layers.hpp",
    ],
    "src/march/record/spectral_sums.hpp": ["engines/kernel_list.hpp"],
    "src/model/boundaries.cpp": ["model/check/case_check.hpp"],
    "src/model/check/kerr_check.hpp": ["modes/time_domain/time_domain.hpp"],
    "src/model/port_setup.cpp": ["model/check/case_check.hpp"],
    "src/model/sources.cpp": ["model/check/case_check.hpp"],
    "src/model/time_domain_setup.cpp": [
        "model/check/kerr_check.hpp",
        "modes/fe_iiee/integral_boundary.hpp",
        "modes/fetd/fetd.hpp",
        "modes/frequency_domain/plane_waves.hpp",
    ],
    "src/modes/fetd/fetd.cpp": ["modes/frequency_domain/frequency_domain.hpp"],
    "src/modes/frequency_domain/frequency_domain.hpp": [
        "modes/fe_iiee/boundary_iteration.hpp",
        "modes/fe_iiee/outer_forecast.hpp",
    ],
    "src/results/s_parameters/array_output.hpp": ["results/results.hpp"],
    "src/results/s_parameters/s_parameter_output.hpp": ["results/results.hpp"],
    "src/schemes/newmark/march.hpp": ["host/host_backend.hpp"],
    "src/schemes/newmark/plane_wave.hpp": ["model/sources.hpp"],
    "src/schemes/stored/schemes.cpp": ["schemes/upwind/faces.hpp"],
    "src/schemes/stored/schemes.hpp": ["schemes/upwind/coefficients.hpp"],
    "src/schemes/stored/stored_field.hpp": ["schemes/upwind/faces.hpp"],
    "src/terms/dispersion/axes.hpp": ["terms/pml/kernel.hpp"],
    "src/terms/dispersion/axes_on_device.hpp": ["terms/pml/layers.hpp"],
    "src/terms/dispersion/law_energy_kernel.hpp": ["terms/pml/kernel.hpp"],
    "src/terms/dispersion/pole_lists.cpp": ["schemes/dfdd/curl_system.hpp"],
    "src/terms/pml/layers.cpp": ["schemes/dfdd/pml.hpp", "schemes/leap_frog/class_borders.hpp"],
    "src/terms/pml/on_device.hpp": ["schemes/leap_frog/stable_step.hpp"],
    "src/terms/ports/modal_terminations.hpp": ["schemes/leap_frog/modal_responses.hpp"],
    "src/terms/sources/device_sources.hpp": ["engines/kernel_list.hpp"],
    "src/terms/sources/source_lists.cpp": ["schemes/leap_frog/wall_corrections.hpp", "terms/pml/layers.hpp"],
}
MOST_FILES = 24  # of a room

# Package -> (its headers, the places that may include them: a folder or one file).
DOORS = {
    "yaml-cpp": (r"yaml-cpp/", ["src/case"]),
    "CLI11": (r"CLI/|CLI11", ["src/app", "tools/mesher"]),
    "spdlog and fmt": (r"(spdlog|fmt)/", ["src/base"]),
    "MPI": (r"mpi(-ext)?\.h|mpi/", ["src/comm"]),
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


def check_file(root, path, upward):
    """Yields (line number, fault) for one file, path relative to root; takes what it needs out of `upward`."""
    room = room_of(path)
    if room is not None and room not in LEVELS:
        yield 1, f"room {room} has no place on the ladder"
    text = without_comments((root / path).read_text(encoding="utf-8", errors="replace"))
    for number, line in enumerate(text.splitlines(), 1):
        if TARGET_MACRO in line and path.as_posix() != TARGET_HEADER:
            yield number, f"{TARGET_MACRO} appears only in {TARGET_HEADER}"
        include = INCLUDE.match(line)
        if include is None:
            continue
        quote, header = include.groups()
        if quote == '"' and (fault := check_ladder(path, header)):
            if (path.as_posix(), header) in upward:
                upward.remove((path.as_posix(), header))
            else:
                yield number, fault
        if fault := check_doors(path, quote, header):
            yield number, fault


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


def check_tree(root, allowed=None):
    """All faults of a tree as texts `FILE:LINE: what`; `allowed` as UPWARD."""
    upward = {(path, header) for path, headers in (allowed or {}).items() for header in headers}
    faults = [f"{path}:{line}: {fault}" for path in source_files(root) for line, fault in check_file(root, path, upward)]
    unneeded = [f'{path}: "{header}" is in UPWARD of check_ladder.py and no longer needed there' for path, header in sorted(upward)]
    return faults + unneeded + list(check_sizes(root))


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    files = sum(1 for _ in source_files(root))
    faults = check_tree(root, UPWARD)
    for fault in faults:
        print(fault)
    if files == 0:
        print(f"{root}: no source files found", file=sys.stderr)
        return 1
    upward = sum(len(headers) for headers in UPWARD.values())
    print(f"include ladder: {files} files in {len(LEVELS)} rooms, {upward} includes upward for now, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
