"""The tutorials as a reader runs them: in a kernel, cell by cell; their own assertions hold (with environment.py)."""

import shutil
import time
import unittest

import nbclient
import nbformat
from package import ROOT, FolderTest

TUTORIALS = ROOT / "cases" / "tutorials"


class TutorialsTest(FolderTest):
    def test_every_tutorial_runs_from_its_first_cell_to_its_last(self):
        for name in ("tutorials", "coax_bead", "filter"):  # with what they read, in a folder that they may write into
            shutil.copytree(ROOT / "cases" / name, self.folder / name, ignore=shutil.ignore_patterns("*.out"))
        notebooks = sorted(TUTORIALS.glob("*.ipynb"))
        self.assertEqual([path.stem for path in notebooks], ["coax_bead", "filter", "patch_antenna"])
        for path in notebooks:
            with self.subTest(tutorial=path.stem):
                notebook = nbformat.read(path, as_version=4)
                nbformat.validate(notebook)
                self.assertFalse([cell for cell in notebook.cells if cell.get("outputs")], "clear the outputs before committing")
                begin = time.perf_counter()
                nbclient.NotebookClient(notebook, timeout=1800, resources={"metadata": {"path": str(self.folder / "tutorials")}}).execute()
                print(f"{path.stem}: {time.perf_counter() - begin:.0f} s")
                pictures = [output for cell in notebook.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
                self.assertGreaterEqual(len(pictures), 2, "the figures are shown")


if __name__ == "__main__":
    unittest.main()
