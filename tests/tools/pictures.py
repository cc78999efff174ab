"""What tests of pictures share: a results.h5 written by hand, and tetrawave-plot run on it."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

TOOLS = Path(__file__).resolve().parents[2] / "tools"


class PictureTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.results = Path(place.name) / "results.h5"

    def write(self, *parts):
        with h5py.File(self.results, "w") as file:
            for part in parts:
                part(file)

    def run_plot(self, *words):
        answer = subprocess.run([sys.executable, TOOLS / "tetrawave-plot", *words], capture_output=True, text=True, check=False)
        return answer.returncode, answer.stdout, answer.stderr
