"""tetrawave-plot on results made for each test."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

PROGRAM = Path(__file__).resolve().parents[2] / "tools" / "tetrawave-plot"
sys.dont_write_bytecode = True


def load():
    loader = importlib.machinery.SourceFileLoader("tetrawave_plot", str(PROGRAM))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


plot = load()
COMPLEX = np.dtype([("r", "<f8"), ("i", "<f8")])


def write_s(file, driven=(0,), points=101):
    """A matched line of 0.1 ns with a small reflection; columns that are not driven are NaN."""
    frequency = np.linspace(1e8, 1e10, points)
    matrix = np.full((points, 2, 2), np.nan + 1j * np.nan)
    for j in driven:
        matrix[:, j, j] = 0.1 * np.exp(-2j * np.pi * frequency * 0.05e-9)
        matrix[:, 1 - j, j] = np.exp(-2j * np.pi * frequency * 0.1e-9)
    data = np.empty(matrix.shape, COMPLEX)
    data["r"], data["i"] = matrix.real, matrix.imag
    file["s_parameters/frequency"] = frequency
    file["s_parameters/S"] = data
    return frequency, matrix


def write_probe(file, name="centre", fields="EH"):
    time = np.arange(200) * 1e-12
    for field in fields:
        file[f"probes/{name}/{field}"] = np.outer(np.sin(2e10 * time), [1e-3, 2e-3, 0])
    file[f"probes/{name}/time"] = time
    file[f"probes/{name}"].attrs["position"] = [0, 0, 5e-3]


def write_energy(file, total):
    count = len(total)
    file["energy/time"] = np.arange(count) * 1e-11
    file["energy/electric"] = 0.5 * np.asarray(total)
    file["energy/magnetic"] = 0.5 * np.asarray(total)
    file["energy/total"] = np.asarray(total)


def write_statics(file, equation="electrostatic", order=1):
    """Two triangles in a square."""
    nodes = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0], [1, 0.5], [0.5, 0.5], [0.5, 1], [0, 0.5]], float)
    triangles = np.array([[0, 1, 2, 4, 5, 6], [0, 2, 3, 6, 7, 8]])[:, :3 * order]
    count = 4 if order == 1 else 9
    group = file.create_group("assembly_2d")
    group.attrs["equation"], group.attrs["algorithm"], group.attrs["coloring"] = equation, "a-fem", "ofcm"
    group.attrs["seconds_coloring"] = 1e-6
    group["nodes"], group["triangles"] = nodes[:count], triangles
    group["potential"], group["field"] = nodes[:count, 0] + 2 * nodes[:count, 1], np.array([[-1.0, -2.0]] * 2)
    group["region"], group["color_sizes"], group["color"] = np.array([0, 1]), np.array([1, 1]), np.array([0, 1])


def write_far_field(file, name="10000000000", theta=np.linspace(0, 180, 37), phi=np.array([0.0, 90.0])):
    """A short dipole along z: 1.5 sin(theta)^2."""
    group = file.create_group(f"far_field/{name}")
    group["theta"], group["phi"] = theta, phi
    gain = np.maximum(1.5 * np.sin(np.radians(theta)) ** 2, 1e-12)
    group["directivity"] = np.outer(10 * np.log10(gain), np.ones(phi.size))
    group.attrs["radiated_power"], group.attrs["accepted_power"] = 1e-3, np.nan


def write_rcs(file, name="3000000000", waves=2):
    """One direction after the other."""
    theta, phi = (part.ravel() for part in np.meshgrid(np.linspace(0, 180, 19), [0.0, 45.0], indexing="ij"))
    group = file.create_group(f"rcs/{name}")
    group["theta"], group["phi"] = theta, phi
    group["sigma"] = np.outer(1 + np.cos(np.radians(theta)) ** 2, np.arange(1, waves + 1))


def write_fields(path, steps=5, cut=True, spectrum=False):
    """E_y = x cos(step) on a square of two triangles in the plane z = 2, or on a unit cube of six tetrahedra."""
    if cut:
        points = np.array([[0, 0, 2], [1, 0, 2], [1, 1, 2], [0, 0, 2], [1, 1, 2], [0, 1, 2]], float)
    else:
        ways = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
        points = np.concatenate([np.cumsum(np.concatenate((np.zeros((1, 3)), np.eye(3)[list(way)])), axis=0) for way in ways])
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root["Points"], root["Connectivity"] = points.astype("f4"), np.arange(len(points))
        root["Types"] = np.full(len(points) // (3 if cut else 4), 5 if cut else 10, "u1")
        root["Steps/Values"] = np.arange(1, steps + 1) * (1e9 if spectrum else 1e-12)
        root["Steps/Values"].attrs["units"] = "Hz" if spectrum else "s"
        for field in "EH":
            values = np.zeros((steps, len(points), 3), "f4")
            values[:, :, 1] = np.outer(np.cos(np.arange(steps)), points[:, 0])
            for name in ((f"{field}_re", f"{field}_im") if spectrum else (field,)):
                root[f"PointData/{name}"] = values.reshape(-1, 3)
                root[f"PointData/{name}"].attrs["units"] = "V/m"
    return points


def write_study(file, rows=4):
    group = file.create_group("study")
    group["algorithm"] = ["serial", "a-fem", "ebe-v1", "ebe-v1"][:rows]
    group["coloring"] = ["none", "none", "ofcm", "fcm"][:rows]
    for name in ("elements", "order", "colors", "bytes_per_element", *(f"seconds_{phase}" for phase in (
            "adjacency", "order", "coloring", "transfer", "element", "convert", "solve"))):
        group[name] = np.arange(1, rows + 1) * (1e3 if name == "elements" else 1.0)
    group["elements"][-1] = np.nan  # a run that failed


class Plot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.results = self.folder / "results.h5"

    def write(self, *writers):
        with h5py.File(self.results, "w") as file:
            file.attrs["case"] = "title: A line with a bead\nunits: mm\n"
            file.attrs["scheme"], file.attrs["elements"] = "dgtd-central", 17280
            return [writer(file) for writer in writers][-1]

    def run_plot(self, *words):
        """(exit code, what was printed on stdout, on stderr)"""
        out, err, before = io.StringIO(), io.StringIO(), sys.argv
        sys.argv = ["tetrawave-plot", *map(str, words)]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = plot.main()
        finally:
            sys.argv = before
            plot.plt.close("all")
        return code, out.getvalue(), err.getvalue()

    def check_png(self, path):
        self.assertEqual(b"\x89PNG\r\n\x1a\n", path.read_bytes()[:8])

    def check_failure(self, expected_code, text, *words):
        code, out, err = self.run_plot(*words)
        self.assertEqual(expected_code, code, err)
        self.assertEqual("", out)
        self.assertRegex(err, r"\Atetrawave-plot: error: [^\n]+\n\Z")
        self.assertIn(text, err)

    def reference(self, frequency, header, *columns):
        path = self.folder / "reference.csv"
        np.savetxt(path, np.column_stack((frequency, *columns)), delimiter=",", header="frequency," + header, comments="")
        return path

    def test_without_a_word_the_s_parameters_come_first_and_the_picture_lies_beside_the_file(self):
        self.write(write_probe, write_s)
        code, out, err = self.run_plot(self.folder)
        self.assertEqual((0, f"{self.folder / 's.png'}\n", ""), (code, out, err))
        self.check_png(self.folder / "s.png")

    def test_active_reflection_of_an_array_is_drawn_where_it_is_least(self):
        def write_active(file):
            values = np.full((11, 3, 2), 0.9 + 0j)
            values[4], values[7, 1, 1] = 0.5, np.nan
            file["s_parameters/frequency"] = np.linspace(1e9, 2e9, 11)
            file["s_parameters/active/p"] = values

        self.write(write_active)
        self.assertEqual(0, self.run_plot(self.results)[0])
        self.check_png(self.folder / "active.png")
        with h5py.File(self.results) as file:
            figure = plot.plt.figure()
            plot.draw_active(figure, file, None)
            self.assertIn("1.4 GHz", figure.axes[1].get_title(loc="left"))
        self.write(lambda file: [write_active(file), file["s_parameters"].pop("frequency")])
        self.check_failure(65, "/s_parameters/frequency is missing", self.results)

    def test_without_s_parameters_the_probes_come_first(self):
        self.write(write_probe, lambda file: write_energy(file, np.ones(20)))
        self.assertEqual(0, self.run_plot(self.results)[0])
        self.check_png(self.folder / "probes.png")

    def test_all_draws_everything_in_one_picture(self):
        self.write(write_s, write_probe, lambda file: write_energy(file, np.ones(20)))
        picture = self.folder / "picture.png"
        self.assertEqual((0, f"{picture}\n", ""), self.run_plot("all", self.results, "-o", picture))
        self.check_png(picture)

    def test_options_may_stand_between_the_words(self):
        self.write(lambda file: write_energy(file, np.ones(20)))
        picture = self.folder / "picture.png"
        self.assertEqual(0, self.run_plot("energy", "-o", picture, self.folder)[0])
        self.check_png(picture)

    def test_columns_of_ports_never_driven_are_left_out(self):
        self.write(write_s)
        with h5py.File(self.results) as file:
            self.assertEqual(["S11", "S21"], list(plot.read_s(file)[1]))
        self.write(lambda file: write_s(file, driven=(0, 1)))
        with h5py.File(self.results) as file:
            self.assertEqual(["S11", "S21", "S12", "S22"], list(plot.read_s(file)[1]))

    def test_no_driven_port_is_missing_data(self):
        self.write(lambda file: write_s(file, driven=()))
        self.check_failure(65, "no port was driven", self.results)

    def test_the_largest_deviation_from_a_reference_is_printed(self):
        frequency, matrix = self.write(write_s)
        s11, s21 = matrix[:, 0, 0], matrix[:, 1, 0].copy()
        s21[40] += 0.03j
        path = self.reference(frequency, "S11_re,S11_im,S21_re,S21_im", s11.real, s11.imag, s21.real, s21.imag)
        code, out, _ = self.run_plot("s", self.results, "--reference", path)
        self.assertEqual(0, code)
        self.assertIn("S11: largest deviation from the reference 0.00000", out)
        self.assertIn(f"S21: largest deviation from the reference 0.03000 at {frequency[40] / 1e9:.4g} GHz", out)
        self.check_png(self.folder / "s.png")

    def test_a_reference_on_other_frequencies_is_interpolated_where_it_covers_the_results(self):
        frequency, _ = self.write(write_s)
        other = np.linspace(2e9, 4e9, 4001)
        s11 = 0.1 * np.exp(-2j * np.pi * other * 0.05e-9)
        with h5py.File(self.results) as file:
            values = plot.read_s(file)[1]["S11"]
        largest, where = plot.deviation(frequency, values, other, s11)
        self.assertLess(largest, 1e-6)
        self.assertTrue(2e9 <= where <= 4e9)

    def test_a_reference_that_does_not_fit_is_refused(self):
        frequency, matrix = self.write(write_s)
        s11 = matrix[:, 0, 0]
        self.check_failure(65, "no frequency in common", self.results, "--reference",
                           self.reference(frequency + 1e11, "S11_re,S11_im", s11.real, s11.imag))
        self.check_failure(65, "none of the results' S-parameters: S11, S21", self.results, "--reference",
                           self.reference(frequency, "S33_re,S33_im", s11.real, s11.imag))
        self.check_failure(65, "no pair of columns", self.results, "--reference", self.reference(frequency, "S11", s11.real))
        self.check_failure(66, "no such file", self.results, "--reference", self.folder / "none.csv")

    def test_a_reference_without_s_parameters_is_wrong_usage(self):
        self.write(write_s, write_probe)
        path = self.reference(np.array([1e9, 2e9]), "S11_re,S11_im", np.zeros(2), np.zeros(2))
        self.check_failure(64, "--reference", "probes", self.results, "--reference", path)

    def test_phase_has_gaps_where_it_wraps(self):
        frequency = np.linspace(0, 1e10, 101)
        x, y = plot.phase_with_gaps(frequency, np.exp(-2j * np.pi * frequency * 0.33e-9))
        self.assertEqual(3, np.isnan(y).sum())
        self.assertTrue((np.isnan(x) == np.isnan(y)).all())
        self.assertLess(np.nanmax(np.abs(np.diff(y))), 180)

    def test_a_probe_of_one_field_is_drawn(self):
        self.write(lambda file: write_probe(file, "one", "E"), lambda file: write_probe(file, "two", "H"))
        self.assertEqual(0, self.run_plot("probes", self.results)[0])
        self.check_png(self.folder / "probes.png")

    def test_energy_that_is_conserved_and_that_decays_are_drawn(self):
        for total in (1 + 1e-13 * np.arange(50), np.exp(-0.5 * (np.arange(50) - 20.0) ** 2 / 9), np.zeros(50)):
            self.write(lambda file, total=total: write_energy(file, total))
            self.assertEqual(0, self.run_plot("energy", self.results)[0])
            self.check_png(self.folder / "energy.png")

    def test_fields_of_statics_are_drawn_for_every_equation_and_order(self):
        for equation in ("electrostatic", "magnetostatic", "magnetostatic-axisymmetric"):
            for order in (1, 2):
                self.write(lambda file, e=equation, o=order: write_statics(file, e, o))
                self.assertEqual(0, self.run_plot(self.results)[0])
                self.check_png(self.folder / "field.png")
        self.assertEqual(0, self.run_plot("field", self.results, "--view", 0.2, 0.9, 0.1, 0.8)[0])
        self.assertEqual(0, self.run_plot("colors", self.results)[0])
        self.check_png(self.folder / "colors.png")

    def test_second_order_triangles_are_drawn_as_four(self):
        self.write(lambda file: write_statics(file, order=2))
        with h5py.File(self.results) as file:
            nodes, triangles, element = plot.read_mesh(file)
        self.assertEqual((8, [0] * 4 + [1] * 4), (len(triangles), list(element)))
        a, b, c = (nodes[triangles[:, k]] for k in range(3))
        area = (b - a)[:, 0] * (c - a)[:, 1] - (c - a)[:, 0] * (b - a)[:, 1]
        self.assertTrue(np.allclose(area, 0.25))

    def test_a_view_that_shows_nothing_or_goes_with_nothing_is_refused(self):
        self.write(write_statics)
        self.check_failure(65, "no element lies in the view", self.results, "--view", 5, 6, 5, 6)
        self.check_failure(64, "X0 is below X1", self.results, "--view", 2, 1, 0, 1)
        self.write(write_s)
        self.check_failure(64, "--view is for the field and the colours of statics", self.results, "--view", 0, 1, 0, 1)

    def test_a_study_is_drawn_without_its_failed_runs(self):
        self.results = self.folder / "study.h5"
        self.write(write_study)
        self.assertEqual(0, self.run_plot(self.folder)[0])
        self.check_png(self.folder / "study.png")
        with h5py.File(self.results) as file:
            self.assertEqual([1e3, 2e3, 3e3], plot.read_table(file)["elements"])
        self.write(lambda file: write_study(file, 1))
        self.check_failure(65, "no run of the study has come to its end", self.folder)

    def test_views_of_s_parameters_are_drawn_when_they_are_asked_for(self):
        self.write(lambda file: write_s(file, driven=(0, 1)))
        for view in ("smith", "delay", "tdr"):
            self.assertEqual((0, f"{self.folder / (view + '.png')}\n", ""), self.run_plot(view, self.results))
            self.check_png(self.folder / f"{view}.png")
        self.write(write_probe)
        self.check_failure(65, "no S-parameters in it (it has probes)", "smith", self.results)

    def test_the_group_delay_of_a_line_is_its_delay(self):
        frequency = np.linspace(1e9, 2e9, 51)
        _, delay = plot.group_delay(frequency, 0.5 * np.exp(-2j * np.pi * frequency * 3.3e-9))
        self.assertTrue(np.allclose(delay, 3.3e-9, rtol=1e-9))
        _, weak = plot.group_delay(frequency, np.full(51, 1e-4 + 0j))
        self.assertTrue(np.isnan(weak).all())

    def test_the_step_response_of_a_mismatch_is_a_step_at_its_delay(self):
        for first in (0.0, 5e7, 1e8):
            frequency = np.arange(first, 2e10, 5e7)
            time, rho = plot.step_response(frequency, -0.25 * np.exp(-2j * np.pi * frequency * 1e-9))
            self.assertLess(np.abs(rho[(time > -0.4e-9) & (time < 0.85e-9)]).max(), 2e-3)
            self.assertLess(np.abs(rho[(time > 1.15e-9) & (time < 5e-9)] + 0.25).max(), 2e-3)
            self.assertAlmostEqual(1e-9, np.interp(0.125, -rho[time < 2e-9], time[time < 2e-9]), delta=1e-11)

    def test_a_step_response_needs_frequencies_from_nearly_zero(self):
        def high(file):
            write_s(file)
            del file["s_parameters/frequency"]
            file["s_parameters/frequency"] = np.linspace(5e9, 1e10, 101)
        self.write(high)
        self.check_failure(65, "needs 16 frequencies or more that begin near 0", "tdr", self.results)

    def test_patterns_and_cross_sections_are_drawn(self):
        whole = {"theta": np.linspace(0, 180, 19), "phi": np.linspace(0, 350, 36)}
        self.write(lambda file: write_far_field(file, **whole), lambda file: write_far_field(file, "8750000000", **whole), write_rcs)
        for kind in ("pattern", "pattern3d", "rcs", "all"):
            self.assertEqual((0, f"{self.folder / (kind + '.png')}\n", ""), self.run_plot(kind, self.results))
            self.check_png(self.folder / f"{kind}.png")
        with h5py.File(self.results) as file:
            theta, phi, directivity = plot.read_pattern(file, "10000000000")
        self.assertEqual((19, 36), directivity.shape)
        self.assertAlmostEqual(10 * np.log10(1.5), directivity[9, 3], places=9)

    def test_patterns_that_cannot_be_drawn_are_65(self):
        self.write(write_far_field)
        self.check_failure(65, "needs three theta and three phi or more", "pattern3d", self.results)

        def torn(file):
            write_far_field(file)
            del file["far_field/10000000000/theta"]
            file["far_field/10000000000/theta"] = np.zeros(5)
        self.write(torn)
        self.check_failure(65, "is not one value for each of 5 theta and 2 phi", "pattern", self.results)

    def test_pictures_and_films_of_fields(self):
        for cut in (True, False):
            path = self.folder / "fields" / "plane.vtkhdf"
            path.parent.mkdir(exist_ok=True)
            write_fields(path, cut=cut)
            self.assertEqual((0, f"{path.with_suffix('.png')}\n", ""), self.run_plot("fields", self.folder))
            self.check_png(path.with_suffix(".png"))
        path.with_suffix(".png").unlink()
        self.write(lambda file: None)  # results.h5 of a run with only fields
        self.assertEqual((0, f"{path.with_suffix('.png')}\n", ""), self.run_plot(self.folder))
        self.check_png(path.with_suffix(".png"))
        self.assertEqual(0, self.run_plot("fields", path, "--plane", "x=0.3", "--component", "y", "-o", self.folder / "x.png")[0])
        self.assertEqual(0, self.run_plot("fields", path, "--component", "y", "-o", self.folder / "film.gif")[0])
        self.assertEqual(b"GIF89a", (self.folder / "film.gif").read_bytes()[:6])
        write_fields(path, spectrum=True, steps=2)
        self.assertEqual(0, self.run_plot("fields", path, "--step", 1, "-o", self.folder / "phasor.png")[0])

    def test_fields_of_two_runs_are_drawn_side_by_side_on_one_scale(self):
        first, second = (self.folder / run / "fields" / "plane.vtkhdf" for run in ("linear", "kerr"))
        for path in (first, second):
            path.parent.mkdir(parents=True)
            write_fields(path)
        with h5py.File(second, "r+") as file:
            file["VTKHDF/PointData/E"][...] *= 3
        picture = self.folder / "pair.png"
        scales, draw = [], plot.fields.draw_first

        def watched(figure, frames, axes=None):
            scales.append((frames.top, frames.all[0][0]))
            return draw(figure, frames, axes)

        plot.fields.draw_first = watched
        try:
            self.assertEqual((0, f"{picture}\n", ""), self.run_plot("fields", first.parents[1], "--beside", second, "--step", 2, "-o", picture))
        finally:
            plot.fields.draw_first = draw
        self.check_png(picture)
        self.assertEqual(2, len(scales))
        self.assertEqual(scales[0], scales[1])
        with h5py.File(first) as file:
            self.assertGreater(scales[0][0], 2 * np.abs(file["VTKHDF/PointData/E"][12:18]).max())
        self.check_failure(64, "--beside makes pictures", "fields", first, "--beside", second, "-o", self.folder / "film.gif")
        self.check_failure(66, "no such file", "fields", first, "--beside", self.folder / "none.vtkhdf", "-o", picture)

    def test_an_mp4_becomes_a_gif_where_there_is_no_ffmpeg(self):
        path = self.folder / "plane.vtkhdf"
        write_fields(path, steps=2)
        before, os.environ["PATH"] = os.environ["PATH"], str(self.folder)
        try:
            code, out, err = self.run_plot("fields", path, "-o", self.folder / "film.mp4")
        finally:
            os.environ["PATH"] = before
        self.assertEqual((0, ""), (code, err))
        self.assertIn(f"no ffmpeg here: {self.folder / 'film.gif'} instead of an mp4", out)
        self.assertEqual(b"GIF89a", (self.folder / "film.gif").read_bytes()[:6])

    def test_a_plane_through_tetrahedra_is_covered_once_with_the_values_there(self):
        path = self.folder / "cube.vtkhdf"
        write_fields(path, cut=False)
        with h5py.File(path) as file:
            series = plot.fields.Series(file)
            for axis in range(3):
                for at in (0.0, 0.3, 0.5, 1.0):
                    plane = plot.fields.plane_through(series, axis, at)
                    x, y = plane.x.reshape(-1, 3), plane.y.reshape(-1, 3)
                    area = np.abs((x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])).sum() / 2
                    self.assertAlmostEqual(1.0, area, places=5)
                    values = plane.take(series.values("E", 0))[:, 1]
                    self.assertTrue(np.allclose(values, at if axis == 0 else plane.x, atol=1e-6))

    def test_fields_that_cannot_be_drawn_are_told(self):
        path = self.folder / "plane.vtkhdf"
        self.check_failure(66, "no such file", "fields", path)
        self.check_failure(66, "no *.vtkhdf in it", "fields", self.folder)
        with h5py.File(path, "w") as file:
            file["x"] = [1]
        self.check_failure(65, "not a file of fields", "fields", path)
        write_fields(path)
        self.check_failure(64, "is a cut already", "fields", path, "--plane", "x=1")
        self.check_failure(64, "the file has the steps 0 to 4", "fields", path, "--step", 5)
        self.check_failure(64, "the ending must be one of", "fields", path, "-o", self.folder / "a.xyz")
        write_fields(path, cut=False)
        self.check_failure(65, "the plane x = 7 m meets nothing; x goes from 0 to 1 m", "fields", path, "--plane", "x=7")
        for text in ("w=1", "x=far", "=1", "xy=1"):
            self.check_failure(64, "expected x=METRES", "fields", path, "--plane", text)

    def test_units_are_scaled(self):
        self.assertEqual((1e-9, "GHz"), plot.scaled(1e10, "Hz"))
        self.assertEqual("ns", plot.scaled(1.2e-9, "s")[1])
        self.assertEqual("ps", plot.scaled(0.9e-9, "s")[1])
        self.assertEqual("aJ", plot.scaled(2.7e-17, "J")[1])
        self.assertEqual((1.0, "J"), plot.scaled(0.0, "J"))

    def test_missing_files_are_66(self):
        self.check_failure(66, "results.h5: no such file", self.folder)
        self.check_failure(66, "none.h5: no such file", "s", self.folder / "none.h5")

    def test_missing_data_is_65(self):
        self.write(write_probe)
        self.check_failure(65, "no S-parameters in it (it has probes)", "s", self.results)
        with h5py.File(self.results, "w"):
            pass
        self.check_failure(65, "nothing to draw in it: no S-parameters, active S-parameters, probes, energy", self.results)
        with h5py.File(self.results, "w") as file:
            file["energy/total"] = [1.0]
        self.check_failure(65, "/energy/time is missing", self.results)

    def test_what_is_not_hdf5_is_65(self):
        self.results.write_text("no HDF5", encoding="utf-8")
        self.check_failure(65, "not an HDF5 file", self.results)

    def test_wrong_usage_is_64(self):
        self.write(write_s)
        self.check_failure(64, "expected one results.h5 or folder, found 0")
        self.check_failure(64, "'smyth' is not s, active, probes, energy, rcs, width, monostatic, pattern, near, modes, field, colors, study, smith, delay, tdr, pattern3d, ports, iterations, fields or all",
                           "smyth", self.results)
        self.check_failure(64, "the extension of the image", self.results, "-o", self.folder / "picture.xyz")
        self.check_failure(64, "--colour", self.results, "--colour")

    def test_a_picture_that_cannot_be_written_is_74(self):
        self.write(write_s)
        self.check_failure(74, "No such file or directory", self.results, "-o", self.folder / "none" / "a.png")

    def test_the_program_runs_by_itself_also_with_a_python_that_lacks_the_packages(self):
        self.write(write_s)
        self.assertTrue(os.stat(PROGRAM).st_mode & stat.S_IXUSR)
        bare = self.folder / "bin"
        bare.mkdir()
        # -I -S: no site-packages, as a python3 of pyenv that stands first in PATH.
        (bare / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n', encoding="utf-8")
        (bare / "python3").chmod(0o755)
        environment = {**os.environ, "PATH": f"{bare}:{os.environ['PATH']}"}
        done = subprocess.run([str(PROGRAM), str(self.folder)], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.check_png(self.folder / "s.png")


if __name__ == "__main__":
    unittest.main()
