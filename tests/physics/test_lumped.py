"""Lumped ports against circuit theory, by the program: loads across a guide and at its end, and sources in their place.

The guide is as wide as high, so that its line has the impedance of free space.
"""

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
TOLERANCE = 0.004
CASE = """\
mesh: {{file: guide.h5}}
materials: {{air: {{}}}}
regions: {{feed: air}}
boundaries: {{pec: [y0, y1], pmc: [x0, x1]}}
ports: [{ports}]
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 5 GHz, bandwidth: 12 GHz}}}}
method: {{scheme: {scheme}, basis: mixed-2}}
time: {{end: 1.5 ns}}
outputs: {{s_parameters: {{start: 1 GHz, stop: 8 GHz, points: 15}}}}
run: {{threads: 1}}
"""
EXCITE = ", excite: {waveform: pulse}"
# group, resistance, further keys, whether it is the source
PATCHES = {
    "load_across": ("sheet", 150.0, "", False),
    "load_at_the_end": ("z1", 150.0, "", False),
    "source_across": ("sheet", 150.0, "", True),
    "source_at_the_end": ("z1", 150.0, "", True),
    "inductance_across": ("sheet", 50.0, "inductance: 5 nH", False),
    "capacitance_across": ("sheet", 300.0, "capacitance: 0.2 pF", False),
    "source_with_inductance": ("sheet", 50.0, "inductance: 5 nH", True),
    "source_with_capacitance": ("sheet", 300.0, "capacitance: 0.2 pF", True),
}
REACTIVE = [name for name, patch in PATCHES.items() if patch[2]]


def impedance(ohms, more, w):
    if "inductance" in more:
        return ohms + 5e-9j * w
    return 1 / (1 / ohms + 0.2e-12j * w) if "capacitance" in more else ohms + 0j * w


class Lumped(unittest.TestCase):
    def compare(self, name, scheme):
        group, ohms, more, is_source = PATCHES[name]
        across = group == "sheet"
        front = f"{{name: front, boundary: z0, type: tem, signal: y1, reference_plane: {HALF_M if across else 2 * HALF_M}{'' if is_source else EXCITE}}}"
        patch = (f"{{name: patch, boundary: {group}, type: lumped, resistance: {ohms} ohm, direction: [0, 1, 0]"
                 f"{', ' + more if more else ''}{EXCITE if is_source else ''}}}")
        ports = [front, patch] + (["{name: back, boundary: z1, type: tem, signal: y1}"] if across else [])
        text = CASE.format(scheme=scheme, ports=", ".join(ports))
        z = guide.planes((2 * HALF_M, 2 * CELLS))
        results = guide.run(self, text, prepare=lambda folder: guide.write_mesh(
            folder / "guide.h5", z, HALF_M / CELLS, sheet=CELLS if across else None))
        s, w = results["s_parameters/S"], 2 * np.pi * results["s_parameters/frequency"]
        seen = ETA0 / 2 if across else ETA0  # by the patch
        if is_source:
            # waves are those at the resistance: the reactance is a part of what it sees
            load = seen + impedance(0, more, w) if "inductance" in more else impedance(seen, more, w)
            share = seen / load if "inductance" in more else 1  # of its voltage at the line
            pairs = ((s[:, 1, 1], (load - ohms) / (load + ohms)),
                     (s[:, 0, 1], 2 * load * share * np.sqrt(ohms / ETA0) / (load + ohms)))
        else:
            z_load = impedance(ohms, more, w)
            total = z_load * ETA0 / (z_load + ETA0) if across else z_load
            pairs = ((s[:, 0, 0], (total - ETA0) / (total + ETA0)),)
            if across:
                pairs += ((s[:, 2, 0] * np.exp(1j * w * HALF_M / C0), 2 * total / (total + ETA0)),)
        deviations = [np.abs(found - wanted).max() for found, wanted in pairs]
        print(f"{name}, {scheme}: " + ", ".join(f"{deviation:.5f}" for deviation in deviations))
        self.assertLess(max(deviations), TOLERANCE)
        if is_source and scheme == "dgtd-upwind":  # its voltage is that of the state at the sheet, without jumps of E
            self.assertLess(max(deviations), 2e-4)

    def test_ports_with_reactances_are_reciprocal_and_send_nothing_when_not_driven(self):
        for more in ("inductance: 5 nH", "capacitance: 0.2 pF"):
            ports = (f"{{name: front, boundary: z0, type: tem, signal: y1{EXCITE}}}",
                     f"{{name: patch, boundary: sheet, type: lumped, resistance: 40 ohm, direction: [0, 1, 0], {more}{EXCITE}}}",
                     "{name: back, boundary: z1, type: tem, signal: y1}")
            text = CASE.format(scheme="dgtd-central", ports=", ".join(ports)).replace("points: 15", "points: 15, drive: each")
            results = guide.run(self, text, prepare=lambda folder: guide.write_mesh(
                folder / "guide.h5", guide.planes((2 * HALF_M, 2 * CELLS)), HALF_M / CELLS, sheet=CELLS))
            s = results["s_parameters/S"]
            self.assertLess(np.abs(s[:, 0, 1] - s[:, 1, 0]).max(), 1e-3)
            self.assertGreater(np.abs(s[:, 0, 1]).max(), 0.1)
            self.assertEqual(np.abs(results["excitations/front/ports/patch/incident"]).max(), 0)


guide.add_tests(Lumped, Lumped.compare, [name for name in PATCHES if name not in REACTIVE])
guide.add_tests(Lumped, Lumped.compare, REACTIVE, ("dgtd-central",))

if __name__ == "__main__":
    unittest.main()
