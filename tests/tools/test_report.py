"""tetrawave-report: its meshes, numbers and charts on small things made for each test, and a page as a parser sees it."""

import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import h5py
import numpy as np

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.dont_write_bytecode = True
sys.path[:0] = [str(TOOLS), str(Path(__file__).resolve().parent)]
from reporting import chart, marching, mesh, network, text  # noqa: E402
from test_plot import write_s  # noqa: E402

VOID = {"meta", "link", "input", "br", "img"}
WAYS = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
CASE = (
    'title: "A line"\nmode: time-domain\nunits: mm\nmaterials: {air: {}}\nregions: {box: air}\nboundaries: {pec: [sheet], default: pec}\nports: []\n'
)


class Page(html.parser.HTMLParser):
    """Elements that are open, addresses, sections and the numbers of charts."""

    def __init__(self, content):
        super().__init__()
        self.stack, self.addresses, self.sections, self.data, self.faults = [], [], [], [], []
        self.feed(content)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.addresses += [values[key] for key in ("src", "href") if values.get(key)]
        if tag == "section":
            self.sections.append(values["id"])
        if tag not in VOID:
            self.stack.append(tag)
        self.json = tag == "script" and values.get("type") == "application/json"

    def handle_startendtag(self, tag, attributes):
        values = dict(attributes)
        self.addresses += [values[key] for key in ("src", "href") if values.get(key)]

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, content):
        if self.stack and self.stack[-1] == "script" and self.json:
            self.data.append(json.loads(content))


def write_boxes(path, count=2):
    """count^3 boxes of six tetrahedra in the unit cube; group `sheet`: the faces at z = 1/2 with x < 1/2."""
    n = count + 1
    nodes = np.stack(np.meshgrid(*[np.arange(n) / count] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    cells = []
    for start in np.ndindex(count, count, count):
        for way in WAYS:
            corners = np.cumsum(np.concatenate((np.array([start]), np.eye(3, dtype=int)[list(way)])), axis=0)
            cells.append([(c[0] * n + c[1]) * n + c[2] for c in corners])
    cells = np.array(cells)
    sides = np.unique(np.sort(np.concatenate([cells[:, list(side)] for side in mesh.SIDES]), axis=1), axis=0)
    place = nodes[sides]
    chosen = (np.abs(place[:, :, 2] - 0.5) < 1e-9).all(axis=1) & (place[:, :, 0] < 0.5 + 1e-9).all(axis=1)
    with h5py.File(path, "w") as file:
        file["nodes"], file["tetrahedra"], file["region"] = nodes, cells, np.zeros(len(cells), int)
        file["faces"], file["face_group"] = sides[chosen], np.zeros(chosen.sum(), int)
        file["region_names"], file["group_names"] = np.array([b"box"]), np.array([b"sheet"])
    return cells


class Meshes(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def make(self, count=2):
        write_boxes(self.folder / "mesh.h5", count)
        return mesh.Mesh(self.folder / "mesh.h5")

    def test_the_outer_faces_of_a_cube_have_its_area(self):
        made = self.make()
        outer, _ = made.shells()
        corner = made.nodes[outer]
        area = np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1).sum() / 2
        self.assertAlmostEqual(6, area)
        self.assertEqual(len(outer), len(made.ungrouped(outer)))

    def test_a_sheet_ends_where_it_ends_inside_and_not_at_walls(self):
        made = self.make(4)
        outer, _ = made.shells()
        rims = made.nodes[mesh.sheet_edges(made.faces, outer)]
        self.assertAlmostEqual(1, np.linalg.norm(rims[:, 1] - rims[:, 0], axis=1).sum())  # the line x = z = 1/2
        self.assertTrue(np.allclose(rims[..., [0, 2]], 0.5))

    def test_quality_of_a_regular_tetrahedron_and_of_a_corner_of_a_cube(self):
        regular = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
        corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
        made = self.make()
        for nodes, ratio, angle, edge in (
            (regular, 1, np.degrees(np.arccos(1 / 3)), np.sqrt(8)),
            # inner radius 1/(3 + sqrt 3), outer sqrt(3)/2; the sloping face meets the others at atan(sqrt 2)
            (corner, 6 / (np.sqrt(3) * (3 + np.sqrt(3))), np.degrees(np.arctan(np.sqrt(2))), np.sqrt(2)),
        ):
            made.nodes, made.cells = nodes, np.array([[0, 1, 2, 3]])
            found = made.quality()
            self.assertAlmostEqual(ratio, found[0][0])
            self.assertAlmostEqual(angle, found[1][0])
            self.assertAlmostEqual(edge, found[2][0])

    def test_a_large_surface_is_drawn_with_fewer_triangles(self):
        made = self.make(12)
        outer, _ = made.shells()
        nodes, parts, is_coarse = mesh.coarsened(made.nodes, [outer], 500)
        self.assertTrue(is_coarse)
        self.assertLessEqual(len(parts[0]), 500)
        self.assertTrue(np.allclose(np.ptp(nodes[np.unique(parts[0])], axis=0), 1, atol=0.2))


class Numbers(unittest.TestCase):
    def test_numbers_have_units_with_prefixes_and_true_minus_signs(self):
        self.assertEqual("2.45\u202fGHz", text.engineering(2.45e9, "Hz"))
        self.assertEqual("−18.47", text.short(-18.4712))
        self.assertEqual("3.2e−07", text.short(3.2e-7).replace("e−7", "e−07"))
        self.assertEqual("12\u202f002\u202f256", text.grouped(12002256))
        self.assertEqual("2\u202fh 15\u202fmin", text.duration(8100))
        self.assertEqual("–", text.engineering(float("nan"), "Hz"))

    def test_a_message_begins_with_a_capital_and_abbreviations_are_capitals(self):
        self.assertEqual("PEC group 'strip': it is narrow", text.sentence("pec group 'strip': it is narrow"))
        self.assertEqual("Run stopped", text.sentence("run stopped"))
        self.assertEqual("S-parameters lose power", text.sentence("S-parameters lose power"))

    def test_ticks_are_round_numbers_within_the_axis(self):
        self.assertEqual(["2.0", "2.2", "2.4", "2.6", "2.8", "3.0"], [t for _, t in chart.ticks(chart.Axis("f", "GHz", 2, 3), 5)])
        self.assertEqual(["10⁻³", "10⁻²", "10⁻¹"], [t for _, t in chart.ticks(chart.Axis("e", "", -3.2, -0.5, log=True), 5)])

    def test_thinning_keeps_the_extremes(self):
        x = np.linspace(0, 1, 20000)
        y = np.sin(40 * x)
        y[12345] = 7
        tx, ty = chart.thinned(x, y)
        self.assertLessEqual(tx.size, chart.MOST_POINTS + 2)
        self.assertEqual(7, ty.max())

    def test_iterations_on_boundary_values_are_drawn_by_iteration_at_their_largest_change(self):
        class Run:
            index = 0

            def __init__(self, error):
                self.error = np.array(error)

            def get(self, _):
                return self.error

            def label(self, what):
                return what

        with unittest.mock.patch.object(chart, "xy") as drawn:
            for error, wanted in (([1, 0.1, 0.01], (0, -1, -2)), ([[1, 0.1, np.nan, np.nan], [1, 0.01, 1e-3, 1e-4], [np.nan] * 4], (0, -1, -3, -4))):
                marching.boundary_iterations([Run(error)])
                (series,) = drawn.call_args.args[0]
                np.testing.assert_array_equal(series.x, np.arange(1, len(wanted) + 1))
                np.testing.assert_allclose(series.y, wanted)

    def test_the_band_of_a_resonance_is_found_between_samples(self):
        f = np.linspace(2e9, 3e9, 401)
        # |S11|^2 = x^2/(1 + x^2) with x = Q (f/f0 - f0/f): -10 dB at x = 1/3
        q, f0 = 20, 2.5e9
        x = q * (f / f0 - f0 / f)
        width = network.band(f, 10 * np.log10(np.maximum(x**2 / (1 + x**2), 1e-12)), int(np.argmin(np.abs(x))))
        self.assertAlmostEqual(1, width / (2 / 3 * f0 / (2 * q)), delta=0.01)


class Pages(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def make(self, name, factor=1.0):
        folder = self.folder / name
        folder.mkdir()
        with h5py.File(folder / "results.h5", "w") as file:
            frequency, matrix = write_s(file, (0, 1))
            matrix = matrix * factor
            file["s_parameters/S"][...] = matrix
            file.attrs.update({"program": "tetrawave", "version": "0", "mode": "time-domain", "case": CASE, "elements": 48, "complete": 1})
            file["s_parameters"].attrs["ports"] = ["p1", "p2"]
        (folder / "log.txt").write_text("2026-01-01 00:00:00 W warning: a <strange> thing & another\n", encoding="utf-8")
        write_boxes(folder / "mesh.h5")
        (folder / ".files").write_text("results.h5\n", encoding="utf-8")
        return frequency, matrix

    def run_report(self, *words):
        answer = subprocess.run(
            [sys.executable, TOOLS / "tetrawave-report", "report", "--no-forecast", *words],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(0, answer.returncode, answer.stderr)

    def page(self, name):
        content = (self.folder / name).read_text(encoding="utf-8")
        page = Page(content)
        self.assertEqual(([], []), (page.faults, page.stack))
        self.assertFalse([a for a in page.addresses if not a.startswith(("#", "data:"))])
        name_of_svg = "http://www.w3.org/2000/svg"  # no address that a browser fetches
        self.assertIsNone(re.search(r"https?://|@import|url\((?!#)", content.replace(name_of_svg, "")))
        return content, page

    def test_a_page_is_whole_and_has_the_numbers_of_the_results(self):
        frequency, matrix = self.make("a.out")
        self.run_report("a.out")
        content, page = self.page("a.out/report.html")
        self.assertEqual(["warnings", "numbers", "health", "s", "geometry", "balance", "timing", "case", "origin"], page.sections)
        self.assertIn("A &lt;strange&gt; thing &amp; another", content)
        levels = next(d for d in page.data if d.get("yu") == "dB")
        self.assertTrue(np.allclose(levels["x"], frequency / 1e9, rtol=1e-5))
        self.assertTrue(np.allclose(levels["s"][0]["y"], 20 * np.log10(np.abs(matrix[:, 0, 0])), atol=1e-3))
        self.assertIn("report.html", (self.folder / "a.out/.files").read_text(encoding="utf-8").splitlines())

    def test_waves_of_an_array_are_drawn_cell_by_cell(self):
        self.make("a.out")
        with h5py.File(self.folder / "a.out/results.h5", "r+") as file:
            file["ports/p/time"] = np.arange(9.0)
            for wave, factor in (("incident", 1), ("reflected", 10)):
                file[f"ports/p/{wave}"] = factor * np.arange(9.0)[:, None, None] * np.array([[1, 2, 3]])  # 1 x 3 cells
        self.run_report("a.out")
        content, page = self.page("a.out/report.html")
        drawn = [series["y"] for series in next(d for d in page.data if d.get("yu") == "√W")["s"]]
        self.assertEqual(drawn, [[factor * j * k for k in range(9)] for factor in (1, 10) for j in (1, 2, 3)])
        for cell in range(3):
            self.assertIn(f"p.0.{cell} reflected", content)

    def test_scattering_widths_of_a_plane_problem_are_drawn(self):
        self.make("a.out")
        with h5py.File(self.folder / "a.out/results.h5", "r+") as file:
            file["scattering_width/1000000000/phi"] = [0.0, 90.0, 180.0]
            file["scattering_width/1000000000/sigma"] = [[0.1], [1.0], [10.0]]
        self.run_report("a.out")
        content, page = self.page("a.out/report.html")
        drawn = next(d for d in page.data if d.get("yu") == "dB of 1 m")
        self.assertEqual(([0, 90, 180], [-10, 0, 10]), (drawn["x"], drawn["s"][0]["y"]))
        self.assertIn("largest scattering width", content)

    def test_two_runs_lie_side_by_side_with_their_difference(self):
        self.make("a.out")
        self.make("b.out", 0.9)
        self.run_report("a.out", "b.out", "-o", "ab.html")
        content, _ = self.page("ab.html")
        rows = re.findall(r"<td>S21: B − A</td><td class=\"n\">([\d.]+)</td>", content)
        self.assertEqual(["0.1"], rows)  # |0.9 - 1|

    def test_a_missing_package_of_python_is_named_with_the_remedy(self):
        (self.folder / "h5py.py").write_text('raise ImportError("No module named h5py")\n', encoding="utf-8")
        answer = subprocess.run(
            [sys.executable, TOOLS / "tetrawave-report", "report", "a.out"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(self.folder), "TETRAWAVE_REPORT_PYTHON": "tried"},
        )
        self.assertEqual(69, answer.returncode)
        self.assertIn("error: No module named h5py; on Debian and Ubuntu: apt-get install python3-h5py python3-matplotlib python3-yaml", answer.stderr)

    def test_the_script_is_valid(self):
        try:
            answer = subprocess.run(["node", "--check", TOOLS / "reporting/page.js"], capture_output=True, text=True, check=False)
        except FileNotFoundError:
            self.skipTest("no node here")
        self.assertEqual("", answer.stderr)


if __name__ == "__main__":
    unittest.main()
