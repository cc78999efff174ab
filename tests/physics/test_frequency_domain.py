"""Mode frequency-domain by the program, against closed forms: plane waves, slabs, waveguides, walls, ports.

Cavities and open space: test_frequency_domain_radiation.py. How the systems are solved and what a run writes: test_frequency_domain_runs.py.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import layers  # noqa: E402
import meshes  # noqa: E402
import test_conductors  # noqa: E402
import test_lumped  # noqa: E402
import test_quasi_tem  # noqa: E402
import test_slabs  # noqa: E402
from frequency_domain import BACK, CELLS, ETA0, FRONT, LINE_M, TEM, Checks, phasors, plates, run_line, write_box  # noqa: E402
from layers import C0, EPS0, MU0  # noqa: E402


class PlaneWaves(Checks):
    # Power of the error, of S21 on the finest mesh.
    SPACES = {"mixed-1": (2, 0.012), "full-1": (2, 0.02), "mixed-2": (4, 6e-6), "full-2": (4, 4e-5), "mixed-3": (6, 1e-8), "full-3": (6, 4e-8)}

    def errors(self, basis, cells):
        box = f"{{box: {{size: [0.0046, 0.0046, 0.028], cells: [{cells}, {cells}, {6 * cells}], jitter: 0.1}}}}"
        results = guide.run(self, plates([FRONT, BACK], basis=basis, frequency="{values: [10 GHz]}", regions="box: air", mesh=box))
        w, s = phasors(results)
        return abs(s[0, 0, 0]), abs(s[0, 1, 0] - np.exp(-1j * w[0] * 0.028 / C0))

    def test_errors_fall_with_twice_the_degree_of_the_curls(self):
        for basis, (power, largest) in self.SPACES.items():
            found = np.array([max(self.errors(basis, cells)) for cells in (1, 2, 3)])
            order = np.log(found[1] / found[2]) / np.log(3 / 2)
            print(f"{basis}: errors of S {', '.join(f'{error:.1e}' for error in found)}, order {order:.2f}")
            self.assertLess(found[-1], largest, basis)
            self.assertAlmostEqual(order, power, delta=0.3, msg=basis)

    def test_fields_at_a_probe_are_those_of_the_wave(self):
        """E_y and H_x of 3 V that come 10 ps late, in a medium."""
        ports = [FRONT.replace("{}", "{amplitude: 3, delay: 10 ps}"), BACK]
        probes = "probes: [{name: a, point: [0.0011, 0.0013, 0.0073]}, {name: b, point: [0.0031, 0.0021, 0.0177]}]"
        results = run_line(self, plates(ports, materials="air: {eps_r: 2.25, mu_r: 1.5}", outputs=probes))
        w, _ = phasors(results)
        index, impedance = np.sqrt(2.25 * 1.5), ETA0 * np.sqrt(1.5 / 2.25)
        field = 3 / (2 * LINE_M / CELLS)
        for probe, z in (("a", 0.0073), ("b", 0.0177)):
            wave = np.exp(-1j * w * (index * z / C0 + 10e-12))[:, None]
            electric, magnetic = wave * [0, -field, 0], wave * [field / impedance, 0, 0]  # from y1 to y0
            self.near(f"E and H at probe {probe}", [(results[f"probes/{probe}/E"] / field, electric / field),
                                                   (results[f"probes/{probe}/H"] * impedance / field, magnetic * impedance / field)], 0.025)

    def test_sources_that_are_driven_together_add_up(self):
        """Two ports and a delay: the fields are the sum of those of each, by superposition and mirror symmetry."""
        wave = [FRONT.replace("{}", "{amplitude: 2}"), BACK[:-1] + ", excite: {amplitude: 1, delay: 25 ps}}"]
        probes = "probes: [{name: a, point: [0.0011, 0.0013, 0.0073], fields: [E]}]"
        results = run_line(self, plates(wave, outputs=probes, s=""))
        w = 2 * np.pi * results["probes/a/frequency"]
        expected = -200 * (2 * np.exp(-1j * w * 0.0073 / C0) + np.exp(-1j * w * ((LINE_M - 0.0073) / C0 + 25e-12)))
        self.near("two waves", [(results["probes/a/E"][:, 1] / 200, expected / 200)], 5e-3)


class Slabs(Checks):
    """Those of test_slabs.py, and one of the other terms."""

    TERMS = test_slabs.Slab(
        "{eps_r: 3, mu_r: 1.5, sigma_m: 500, electric_dispersion: [{model: drude, plasma_frequency: 4 GHz, collision: 5e9}, "
        "{model: pole, residue: [2e10, 1e10], pole: [8e9, 3e10]}], magnetic_dispersion: [{model: debye, delta: 0.5, tau: 30 ps}]}",
        lambda f: (3 + layers.drude(f, 4e9, 5e9) + layers.pole(f, 2e10 + 1e10j, 8e9 + 3e10j),
                   1.5 + layers.debye(f, 0.5, 30e-12) + 500 / (2j * np.pi * f * MU0)), 0.010, 6, (1e9, 10e9, 19), "")

    def test_drude_poles_and_magnetic_losses(self):
        self.check("of other terms", self.TERMS)

    def compare(self, name, _):
        self.check(name, test_slabs.SLABS[name])

    def check(self, name, slab):
        start, stop, points = slab.band_hz
        text = plates([FRONT, BACK], materials=f"feed: {{eps_r: {slab.feed_eps}}}, slab: {slab.material}",
                      regions="feed: feed, slab: slab", mesh="{file: slab.h5}", basis=slab.basis,
                      frequency=f"{{start: {start}, stop: {stop}, points: {(points + 1) // 2}}}")
        results = guide.run(self, text, prepare=lambda folder: test_slabs.write_mesh(folder / "slab.h5", slab))
        w, s = phasors(results)
        eps, mu = slab.constants(w / 2 / np.pi)
        s11, s21 = layers.scattering(w / 2 / np.pi, [layers.Layer(eps, mu, slab.length_m)], outside=slab.feed_eps**-0.5)
        to_faces = np.exp(2j * w * test_slabs.FEED_M * np.sqrt(slab.feed_eps) / C0)
        self.near(f"slab {name}", [(s[:, 0, 0] * to_faces, s11), (s[:, 1, 0] * to_faces, s21)], 1.2e-3)


guide.add_tests(Slabs, Slabs.compare, test_slabs.SLABS, schemes=("frequency_domain",))

class Waveguides(Checks):
    A, B, LENGTH = 0.02286, 0.01016, 0.030
    PORT = "{{name: {}, boundary: {}, type: rectangular-waveguide{}}}"
    METAL = "pec: [x0, x1, y0, y1]"

    def wave_number(self, w, m=1, n=0, eps=1.0):
        """beta, -j alpha below cutoff."""
        k2 = (w / C0) ** 2 * eps - (m * np.pi / self.A) ** 2 - (n * np.pi / self.B) ** 2
        return np.where(k2 > 0, np.sqrt(np.abs(k2)), -1j * np.sqrt(np.abs(k2)))

    def solve(self, frequency, mode="TE10", cells=(6, 2, 8), back=True, end="", **options):
        ports = [self.PORT.format("front", "z0", f", mode: {mode}, excite: {{}}")]
        ports += [self.PORT.format("back", "z1", f", mode: {mode}")] if back else []
        box = f"{{box: {{size: [{self.A}, {self.B}, {self.LENGTH}], cells: {list(cells)}, jitter: 0.1}}}}"
        options = {"mesh": box, "regions": "box: air", **options}
        return ports, plates(ports, boundaries=options.pop("boundaries", self.METAL) + end, frequency=frequency, **options)

    def test_modes_pass_their_guide(self):
        for mode, m, n, cells, band, tolerance in (("TE10", 1, 0, (6, 2, 8), "[8 GHz, 10 GHz, 12 GHz]", 4e-4),
                                        ("TE20", 2, 0, (8, 2, 10), "[14 GHz, 16 GHz]", 8e-3),
                                        ("TE01", 0, 1, (6, 4, 10), "[16 GHz, 18 GHz]", 4e-3),
                                        ("TM11", 1, 1, (8, 4, 10), "[18 GHz, 20 GHz]", 0.015)):
            _, text = self.solve(f"{{values: {band}}}", mode, cells)
            w, s = phasors(guide.run(self, text))
            self.near(mode, [(s[:, 0, 0], 0), (s[:, 1, 0], np.exp(-1j * self.wave_number(w, m, n) * self.LENGTH))], tolerance)

    def test_amplitude_of_a_mode_is_the_root_of_its_power(self):
        """a of 3 sqrt(W), its peak: E_0^2 a b/(4 Z_TE) = a^2/2; E along b, H by Z_TE and the slope."""
        x, z = 0.0062, 0.0137
        _, text = self.solve("{values: [10 GHz]}", outputs=f"probes: [{{name: p, point: [{x}, 0.0047, {z}]}}]", basis="full-2")
        results = guide.run(self, text.replace("excite: {}", "excite: {amplitude: 3}"))
        w = 2e10 * np.pi
        beta = self.wave_number(w)
        impedance, wave, angle = w * MU0 / beta, np.exp(-1j * beta * z), np.pi * x / self.A
        field = 3 * np.sqrt(2 * impedance / (self.A * self.B))
        electric = np.array([0, field * np.sin(angle) * wave, 0])
        magnetic = field * wave * np.array([-np.sin(angle) / impedance, 0, 1j * np.pi / self.A / (w * MU0) * np.cos(angle)])
        sign = np.sign((results["probes/p/E"][0, 1] / electric[1]).real)  # of E, along b either way
        self.near("wave of 3 sqrt(W)", [(results["ports/front/incident"], 3), (sign * results["probes/p/E"][0] / field, electric / field),
                                        (sign * results["probes/p/H"][0] * impedance / field, magnetic * impedance / field)], 0.02)

    def test_half_a_guide_is_the_whole(self):
        w, s = [], []
        for width, cells, metal, magnetic, planes in ((self.A, 6, "x0, x1", "", ""), (self.A / 2, 3, "x0", ", pmc: [x1]", ", symmetry: [pmc]")):
            ports = [self.PORT.format("front", "z0", planes + ", excite: {}")]
            box = f"{{box: {{size: [{width}, {self.B}, {self.LENGTH}], cells: [{cells}, 2, 8]}}}}"
            results = guide.run(self, plates(ports, f"pec: [{metal}, y0, y1]{magnetic}, absorbing: [z1]", regions="box: air", mesh=box,
                                             frequency="{values: [8 GHz, 10 GHz]}"))
            s.append(results["s_parameters/S"])
            w.append(results["ports/front/voltage"])
        self.near("half a guide", [(s[0], s[1]), (w[0] / w[1], 1)], 1e-3)

    def test_below_cutoff_fields_decay(self):
        probes = "".join(f", {{name: p{i}, point: [0.011, 0.005, {0.006 * i + 0.006}], fields: [E]}}" for i in range(3))
        _, text = self.solve("{values: [4 GHz, 5 GHz]}", outputs=f"probes: [{probes[2:]}]")
        results = guide.run(self, text)
        w, s = phasors(results)
        decay = np.exp(-1j * self.wave_number(w) * 0.012)
        ratio = results["probes/p2/E"][:, 1] / results["probes/p0/E"][:, 1]
        self.near("below cutoff", [(ratio / decay, 1), (s[:, 1, 0] / np.exp(-1j * self.wave_number(w) * self.LENGTH), 1)], 5e-3)

    def test_slab_is_that_of_the_impedances_of_the_mode(self):
        def write(folder):
            write_box(folder / "guide.h5", (self.A, self.B, self.LENGTH), (6, 2, 12), regions=("air", "slab"),
                      region_of=lambda points: int(all(4 <= p[2] <= 8 for p in points)))

        _, text = self.solve("{start: 8 GHz, stop: 12 GHz, points: 5}", mesh="{file: guide.h5}", regions="air: air, slab: slab",
                             materials="air: {}, slab: {eps_r: 2.25}")
        w, s = phasors(guide.run(self, text, prepare=write))
        back = np.exp(2j * self.wave_number(w) * 0.010)
        given = [(0.598385, 155.867, 0.801209, -114.133), (0.396001, 133.890, 0.918250, -136.110),
                     (0.186269, 110.864, 0.982499, -159.136), (0.017952, -92.090, 0.999839, 177.910),
                     (0.190479, -113.844, 0.981691, 156.156)]
        r, rd, t, td = np.array(given).T
        self.near("slab in a waveguide", [(s[:, 0, 0] * back, r * np.exp(1j * np.radians(rd))),
                                         (s[:, 1, 0] * back, t * np.exp(1j * np.radians(td)))], 4e-3)

    def test_absorbing_end_reflects_by_its_law(self):
        for eps in (1.0, 2.0):
            _, text = self.solve("{values: [8 GHz, 10 GHz, 12 GHz]}", back=False, end=", absorbing: [z1]",
                                 materials=f"air: {{eps_r: {eps}}}")
            w, s = phasors(guide.run(self, text))
            beta, k = self.wave_number(w, eps=eps), w / C0 * eps**0.5
            self.near(f"absorbing end, eps {eps}", [(s[:, 0, 0], (beta - k) / (beta + k) * np.exp(-2j * beta * self.LENGTH))], 8e-4)

    def test_layer_at_the_end_reflects_nothing(self):
        _, text = self.solve("{values: [8 GHz, 10 GHz, 12 GHz]}", back=False,
                             end=", pml: {faces: [z1], thickness: 0.015, cells: 6}")
        _, s = phasors(guide.run(self, text))
        self.near("layer", [(s[:, 0, 0], 0)], 4e-4)

    def test_walls_of_metal_take_what_the_currents_lose(self):
        sigma = 1e6
        walls = ", ".join(f"{face}: {sigma}" for face in ("x0", "x1", "y0", "y1"))
        s = []
        for boundaries in (self.METAL, f"conductor: {{{walls}}}"):
            _, text = self.solve("{values: [8 GHz, 10 GHz, 12 GHz]}", boundaries=boundaries)
            w, found = phasors(guide.run(self, text))
            s.append(found[:, 1, 0])
        a, b, k, beta = self.A, self.B, w / C0, self.wave_number(w)
        resistance = np.sqrt(w * MU0 / 2 / sigma)
        alpha = resistance * (2 * b * np.pi**2 + a**3 * k**2) / (a**3 * b * beta * k * ETA0)
        # Resistance and reactance of the skin are alike.
        self.near("attenuation and phase", [(-np.log(s[1] / s[0]) / self.LENGTH / ((1 + 1j) * alpha), 1)], 5e-3)


class Walls(Checks):
    def test_sheets_and_walls_of_resistance(self):
        for group, ohms in (("sheet", 100.0), ("sheet", 1000.0), ("z1", 100.0), ("z1", 1000.0)):
            across = group == "sheet"
            walls = f"pec: [y0, y1], pmc: [x0, x1], impedance: {{{group}: {ohms} ohm}}"
            results = run_line(self, plates([FRONT, BACK] if across else [FRONT], walls), sheet=across)
            w, s = phasors(results)
            back = np.exp(2j * w * LINE_M / (2 if across else 1) / C0)
            pairs = [(s[:, 0, 0] * back, -ETA0 / (2 * ohms + ETA0) if across else (ohms - ETA0) / (ohms + ETA0))]
            if across:
                pairs.append((s[:, 1, 0] * back, 2 * ohms / (2 * ohms + ETA0)))
            self.near(f"{group} of {ohms} ohm", pairs, 4e-5)

    def test_metal_across_the_guide_reflects_all(self):
        for walls, expected in (("pec: [y0, y1, z1], pmc: [x0, x1]", -1), ("pec: [y0, y1], pmc: [x0, x1, z1]", 1)):
            w, s = phasors(run_line(self, plates([FRONT], walls)))
            self.near(walls, [(s[:, 0, 0] * np.exp(2j * w * LINE_M / C0), expected)], 4e-5)

    def test_sheet_of_metal_divides_the_guide(self):
        w, s = phasors(run_line(self, plates([FRONT, BACK], "pec: [y0, y1, sheet], pmc: [x0, x1]"), sheet=True))
        self.near("sheet of metal", [(s[:, 0, 0] * np.exp(1j * w * LINE_M / C0), -1), (s[:, 1, 0], 0)], 4e-5)

    def test_ends_match_the_lossy_medium_before_them(self):
        """Air, then a medium with losses, and its end: open by the medium's own impedance, or a layer."""
        material = "slab: {eps_r: 3, mu_r: 1.2, sigma: 0.3, sigma_m: 8000}"
        for end in ("absorbing: [z1]", "pml: {faces: [z1], thickness: 0.008, cells: 4}"):
            text = plates([FRONT], f"pec: [y0, y1], pmc: [x0, x1], {end}", materials=f"air: {{}}, {material}",
                          regions="feed: air, slab: slab")
            results = guide.run(self, text, prepare=lambda folder: guide.write_mesh(
                folder / "guide.h5", guide.planes((LINE_M, CELLS)), LINE_M / CELLS, slab=(CELLS // 2, CELLS)))
            w, s = phasors(results)
            impedance = np.sqrt((1.2 + 8000 / (1j * w * MU0)) / (3 + 0.3 / (1j * w * EPS0)))
            self.near(end, [(s[:, 0, 0] * np.exp(1j * w * LINE_M / C0), (impedance - 1) / (impedance + 1))], 2e-3)

    def test_layer_of_the_mesh_before_metal_reflects_nothing(self):
        text = plates([FRONT], "pec: [y0, y1, z1], pmc: [x0, x1], pml: {regions: [slab]}", regions="feed: air, slab: air")
        _, s = phasors(guide.run(self, text, prepare=lambda folder: guide.write_mesh(
            folder / "guide.h5", guide.planes((LINE_M, CELLS)), LINE_M / CELLS, slab=(CELLS // 2, CELLS))))
        self.near("layer of the mesh", [(s[:, 0, 0], 0)], 2e-3)

    def test_metal_with_a_skin_effect_is_that_of_its_line(self):
        """Plates: a line of gamma^2 = kappa^2 - k^2, kappa tan(kappa gap/2) = j w eps0 Z_s, between those of the ports."""
        gap = 2 * LINE_M / CELLS
        for sigma, roughness in ((2e4, 0), (2e4, 20e-6)):
            metal = f"{{conductivity: {sigma}, roughness: {roughness}}}"
            w, s = phasors(run_line(self, plates([FRONT, BACK], f"pmc: [x0, x1], conductor: {{y0: {metal}, y1: {metal}}}")))
            resistance = test_conductors.surface_impedance(w / 2 / np.pi, sigma, roughness).real
            skin = (1 + 1j) * resistance
            kappa = np.sqrt(2j * w * EPS0 * skin / gap)
            for _ in range(20):
                kappa = np.sqrt(1j * w * EPS0 * skin * kappa / np.tan(kappa * gap / 2))
            gamma = 1j * np.sqrt((w / C0) ** 2 - kappa**2)
            ratio = gamma / (1j * w / C0)
            below = 2 * np.cosh(gamma * LINE_M) + (ratio + 1 / ratio) * np.sinh(gamma * LINE_M)
            pairs = [(s[:, 0, 0], (ratio - 1 / ratio) * np.sinh(gamma * LINE_M) / below), (s[:, 1, 0], 2 / below)]
            self.near(f"plates of {sigma} S/m, roughness {roughness}", pairs, 2e-5)


class Lumped(Checks):
    """A patch across the guide or at its end, as a load and as a source, in the circuit of the line."""

    SQUARE_M = LINE_M / CELLS * 2

    def compare(self, name, _):
        group, ohms, more, is_source = test_lumped.PATCHES[name]
        across = group == "sheet"
        plane = LINE_M / 2 if across else LINE_M
        front = TEM.format(name="front", face="z0", more=f", reference_plane: {plane}" + ("" if is_source else ", excite: {}"))
        patch = (f"{{name: patch, boundary: {group}, type: lumped, resistance: {ohms} ohm, direction: [0, 1, 0]"
                 f"{', ' + more if more else ''}{', excite: {}' if is_source else ''}}}")
        w, s = phasors(run_line(self, plates([front, patch] + ([BACK] if across else [])), sheet=across))
        seen = ETA0 / 2 if across else ETA0  # by the patch
        impedance = test_lumped.impedance
        if is_source:
            load = seen + impedance(0, more, w) if "inductance" in more else impedance(seen, more, w)
            share = seen / load if "inductance" in more else 1
            pairs = [(s[:, 1, 1], (load - ohms) / (load + ohms)),
                     (s[:, 0, 1], 2 * load * share * np.sqrt(ohms / ETA0) / (load + ohms))]
        else:
            load = impedance(ohms, more, w)
            total = load * ETA0 / (load + ETA0) if across else load
            pairs = [(s[:, 0, 0], (total - ETA0) / (total + ETA0))]
            if across:
                pairs.append((s[:, 2, 0] * np.exp(1j * w * LINE_M / 2 / C0), 2 * total / (total + ETA0)))
        self.near(name, pairs, 6e-5)

    def test_driven_ports_with_reactances_are_reciprocal_and_passive(self):
        for more in ("inductance: 5 nH", "capacitance: 0.2 pF"):
            ports = [FRONT, f"{{name: patch, boundary: sheet, type: lumped, resistance: 40 ohm, direction: [0, 1, 0], {more}, excite: {{}}}}",
                     BACK[:-1] + ", excite: {}}"]
            _, s = phasors(run_line(self, plates(ports, s="{drive: each}"), sheet=True))
            self.near(more, [(s, np.swapaxes(s, 1, 2))], 1e-10)
            self.near(more, [(np.swapaxes(s.conj(), 1, 2) @ s, np.eye(3))], 1e-6)
            self.assertGreater(np.abs(s[:, 0, 1]).min(), 0.1)


guide.add_tests(Lumped, Lumped.compare, test_lumped.PATCHES, schemes=("frequency_domain",))


class Lines(Checks):
    def test_a_coaxial_line_of_few_facets_is_warned_of_with_their_impedance(self):
        for around, expected in ((6, True), (24, False)):
            def place(point, around=around):
                radius, angle = 1e-3 * 2.3 ** (point[0] / 4), 2 * np.pi * point[1] / around
                return [radius * np.cos(angle), radius * np.sin(angle), 1e-3 * point[2]]

            with self.subTest(around=around), tempfile.TemporaryDirectory() as folder:
                meshes.write(Path(folder, "line.h5"), meshes.build((4, around, 2), place, [("inner", "outer"), None, ("z0", "z1")], periodic=1))
                told = {}
                for kind in ("coaxial", "tem, signal: inner"):
                    ports = [f"{{name: p1, boundary: z0, type: {kind}, excite: {{}}}}", f"{{name: p2, boundary: z1, type: {kind}}}"]
                    Path(folder, "case.yaml").write_text(plates(ports, "pec: [inner, outer]", basis="full-2", mesh="{file: line.h5}",
                                                                regions="air: air", frequency="{values: [1 GHz]}"), encoding="utf-8")
                    ended = subprocess.run([os.environ["TETRAWAVE_PROGRAM"], "check", "case.yaml", "--json"], cwd=folder, capture_output=True, text=True, check=False)
                    self.assertEqual(ended.returncode, 0, ended.stderr)
                    told[kind[:3]] = json.loads(ended.stdout)
                round_ohm, facets_ohm = (told[kind]["ports"]["p1"]["impedance_ohm"] for kind in ("coa", "tem"))
                print(f"{around} facets: {round_ohm:.4f} ohm of circles, {facets_ohm:.4f} of the mesh")
                warnings = [warning for warning in told["coa"]["warnings"] if "the facets of the mesh" in warning]
                self.assertEqual(abs(facets_ohm / round_ohm - 1) > 0.01, expected)
                self.assertEqual(len(warnings), 2 * expected, warnings)
                for warning in warnings:
                    self.assertIn(f"its circles have {round_ohm:.4g} ohm, the facets of the mesh {facets_ohm:.4g} ohm", warning)

    def test_bead_in_a_coaxial_line(self):
        """b/a = 2.3: air, eps 4 over 15 mm, air; the facets of the conductors are those of the line all along."""
        def place(point):
            radius, angle = 1e-3 * 2.3 ** (point[0] / 2), 2 * np.pi * point[1] / 16
            return [radius * np.cos(angle), radius * np.sin(angle), 2.5e-3 * point[2]]

        def write(folder):
            meshes.write(folder / "line.h5", meshes.build(
                (2, 16, 14), place, [("inner", "outer"), None, ("z0", "z1")], periodic=1, regions=("air", "bead"),
                region_of=lambda points: int(all(4 <= p[2] <= 10 for p in points))))

        ports = ["{name: p1, boundary: z0, type: coaxial, reference_plane: 0.010, excite: {}}",
                 "{name: p2, boundary: z1, type: coaxial, reference_plane: 0.010}"]
        text = plates(ports, "pec: [inner, outer]", materials="air: {}, bead: {eps_r: 4}", regions="air: air, bead: bead",
                      frequency="{values: [1 GHz, 2.5 GHz, 4 GHz]}", mesh="{file: line.h5}")
        w, s = phasors(guide.run(self, text, prepare=write))
        s11, s21 = layers.scattering(w / 2 / np.pi, [layers.Layer(4, 1, 0.015)])
        self.near("bead", [(s[:, 0, 0], s11), (s[:, 1, 0], s21)], 2e-3)

    def test_line_over_two_media_is_slow_by_its_effective_permittivity(self):
        for name, (axis, eps) in test_quasi_tem.LINES.items():
            text = plates([FRONT, BACK], materials="air: {}, filling: {eps_r: 4}", regions="air: air, filling: filling",
                          frequency="{start: 0.5 GHz, stop: 2.5 GHz, points: 5}", mesh="{file: line.h5}", basis="full-1")
            w, s = phasors(guide.run(self, text, prepare=lambda folder, axis=axis: test_quasi_tem.write_line(folder / "line.h5", axis)))
            self.near(f"half filled in {name}", [(s[:, 0, 0], 0), (s[:, 1, 0], np.exp(-1j * w * eps**0.5 * test_quasi_tem.LENGTH_M / C0))], 3e-3)

    def test_part_of_a_line_has_the_waves_of_the_whole(self):
        def solve(symmetry, ohms, amplitude):
            planes = f", symmetry: [{symmetry}]" if symmetry else ""
            ports = [TEM.format(name="p1", face="z0", more=f"{planes}, excite: {{amplitude: {amplitude}}}"),
                     f"{{name: p2, boundary: z1, type: lumped, direction: [0, 1, 0], resistance: {ohms}{planes}}}"]
            return guide.run(self, plates(ports, regions="box: air", mesh="{box: {size: [0.004, 0.002, 0.012], cells: [2, 1, 6]}}"))

        alone = solve("", 100, 1)
        for symmetry, ohms, volts, amps in (("pmc", 50, 1, 2), ("pec", 200, 2, 1), ("pec, pmc", 100, 2, 2)):
            part = solve(symmetry, ohms, volts)
            for port in ("p1", "p2"):
                for name, factor in (("voltage", volts), ("current", amps), ("reflected", np.sqrt(volts * amps))):
                    found, wanted = part[f"ports/{port}/{name}"], factor * alone[f"ports/{port}/{name}"]
                    self.assertLess(np.abs(found - wanted).max(), 1e-9 * np.abs(wanted).max(), f"{symmetry} {port} {name}")
            self.assertLess(np.abs(part["s_parameters/S"] - alone["s_parameters/S"])[:, :, 0].max(), 1e-9)

    def test_march_has_the_same_scattering(self):
        """A guide with a block of a medium in one of its corners: mode time-domain on the same mesh."""
        def write(folder):
            write_box(folder / "guide.h5", (0.006, 0.006, 0.018), (3, 3, 9), regions=("air", "block"),
                      region_of=lambda points: int(all(p[0] <= 2 and p[1] <= 1 and 3 <= p[2] <= 5 for p in points)))

        text = plates([FRONT, BACK], materials="air: {}, block: {eps_r: 6, sigma: 0.1}", regions="air: air, block: block",
                      frequency="{start: 2 GHz, stop: 14 GHz, points: 7}", basis="full-2")
        w, s = phasors(guide.run(self, text, prepare=write))
        march = (text.replace("mode: frequency-domain", "waveforms: {pulse: {type: modulated-gaussian, frequency: 8 GHz, bandwidth: 16 GHz}}")
                 .replace("excite: {}", "excite: {waveform: pulse}").replace("solver: {method: direct}", "time: {end: 2 ns}")
                 .replace("frequency: {start: 2 GHz, stop: 14 GHz, points: 7}\n", "").replace("s_parameters: {}", "s_parameters: {start: 2 GHz, stop: 14 GHz, points: 7}"))
        _, marched = phasors(guide.run(self, march, prepare=write))
        self.near("march", [(s[:, :, 0], marched[:, :, 0])], 2.5e-3)
        self.assertGreater(np.abs(s[:, 0, 0]).max(), 0.15)


if __name__ == "__main__":
    unittest.main()
