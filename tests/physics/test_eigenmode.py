"""Mode eigenmode against closed forms: frequencies, Q and its parts, energies; degenerate modes complete, no zero modes."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import meshes  # noqa: E402
import second_order  # noqa: E402
from frequency_domain import ETA0  # noqa: E402
from spheres import write_spheres  # noqa: E402

C0 = 299792458.0
EPS0, MU0 = 1 / (ETA0 * C0), ETA0 / C0
COPPER = 5.8e7


def case(mesh, target, count, materials="stuff: {}", regions="box: stuff", boundaries="default: pec", basis="mixed-2", more=""):
    return f"""
mode: eigenmode
mesh: {mesh}
materials: {{{materials}}}
regions: {{{regions}}}
boundaries: {{{boundaries}}}
method: {{basis: {basis}}}
eigenmode: {{target: {target}, count: {count}}}
run: {{threads: 1}}
{more}
"""


def box(size, cells):
    return f"{{box: {{size: {list(size)}, cells: {list(cells)}}}}}"


def box_frequencies(size, most=6):
    """All resonances of a metal box [Hz], ascending, each as often as it is there."""
    found = []
    for m in range(most):
        for n in range(most):
            for p in range(most):
                zeros = (m, n, p).count(0)
                if zeros < 2:
                    k = np.pi * np.linalg.norm(np.array([m, n, p]) / size)
                    found += [C0 * k / (2 * np.pi)] * (2 if zeros == 0 else 1)
    return np.sort(found)


def newton(function, start):
    """A complex root."""
    x = complex(start)
    for _ in range(60):
        step = 1e-7 * x
        x -= function(x) * 2 * step / (function(x + step) - function(x - step))
    return x


class Modes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_case(self, text, *options, command="run", code=0, ranks=1):
        (self.folder / "case.yaml").write_text(text, encoding="utf-8")
        start = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
        line = [*start, os.environ["TETRAWAVE_PROGRAM"], command, "case.yaml", *(["-o", "out", "--overwrite"] if command == "run" else []), *options]
        done = subprocess.run(line, cwd=self.folder, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout + done.stderr

    def modes(self, text, *options, ranks=1):
        """Complex frequencies, q, .. by name; `log`."""
        log = self.run_case(text, *options, ranks=ranks)
        self.assertIn("no resonance is missing", log)
        with h5py.File(self.folder / "out" / "results.h5") as file:
            group = file["eigenmodes"]
            found = {name: group[name][()] for name in group}
            found["attributes"] = dict(group.attrs)
            found.update({f"{name} {of}": file[f"probes/{name}/{of}"][()] for name in file.get("probes", ()) for of in "EH" if of in file["probes"][name]})
            found["columns"] = {name: list(group[name].attrs["columns"]) for name in group if "columns" in group[name].attrs}
        found["f"] = found["frequency"]
        found["log"] = log
        self.assertLess(found["residual"].max(), 1e-8)
        return found

    def near(self, what, found, wanted, tolerance):
        error = np.abs(np.asarray(found) / np.asarray(wanted) - 1).max()
        print(f"{what}: within {error:.1e}")
        self.assertLess(error, tolerance, f"{what}: {found} for {wanted}")


class Boxes(Modes):
    def test_lowest_ten_of_a_box_with_its_degenerate_pairs(self):
        size = np.array([6, 4, 8])
        wanted = box_frequencies(size)[:10]
        found = self.modes(case(box(size, (9, 6, 12)), 0.8 * wanted[0], 10))
        self.near("box 6 x 4 x 8, mixed-2", found["f"].real, wanted, 2e-4)
        self.assertEqual(found["attributes"]["counted_by"], "inertia")
        self.assertEqual(np.abs(found["f"].imag).max(), 0)
        self.assertTrue(np.isinf(found["q"]).all())

    def test_a_cube_has_all_eleven_of_its_lowest_whatever_the_space(self):
        wanted = box_frequencies(np.ones(3))[:11]  # 3, 2 and 6 of one frequency
        for basis, cells, tolerance in (("mixed-1", 6, 4e-2), ("full-1", 6, 7e-2), ("full-2", 4, 1e-2), ("mixed-3", 3, 2e-3)):
            found = self.modes(case(box((1, 1, 1), (cells,) * 3), "250 MHz", 11, basis=basis))
            self.near(f"cube, {basis}", found["f"].real, wanted, tolerance)

    def test_modes_in_the_middle_of_the_spectrum_are_those_nearest_the_target(self):
        size = np.array([0.5, 0.31, 0.73])
        all_of_them = box_frequencies(size)
        target = 0.5 * (all_of_them[7] + all_of_them[8])
        wanted = np.sort(all_of_them[np.argsort(np.abs(all_of_them - target))[:6]])
        self.near("box, from the middle on", self.modes(case(box(size, (6, 4, 8)), target, 6))["f"].real, wanted, 2e-3)

    def test_a_target_far_below_all_modes_meets_no_static_fields(self):
        wanted = box_frequencies(np.ones(3))[:3]
        self.near("cube, target 1/40", self.modes(case(box((1, 1, 1), (3, 3, 3)), wanted[0] / 40, 3))["f"].real, wanted, 3e-3)

    def test_a_target_on_a_resonance_finds_it(self):
        found = self.modes(case(box((1, 0.4, 0.7), (3, 2, 3)), "200 MHz", 1))["f"][0].real
        again = self.modes(case(box((1, 0.4, 0.7), (3, 2, 3)), repr(float(found)), 1))["f"][0].real
        self.assertLess(abs(again / found - 1), 1e-11)


class Media(Modes):
    SIZE, CELLS = np.array([0.2, 0.05, 0.15]), (6, 2, 5)

    def empty(self):
        return self.modes(case(box(self.SIZE, self.CELLS), "1.2 GHz", 2))["f"].real

    def test_q_of_a_box_of_a_lossy_laminate(self):
        """f sqrt(eps) of the empty box, eps (1 - j tan d): Q 1/tan d but for tan^2 d."""
        tangent = 0.01
        found = self.modes(case(box(self.SIZE, self.CELLS), "1.2 GHz", 2, materials=f"stuff: {{eps_r: 2, loss_tangent: {tangent}}}"), "--set", "eigenmode.target=0.85 GHz")
        self.near("laminate", found["f"], self.empty() / np.sqrt(2 * (1 - 1j * tangent)), 1e-9)
        self.near("its Q", found["q"], 1 / (2 * np.tan(np.arctan(tangent) / 2)), 1e-7)
        self.near("its loss by region", found["loss_by_region"][:, 0], tangent, tangent**2)

    def dispersive(self, what, medium, eps_of, target):
        wanted = [newton(lambda f, own=own: eps_of(f) * (f / own) ** 2 - 1, own / np.sqrt(eps_of(own).real)) for own in self.empty()]
        found = self.modes(case(box(self.SIZE, self.CELLS), target, 2, materials=f"stuff: {{{medium}}}"))
        self.near(what, found["f"], np.array(wanted), 1e-8)
        return found

    def test_a_debye_medium_has_the_root_of_its_dispersion(self):
        tau = 40e-12
        found = self.dispersive("Debye", "eps_r: 2, electric_dispersion: [{model: debye, delta: 1, tau: 40 ps}]",
                                lambda f: 2 + 1 / (1 + 2j * np.pi * f * tau), "0.8 GHz")
        self.assertLess(found["q"].max(), 20)

    def test_a_lorentz_medium_has_the_root_of_its_dispersion(self):
        own, damping = 2 * np.pi * 3e9, 4e8
        self.dispersive("Lorentz", "eps_r: 1.5, electric_dispersion: [{model: lorentz, delta: 1, frequency: 3 GHz, damping: 4e8 rad/s}]",
                        lambda f: 1.5 + own**2 / (own**2 + 4j * np.pi * f * damping - (2 * np.pi * f) ** 2), "0.75 GHz")

    def test_a_plasma_without_losses_is_dispersive_and_real(self):
        plasma = 0.8e9
        found = self.dispersive("plasma", f"eps_r: 1, electric_dispersion: [{{model: drude, plasma_frequency: {plasma}, collision: 0 rad/s}}]",
                                lambda f: 1 - (plasma / f) ** 2 + 0j, "1.5 GHz")
        self.assertLess(np.abs(found["f"].imag / found["f"].real).max(), 1e-10)

    def test_conductivity_of_a_filling(self):
        sigma = 0.002
        self.dispersive("conductivity", f"eps_r: 1, sigma: {sigma}", lambda f: 1 + sigma / (2j * np.pi * f * EPS0), "1.25 GHz")

    def slab_box(self, eps, tangent=0.0, height=0.05):
        """A box with a slab below: E_y of the lowest modes is sin(pi x/a) times a sine of z in each part."""
        data = meshes.build((4, 1, 6), lambda p: [0.2 * p[0] / 4, height * p[1], 0.15 * p[2] / 6], [("x0", "x1"), ("y0", "y1"), ("z0", "z1")],
                            region_of=lambda points: int(max(p[2] for p in points) <= 2), regions=("air", "slab"))
        meshes.write(self.folder / "box.h5", data)
        return case("{file: box.h5}", "0.7 GHz", 1, materials=f"air: {{}}, slab: {{eps_r: {eps!r}, loss_tangent: {tangent}}}",
                    regions="air: air, slab: slab", boundaries="pec: [x0, x1, y0, y1, z0, z1]", basis="mixed-3")

    def slab_root(self, eps):
        def mismatch(f):
            k0, kx = 2 * np.pi * f / C0, np.pi / 0.2
            inside, above = np.sqrt(eps * k0**2 - kx**2 + 0j), np.sqrt(k0**2 - kx**2 + 0j)
            return np.sin(inside * 0.05) * np.cos(above * 0.10) + np.sin(above * 0.10) / above * np.cos(inside * 0.05) * inside
        return newton(mismatch, 0.77e9)

    def test_a_slab_in_a_box_with_losses(self):
        eps = 6 * (1 - 0.02j)
        found = self.modes(self.slab_box(6.0, 0.02))
        self.near("slab in a box", found["f"], self.slab_root(eps), 1e-4)
        self.near("its losses over 1/Q", found["loss_by_region"].sum(), 1 / found["q"][0], 1e-3)

    def test_the_energy_in_a_slab_is_what_its_permittivity_moves_the_resonance_by(self):
        """d ln f/d ln eps = - half of the part of the electric energy that is in the slab."""
        low, middle, high = (self.modes(self.slab_box(eps)) for eps in (5.99, 6.0, 6.01))
        slope = np.log(high["f"][0].real / low["f"][0].real) / np.log(6.01 / 5.99)
        part = dict(zip(middle["columns"]["electric_energy"], middle["electric_energy"][0]))["slab"]
        self.near("energy in the slab", part, -2 * slope, 1e-5)
        self.near("all parts", middle["electric_energy"].sum() + middle["magnetic_energy"].sum(), 2, 1e-12)


class Walls(Modes):
    def test_q_of_a_copper_box(self):
        a, b, d = 0.04, 0.02, 0.05
        found = self.modes(case(box((a, b, d), (4, 2, 5)), "4.7 GHz", 1, boundaries=f"conductor: {{{', '.join(f'{face}: {COPPER}' for face in ('x0', 'x1', 'y0', 'y1', 'z0', 'z1'))}}}"))
        k = np.pi * np.hypot(1 / a, 1 / d)
        resistance = np.sqrt(k * C0 * MU0 / (2 * COPPER))
        wanted = (k * a * d) ** 3 * b * ETA0 / (2 * np.pi**2 * resistance * (2 * a**3 * b + 2 * b * d**3 + a**3 * d + a * d**3))
        self.near("Q of copper", found["q"][0], wanted, 5e-3)
        self.near("walls over 1/Q", found["loss_by_boundary"].sum(), 1 / found["q"][0], 2e-4)
        sides = dict(zip(found["columns"]["loss_by_boundary"], found["loss_by_boundary"][0]))
        bottom = 2 * b * a**3  # of z0 and z1 together; x0 and x1: 2 b d^3; y0 and y1: a d (a^2 + d^2)
        self.near("loss at the ends", sides["z0"] + sides["z1"], found["loss_by_boundary"].sum() * bottom / (2 * b * a**3 + 2 * b * d**3 + a * d * (a**2 + d**2)), 5e-3)

    def line(self, end, more="", count=2):
        """Plane waves between plates, metal at z = 0: a resistance R at z = L returns g = (R - eta0)/(R + eta0) of them."""
        guide.write_mesh(self.folder / "guide.h5", np.linspace(0, 0.03, 13), 0.0025)
        return self.modes(case("{file: guide.h5}", "2.5 GHz", count, regions="feed: stuff", boundaries=f"pec: [y0, y1, z0], pmc: [x0, x1]{end}", more=more))

    def line_roots(self, resistance, count=2):
        returned = (resistance - ETA0) / (resistance + ETA0)
        return np.array([C0 / (4 * 0.03) * ((2 * p + 1) - 1j * np.log(returned) / np.pi) for p in range(count)])

    def test_a_resistive_wall_takes_its_part_of_every_round_trip(self):
        for resistance in (30000, 1000):
            found = self.line(f", impedance: {{z1: {resistance}}}")
            self.near(f"{resistance} ohm", found["f"], self.line_roots(resistance), 2e-6)

    def test_a_port_is_a_load(self):
        """Of 5 mm by 5 mm: the resistance is that of a square."""
        found = self.line("", "ports: [{name: load, boundary: z1, type: lumped, direction: [0, 1, 0], resistance: 2000}]")
        self.near("port", found["f"], self.line_roots(2000), 2e-6)
        self.assertEqual(found["columns"]["loss_by_port"], ["load"])
        self.near("loss at the port", found["loss_by_port"][:, 0], 1 / found["q"], 2e-2)

    def test_overlaps_with_the_field_that_a_port_drives(self):
        """Between plates: sin k z of the resonance, k complex, and of the field driven at its frequency, k real."""
        z = (np.arange(2000) + 0.5) * 0.03 / 2000
        for resistance in (2000, 500):
            port = f"ports: [{{name: load, boundary: z1, type: lumped, direction: [0, 1, 0], resistance: {resistance}, excite: {{}}}}]"
            found = self.line("", port)
            self.assertEqual(found["columns"]["overlap"], ["load"])
            for number, root in enumerate(self.line_roots(resistance)):
                mode, driven = np.sin(2 * np.pi * root / C0 * z), np.sin(2 * np.pi * root.real / C0 * z)
                share = abs(np.mean(mode.conj() * driven)) ** 2 / np.mean(abs(mode) ** 2) / np.mean(driven**2)
                self.near(f"{resistance} ohm, resonance {number}, share {share:.4f}", found["driven_energy"][number, 0], share, 1e-4)
                self.near("overlap", abs(found["overlap"][number, 0]) ** 2, share, 1e-4)

    def test_probes_have_the_fields_of_one_joule(self):
        """The lowest resonance of a box: E_y in the middle, H_x where it is largest."""
        a, b, d = size = 0.06, 0.04, 0.08
        probes = "outputs: {probes: [{name: middle, point: [0.03, 0.02, 0.04]}, {name: end, point: [0.03, 0.013, 0.0799], fields: [H]}]}"
        self.modes(case(box(size, (6, 4, 8)), "3 GHz", 1, more=probes))
        with h5py.File(self.folder / "out" / "results.h5") as file:
            electric = file["probes/middle/E"][()][0]
            np.testing.assert_array_equal(file["probes/middle/frequency"][()], file["eigenmodes/frequency"][()])
            magnetic = file["probes/end/H"][()][0]
            self.assertNotIn("E", file["probes/end"])
        largest = np.sqrt(8 / (EPS0 * a * b * d))
        self.near("E_y", abs(electric[1]), largest, 2e-2)
        self.near("H_x", abs(magnetic[0]), largest / ETA0 / np.hypot(1, d / a), 3e-2)
        self.assertLess(abs(electric[[0, 2]]).max(), 0.03 * largest)

    def test_lines_absorbing_walls_and_layers_are_loads(self):
        """A slab before a short circuit, between plates: tanh(j 2 pi f n L/c) = -n, the third quarter wave."""
        length, n = 3e-3, np.sqrt(40.0)
        exact = C0 / (2j * np.pi * n * length) * (-0.5 * np.log((n + 1) / (n - 1)) + 1.5j * np.pi)
        guide.write_mesh(self.folder / "guide.h5", guide.planes((2e-3, 4), (length, 12)), 0.25e-3, slab=(4, 16))
        for walls, more in (("", "ports: [{name: load, boundary: z0, type: tem, signal: y1}]"), (", absorbing: [z0]", ""),
                            (", pml: {faces: [z0], thickness: 8e-3, cells: 8}", "")):
            found = self.modes(case("{file: guide.h5}", f"{abs(exact):.4g} Hz", 1, materials="air: {}, slab: {eps_r: 40}",
                                    regions="feed: air, slab: slab", boundaries=f"pec: [y0, y1, z1], pmc: [x0, x1]{walls}", more=more))
            self.near(more or walls, found["f"], exact, 1e-5 if "pml" not in walls else 5e-5)
            if "pml" not in walls:
                lost = found["loss_by_port" if more else "loss_by_boundary"]
                self.near("loss there", lost.sum(axis=1), 1 / found["q"], 2e-2)

    def test_a_cavity_behind_a_waveguide_below_cutoff_keeps_its_energy(self):
        """The port of a guide has the mode's own impedance, imaginary below cutoff: no losses, the guide goes on."""
        a, length, eps = 0.02, 0.01, 9.0
        data = meshes.build((3, 1, 8), lambda p: [a * p[0] / 3, 0.004 * p[1], length * p[2] / 4], [("x0", "x1"), ("y0", "y1"), ("z0", "z1")],
                            region_of=lambda points: int(max(p[2] for p in points) <= 4), regions=("air", "slab"))
        meshes.write(self.folder / "guide.h5", data)
        found = self.modes(case("{file: guide.h5}", "4 GHz", 1, materials=f"air: {{}}, slab: {{eps_r: {eps}}}", regions="air: air, slab: slab", basis="mixed-3",
                                boundaries="pec: [x0, x1, y0, y1, z0]", more="ports: [{name: out, boundary: z1, type: rectangular-waveguide}]"))

        def mismatch(f):
            k0, kx = 2 * np.pi * f / C0, np.pi / a
            inside, outside = np.sqrt(eps * k0**2 - kx**2), np.sqrt(kx**2 - k0**2)
            return np.sin(inside * length) * outside + np.cos(inside * length) * inside

        self.near("trapped by a cutoff", found["f"], newton(mismatch, 4.2e9), 1e-4)
        self.assertTrue(np.isinf(found["q"]).all())


class Shapes(Modes):
    def test_a_sphere_of_curved_elements(self):
        """Zeros of the derivative of x j1 and of x j2, each 2n + 1 times; of j1."""
        write_spheres(self.folder / "ball.h5", [0.2, 0.45, 0.72, 1.0], {4: "wall"}, by_volume=False)
        second_order.curve(self.folder / "ball.h5", second_order.on_spheres)
        wanted = np.array([2.743707269992265] * 3 + [3.870238580046166] * 5 + [4.493409457909064] * 3) * C0 / (2 * np.pi)
        found = self.modes(case("{file: ball.h5, order: 2}", "140 MHz", 11, regions="air: stuff"))
        self.near("sphere, TM01", found["f"].real[:3], wanted[:3], 1e-4)
        self.near("sphere, all eleven", found["f"].real, wanted, 1e-3)

    def coaxial(self, ends):
        def place(point):
            radius, angle = 0.01 * 2.3 ** (point[0] / 2), 2 * np.pi * point[1] / 12
            return [radius * np.cos(angle), radius * np.sin(angle), 0.5 * point[2] / 6]

        meshes.write(self.folder / "ring.h5", meshes.build((2, 12, 6), place, [("inner", "outer"), None, ("z0", "z1")], periodic=1, regions=("air",)))
        return case("{file: ring.h5}", "60 MHz", 3, regions="air: stuff", boundaries=ends)

    def test_a_ring_has_no_zero_modes(self):
        """A cavity about a conductor: the field of a current on it is no resonance. Half waves between the ends."""
        found = self.modes(self.coaxial("pec: [inner, outer, z0, z1]"))
        self.near("ring", found["f"].real, C0 / (2 * 0.5) * np.arange(1, 4), 2e-3)

    def test_a_charged_conductor_is_no_resonance(self):
        """The inner conductor touches nothing: its static field has no curl, and no charge in the air."""
        found = self.modes(self.coaxial("pec: [inner, outer], pmc: [z0, z1]"))
        self.near("line open at both ends", found["f"].real, C0 / (2 * 0.5) * np.arange(1, 4), 2e-3)


class Ranks(Modes):
    """The matrix is that of one rank, whatever part of it a rank has: modes that are alone have the same fields, too, but for their sign."""

    def compare(self, what, text, counts):
        alone = self.modes(text)
        for ranks in counts:
            found = self.modes(text, ranks=ranks)
            self.near(f"{what}, {ranks} ranks", found["f"], alone["f"], 1e-10)
            self.assertEqual(found["attributes"]["counted"], alone["attributes"]["counted"])
            self.assertEqual(found["attributes"]["counted_by"], alone["attributes"]["counted_by"])
            self.assertEqual(found["attributes"]["unknowns"], alone["attributes"]["unknowns"])
            for name in set(alone) - {"f", "frequency", "q", "residual", "attributes", "columns", "log"}:
                self.assertLess(np.abs(np.abs(found[name]) - np.abs(alone[name])).max(), 2e-7 * max(np.abs(alone[name]).max(), 1e-3), name)
        return alone

    def test_a_box_without_losses(self):
        """Real, linear; counted by the inertia of the factors of all ranks. Degenerate pairs have any basis: their fields are not compared."""
        size = (0.6, 0.41, 0.83)
        alone = self.compare("box", case(box(size, (5, 4, 7)), "300 MHz", 4, more="outputs: {probes: [{name: p, point: [0.21, 0.13, 0.4]}]}"), (2, 4))
        self.assertEqual(alone["attributes"]["counted_by"], "inertia")

    def test_dispersive_fillings_conductors_and_ports(self):
        """Nonlinear, counted by a contour; energies, losses by wall, port and region, overlaps with a driven port."""
        text = case(box((0.2, 0.05, 0.15), (5, 2, 4)), "1.1 GHz", 2, materials="stuff: {eps_r: 1.2, electric_dispersion: [{model: debye, eps_static: 1.3, tau: 20 ps}]}",
                    boundaries="default: pec, conductor: {y0: 1e6 S/m}",
                    more="ports: [{name: p, boundary: x0, type: lumped, direction: [0, 1, 0], resistance: 2000, excite: {}}]")
        alone = self.compare("loaded box", text, (3,))
        self.assertEqual(alone["attributes"]["counted_by"], "contour")
        self.assertIn("overlap", alone)

    def test_a_curved_sphere(self):
        write_spheres(self.folder / "ball.h5", [0.2, 0.45, 0.72, 1.0], {4: "wall"}, by_volume=False)
        second_order.curve(self.folder / "ball.h5", second_order.on_spheres)
        text = case("{file: ball.h5, order: 2}", "125 MHz", 3, regions="air: stuff", basis="mixed-1")
        alone, found = self.modes(text), self.modes(text, ranks=2)
        self.near("sphere, 2 ranks", found["f"], alone["f"], 1e-10)
        self.assertIn("3072 elements have curved edges", found["log"])

    def test_check_on_ranks(self):
        said = self.run_case(Output.SMALL, command="check", ranks=2)
        self.assertRegex(said, r"2 resonances +about [0-9.e-]+ s")


class Trapped(Modes):
    """A guide whose far end is narrower than its port: below the cutoff of the port there is a resonance without losses."""

    def test_a_mode_without_losses_below_the_cutoff_of_a_port(self):
        def place(p):
            return [0.2 * p[0] / 6, 0.05 * p[1], 0.4 * p[2] / 8]

        data = meshes.build((6, 1, 8), place, [("x0", "x1"), ("y0", "y1"), ("z0", "z1")],
                            region_of=lambda points: int(np.mean(points, axis=0)[2] > 4), regions=("air", "core"))
        meshes.write(self.folder / "guide.h5", data)
        text = case("{file: guide.h5}", "0.6 GHz", 1, materials="stuff: {}, dense: {eps_r: 4}", regions="air: stuff, core: dense",
                    more="ports: [{name: p, boundary: z0, type: rectangular-waveguide, excite: {}}]")
        found = self.modes(text)
        self.assertTrue(found["f"][0].real < C0 / 0.4)  # the cutoff
        self.assertGreater(found["q"][0], 1e8)
        self.near("the field that the port drives there", found["driven_energy"], 1, 1e-3)


class Output(Modes):
    SMALL = case(box((1, 0.4, 0.7), (3, 2, 3)), "250 MHz", 2)

    def test_fields_hold_one_joule(self):
        self.modes(case(box((1, 0.4, 0.7), (4, 2, 4)), "250 MHz", 2, basis="mixed-3", more="outputs: {fields: {}}"))
        with h5py.File(self.folder / "out" / "fields" / "regions-frequencies.vtkhdf") as file:
            steps = file["VTKHDF/Steps/Values"][()]
            electric = file["VTKHDF/PointData/E_re"][()].reshape(2, -1, 3)
            magnetic = file["VTKHDF/PointData/H_im"][()].reshape(2, -1, 3)
        lowest = C0 / 2 * np.hypot(1, 1 / 0.7)
        self.near("the first step", steps[0], lowest, 5e-3)
        peak = np.sqrt(8 / (EPS0 * 0.4 * 0.7))  # two halves of 1/4 eps0 |E|^2 a b d/4
        self.near("E", np.linalg.norm(electric[0], axis=1).max(), peak, 0.03)
        self.near("H", np.linalg.norm(magnetic[0], axis=1).max(), peak / ETA0 * max(1, 1 / 0.7) / np.hypot(1, 1 / 0.7), 0.05)

    def test_check_tells_what_to_expect(self):
        said = self.run_case(self.SMALL, command="check")
        self.assertRegex(said, r"2 resonances +about [0-9.e-]+ s")

    def test_a_study_has_a_column_per_resonance(self):
        text = self.SMALL + "study: {vary: {materials.stuff.eps_r: [1, 1.1]}}\n"
        self.run_case(text, "--result", "/eigenmodes/frequency_0", command="study")
        table = next(self.folder.glob("**/study*.csv")).read_text(encoding="utf-8").splitlines()
        column = [k for k, name in enumerate(table[0].split(",")) if "frequency_0" in name][0]
        first, second = (float(line.split(",")[column]) for line in table[1:3])
        self.near("with more permittivity", second, first / 1.1**0.5, 1e-9)

    def test_more_modes_than_the_mesh_has_are_an_error(self):
        said = self.run_case(case(box((1, 1, 1), (1, 1, 1)), "250 MHz", 50, basis="mixed-1"), code=78)
        self.assertRegex(said, r"case.yaml:8:1: error: eigenmode.count: 50 resonances are asked for, but this mesh has only \d+")

    def test_a_tolerance_below_rounding_is_an_error(self):
        said = self.run_case(self.SMALL, "--set", "eigenmode.tolerance=1e-18", code=76)
        self.assertRegex(said, r"after \d+ steps and \d+ solutions the residual of a resonance at [0-9.]+ times the target is still .*e-1\d")


if __name__ == "__main__":
    unittest.main()
