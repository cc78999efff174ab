"""`tetrawave selftest` on one rank, on two, and on a machine that is not good."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["TETRAWAVE_PROGRAM"]
MPIEXEC = os.environ["TETRAWAVE_MPIEXEC"]


def selftest(*options, ranks=1, **environment):
    words = [MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
    return subprocess.run([*words, PROGRAM, "selftest", "--backend", "cpu", *options], capture_output=True, text=True,
                          check=False, timeout=120, env={**os.environ, **environment})


def rows(text):
    """Result and text of each row by its name."""
    return {m[1].strip(): (m[2], m[3]) for m in re.finditer(r"^(.{26}) (\S+) +(.*)$", text, re.M)}


class SelfTest(unittest.TestCase):
    def test_one_rank_passes(self):
        done = selftest()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = rows(done.stdout)
        for name in ("threads", "copy bandwidth", "HDF5", "METIS", "dgtd-central cpu", "dgtd-upwind cpu", "dfdd-eld cpu",
                     "energy", "resonance", "speed"):
            self.assertEqual(found[name][0], "ok", name)
        self.assertEqual(found["messages of MPI"][0], "-")
        self.assertRegex(done.stdout, r"\n10 checks passed, 0 failed, in [0-9.]+ s\n$")

    def test_two_ranks_try_every_transport(self):
        for transport, name in (("auto", "mpi"), ("page-locked", "page-locked"), ("ipc", "ipc")):
            done = selftest("--transport", transport, ranks=2)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            found = rows(done.stdout)
            self.assertEqual(found["messages of MPI"][0], "ok")
            self.assertEqual(found["ranks"], ("ok", f"2 ranks give the same fields as one, bit for bit, over {name}"))
            self.assertRegex(done.stderr, r"rank +host +device\n +0 +\S+ +cpu .*\n +1 +\S+ +cpu ")

    def test_a_check_that_fails_gives_its_exit_code(self):
        with tempfile.TemporaryDirectory() as folder:
            missing = Path(folder) / "not-there"
            done = selftest(TMPDIR=str(missing), OMPI_MCA_orte_tmpdir_base=folder)
        self.assertEqual(done.returncode, 74, done.stdout + done.stderr)
        self.assertEqual(rows(done.stdout)["HDF5"][0], "FAILED")
        self.assertIn("9 checks passed, 1 failed", done.stdout)
        self.assertIn("tetrawave: error: selftest: HDF5: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
