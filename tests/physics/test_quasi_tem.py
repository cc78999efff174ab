"""TEM ports over two media, by the program: a line of plates half filled, lying (in series) or standing (in parallel)."""

import os
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
MESHER = Path(os.environ.get("TETRAWAVE_PROGRAM", "")).with_name("tetrawave-mesh")
MICROSTRIP = f"""\
mode: frequency-domain
units: mm
mesh: {{file: {Path(__file__).resolve().parent}/microstrip.geo}}
materials: {{air: {{}}, alumina: {{eps_r: 9.8}}}}
regions: {{air: air, substrate: alumina}}
boundaries: {{pec: [strip, walls]}}
ports:
  - {{name: p1, boundary: port1, type: tem, signal: strip, excite: {{amplitude: 1}}}}
  - {{name: p2, boundary: port2, type: tem, signal: strip, excite: {{amplitude: 1}}}}
method: {{basis: mixed-2}}
frequency: {{values: [0.5 GHz, 4 GHz, 7 GHz, 10 GHz]}}
solver: {{method: direct}}
outputs: {{s_parameters: {{drive: each}}}}
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


def exact_index(name, hz):
    """beta/k0 of the dominant mode: (k_1/eps_1) tan(k_1 d/2) + (k_2/eps_2) tan(k_2 d/2) = 0 across the layers, d their whole
    size, in parallel without the eps."""
    d, k0 = (HEIGHT_M if name == "series" else WIDTH_M) / 2, 2 * np.pi * hz / C0
    low, high = 1 + 1e-9, 4 - 1e-9
    for _ in range(100):
        square = (low + high) / 2
        inside, outside = k0 * np.sqrt(4 - square), k0 * np.sqrt(square - 1)
        is_low = inside / (4 if name == "series" else 1) * np.tan(inside * d) > outside * np.tanh(outside * d)
        low, high = (square, high) if is_low else (low, square)
    return np.sqrt(low)


def kirschning_jansen(hz, width, height, eps):
    """Effective permittivity of a microstrip line: Hammerstad and Jensen's (1980) at 0 Hz, Kirschning and Jansen's (1982) above."""
    u, fh = width / height, hz / 1e9 * height  # GHz mm
    a = 1 + np.log((u**4 + (u / 52) ** 2) / (u**4 + 0.432)) / 49 + np.log(1 + (u / 18.1) ** 3) / 18.7
    b = 0.564 * ((eps - 0.9) / (eps + 3)) ** 0.053
    static = (eps + 1) / 2 + (eps - 1) / 2 * (1 + 10 / u) ** (-a * b)
    p1 = 0.27488 + u * (0.6315 + 0.525 / (1 + 0.0157 * fh) ** 20) - 0.065683 * np.exp(-8.7513 * u)
    p2 = 0.33622 * (1 - np.exp(-0.03442 * eps))
    p3 = 0.0363 * np.exp(-4.6 * u) * (1 - np.exp(-((fh / 38.7) ** 4.97)))
    p4 = 1 + 2.751 * (1 - np.exp(-((eps / 15.916) ** 8)))
    return eps - (eps - static) / (1 + p1 * p2 * ((0.1844 + p3 * p4) * fh) ** 1.5763)


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

    def harmonic(self, name, frequency, *options, ranks=1):
        text = CASE.format(scheme="dgtd-central", layout="factored").replace("waveform: pulse", "amplitude: 1")
        text = "".join(line for line in text.splitlines(True) if not line.startswith(("waveforms", "method", "time", "outputs")))
        text = "mode: frequency-domain\n" + text + "method: {basis: mixed-2}\nsolver: {method: direct}\noutputs: {s_parameters: {}}\n"
        return guide.run(self, text + f"frequency: {frequency}\n", *options, ranks=ranks,
                         prepare=lambda folder: write_line(folder / "line.h5", LINES[name][0]))

    def test_in_the_frequency_domain_ports_have_the_mode_of_the_line_at_each_frequency(self):
        for name in LINES:
            results = self.harmonic(name, "{values: [2 GHz, 12 GHz, 20 GHz]}")
            hz, s = results["s_parameters/frequency"], results["s_parameters/S"][:, :, 0]
            power, index = (np.abs(s) ** 2).sum(axis=1), results["ports/p1/phase_constant"] * C0 / (2 * np.pi * hz)
            exact = np.array([exact_index(name, frequency) for frequency in hz])
            print(f"{name}: sum of |S|^2 {power}, index {index}, exactly {exact}, |S11| {np.abs(s[:, 0])}")
            self.assertLess(np.abs(power - 1).max(), 1e-3)
            self.assertLess(np.abs(index / exact - 1).max(), 5e-3)
            self.assertLess(np.abs(s[:, 0]).max(), 0.03)
            self.assertNotIn("lose power", results.warnings)

    def test_fast_sweeps_iterations_ranks_and_reference_planes_have_that_mode_too(self):
        bands = ["{values: [2 GHz, 7 GHz, 12 GHz]}", "{start: 2 GHz, stop: 12 GHz, points: 14}"]  # the second one interpolates the mode
        each = [self.harmonic("parallel", band, "--set", "frequency.sweep.fast=false") for band in bands]
        fast = ("frequency.sweep.fast=true", "frequency.sweep.tolerance=1e-7")
        for ranks, band, options in ((1, 1, fast), (2, 0, ()), (2, 0, ("solver.ranks=system",)), (2, 1, (*fast, "solver.ranks=system")),
                                     (1, 0, ("solver.method=bicgstab", "solver.tolerance=1e-10"))):
            found = self.harmonic("parallel", bands[band], *(word for option in options for word in ("--set", option)), ranks=ranks)
            error = np.abs(found["s_parameters/S"] - each[band]["s_parameters/S"])[:, :, 0].max()
            print(f"{ranks} ranks, {', '.join(options)}: {error:.2g} off")
            self.assertLess(error, 1e-8)
        shift = 5e-3
        moved = self.harmonic("parallel", bands[0], "--set", f"ports.1.reference_plane={shift}")
        phase = np.angle(moved["s_parameters/S"][:, 1, 0] / each[0]["s_parameters/S"][:, 1, 0])
        self.assertLess(np.abs(np.angle(np.exp(1j * (phase - shift * moved["ports/p2/phase_constant"])))).max(), 1e-9)

    def implicit(self, others, ranks=1):
        """Mode fetd up to 12 GHz."""
        text = CASE.format(scheme="dgtd-central", layout="factored").replace("frequency: 1.5 GHz, bandwidth: 3 GHz", "frequency: 8 GHz, bandwidth: 12 GHz")
        text = text.replace("scheme: dgtd-central, basis: full-1, layout: factored", "basis: mixed-2, time_step: 1 ps").replace("end: 3 ns", "end: 1.5 ns")
        text = text.replace("{start: 0.5 GHz, stop: 2.5 GHz, points: 9}", "{start: 4 GHz, stop: 12 GHz, points: 3}")
        return guide.run(self, "mode: fetd\n" + text.replace("signal: y1", f"signal: y1, other_modes: {others}"), ranks=ranks,
                         prepare=lambda folder: write_line(folder / "line.h5", LINES["parallel"][0]))

    def test_in_mode_fetd_open_walls_absorb_what_the_static_mode_leaves_out_and_ports_of_one_mode_do_not(self):
        absorbing, reflecting = self.implicit("absorb"), self.implicit("reflect")
        self.assertIn("cause: ports p1, p2 absorb the part of the wave outside their static mode", absorbing.warnings)
        self.assertIn("use other_modes: reflect", absorbing.warnings)
        s = [results["s_parameters/S"][:, :, 0] for results in (absorbing, reflecting, self.harmonic("parallel", "{values: [4 GHz, 8 GHz, 12 GHz]}"))]
        power = [(np.abs(of) ** 2).sum(axis=1) for of in s]
        off = np.angle(s[1][:, 1] / s[2][:, 1])
        print(f"mode fetd: sum of |S|^2 {power[0]} with open walls, {power[1]} with ports of one mode, phase of S21 off by {off}, |S11| {np.abs(s[1][:, 0])}")
        self.assertLess(power[0].min(), 0.99)
        self.assertLess(np.abs(power[1] - 1).max(), 1e-6)
        self.assertLess(np.abs(off).max(), 0.02)
        self.assertNotIn("lose power", reflecting.warnings)
        shared = self.implicit("reflect", ranks=2)["s_parameters/S"][:, :, 0]
        self.assertLess(np.abs(shared - s[1]).max(), 1e-9)


@unittest.skipUnless(MESHER.exists(), "tetrawave-mesh is not built")
class Microstrip(unittest.TestCase):
    def test_a_line_on_alumina_keeps_its_power_and_has_the_permittivity_of_kirschning_and_jansen(self):
        results = guide.run(self, MICROSTRIP)
        hz, s = results["s_parameters/frequency"], results["s_parameters/S"]
        power = (np.abs(s) ** 2).sum(axis=1)
        found = (results["excitations/p1/ports/p1/phase_constant"] * C0 / (2 * np.pi * hz)) ** 2
        wanted = kirschning_jansen(hz, 0.6, 0.635, 9.8)
        along = (np.unwrap(-np.angle(s[:, 1, 0])) * C0 / (2 * np.pi * hz * 6e-3)) ** 2
        print(f"microstrip: sum of |S|^2 {power.min():.6f} to {power.max():.6f}, permittivity off by "
              f"{100 * (found / wanted - 1)} %, of S21 by {100 * (along / wanted - 1)} %, |S11| {np.abs(s[:, 0, 0]).max():.4f}")
        self.assertLess(np.abs(power - 1).max(), 1e-3)
        self.assertLess(np.abs(s[:, 0, 1] - s[:, 1, 0]).max(), 1e-9)
        self.assertLess(np.abs(found / wanted - 1).max(), 0.02)
        self.assertLess(np.abs(along / wanted - 1).max(), 0.02)
        self.assertGreater(found[-1] / found[0], 1.04)  # 6.6 to 6.9: the static one is not good enough
        self.assertNotIn("lose power", results.warnings)


guide.add_tests(QuasiTem, QuasiTem.check, LINES)

if __name__ == "__main__":
    unittest.main()
