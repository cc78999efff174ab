"""Curved elements (mesh.order 2) by the program against closed forms, and against straight ones on the same corners."""

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
import meshes  # noqa: E402
import second_order  # noqa: E402
from frequency_domain import ETA0, Checks, phasors, plates  # noqa: E402
from spheres import write_spheres  # noqa: E402
from test_fe_iiee import METAL_QUARTER, QUARTER, RADIUS, WAVELENGTH, case, four_of, four_sections  # noqa: E402

C0 = 299792458.0


class Spheres(Checks):
    def sections(self, text, radii, surfaces, order, **mesh):
        """Straight spheres have the volume that they should have: the best that flat facets can do."""
        def write(folder):
            write_spheres(folder / "spheres.h5", radii, surfaces, by_volume=order == 1, **mesh)
            if order == 2:
                second_order.curve(folder / "spheres.h5", second_order.on_spheres)

        return four_of(guide.run(self, text, f"--set=mesh.order={order}", prepare=write))

    def compare(self, what, sections, wanted, most, least_gain):
        errors = [np.abs(sections(order) / wanted - 1).max() for order in (1, 2)]
        print(f"{what}: off by {errors[0]:.1e} with straight elements, {errors[1]:.1e} with curved ones")
        self.assertLess(errors[1], most)
        self.assertGreater(errors[0] / errors[1], least_gain)

    RADII = [RADIUS / 3, 2 * RADIUS / 3, RADIUS, RADIUS + 0.05 * WAVELENGTH, RADIUS + 0.1 * WAVELENGTH]
    OUTER = 1 + 0.2 * np.pi  # k times the last

    def test_sphere_of_metal(self):
        text = case(**METAL_QUARTER, tolerance=1e-5)
        self.compare("sphere of metal", lambda order: self.sections(text, self.RADII, {3: "sphere", 5: "S"}, order, core=3, hollow=True, whole="z"),
                     four_sections(self.OUTER, 0), 2e-3, 5)

    def test_dielectric_sphere(self):
        """Both sides of a curved border, currents on it."""
        text = case("pec: [x0], pmc: [y0]", symmetry=QUARTER, core=4, tolerance=1e-5)
        self.compare("dielectric sphere", lambda order: self.sections(text, self.RADII, {3: "sphere", 5: "S"}, order, core=3, whole="z"),
                     four_sections(self.OUTER, 2), 5e-3, 2)

    def test_absorbing_sphere(self):
        """With what an absorbing wall that is a sphere sends back."""
        text = case(METAL_QUARTER["boundaries"] + ", absorbing: [S]", symmetry=QUARTER, mode="frequency-domain")
        self.compare("absorbing sphere", lambda order: self.sections(text, self.RADII, {3: "sphere", 5: "S"}, order, core=3, hollow=True, whole="z"),
                     four_sections(self.OUTER, 0, 0), 2e-3, 5)

    def test_currents_in_the_air(self):
        """On curved faces with elements on both sides, in a mesh with all ways to assemble and iterate."""
        radii = [RADIUS / 2, RADIUS, 1.3 * RADIUS, RADIUS + 0.1 * WAVELENGTH]
        found = []
        for inner, solver in (("sphere", "method: direct"), ("inner", "assembly: by-row, preconditioner: ssor-ai, tolerance: 1e-9"),
                              ("inner", "assembly: atomic, preconditioner: ilu, tolerance: 1e-9")):
            text = case(**METAL_QUARTER, inner=inner, method=solver)
            found.append(self.sections(text, radii, {2: "sphere", 3: "inner", 4: "S"}, 2, core=2, hollow=True, whole="z"))
        self.near("currents in the air over those on metal", [(found[1] / found[0], 1)], 2e-3)
        self.near("assembled and solved in two ways", [(found[2] / found[1], 1)], 1e-6)
        self.near("metal, coarse", [(section / four_sections(self.OUTER, 0), 1) for section in found], 0.01)


class Lines(Checks):
    AROUND, ALONG, LENGTH = 12, 4, 10e-3

    def write_line(self, folder, order, around=AROUND):
        """A coaxial line of 1 and 2.3 mm as line.h5."""
        def place(point):
            radius, angle = 1e-3 * 2.3 ** (point[0] / 2), 2 * np.pi * point[1] / around
            return [radius * np.cos(angle), radius * np.sin(angle), self.LENGTH * point[2] / self.ALONG]

        meshes.write(folder / "line.h5", meshes.build((2, around, self.ALONG), place, [("inner", "outer"), None, ("z0", "z1")],
                                                      periodic=1, regions=("air",)))
        if order == 2:
            second_order.curve(folder / "line.h5", second_order.on_cylinders)

    def run_line(self, text, order, around=AROUND):
        return guide.run(self, text, f"--set=mesh.order={order}", prepare=lambda folder: self.write_line(folder, order, around))

    def port_names(self, kind):
        return [f"{{name: {name}, boundary: {face}, {kind}{more}}}" for name, face, more in (("a", "z0", ", excite: {}"), ("b", "z1", ""))]

    def line(self, kind, boundaries):
        return plates(self.port_names(kind), boundaries, frequency="{values: [1 GHz, 3 GHz]}", regions="air: air", mesh="{file: line.h5}")

    def test_impedance_and_delay(self):
        """Of a port that is not told that its conductors are circles."""
        wanted = ETA0 / 2 / np.pi * np.log(2.3)
        errors = []
        for order, around in ((1, 12), (2, 12), (2, 24)):
            results = self.run_line(self.line("type: tem, signal: inner", "pec: [inner, outer]"), order, around)
            w, s = phasors(results)
            errors.append(abs(results.port_attributes["a"]["impedance"] / wanted - 1))
            self.near(f"line of order {order}", [(s[:, 0, 0], 0), (s[:, 1, 0], np.exp(-1j * w * self.LENGTH / C0))], 5e-4)
        print("impedance: off by {:.1e} with 12 straight edges, {:.1e} with curved ones, {:.1e} with 24".format(*errors))
        self.assertLess(errors[1], 1.5e-3)
        self.assertGreater(errors[0] / errors[1], 7)
        self.assertGreater(errors[1] / errors[2], 4)

    def test_losses_of_the_conductors(self):
        """A surface resistance R on both: alpha = R/(4 pi Z) (1/a + 1/b), of polygons another one."""
        ohms, impedance = 0.2, ETA0 / 2 / np.pi * np.log(2.3)
        alpha = ohms / (4 * np.pi * impedance) * (1 / 1e-3 + 1 / 2.3e-3)
        errors = []
        for order in (1, 2):
            loss = [np.abs(phasors(self.run_line(self.line("type: coaxial", walls), order))[1][:, 1, 0])
                    for walls in (f"impedance: {{inner: {ohms} ohm, outer: {ohms} ohm}}", f"impedance: {{inner: {ohms / 2} ohm, outer: {ohms / 2} ohm}}")]
            errors.append(np.abs((np.log(loss[1]) - np.log(loss[0])) / (alpha / 2 * self.LENGTH) - 1).max())
        print(f"losses: off by {errors[0]:.1e} with straight edges, {errors[1]:.1e} with curved ones")
        self.assertLess(errors[1], 3e-3)
        self.assertGreater(errors[0] / errors[1], 4)


    def test_resistor_in_a_ring(self):
        """A lumped port between curved conductors ends the line."""
        impedance, ohms = ETA0 / 2 / np.pi * np.log(2.3), 80
        ports = ["{name: a, boundary: z0, type: coaxial, excite: {}}", f"{{name: b, boundary: z1, type: lumped, resistance: {ohms}}}"]
        text = plates(ports, "pec: [inner, outer]", frequency="{values: [1 GHz, 3 GHz]}", regions="air: air", mesh="{file: line.h5}")
        w, s = phasors(self.run_line(text, 2, 16))
        wanted = (ohms - impedance) / (ohms + impedance) * np.exp(-2j * w * self.LENGTH / C0)
        self.near("resistor in a ring", [(s[:, 0, 0], wanted), (np.abs(s[:, 1, 0]) ** 2, 1 - np.abs(wanted) ** 2)], 2e-3)


class Fields(Checks):
    def test_probes_lie_where_they_are_said_to(self):
        """E of the line's mode, 1/(r ln 2.3) V/m along r for 1 V, near its inner conductor between two corners: straight elements do
        not even reach there."""
        angle = np.pi / Lines.AROUND
        points = [[r * np.cos(angle), r * np.sin(angle), 3.3e-3] for r in (0.98e-3, 1.001e-3, 1.5e-3, 2.29e-3)]
        probes = ", ".join(f"{{name: p{k}, point: [{', '.join(f'{x:.9g}' for x in point)}], fields: [E, H]}}" for k, point in enumerate(points) if k)
        line = Lines()
        text = plates(line.port_names("type: coaxial"), "pec: [inner, outer]", frequency="{values: [1 GHz]}", regions="air: air",
                      mesh="{file: line.h5}", outputs=f"probes: [{probes}]")
        results = line.run_line(text, 2)
        w = 2 * np.pi * 1e9
        for k, point in list(enumerate(points))[1:]:
            radius = np.hypot(*point[:2])
            out = np.array([point[0], point[1], 0]) / radius
            along = np.array([-out[1], out[0], 0])
            wave = np.exp(-1j * w * point[2] / C0) / (radius * np.log(2.3))
            self.near(f"probe {k}", [(results[f"probes/p{k}/E"][0] / abs(wave), out * wave / abs(wave)),
                                     (results[f"probes/p{k}/H"][0] * ETA0 / abs(wave), along * wave / abs(wave))], 0.03)


class Files(Checks):
    def test_check_counts_the_nodes_of_curved_cells(self):
        """The bytes of field files that `check` forecasts, and those of a run."""
        line = Lines()
        text = line.line("type: coaxial", "pec: [inner, outer]").replace("mixed-2", "mixed-1").replace("outputs: {", "outputs: {fields: {frequencies: [1 GHz, 3 GHz]}, ")
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            line.write_line(folder, 2)
            (folder / "case.yaml").write_text(text, encoding="utf-8")
            forecast, _ = (subprocess.run([os.environ["TETRAWAVE_PROGRAM"], *words, "--set=mesh.order=2"], cwd=folder, capture_output=True, check=True).stdout
                           for words in (("check", "case.yaml", "--json"), ("run", "case.yaml", "-o", "out", "--quiet")))
            written = sum(path.stat().st_size for path in (folder / "out" / "fields").glob("*.vtkhdf"))
        self.assertLess(0.95, json.loads(forecast)["disk_bytes"]["fields"] / written)
        self.assertLess(json.loads(forecast)["disk_bytes"]["fields"] / written, 1.1)


class Straight(Checks):
    TEXT = """
mode: frequency-domain
mesh: {{file: box.h5}}
materials: {{air: {{}}}}
regions: {{air: air}}
boundaries: {{{boundaries}}}
sources: [{{type: dipole, position: [0.05, 0.04, 0.06], direction: [0, 0, 1]}}]
method: {{basis: mixed-2}}
frequency: {{values: [1 GHz]}}
solver: {{method: direct}}
outputs:
  probes: [{{name: p, point: [0.03, 0.07, 0.02]}}]
  fields: {{frequencies: [1 GHz]}}
run: {{threads: 1}}
"""

    def run_box(self, boundaries, order):
        def write(folder):
            meshes.write(folder / "box.h5", meshes.build((3, 3, 3), lambda p: [0.1 * c / 3 for c in p], [("x0", "x1"), ("y0", "y1"), ("z0", "z1")]))
            if order == 2:
                second_order.curve(folder / "box.h5", lambda points: points.mean(axis=1))

        return guide.run(self, self.TEXT.format(boundaries=boundaries), f"--set=mesh.order={order}", prepare=write)

    def test_second_order_mesh_with_straight_edges_is_the_straight_one(self):
        straight, second = (self.run_box("absorbing: [z0, z1], default: pec", order) for order in (1, 2))
        for field in ("E", "H"):
            self.assertTrue((straight[f"probes/p/{field}"] == second[f"probes/p/{field}"]).all())
            self.assertGreater(np.abs(straight[f"probes/p/{field}"]).max(), 1e-3)

    def test_layers_are_added_to_a_second_order_mesh(self):
        boundaries = "pec: [x0, x1, y0, y1], pml: {faces: [z0, z1], thickness: 0.06, cells: 2}"
        straight, second = (self.run_box(boundaries, order) for order in (1, 2))
        self.near("layers", [(second[f"probes/p/{field}"] / np.abs(straight[f"probes/p/{field}"]).max(),
                              straight[f"probes/p/{field}"] / np.abs(straight[f"probes/p/{field}"]).max()) for field in "EH"], 1e-9)


class GmshMeshes(Checks):
    """A second-order .msh where the case gives no order."""
    WARNING = "line.msh has second-order elements, which are taken as straight"
    MARCH = """
mode: {mode}
mesh: {{file: line.msh}}
materials: {{air: {{}}}}
regions: {{air: air}}
boundaries: {{default: pec}}
initial_fields: {{E: ["x", "y", "0"]}}
method: {{basis: mixed-1{step}}}
time: {{steps: 1}}
outputs: {{energy: {{every: 1}}}}
run: {{threads: 1}}
"""

    def run_msh(self, text, *options):
        def write(folder):
            Lines().write_line(folder, 2, around=8)
            second_order.write_msh(folder / "line.h5", folder / "line.msh")

        return guide.run(self, text, *options, prepare=write)

    def test_the_frequency_domain_takes_its_curved_elements(self):
        line = Lines()
        text = line.line("type: tem, signal: inner", "pec: [inner, outer]").replace("line.h5", "line.msh")
        given = [self.run_msh(text, *options) for options in ((), ("--set=mesh.order=2",), ("--set=mesh.order=1",))]
        ohms = [results.port_attributes["a"]["impedance"] for results in given]
        self.assertEqual(ohms[0], ohms[1])
        self.assertGreater(abs(ohms[2] / ohms[0] - 1), 0.02)
        for results in given:
            self.assertNotIn("second-order", results.warnings)

    def test_marches_take_them_as_straight_and_warn_once_unless_that_is_asked_for(self):
        for mode, step in (("time-domain", ""), ("fetd", ", time_step: 1e-12")):
            text = self.MARCH.format(mode=mode, step=step)
            left, asked = self.run_msh(text), self.run_msh(text, "--set=mesh.order=1")
            self.assertEqual(left.warnings.count(self.WARNING), 1, left.warnings)
            self.assertNotIn("second-order", asked.warnings)
            self.assertTrue(np.array_equal(left["energy/total"], asked["energy/total"]))


if __name__ == "__main__":
    unittest.main()
