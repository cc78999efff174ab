#!/usr/bin/env python3
"""Runs the programs on wrong input and compares exit code, messages and the files left behind.

usage: run_program.py PROGRAM [--mesher MESHER] [NAME...]
PROGRAM: the built tetrawave; MESHER: the built tetrawave-mesh, without it the entries that need it are left out;
NAME: only entries with this in their name. Entries stand in program/*.toml (README.md says how they are written).
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from meshes import MESHES

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from run_unittest import cpu_seconds  # noqa: E402

LIMIT_S = 60
WORKERS = 8  # most of an entry's time is MPI's start and end, which sleeps
MINE = b"mine"  # text of files that no run may touch
# What a run says of itself before it fails.
REPORT = re.compile(r"^(Tetrawave \d|on \S+: c| rank  host| +\d+  |transport |\d+ ranks of |mesh: |edges of |port \w+: (?:coaxial|rectangular|tem)|finite elements: |frequency \d+ of |time step |set-up took|step \d+/|marched |results: ).*\n",
                    re.MULTILINE)
# mpirun's own words on an exit code that is not 0.
MPIRUN = re.compile(r"-{74}\n(?:Primary job  terminated normally|mpirun detected that one or more).*?\n-{74}\n", re.DOTALL)
KEYS = {"alone", "command", "case", "change", "mesh", "files", "environment", "needs", "ranks", "exit", "stderr",
        "stderr_matches", "stdout", "stdout_has", "left"}


class Wrong(Exception):
    """What an entry found that was not expected."""


def read_entries(folder):
    """Yields (name, entry) with the defaults of the file's [base] filled in."""
    for path in sorted(folder.glob("*.toml")):
        with open(path, "rb") as file:
            table = tomllib.load(file)
        base = table.pop("base", {})
        for name, entry in table.items():
            if unknown := entry.keys() - KEYS:
                raise SystemExit(f"{path}: {name}: unknown key {sorted(unknown)}")
            yield f"{path.stem}/{name}", {**base, **entry}


def change_text(text, changes):
    for old, new in changes:
        if text.count(old) != 1:
            raise Wrong(f"{old!r} does not stand once in the case")
        text = text.replace(old, new)
    return text


def lay_out(entry, folder):
    if "case" in entry:
        (folder / "case.yaml").write_text(change_text(entry["case"], entry.get("change", [])), encoding="utf-8")
    if "mesh" in entry:
        MESHES[entry["mesh"]](folder / "mesh.h5")
    for name, text in entry.get("files", {}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def contents_of(folder):
    """Every file but lists of a run's files with its bytes, every empty folder with None."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            if path.name == ".files":
                continue
            found[str(path.relative_to(folder))] = path.read_bytes()
        elif not any(path.iterdir()):
            found[str(path.relative_to(folder)) + "/"] = None
    return found


def environment_of(entry, mesher):
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_orte_set_default_slots": "1",
                   "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "CUDA_VISIBLE_DEVICES": ""}
    if mesher:
        environment["TETRAWAVE_MESHER"] = mesher
    return {**environment, **entry.get("environment", {})}


def run(entry, ranks, folder, program, mesher):
    words = shlex.split(entry["command"])
    words[0] = program
    if ranks > 1:
        words = ["mpirun", "--oversubscribe", "-n", str(ranks), *words]
    process = subprocess.Popen(words, cwd=folder, env=environment_of(entry, mesher), text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process:
        try:
            stdout, stderr = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            process.terminate()  # mpirun ends its ranks
            raise Wrong(f"it did not end within {LIMIT_S} s; stderr so far:\n{process.communicate()[1]}") from None
    if ranks > 1:
        stderr = MPIRUN.sub("", stderr)
    return process.returncode, stdout.replace(str(folder), "DIR"), stderr.replace(str(folder), "DIR")


def compare(entry, code, stdout, stderr, before, after):
    faults = []
    expected = entry["exit"]
    if code != expected:
        faults.append(f"exit code {code}, expected {expected}")
    said = REPORT.sub("", stderr)
    if "stderr_matches" in entry:
        if not re.fullmatch(entry["stderr_matches"].strip("\n"), said.strip("\n")):
            faults.append(f"stderr:\n{said}expected a match of:\n{entry['stderr_matches']}")
    elif said.strip("\n") != entry.get("stderr", "").strip("\n"):
        faults.append(f"stderr:\n{said}expected:\n{entry.get('stderr', '')}")
    if expected != 0 or "stdout" in entry:
        if stdout.strip("\n") != entry.get("stdout", "").strip("\n"):
            faults.append(f"stdout:\n{stdout}expected:\n{entry.get('stdout', '')}")
    faults += [f"stdout lacks {part!r}:\n{stdout}" for part in entry.get("stdout_has", []) if part not in stdout]
    if "left" in entry:
        if sorted(after) != sorted(entry["left"]):
            faults.append(f"files left: {sorted(after)}, expected {sorted(entry['left'])}")
        faults += [f"{name} was touched" for name, text in before.items() if text == MINE and after.get(name) != text]
    elif after != before:
        differ = sorted(name for name in before.keys() | after.keys() if before.get(name, 0) != after.get(name, 0))
        faults.append(f"files changed: {differ}")
    if faults:
        raise Wrong("\n".join(faults))


def check(entry, ranks, program, mesher):
    with tempfile.TemporaryDirectory(prefix="tetrawave-bad-") as name:
        folder = Path(name).resolve()
        lay_out(entry, folder)
        before = contents_of(folder)
        with tempfile.TemporaryDirectory(prefix="tetrawave-alone-") as other:
            if entry.get("alone"):  # without the mesher beside it
                program, mesher = shutil.copy(program, other), None
            code, stdout, stderr = run(entry, ranks, folder, program, mesher)
        compare(entry, code, stdout, stderr, before, contents_of(folder))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--mesher")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    jobs = []
    for name, entry in read_entries(HERE / "program"):
        if entry.get("needs") == "mesher" and not options.mesher:
            continue
        if options.names and not any(part in name for part in options.names):
            continue
        jobs += [(name, ranks, entry) for ranks in entry.get("ranks", [1])]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        outcomes = [(name, ranks, pool.submit(check, entry, ranks, options.program, options.mesher))
                    for name, ranks, entry in jobs]
        for name, ranks, outcome in outcomes:
            if error := outcome.exception():
                failed += 1
                print(f"{name} on {ranks} rank{'s' if ranks > 1 else ''}: "
                      f"{error if isinstance(error, Wrong) else repr(error)}\n")
    print(f"{len(jobs) - failed} passed, {failed} failed")
    if path := os.environ.get("TETRAWAVE_TEST_COUNTS"):
        Path(path).write_text(f"{len(jobs) - failed} {failed} {cpu_seconds():.1f}\n", encoding="utf-8")
    return 0 if jobs and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
