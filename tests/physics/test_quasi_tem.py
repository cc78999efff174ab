"""TEM ports over two media, by the program: a line of plates half filled, lying (in series) or standing (in parallel)."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import meshes  # noqa: E402

C0 = 299792458.0
WIDTH_M, HEIGHT_M, LENGTH_M, CELLS = 4e-3, 2e-3, 24e-3, (4, 2, 12)
CASE = """\
mesh: {{file: line.h5}}
materials: {{air: {{}}, filling: {{eps_r: 4}}}}
regions: {{air: air, filling: filling}}
boundaries: {{pec: [y0, y1], pmc: [x0, x1]}}
ports:
  - {{name: p1, boundary: z0, type: tem, signal: y1, excite: {{waveform: pulse}}}}
  - {{name: p2, boundary: z1, type: tem, signal: y1}}
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 1.5 GHz, bandwidth: 3 GHz}}}}
method: {{scheme: {scheme}, basis: full-1, layout: {layout}}}
time: {{end: 3 ns}}
outputs: {{s_parameters: {{start: 0.5 GHz, stop: 2.5 GHz, points: 9}}}}
run: {{threads: 1}}
"""
# effective permittivity of the static field
LINES = {"series": (1, 1.6), "parallel": (0, 2.5)}


def write_line(path, axis):
    size = (WIDTH_M, HEIGHT_M, LENGTH_M)
    data = meshes.build(CELLS, lambda p: [size[i] * p[i] / CELLS[i] for i in range(3)],
                        [("x0", "x1"), ("y0", "y1"), ("z0", "z1")], regions=("air", "filling"),
                        region_of=lambda points: int(all(2 * p[axis] <= CELLS[axis] for p in points)))
    meshes.write(path, data)


class QuasiTem(unittest.TestCase):
    def line(self, name, scheme, layout="factored", ranks=1):
        return guide.run(self, CASE.format(scheme=scheme, layout=layout), ranks=ranks,
                         prepare=lambda folder: write_line(folder / "line.h5", LINES[name][0]))

    def check(self, name, scheme):
        results = self.line(name, scheme)
        frequency, s = results["s_parameters/frequency"], results["s_parameters/S"]
        index = np.unwrap(-np.angle(s[:, 1, 0])) * C0 / (2 * np.pi * frequency * LENGTH_M)
        slow, lost = np.abs(index**2 / LINES[name][1] - 1).max(), np.abs(np.abs(s[:, 1, 0]) - 1).max()
        reflected = np.abs(s[:, 0, 0]).max()
        print(f"{name}, {scheme}: |S11| at most {reflected:.4f}, |S21| off by {lost:.4f}, permittivity by {100 * slow:.2f} percent")
        self.assertLess(reflected, 0.005)
        self.assertLess(lost, 0.003)
        self.assertLess(slow, 0.01)

    def test_the_stored_layout_and_two_ranks_agree(self):
        s = [run["s_parameters/S"][:, :, 0] for run in (
            self.line("series", "dgtd-central"), self.line("series", "dgtd-central", "stored"),
            self.line("series", "dgtd-central", ranks=2))]
        self.assertLess(np.abs(s[1] - s[0]).max(), 1e-9)
        self.assertLess(np.abs(s[2] - s[0]).max(), 1e-12)

    def test_in_the_frequency_domain_what_the_static_mode_leaves_out_is_told_with_its_cause(self):
        text = CASE.format(scheme="dgtd-central", layout="factored").replace("waveform: pulse", "amplitude: 1")
        text = "".join(line for line in text.splitlines(True) if not line.startswith(("waveforms", "method", "time", "outputs")))
        text = "mode: frequency-domain\n" + text + "method: {basis: full-1}\nsolver: {method: direct}\noutputs: {s_parameters: {}}\n"
        for hertz, told in (("2 GHz", False), ("12 GHz", True)):
            results = guide.run(self, text + f"frequency: {{values: [{hertz}]}}\n",
                                prepare=lambda folder: write_line(folder / "line.h5", LINES["parallel"][0]))
            print(f"{hertz}: sum of |S|^2 {(np.abs(results['s_parameters/S'][0, :, 0]) ** 2).sum():.4f}")
            self.assertEqual("cause: ports p1, p2 absorb what the wave has besides their static mode" in results.warnings, told, results.warnings)


guide.add_tests(QuasiTem, QuasiTem.check, LINES)

if __name__ == "__main__":
    unittest.main()
