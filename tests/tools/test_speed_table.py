"""tools/speed_table.py: README's table is of the last file of results, and that of one revision."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/speed_table.py"


def run(*words):
    return subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True, check=False)


def bench_file(revision, *, ranks=1):
    row = {"scheme": "dgtd-central", "basis": "full-1", "layout": "factored", "precision": "double", "kernels": "fused", "elements": 944784, "seconds_per_step": 1e-4,
           "dof_updates_per_second": 135.4e9, "bytes_per_step": 4e8, "copy_bytes_per_second": 4.2e12, "share_of_copy": 0.951}
    rows = [row, {**row, "elements": 41154, "dof_updates_per_second": 99e9}, {**row, "layout": "stored"}]
    return json.dumps({"program": "tetrawave", "revision": revision, "date": "2026-01-01", "machine": "cuda: 0: NVIDIA H200, 140 GiB", "ranks": ranks, "rows": rows})


class SpeedTable(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def test_readme_is_of_the_last_file_of_results_and_a_changed_number_is_found(self):
        ended = run("--check")
        self.assertEqual((ended.returncode, ended.stdout), (0, ""))
        page = self.folder / "README.md"
        page.write_text((ROOT / "README.md").read_text(encoding="utf-8").replace("| DGTD-Central | ", "| DGTD-Central | 1", 1), encoding="utf-8")
        ended = run("--check", "--readme", page)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("README.md is not what tools/speed_table.py writes", ended.stdout)

    def test_what_a_check_of_gpus_leaves_is_collected_of_one_revision_and_one_rank(self):
        ended = run("--collect", self.folder / "table.json", self.folder)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("no gpu_check_*.json of one rank", ended.stderr)
        for name, text in (("gpu_check_a", bench_file("abc")), ("gpu_check_2_ranks", bench_file("abc", ranks=2))):
            (self.folder / f"{name}.json").write_text(text, encoding="utf-8")
        self.assertEqual(run("--collect", self.folder / "table.json", self.folder).returncode, 0)
        found = json.loads((self.folder / "table.json").read_text(encoding="utf-8"))
        self.assertEqual([(row["basis"], row["elements"]) for row in found["rows"]], [("full-1", 944784), ("full-1", 41154)])
        (self.folder / "gpu_check_b.json").write_text(bench_file("def"), encoding="utf-8")
        ended = run("--collect", self.folder / "table.json", self.folder)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("has files of other revisions: def", ended.stderr)


if __name__ == "__main__":
    unittest.main()
