"""Steps of fourth order (method.time_order: 4): a wave over ten wavelengths, a line between ports, a Debye medium."""

import os
import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.append(str(Path(__file__).resolve().parents[2] / "cases" / "accuracy"))
import guide  # noqa: E402
import study  # noqa: E402

C0 = 299792458.0
# Space: cells along a wavelength, lowest order in space between the first and the last mesh.
ORDERS = {"full-2": ((4, 6, 8), 2.9), "full-3": ((3, 4, 5), 3.9)}
LINE = """\
mesh: {{box: {{size: [1, 1, 6], cells: [2, 2, 12], jitter: 0.1, seed: 2}}}}
units: mm
materials: {{air: {{}}}}
regions: {{box: air}}
boundaries: {{pec: [x0, x1], default: pmc}}
waveforms: {{pulse: {{type: gaussian, width: 6 ps}}}}
ports:
  - {{name: in, boundary: z0, type: tem, signal: x0, excite: {{waveform: pulse}}}}
  - {{name: out, boundary: z1, type: tem, signal: x0}}
method: {{basis: full-3, time_order: {order}, cfl: {cfl}}}
time: {{end: 0.2 ns}}
outputs: {{s_parameters: {{start: 5 GHz, stop: 100 GHz, points: 20}}}}
run: {{threads: 1}}
"""

MISMATCHED = """\
mesh: {{box: {{size: [0.02, 0.01, 0.02], cells: [1, 1, 2]}}}}
materials: {{air: {{}}}}
regions: {{box: air}}
boundaries: {{pec: [x0, x1], pmc: [y0, y1, z1]}}
waveforms: {{pulse: {{type: gaussian, width: 50 ps}}}}
ports: [{{name: p, boundary: z0, type: lumped, resistance: 50 ohm, direction: [1, 0, 0], excite: {{waveform: pulse}}}}]
method: {{basis: full-3, time_order: {order}, cfl: {cfl}}}
time: {{end: 5 ns}}
outputs: {{s_parameters: {{start: 0.5 GHz, stop: 2.5 GHz, points: 3}}}}
run: {{threads: 1}}
"""


def error_of_wave(method, space, cells):
    return study.run(os.environ["TETRAWAVE_PROGRAM"], method, space, cells, problem="wave", cfl=0.9)[0]


class FourthOrder(unittest.TestCase):
    def test_wave_in_space(self):
        for space, (meshes, least) in ORDERS.items():
            errors = [error_of_wave("fourth order", space, cells) for cells in meshes]
            order = np.log(errors[0] / errors[-1]) / np.log(meshes[-1] / meshes[0])
            print(f"{space}: errors {', '.join(f'{error:.2e}' for error in errors)}, order {order:.2f}")
            self.assertGreater(order, least)

    def test_wave_in_time(self):
        """At its own step fourth order leaves less than a tenth of the error of leap-frog at half of that step."""
        fourth = error_of_wave("fourth order", "full-4", 4)
        leap = error_of_wave("dgtd-central", "full-4", 4)
        print(f"full-4: fourth order {fourth:.2e}, leap-frog {leap:.2e}")
        self.assertLess(fourth, leap / 10)

    def test_line_between_ports(self):
        """A matched line: the delay is that of light, and what returns falls with the fourth power of the step."""
        wrong, returned = {}, {}
        for order, cfl in ((2, 0.9), (4, 0.9), (4, 0.45)):
            results = guide.run(self, LINE.format(order=order, cfl=cfl))
            low = results["s_parameters/frequency"] < 60e9
            s = results["s_parameters/S"][low]
            delay = np.exp(-2j * np.pi * results["s_parameters/frequency"][low] * 6e-3 / C0)
            wrong[order, cfl] = np.abs(s[:, 1, 0] - delay).max()
            returned[order, cfl] = np.abs(s[:, 0, 0]).max()
            print(f"order {order}, cfl {cfl}: S21 is wrong by {wrong[order, cfl]:.2e}, |S11| {returned[order, cfl]:.2e}")
        self.assertLess(wrong[4, 0.9], wrong[2, 0.9])  # of a step 1.73 times as long
        self.assertLess(wrong[4, 0.45], wrong[4, 0.9] / 6)
        self.assertLess(returned[4, 0.9], 2e-3)
        self.assertLess(returned[4, 0.45], returned[4, 0.9] / 8)


    def test_low_resistance_is_warned_of(self):
        """A port of 50 ohm in a line of 753 ohm, open at its end: S is wrong, with a warning that names a step at which it is not."""
        frequency = np.array([0.5e9, 1.5e9, 2.5e9])
        line = -2j / np.tan(2 * np.pi * frequency * 0.02 / C0) * 376.730313668
        exact = (line - 50) / (line + 50)
        wrong = {}
        for order, cfl in ((2, 0.9), (4, 0.9), (4, 0.2)):
            results = guide.run(self, MISMATCHED.format(order=order, cfl=cfl))
            wrong[order, cfl] = np.abs(results["s_parameters/S"][:, 0, 0] - exact).max()
            print(f"order {order}, cfl {cfl}: S11 is wrong by {wrong[order, cfl]:.2e}")
            self.assertEqual("set method.cfl to 0.27 or less" in results.warnings, (order, cfl) == (4, 0.9), results.warnings)
        self.assertGreater(wrong[4, 0.9], 0.05)
        self.assertLess(wrong[4, 0.2], 0.01)


if __name__ == "__main__":
    unittest.main()
