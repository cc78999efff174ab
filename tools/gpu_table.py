#!/usr/bin/env python3
"""Times marches on the GPU beside the copy bandwidth of the same run, and writes the table as JSON.

Every row counts the least bytes that a step moves (fields, metric, connections: /performance/bytes_per_step) and says
which share of the measured device-to-device copy bandwidth that is.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import h5py

CASE = pathlib.Path(__file__).resolve().parent.parent / "tests/gpu/cases/box.yaml"
ROWS = [  # basis, precision, cells along an edge, steps
    ("mixed-1", "double", 64, 2000),
    ("mixed-1", "single", 64, 2000),
    ("full-1", "double", 64, 2000),
    ("full-1", "single", 64, 2000),
    ("mixed-2", "double", 64, 1000),
    ("mixed-2", "single", 64, 1000),
    ("full-2", "double", 64, 1000),
    ("full-2", "single", 64, 1000),
    ("mixed-1", "double", 19, 20000),
    ("full-1", "double", 19, 20000),
]


def copy_bandwidth():
    """Device-to-device copy in bytes/s, read and written bytes counted; None without PyTorch."""
    try:
        import torch
    except ImportError:
        return None
    source = torch.randn(1 << 28, dtype=torch.float64, device="cuda")
    target = torch.empty_like(source)
    for _ in range(3):
        target.copy_(source)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(20):
        target.copy_(source)
    end.record()
    torch.cuda.synchronize()
    return 20 * 2 * 8 * source.numel() / (begin.elapsed_time(end) * 1e-3)


def march(program, basis, precision, cells, steps, backend):
    """Runs the box case and returns the attributes of its results."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", str(CASE), "-o", folder, "--quiet", "--backend", backend,
                   "--set", f"mesh.box.cells=[{cells}, {cells}, {cells}]", "--set", f"time.steps={steps}",
                   "--set", f"method.basis={basis}", "--set", f"method.precision={precision}"]
        subprocess.run(command, check=True)
        with h5py.File(pathlib.Path(folder) / "results.h5") as results:
            figures = {name: value.item() if hasattr(value, "item") else value
                       for name, value in results["performance"].attrs.items()}
            figures.update({name: results.attrs[name] for name in ("devices", "version")})
            figures["elements"] = int(results.attrs["elements"])
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--revision", default="unknown")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    bandwidth = copy_bandwidth() if arguments.backend == "cuda" else None
    table = {"revision": arguments.revision, "date": time.strftime("%Y-%m-%d"), "copy_bytes_per_second": bandwidth,
             "rows": []}
    print(f"copy bandwidth: {bandwidth / 1e12:.2f} TB/s" if bandwidth else "copy bandwidth: not measured")
    print(f"{'space':8} {'precision':9} {'elements':>9} {'ms/step':>8} {'1e9 dof-updates/s':>18} {'bytes/step':>11} {'of copy':>8}")
    for basis, precision, cells, steps in ROWS:
        f = march(arguments.program, basis, precision, cells, steps, arguments.backend)
        rate = f["bytes_per_step"] * f["steps_per_second"]
        share = f"{100 * rate / bandwidth:.1f} %" if bandwidth else "-"
        table["machine"] = f["devices"]
        table["rows"].append({"basis": basis, "precision": precision, **f, "bytes_per_second": rate})
        print(f"{basis:8} {precision:9} {f['elements']:9d} {1e3 / f['steps_per_second']:8.4f} "
              f"{f['dof_updates_per_second'] / 1e9:18.1f} {f['bytes_per_step']:11d} {share:>8}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(table, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
