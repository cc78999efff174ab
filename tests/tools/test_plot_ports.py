"""tetrawave-plot ports: fields of the modes of ports, on a square made for each test."""

import sys
import unittest

import h5py
import numpy as np
from pictures import TOOLS, PictureTest

sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS))
from plotting import ports  # noqa: E402


def write_mode(file, name="p1", tilted=False):
    """E along y and H along -x on a square."""
    group = file.create_group(f"ports/{name}/mode")
    turn = np.array([[1, 0, 0], [0, 0.8, 0.6], [0, -0.6, 0.8]]) if tilted else np.eye(3)
    group["points"] = np.array([[0, 0, 0], [1e-3, 0, 0], [1e-3, 1e-3, 0], [0, 1e-3, 0]]) @ turn
    group["cells"] = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    group["E"], group["H"] = np.array([[0, 2e4, 0]] * 2) @ turn, np.array([[-50.0, 0, 0]] * 2) @ turn
    group.attrs["type"], group.attrs["impedance"], group.attrs["cutoff"] = "coaxial", 50.0, 2e10


class PortPictures(PictureTest):
    def test_modes_of_ports_are_drawn(self):
        self.write(write_mode, lambda file: write_mode(file, "p2", tilted=True))
        picture = self.results.with_name("ports.png")
        self.assertEqual((0, f"{picture}\n", ""), self.run_plot("ports", self.results))
        self.assertEqual(b"\x89PNG", picture.read_bytes()[:4])
        with h5py.File(self.results) as file:
            self.assertEqual(["p1", "p2"], ports.modes_of(file))
            points = ports.read_mode(file, "p1")[0]
        right, up, names = ports.plane_of(points)
        self.assertEqual(("x", "y"), names)
        np.testing.assert_allclose([right, up], [[1, 0, 0], [0, 1, 0]], atol=1e-12)

    def test_arrows_are_few_and_near_the_middle_of_their_squares(self):
        middle = np.random.default_rng(1).random((5000, 2))
        shown = ports.sparse(middle, 0.1)
        self.assertEqual(100, len(shown))
        self.assertLess(np.abs((middle[shown] - middle.min(axis=0)) / 0.1 % 1 - 0.5).max(), 0.3)

    def test_modes_that_cannot_be_drawn_are_65(self):
        self.write(lambda file: file.create_group("ports/p1"))
        code, _, said = self.run_plot("ports", self.results)
        self.assertEqual(65, code)
        self.assertIn("no modes of ports in it", said)

        def torn(file):
            write_mode(file)
            file["ports/p1/mode/cells"][0, 0] = 99
        self.write(torn)
        code, _, said = self.run_plot("ports", self.results)
        self.assertEqual(65, code)
        self.assertIn("name points that are not there", said)


if __name__ == "__main__":
    unittest.main()
