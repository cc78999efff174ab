"""The tutorials as a reader runs them: in a kernel, cell by cell; their own assertions hold (with environment.py)."""

import unittest

import nbclient
import nbformat
from package import FolderTest
from tutorials import TUTORIALS, copy_to


class TutorialsTest(FolderTest):
    def test_every_tutorial_runs_from_its_first_cell_to_its_last(self):
        folder = copy_to(self.folder)
        notebooks = sorted(TUTORIALS.glob("*.ipynb"))
        self.assertEqual([path.stem for path in notebooks], ["coax_bead", "filter", "patch_antenna"])
        for path in notebooks:
            with self.subTest(tutorial=path.stem):
                notebook = nbformat.read(path, as_version=4)
                nbformat.validate(notebook)
                self.assertFalse([cell for cell in notebook.cells if cell.get("outputs")], "clear the outputs before committing")
                nbclient.NotebookClient(notebook, timeout=1800, resources={"metadata": {"path": str(folder)}}).execute()
                pictures = [output for cell in notebook.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
                self.assertGreaterEqual(len(pictures), 2, "the figures are shown")


if __name__ == "__main__":
    unittest.main()
