"""A .geo file runs no commands and writes no files unless the user allows it."""

import os
import unittest

from programs import CUBE, CUBE_GEO, MESHER, ProgramTest

LINE = CUBE_GEO.count("\n") + 1
# A statement, what it does in the words of the message, and the file that it would make.
DEEDS = [
    ('SystemCall "touch made";', "run the command 'touch made'", "made"),
    ('NonBlockingSystemCall "touch made";', "run the command 'touch made &'", "made"),
    ('Printf("text") > "made";', "write the file '{folder}/made'", "made"),
    ('Printf("text") >> "made";', "write the file '{folder}/made'", "made"),
    ('Save "made.msh";', "write the file '{folder}/made.msh'", "made.msh"),
    ('Print "made.msh";', "write the file '{folder}/made.msh'", "made.msh"),
    ('CreateDir "made";', "make the folder '{folder}/made'", "made"),
    ('Field[1] = ExternalProcess; Field[1].CommandLine = "touch made"; Background Field = 1;', "start 'a program'", None),
    ('OnelabRun("name", "touch made");', "open a socket for 'OnelabRun'", None),
]


@unittest.skipUnless(MESHER.exists(), "the mesher is not built")
class GeoCommandsTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("cube.yaml", CUBE)

    def check_refused(self, place, deed, *command):
        before = sorted(os.listdir(self.folder))
        code, _, error = self.call(*(command or ("check", "cube.yaml")))
        self.assertEqual(code, 78, error)
        self.assertIn(f"cube.yaml:1:14: error: {self.folder}/{place}: the geometry would {deed.format(folder=self.folder)}: refused. "
                      "--allow-geo-commands lets it", error)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_what_acts_is_refused_with_its_line_and_done_where_it_is_allowed(self):
        for statement, deed, made in DEEDS:
            with self.subTest(statement=statement):
                self.write("cube.geo", CUBE_GEO + statement + "\nlast = 1;\n")
                self.check_refused(f"cube.geo:{LINE}", deed)
                if made is None:
                    continue
                code, _, error = self.call("check", "cube.yaml", "--allow-geo-commands")
                self.assertEqual(code, 0, error)
                self.assertTrue((self.folder / made).exists())
                path = self.folder / made
                path.rmdir() if path.is_dir() else path.unlink()

    def test_the_line_is_told_of_the_last_one_without_an_end_of_loops_and_macros(self):
        for text, line in ((CUBE_GEO + 'SystemCall "x";', LINE),
                           (CUBE_GEO + 'SystemCall "x";\nlast = 1;', LINE),
                           ('If (1)\nSystemCall "x"; a = 1;\nEndIf\n' + CUBE_GEO, 2),
                           ('Macro act\n\nSystemCall "x";\nReturn\n' + CUBE_GEO + "Call act;\n", 3)):
            self.write("cube.geo", text)
            self.check_refused(f"cube.geo:{line}", "run the command 'x'")

    def test_included_and_merged_files_are_not_allowed_more(self):
        self.write("inner.geo", '\n// first\nSystemCall "x";\n')
        for statement in ('Include "inner.geo";', 'Merge "inner.geo";'):
            self.write("cube.geo", CUBE_GEO + statement + "\n")
            self.check_refused("inner.geo:3", "run the command 'x'")

    def test_every_command_refuses_and_takes_the_option(self):
        self.write("cube.geo", CUBE_GEO + 'SystemCall "touch made";\n')
        for command in (["run", "cube.yaml"], ["check", "cube.yaml"], ["mesh", "cube.yaml", "-o", "cube.h5"],
                        ["study", "cube.yaml", "--set", "study.vary={method.basis: [full-1]}", "-o", "study.out"]):
            with self.subTest(command=command[0]):
                code, _, error = self.call(*command)
                self.assertEqual(code, 78, error)
                self.assertIn("run the command 'touch made': refused", error)
                self.assertFalse((self.folder / "made").exists())
                code, _, error = self.call(*command, "--allow-geo-commands", *(["--overwrite"] if command[0] == "study" else []))
                self.assertEqual(code, 0, error)
                (self.folder / "made").unlink()

    def test_words_in_comments_texts_and_branches_not_taken_do_no_harm(self):
        self.write("cube.geo", '// SystemCall "x"\n/* Save "x"; */\nIf (0)\nSystemCall "x";\nEndIf\n'
                               + CUBE_GEO + 'Printf("Save > SystemCall");\n')
        code, _, error = self.call("check", "cube.yaml")
        self.assertEqual(code, 0, error)

    def test_a_geometry_that_reads_a_pipe_or_ends_the_program_is_an_error(self):
        os.mkfifo(self.folder / "pipe")
        for statement, text in (('Include "pipe";', "which is no plain file"), ('Merge "/dev/zero";', "which is no plain file"),
                                ("Exit;", "the geometry ends the program (Exit or Abort): there is no mesh")):
            self.write("cube.geo", CUBE_GEO + statement + "\n")
            code, _, error = self.call("check", "cube.yaml", timeout=20)
            self.assertEqual(code, 78, error)
            self.assertIn(f"cube.geo:{LINE}: ", error)
            self.assertIn(text, error)


if __name__ == "__main__":
    unittest.main()
