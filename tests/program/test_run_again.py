"""The case.yaml of a run names its files absolutely: it runs from any folder, and after the run's folder has moved."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "physics"))
import guide  # noqa: E402

CASE = """\
mesh: {file: parts/guide.h5}
materials: {air: {}}
regions: {feed: air}
boundaries: {pec: [y0, y1], pmc: [x0, x1], absorbing: [z1]}
ports: [{name: p, boundary: z0, type: tem, signal: y1, excite: {waveform: pulse}}]
waveforms: {pulse: {type: table, file: parts/pulse.txt}}
time: {steps: 40}
outputs: {probes: [{name: q, point: [0.5e-3, 0.5e-3, 3e-3], fields: [E]}]}
run: {threads: 1}
"""


class RunAgain(unittest.TestCase):
    def run_in(self, folder, case, out):
        done = subprocess.run([os.environ["TETRAWAVE_PROGRAM"], "run", case, "-o", out, "--quiet"], cwd=folder,
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_case_of_a_run_runs_from_any_folder_and_after_a_move(self):
        with tempfile.TemporaryDirectory() as place:
            home, other = Path(place) / "a case: \"one\"", Path(place) / "other/place"
            (home / "parts").mkdir(parents=True)
            other.mkdir(parents=True)
            guide.write_mesh(home / "parts/guide.h5", [0, 1e-3, 2e-3, 3e-3, 4e-3], 0.5e-3)
            (home / "parts/pulse.txt").write_text("0 0\n2e-12 1\n4e-12 0\n", encoding="utf-8")
            (home / "case.yaml").write_text(CASE, encoding="utf-8")
            self.run_in(Path(place), Path(home.name) / "case.yaml", home / "first")  # names are relative to the case's folder
            text = (home / "first/case.yaml").read_text(encoding="utf-8")
            self.assertEqual(text.count(str(home).replace('"', '\\"')), 2, text)
            self.run_in(other, home / "first/case.yaml", "second")
            (home / "first").rename(other / "moved")
            self.run_in(other / "moved", "case.yaml", other / "third")
            found = []
            for folder in (other / "moved", other / "second", other / "third"):
                self.assertEqual((folder / "case.yaml").read_text(encoding="utf-8"), text)
                with h5py.File(folder / "results.h5") as file:
                    found.append(file["probes/q/E"][()])
            self.assertGreater(np.abs(found[0]).max(), 0)
            for again in found[1:]:
                np.testing.assert_array_equal(again, found[0])


if __name__ == "__main__":
    unittest.main()
