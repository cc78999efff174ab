"""The commands of README.md and of the tutorial cases/README.md, as they stand there; those of the cases' pages are read.

A command is run as it is written, with the settings of SMALLER behind it, in a folder that looks like a built source
tree. CASE.yaml is the example of README.md.
"""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
import unittest
from pathlib import Path

import yaml
from programs import MPIEXEC, PROGRAM, ProgramTest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "python"))
import tetrawave as tw  # noqa: E402
from tetrawave.case import _loader  # noqa: E402

COMMAND = re.compile(r"^    ((?:mpirun -n \d+ )?(?:build/bin/)?tetrawave |tetrawave-plot |tools/|cases/\S+\.py)")
LINE = "--set=mesh.parameters={segments: 8, radial_layers: 1, axial_size: 4}"
BAND = "--set=outputs.s_parameters={start: 0.1 GHz, stop: 10 GHz, points: 100}"
ANTENNA = ["--set=mesh.parameters={near_size: 1.2, edge_size: 6, far_size: 25}", "--set=time.end=1 ns",
           "--set=outputs.far_field.phi=[0, 90, 180, 270]"]
BOX = ["--set=time={steps: 20}"]
# What is put behind a command that begins so, behind the program.
SMALLER = {
    "run coaxial-line.yaml": [LINE, "--set=time.end=1 ns"],
    "check cases/coax_bead": [LINE],
    "run cases/coax_bead/case.yaml -o empty.out": [LINE, BAND],
    "run cases/coax_bead": ["--set=mesh.parameters={segments: 24, radial_layers: 3, axial_size: 1.6}", "--set=method.precision=single"],
    "run cases/cavity": BOX,
    "run cases/parallel_plate": BOX,
    "study case.yaml": ["--set=study={vary: {materials.laminate.eps_r: [2.2, 2.3]}}", *ANTENNA],
    "bench": ["--elements", "2000", "--seconds", "0.01", "--backend", "cpu"],
}


def commands(path):
    """The command lines of the indented blocks of a page, without their comments."""
    lines = re.sub(r" \\\n *", " ", path.read_text(encoding="utf-8")).splitlines()
    return [shlex.split(line, comments=True) for line in lines if COMMAND.match(line)]


def fenced(path, language):
    """The first block of a language."""
    return re.search(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1]


def set_in(case, path, value):
    """Sets a key by its path, as --set does; refused where the schema does not have it."""
    for key in path[:-1]:
        key = int(key) if key.isdigit() else key
        if not isinstance(key, int) and key not in case:
            case[key] = {}
        case = case[key]
    case[path[-1]] = value


class Documents(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "build").mkdir()
        os.symlink(PROGRAM.parent, self.folder / "build" / "bin")
        for name in ("tools", "cases"):
            os.symlink(ROOT / name, self.folder / name)
        os.symlink(ROOT / "cases" / "coax_bead" / "coax_bead.geo", self.folder / "coax_bead.geo")
        case = yaml.safe_load(fenced(ROOT / "README.md", "yaml"))
        case["mesh"]["parameters"] = {"segments": 8, "radial_layers": 1, "axial_size": 4}
        case["time"]["end"], case["study"] = "0.5 ns", {"vary": {"materials.ptfe.eps_r": [2, 2.2]}}
        self.write("CASE.yaml", yaml.safe_dump(case))

    def run_as_written(self, words):
        """A command with what makes it small; results that another has left may be replaced."""
        with self.subTest(command=shlex.join(words)):
            launcher, words = (words[:3], words[3:]) if words[0] == "mpirun" else ([], words)
            line = " ".join(words[1:])
            if line == "check CASE.yaml --solve":  # of a case in the frequency domain
                words = [words[0], "check", "cases/coax_bead/frequency.yaml", "--solve", LINE]
            more = next((more for start, more in SMALLER.items() if line.startswith(start)), [])
            if line.startswith(("run", "study")):
                more = [*more, "--overwrite"]
            if words[0].endswith("tetrawave"):
                words = [str(PROGRAM), *words[1:]]
            elif words[0] == "tetrawave-plot":
                words = ["tools/tetrawave-plot", *words[1:]]
            elif words[0].endswith(".py"):
                words = [sys.executable, *words]
            if launcher:
                launcher = [MPIEXEC, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", *launcher[1:]]
            done = subprocess.run([*launcher, *words, *more], cwd=self.folder, capture_output=True, text=True, timeout=1800, check=False)
            self.assertEqual(0, done.returncode, done.stderr + done.stdout)

    def files_are_there(self, *names):
        self.assertEqual([], [name for name in names if not (self.folder / name).is_file()])

    def test_the_commands_of_the_readme_run(self):
        found = commands(ROOT / "README.md")
        self.assertGreaterEqual(len(found), 18)
        for words in found:
            self.run_as_written(words)
        self.files_are_there("coaxial-line.out/report.html", "coaxial-line.out/s.png", "antenna.yaml", "CASE.inspect.html", "fine.out/results.h5",
                             "line.h5", "CASE.out/study.csv")

    def test_the_python_of_the_readme_runs(self):
        text = fenced(ROOT / "README.md", "python").replace('"coax_bead.out")', f'"coax_bead.out", set={{"mesh.parameters": {{"segments": 12, '
                                                            '"radial_layers": 2, "axial_size": 2}}, progress=False)', 1)
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder)
        names = {}
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(text, "README.md", "exec"), names)  # noqa: S102
        self.assertRegex(output.getvalue(), r"\|S21\| = 0\.9\d* at 5\.0 GHz")
        self.assertEqual(names["E"].shape, (names["time"].size, 3))

    def prepare(self, words):
        """What a command of the tutorial finds: runs with fields, and one of an antenna."""
        line = " ".join(words[1:])
        if line == "fields case.out":
            text = (ROOT / "cases" / "README.md").read_text(encoding="utf-8")
            block = re.search(r"^    outputs:\n(?:      .*\n)+", text, re.MULTILINE)[0]
            fields = yaml.safe_load(textwrap.dedent(block))["outputs"]["fields"] | {"every": 100}
            self.run_as_written(["tetrawave", "run", "CASE.yaml", "-o", "case.out", f"--set=outputs.fields={json.dumps(fields)}"])
            for name in ("one.out", "other.out"):
                os.symlink("case.out", self.folder / name)
        elif line == "pattern case.out --full-circle":
            self.run_as_written(["tetrawave", "new", "antenna", "-o", "case.yaml"])
            self.run_as_written(["tetrawave", "run", "case.yaml", *ANTENNA])

    def test_the_commands_of_the_tutorial_run(self):
        found = commands(ROOT / "cases" / "README.md")
        self.assertGreaterEqual(len(found), 16)
        for words in found:
            self.prepare(words)
            self.run_as_written(words)
        self.files_are_there("coax_bead.out/s.png", "coax_bead.out/report.html", "film.gif", "period.gif", "pair.png", "case.out/study.csv")

    def test_the_commands_of_every_case_name_files_options_and_keys_that_there_are(self):
        known, read = {}, 0
        more = json.loads((ROOT / "tools/page_runs.json").read_text(encoding="utf-8"))  # of rows of tables
        for page in sorted((ROOT / "cases").glob("*/README.md")):
            for words in commands(page) + [shlex.split(line) for line in more.pop(page.parent.name, ())]:
                with self.subTest(page=page.parent.name, command=shlex.join(words)):
                    words = words[3:] if words[0] == "mpirun" else words
                    if words[0].startswith("cases/"):
                        self.assertTrue(os.access(ROOT / words[0], os.X_OK), words[0])
                    elif words[0].endswith("tetrawave"):
                        self.check_words(words, known)
                    read += 1
        self.assertFalse(more)
        self.assertGreater(read, 300)

    def check_words(self, words, known):
        if words[1] not in known:
            known[words[1]] = self.call(words[1], "--help")[1]
        for word in words[2:]:
            if word.startswith("--"):
                self.assertIn(word.split("=")[0], known[words[1]])
        if words[1] in ("run", "check", "mesh", "study", "inspect"):
            case = tw.Case.read(ROOT / words[2]) if (ROOT / words[2]).is_file() else self.fail(f"{words[2]} is not there")
            for word, value in zip(words, words[1:]):
                if word == "--set":
                    path, _, text = value.partition("=")
                    set_in(case, path.split("."), yaml.load(text, Loader=_loader()))


if __name__ == "__main__":
    unittest.main()
