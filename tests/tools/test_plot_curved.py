"""tetrawave-plot on fields of curved meshes: second-order cells are drawn as the straight ones between their nodes."""

import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from plotting import fields  # noqa: E402

# VTK's order of the nodes on edges, behind the corners.
EDGES = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))


def write_cube(path):
    """E_y = x on a unit cube of six second-order tetrahedra."""
    ways = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    corners = [np.cumsum(np.concatenate((np.zeros((1, 3)), np.eye(3)[list(way)])), axis=0) for way in ways]
    points = np.concatenate([np.concatenate((cell, [(cell[a] + cell[b]) / 2 for a, b in EDGES])) for cell in corners])
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root["Points"], root["Connectivity"] = points.astype("f4"), np.arange(len(points))
        root["Types"] = np.full(6, 24, "u1")
        root["Steps/Values"] = [1e-12]
        root["PointData/E"] = np.stack([0 * points[:, 0], points[:, 0], 0 * points[:, 0]], axis=1).astype("f4")


class CurvedCells(unittest.TestCase):
    def test_plane_through_second_order_cells_has_its_area_and_values(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "regions.vtkhdf"
            write_cube(path)
            with h5py.File(path) as file:
                series = fields.Series(file)
                corners = series.points[series.cells]
                self.assertEqual((48, 4), series.cells.shape)
                self.assertAlmostEqual(1, np.abs(np.linalg.det(corners[:, 1:] - corners[:, :1])).sum() / 6)
                plane = fields.plane_through(series, 0, 0.3)
                x, y = plane.x.reshape(-1, 3), plane.y.reshape(-1, 3)
                area = np.abs((x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])).sum() / 2
                self.assertAlmostEqual(1, area)
                self.assertTrue(np.allclose(0.3, plane.take(series.values("E", 0))[:, 1], atol=1e-6))


if __name__ == "__main__":
    unittest.main()
