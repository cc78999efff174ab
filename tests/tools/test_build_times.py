"""The times of a build and the shell helper that shows its first error, on logs made for each test."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


class BuildTimes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name)
        lines = ["# ninja log v5"]
        for begin, end, output in ((0, 40000, "CMakeFiles/tw_host_v4.dir/generated/a.cpp.o"),
                                   (1000, 3500, "CMakeFiles/tw_mesh.dir/Unity/unity_0_cxx.cxx.o"),
                                   (0, 90000, "CMakeFiles/tw_mesh.dir/src/mesh/gone.cpp.o"),
                                   (0, 500, "bin/tetrawave")):
            lines.append(f"{begin}\t{end}\t0\t{output}\tabc")
            if "gone" not in output:
                (self.build / output).parent.mkdir(parents=True, exist_ok=True)
                (self.build / output).touch()
        (self.build / ".ninja_log").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def call(self, *options):
        words = [sys.executable, PROJECT / "scripts" / "build_times.py", self.build, *options]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def test_seconds_are_added_up_by_room_and_the_slowest_objects_are_named(self):
        code, said = self.call("--most", "1")
        self.assertEqual(code, 0)
        self.assertRegex(said, r"kernels of v4 +40\.0 +1 +40\.0\n")
        self.assertRegex(said, r"mesh +2\.5 +1 +2\.5\n")
        self.assertRegex(said, r"all +43\.0 +3\n")
        self.assertTrue(said.endswith("\n    40.0  CMakeFiles/tw_host_v4.dir/generated/a.cpp.o\n"), said)
        self.assertNotIn("gone", said)  # no longer an object of the build

    def test_an_object_above_the_limit_is_a_failure(self):
        self.assertEqual(self.call("--limit", "40")[0], 0)
        code, said = self.call("--limit", "39.9")
        self.assertEqual(code, 1)
        self.assertIn("1 object(s) took more than 39.9 s", said)


class Quietly(unittest.TestCase):
    def call(self, script):
        with tempfile.TemporaryDirectory() as folder:
            text = f". {PROJECT}/scripts/lib.sh; quietly build {folder}/logs/build.log bash -c {script!r}"
            done = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout, Path(folder).resolve()

    def test_a_step_that_succeeds_is_one_line_with_its_time(self):
        code, said, _ = self.call("echo much; echo more")
        self.assertEqual(code, 0)
        self.assertRegex(said, r"^build +\d+ s\n$")

    def test_a_step_that_fails_shows_the_first_error_and_where_the_log_is(self):
        code, said, folder = self.call("for i in 1 2 3 4 5 6; do echo line $i; done; echo a.cpp:3:1: error: first; "
                                       "for i in `seq 99`; do echo b.cpp:$i:1: error: later; done; exit 3")
        self.assertEqual(code, 1)
        self.assertRegex(said, r"^build +failed after \d+ s\n")
        self.assertIn("a.cpp:3:1: error: first", said)
        self.assertNotIn("line 1\n", said)
        self.assertNotIn("b.cpp:99", said)
        self.assertTrue(said.endswith(f"the whole log: {folder}/logs/build.log\n"), said)


if __name__ == "__main__":
    unittest.main()
