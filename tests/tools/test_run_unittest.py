"""How tests are run and counted: run_unittest.py and scripts/count_tests.py, on files made for each test."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
FIRST = """
import unittest
class First(unittest.TestCase):
    def test_one(self): pass
    def test_two(self): self.assertLess(0, sum(k % 7 for k in range(3000000)))
"""
SECOND = """
import sys, unittest
sys.path.insert(0, {place!r})
from test_first import First
class Second(First):
    test_two = None
    def test_three(self): self.fail("as it should")
"""
JUNIT = """<testsuite><testcase name="first" time="2.5" status="run"/><testcase name="bare" time="1" status="run"/>
<testcase name="crashed" time="0.5" status="fail"/><testcase name="off" status="disabled"/>
<testcase name="gpu" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase></testsuite>"""


class Counts(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        (self.folder / "test_first.py").write_text(FIRST, encoding="utf-8")
        (self.folder / "test_second.py").write_text(SECOND.format(place=place.name), encoding="utf-8")

    def run_file(self, name):
        counts = self.folder / "counts"
        done = subprocess.run([sys.executable, PROJECT / "tests/run_unittest.py", self.folder, name], capture_output=True, text=True,
                              env=os.environ | {"TETRAWAVE_TEST_COUNTS": str(counts)}, check=False)
        return done.returncode, *map(float, counts.read_text(encoding="utf-8").split())

    def test_a_file_runs_the_cases_of_its_own_classes(self):
        code, passed, failed, seconds = self.run_file("test_first.py")
        self.assertEqual((code, passed, failed), (0, 2, 0))
        self.assertGreater(seconds, 0)
        # First itself would add two: only what Second has and inherits.
        self.assertEqual(self.run_file("test_second.py")[:3], (1, 1, 1))

    def test_cases_and_seconds_are_added_up(self):
        (self.folder / "ctest.xml").write_text(JUNIT, encoding="utf-8")
        (self.folder / "first").write_text("12 0 7.5\n", encoding="utf-8")
        (self.folder / "crashed").write_text("3 0 1.5\n", encoding="utf-8")

        def said(*more):
            words = [sys.executable, PROJECT / "scripts/count_tests.py", self.folder / "ctest.xml", self.folder, *more]
            return subprocess.run(words, capture_output=True, text=True, check=True).stdout

        self.assertEqual(said(), "16 1\n")
        self.assertEqual([line.split() for line in said("1").splitlines()[1:]], [["7.5", "2.5", "first"], ["9.0", "4.0", "all", "4"]])


if __name__ == "__main__":
    unittest.main()
