"""tetrawave-plot: residuals over iterations, iterations over frequencies."""

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
sys.path[:0] = [str(TOOLS), str(Path(__file__).resolve().parent)]
from plotting import iterations  # noqa: E402
from test_plot import write_s  # noqa: E402


def write_iterations(file, shape=(3, 2, 5)):
    """The second frequency comes from the model of a fast sweep; every second residual is kept."""
    group = file.create_group("frequency_domain")
    group["frequency"], group["iterations"] = np.array([1e9, 2e9, 3e9]), np.array([[8, 6], [0, 0], [4, 2]])
    history = np.full(shape, np.nan)
    history[0], history[2, :, :3] = 10.0 ** -np.arange(shape[2]), 10.0 ** -np.arange(3)
    group["residual_history"], group["residual_history_stride"] = history, np.full((3, 2), 2)
    group["preconditioner_made"] = np.array([1, 0, 0])


class Iterations(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.addCleanup(plt.close, "all")
        self.results = Path(place.name) / "results.h5"

    def write(self, writer):
        with h5py.File(self.results, "w") as file:
            writer(file)

    def run_plot(self, code=0, said=""):
        command = [sys.executable, TOOLS / "tetrawave-plot", "iterations", str(self.results)]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(code, answer.returncode, answer.stderr)
        self.assertIn(said, answer.stderr)

    def test_iterations_are_drawn_of_the_frequencies_that_were_solved(self):
        self.write(write_iterations)
        self.run_plot()
        with h5py.File(self.results) as file:
            self.assertEqual([0, 2], list(iterations.solved_ones(file["frequency_domain/residual_history"][()])))
            figure = plt.figure()
            iterations.draw_iterations(figure, file, None)
            upper, lower = figure.axes
            self.assertEqual([[0, 2, 4, 6, 8]] * 2 + [[0, 2, 4]] * 2, [list(line.get_xdata()) for line in upper.lines])
            self.assertEqual([[8, 4], [8]], [list(line.get_ydata()) for line in lower.lines])
        self.write(lambda file: write_iterations(file, (3, 1, 5)))
        self.run_plot(65, "is not [frequencies, right-hand sides, entries]")
        self.write(write_s)
        self.run_plot(65, "no iterations in it")


if __name__ == "__main__":
    unittest.main(verbosity=2)
