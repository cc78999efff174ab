"""tools/papers_iiee.py: tables and pictures from files of the bench and of runs; the page that papers_statics.py writes from results files."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def bench_file(path, machine, rates, faces, inner):
    """Rows with those rates by kernel, halved with ten right-hand sides; 288 pairs of points to a pair of faces."""
    rows = [{"kernel": kernel, "precision": "double", "faces": faces, "inner_faces": inner, "right_hand_sides": sets,
             "pairs": 288.0 * faces * inner, "pairs_per_second": rate / (1 if sets == 1 else 2)} for kernel, rate in rates.items() for sets in (1, 10)]
    rows.append(dict(rows[0], precision="single", pairs_per_second=1.0))  # is left out
    path.write_text(json.dumps({"machine": machine, "rows": rows}), encoding="utf-8")


def run_file(folder, sets, seconds):
    folder.mkdir()
    with h5py.File(folder / "results.h5", "w") as file:
        for name, values in seconds.items():
            file[f"performance/iterations/seconds_{name}"] = np.array([values])
        file["iiee/error"] = [1.0]
        file["iiee"].attrs.update(outer_faces=300, inner_faces=200)
        file["frequency_domain/residual"] = np.zeros((1, sets))


class Papers(unittest.TestCase):
    def draw(self, folder, *arguments):
        done = subprocess.run([sys.executable, TOOLS / "papers_iiee.py", "-o", folder / "out", *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((folder / "out/tables.md").read_text(encoding="utf-8").strip(), done.stdout.strip())
        return done.stdout

    def test_tables_and_speed_ups_are_those_of_the_files(self):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            bench_file(folder / "core.json", "cpu: one core", {"tiles": 2e8}, 3024, 20)
            bench_file(folder / "gpu.json", "cuda: a GPU", {"tiles": 1e11, "paper, 8 threads, shared": 4e9, "paper, 32 threads, shared": 1e10,
                                                            "paper, 32 threads": 2e9}, 3024, 40)
            text = self.draw(folder, "--bench", folder / "core.json", folder / "gpu.json")
            drawn = sorted(path.name for path in (folder / "out").glob("*.png"))
        pairs = 288 * 3024 * 946  # on 946 faces of S', whatever number was timed
        self.assertIn(f"| 3,024 | 1 | 10.45 | {pairs / 2e8:.3g} | {pairs / 1e11:.3g} | {pairs / 1e10:.3g} | 500 |", text)
        self.assertIn("| 5,536 | 1 | 19.26 | - | - | - | - |", text)
        self.assertIn("Ours: cuda: a GPU.", text)
        self.assertEqual(drawn, [f"figure_{number}.png" for number in (10, 11, 6, 7, 8)])

    def test_shares_of_iterations_leave_solutions_and_missing_iterations_out(self):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            run_file(folder / "one.out", 10, {"solve": [9, 9, np.nan], "sums": [3, 3, np.nan], "transfer": [0.5, 0.5, np.nan], "rest": [0.5, 0.5, np.nan]})
            text = self.draw(folder, "--run", folder / "one.out")
            self.assertIn("| 300 | 200 | 10 | 12.5 % | 12.5 % |", text)
            self.assertTrue((folder / "out/figure_12.png").exists())

    def test_the_capacitor_s_page_is_what_its_results_files_give(self):
        page = (TOOLS.parent / "cases/capacitor/paper/README.md").read_text(encoding="utf-8")
        files = [TOOLS.parent / "tests/gpu/results" / name for name in re.findall(r"(?m)^\* (\S+\.json):", page)]
        self.assertEqual(len(files), 2)
        with tempfile.TemporaryDirectory() as place:
            done = subprocess.run([sys.executable, TOOLS / "papers_statics.py", "draw", "-o", place, *files], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((Path(place) / "README.md").read_text(encoding="utf-8"), page)
            self.assertEqual(sorted(path.name for path in Path(place).iterdir()),
                             sorted(path.name for path in (TOOLS.parent / "cases/capacitor/paper").iterdir()))


if __name__ == "__main__":
    unittest.main()
