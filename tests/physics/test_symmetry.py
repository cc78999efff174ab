"""Ports cut by planes of symmetry, by the program: a half and a quarter of a line have the impedance, waves and S of the whole."""

import math
import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import grids  # noqa: E402
import guide  # noqa: E402
import meshes  # noqa: E402

DIPOLE = """\
mode: {mode}
mesh: {{file: dipole.h5}}
materials: {{air: {{}}}}
regions: {{air: air}}
boundaries: {{pec: [strip, z0], pmc: [x0, y0], absorbing: [outside]}}
ports:
  - {{name: feed, boundary: patch, type: lumped, direction: [0, 0, 1], resistance: 50, symmetry: {symmetry}, excite: {excite}}}
method: {{basis: mixed-1}}
{more}
outputs:
  far_field:
    frequencies: [1 GHz]
    theta: [0, 90]
    phi: [0]
    symmetry: [{{axis: x, wall: pmc}}, {{axis: y, wall: pmc}}, {{axis: z, wall: pec}}]
  s_parameters: {points}
run: {{threads: 1}}
"""
AROUND, ACROSS, ALONG = 24, 2, 12
COAX = """\
mesh: {{file: line.h5}}
materials: {{air: {{}}, bead: {{eps_r: 3}}}}
regions: {{air: air, bead: bead}}
boundaries: {{pec: [inner, outer]{pmc}}}
ports:
  - {{name: p1, boundary: z0, type: tem, signal: inner{symmetry}, excite: {{waveform: pulse}}}}
  - {{name: p2, boundary: z1, type: tem, signal: inner{symmetry}}}
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 8 GHz, bandwidth: 16 GHz}}}}
method: {{basis: mixed-2}}
time: {{end: 0.5 ns}}
outputs: {{s_parameters: {{start: 1 GHz, stop: 14 GHz, points: 14}}}}
run: {{threads: 1}}
"""
PLATES = """\
mesh: {{box: {{size: [4, 2, 12], cells: [2, 1, 6]}}}}
units: mm
materials: {{air: {{}}}}
regions: {{box: air}}
boundaries: {{pec: [y0, y1], pmc: [x0, x1]}}
ports:
  - {{name: p1, boundary: z0, type: tem, signal: y1{symmetry}, excite: {{waveform: pulse, amplitude: {amplitude}}}}}
  - {{name: p2, boundary: z1, type: lumped, direction: [0, 1, 0], resistance: {ohms}{symmetry}}}
waveforms: {{pulse: {{type: gaussian, width: 0.02 ns}}}}
time: {{end: 0.4 ns}}
outputs: {{s_parameters: {{start: 1 GHz, stop: 9 GHz, points: 9}}}}
run: {{threads: 1}}
"""
GUIDE = """\
mesh: {{box: {{size: [{width}, 10.16, 30], cells: [{cells}, 3, 9]}}}}
units: mm
materials: {{air: {{}}}}
regions: {{box: air}}
boundaries: {{pec: [x0, y0, y1{metal}]{pmc}}}
ports:
  - {{name: p1, boundary: z0, type: rectangular-waveguide{symmetry}, excite: {{waveform: pulse}}}}
  - {{name: p2, boundary: z1, type: rectangular-waveguide{symmetry}}}
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 10 GHz, bandwidth: 6 GHz}}}}
method: {{basis: mixed-2}}
time: {{end: 1.2 ns}}
outputs: {{s_parameters: {{start: 8.5 GHz, stop: 12 GHz, points: 8}}}}
run: {{threads: 1}}
"""


def write_line(path, share):
    """A coaxial line (1 and 2.3 mm, 6 mm long, a bead in its middle third), or a `share` of its circumference."""
    around = AROUND // share

    def place(point):
        radius, angle = 1e-3 * 2.3 ** (point[0] / ACROSS), 2 * math.pi * point[1] / AROUND
        return [radius * math.cos(angle), radius * math.sin(angle), 6e-3 * point[2] / ALONG]

    whole = share == 1
    data = meshes.build((ACROSS, around, ALONG), place, [("inner", "outer"), None if whole else ("cut0", "cut1"), ("z0", "z1")],
                        periodic=1 if whole else None, regions=("air", "bead"),
                        region_of=lambda points: int(all(4 <= p[2] <= 8 for p in points)))
    meshes.write(path, data)


class Symmetry(unittest.TestCase):
    def line(self, share, planes):
        text = COAX.format(pmc="" if share == 1 else ", pmc: [cut0, cut1]", symmetry=f", symmetry: {planes}" if planes else "")
        return guide.run(self, text, prepare=lambda folder: write_line(folder / "line.h5", share))

    def test_parts_of_a_coaxial_line_are_the_whole(self):
        whole, half, quarter = self.line(1, ""), self.line(2, "[pmc]"), self.line(4, "[pmc, pmc]")
        for part in (half, quarter):
            difference = np.abs(part["s_parameters/S"][:, :, 0] - whole["s_parameters/S"][:, :, 0]).max()
            current = np.abs(part["ports/p1/current"]).max() / np.abs(whole["ports/p1/current"]).max()
            power = (part["ports/p2/reflected"] ** 2).sum() * part["ports/p2/time"][1] / (
                (whole["ports/p2/reflected"] ** 2).sum() * whole["ports/p2/time"][1])
            print(f"part of a line: S differs by {difference:.1e}, current by {current - 1:.1e}, power by {power - 1:.1e}")
            self.assertLess(difference, 3e-3)
            self.assertAlmostEqual(current, 1, delta=3e-3)
            self.assertAlmostEqual(power, 1, delta=5e-3)
        self.assertGreater(np.abs(whole["s_parameters/S"][:, 0, 0]).max(), 0.2)

    def plates(self, symmetry, ohms, amplitude):
        planes = f", symmetry: [{symmetry}]" if symmetry else ""
        return guide.run(self, PLATES.format(symmetry=planes, ohms=ohms, amplitude=amplitude))

    def test_voltage_and_current_are_those_of_the_whole_port(self):
        # The same mesh, once as it is, once as a part of a line that is twice as wide or twice as high.
        alone = self.plates("", 100, 1)
        for symmetry, ohms, volts, amps in (("pmc", 50, 1, 2), ("pec", 200, 2, 1), ("pec, pmc", 100, 2, 2)):
            part = self.plates(symmetry, ohms, volts)  # of the same wave on the mesh
            for port in ("p1", "p2"):
                for name, factor in (("voltage", volts), ("current", amps), ("reflected", math.sqrt(volts * amps))):
                    found, wanted = part[f"ports/{port}/{name}"], factor * alone[f"ports/{port}/{name}"]
                    self.assertLess(np.abs(found - wanted).max(), 1e-9 * np.abs(wanted).max(), f"{symmetry} {port} {name}")
            self.assertLess(np.abs(part["s_parameters/S"][:, :, 0] - alone["s_parameters/S"][:, :, 0]).max(), 1e-9)

    def test_half_a_waveguide_is_the_whole(self):
        whole = guide.run(self, GUIDE.format(width=22.86, cells=6, metal=", x1", pmc="", symmetry=""))
        half = guide.run(self, GUIDE.format(width=11.43, cells=3, metal="", pmc=", pmc: [x1]", symmetry=", symmetry: [pmc]"))
        difference = np.abs(half["s_parameters/S"][:, :, 0] - whole["s_parameters/S"][:, :, 0]).max()
        print(f"half a waveguide: S differs by {difference:.1e}")
        self.assertLess(difference, 3e-3)
        self.assertLess(np.abs(half["s_parameters/S"][:, 0, 0]).max(), 0.02)

    def dipole(self, symmetry, mode="frequency-domain", more="frequency: {values: [1 GHz]}", excite="{}", points="{}"):
        """An eighth of a strip dipole, whose patch is cut by planes of x and z and lies in the one of y."""
        def group_of(middle, axis, is_outer):
            if not is_outer:
                return None
            if axis == 1 and middle[1] == 0 and middle[0] < 1 and middle[2] < 4:
                return "patch" if middle[2] < 1 else "strip"
            return ["x0", "y0", "z0"][axis] if middle[axis] == 0 else "outside"

        text = DIPOLE.format(mode=mode, symmetry=symmetry, more=more, excite=excite, points=points)
        return guide.run(self, text, prepare=lambda folder: grids.write_grid(
            folder / "dipole.h5", (6, 6, 8), grids.cubes(0.01), lambda place: "air", group_of))

    def test_a_patch_in_a_plane_of_symmetry_has_the_power_of_the_whole(self):
        for planes, share in (("[pmc, pmc, pec]", 1), ("[pmc, pec]", 0.5), ("[pmc]", 0.25)):
            results = self.dipole(planes)
            far = results.far_attributes["1000000000"]
            self.assertAlmostEqual(far["accepted_power"] / far["surface_power"], share, delta=0.04)  # of mixed-1
            self.assertEqual("planes of symmetry cut a port, or contain it" in results.warnings, share < 1, results.warnings)

    def test_planes_of_symmetry_are_no_walls_of_a_cavity(self):
        march = "waveforms: {pulse: {type: gaussian, width: 0.2 ns}}\ntime: {steps: 10}"
        points = "{start: 1 GHz, stop: 2 GHz, points: 2}"
        options = {"mode": "time-domain", "more": march, "excite": "{waveform: pulse}", "points": points}
        self.assertNotIn("closed, or nearly so", self.dipole("[pmc, pmc, pec]", **options).warnings)


if __name__ == "__main__":
    unittest.main()
