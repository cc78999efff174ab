"""Plane problems (dimension: 2) against closed forms: cylinders, line currents, guides between plates, layers, power."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import planar  # noqa: E402
from frequency_domain import Checks  # noqa: E402
from planar import C0, ETA0  # noqa: E402

F = 0.3e9
K = 2 * np.pi * F / C0
ANGLES = np.arange(0, 361, 10)
FAR = "far_field: {frequencies: [0.3 GHz], theta: [90], phi: {start: 0, stop: 360, points: 37}}"
FORMS = [("E_z", 1), ("E_z", 2), ("H_z", 1), ("H_z", 2), ("E_xy", 1), ("E_xy", 2)]


def wave(field, phi=180):
    """Comes from phi."""
    return f"plane_waves: [{{theta: 90, phi: {phi}, polarization: {'theta' if field == 'E_z' else 'phi'}}}]"


def sigma_of(results):
    return results[f"scattering_width/{round(F)}/sigma"][:, 0]


def difference(found, wanted):
    """Of the amplitudes of the pattern."""
    return np.linalg.norm(np.sqrt(found) - np.sqrt(wanted)) / np.linalg.norm(np.sqrt(wanted))


class Resolution(Checks):
    def test_meshes_with_few_elements_per_wavelength_are_warned_of(self):
        for order, eps, coarse in ((1, 1, True), (2, 1, False), (2, 9, True)):
            text = planar.case("E_z", order, "rectangle: glass", f"glass: {{eps_r: {eps}}}", "absorbing: [x0, x1, y0, y1]",
                               wave("E_z"), mesh="{rectangle: {size: [0.5, 0.5], cells: [3, 3]}}")
            with self.subTest(order=order, eps=eps):
                self.assertEqual("elements per wavelength" in guide.run(self, text).warnings, coarse)


class Cylinders(Checks):
    meshes = {}

    def put_mesh(self, folder, eps, n, a, big):
        """Made once for all forms."""
        if (eps, n) not in self.meshes:
            rings = np.linspace(a, big, n + 1)
            if eps:
                radii = np.concatenate([np.linspace(a / 4, a, n + 1)[:-1], rings])
                planar.write_disc(folder / "mesh.h5", radii, 8 * n, ("air", "rod"), lambda r: int(r < a))
            else:
                planar.write_ring(folder / "mesh.h5", rings, 8 * n)
            self.meshes[eps, n] = (folder / "mesh.h5").read_bytes()
        (folder / "mesh.h5").write_bytes(self.meshes[eps, n])

    def sweep(self, field, order, eps, cells):
        """Errors of the scattering width on meshes of ever smaller triangles, of a cylinder of radius a and a circle at R."""
        a, big = 0.4, 0.7
        series = planar.cylinder(K * a, "E_z" if field == "E_z" else "H_z", eps, K * big)
        media = ("air: air, rod: glass", f"air: {{}}, glass: {{eps_r: {eps}}}", "absorbing: [outer]") if eps else (
            "air: air", "air: {}", "absorbing: [outer], pec: [inner]")
        text = planar.case(field, order, *media, more=wave(field), outputs=FAR)
        errors = [difference(sigma_of(guide.run(self, text, prepare=lambda folder, n=n: self.put_mesh(folder, eps, n, a, big))),
                             planar.width(series, K, ANGLES)) for n in cells]
        orders = np.log2(np.array(errors[:-1]) / errors[1:]) / np.log2(np.array(cells[1:]) / cells[:-1])
        print(f"cylinder of {'eps_r ' + str(eps) if eps else 'metal'}, {field} of order {order}: errors "
              + ", ".join(f"{e:.1e}" for e in errors) + "; orders " + ", ".join(f"{o:.2f}" for o in orders))
        self.assertGreater(orders[-1], 1.6 if order == 1 else 3.3)
        self.assertLess(errors[-1], 0.02 if order == 1 else 1e-3)

    def test_cylinders_scatter_as_the_series_says_and_errors_fall_with_the_mesh(self):
        for field, order in FORMS:
            for eps in (0, 3):
                self.sweep(field, order, eps, (3, 6, 12))

    def test_a_lossy_cylinder_takes_from_the_wave_what_the_series_says(self):
        for field in ("E_z", "E_xy"):
            a, big, eps = 0.4, 0.7, 3 - 1j
            text = planar.case(field, 2, "air: air, rod: glass", "air: {}, glass: {eps_complex: [3, -1]}", more=wave(field), outputs=FAR)
            radii = np.concatenate([np.linspace(a / 4, a, 10)[:-1], np.linspace(a, big, 7)])
            found = sigma_of(guide.run(self, text, prepare=lambda folder, radii=radii: planar.write_disc(
                folder / "mesh.h5", radii, 48, ("air", "rod"), lambda r: int(r < a))))
            wanted = planar.width(planar.cylinder(K * a, "E_z" if field == "E_z" else "H_z", eps, K * big), K, ANGLES)
            self.near(f"lossy cylinder, {field}", [(difference(found, wanted), 0)], 1e-3)


class Lines(Checks):
    def test_a_line_current_makes_hankels_wave_and_its_power(self):
        big, rho = 1.0, np.array([0.3, 0.5, 0.7])
        probes = ", ".join(f"{{name: p{i}, point: [{r * np.cos(.4):.15g}, {r * np.sin(.4):.15g}, 0]}}" for i, r in enumerate(rho))
        text = planar.case("E_z", 2, more="sources: [{type: dipole, position: [0, 0, 0], direction: [0, 0, 2], amplitude: 3}]",
                           outputs=f"probes: [{probes}], {FAR}")
        results = guide.run(self, text, prepare=lambda folder: planar.write_disc(folder / "mesh.h5", np.linspace(.05, big, 20), 64))
        back = -(planar.slope(planar.hankel, 0, K * big) + 1j * planar.hankel(0, K * big)) / (
            planar.slope(planar.bessel_j, 0, K * big) + 1j * planar.bessel_j(0, K * big))
        wanted = np.array([-K * ETA0 / 4 * 3 * (planar.hankel(0, K * r) + back * planar.bessel_j(0, K * r)) for r in rho])
        azimuthal = np.array([-K / 4j * 3 * (planar.slope(planar.hankel, 0, K * r) + back * planar.slope(planar.bessel_j, 0, K * r)) for r in rho])
        found = np.array([results[f"probes/p{i}/E"][0, 2] for i in range(3)])
        turned = np.array([results[f"probes/p{i}/H"][0] @ [-np.sin(.4), np.cos(.4), 0] for i in range(3)])
        self.near("E of a line", [(found / wanted, 1)], 3e-3)
        self.near("H of a line", [(turned / azimuthal, 1)], 2e-2)
        power = results.far_attributes[str(round(F))]["radiated_power"]
        self.near("power of a line", [(power / (9 * ETA0 * K / 8), 1)], 5e-3)

    def test_a_current_in_the_plane_radiates_as_a_dipole_in_both_forms(self):
        patterns = []
        for field in ("H_z", "E_xy"):
            text = planar.case(field, 2, more="sources: [{type: dipole, position: [0.01, 0.02, 0], direction: [1, 2, 0]}]", outputs=FAR)
            results = guide.run(self, text, prepare=lambda folder: planar.write_disc(folder / "mesh.h5", np.linspace(.05, 1, 20), 64))
            patterns.append(results[f"far_field/{round(F)}/E_phi"][0])
        phi = np.radians(ANGLES)
        place = 0.01 * np.cos(phi) + 0.02 * np.sin(phi)
        along = (-np.sin(phi) + 2 * np.cos(phi)) / np.sqrt(5)
        wanted = -K * ETA0 / 4 * np.sqrt(2j / (np.pi * K)) * along * np.exp(1j * K * place)
        self.near("dipole in the plane", [(p / np.abs(wanted).max(), wanted / np.abs(wanted).max()) for p in patterns], 8e-3)

    def test_fields_at_two_lines_are_reciprocal(self):
        places, found = [(0.31, 0.2), (-0.15, -0.37)], []
        for here, there in (places, places[::-1]):
            text = planar.case("E_z", 2, "air: air, rod: glass", "air: {}, glass: {eps_r: [2, 3, 4], mu_r: [1.5, 1, 2], sigma: 0.02}",
                               more=f"sources: [{{type: dipole, position: [{here[0]}, {here[1]}, 0], direction: [0, 0, 1]}}]",
                               outputs=f"probes: [{{name: p, point: [{there[0]}, {there[1]}, 0]}}]")
            found.append(guide.run(self, text, prepare=lambda folder: planar.write_disc(
                folder / "mesh.h5", np.linspace(.05, .6, 12), 32, ("air", "rod"), lambda r: int(r < .3)))["probes/p/E"][0, 2])
        self.near("reciprocity", [(found[0] / found[1], 1)], 1e-9)


class Layers(Checks):
    """A layer of thickness .4 m around a square of 1.2 m."""

    def write(self, folder, cells=12, hole=None):
        inner, layer = np.linspace(-.6, .6, cells + 1), .4 * np.arange(1, 7) / 6
        axis = np.concatenate([-.6 - layer[::-1], inner, .6 + layer])
        region = lambda x, y: 1 if max(abs(x), abs(y)) > .6 else 2 if hole and max(abs(x), abs(y)) < hole else 0  # noqa: E731
        planar.write_grid(folder / "mesh.h5", axis, axis, lambda x, y: (x, y), region, ("air", "layer", "block"), ("end",) * 4)

    CASE = {"regions": "air: air, layer: air, block: glass", "materials": "air: {}, glass: {eps_r: 2.5}",
            "boundaries": "pec: [end], pml: {regions: [layer]}"}

    def test_a_line_in_a_square_of_layers_is_in_free_space(self):
        text = planar.case("E_z", 2, more="sources: [{type: dipole, position: [0.2, 0.1, 0], direction: [0, 0, 1]}]",
                           outputs="probes: [{name: p, point: [-0.3, -0.2, 0]}, {name: q, point: [0.5, 0.5, 0]}]",
                           **{**self.CASE, "regions": "air: air, layer: air", "materials": "air: {}"})
        results = guide.run(self, text, prepare=lambda folder: (self.write(folder, 24), drop_region(folder / "mesh.h5")))
        wanted = [-K * ETA0 / 4 * planar.hankel(0, K * np.hypot(x - .2, y - .1)) for x, y in ((-.3, -.2), (.5, .5))]
        self.near("line in layers", [(results[f"probes/{n}/E"][0, 2] / w, 1) for n, w in zip("pq", wanted)], 2e-3)

    def test_all_forms_scatter_alike_in_layers_and_from_any_side(self):
        """A square block looks the same from phi and, turned by a right angle, from phi + 90."""
        widths = {}
        for field in ("E_z", "H_z", "E_xy"):
            for phi in (30, 120):
                text = planar.case(field, 2, more=wave(field, phi), outputs=FAR, **self.CASE)
                found = sigma_of(guide.run(self, text, prepare=lambda folder: self.write(folder, hole=.3)))[:-1]
                widths[field, phi] = np.roll(found, -(phi // 10))
        top = max(w.max() for w in widths.values())
        self.near("block from two sides", [(widths[f, 30] / top, widths[f, 120] / top) for f in ("E_z", "H_z", "E_xy")], 1.2e-2)
        self.near("block by two forms", [(widths["H_z", 30] / top, widths["E_xy", 30] / top)], 1.5e-2)


def drop_region(path):
    """Without the third region's name."""
    import h5py
    with h5py.File(path, "r+") as file:
        names = file["region_names"][()][:2]
        del file["region_names"]
        file["region_names"] = names


class Guides(Checks):
    WIDTH, LENGTH = 0.4, 0.9
    sheet = None

    def write(self, folder, n=8, slab=None, along_y=False):
        x, y = np.linspace(0, self.LENGTH, 2 * n + 1), np.linspace(0, self.WIDTH, n + 1)
        region = lambda a, b: int(slab is not None and slab[0] < a < slab[1])  # noqa: E731
        place = (lambda a, b: (b, a)) if along_y else (lambda a, b: (a, b))
        planar.write_grid(folder / "mesh.h5", x, y, place, region, ("air", "slab") if slab else ("air",), ("p1", "p2", "low", "high"), sheet=self.sheet)

    def s_of(self, field, order, half_waves, hz, walls="pec: [low, high]", slab=None, n=8, plane=0, along_y=False, materials=None):
        ports = ", ".join(f"{{name: {p}, boundary: {p}, type: parallel-plate, half_waves: {half_waves}, reference_plane: {plane}, excite: {{}}}}"
                          for p in ("p1", "p2"))
        text = planar.case(field, order, "air: air, slab: glass" if slab else "air: air", materials or "air: {}, glass: {eps_r: 2.2}",
                           walls, f"ports: [{ports}]", f"{hz}", "s_parameters: {}")
        results = guide.run(self, text, prepare=lambda folder: self.write(folder, n, slab, along_y))
        self.warnings = results.warnings
        return results["s_parameters/S"][0]

    def test_modes_pass_a_guide_without_reflection_and_errors_of_their_phase_fall_with_the_mesh(self):
        for field, order in FORMS:
            for m in ((1, 2) if field == "E_z" else (0, 1, 2)):
                kc = np.pi * m / self.WIDTH
                hz = 1.25 * max(kc, np.pi / self.WIDTH) * C0 / (2 * np.pi)
                through = np.exp(-1j * np.sqrt((2 * np.pi * hz / C0) ** 2 - kc ** 2) * self.LENGTH)
                cells = (16, 32) if order == 1 else (6, 12)
                found = [self.s_of(field, order, m, hz, n=n, along_y=m == 1) for n in cells]
                errors = [np.abs(s - [[0, through], [through, 0]]).max() for s in found]
                print(f"guide, {field} of order {order}, {m} half waves: errors {errors[0]:.1e}, {errors[1]:.1e}, order {np.log2(errors[0] / errors[1]):.2f}")
                self.assertGreater(np.log2(errors[0] / errors[1]), 1.8 if order == 1 else 3.6)
                self.assertLess(errors[1], 0.15 if order == 1 else 1e-2)

    def test_a_slab_reflects_as_its_line_does_and_keeps_the_power(self):
        for field, m in (("E_z", 1), ("H_z", 0), ("E_xy", 1)):
            hz, slab = 0.6e9, (0.3, 0.6)
            kc = np.pi * m / self.WIDTH
            found = self.s_of(field, 2, m, hz, slab=slab, n=12)
            beta = [np.sqrt(e * (2 * np.pi * hz / C0) ** 2 - kc ** 2) for e in (1, 2.2)]
            z = [1 / b if field == "E_z" else b / e for b, e in zip(beta, (1, 2.2))]
            wave_matrix = np.eye(2)
            lengths = [(0.3, 0), (0.3, 1), (0.3, 0)]
            for length, k in lengths:
                c, s = np.cos(beta[k] * length), 1j * np.sin(beta[k] * length)
                wave_matrix = wave_matrix @ np.array([[c, z[k] * s], [s / z[k], c]])
            (a, b), (c, d) = wave_matrix
            b, c = b / z[0], c * z[0]
            total = a + b + c + d
            wanted = np.array([[a + b - c - d, 2], [2, -a + b - c + d]]) / total
            self.near(f"slab, {field}", [(found, wanted)], 2e-3)
            self.near(f"power, {field}", [((np.abs(found) ** 2).sum(axis=0), 1)], 1e-6)
            self.near(f"reciprocity, {field}", [(found[0, 1], found[1, 0])], 1e-9)

    def test_magnetic_walls_and_lossy_slabs_are_as_their_closed_forms(self):
        hz = 0.3e9
        found = self.s_of("E_z", 2, 0, hz, walls="pmc: [low, high]")
        self.near("TEM of E_z between magnetic walls", [(found[1, 0], np.exp(-2j * np.pi * hz / C0 * self.LENGTH))], 1e-3)
        materials = "air: {}, glass: {eps_r: 1, sigma: 0.002}"
        s = self.s_of("E_xy", 2, 0, hz, slab=(0.3, 0.6), n=12, materials=materials)
        w = 2 * np.pi * hz
        gamma = 1j * w / C0 * np.sqrt(1 - 1j * 0.002 / (w * 8.8541878128e-12))
        z = 1j * w / C0 / gamma
        c, sh = np.cosh(gamma * .3), np.sinh(gamma * .3)
        wanted = 2 * np.exp(-2j * w / C0 * 0.3) / (2 * c + (z + 1 / z) * sh)
        self.near("a lossy slab", [(s[1, 0], wanted)], 1e-3)
        self.assertEqual(self.warnings, "")  # power is lost in the slab

    def test_of_a_diagonal_tensor_the_component_along_the_field_counts(self):
        for field, m, tensor in (("H_z", 0, "[7, 2.2, 5]"), ("E_xy", 0, "[7, 2.2, 5]"), ("E_z", 1, "[7, 3, 2.2]")):
            found, wanted = (self.s_of(field, 2, m, 0.5e9, slab=(0.3, 0.6), n=12, materials=f"air: {{}}, glass: {{eps_r: {eps}}}")
                             for eps in (tensor, 2.2))
            self.near(f"tensor, {field}", [(found, wanted)], 5e-4)

    def test_a_sheet_of_metal_across_a_guide_reflects_all(self):
        hz = 0.5e9
        for field, m in (("E_z", 1), ("E_xy", 1), ("E_xy", 0)):
            beta = np.sqrt((2 * np.pi * hz / C0) ** 2 - (np.pi * m / self.WIDTH) ** 2)
            self.sheet = (0, 8)  # in the middle
            found = self.s_of(field, 2, m, hz, walls="pec: [low, high, sheet]")
            wall = -np.exp(-2j * beta * self.LENGTH / 2)
            self.near(f"sheet across, {field}, {m} half waves", [(found, [[wall, 0], [0, wall]])], 2e-3)

    def test_reference_planes_move_the_phase(self):
        hz = 0.5e9
        beta = np.sqrt((2 * np.pi * hz / C0) ** 2 - (np.pi / self.WIDTH) ** 2)
        found = self.s_of("E_z", 2, 1, hz, plane=0.2)
        self.near("reference planes", [(found[1, 0], np.exp(-1j * beta * (self.LENGTH - 0.4)))], 2e-3)

    def test_iterations_give_the_direct_answer(self):
        answers = []
        for solver in ("{method: direct}", "{preconditioner: jacobi, tolerance: 1e-9}", "{preconditioner: ssor-ai, tolerance: 1e-9}"):
            ports = "{name: p1, boundary: p1, type: parallel-plate, excite: {}}, {name: p2, boundary: p2, type: parallel-plate}"
            text = planar.case("E_z", 1, more=f"ports: [{ports}]", boundaries="pec: [low, high]", frequency="0.5 GHz",
                               outputs="s_parameters: {}", solver=solver)
            answers.append(guide.run(self, text, prepare=self.write)["s_parameters/S"][0, :, 0])
        self.near("iterations", [(answer, answers[0]) for answer in answers[1:]], 1e-7)


class Horns(Checks):
    def test_what_a_mouth_accepts_it_radiates_or_loses(self):
        """A guide that opens in a block of metal, in a square of air."""
        x = np.linspace(-1.0, 1.0, 41)

        def prepare(folder):
            feed = lambda a, b: -.4 < a < -.1 and abs(b) < .2  # noqa: E731
            region = lambda a, b: 1 if feed(a, b) else 2 if -.5 < a < -.1 and abs(b) < .3 else 0  # noqa: E731
            planar.write_grid(folder / "all.h5", x, x, lambda a, b: (a, b), region, ("air", "feed", "out"), (None,) * 4)
            cut_horn(folder / "all.h5", folder / "mesh.h5")

        for field, loss in (("E_z", 0), ("H_z", 0), ("E_xy", 0), ("E_z", .3), ("E_xy", .3)):
            walls = "pec: [plates], absorbing: [open]" if not loss else "pec: [plates], absorbing: [open], impedance: {tip: 300 ohm}"
            text = planar.case(field, 2, "air: air, feed: air", boundaries=walls if loss else walls.replace("[plates]", "[plates, tip]"),
                               more="ports: [{name: p, boundary: mouth, type: parallel-plate, excite: {amplitude: 2}}]", frequency="0.6 GHz",
                               outputs="s_parameters: {}, " + FAR.replace("0.3 GHz", "0.6 GHz"))
            results = guide.run(self, text, prepare=prepare)
            powers = results.far_attributes["600000000"]
            balance = (powers["radiated_power"] + powers["lost_power"]) / powers["accepted_power"]
            self.near(f"power of a mouth, {field}, {powers['lost_power'] / powers['accepted_power']:.3f} of it lost", [(balance, 1)], 5e-3)
            self.assertEqual(powers["lost_power"] > 0, loss > 0)
            s = results["s_parameters/S"][0, 0, 0]
            self.near("accepted", [(powers["accepted_power"], 2 * (1 - abs(s) ** 2))], 1e-9)


def cut_horn(source, target):
    """Leaves out the region out; groups: mouth (the feed's end), tip (the block's face at x = -.1), plates (the rest of the block), open."""
    import h5py
    with h5py.File(source) as file:
        nodes, triangles, region = file["nodes"][()], file["triangles"][()], file["region"][()]
    triangles, region = triangles[region != 2], region[region != 2]
    uses = {}
    for t in triangles:
        for a, b, m in ((0, 1, 3), (1, 2, 4), (2, 0, 5)):
            uses.setdefault(frozenset((t[a], t[b])), []).append((t[a], t[b], t[m]))
    groups, edges = [], []
    for found in uses.values():
        if len(found) > 1:
            continue
        x, y = nodes[list(found[0])][:, :2].mean(axis=0)
        is_open = max(abs(x), abs(y)) > 1 - 1e-9
        groups.append(3 if is_open else 0 if abs(x + .4) < 1e-9 and abs(y) < .2 else 1 if abs(x + .1) < 1e-9 else 2)
        edges.append(found[0])
    used = np.unique(triangles)
    new = np.zeros(len(nodes), int)
    new[used] = np.arange(len(used))
    edges = new[np.array(edges)]
    planar.write(target, nodes[used][:, :2], new[triangles[:, :3]], new[triangles[:, 3:]], region, ("air", "feed"), edges[:, :2], edges[:, 2],
                 groups, ("mouth", "tip", "plates", "open"))


if __name__ == "__main__":
    unittest.main()
