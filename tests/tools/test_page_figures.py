"""tools/page_figures.py: the measured numbers of the pages are those of the results files."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/page_figures.py"
sys.path.insert(0, str(ROOT / "tools"))
import page_figures  # noqa: E402
import tables_of_papers  # noqa: E402


def run(*words):
    return subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True, check=False)


class PageFigures(unittest.TestCase):
    def test_the_pages_have_the_numbers_of_the_results_files(self):
        ended = run("--check")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertRegex(ended.stdout, r"^\d{3,} numbers of \d\d pages, 0 faults\n$")

    def test_a_number_edited_by_hand_and_a_sentence_that_went_are_found_and_the_number_is_put_back(self):
        entries = json.loads((ROOT / "tools/page_figures.json").read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as place:
            for name in {entry["page"] for entry in entries}:
                path = Path(place) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
            page = Path(place) / "cases/emc_apertures/README.md"
            true = page.read_text(encoding="utf-8")
            self.assertIn("4.3 and 7.7 ms", true)
            page.write_text(true.replace("4.3 and 7.7 ms", "4.2 and 7.7 ms"), encoding="utf-8")
            ended = run("--check", "--root", place)
            self.assertEqual(ended.returncode, 1)
            self.assertIn("emc_apertures/README.md: 4.2 should be 4.3 in 'with {:,.0f}", ended.stdout)
            self.assertEqual(run("--root", place).returncode, 0)
            self.assertEqual(page.read_text(encoding="utf-8"), true)
            page.write_text(true.replace("MUMPS on one core", "MUMPS"), encoding="utf-8")
            ended = run("--check", "--root", place)
            self.assertEqual(ended.returncode, 1)
            self.assertIn("emc_apertures/README.md: 0 times 'MUMPS on one core", ended.stderr)

    def test_numbers_are_places_quotients_sums_and_what_was_printed_across_broken_lines(self):
        with tempfile.TemporaryDirectory() as place, mock.patch.object(tables_of_papers, "RESULTS", Path(place)), mock.patch.dict(tables_of_papers.FILES, clear=True):
            content = {"runs": [{"name": "a", "ms": 1234.5, "says": ["S11: largest 0.00015 at 9 GHz", "gain -0.5 dB"]}, {"name": "b", "ms": 2}]}
            (Path(place) / "x.json").write_text(json.dumps(content), encoding="utf-8")
            entry = {"page": "p.md", "at": ["x.json", "runs"], "text": "{:,.0f} steps, a ratio of {:.1f}, sum {:.0f}; {:.1e} and {:+.1f} dB",
                     "from": [[{"name": "a"}, "ms"], {"of": [0, "ms"], "over": [1, "ms"], "times": 0.1}, {"sum": [[0, "ms"], [1, "ms"]]},
                              [0, "says", {"says": r"largest (\S+) at"}], [0, "says", {"says": r"gain (\S+) dB"}]]}
            page, differing = page_figures.filled("Of 7\nsteps, a ratio of\n61.7, sum 1,236; 1.5e-4 and -0.5 dB.", entry)
            self.assertEqual(page, "Of 1,234\nsteps, a ratio of\n61.7, sum 1236; 1.5e-4 and -0.5 dB.")
            self.assertEqual(differing, [["7", "1,234"], ["1,236", "1236"]])
            for wrong, message in (({"from": entry["from"][:3]}, "5 numbers in .* but 3 places"), ({"from": [[{"name": "c"}, "ms"]] * 5}, "0 items have"),
                                   ({"from": [[0, "says", {"says": "S21 (.*)"}]] * 5}, "no 'S21")):
                with self.assertRaisesRegex(tables_of_papers.Missing, message):
                    page_figures.filled(page, {**entry, **wrong})

    def test_a_number_that_a_test_holds_is_read_from_it(self):
        with tempfile.TemporaryDirectory() as place, mock.patch.object(page_figures, "ROOT", Path(place)):
            (Path(place) / "a_test.cpp").write_text("Row{10, -12.54, .026}, Row{5, .38, .041}", encoding="utf-8")
            entry = {"page": "p.md", "text": "error {:.3f}", "from": [{"source": "a_test.cpp", "says": r"Row\{5, [^,]*, (\S+)\}"}]}
            self.assertEqual(page_figures.filled("error 0.040", entry), ("error 0.041", [["0.040", "0.041"]]))
            entry["from"][0]["says"] = "Row.7, (.*)"
            with self.assertRaisesRegex(tables_of_papers.Missing, "a_test.cpp: no 'Row.7"):
                page_figures.filled("error 0.040", entry)


if __name__ == "__main__":
    unittest.main()
