"""Edges of metal: a strip, thin or solid, resonates where it should, and a lossless notch filter loses no power at its ports; of finite
elements also the impedance of a strip line and the transmission of irises."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).resolve().parent
PROGRAM = Path(os.environ.get("TETRAWAVE_PROGRAM", ""))
STRIP = f"""\
units: mm
mesh: {{file: {HERE}/strip.geo, parameters: {{fine: 3}}}}
materials: {{air: {{}}}}
regions: {{air: air}}
boundaries: {{pec: [strip, walls]}}
initial_fields:
  E: ["0", "(abs(x)<0.004) ? (y<0.005 ? -sin(pi*z/0.05) : sin(pi*z/0.05)) : 0", "0"]
  H: ["0", "0", "0"]
method: {{scheme: SCHEME, basis: BASIS}}
time: {{end: 2.5 ns}}
outputs:
  probes: [{{name: p, point: [0.3, 2.4, 25.2], fields: [E], every: 4}}, {{name: q, point: [0.3, 7.6, 24.2], fields: [E], every: 4}}]
run: {{threads: 1}}
"""
STRIP_HZ = 299792458 / 0.1
SOLID = STRIP.replace("strip.geo", "solid.geo")
NOTCH = f"""\
units: mm
mesh: {{file: {HERE}/notch.geo, parameters: {{fine: 0.6}}}}
materials: {{air: {{}}, substrate: {{eps_r: 3.66}}}}
regions: {{air: air, substrate: substrate}}
boundaries: {{pec: [strip, walls]}}
ports:
  - {{name: p1, boundary: port1, type: tem, signal: strip, excite: {{waveform: pulse}}}}
  - {{name: p2, boundary: port2, type: tem, signal: strip}}
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 3.5 GHz, bandwidth: 6 GHz}}}}
method: {{basis: full-1}}
time: {{end: 2.5 ns}}
outputs: {{s_parameters: {{start: 2 GHz, stop: 5 GHz, points: 121}}}}
run: {{threads: 1}}
"""
IRIS = f"""\
units: mm
mesh: {{file: {HERE}/guide_iris.geo, parameters: {{size: 4.5}}}}
materials: {{air: {{}}}}
regions: {{guide: air}}
boundaries: {{pec: [walls, iris]}}
ports:
  - {{name: p1, boundary: end1, type: rectangular-waveguide, excite: {{waveform: pulse}}}}
  - {{name: p2, boundary: end2, type: rectangular-waveguide}}
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 10.3 GHz, bandwidth: 8 GHz}}}}
method: {{scheme: dgtd-upwind, basis: mixed-2, precision: single}}
time: {{end: 3 ns}}
outputs: {{s_parameters: {{start: 8.2 GHz, stop: 11 GHz, points: 29}}}}
run: {{threads: 1}}
"""
NOTCH_HZ = 3.70e9  # 3.68 GHz by mode frequency-domain with mixed-3
COARSE_NOTCH = ("--set", "mesh.parameters.fine=0.9")
NO_CORRECTION = ("--set", "method.edge_factor=1")
AS_PUBLISHED = ("--set", "method.pec=weak", "--set", "method.edge_factor=1", "--set", "ports.0.other_modes=absorb", "--set",
                "ports.1.other_modes=absorb")

FINITE_ELEMENTS = """\
mode: frequency-domain
units: mm
mesh: {file: HERE/MESH}
materials: {air: {}}
regions: {air: air}
boundaries: {pec: [SHEET, walls]}
ports:
  - {name: p1, boundary: port1, TYPE, excite: {amplitude: 1}}
  - {name: p2, boundary: port2, TYPE}
method: {basis: BASIS}
frequency: {values: [HERTZ]}
solver: {method: direct}
outputs: {s_parameters: {}}
run: {threads: 1}
""".replace("HERE", str(HERE))
LSHAPE = f"""\
mode: eigenmode
mesh: {{file: {HERE}/lshape.geo, parameters: {{size: SIZE}}}}
materials: {{air: {{}}}}
regions: {{air: air}}
boundaries: {{default: pec}}
method: {{basis: mixed-2}}
eigenmode: {{target: 95 MHz, count: 1}}
run: {{threads: 1}}
"""
# |S21| at 10 GHz of slots 9 mm wide and 4 mm high, by the modes of the guide and fields of the slot with the singularity of its edges.
IRISES = ((0, 9, 0.5457), (1, 4, 0.9614))
STRIP_OHM = 74.99  # likewise, by charges on the strip


@unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
class MetalEdges(unittest.TestCase):
    def run_case(self, text, *options):
        with tempfile.TemporaryDirectory() as place:
            case = Path(place) / "case.yaml"
            case.write_text(text, encoding="utf-8")
            run = subprocess.run([PROGRAM, "run", case, "-o", Path(place) / "out", *options], capture_output=True, text=True,
                                 timeout=600, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            with h5py.File(Path(place) / "out/results.h5") as file:
                datasets = {}
                file.visititems(lambda name, item: datasets.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
            return datasets, run.stdout + run.stderr

    def resonance(self, scheme, basis, *options):
        return self.peak(self.run_case(STRIP.replace("SCHEME", scheme).replace("BASIS", basis), *options)[0])

    @staticmethod
    def peak(results):
        time = results["probes/p/time"]
        values = (results["probes/p/E"] - results["probes/q/E"])[:, 1] * np.hanning(len(time))
        frequency = np.linspace(2e9, 4e9, 2001)
        spectrum = np.abs(np.exp(-2j * np.pi * np.outer(frequency, time)) @ values)
        return frequency[spectrum.argmax()]

    def test_a_strip_resonates_at_half_a_wave_and_without_the_correction_far_below(self):
        for scheme, basis in (("dgtd-central", "mixed-1"), ("dgtd-central", "full-1"), ("dgtd-central", "mixed-2"),
                              ("dgtd-central", "full-2"), ("dgtd-upwind", "full-1"), ("dfdd-eld", "full-1"), ("dfdd-eld", "mixed-2")):
            found = self.resonance(scheme, basis)
            print(f"{scheme} {basis}: {found / 1e9:.3f} GHz, {100 * (found / STRIP_HZ - 1):.2f} %")
            with self.subTest(scheme=scheme, basis=basis):
                self.assertLess(abs(found / STRIP_HZ - 1), 0.01)
        found = self.resonance("dgtd-central", "full-1", "--set", "method.edge_factor=1")
        print(f"without the correction: {found / 1e9:.3f} GHz")
        self.assertLess(found / STRIP_HZ - 1, -0.04)

    def test_of_finite_elements_in_time_too(self):
        step = 10e-12
        case = STRIP.replace("method: {scheme: SCHEME, basis: BASIS}", f"method: {{basis: mixed-2, time_step: {step} s}}")
        case = "mode: fetd\n" + case.replace("every: 4", "every: 1") + "solver: {method: direct}\n"
        found = self.peak(self.run_case(case)[0])
        found = np.tan(np.pi * found * step) / (np.pi * step)  # of the mesh, without the step
        print(f"fetd mixed-2: {found / 1e9:.3f} GHz, {100 * (found / STRIP_HZ - 1):.2f} %")
        self.assertLess(abs(found / STRIP_HZ - 1), 0.01)

    def scattering(self, mesh, sheet, kind, basis, hertz, *options):
        case = FINITE_ELEMENTS.replace("MESH", mesh).replace("SHEET", sheet).replace("TYPE", kind).replace("BASIS", basis)
        results, said = self.run_case(case.replace("HERTZ", hertz), *options)
        s = results["s_parameters/S"][:, :, 0]
        return (s["r"] + 1j * s["i"] if s.dtype.names else s), said

    def line(self, mesh, basis, parameters, *options):
        """Impedance of port and line [ohm]: S is that of a line of Z ohm and some phase between ports of another impedance."""
        s, said = self.scattering(mesh, "strip", "type: tem, signal: strip", basis, "0.5 GHz", *options, "--set", f"mesh.parameters={parameters}")
        port = float(re.search(r"port p1: tem, signal strip, ([0-9.]+) ohm", said)[1])
        s11, s21 = s[0]
        return port, port * np.sqrt(((1 + s11) ** 2 - s21**2) / ((1 - s11) ** 2 - s21**2)).real, s11

    def test_irises_let_through_what_they_should(self):
        """The one is an inductance, of the singular magnetic field, the other a capacitance, of the electric one."""
        for basis, most in (("mixed-1", 0.08), ("mixed-2", 0.03), ("mixed-3", 0.03)):
            for kind, size, wanted in IRISES:
                mesh = ("--set", f"mesh.parameters={{kind: {kind}, d: {size}, fine: {3 if basis == 'mixed-3' else 2}}}")
                run = ("iris.geo", "sheet", "type: rectangular-waveguide", basis, "10 GHz", *mesh)
                found, before = (abs(self.scattering(*run, *more)[0][0, 1]) / wanted - 1 for more in ((), ("--set", "method.edge_factor=1")))
                print(f"{basis}, iris {kind}: {100 * found:.1f} %, without the correction {100 * before:.1f} %")
                with self.subTest(basis=basis, kind=kind):
                    self.assertLess(abs(found), most)
                    self.assertLess(abs(found), 0.6 * abs(before))

    def test_a_strip_line_has_its_impedance_and_meets_its_ports(self):
        for basis, of_port, of_line in (("mixed-1", 0.02, 0.06), ("full-1", 0.01, 0.05), ("mixed-2", 0.01, 0.02), ("full-2", 0.01, 0.02)):
            for options in ((), ("--set", "method.edge_factor=1")):
                port, line, s11 = self.line("strip.geo", basis, "{fine: 2.7, ports: 1}", *options)
                print(f"{basis} {options[1:]}: port {port:.2f} ohm, line {line:.2f} ohm, |S11| {abs(s11):.4f}")
                with self.subTest(basis=basis, options=options):
                    if options:
                        self.assertGreater(1 - line / STRIP_OHM, of_line)
                    else:
                        self.assertLess(abs(port / STRIP_OHM - 1), of_port)
                        self.assertLess(abs(line / STRIP_OHM - 1), of_line)

    def filter(self, *options):
        results, said = self.run_case(NOTCH, *options)
        s = results["s_parameters/S"]
        s = s["r"] + 1j * s["i"] if s.dtype.names else s
        power = (np.abs(s[:, :, 0]) ** 2).sum(axis=1)
        notch = results["s_parameters/frequency"][np.abs(s[:, 1, 0]).argmin()]
        print(f"notch filter {' '.join(options[1::2])}: sum of |S|^2 {power.min():.4f} to {power.max():.4f}, notch {notch / 1e9:.3f} GHz")
        return power, notch, said

    def test_a_lossless_notch_filter_gives_back_what_goes_into_its_ports(self):
        power, notch, said = self.filter()
        self.assertLess(np.abs(power - 1).max(), 0.01)
        self.assertNotIn("lose power", said)
        self.assertLess(abs(notch / NOTCH_HZ - 1), 0.03)

    def test_dgtd_upwind_takes_no_power_at_edges_of_metal(self):
        power, notch, _ = self.filter("--set", "method={scheme: dgtd-upwind, basis: full-1, precision: single}", "--set", "time.end=2 ns")
        self.assertLess(np.abs(power - 1).max(), 0.01)
        self.assertLess(abs(notch / NOTCH_HZ - 1), 0.03)

    def test_a_penalty_on_jumps_takes_no_power_at_edges_of_metal(self):
        power, notch, _ = self.filter("--set", "method={basis: full-1, penalty: 0.1, precision: single}", "--set", "time.end=1.8 ns")
        self.assertLess(np.abs(power - 1).max(), 0.01)
        self.assertLess(abs(notch / NOTCH_HZ - 1), 0.03)

    def test_dfdd_eld_gives_back_what_goes_into_its_ports(self):
        for precision in ("double", "single"):
            power, notch, said = self.filter(*COARSE_NOTCH, "--set", "method.scheme=dfdd-eld", "--set", f"method.precision={precision}")
            self.assertLess(np.abs(power - 1).max(), 0.01)
            self.assertLess(abs(notch / NOTCH_HZ - 1), 0.03)
            self.assertNotIn("lose power", said)
        results, said = self.run_case(IRIS, "--set", "method={scheme: dfdd-eld, basis: full-1}", "--set", "mesh.parameters={size: 3.5}", "--set",
                                      "ports.0.other_modes=reflect", "--set", "ports.1.other_modes=reflect", "--set",
                                      "outputs.s_parameters={start: 8.2 GHz, stop: 12.4 GHz, points: 43}")
        s = results["s_parameters/S"]
        s = s["r"] + 1j * s["i"] if s.dtype.names else s
        power = (np.abs(s[:, :, 0]) ** 2).sum(axis=1)
        resolved = results["s_parameters/frequency"] <= 11e9
        print(f"iris dfdd-eld: sum of |S|^2 to 11 GHz {power[resolved].min():.4f} to {power[resolved].max():.4f}, above {power.min():.4f}")
        self.assertLess(np.abs(power[resolved] - 1).max(), 0.01)
        self.assertRegex(said, "S-parameters lose power.*waves that the mesh does not resolve")

    def test_guides_of_dgtd_upwind_send_what_their_ports_take(self):
        def run(*options):
            s = self.run_case(IRIS, *options)[0]["s_parameters/S"]
            s = s["r"] + 1j * s["i"] if s.dtype.names else s
            power = (np.abs(s[:, :, 0]) ** 2).sum(axis=1)
            print(f"iris {' '.join(options[1::2])}: sum of |S|^2 {power.min():.4f} to {power.max():.4f}")
            return power
        self.assertGreater(run().min(), 0.985)
        self.assertLess(run("--set", "method.pec=weak", "--set", "ports.0.other_modes=absorb", "--set",
                            "ports.1.other_modes=absorb").min(), 0.98)

    def test_the_published_scheme_loses_power_there_and_says_so(self):
        power, notch, said = self.filter(*COARSE_NOTCH, *AS_PUBLISHED)
        self.assertLess(power.min(), 0.95)
        self.assertRegex(said, r"S-parameters lose power: with port 'p1' driven the sum of .* GHz .*cause: ports p1, p2 absorb all")
        self.assertLess(notch / NOTCH_HZ, 0.96)

    def test_a_march_with_mixed_2_that_does_not_decay_is_told_what_to_take(self):
        said = self.run_case(NOTCH, "--set", "method.basis=mixed-2", "--set", "time.end=0.2 ns")[1]
        self.assertIn("of which mixed-2 has most: use method.basis: full-1 or full-2", said)
        said = self.run_case(NOTCH, "--set", "method.basis=full-1", "--set", "time.end=0.2 ns")[1]
        self.assertNotIn("mixed-2", said)

    def test_solid_strips_resonate_at_half_a_wave_and_without_the_correction_below(self):
        for scheme, basis, parameters, before in (("dgtd-central", "mixed-1", "{t: 4, fine: 4}", -0.15), ("dgtd-central", "full-1", "{t: 0.3, fine: 4}", -0.055),
                                                  ("dgtd-central", "full-1", "{t: 1, fine: 4}", -0.04),
                                                  ("dgtd-central", "mixed-2", "{t: 1, fine: 4}", -0.04), ("dgtd-upwind", "full-1", "{t: 4, fine: 4}", -0.03),
                                                  ("dfdd-eld", "full-1", "{t: 1, fine: 4}", 0.025), ("dfdd-eld", "mixed-2", "{t: 4, fine: 4}", -0.015)):
            case = SOLID.replace("SCHEME", scheme).replace("BASIS", basis).replace("{fine: 3}", parameters)
            if before == -0.015:  # the least of them, and the longest to tell
                case = case.replace("end: 2.5 ns", "end: 4 ns")
            found, without = (self.peak(self.run_case(case, *more)[0]) / STRIP_HZ - 1 for more in ((), NO_CORRECTION))
            print(f"solid strip {parameters}, {scheme} {basis}: {100 * found:.2f} %, without the correction {100 * without:.2f} %")
            with self.subTest(scheme=scheme, basis=basis, parameters=parameters):
                self.assertLess(abs(found), 0.01)
                self.assertGreater(without / before, 1)

    def test_a_solid_strip_as_a_line_has_its_impedance_and_meets_its_ports(self):
        for thickness, wanted in ((0.3, 70.61), (1, 63.18), (4, 41.08)):  # by bilinear elements graded to 1e-7 at the corners
            for basis, of_port, of_line in (("full-1", 0.01, 0.03), ("mixed-2", 0.01, 0.02)):
                port, line, _ = self.line("solid.geo", basis, f"{{t: {thickness}, fine: 4, ports: 1}}")
                _, without, _ = self.line("solid.geo", basis, f"{{t: {thickness}, fine: 4, ports: 1}}", *NO_CORRECTION)
                print(f"solid strip of {thickness} mm, {basis}: port {port:.2f} ohm, line {line:.2f} ohm of {wanted}, without the correction {without:.2f}")
                with self.subTest(thickness=thickness, basis=basis):
                    self.assertLess(abs(port / wanted - 1), of_port)
                    self.assertLess(abs(line / wanted - 1), of_line)
                    self.assertLess(without / wanted - 1, -of_line)

    def test_a_cavity_with_an_edge_of_90_degrees_resonates_where_it_should(self):
        """k^2 = 1.47562182408 (Dauge, of the L without a charge on its edge) + (pi/2)^2, the mode whose E grows as r^(-1/3)."""
        wanted = 299792458 * np.sqrt(1.47562182408 + np.pi**2 / 4) / (2 * np.pi)
        for size, limit in ((0.7, 0.008), (0.4, 0.004)):
            found, before = (self.run_case(LSHAPE.replace("SIZE", str(size)), *more)[0]["eigenmodes/frequency"].real.min() / wanted - 1
                             for more in ((), NO_CORRECTION))
            print(f"L, elements of {size} m: {100 * found:.3f} %, without the correction {100 * before:.3f} %")
            with self.subTest(size=size):
                self.assertLess(abs(found), limit)
                self.assertLess(abs(found), 0.6 * abs(before))

    def test_solid_strips_and_gaps_are_warned_of_with_an_estimate(self):
        case = SOLID.replace("SCHEME", "dgtd-central").replace("BASIS", "full-1")
        for parameters, found in (("{t: 0.3, fine: 4}", 5.8), ("{t: 1, fine: 4}", 4.4), ("{t: 1, fine: 2}", 1.6), ("{t: 1, fine: 1}", 0)):
            with self.subTest(parameters=parameters):
                case_there = case.replace("{fine: 3}", parameters)
                said = self.run_case(case_there, "--set", "time={steps: 10}", *NO_CORRECTION)[1]
                told = re.search(r"solid strips are .* low by about ([\d.]+) percent with full-1", said)
                self.assertEqual(told is not None, found > 1, said)
                self.assertLess(abs(float(told[1]) / found - 1) if told else 0, 0.25)
                self.assertNotIn("solid strips", self.run_case(case_there, "--set", "time={steps: 10}")[1])
        said = self.run_case(case.replace("{fine: 3}", "{t: 1, fine: 2, gap: 1}"), "--set", "time={steps: 10}")[1]
        self.assertRegex(said, r"gaps between edges of metal are bridged by \d+ edges of the mesh, 0\.001 m long")
        case = SOLID.replace("SCHEME", "dfdd-eld").replace("BASIS", "full-1").replace("{fine: 3}", "{t: 1, fine: 4, gap: 1}")
        said = self.run_case(case, "--set", "time={steps: 10}")[1]  # 4.8 percent by slow_users
        self.assertRegex(said, r"resonances that depend on them are low by about [45](\.\d)? percent with full-1")

    def test_a_strip_one_element_from_a_wall_is_higher_and_said_to_be(self):
        for width, low, high in ((8, 0.7, 2), (4, -1, 0.5)):
            case = STRIP.replace("SCHEME", "dgtd-central").replace("BASIS", "full-1").replace("abs(x)<0.004", f"abs(x)<{width / 2000}")
            results, said = self.run_case(case.replace("{fine: 3}", f"{{w: {width}, fine: 4}}"))
            found = 100 * (self.peak(results) / STRIP_HZ - 1)
            told = re.search(r"its strips are ([\d.]+) elements wide, one element from other metal: resonances are high by about ([\d.]+) percent", said)
            print(f"strip of {width} mm, elements of 4 mm: {found:.2f} %, {told and told[0]}")
            with self.subTest(width=width):
                self.assertTrue(low < found < high)
                self.assertEqual(told is not None, low > 0, said)
                self.assertLess(abs(float(told[2]) - found) if told else 0, 0.5)

    def test_strips_of_two_elements_are_warned_of(self):
        case = STRIP.replace("SCHEME", "dgtd-central").replace("BASIS", "full-1").replace("abs(x)<0.004", "abs(x)<0.001")
        case = case.replace("{fine: 3}", "{w: 2, fine: 2}")
        said = self.run_case(case, "--set", "time={steps: 10}")[1]
        self.assertIn("pec group 'strip': its strips are 1.0 elements wide: resonances are low by about 4.1 percent", said)
        said = self.scattering("strip.geo", "strip", "type: tem, signal: strip", "mixed-2", "1 GHz", "--set",
                                "mesh.parameters={w: 2, fine: 2, ports: 1}")[1]
        self.assertRegex(said, r"pec group 'strip': its strips are 1\.\d elements wide: resonances are low by about 1\.\d percent with mixed-2")
        self.assertNotIn("elements wide", self.run_case(STRIP.replace("SCHEME", "dgtd-central").replace("BASIS", "full-1"),
                                                        "--set", "time={steps: 10}", "--set", "mesh.parameters={fine: 2}")[1])


if __name__ == "__main__":
    unittest.main()
