#!/usr/bin/env python3
"""Runs tests/gpu/cases/statics.yaml, a study of all parallel algorithms at 0.1, 1 and 10 million triangles, and prints it
as a table of milliseconds; with --json also into a file.

    tools/statics_table.py build/bin/tetrawave [--backend cuda] [--json FILE] [-o DIR]

Columns: element (matrices, insertion into lists), conversion (lists to CSR), their sum, microseconds per iteration of the
solution, bytes per element at most and while solving.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import time

CASE = pathlib.Path(__file__).resolve().parent.parent / "tests/gpu/cases/statics.yaml"
FIGURES = ("elements", "colors", "seconds_coloring", "seconds_transfer", "seconds_element", "seconds_convert",
           "seconds_solve", "iterations", "bytes_per_element", "bytes_per_element_solve")


def study(program, backend, folder, overrides):
    command = [program, "study", str(CASE), "-o", str(folder), "--overwrite", "--quiet", "--backend", backend]
    subprocess.run(command + [word for text in overrides for word in ("--set", text)], check=True)
    with open(folder / "study.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--set", action="append", default=[], metavar="a.b.c=VALUE")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, help="folder of the study (default: a temporary one)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        begin = time.monotonic()
        rows = study(arguments.program, arguments.backend, arguments.output or pathlib.Path(temporary), arguments.set)
        seconds = round(time.monotonic() - begin, 1)
    machine = subprocess.run([arguments.program, "info"], check=True, capture_output=True, text=True).stdout.splitlines()
    table = []
    print(f"{'elements':>9} {'algorithm':9} {'coloring':8} {'element':>9} {'convert':>9} {'sum ms':>9} {'iterations':>10} "
          f"{'us/iteration':>12} {'B/element':>9} {'solving':>8}")
    for row in rows:
        f = {name: float(row[name]) for name in FIGURES}
        per_iteration = f["seconds_solve"] / max(f["iterations"], 1) * 1e6
        print(f"{int(f['elements']):9d} {row['algorithm']:9} {row['coloring']:8} {f['seconds_element'] * 1e3:9.3f} "
              f"{f['seconds_convert'] * 1e3:9.3f} {(f['seconds_element'] + f['seconds_convert']) * 1e3:9.3f} "
              f"{int(f['iterations']):10d} {per_iteration:12.1f} {f['bytes_per_element']:9.1f} {f['bytes_per_element_solve']:8.1f}")
        table.append({"algorithm": row["algorithm"], "coloring": row["coloring"], "backend": row["backend"],
                      "microseconds_per_iteration": per_iteration, **f})
    if arguments.json:
        arguments.json.write_text(json.dumps({"date": time.strftime("%Y-%m-%d"),
                                               "machine": machine, "wall_seconds": seconds, "rows": table}, indent=1) + "\n", encoding="utf-8")
    print(f"{seconds} s in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
