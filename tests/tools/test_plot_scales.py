"""tetrawave-plot: patterns as full circles, fields in dB and between limits, lengths in the case's units, curves that coincide."""

import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path

import h5py
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.dont_write_bytecode = True
sys.path[:0] = [str(TOOLS), str(Path(__file__).resolve().parent)]
from plotting import base, fields, network, patterns, statics  # noqa: E402
from reporting.network import impedance_of  # noqa: E402
from test_plot import plot, write_far_field, write_fields, write_probe, write_s, write_statics  # noqa: E402

UPPER = np.linspace(0, 90, 19)


class Scales(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.addCleanup(plt.close, "all")
        self.folder = Path(place.name)
        self.results = self.folder / "results.h5"

    def write(self, writer, units="mm"):
        with h5py.File(self.results, "w") as file:
            file.attrs["case"] = f'title: ""\nunits: {units}\n'
            writer(file)

    def run_plot(self, *words, code=0, said=""):
        answer = subprocess.run([sys.executable, TOOLS / "tetrawave-plot", *map(str, words)], capture_output=True, text=True, check=False)
        self.assertEqual(code, answer.returncode, answer.stderr)
        self.assertIn(said, answer.stderr)

    def circles(self, theta, phi):
        level = 10 * np.subtract.outer(np.cos(np.radians(theta)), 0.3 * np.cos(np.radians(phi - 20)))
        with h5py.File(self.results, "r") as file:
            return level, {plane: (at, values) for plane, at, values in patterns.full_circles(file, "1", theta, phi, level)}

    def test_curves_that_coincide_are_dashed_so_that_both_are_seen(self):
        self.write(lambda file: write_s(file, driven=(0, 1)))
        with h5py.File(self.results) as file:
            figure = plt.figure()
            plot.draw_s(figure, file, None)
        styles = [{line.get_label(): line.get_linestyle() for line in axes.lines} for axes in figure.axes]
        self.assertEqual({"S11": "-", "S21": "-", "S12": "--", "S22": "--"}, styles[0])
        self.assertEqual(["-", "-", "--", "--"], list(styles[1].values()))

    def test_a_step_response_is_shown_until_it_has_settled(self):
        frequency = np.linspace(1e8, 1e10, 100)
        with h5py.File(self.results, "w") as file:
            file.create_group("s_parameters")
            figure = plt.figure()
            network.draw_tdr(figure, (frequency, {"S11": -0.25 * np.exp(-2j * np.pi * frequency * 1e-9)}), file)
        low, high = figure.axes[0].get_xlim()  # in ns; the whole response is 5 ns long, the mismatch answers after 1 ns
        self.assertLess(low, 0)
        self.assertTrue(1.5 <= high <= 2.1, high)

    def test_impedances_are_those_of_the_reference_of_s(self):
        """50 ohm, not the port's own 75: a step that is not reflected meets the reference."""
        frequency = np.linspace(1e8, 1e10, 100)
        with h5py.File(self.results, "w") as file:
            attributes = file.create_group("s_parameters").attrs
            attributes["ports"], attributes["impedance"] = ["p1"], [50.0]
            file.create_group("ports/p1").attrs["impedance"] = 75.0
            figure = plt.figure()
            network.draw_tdr(figure, (frequency, {"S11": 1e-6 * np.exp(-2j * np.pi * frequency * 1e-9)}), file)
            self.assertAlmostEqual(np.nanmean(figure.axes[1].lines[0].get_ydata()), 50, delta=0.01)
            run = types.SimpleNamespace(file=file, s_parameters=(frequency, None, ["p1"]))
            self.assertEqual(impedance_of(run, 0), 50)

    def test_principal_planes_are_joined_to_full_circles(self):
        self.write(lambda file: None)
        theta, phi = np.linspace(0, 180, 37), np.arange(0.0, 360, 10)
        level, circles = self.circles(theta, phi)
        self.assertEqual(["xz", "yz", "xy"], list(circles))
        for plane, ahead, behind in (("xz", 0, 18), ("yz", 9, 27)):
            at, values = circles[plane]
            np.testing.assert_allclose(at, np.r_[np.arange(0, 181, 5), np.arange(180, 361, 5)])
            np.testing.assert_array_equal(values, np.r_[level[:, ahead], level[::-1, behind]])
        at, values = circles["xy"]
        np.testing.assert_allclose(at, np.arange(0, 361, 10))
        np.testing.assert_array_equal(values, np.r_[level[18], level[18, 0]])

    def test_no_line_goes_through_directions_that_are_not_there(self):
        self.write(lambda file: None)
        level, circles = self.circles(UPPER, np.array([-90.0, 0, 90]))
        self.assertEqual(["yz"], list(circles))
        at, values = circles["yz"]
        self.assertEqual(1, np.isnan(values).sum())
        self.assertTrue(np.isnan(values[19]))
        np.testing.assert_array_equal(values[20:], level[::-1, 0])
        self.assertEqual([270, 360], [at[20], at[-1]])

    def test_the_option_draws_circles_or_says_what_it_needs(self):
        self.write(lambda file: write_far_field(file, phi=np.array([0.0, 90, 180, 270])))
        self.run_plot("pattern", self.results, "--full-circle")
        with h5py.File(self.results) as file:
            figure = plt.figure()
            patterns.draw_pattern(figure, file, types.SimpleNamespace(full_circle=True))
            self.assertEqual(["xz: theta", "yz: theta"], [line.get_label() for line in figure.axes[0].lines])
            self.assertAlmostEqual(2 * np.pi, figure.axes[0].lines[0].get_xdata()[-1])
            self.assertIn("in the principal planes, at most 1.76 dBi", figure.axes[0].get_title())
        self.write(write_far_field)
        self.run_plot("pattern", self.results, "--full-circle", code=65, said="a full circle needs phi 0 and 180 (plane xz)")
        self.write(write_probe)
        self.run_plot(self.results, "--full-circle", code=64, said="--full-circle is for patterns")

    def image_of(self, path, **options):
        chosen = types.SimpleNamespace(**({"db": False, "limits": None, "field": "E", "component": "magnitude", "step": 0, "is_film": False}
                                          | options))
        with h5py.File(path) as file:
            series = fields.Series(file)
            figure = plt.figure()
            image, title, _, _ = fields.draw_first(figure, fields.Frames(series, fields.choose_plane(series, None), chosen))
        return image, title, figure.axes

    def test_fields_are_drawn_in_decibels_and_between_limits(self):
        path = self.folder / "plane.vtkhdf"
        write_fields(path)
        plain, _, axes = self.image_of(path)
        self.assertEqual("|E| (V/m)", axes[1].get_ylabel())
        image, _, axes = self.image_of(path, db=True)
        self.assertEqual("|E| (dB(V/m))", axes[1].get_ylabel())
        self.assertAlmostEqual(60, np.ptp(image.get_clim()))
        np.testing.assert_allclose(image.get_array(), 20 * np.log10(np.maximum(plain.get_array(), 1e-10)), rtol=1e-5)
        self.assertEqual((-30, -10), self.image_of(path, db=True, limits=[-30, -10])[0].get_clim())
        image, _, axes = self.image_of(path, component="y", limits=[0, 5e-3])
        self.assertEqual(("$E_y$ (mV/m)", (0, 5)), (axes[1].get_ylabel(), image.get_clim()))
        self.run_plot("fields", path, "--db", "--limits", -40, 0, "-o", self.folder / "film.gif")
        self.run_plot("fields", path, "--limits", 1, 1, code=64, said="--limits: MIN must be below MAX")

    def test_of_a_run_with_nothing_else_the_fields_are_drawn(self):
        path = self.folder / "fields" / "plane.vtkhdf"
        path.parent.mkdir()
        write_fields(path)
        self.write(lambda file: None)
        for words in ((self.folder,), ("--db", self.results)):
            self.run_plot(*words)
            path.with_suffix(".png").unlink()
        self.write(write_probe)
        self.run_plot(self.folder)
        self.assertTrue((self.folder / "probes.png").exists())
        self.assertFalse(path.with_suffix(".png").exists())

    def test_the_field_of_statics_takes_decibels_and_limits(self):
        self.write(write_statics)
        self.run_plot("field", self.results, "--db", "--limits", 0, 20)
        options = types.SimpleNamespace(view=None, db=True, limits=[0.0, 20.0])
        with h5py.File(self.results) as file:
            figure = plt.figure()
            statics.draw_field(figure, file, options)
        self.assertEqual("|E| (dB(V/m))", figure.axes[1].get_ylabel())
        np.testing.assert_allclose(figure.axes[0].collections[0].get_array(), 10 * np.log10(5))
        self.assertEqual("x (mm)", figure.axes[0].get_xlabel())
        self.write(write_probe)
        self.run_plot(self.results, "--db", code=64, said="--db and --limits are for the field of statics")

    def test_lengths_are_in_the_units_of_the_case(self):
        for units, factor, unit in (("um", 1e6, "µm"), ("mil", 1e3 / 0.0254, "mil"), ("m", 1e3, "mm")):
            self.assertEqual((factor, unit), base.case_lengths(f"title: units\nunits: {units}\n", 5e-3))
        self.write(write_probe, units="um")
        with h5py.File(self.results) as file:
            figure = plt.figure()
            plot.draw_probes(figure, file, None)
            self.assertIn("at (0, 0, 5000) µm", figure.axes[0].get_title(loc="left"))
        path = self.folder / "fields" / "plane.vtkhdf"
        path.parent.mkdir()
        write_fields(path)
        (self.folder / "case.yaml").write_text("units: inch\n", encoding="utf-8")
        _, title, axes = self.image_of(path)
        self.assertEqual("x (inch)", axes[0].get_xlabel())
        self.assertIn("z = 78.7 inch", title.get_text())


if __name__ == "__main__":
    unittest.main()
