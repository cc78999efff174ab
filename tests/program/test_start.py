"""MPI starts late and by itself: without a launcher nothing of it can keep the program from its work."""

import os
import re
import unittest

from programs import BOX, ProgramTest

ABSENT = {name: value for name, value in os.environ.items() if not name.startswith("OMPI_MCA_")}


class StartTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("box.yaml", BOX)

    def test_options_and_versions_need_no_mpi(self):
        broken = ABSENT | {"OMPI_MCA_pml": "none-such", "OMPI_MCA_ess": "none-such"}  # no MPI starts with these
        self.assertNotEqual(self.call("info", env=broken)[0], 0)
        self.assertEqual(self.call("--version", env=broken)[::2], (0, ""))
        self.assertEqual(self.call("run", "--help", env=broken)[::2], (0, ""))
        code, said, error = self.call("run", "box.yaml", "--overwritten", env=broken)
        self.assertEqual((code, said), (64, ""))
        self.assertIn("unknown option '--overwritten' (did you mean '--overwrite'?)", error)
        self.assertEqual(len(error.splitlines()), 1)

    def test_an_instruction_set_that_is_not_there_is_an_error_that_names_those_in_the_build(self):
        _, said, _ = self.call("info")
        in_build = re.search(r"^cpu: x86-64-v\d \(in this build: (x86-64-v\d(?:, x86-64-v\d)*)\)$", said, re.M)[1]
        code, _, error = self.call("run", "box.yaml", env={"TETRAWAVE_ISA": "v9"})
        self.assertEqual(code, 69)
        self.assertRegex(error, rf"TETRAWAVE_ISA=v9: this build has the CPU backend for {in_build}, and this machine "
                                r"runs x86-64-v\d at best: name one of these \(v2, v3 or v4\), or build with "
                                r"-DTETRAWAVE_ISAS=all")

    def test_a_run_needs_neither_ssh_nor_a_folder_for_temporary_files(self):
        for path in ("/nonexistent", "/proc/self/fdinfo"):  # the second cannot be written, by root neither
            code, _, error = self.call("run", "box.yaml", "--overwrite", env={"PATH": "/nonexistent", "TMPDIR": path})
            self.assertEqual(code, 0, error)

    def test_one_rank_alone_tells_of_wrong_options(self):
        code, _, error = self.call("run", "box.yaml", "--overwritten", ranks=2)
        self.assertEqual(code, 64)
        self.assertEqual(error.count("unknown option"), 1)
        code, said, _ = self.call("--version", ranks=2)
        self.assertEqual(code, 0)
        self.assertEqual(said.count("tetrawave"), 1)

    def test_output_that_cannot_be_written_is_an_error(self):
        for words in (["check", "box.yaml"], ["check", "box.yaml", "--json"], ["info"], ["--version"], ["check", "--help"]):
            with self.subTest(words=words), open("/dev/full", "w", encoding="utf-8") as full:
                code, _, error = self.call(*words, stdout=full)
                self.assertEqual(code, 74, error)
                self.assertIn("cannot write to stdout: No space left on device", error)


if __name__ == "__main__":
    unittest.main()
