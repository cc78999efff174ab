"""Files that are no plain files, and names that a terminal would obey."""

import os
import unittest

from programs import BOX, ProgramTest


class FilesTest(ProgramTest):
    def test_a_pipe_or_device_as_case_mesh_or_table_is_missing_input(self):
        os.mkfifo(self.folder / "pipe.yaml")
        os.mkfifo(self.folder / "pipe.h5")
        os.mkfifo(self.folder / "pipe.geo")
        os.mkfifo(self.folder / "pipe.txt")
        self.write("box.yaml", BOX)
        wave = "waveforms={w: {type: table, file: %s}}"
        for words in (["pipe.yaml"], ["/dev/zero"], ["box.yaml", "--set", "mesh={file: pipe.h5}"],
                      ["box.yaml", "--set", "mesh={file: pipe.geo}"], ["box.yaml", "--set", wave % "pipe.txt"],
                      ["box.yaml", "--set", wave % "/dev/zero"]):
            with self.subTest(words=words):
                code, _, error = self.call("check", *words, timeout=20)
                self.assertEqual(code, 66, error)
                self.assertIn("a pipe or a device", error)

    def test_control_characters_of_names_do_not_reach_the_terminal(self):
        self.write("a\x1b[31m\x9b.yaml", BOX + "wrong: 1\n")
        code, _, error = self.call("check", "a\x1b[31m\x9b.yaml")
        self.assertEqual(code, 78)
        self.assertIn(r"a\x1b[31m\xc2\x9b.yaml:8:1: error: ", error)
        self.assertNotIn("\x1b", error)
        self.assertNotIn("\x9b", error)


if __name__ == "__main__":
    unittest.main()
