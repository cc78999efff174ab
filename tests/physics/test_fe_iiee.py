"""Mode fe-iiee by the program: finite elements that an integral equation truncates, against closed forms."""

import json
import math
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
from frequency_domain import ETA0, Checks, plates, write_part  # noqa: E402
from layers import C0  # noqa: E402
from sphere_iterations import count_to, gmres_changes, modes  # noqa: E402
from spheres import changes, cross_sections, partial_waves, write_spheres  # noqa: E402

HERE = Path(__file__).resolve().parent
PROGRAM = Path(os.environ.get("TETRAWAVE_PROGRAM", ""))
WAVELENGTH = C0 / 1e9
RADIUS = WAVELENGTH / (2 * np.pi)  # k a = 1
TOP = "{theta: 0, phi: 0, polarization: theta}"
QUARTER = "symmetry: [{axis: x, wall: pec}, {axis: y, wall: pmc}]"
ANGLES = [180, 90, 0]  # to the way of the wave from the top


def case(boundaries="pec: [sphere]", inner="sphere", waves=TOP, frequency="1 GHz", tolerance=1e-3, theta="[0, 90, 180]", phi="[0, 90]",
         symmetry="", images="", core=None, basis="mixed-2", method="method: direct", mode="fe-iiee", more=""):
    """A case of the mesh spheres.h5; with a dielectric core where `core` is its eps_r. `symmetry` stands in far_field, `images` in iiee."""
    iiee = f"iiee: {{outer: S, inner: {inner}, tolerance: {tolerance}{', ' + images if images else ''}}}\n" if mode == "fe-iiee" else ""
    drive = f"plane_waves: [{waves}]\n" if waves else ""
    return f"""
mode: {mode}
mesh: {{file: spheres.h5}}
materials: {{air: {{}}, core: {{eps_r: {core or 1}}}}}
regions: {{air: air{', core: core' if core else ''}}}
boundaries: {{{boundaries}}}
method: {{basis: {basis}}}
frequency: {{values: [{frequency}]}}
solver: {{{method}}}
outputs: {{far_field: {{frequencies: [{frequency}], theta: {theta}, phi: {phi}{', ' + symmetry if symmetry else ''}}}}}
run: {{threads: 1}}
{iiee}{drive}{more}"""


class Runs(Checks):
    def run_spheres(self, text, radii, surfaces, *options, ranks=1, **mesh):
        return guide.run(self, text, *options, ranks=ranks,
                         prepare=lambda folder: write_spheres(folder / "spheres.h5", radii, surfaces, **mesh))

    def run_metal(self, text, gap, across, layers):
        """A quarter of a sphere of metal in one of air, `gap` wavelengths wide, and its cross-sections: at ANGLES in the plane
        of E, and at 90 degrees in that of H."""
        width = gap * WAVELENGTH / layers
        radii = [RADIUS * n / across for n in range(1, across + 1)] + [RADIUS + n * width for n in range(1, layers + 1)]
        results = self.run_spheres(text, radii, {across: "sphere", across + layers: "S"}, core=across, hollow=True, whole="z")
        return results, four_of(results)


def four_of(results):
    """Directions are all phi of the first theta, then the next."""
    sigma = results["rcs/1000000000/sigma"][:, 0] / (np.pi * RADIUS**2)
    return sigma[[0, 2, 4, 3]]


def four_sections(outer, index, iterations=math.inf):
    return np.append(cross_sections(1, outer, index, ANGLES, iterations), cross_sections(1, outer, index, [90], iterations, "H"))


METAL_QUARTER = {"boundaries": "pec: [sphere, x0], pmc: [y0]", "symmetry": QUARTER}


class Series(Checks):
    def test_series_has_the_given_iterations(self):
        for gap, iterations, given in ((0.1, 0, (2.58886, 0.66384, 1.17749)), (0.1, 1, (3.43444, 0.62456, 1.55025)),
                                           (0.1, 2, (3.59579, 0.61722, 1.66488)), (0.1, 3, (3.63037, 0.61790, 1.68332)),
                                           (0.3, 1, (3.65318, 0.61828, 1.70297)), (0.3, 2, (3.63609, 0.61787, 1.68679)),
                                           (0.1, math.inf, (3.637567, 0.617882, 1.687479, 2.862775))):
            found = four_sections(1 + 2 * np.pi * gap, 0, iterations)[:len(given)]
            self.near(f"series, {gap}, {iterations}", [(found, given)], 2e-5)
        self.near("series, dielectric", [(four_sections(2, 2), (0.535788, 0.033597, 2.008222, 1.096014))], 2e-6)
        for gap, given in ((0.05, 0.332), (0.1, 0.186), (0.2, 0.096)):
            self.near(f"series, rate at {gap}", [(rate_of(1 + 2 * np.pi * gap), given)], 1e-3)


def rate_of(outer):
    """Of the slowest partial wave of a sphere of metal."""
    return max(abs(rest) for n in range(1, 6) for _, rest in partial_waves(n, 1, outer, 0))


class Spheres(Runs):
    def test_sphere_of_metal(self):
        _, found = self.run_metal(case(**METAL_QUARTER), 0.1, 3, 2)
        self.near("metal, a gap of 0.1 wavelengths", [(found / four_sections(2, 0), 1)], 0.02)

    def test_iterations_and_their_rate(self):
        """Changes of the boundary values, and the cross-sections over those at the end, which share the error of the mesh."""
        for gap, layers, tolerance, after in ((0.1, 2, 0.01, 1e-3), (0.05, 1, 0.04, 3e-3)):
            outer = 1 + 2 * np.pi * gap
            results, last = self.run_metal(case(**METAL_QUARTER, tolerance=1e-6, images="method: plain"), gap, 2, layers)
            errors = results["iiee/error"]
            self.assertEqual(errors[0], 1)
            steps = np.arange(1, len(errors))
            self.near(f"changes, {gap}", [(errors[1:] ** (1 / steps) / changes(1, outer, 0, len(errors))[1:] ** (1 / steps), 1)], tolerance)
            self.near(f"last change over the one before, {gap}", [(errors[5] / errors[4] / rate_of(outer), 1)], 0.04)
            absorbing = dict(METAL_QUARTER, boundaries=METAL_QUARTER["boundaries"] + ", absorbing: [S]", mode="frequency-domain")
            runs = [(0, absorbing)] if layers > 1 else []  # which needs elements on both sides of its currents
            runs += [(2, dict(METAL_QUARTER, images="method: plain", tolerance=math.sqrt(errors[1] * errors[0]))),
                     (3, dict(METAL_QUARTER, images="method: plain, iterations: 3"))]
            for iterations, options in runs:
                results, found = self.run_metal(case(**options), gap, 2, layers)
                if iterations:
                    self.assertEqual(len(results["iiee/error"]), iterations)
                    self.near("the same changes", [(results["iiee/error"], errors[:iterations])], 1e-9)
                wanted = four_sections(outer, 0, iterations) / four_sections(outer, 0)
                self.near(f"metal, a gap of {gap}, {iterations} iterations", [(found / last, wanted)], after if iterations else 6e-3)

    def test_gmres_and_its_residuals(self):
        """Residuals are those of the partial waves, k a = 1 and 5, S 0.1 wavelengths away, and both iterations have one answer."""
        for size, tolerance in ((1, 0.03), (5, 0.1)):
            radii = [RADIUS * n / 3 for n in (1, 2, 3)] + [RADIUS + gap / size * WAVELENGTH for gap in (0.05, 0.1)]
            text = case(**METAL_QUARTER, frequency=f"{size} GHz", tolerance=1e-6)
            gmres, plain = (self.run_spheres(text.replace("tolerance", f"method: {method}, tolerance", 1), radii, {3: "sphere", 5: "S"},
                                             core=3, hollow=True, whole="z") for method in ("gmres", "plain"))
            errors = gmres["iiee/error"]
            wanted = gmres_changes(size, size + 0.2 * np.pi, len(errors))
            self.near(f"residuals of gmres, k a = {size}", [((errors / wanted) ** (1 / np.arange(1, len(errors) + 1)), 1)], tolerance)
            self.assertLess(len(errors), len(plain["iiee/error"]))
            sigma, expected = (run[f"rcs/{size}000000000/sigma"] for run in (gmres, plain))
            self.near(f"gmres and plain, k a = {size}", [(sigma / expected.max(), expected / expected.max())], 1e-5)

    def test_currents_on_metal_and_in_the_air(self):
        radii = [RADIUS * size for size in (0.5, 1, 1.3, 1 + 0.2 * np.pi)]
        sections = []
        for inner in ("sphere", "inner"):
            results = self.run_spheres(case(**METAL_QUARTER, inner=inner), radii, {2: "sphere", 3: "inner", 4: "S"}, core=2, hollow=True,
                                       whole="z")
            sections.append(four_of(results))
        self.near("currents in the air over those on metal", [(sections[1] / sections[0], 1)], 1e-3)
        self.near("metal, coarse", [(section / four_sections(2, 0), 1) for section in sections], 0.04)

    def test_dielectric_sphere(self):
        """Currents on its face and in the air."""
        radii = [RADIUS * size for size in (0.5, 1, 1.3, 1.3 + 0.2 * np.pi)]
        for inner in ("sphere", "inner"):
            results = self.run_spheres(case("pec: [x0], pmc: [y0]", inner, symmetry=QUARTER, core=4), radii,
                                       {2: "sphere", 3: "inner", 4: "S"}, core=2, whole="z")
            self.near(f"dielectric, {inner}", [(four_of(results) / four_sections(2, 2), 1)], 0.03)


class Balls(Checks):
    """Two balls of metal of 30 mm, 50 mm off the origin on the axis of the wave's way. Multipoles about both centres (14 orders)
    that meet E = 0 on both give these cross-sections [m^2]: back, 90 degrees in the planes of E and H, forward."""
    SECTIONS = (4.534e-3, 4.659e-4, 1.507e-3, 3.240e-3)

    def balls(self, inner):
        text = case("pec: [up, low, x0], pmc: [y0]", inner, symmetry=QUARTER).replace("regions: {air: air}", "regions: {inner: air, outer: air}")
        return text.replace("{file: spheres.h5}", f"{{file: {HERE}/two_balls.geo, order: 2}}").replace("mode:", "units: mm\nmode:")

    @unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
    def test_two_balls(self):
        """Currents on both, or in the air about both."""
        for inner in ("[up, low]", "near"):
            sigma = guide.run(self, self.balls(inner))["rcs/1000000000/sigma"][[0, 2, 3, 4], 0]
            self.near(f"two balls, {inner}", [(sigma / self.SECTIONS, 1)], 0.03)

    @unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
    def test_a_ball_beyond_the_currents_is_refused(self):
        with tempfile.TemporaryDirectory() as place:
            (Path(place) / "case.yaml").write_text(self.balls("up"), encoding="utf-8")
            done = subprocess.run([PROGRAM, "run", "case.yaml", "--quiet"], cwd=place, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, 78, done.stderr)
        self.assertIn("error: pec group 'low' has faces, the first near (", done.stderr)


class Dipoles(Runs):
    DIPOLE = "sources: [{{type: dipole, position: [0, 0, 0], direction: [0, 0, 1], amplitude: {}}}]\n"
    EIGHTH = "symmetry: [{axis: x, wall: pmc}, {axis: y, wall: pmc}, {axis: z, wall: pec}]"

    def test_point_current_in_a_sphere(self):
        """1 A m along z: nothing comes back, so that what the mesh lets S see is all that changes after the first step."""
        self.check_point_current("point current", self.EIGHTH, 1e-3)

    def test_far_field_of_another_surface(self):
        self.check_point_current("point current, far field of another surface", self.EIGHTH + ", surface: [core]", 1e-3)

    def check_point_current(self, what, far_field, tolerance):
        theta = np.arange(0, 95, 5)
        text = case("pmc: [x0, y0], pec: [z0]", "inner", waves="", symmetry=far_field, theta="{start: 0, stop: 90, points: 19}", core=1,
                    phi="[0, 30, 90]", basis="full-2", more=self.DIPOLE.format(0.125), tolerance=0.02)
        radii = [WAVELENGTH * size for size in (0.06, 0.13, 0.2, 0.3)]
        results = self.run_spheres(text, radii, {3: "inner", 4: "S"}, core=2, whole="")
        far = {name: results["far_field/1000000000/" + name] for name in ("E_theta", "E_phi", "directivity")}
        self.assertLessEqual(len(results["iiee/error"]), 2)
        sine = np.sin(np.radians(theta))[:, None]
        scale = ETA0 / (2 * WAVELENGTH)
        # Within a plane of theta, over both halves.
        power = np.mean(np.abs(far["E_theta"]) ** 2, axis=1) / (2 * ETA0) @ (sine[:, 0] * np.radians(5) * ([1] * 18 + [0.5])) * 4 * np.pi
        self.near(what, [(far["E_theta"] / scale, 1j * sine + 0 * far["E_theta"]), (far["E_phi"] / scale, 0),
                         (10 ** (far["directivity"] / 10) / 1.5, sine**2 + 0 * far["directivity"]),
                         (power / (ETA0 * np.pi / 3 / WAVELENGTH**2), 1)], tolerance)


class Antennas(Checks):
    def run_open_guide(self, beyond, change=lambda text: text):
        """A quarter of WR-90 that ends in a metal plane, which images stand for; `beyond` cells between S' and S. The half of the guide
        at the plane is the region end, its walls are the group liner."""
        deep, inside = 4, (5, 4, 2)  # cells of the guide, 3 x 2 across, and within S'
        ends = [cells + beyond for cells in inside]
        size = np.array([0.01143 / 3, 0.00508 / 2, 0.005])

        def place(point):
            across = [c * s if c <= n else n * s + (c - n) * 0.006 for c, s, n in zip(point, size, (3, 2))]
            return [*across, (point[2] - deep) * size[2]]

        def is_left(element):
            return all(p[2] >= deep for p in element) or all(p[0] <= 3 and p[1] <= 2 and p[2] <= deep for p in element)

        def is_end(points):
            return all(deep // 2 <= p[2] <= deep for p in points)

        def group_of(face):
            names = [all(p[0] == 0 for p in face), all(p[1] == 0 for p in face), all(p[2] == 0 for p in face),
                     any(all(p[axis] == end for p in face) for axis, end in enumerate((ends[0], ends[1], ends[2] + deep)))]
            return names.index(True) if True in names else 7 if is_end(face) and any(p[2] < deep for p in face) else 4

        def region_of(element):
            return int(is_end(element))

        tops = (inside[0], inside[1], inside[2] + deep)

        def inner_group_of(face):
            lies = any(all(p[axis] == top for p in face) for axis, top in enumerate(tops))
            if not lies or any(p[axis] > top for p in face for axis, top in enumerate(tops)) or min(p[2] for p in face) < deep:
                return None
            return 6 if all(p[2] == tops[2] for p in face) else 5

        def write(folder):
            elements = [e for e in meshes.cut_grid((*ends[:2], ends[2] + deep)) if is_left(e)]
            write_part(folder / "guide.h5", elements, place, group_of, ["x0", "y0", "port", "S", "metal", "sides", "top", "liner"],
                       region_of=region_of, regions=("air", "end"), inner_group_of=inner_group_of)

        planes = "symmetry: [{axis: x, wall: pmc}, {axis: y, wall: pec}], ground: {axis: z}"
        far = f"far_field: {{frequencies: [10 GHz], theta: {{start: 0, stop: 90, points: 46}}, phi: {{start: 0, stop: 90, points: 10}}, {planes}}}"
        port = "{name: p, boundary: port, type: rectangular-waveguide, symmetry: [pmc, pec], excite: {amplitude: 2}}"
        text = plates([port], "pec: [metal, y0, liner], pmc: [x0]", frequency="{values: [10 GHz]}", outputs=far, regions="air: air, end: air")
        text = text.replace("mode: frequency-domain", "mode: fe-iiee") + "iiee: {outer: S, inner: [sides, top]}\n"
        return guide.run(self, change(text), prepare=write)

    def run_guide(self, beyond):
        results = self.run_open_guide(beyond)
        far = {name: results["far_field/10000000000/" + name] for name in ("theta", "phi", "E_theta", "E_phi", "directivity")}
        theta, phi = np.radians(far["theta"]), np.radians(far["phi"])
        intensity = (np.abs(far["E_theta"]) ** 2 + np.abs(far["E_phi"]) ** 2) / (2 * ETA0)
        weights = [np.concatenate(([0.5], np.ones(len(x) - 2), [0.5])) * (x[1] - x[0]) for x in (theta, phi)]
        s11 = results["s_parameters/S"][0, 0, 0]
        power = 4 * (weights[0] * np.sin(theta)) @ intensity @ weights[1] / (2 * (1 - abs(s11) ** 2))
        print(len(results["iiee/error"]), "iterations")
        return s11, power, 10 ** (far["directivity"][0, 0] / 10)

    def test_open_guide_in_a_plane(self):
        """S is 0.2 or 0.4 wavelengths outside of the currents."""
        (near_s, near_power, near_gain), (far_s, far_power, far_gain) = (self.run_guide(beyond) for beyond in (1, 2))
        self.near("open guide, power far away over accepted", [(near_power, 1), (far_power, 1)], 5e-3)
        self.near("open guide, S11 and directivity of two meshes", [(near_s, far_s), (near_gain / far_gain, 1)], 1e-3)


class Agreement(Runs):
    """On coarse meshes: the same by other ways."""
    RADII = [RADIUS, 1.6 * RADIUS]
    SURFACES = {1: "sphere", 2: "S"}

    def run_coarse(self, *options, ranks=1, whole="z", **text):
        return self.run_spheres(case(**text), self.RADII, self.SURFACES, *options, ranks=ranks, core=1, hollow=True, whole=whole)

    def test_planes_of_symmetry(self):
        quarter = self.run_coarse(**METAL_QUARTER)
        whole = self.run_coarse(whole="xyz")
        half = self.run_coarse(whole="yz", boundaries="pec: [sphere, x0]", images="symmetry: [{axis: x, wall: pec}]")
        for results in (quarter, half):
            self.near("symmetry", [(results["iiee/error"], whole["iiee/error"]),
                                   (results["rcs/1000000000/sigma"] / (np.pi * RADIUS**2), whole["rcs/1000000000/sigma"] / (np.pi * RADIUS**2))],
                      1e-9)

    def test_denser_medium_around(self):
        """Of index 2 at half of the frequency: waves are as long, and scatter as much."""
        air = self.run_coarse(**METAL_QUARTER)
        text = case(**METAL_QUARTER, frequency="500 MHz").replace("air: {}", "air: {eps_r: 8, mu_r: 0.5}")
        dense = self.run_spheres(text, self.RADII, self.SURFACES, core=1, hollow=True, whole="z")
        self.near("denser medium", [(dense["iiee/error"], air["iiee/error"]),
                                    (dense["rcs/500000000/sigma"] / air["rcs/1000000000/sigma"], 1)], 1e-9)

    def test_plane_waves_pass_an_empty_mesh(self):
        waves = ((30, 20, "theta"), (130, 250, "phi"))
        point = np.array([0.021, 0.013, -0.032])
        text = case("", "inner", ", ".join(f"{{theta: {theta}, phi: {phi}, polarization: {kind}}}" for theta, phi, kind in waves))
        text = text.replace("outputs: {", f"outputs: {{probes: [{{name: p, point: {list(point)}}}], ")
        results = self.run_spheres(text, [0.03, 0.06], {1: "inner", 2: "S"})
        for number, (theta, phi, kind) in enumerate(waves):
            t, f = np.radians([theta, phi])
            source = np.array([np.sin(t) * np.cos(f), np.sin(t) * np.sin(f), np.cos(t)])
            across = (np.array([np.cos(t) * np.cos(f), np.cos(t) * np.sin(f), -np.sin(t)]) if kind == "theta" else
                      np.array([-np.sin(f), np.cos(f), 0]))
            wave = np.exp(2j * np.pi / WAVELENGTH * source @ point)
            found = [results[f"excitations/wave-{number}/probes/p/{field}"][0] for field in "EH"]
            self.near(f"plane wave {number}, E, of the mesh", [(found[0], across * wave)], 5e-3)
            self.near(f"plane wave {number}, H, of the mesh", [(found[1] * ETA0, -np.cross(source, across) * wave)], 0.04)
        self.assertEqual(list(results["iiee/error"]), [0])
        self.assertEqual(results["rcs/1000000000/sigma"].max(), 0)

    def test_waves_at_once_and_alone(self):
        waves = ["{theta: 30, phi: 20, polarization: theta}", "{theta: 110, phi: 250, polarization: phi}"]
        both = self.run_coarse(whole="xyz", waves=", ".join(waves), tolerance=1e-7)
        self.assertEqual(both["rcs/1000000000/sigma"].shape, (6, 2))
        for number, wave in enumerate(waves):
            alone = self.run_coarse(whole="xyz", waves=wave, tolerance=1e-7)
            sigma = alone["rcs/1000000000/sigma"][:, 0]
            self.near(f"wave {number}", [(both["rcs/1000000000/sigma"][:, number] / sigma.max(), sigma / sigma.max())], 1e-6)

    def test_frequencies_ranks_and_solvers(self):
        several = dict(METAL_QUARTER, frequency="0.8 GHz, 1 GHz, 1.3 GHz", tolerance=1e-4)
        one, two = (self.run_coarse(**several, ranks=ranks) for ranks in (1, 2))
        steps = one["iiee/iterations"]
        self.assertEqual(one["iiee/error"].shape, (3, max(steps)))
        for number, hertz in enumerate((800000000, 1000000000, 1300000000)):
            alone = self.run_coarse(**dict(several, frequency=f"{hertz} Hz"))
            np.testing.assert_array_equal(alone["iiee/error"], one["iiee/error"][number][:steps[number]])
            self.assertTrue(np.isnan(one["iiee/error"][number][steps[number]:]).all())
            self.assertLessEqual(alone["iiee/error"][-1], 1e-4)
            self.assertGreater(alone["iiee/error"][-2], 1e-4)
            np.testing.assert_array_equal(alone[f"rcs/{hertz}/sigma"], one[f"rcs/{hertz}/sigma"])
        self.assertEqual(sorted(one), sorted(two))
        for name in one:
            if "seconds" not in name and "pairs" not in name:
                np.testing.assert_array_equal(one[name], two[name], name)
        iterated = self.run_coarse(**several, method="method: bicgstab, tolerance: 1e-9")
        for hertz in (800000000, 1000000000, 1300000000):
            sigma = one[f"rcs/{hertz}/sigma"]
            self.near(f"BiCGStab, {hertz}", [(iterated[f"rcs/{hertz}/sigma"] / sigma.max(), sigma / sigma.max())], 1e-6)

    def test_a_run_that_ends_at_max_iterations_keeps_what_it_has(self):
        """Of three frequencies one needs another iteration: its results are those of the second one, marked; those of the
        others are whole."""
        frequencies = (800000000, 1000000000, 1300000000)
        several = dict(METAL_QUARTER, frequency=", ".join(f"{hertz} Hz" for hertz in frequencies), tolerance=1e-4, images="method: plain")
        whole = self.run_coarse(**several)
        self.assertEqual(list(whole["iiee/converged"]), [1, 1, 1])
        most = max(whole["iiee/iterations"]) - 1
        is_whole = [int(count <= most) for count in whole["iiee/iterations"]]
        self.assertIn(1, is_whole)
        errors = []
        for ranks in (1, 2):
            with tempfile.TemporaryDirectory() as place:
                folder = Path(place)
                write_spheres(folder / "spheres.h5", self.RADII, self.SURFACES, core=1, hollow=True, whole="z")
                (folder / "case.yaml").write_text(case(**several), encoding="utf-8")
                launch = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
                done = subprocess.run([*launch, os.environ["TETRAWAVE_PROGRAM"], "run", "case.yaml", "-o", "out", "--set",
                                       f"iiee.max_iterations={most}"], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
                self.assertEqual(done.returncode, 76, done.stderr)
                self.assertIn(f"after iteration {most} of the integral equation", done.stderr)
                self.assertIn("marked with converged 0", done.stderr)
                self.assertIn("(not converged)", (folder / "out/log.txt").read_text(encoding="utf-8"))
                self.assertTrue((folder / "out/far_field_wave-0_800000000.csv").exists())
                with h5py.File(folder / "out/results.h5") as file:
                    self.assertEqual(file.attrs["converged"], 0)
                    found = {name: file[name][()] for name in guide.names_of(file)}
                    errors.append(found["iiee/error"])
                    self.assertEqual(file["iiee"].attrs["last_error"], found["iiee/error"][:, -1][np.array(is_whole) == 0].max())
            self.assertEqual(list(found["iiee/converged"]), is_whole)
            for number, hertz in enumerate(frequencies):
                np.testing.assert_array_equal(found["iiee/error"][number], whole["iiee/error"][number][:most])
                sigma, wanted = found[f"rcs/{hertz}/sigma"], whole[f"rcs/{hertz}/sigma"]
                if is_whole[number]:
                    np.testing.assert_array_equal(sigma, wanted)
                else:
                    self.assertGreater(np.abs(sigma - wanted).max(), 0)
                    self.near("the last but one", [(sigma / wanted.max(), wanted / wanted.max())], 1e-2)
        np.testing.assert_array_equal(errors[0], errors[1])

    def test_a_fixed_number_of_iterations(self):
        whole = self.run_coarse(**METAL_QUARTER, tolerance=1e-6)
        for count in (1, 3):
            fixed = self.run_coarse(**METAL_QUARTER, images=f"iterations: {count}")
            np.testing.assert_array_equal(fixed["iiee/error"], whole["iiee/error"][:count])
            self.assertEqual(fixed["iiee/converged"][0], 0)
        more = self.run_coarse(**METAL_QUARTER, tolerance=0.1, images="iterations: 4")
        np.testing.assert_array_equal(more["iiee/error"], whole["iiee/error"][:4])
        self.assertEqual(more["iiee/converged"][0], 1)

    def test_check_forecasts_the_outer_iteration(self):
        """From the size of the sphere and its distance from S, as its partial waves have it; plain updates that diverge are warned of."""
        for size, diverges in ((1, False), (30, True)):
            with tempfile.TemporaryDirectory() as place:
                radii = [RADIUS * n / 3 for n in (1, 2, 3)] + [RADIUS + 0.1 / size * WAVELENGTH]
                write_spheres(Path(place) / "spheres.h5", radii, {3: "sphere", 4: "S"}, core=3, hollow=True, whole="z")
                (Path(place) / "case.yaml").write_text(case(**METAL_QUARTER, frequency=f"{size} GHz", images="method: plain"), encoding="utf-8")
                done = subprocess.run([PROGRAM, "check", "case.yaml", "--json"], cwd=place, capture_output=True, text=True, check=True)
            found = json.loads(done.stdout)
            forecast = found["iiee"]
            self.near(f"size and gap, k a = {size}", [(forecast["size"] / size, 1), (forecast["gap_wavelengths"] / 0.1, 1)], 0.1)
            waves = forecast["size"], forecast["size"] + 2 * np.pi * forecast["gap_wavelengths"]
            self.near("rate", [(forecast["plain_rate"], np.abs(modes(*waves)[1]).max())], 1e-6)
            self.assertEqual(str(forecast["gmres_iterations"]), count_to(gmres_changes(*waves, 60), 1e-3))
            self.assertEqual(forecast["plain_iterations"] == 0, diverges)
            self.assertEqual(sum("iiee.method: plain leaves about" in text for text in found["warnings"]), int(diverges))

    def test_results_of_the_mode(self):
        results = self.run_coarse(**METAL_QUARTER)
        self.assertEqual(results["iiee/error"].ndim, 1)
        for name in ("seconds_iiee", "seconds_solve", "pairs_per_second"):
            self.assertGreater(results["iiee/" + name], 0)
        self.assertEqual(results["rcs/1000000000/sigma"].shape, (6, 1))
        self.assertEqual(list(results["rcs/1000000000/theta"]), [0, 0, 90, 90, 180, 180])
        self.assertEqual(list(results["rcs/1000000000/phi"]), [0, 90, 0, 90, 0, 90])
        self.assertEqual(results.mode, "fe-iiee")
        self.assertNotIn("ignored: used only", results.warnings)

    def test_keys_of_no_account_are_named(self):
        results = self.run_coarse(**METAL_QUARTER, method="method: direct, preconditioner: ilu")
        self.assertEqual(results.warnings.count("warning: solver.preconditioner: ignored: used only with solver.method: bicgstab"), 1)


if __name__ == "__main__":
    unittest.main()
