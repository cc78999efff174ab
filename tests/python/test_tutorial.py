"""The first tutorial, cell by cell in this Python; slow_tutorials.py runs all of them in a notebook's kernel."""

import os
import unittest

import matplotlib
from package import FolderTest
from tutorials import cells_of, copy_to

matplotlib.use("Agg")


class TutorialTest(FolderTest):
    def test_the_tutorial_of_the_coaxial_line_runs(self):
        folder = copy_to(self.folder)
        os.chdir(folder)
        names = {}
        for cell in cells_of(folder / "coax_bead.ipynb"):
            exec(compile(cell, "coax_bead.ipynb", "exec"), names)  # noqa: S102
        self.assertLess(names["deviation"], 0.008)
        self.assertEqual(names["run"].s.shape, (496, 2, 2))


if __name__ == "__main__":
    unittest.main()
