"""tetrawave-plot: probes of the frequency domain."""

import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_plot import COMPLEX, plot  # noqa: E402


class Phasors(unittest.TestCase):
    def test_probes_of_the_frequency_domain_are_amplitudes_of_phasors(self):
        with tempfile.TemporaryDirectory() as folder, h5py.File(Path(folder) / "results.h5", "w") as file:
            data = np.zeros((3, 3), COMPLEX)
            data["r"][:, 1], data["i"][:, 1] = [3, 6, 0], [4, 8, 1]
            file["probes/centre/frequency"] = [1e9, 2e9, 4e9]
            file["probes/centre/E"] = data
            figure = plot.plt.figure()
            plot.draw_probes(figure, file, None)
            line = figure.axes[0].get_lines()[1]
            np.testing.assert_allclose(line.get_xdata(), [1, 2, 4])
            np.testing.assert_allclose(line.get_ydata(), [5, 10, 1])
            self.assertEqual("frequency (GHz)", figure.axes[0].get_xlabel())


if __name__ == "__main__":
    unittest.main()
