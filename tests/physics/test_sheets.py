"""Surface resistances against the closed form, by the program: a sheet across a guide, and walls at its end."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
from layers import C0  # noqa: E402

ETA0 = 376.730313668
HALF_M, CELLS = 0.010, 4
TOLERANCE = 0.003
CASE = """\
mesh: {{file: guide.h5}}
materials: {{air: {{}}}}
regions: {{feed: air}}
boundaries: {{pec: [y0, y1], pmc: [x0, x1], impedance: {impedance}}}
ports: [{ports}]
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 5 GHz, bandwidth: 12 GHz}}}}
method: {{scheme: {scheme}, basis: mixed-2}}
time: {{end: 1.5 ns}}
outputs: {{s_parameters: {{start: 1 GHz, stop: 8 GHz, points: 15}}}}
run: {{threads: 1}}
"""
FRONT = "{name: front, boundary: z0, type: tem, signal: y1, excite: {waveform: pulse}}"
BACK = "{name: back, boundary: z1, type: tem, signal: y1}"
# Surface resistance in ohm; of a sheet in the middle, or of the wall at the end.
SHEETS = {"sheet_100": ("sheet", 100.0), "sheet_376": ("sheet", ETA0), "sheet_1000": ("sheet", 1000.0),
          "wall_100": ("z1", 100.0), "wall_376": ("z1", ETA0), "wall_1000": ("z1", 1000.0)}


class Sheets(unittest.TestCase):
    def compare(self, name, scheme):
        group, ohms = SHEETS[name]
        at_sheet = group == "sheet"
        text = CASE.format(impedance=f"{{{group}: {ohms} ohm}}", scheme=scheme, ports=f"{FRONT}, {BACK}" if at_sheet else FRONT)
        z = guide.planes((2 * HALF_M, 2 * CELLS))
        results = guide.run(self, text, prepare=lambda folder: guide.write_mesh(
            folder / "guide.h5", z, HALF_M / CELLS, sheet=CELLS if at_sheet else None))
        frequency, s = results["s_parameters/frequency"], results["s_parameters/S"]
        way_m = HALF_M if at_sheet else 2 * HALF_M
        back = np.exp(4j * np.pi * frequency * way_m / C0)
        if at_sheet:
            pairs = ((s[:, 0, 0] * back, -ETA0 / (2 * ohms + ETA0)), (s[:, 1, 0] * back, 2 * ohms / (2 * ohms + ETA0)))
        else:
            pairs = ((s[:, 0, 0] * back, (ohms - ETA0) / (ohms + ETA0)),)
        deviations = [np.abs(found - wanted).max() for found, wanted in pairs]
        print(f"{name}, {scheme}: " + ", ".join(f"{deviation:.5f}" for deviation in deviations))
        self.assertLess(max(deviations), TOLERANCE)


guide.add_tests(Sheets, Sheets.compare, SHEETS)

if __name__ == "__main__":
    unittest.main()
