"""Mode frequency-domain by the program, against closed forms: cavities, currents, antennas, scattering."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import meshes  # noqa: E402
from frequency_domain import ETA0, Checks, plates, write_box, write_part  # noqa: E402
from layers import C0, MU0  # noqa: E402
from spheres import cross_sections  # noqa: E402


class Radiation(Checks):
    def test_sheet_of_current_between_periodic_faces(self):
        """J_y = cos + sin of k_x x in a layer: waves that fall off as exp(-alpha |z|), once round along x."""
        period, thick, layer = 0.010, 0.001, (10, 11)

        def write(folder):
            write_box(folder / "box.h5", (period, 0.003, 0.021), (10, 3, 21), regions=("air", "sheet"),
                      region_of=lambda points: int(all(layer[0] <= p[2] <= layer[1] for p in points)))

        probes = "probes: [{name: a, point: [0.0023, 0.001, 0.0135]}, {name: b, point: [0.0098, 0.002, 0.0062]}]"
        text = plates([], "periodic: [[x0, x1], [y0, y1]], pec: [z0, z1]", mesh="{file: box.h5}", regions="air: air, sheet: air",
                      frequency="{values: [5 GHz, 10 GHz]}", outputs=probes, s="")
        text += "sources: [{type: current, region: sheet, density: ['0', 'cos(200*pi*x)+sin(200*pi*x)', '0'], amplitude: 1e3}]\n"
        results = guide.run(self, text, prepare=write)
        w = 2 * np.pi * results["probes/a/frequency"]
        alpha = np.sqrt((2 * np.pi / period) ** 2 - (w / C0) ** 2)
        for probe, x, z in (("a", 0.0023, 0.0135), ("b", 0.0098, 0.0062)):
            shape = np.cos(200 * np.pi * x) + np.sin(200 * np.pi * x)
            slope = 200 * np.pi * (np.cos(200 * np.pi * x) - np.sin(200 * np.pi * x))
            electric = -1j * w * MU0 * 1e3 * np.sinh(alpha * thick / 2) / alpha**2 * np.exp(-alpha * abs(z - 0.0105)) * shape
            # j w mu H = -curl E
            magnetic = np.array([-np.sign(z - 0.0105) * alpha * electric, 0 * w, -slope / shape * electric]).T / (1j * w[:, None] * MU0)
            wanted_e = np.array([0 * w, electric, 0 * w]).T
            self.near(f"current, probe {probe}",
                      [(results[f"probes/{probe}/{field}"] / np.abs(wanted).max(), wanted / np.abs(wanted).max())
                       for field, wanted in (("E", wanted_e), ("H", magnetic))], 0.04)

    def check_dipole(self, what, size, cells, middle, walls, tolerance, symmetry="", amplitude=1.0):
        """1 A m along z at 1 GHz: its pattern, power and directivity."""
        far = f"far_field: {{frequencies: [1 GHz], theta: {{start: 0, stop: 180, points: 37}}, phi: [0, 40, 90]{symmetry}}}"
        text = plates([], walls, mesh=f"{{box: {{size: [{size}, {size}, {size}], cells: [{cells}, {cells}, {cells}]}}}}",
                      regions="box: air", frequency="{values: [1 GHz]}", outputs=far, basis="full-2", s="")
        text += f"sources: [{{type: dipole, position: [{middle}, {middle}, {middle}], direction: [0, 0, 1], amplitude: {amplitude}}}]\n"
        results = guide.run(self, text)
        far = {name: results["far_field/1000000000/" + name] for name in ("theta", "phi", "E_theta", "E_phi", "directivity")}
        k = 2e9 * np.pi / C0
        theta, phi = np.radians(far["theta"])[:, None], np.radians(far["phi"])
        way = middle * (np.sin(theta) * (np.cos(phi) + np.sin(phi)) + np.cos(theta))
        expected = 1j * np.sin(theta) * np.exp(1j * k * way)
        scale = ETA0 * k / (4 * np.pi)
        self.near(what, [(far["E_theta"] / scale, expected), (far["E_phi"] / scale, 0),
                         (10 ** (far["directivity"] / 10) / 1.5, np.sin(theta) ** 2 + 0 * phi)], tolerance)

    def test_point_current_in_an_absorbing_box(self):
        self.check_dipole("absorbing box", 0.27, 7, 0.135, "default: absorbing", 3e-3)

    def test_point_current_in_an_eighth_of_a_box_of_layers(self):
        walls = "pmc: [x0, y0], pec: [z0], pml: {faces: [x1, y1, z1], thickness: 0.075, cells: 2}"
        planes = ", ".join(f"{{axis: {axis}, wall: {wall}}}" for axis, wall in (("x", "pmc"), ("y", "pmc"), ("z", "pec")))
        self.check_dipole("an eighth, layers", 0.15, 4, 0, walls, 8e-3, f", symmetry: [{planes}]", 0.125)


class Cavities(Checks):
    def test_resonance_of_a_cavity(self):
        """TM110 of 0.22 x 0.3 x 0.14 m: near it 1/E of a driven mode is a line in k^2."""
        resonance = C0 / 2 * np.hypot(1 / 0.22, 1 / 0.3)
        for basis, tolerance in (("mixed-1", 5e-3), ("mixed-2", 5e-4)):
            text = plates([], "default: pec", mesh="{box: {size: [0.22, 0.3, 0.14], cells: [4, 5, 3], jitter: 0.1}}", regions="box: air", s="",
                          frequency="{values: [843 MHz, 844.5 MHz]}", outputs="probes: [{name: p, point: [0.1, 0.16, 0.06], fields: [E]}]", basis=basis)
            text += "sources: [{type: dipole, position: [0.12, 0.14, 0.08], direction: [0, 0, 1]}]\n"
            results = guide.run(self, text)
            k2 = results["probes/p/frequency"] ** 2
            inverse = 1j * results["probes/p/frequency"] / results["probes/p/E"][:, 2]  # w/E_z
            found = k2[0] - inverse[0] * (k2[1] - k2[0]) / (inverse[1] - inverse[0])
            self.near(f"resonance, {basis}", [(np.sqrt(found) / resonance, 1)], tolerance)


class Antennas(Checks):
    def test_open_guide_radiates_what_it_accepts(self):
        """A quarter of WR-90 that ends in a metal plane: power through the port and far away, gain and directivity."""
        across, up, along, deep = 7, 7, 6, 4  # cells; of the guide 3 x 2
        size = np.array([0.01143 / 3, 0.00508 / 2, 0.005])

        def is_left(element):
            return all(p[2] >= deep for p in element) or all(p[0] <= 3 and p[1] <= 2 and p[2] <= deep for p in element)

        def place(point):
            x, y, z = point
            # Cells grow outside of the guide.
            x = x * size[0] if x <= 3 else 0.01143 + (x - 3) * 0.006
            y = y * size[1] if y <= 2 else 0.00508 + (y - 2) * 0.006
            return [x, y, (z - deep) * size[2]]

        def group_of(face):
            names = [all(p[0] == 0 for p in face), all(p[1] == 0 for p in face), all(p[2] == 0 for p in face),
                     any(all(p[axis] == end for p in face) for axis, end in ((0, across), (1, up), (2, along + deep)))]
            return names.index(True) if True in names else 4

        def write(folder):
            write_part(folder / "guide.h5", [e for e in meshes.cut_grid((across, up, along + deep)) if is_left(e)], place, group_of,
                       ["x0", "y0", "port", "open", "metal"])

        planes = "symmetry: [{axis: x, wall: pmc}, {axis: y, wall: pec}], ground: {axis: z}"
        far = (f"far_field: {{frequencies: [9 GHz, 11 GHz], theta: {{start: 0, stop: 90, points: 46}}, phi: {{start: 0, stop: 90, points: 10}}, "
               f"{planes}}}")
        port = "{name: p, boundary: port, type: rectangular-waveguide, symmetry: [pmc, pec], excite: {amplitude: 2}}"
        text = plates([port], "pec: [metal, y0], pmc: [x0], absorbing: [open]", frequency="{values: [9 GHz, 11 GHz]}", outputs=far,
                      regions="air: air")
        results = guide.run(self, text, prepare=write)
        for number, hertz in enumerate((9000000000, 11000000000)):
            group = f"far_field/{hertz}"
            theta, phi = np.radians(results[f"{group}/theta"]), np.radians(results[f"{group}/phi"])
            intensity = (np.abs(results[f"{group}/E_theta"]) ** 2 + np.abs(results[f"{group}/E_phi"]) ** 2) / (2 * ETA0)
            weights = [np.concatenate(([0.5], np.ones(len(x) - 2), [0.5])) * (x[1] - x[0]) for x in (theta, phi)]
            power = 4 * (weights[0] * np.sin(theta)) @ intensity @ weights[1]
            accepted = 2**2 / 2 * (1 - np.abs(results["s_parameters/S"][number, 0, 0]) ** 2)
            # Of powers: 4 pi intensity over what is radiated, accepted, sent.
            pairs = [(10 ** (results[f"{group}/{name}"] / 10), 4 * np.pi * intensity / whole)
                     for name, whole in (("directivity", power), ("gain", accepted), ("realised_gain", 2))]
            self.near(f"open guide, {hertz}", [(power / accepted, 1)] + pairs, 0.01)


class Scattering(Checks):
    WAVES = ((30, 20, "theta"), (130, 250, "phi"))
    ANGLES = [180, 135, 90, 45, 0]

    def test_plane_waves_pass_an_empty_box(self):
        waves = ", ".join(f"{{theta: {theta}, phi: {phi}, polarization: {kind}}}" for theta, phi, kind in self.WAVES)
        point = np.array([0.041, 0.033, 0.052])
        outputs = (f"probes: [{{name: p, point: {list(point)}}}], "
                   "far_field: {frequencies: [1 GHz], theta: [0, 60, 130], phi: [0, 90, 200]}")
        text = plates([], "default: absorbing", mesh="{box: {size: [0.1, 0.1, 0.1], cells: [4, 4, 4]}}", materials="air: {eps_r: 2}",
                      regions="box: air", frequency="{values: [1 GHz]}", outputs=outputs, basis="full-2", s="")
        results = guide.run(self, text + f"plane_waves: [{waves}]\n")
        k = 2e9 * np.pi / C0 * 2**0.5
        for number, (theta, phi, kind) in enumerate(self.WAVES):
            t, f = np.radians([theta, phi])
            source = np.array([np.sin(t) * np.cos(f), np.sin(t) * np.sin(f), np.cos(t)])
            across = (np.array([np.cos(t) * np.cos(f), np.cos(t) * np.sin(f), -np.sin(t)]) if kind == "theta" else
                      np.array([-np.sin(f), np.cos(f), 0]))
            wave = np.exp(1j * k * source @ point)
            found = [results[f"excitations/wave-{number}/probes/p/{field}"][0] for field in "EH"]
            self.near(f"plane wave {number}, E", [(found[0], across * wave)], 2e-3)
            self.near(f"plane wave {number}, H", [(found[1] * ETA0 / 2**0.5, -np.cross(source, across) * wave)], 0.04)
        self.assertEqual(results["rcs/1000000000/sigma"].shape, (9, 2))
        self.assertLess(results["rcs/1000000000/sigma"].max(), 1e-8)

    def write_sphere(self, path, radius, outer, inside, layers):
        """A quarter (x, y > 0) of a sphere within another, from cubes within each other: `inside` levels in the inner one, which
        has the volume of its facets, and `layers` between; without the inner one where it is of metal."""
        levels = abs(inside) + layers
        octant = list(meshes.cut_grid((levels, levels, levels)))
        elements = octant + [[(x, y, -z) for x, y, z in element] for element in octant]

        def level(point):
            return max(abs(c) for c in point)

        def place(point):
            at = level(point)
            size = at / abs(inside) if at <= abs(inside) else 1 + (outer / radius - 1) * (at - abs(inside)) / layers
            return radius * size * np.array(point) / max(np.linalg.norm(point), 1)

        def is_core(element):
            return all(level(p) <= abs(inside) for p in element)

        def group_of(face):
            flat = [axis + 1 for axis in range(2) if all(p[axis] == 0 for p in face)]
            return flat[0] if flat else 0 if all(level(p) == abs(inside) for p in face) else 3

        corners = [np.array([place(p) for p in element]) for element in elements if is_core(element)]
        volume = sum(abs(np.linalg.det(one[1:] - one[0])) / 6 for one in corners)
        scale = (np.pi / 3 * radius**3 / volume) ** (1 / 3)
        write_part(path, [element for element in elements if inside > 0 or not is_core(element)], lambda point: scale * place(point),
                   group_of, ["sphere", "x0", "y0", "wall"], lambda element: int(is_core(element)), ("air", "core")[:1 + (inside > 0)])

    def check_sphere(self, what, ratio, index, inside, layers, tolerance):
        """k a = 1; S in the plane of E."""
        radius = C0 / (2e9 * np.pi)
        far = (f"far_field: {{frequencies: [1 GHz], theta: {[180 - angle for angle in self.ANGLES]}, phi: [0], "
               "symmetry: [{axis: x, wall: pec}, {axis: y, wall: pmc}]}")
        text = plates([], f"pec: [{'' if index else 'sphere, '}x0], pmc: [y0], absorbing: [wall]", mesh="{file: sphere.h5}",
                      materials=f"air: {{}}, core: {{eps_r: {max(index, 1)**2}}}", regions="air: air" + (", core: core" if index else ""),
                      frequency="{values: [1 GHz]}", outputs=far, basis="mixed-2", s="")
        results = guide.run(self, text + "plane_waves: [{theta: 0, phi: 0, polarization: theta}]\n", prepare=lambda folder:
                            self.write_sphere(folder / "sphere.h5", radius, ratio * radius, inside, layers))
        expected = cross_sections(1, ratio, index, self.ANGLES)
        found = results["rcs/1000000000/sigma"][:, 0] / (np.pi * radius**2)
        self.near(what, [(found / expected, 1)], tolerance)

    def test_series_has_the_given_cross_sections(self):
        for ratio, index, given in ((1.628319, 0, (2.58886, 0.66384, 1.17749)), (2.884956, 0, (3.89934, 0.62413, 1.66272)),
                                        (1e6, 0, (3.637567, 0.617882, 1.687479)), (1e6, 2, (0.535788, 0.033597, 2.008222))):
            found = cross_sections(1, ratio, index, [180, 90, 0])
            self.near(f"series, {ratio}, {index}", [(found, given)], 2e-5)

    def test_spheres_of_metal_within_absorbing_ones(self):
        self.check_sphere("metal, a gap of 0.1 wavelengths", 1.6283, 0, -3, 3, 0.02)
        self.check_sphere("metal, a gap of 0.3 wavelengths", 2.8850, 0, -3, 4, 0.04)

    def test_dielectric_sphere_within_an_absorbing_one(self):
        self.check_sphere("dielectric", 2.2, 2, 3, 3, 0.02)


if __name__ == "__main__":
    unittest.main()
