"""What runs write of the fields that they radiate: monostatic cross-sections, near fields beyond the mesh, the balance of power."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from frequency_domain import ETA0, Checks  # noqa: E402
from spheres import riccati  # noqa: E402
import test_fe_iiee as iiee  # noqa: E402
from test_fe_iiee import RADIUS, WAVELENGTH, Runs, case  # noqa: E402

K = 2 * np.pi / WAVELENGTH
NEAR = "near_field: [{{name: cut, frequencies: [1 GHz], {}}}]"
COARSE = ([RADIUS] + [RADIUS + gap * WAVELENGTH for gap in (0.05, 0.1)], {1: "sphere", 3: "S"})  # radii, surfaces


def with_outputs(text, more):
    return text.replace("outputs: {", f"outputs: {{{more}, ", 1)


def dipole_fields(points):
    """E and H of 1 A m along z at the origin."""
    x, y, z = points.T
    r = np.linalg.norm(points, axis=1)
    cosine, around = z / r, np.hypot(x, y)
    wave = np.exp(-1j * K * r) / (4 * np.pi * r)
    radial = 2 * ETA0 * cosine * (1 / r + 1 / (1j * K * r**2)) * wave
    polar = 1j * ETA0 * K * around / r * (1 + 1 / (1j * K * r) - 1 / (K * r) ** 2) * wave
    azimuthal = 1j * K * around / r * (1 + 1 / (1j * K * r)) * wave
    e_r, e_phi = points / r[:, None], np.stack([-y, x, 0 * x], axis=1) / np.maximum(around, 1e-300)[:, None]
    e_theta = np.cross(e_phi, e_r)
    return radial[:, None] * e_r + polar[:, None] * e_theta, azimuthal[:, None] * e_phi


def mie_fields(points):
    """E and H beside a sphere of metal of RADIUS in a wave of 1 V/m from the top, E along x: that of the books, which goes to the top
    (C. F. Bohren, D. R. Huffman, sections 4.1 to 4.4, with exp(+j w t)), turned by half a turn about x."""
    half_turn = np.array([1, -1, -1])
    points = points * half_turn
    r = np.linalg.norm(points, axis=1)
    rho, cosine = K * r, points[:, 2] / r
    sine, phi = np.sqrt(1 - cosine**2), np.arctan2(points[:, 1], points[:, 0])
    electric = np.exp(-1j * K * points[:, 2])[:, None] * np.array([1, 0, 0]) + 0j
    magnetic = np.exp(-1j * K * points[:, 2])[:, None] * np.array([0, 1, 0]) / ETA0 + 0j
    e_r = points / r[:, None]
    e_theta = np.stack([cosine * np.cos(phi), cosine * np.sin(phi), -sine], axis=1)
    e_phi = np.stack([-np.sin(phi), np.cos(phi), 0 * phi], axis=1)
    before, now = 0 * cosine, 1 + 0 * cosine  # pi_(n-1), pi_n

    def vector(radial, polar, azimuthal):
        return radial[:, None] * e_r + polar[:, None] * e_theta + azimuthal[:, None] * e_phi

    for n in range(1, 14):
        h_a, dh_a = riccati(n, K * RADIUS)
        a, b = dh_a.real / dh_a, h_a.real / h_a
        h, dh = np.array([riccati(n, x) for x in rho]).T
        tau = n * cosine * now - (n + 1) * before
        radial = n * (n + 1) * sine * now * h / rho**2
        m_odd = vector(0 * rho, np.cos(phi) * now * h / rho, -np.sin(phi) * tau * h / rho)
        m_even = vector(0 * rho, -np.sin(phi) * now * h / rho, -np.cos(phi) * tau * h / rho)
        n_odd = vector(np.sin(phi) * radial, np.sin(phi) * tau * dh / rho, np.cos(phi) * now * dh / rho)
        n_even = vector(np.cos(phi) * radial, np.cos(phi) * tau * dh / rho, -np.sin(phi) * now * dh / rho)
        size = (-1j) ** n * (2 * n + 1) / (n * (n + 1))
        electric += size * (-1j * a * n_even - b * m_odd)
        magnetic += size * (-1j * b * n_odd + a * m_even) / ETA0
        before, now = now, ((2 * n + 1) * cosine * now - (n + 1) * before) / n
    return electric * half_turn, magnetic * half_turn


def cut_of(results):
    group = next(name for name in results if name.endswith("near_field/cut/position")).removesuffix("position")
    return results[group + "position"], results[group + "E"][0], results[group + "H"][0]


class NearFields(Runs):
    def check(self, what, results, expected, tolerance):
        place, electric, magnetic = cut_of(results)
        wanted_e, wanted_h = expected(place)
        size_e, size_h = np.linalg.norm(wanted_e, axis=1)[:, None], np.linalg.norm(wanted_h, axis=1)[:, None]
        self.near(what, [(electric / size_e, wanted_e / size_e), (magnetic / size_h, wanted_h / size_h)], tolerance)

    def run_dipole(self, mode, where):
        text = case("pmc: [x0, y0], pec: [z0]" + (", absorbing: [S]" if mode == "frequency-domain" else ""), "inner", waves="",
                    symmetry=iiee.Dipoles.EIGHTH, core=1, basis="full-2", more=iiee.Dipoles.DIPOLE.format(0.125), tolerance=1e-3, mode=mode)
        radii = [WAVELENGTH * size for size in (0.06, 0.13, 0.2, 0.3)]
        return self.run_spheres(with_outputs(text, NEAR.format(where)), radii, {3: "inner", 4: "S"}, core=2, whole="")

    def test_those_of_a_point_current_are_its_closed_form_in_all_octants(self):
        """In the mesh, beyond it, and behind the planes of an eighth."""
        places = [[0.11, 0.13, 0.2], [-0.1, 0.15, 0.3], [0.1, -0.15, -0.2], [-0.3, -0.2, -0.5], [1.5, 0.2, 0.7], [0.04, -0.03, 0.05]]
        results = self.run_dipole("fe-iiee", f"points: {places}")
        np.testing.assert_allclose(cut_of(results)[0], places)
        self.check("point current, near fields", results, dipole_fields, 0.03)

    def test_those_from_an_absorbing_sphere_are_the_closed_form(self):
        """The walls send a little back, which adds nothing outside."""
        results = self.run_dipole("frequency-domain", "line: {start: [0.2, 0.1, 0.3], stop: [0.8, -0.5, -0.9], points: 7}")
        self.check("point current, near fields from an absorbing sphere", results, dipole_fields, 0.1)

    def test_those_of_a_sphere_in_a_wave_are_the_series(self):
        """A quarter of it; the total field, on a line through the shadow and in a plane with points in the metal."""
        radii = [RADIUS * n / 3 for n in (1, 2, 3)] + [RADIUS + n * 0.05 * WAVELENGTH for n in (1, 2)]
        text = case("pec: [sphere, x0], pmc: [y0]", symmetry="symmetry: [{axis: x, wall: pec}, {axis: y, wall: pmc}]", tolerance=1e-5)
        mesh = {"core": 3, "hollow": True, "whole": "z"}
        for what, where in (("line", "line: {start: [0.09, -0.1, -0.4], stop: [-0.12, 0.11, 0.3], points: 15}"),
                            ("plane", "plane: {corner: [-0.3, 0.011, -0.3], first: [0.3, 0.012, -0.3], second: [-0.3, 0.013, 0.3], points: [7, 5]}")):
            results = self.run_spheres(with_outputs(text, NEAR.format(where)), radii, {3: "sphere", 5: "S"}, **mesh)
            place, electric, magnetic = cut_of(results)
            far = np.linalg.norm(place, axis=1) / RADIUS
            inside, meshed, beyond = far < 0.9, (far > 1) & (far < 1.6), far > radii[-1] / RADIUS
            self.assertTrue(np.isnan(electric[inside]).all() and np.isnan(magnetic[inside]).all())
            if what == "plane":
                self.assertEqual(len(place), 35)
                self.assertGreater(inside.sum(), 0)
            for where, chosen, tolerance in (("in the mesh", meshed, 0.2), ("beyond it", beyond, 4e-3)):
                if chosen.any():
                    wanted_e, wanted_h = mie_fields(place[chosen])
                    self.near(f"sphere of metal, near fields, {what}, {where}",
                              [(electric[chosen], wanted_e), (magnetic[chosen] * ETA0, wanted_h * ETA0)], tolerance)

    def test_those_of_two_ranks_are_those_of_one(self):
        text = with_outputs(case(), NEAR.format("points: [[0.3, 0.1, 0.2], [0, 0, -0.2]]"))
        one, two = (self.run_spheres(text, *COARSE, core=1, hollow=True, ranks=ranks) for ranks in (1, 2))
        for found, wanted in zip(cut_of(two), cut_of(one)):
            np.testing.assert_array_equal(found, wanted)


class Monostatic(Runs):
    WAVES = ("{theta: {start: 0, stop: 180, points: 3}, phi: [0, 35], polarization: theta}, "
             "{theta: [20, 100], phi: 70, polarization: phi}")

    def run_sweep(self, **options):
        text = case(waves=self.WAVES, tolerance=1e-5, **options)
        bistatic = text.replace("theta: [0, 90, 180], phi: [0, 90]", "theta: [0, 20, 90, 100, 180], phi: [0, 35, 70], monostatic: true")
        alone = text.replace("theta: [0, 90, 180], phi: [0, 90]", "monostatic: true")
        self.assertNotEqual(text, bistatic)
        return [self.run_spheres(one, *COARSE, core=1, hollow=True) for one in (bistatic, alone)]

    def check(self, what, options, exact, tolerance):
        both, alone = self.run_sweep(**options)
        theta, phi, kind, sigma, co = (alone["monostatic/1000000000/" + key] for key in ("theta", "phi", "polarization", "sigma", "sigma_co"))
        np.testing.assert_array_equal(theta, [0, 0, 90, 90, 180, 180, 20, 100])
        np.testing.assert_array_equal(phi, [0, 35, 0, 35, 0, 35, 70, 70])
        np.testing.assert_array_equal(kind, [0] * 6 + [1] * 2)
        self.assertNotIn("rcs/1000000000/sigma", alone)
        rcs = both["rcs/1000000000/sigma"]
        at = [np.flatnonzero((both["rcs/1000000000/theta"] == t) & (both["rcs/1000000000/phi"] == p))[0] for t, p in zip(theta, phi)]
        self.near(f"{what}: monostatic and bistatic", [(sigma / rcs.max(), rcs[at, np.arange(8)] / rcs.max()),
                                                       (both["monostatic/1000000000/sigma"] / sigma, 1)], 1e-12)
        self.near(f"{what}: monostatic and series", [(sigma / (np.pi * RADIUS**2 * exact), 1), (co / sigma, 1)], tolerance)

    def test_that_of_a_sphere_is_the_series_from_everywhere(self):
        self.check("integral equation", {}, 3.637567, 0.06)

    def test_that_of_a_sphere_in_an_absorbing_one_is_the_series_from_everywhere(self):
        """At this gap an absorbing sphere has 2.58886."""
        text = {"mode": "frequency-domain", "boundaries": "pec: [sphere], absorbing: [S]"}
        self.check("absorbing sphere", text, 2.58886, 0.08)


class Balance(Checks):
    run_open_guide = iiee.Antennas.run_open_guide
    LOSSES = (("none", lambda text: text, 0),
              ("medium", lambda text: text.replace("air: {}", "air: {}, filling: {sigma: 0.02 S/m}").replace("end: air", "end: filling"), 0.02),
              ("resistive walls", lambda text: text.replace("y0, liner]", "y0], impedance: {liner: 20 ohm}"), 0.02),
              ("walls of a conductor", lambda text: text.replace("y0, liner]", "y0], conductor: {liner: 100 S/m}"), 0.02))

    def test_what_a_port_accepts_is_radiated_or_lost(self):
        """An open guide with losses of several kinds: with them power through the surface has no error of the mesh."""
        for what, change, least in self.LOSSES:
            results = self.run_open_guide(1, lambda text: change(text).replace("top]}", "top], tolerance: 1e-7}"))
            far = results.far_attributes["10000000000"]
            self.assertGreaterEqual(far["lost_power"] / far["accepted_power"], least, what)
            self.near(f"balance, {what}", [((far["surface_power"] + far["lost_power"]) / far["accepted_power"], 1)], 2e-4)
            self.near(f"balance of the pattern, {what}", [(far["power_balance"], 1)], 0.005)
            self.near(f"balance as written, {what}", [(far["power_balance"], (far["radiated_power"] + far["lost_power"]) / far["accepted_power"])], 1e-12)
            self.assertNotIn("not balanced", results.warnings)


if __name__ == "__main__":
    unittest.main()
