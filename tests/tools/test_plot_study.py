"""tetrawave-plot study: the results that a study was asked for, over what it varies."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS))
from plotting import study  # noqa: E402

LENGTHS = ["29 mm", "30 mm", "31 mm"]


def write_study(file, lengths):
    """Three lengths and two orders; resonances 3 GHz - length in mm * 20 MHz, and of order 2 higher by 10 MHz."""
    group = file.create_group("study")
    group["mesh.parameters.length"] = [length for length in lengths for _ in range(2)]
    group["method.basis"] = ["mixed-1", "mixed-2"] * len(lengths)
    count = 2 * len(lengths)
    group["run"], group["elements"] = np.arange(1.0, count + 1), np.full(count, 1e3)
    group["setup_seconds"] = group["solve_seconds"] = group["iterations"] = np.ones(count)
    group["resonance:1"] = [3e9 - 20e6 * k + 10e6 * order for k in range(len(lengths)) for order in range(2)]
    group["resonance:1"].attrs["units"] = "Hz"
    group["s11@2.45GHz"] = -10.0 - np.arange(count)
    group["s11@2.45GHz"].attrs["units"] = "dB"
    group.attrs["results"] = ["resonance:1", "s11@2.45GHz"]


class StudyPictures(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.addCleanup(plt.close, "all")
        self.path = Path(place.name) / "study.h5"

    def draw(self, lengths):
        with h5py.File(self.path, "w") as file:
            write_study(file, lengths)
            figure = plt.figure(layout="constrained")
            study.draw_study(figure, file, None)
            return {axes.get_ylabel() or axes.get_xlabel(): axes for axes in figure.findobj(plt.Axes)}

    def test_results_are_drawn_over_the_number_that_is_varied_with_a_line_for_every_other_setting(self):
        axes = self.draw(LENGTHS)
        resonance = axes["resonance:1 (GHz)"]
        self.assertEqual(resonance.get_xlabel(), "mesh.parameters.length (mm)")
        lines = {line.get_label(): line for line in resonance.lines}
        np.testing.assert_allclose(lines["basis mixed-2"].get_xdata(), [29, 30, 31])
        np.testing.assert_allclose(lines["basis mixed-2"].get_ydata(), [3.01, 2.99, 2.97])
        np.testing.assert_allclose(axes["s11@2.45GHz (dB)"].lines[0].get_ydata(), [-10, -12, -14])
        self.assertIn("iterations", axes)

    def test_results_of_named_settings_are_a_bar_for_each_run(self):
        bars = self.draw(["short", "long"])["resonance:1 (GHz)"]
        np.testing.assert_allclose([bar.get_width() for bar in bars.patches], [3.0, 3.01, 2.98, 2.99])
        self.assertEqual(bars.get_yticklabels()[2].get_text(), "long, mixed-1")

    def test_the_command_draws_them(self):
        self.draw(LENGTHS)
        answer = subprocess.run([sys.executable, TOOLS / "tetrawave-plot", self.path], capture_output=True, text=True, check=False)
        self.assertEqual((0, f"{self.path.with_suffix('.png')}\n", ""), (answer.returncode, answer.stdout, answer.stderr))
        self.assertEqual(b"\x89PNG", self.path.with_suffix(".png").read_bytes()[:4])


if __name__ == "__main__":
    unittest.main()
