"""Fields given at t = 0 beside walls with losses: the energy in DFDD-ELD against that in DGTD-Central, and what is left
for ever. Second-order equations keep what does not fit their first integral."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import meshes  # noqa: E402
from layers import C0  # noqa: E402

MU0 = 1.25663706212e-6
A, B, D = 0.02, 0.01, 0.024
KX, KZ = np.pi / A, np.pi / D
W = C0 * np.hypot(KX, KZ)
ELECTRIC = f"E: ['0', 'sin({KX}*x)*sin({KZ}*z)', '0']"
MAGNETIC = f"H: ['{KZ / (W * MU0)}*sin({KX}*x)*cos({KZ}*z)', '0', '{-KX / (W * MU0)}*cos({KX}*x)*sin({KZ}*z)']"
GIVEN = {"E": ELECTRIC, "H": MAGNETIC, "both": ELECTRIC + ", " + MAGNETIC}  # TE101
ENDS = {"absorbing": "absorbing: [z0, z1]", "200 ohm": "impedance: {z0: 200, z1: 200}",
        "1.45 ohm": "impedance: {z0: 1.45, z1: 1.45}", "10 kohm": "impedance: {z0: 1e4, z1: 1e4}",
        "port": "absorbing: []", "metal": "default: pec"}
PORTS = "".join(f"\n  - {{name: {name}, boundary: {name}, type: rectangular-waveguide, mode: TE10}}" for name in ("z0", "z1"))
CASE = """\
mesh: {mesh}
materials: {{air: {{}}}}
regions: {{{region}: air}}
boundaries: {{pec: [x0, x1, y0, y1], {ends}}}
initial_fields: {{{given}}}
method: {{scheme: {scheme}, basis: {basis}{method}}}
time: {{end: {end} ns}}
outputs: {{energy: {{every: 1}}}}
run: {{threads: 1}}
{ports}
"""


def write_graded_mesh(path):
    """Cells of 4.5 and of 0.75 mm along z, so that there are two classes of time steps."""
    z = guide.planes((0.0225, 5), (0.0015, 2))
    meshes.write(path, meshes.build((4, 2, len(z) - 1), lambda p: [p[0] * A / 4, p[1] * B / 2, z[p[2]]],
                                    [("x0", "x1"), ("y0", "y1"), ("z0", "z1")], regions=("feed",)))


class GivenFields(unittest.TestCase):
    def march(self, scheme, ends, given, basis="full-2", cells=(4, 2, 4), end=0.4, method="", ranks=1, graded=False):
        """Times [ns] and energies."""
        text = CASE.format(scheme=scheme, ends=ENDS[ends], given=GIVEN[given], basis=basis, method=method, end=end,
                           mesh="{file: graded.h5}" if graded else f"{{box: {{size: [{A}, {B}, {D}], cells: {list(cells)}}}}}",
                           region="feed" if graded else "box", ports="ports:" + PORTS if ends == "port" else "")
        got = guide.run(self, text, ranks=ranks,
                        prepare=lambda folder: write_graded_mesh(folder / "graded.h5") if graded else None)
        self.performance = got.attributes
        return 1e9 * got["energy/time"], got["energy/total"]

    def compare(self, ends, given, most, **how):
        """Largest difference from DGTD-Central, over its energy at the beginning."""
        time, energy = self.march("dfdd-eld", ends, given, **how)
        reference_time, reference = self.march("dgtd-central", ends, given, **how)
        error = np.abs(energy - np.interp(time, reference_time, reference)).max() / reference[0]
        print(f"{ends}, given {given}, {how}: energy within {100 * error:.2f} % of DGTD-Central's; left of it "
              f"{energy[-1] / energy[0]:.2e}, there {reference[-1] / reference[0]:.2e}")
        self.assertLess(error, most)

    def test_energy_is_that_of_the_first_order_schemes(self):
        for ends in ("absorbing", "200 ohm", "1.45 ohm", "10 kohm"):
            for given in GIVEN if ends == "absorbing" else ("E", "H"):
                if (ends, given) != ("10 kohm", "H"):  # the walls take H at once there, as metal does E
                    self.compare(ends, given, 0.03)

    def test_what_is_left_falls_with_the_mesh(self):
        for basis, coarse, fine in (("mixed-1", 0.012, 0.003), ("full-1", 0.02, 0.006)):
            for given in ("E", "H"):
                left = []
                for cells in ((4, 2, 4), (8, 4, 8)):
                    _, energy = self.march("dfdd-eld", "absorbing", given, basis=basis, cells=cells, end=1.5)
                    left.append(energy[-1] / energy[0])
                print(f"absorbing, given {given}, {basis}: left of the energy {left[0]:.2e}, at half the size {left[1]:.2e}")
                self.assertLess(left[0], coarse)
                self.assertLess(left[1], fine)

    def test_nothing_grows_at_small_resistances(self):
        for basis in ("mixed-1", "full-1"):
            for given in ("E", "H"):
                _, energy = self.march("dfdd-eld", "1.45 ohm", given, basis=basis, end=3)
                print(f"1.45 ohm, given {given}, {basis}: at most {energy.max() / energy[0]:.3f} of the energy, "
                      f"{energy[-len(energy) // 10:].mean() / energy[0]:.3f} at the end")
                self.assertLess(energy.max() / energy[0], 1.45)  # in a cavity of metal 1.53
                self.assertLess(energy[-len(energy) // 10:].mean() / energy[0], 0.95)

    def test_layouts_precisions_and_ranks_agree(self):
        for given in ("E", "H"):
            _, one = self.march("dfdd-eld", "200 ohm", given, basis="full-1")
            for how, most in ((dict(method=", layout: stored"), 1e-9), (dict(method=", precision: single"), 1e-4),
                              (dict(ranks=2), 1e-11), (dict(method=", layout: stored", ranks=2), 1e-9)):
                _, other = self.march("dfdd-eld", "200 ohm", given, basis="full-1", **how)
                error = np.abs(other - one).max() / one[0]
                print(f"200 ohm, given {given}, {how}: energies differ by {error:.1e}")
                self.assertLess(error, most)

    def test_classes_of_time_steps(self):
        for ends in ("absorbing", "1.45 ohm"):
            for given in ("E", "H"):
                self.compare(ends, given, 0.04, graded=True, method=", local_time_stepping: {max_classes: 2}")

    def check_gain(self, single_step, end):
        """The gain is over a march with one class, whose step is longer than the smallest of two."""
        told = self.performance
        self.assertEqual(told["single_time_step"], single_step)
        self.assertLess(told["smallest_time_step"], 0.9 * single_step)
        alone = 1e-9 * end / single_step * told["single_step_seconds"] + told["seconds_output"]
        self.assertLess(abs(told["measured_gain"] * told["march_seconds"] / alone - 1), 0.01)

    def test_classes_of_time_steps_do_not_drift(self):
        classes = ", local_time_stepping: {max_classes: 2}"
        basis, end = "full-1", 10  # mixed-1 and mixed-2 take one class here
        for given in ("E", "H"):
            _, one = self.march("dfdd-eld", "metal", given, basis=basis, end=end, graded=True)
            single_step = self.performance["smallest_time_step"]
            _, two = self.march("dfdd-eld", "metal", given, basis=basis, end=end, graded=True, method=classes)
            largest = [part.max() / two[0] for part in np.array_split(two, 4)]
            print(f"metal, given {given}, {basis}: {end} ns in quarters, at most {np.round(largest, 4)} of the energy; with "
                  f"one class {one.max() / one[0]:.4f}")
            self.assertEqual(self.performance["classes"], 2)
            self.assertLess(max(largest), one.max() / one[0] + 0.03)  # it drifted to 1.3 in full-1
            self.assertLess(largest[3], largest[0] + 0.02)
            self.check_gain(single_step, end)

    def test_fields_in_layers_are_warned_of(self):
        """DFDD-ELD starts with nothing in layers: half of a pulse around the border of one is lost, with a warning."""
        layer = "pml: {faces: [z1], thickness: 0.012, cells: 4}, pmc: [z0]"
        for scheme, centre in (("dfdd-eld", D), ("dfdd-eld", D / 2), ("dgtd-central", D)):
            field = f"exp(-((z-{centre})/0.004)^2)"
            text = CASE.format(scheme=scheme, ends=layer, given=f"E: ['0', 'sin({KX}*x)*{field}', '0']", basis="full-1", method="",
                               end=0.02, mesh=f"{{box: {{size: [{A}, {B}, {D}], cells: [4, 1, 12]}}}}", region="box", ports="")
            got = guide.run(self, text)
            warned = "starts with fields of zero in absorbing layers" in got.warnings
            self.assertEqual(warned, (scheme, centre) == ("dfdd-eld", D), got.warnings)
            energy = got["energy/total"][0] / (8.8541878128e-12 / 2 * A * B / 2 * 0.004 * np.sqrt(np.pi / 2))
            print(f"{scheme}, pulse at {centre}: {energy:.3f} of its energy, {'' if warned else 'not '}warned of")
            self.assertLess(abs(energy - (0.5 if warned else 1)), 0.05)

    def test_waveguide_ports(self):
        for given in ("E", "H", "both"):
            self.compare("port", given, 0.03)


if __name__ == "__main__":
    unittest.main()
