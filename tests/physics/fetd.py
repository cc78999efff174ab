"""Cases of mode fetd, and the same in mode frequency-domain, for the tests of this folder.

The trapezoidal rule replaces j w by j (2/dt) tan(w dt/2) in all that is linear, so that spectra of a march at f are those of
mode frequency-domain at tan(pi f dt)/(pi dt) on the same mesh, to the last digits.
"""

import os
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import frequency_domain as fd  # noqa: E402
import guide  # noqa: E402

DT = 8e-12
HZ = np.linspace(1e9, 7e9, 7)
PULSE = "{type: modulated-gaussian, frequency: 4 GHz, bandwidth: 9 GHz}"
FRONT = "name: front, boundary: z0, type: tem, signal: y1"
BACK = "name: back, boundary: z1, type: tem, signal: y1"
PATCH = "name: patch, boundary: sheet, type: lumped, resistance: 40 ohm, direction: [0, 1, 0]"
PLATES = "pec: [y0, y1], pmc: [x0, x1]"
LENGTH_M, CELLS = 0.020, 8


def warped(hz, dt=DT):
    return np.tan(np.pi * np.asarray(hz) * dt) / (np.pi * dt)


def write_line(folder, slab=(2, 6), sheet=False):
    """The guide of guide.py, one cell across: region slab from plane slab[0] to slab[1], others feed."""
    step = LENGTH_M / CELLS
    data = fd.meshes.build((1, 1, CELLS), lambda p: [step * c for c in p], [("x0", "x1"), ("y0", "y1"), ("z0", "z1")],
                           region_of=lambda points: int(all(slab[0] <= p[2] <= slab[1] for p in points)), regions=("feed", "slab"),
                           inner=(2, CELLS // 2, "sheet") if sheet else None)
    fd.meshes.write(folder / "line.h5", data)


def line(materials="air: {}", slab="air", boundaries=PLATES):
    """A case's mesh and what fills it."""
    return f"""
mesh: {{file: line.h5}}
materials: {{{materials}}}
regions: {{feed: air, slab: {slab}}}
boundaries: {{{boundaries}}}
"""


def march(parts, ports=(), basis="mixed-2", dt=DT, end="end: 4 ns", outputs="", wave=PULSE, more=""):
    return f"""
mode: fetd
{parts}
{"ports: [" + ', '.join(ports) + "]" if ports else ""}
waveforms: {{pulse: {wave}}}
method: {{basis: {basis}, time_step: {dt!r}}}
time: {{{end}}}
outputs: {{{outputs}}}
run: {{threads: 1}}
{more}
"""


def launch(test, folder, text, out, *options, code=0):
    """Runs the case in a folder; the data sets of its results."""
    (folder / "case.yaml").write_text(text, encoding="utf-8")
    done = subprocess.run([os.environ["TETRAWAVE_PROGRAM"], "run", "case.yaml", "-o", out, "--quiet", *options], cwd=folder,
                          capture_output=True, text=True, timeout=600, check=False)
    test.assertEqual(done.returncode, code, done.stderr)
    with h5py.File(folder / out / "results.h5", "r") as file:
        return {name: file[name][()] for name in guide.names_of(file)}


def driven(port, names, waveform="waveform: pulse"):
    return "{" + port + (f", excite: {{{waveform}}}" if any(f"name: {name}," in port for name in names) else "") + "}"


def band(hz=HZ, drive="each"):
    return f"s_parameters: {{start: {hz[0]!r}, stop: {hz[-1]!r}, points: {len(hz)}, drive: {drive}}}"


def both(test, parts, ports=(FRONT, BACK), excited=("front",), prepare=write_line, hz=HZ, dt=DT, basis="mixed-2", **options):
    """S of the march at hz, and of mode frequency-domain where the march has it."""
    found = guide.run(test, march(parts, [driven(port, excited) for port in ports], basis, dt, outputs=band(hz), **options),
                      prepare=prepare)
    wanted = guide.run(test, f"""
mode: frequency-domain
{parts}
ports: [{', '.join(driven(port, excited, '') for port in ports)}]
method: {{basis: {basis}}}
frequency: {{values: {[float(f) for f in warped(hz, dt)]}}}
outputs: {{s_parameters: {{drive: each}}}}
run: {{threads: 1}}
""", prepare=prepare)
    return found["s_parameters/S"], wanted["s_parameters/S"]
