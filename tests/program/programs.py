"""The built programs, and cases for them, for the tests of how they start, end and treat files."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(os.environ.get("TETRAWAVE_PROGRAM", "tetrawave"))
MESHER = PROGRAM.parent / "tetrawave-mesh"
MPIEXEC = os.environ.get("TETRAWAVE_MPIEXEC", "mpiexec")
BOX = """\
mesh: {box: {size: [0.03, 0.02, 0.04], cells: [3, 2, 4]}}
materials: {air: {}}
regions: {box: air}
boundaries: {default: pec}
initial_fields:
  E: ["0", "sin(pi*x/0.03)*sin(pi*z/0.04)", "0"]
time: {steps: 10}
"""
CUBE_GEO = """\
Point(1) = {0, 0, 0, 0.5};
l[] = Extrude {0, 1, 0} { Point{1}; };
s[] = Extrude {0, 0, 1} { Curve{l[1]}; };
v[] = Extrude {1, 0, 0} { Surface{s[1]}; };
Physical Volume("air") = {v[1]};
Physical Surface("walls") = {s[1], v[0], v[2], v[3], v[4], v[5]};
"""
CUBE = """\
mesh: {file: cube.geo}
materials: {air: {}}
regions: {air: air}
boundaries: {pec: [walls]}
initial_fields:
  E: ["0", "sin(pi*x)*sin(pi*z)", "0"]
time: {steps: 10}
"""


class ProgramTest(unittest.TestCase):
    """A folder of its own for each test."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tw-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def call(self, *words, program=PROGRAM, ranks=1, timeout=120, **options):
        """Exit code, standard output, standard error."""
        command = [str(program), *map(str, words)]
        if ranks > 1:
            command = [MPIEXEC, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] + command
        settings = {"stdout": subprocess.PIPE, "stdin": subprocess.DEVNULL} | options
        done = subprocess.run(command, cwd=self.folder, stderr=subprocess.PIPE, text=True, timeout=timeout, check=False,
                              **settings)
        return done.returncode, done.stdout, done.stderr
