"""The mesher ends with the program that has started it, and nothing is left in the folder for temporary files."""

import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

from programs import CUBE, CUBE_GEO, MESHER, MPIEXEC, PROGRAM, ProgramTest

# Millions of elements: minutes.
LARGE = ["--set", "mesh.size=0.004"]


def meshers_of(folder):
    """Processes of the mesher that work on files of a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if b"tetrawave-mesh" in words and str(folder).encode() in words:
            found.append(int(entry.name))
    return found


def wait_until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


@unittest.skipUnless(MESHER.exists(), "the mesher is not built")
class EndingsTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for sent in (signal.SIGINT, signal.SIGHUP):  # a shell in the background hands them on ignored
            if signal.getsignal(sent) == signal.SIG_IGN:
                signal.signal(sent, signal.SIG_DFL)

    def setUp(self):
        super().setUp()
        self.write("cube.geo", CUBE_GEO)
        self.write("cube.yaml", CUBE)
        (self.folder / "tmp").mkdir()
        self.environment = os.environ | {"TMPDIR": str(self.folder / "tmp"), "OMP_NUM_THREADS": "1"}

    def meshing(self, *words, launch=()):
        """The program, once its mesher works."""
        process = subprocess.Popen([*launch, str(PROGRAM), *words], cwd=self.folder, env=self.environment, text=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        self.assertTrue(wait_until(lambda: meshers_of(self.folder)), "the mesher does not start")
        time.sleep(0.3)
        self.assertTrue(meshers_of(self.folder), "the mesh is made too fast for this test")
        return process

    def scratch(self):
        return [path.name for path in (self.folder / "tmp").iterdir() if path.name.startswith("tetrawave-")]

    def test_a_mesher_dies_with_a_program_that_is_killed(self):
        for command in (["check", "cube.yaml"], ["run", "cube.yaml"], ["mesh", "cube.yaml", "-o", "cube.h5"]):
            with self.subTest(command=command[0]):
                process = self.meshing(*command, *LARGE)
                process.kill()
                process.wait()
                self.assertTrue(wait_until(lambda: not meshers_of(self.folder), 5), "the mesher outlives the program")

    def test_a_signal_that_ends_the_program_ends_the_mesher_and_clears_up(self):
        before = sorted(path.name for path in self.folder.iterdir())
        for command in (["check", "cube.yaml"], ["run", "cube.yaml"], ["mesh", "cube.yaml", "-o", "cube.h5"],
                        ["study", "cube.yaml", "--set", "study.vary={method.basis: [full-1]}", "-o", "s"]):
            for sent in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                with self.subTest(command=command[0], signal=sent.name):
                    process = self.meshing(*command, *LARGE)
                    process.send_signal(sent)
                    said = process.communicate(timeout=20)[1]
                    self.assertEqual(process.returncode, -sent, said)
                    self.assertIn(f"stopped by signal {int(sent)}", said)
                    self.assertEqual(meshers_of(self.folder), [])
                    self.assertEqual(self.scratch(), [])
                    if command[0] != "study":
                        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)
                    else:
                        subprocess.run(["rm", "-r", "s"], cwd=self.folder, check=True)

    def test_a_mesher_ends_with_the_ranks_of_mpirun(self):
        launch = [MPIEXEC, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2"]
        for sent in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            with self.subTest(signal=sent.name):
                process = self.meshing("check", "cube.yaml", *LARGE, launch=launch)
                process.send_signal(sent)
                process.communicate(timeout=30)
                self.assertTrue(wait_until(lambda: not meshers_of(self.folder), 10), "the mesher outlives mpirun")

    def test_scratch_of_a_killed_check_goes_with_the_next_one_and_that_of_a_running_one_stays(self):
        killed = self.meshing("check", "cube.yaml", *LARGE)
        killed.kill()
        killed.wait()
        left = self.scratch()
        self.assertEqual(len(left), 1)
        running = self.meshing("check", "cube.yaml", *LARGE)
        of_running = self.scratch()
        self.assertEqual(len(of_running), 1)
        self.assertNotEqual(of_running, left)
        self.assertEqual(self.call("check", "cube.yaml", env=self.environment)[0], 0)
        self.assertEqual(self.scratch(), of_running)
        running.terminate()
        running.wait()
        self.assertEqual(self.scratch(), [])

    def test_a_check_that_has_its_mesh_leaves_nothing_behind_a_signal(self):
        self.write("slow.yaml", CUBE.replace("time:", "method: {basis: full-3}\ntime:"))
        process = subprocess.Popen([str(PROGRAM), "check", "slow.yaml", "--set", "mesh.size=0.05", "--set", "run.threads=1"],
                                   cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.assertTrue(wait_until(lambda: any((self.folder / "tmp" / name / "mesh.h5").exists() for name in self.scratch())))
        self.assertTrue(wait_until(lambda: not meshers_of(self.folder)))
        process.terminate()
        self.assertEqual(process.wait(timeout=20), -signal.SIGTERM)
        self.assertEqual(self.scratch(), [])

    def test_what_nohup_ignores_stays_ignored(self):
        process = self.meshing("check", "cube.yaml", "--set", "mesh.size=0.04", launch=["nohup"])
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    unittest.main()
