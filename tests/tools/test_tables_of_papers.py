"""tools/tables_of_papers.py: cases/PAPERS.md is what papers.json and the results files say."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import tables_of_papers  # noqa: E402


class TablesOfPapers(unittest.TestCase):
    def test_the_page_of_the_repository_is_what_the_tool_writes(self):
        ended = subprocess.run([sys.executable, ROOT / "tools/tables_of_papers.py", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def test_a_page_edited_by_hand_is_found(self):
        with tempfile.TemporaryDirectory() as place:
            page = Path(place) / "PAPERS.md"
            page.write_text((ROOT / "cases/PAPERS.md").read_text(encoding="utf-8").replace("664.74", "66", 1) + "\n", encoding="utf-8")
            ended = subprocess.run([sys.executable, ROOT / "tools/tables_of_papers.py", "--check", "-o", page], capture_output=True, text=True, check=False)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("PAPERS.md is not what tools/tables_of_papers.py writes", ended.stdout)

    def test_numbers_of_ours_are_those_of_the_files_and_a_missing_one_is_an_error(self):
        with tempfile.TemporaryDirectory() as place, mock.patch.object(tables_of_papers, "RESULTS", Path(place)), mock.patch.dict(tables_of_papers.FILES, clear=True):
            content = {"machine": ["program 1, revision 0123456789ab, Release"],
                       "runs": [{"name": "a", "ms": 2.0, "revision": "abc1234 (again)"}, {"name": "b", "ms": 5.0}]}
            (Path(place) / "x.json").write_text(json.dumps(content), encoding="utf-8")
            a, b = (["x.json", "runs", {"name": name}, "ms"] for name in "ab")
            self.assertEqual(tables_of_papers.ours_of({"ours": a}), 2)
            self.assertEqual(tables_of_papers.ours_of({"ours": [b, a], "scale": 100}), 250)
            self.assertIsNone(tables_of_papers.ours_of({"theirs": 3}))
            with self.assertRaisesRegex(tables_of_papers.Missing, "x.json: 0 items have {'name': 'c'}"):
                tables_of_papers.ours_of({"ours": ["x.json", "runs", {"name": "c"}, "ms"]})
            entry = {"item": "Table 1", "what": "a", "rows": [{"of": "one", "unit": "ms", "theirs": 8, "ours": a}, {"of": "two", "unit": "ms", "theirs": 9}]}
            lines, state = tables_of_papers.table(entry), tables_of_papers.state(entry)
            self.assertEqual(lines[-2], "Results and revisions: [x](../tests/gpu/results/x.json) (abc1234).")
            self.assertEqual(tables_of_papers.find(b)[1:], ("x.json", "01234567"))
            for ours, told in ((["*-none.json", "ms"], ["No number of ours: 'two' (2 after 50)."]), (a, [])):
                missing = {"of": "two", "unit": "ms", "theirs": 9, "ours": ours, "why": "{:.0f} after 50", "why_from": a}
                self.assertEqual(tables_of_papers.reasons({"rows": [missing]})[:1], told)
            missing = [{"of": name, "unit": "ms", "theirs": 9, "why": why} for name, why in (("two", "not run"), ("three", "too long"), ("four", "not run"))]
            self.assertEqual(tables_of_papers.reasons({"rows": missing})[:1], ["No number of ours: 'two', 'four' (not run); 'three' (too long)."])
            pattern = {"ours": ["*-later.json", "ms"]}
            self.assertIsNone(tables_of_papers.ours_of(pattern))
            for day, value in (("01", 7.0), ("02", None), ("03", 9.0)):
                (Path(place) / f"2026-12-{day}-later.json").write_text(json.dumps({"ms": value}), encoding="utf-8")
                self.assertEqual(tables_of_papers.ours_of(pattern), value)
            (Path(place) / "2026-12-04-later.json").write_text(json.dumps({"of another table": 1}), encoding="utf-8")
            self.assertEqual(tables_of_papers.ours_of(pattern), 9)
        self.assertIn("| one | 8 ms | 2 ms | 4 |", lines)
        self.assertIn("| two | 9 ms | - | - |", lines)
        self.assertEqual(state, "1 of 2 numbers")


if __name__ == "__main__":
    unittest.main()
