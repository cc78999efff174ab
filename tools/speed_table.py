#!/usr/bin/env python3
"""Writes README's table of speeds: whole steps of all schemes and spaces on a GPU.

    speed_table.py [--check]                        from the last *-table.json of tests/gpu/results
    speed_table.py --collect FILE.json DIR          makes such a file of what scripts/gpu_check.sh left in DIR

Of each scheme and space it takes the fastest row of about a million elements (0.9 to 1.6; DFDD-ELD of third order has
one mesh, of 200,000). Rows of kernels that a later run has measured anew name its `revision`. --check: exit code 1 when
README.md is not what would be written.
"""

import argparse
import json
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPACES = ("mixed-1", "full-1", "mixed-2", "full-2", "mixed-3", "full-3", "full-4")
ROWS = (("DGTD-Central", "dgtd-central", "fused"), ("with `method.penalty`", "dgtd-central", "penalty 0.1"), ("DFDD-ELD", "dfdd-eld", "fused"),
        ("DGTD-Upwind (five stages per step)", "dgtd-upwind", "fused"))
BEGIN, END = "<!-- by tools/speed_table.py -->\n\n", "<!-- end -->\n"
KEPT = ("scheme", "basis", "precision", "ordering", "kernels", "elements", "seconds_per_step", "dof_updates_per_second", "bytes_per_step", "copy_bytes_per_second",
        "share_of_copy")


def collect(folder):
    """Rows of the factored layout of all files of one rank, with the machine and the revision of their program."""
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("gpu_check_*.json"))]
    files = [file for file in files if file.get("ranks") == 1 and "copy_bytes_per_second" in file["rows"][0]]
    if not files:
        raise SystemExit(f"speed_table.py: error: no gpu_check_*.json of one rank in {folder}: scripts/gpu_check.sh -o {folder} table other_tables makes them")
    head = {key: files[0][key] for key in ("program", "revision", "date", "machine")}
    if strangers := {file["revision"] for file in files} - {head["revision"]}:
        raise SystemExit(f"speed_table.py: error: {folder} has files of other revisions: {' '.join(strangers)}")
    rows = [{key: row[key] for key in KEPT if key in row} for file in files for row in file["rows"] if row["layout"] == "factored"]
    return {**head, "command": "scripts/gpu_check.sh table other_tables", "rows": rows}


def cell(found, scheme, kernels, space, precision):
    rows = [row for row in found["rows"] if (row["scheme"], row["kernels"], row["basis"], row["precision"]) == (scheme, kernels, space, precision)
            and row.get("ordering", "blocks") == "blocks"]
    if not rows:
        return None
    large = [row for row in rows if 0.9e6 <= row["elements"] <= 1.6e6]
    row = max(large or rows, key=lambda row: row["dof_updates_per_second"])
    rate = row["dof_updates_per_second"] / 1e9
    return f"{rate:.{0 if rate >= 10 else 1}f} ({100 * row['share_of_copy']:.0f} %)"


def text(path):
    found = json.loads(path.read_text(encoding="utf-8"))
    copies = [row["copy_bytes_per_second"] / 1e12 for row in found["rows"]]
    later = "".join(f", or {revision[:8]} where a kernel has changed" for revision in sorted({row["revision"] for row in found["rows"] if "revision" in row}))
    intro = (f"Time steps on one {found['machine'].split(': ')[-1].split(',')[0]}, the faster of two meshes of 1 and 1.6 million elements (third-order DFDD-ELD: 200,000). In "
             f"parentheses: bandwidth over the copy bandwidth of the same run ({min(copies):.2f} to {max(copies):.2f} TB/s), counting the bytes that a step must move at least; "
             f"above 100 % a pass finds data of the previous one in the cache (`scripts/gpu_check.sh table other_tables`, revision {found['revision'][:8]}{later}, [results "
             f"file](tests/gpu/results/{path.name})).")
    lines = [*textwrap.wrap(intro, 120, break_long_words=False, break_on_hyphens=False), "",
             "| 10^9 unknowns/s (share of copy bandwidth) | " + " | ".join(SPACES) + " |", "|---" * (len(SPACES) + 1) + "|"]
    for name, scheme, kernels in ROWS:
        for precision, label in (("double", name), ("single", "the same, single")):
            cells = [cell(found, scheme, kernels, space, precision) or "" for space in SPACES]
            lines.append(" ".join(f"| {label} | {' | '.join(cells)} |".split()))
    return "\n".join(lines) + "\n\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--collect", nargs=2, type=Path, metavar=("FILE", "DIR"))
    parser.add_argument("--readme", type=Path, default=ROOT / "README.md")
    options = parser.parse_args()
    if options.collect:
        file, folder = options.collect
        file.write_text(json.dumps(collect(folder), indent=1) + "\n", encoding="utf-8")
        return 0
    readme = options.readme.read_text(encoding="utf-8")
    before, _, rest = readme.partition(BEGIN)
    written = before + BEGIN + text(max((ROOT / "tests/gpu/results").glob("*-table.json"))) + END + rest.partition(END)[2]
    if options.check:
        if readme == written:
            return 0
        print(f"{options.readme} is not what tools/speed_table.py writes")
        return 1
    options.readme.write_text(written, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
