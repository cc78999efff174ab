"""tetrawave-plot monostatic, near and the choice between pattern and rcs: what runs radiate, on files made for each test."""

import unittest

import numpy as np
from pictures import PictureTest
from test_plot import write_far_field, write_rcs


def write_monostatic(file, name="3000000000"):
    """Two polarisations over theta."""
    group = file.create_group(f"monostatic/{name}")
    group["theta"], group["phi"] = np.tile(np.linspace(0, 90, 10), 2), np.zeros(20)
    group["polarization"], group["sigma"] = np.repeat([0, 1], 10), np.linspace(0.1, 2, 20)


def write_near_fields(file):
    """A line, and a plane with a place without a field."""
    for name, shape in (("line", [12]), ("plane", [3, 4])):
        group = file.create_group(f"near_field/{name}")
        group.attrs["shape"], group["frequency"] = np.array(shape), [1e9]
        group["position"] = np.stack([np.repeat([0, 1, 2], 4), np.tile([0, 1, 2, 3], 3), np.zeros(12)], axis=1) * 0.01
        field = np.ones((1, 12, 3)) * (1 + 1j)
        field[0, 5] = np.nan
        group["E"] = field


class RadiationPictures(PictureTest):
    def test_monostatic_sweeps_and_near_fields_are_drawn(self):
        self.write(write_monostatic, write_near_fields)
        for kind in ("monostatic", "near", "all"):
            self.assertEqual((0, f"{self.results.parent / (kind + '.png')}\n", ""), self.run_plot(kind, self.results))
            self.assertEqual(b"\x89PNG", (self.results.parent / f"{kind}.png").read_bytes()[:4])

    def test_a_scatterer_has_its_cross_section_drawn_and_not_the_pattern_of_its_scattered_field(self):
        self.write(write_far_field, write_rcs)
        self.assertEqual((0, f"{self.results.parent / 'rcs.png'}\n", ""), self.run_plot(self.results))

    def test_a_plane_problem_has_its_scattering_widths_drawn_and_not_the_pattern(self):
        def write_widths(file):
            file["scattering_width/1000000000/phi"] = np.linspace(0, 350, 36)
            file["scattering_width/1000000000/sigma"] = np.linspace(0.1, 2, 72).reshape(36, 2)
        self.write(write_far_field, write_widths)
        self.assertEqual((0, f"{self.results.parent / 'width.png'}\n", ""), self.run_plot(self.results))

    def test_a_near_field_without_a_number_is_65(self):
        def dark(file):
            write_near_fields(file)
            file["near_field/line/E"][...] = np.nan
        self.write(dark)
        code, out, err = self.run_plot("near", self.results)
        self.assertEqual((65, "", f"tetrawave-plot: error: {self.results}: /near_field/line/E holds no finite number\n"), (code, out, err))


if __name__ == "__main__":
    unittest.main()
