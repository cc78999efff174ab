"""`tetrawave new`: every kind of case is commented, passes `check` without errors and runs; completion and manual page."""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time
import unittest

import h5py
import jsonschema
import templates
import yaml
from programs import PROGRAM, ProgramTest

KINDS = ("antenna", "cavity", "coaxial-line", "microstrip", "scatterer", "waveguide")
# Coarser still, so that they take some seconds; as they are written they are run by physics/slow_templates.py.
COARSE = {
    "antenna": ["mesh.parameters.near_size=1.2", "mesh.parameters.edge_size=6", "mesh.parameters.far_size=25", "time.end=1 ns"],
    "coaxial-line": ["mesh.parameters.segments=8", "mesh.parameters.radial_layers=1", "mesh.parameters.axial_size=4", "time.end=1 ns"],
    "microstrip": ["mesh.parameters.edge_size=0.6", "mesh.parameters.axial_size=5", "method.basis=mixed-1", "time.end=0.5 ns"],
}
RESULTS = {"antenna": "far_field", "coaxial-line": "s_parameters/S", "microstrip": "s_parameters/S"}
# Words behind `tetrawave` before a tab is typed, and what a shell offers; in a folder with line.yaml.
TYPED = {"ru": ["run"], "run --res": ["--resume"], "run --backend c": ["cpu", "cuda"], "new w": ["waveguide"], "check l": ["line.yaml"]}


class NewCases(ProgramTest):
    def make(self, kind, *more):
        code, out, error = self.call("new", kind, *more)
        self.assertEqual(code, 0, error)
        return out

    def sets(self, kind):
        return [word for text in COARSE[kind] for word in ("--set", text)]

    def test_every_kind_passes_check_as_it_is_written(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.make(kind)
                code, out, error = self.call("check", f"{kind}.yaml", "--json")
                self.assertEqual(code, 0, error)
                self.assertLess(json.loads(out)["mesh"]["elements"], 12000)

    def test_templates_of_the_frequency_domain_give_closed_forms_as_they_are_written(self):
        for kind in ("cavity", "scatterer", "waveguide"):
            with self.subTest(kind=kind):
                self.make(kind)
                code, _, error = self.call("run", f"{kind}.yaml", "--quiet", timeout=600)
                self.assertEqual(code, 0, error)
                templates.check(kind, self.folder / f"{kind}.out")

    def test_templates_of_the_time_domain_run_coarsely_and_give_what_they_are_for(self):
        for kind in COARSE:
            with self.subTest(kind=kind):
                self.make(kind)
                code, _, error = self.call("run", f"{kind}.yaml", "--quiet", *self.sets(kind))
                self.assertEqual(code, 0, error)
                with h5py.File(self.folder / f"{kind}.out" / "results.h5") as file:
                    self.assertIn(RESULTS[kind], file)

    def test_a_new_case_names_a_schema_that_lies_beside_it_and_that_it_passes(self):
        (self.folder / "deep").mkdir()
        self.make("microstrip", "-o", "deep/line.yaml")
        text = (self.folder / "deep/line.yaml").read_text(encoding="utf-8")
        named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
        schema = json.loads((self.folder / "deep" / named[1]).read_text(encoding="utf-8"))
        case = yaml.safe_load(text)
        self.assertEqual(case["mesh"]["file"], "line.geo")
        jsonschema.Draft7Validator(schema).validate(case)
        self.assertGreater(text.count("#"), 12)


class Help(ProgramTest):
    def complete(self, *words):
        """What bash offers for the last word."""
        script = self.call("completion", "bash")[1]
        asked = " ".join(f"'{word}'" for word in words)
        done = subprocess.run(["bash", "-c", f'{script}\nCOMP_WORDS=({asked}); COMP_CWORD={len(words) - 1}; _tetrawave; printf "%s\\n" "${{COMPREPLY[@]}}"'],
                              cwd=self.folder, capture_output=True, text=True, check=True)
        return done.stdout.split()

    def test_bash_completes_commands_options_values_and_files(self):
        self.write("line.yaml", "")
        self.assertEqual(["check", "completion"], sorted(self.complete("tetrawave", "c")))
        self.assertEqual(["--resume"], self.complete("tetrawave", "run", "--res"))
        self.assertEqual(["cpu", "cuda"], self.complete("tetrawave", "run", "--backend", "c"))
        self.assertEqual(["waveguide"], self.complete("tetrawave", "new", "w"))
        self.assertEqual(["line.yaml"], self.complete("tetrawave", "check", "l"))

    @unittest.skipUnless(shutil.which("fish"), "no fish here")
    def test_fish_completes_commands_options_values_and_files(self):
        self.write("line.yaml", "")
        self.write("script.fish", self.call("completion", "fish")[1])
        for typed, wanted in TYPED.items():
            done = subprocess.run(["fish", "-c", f'source script.fish; complete -C"tetrawave {typed}"'], cwd=self.folder, capture_output=True, text=True,
                                  env={**os.environ, "HOME": str(self.folder)}, check=True)
            self.assertEqual(wanted, [line.split("\t")[0] for line in done.stdout.splitlines()], done.stderr)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh here")
    def test_zsh_completes_commands_options_values_and_files(self):
        self.write("line.yaml", "")
        self.write("script.zsh", self.call("completion", "zsh")[1])
        for typed, wanted in TYPED.items():
            shown = self.typed_in_zsh(f"tetrawave {typed}", wanted)
            for word in wanted:
                self.assertIn(word, shown)

    def typed_in_zsh(self, line, wanted):
        """What a terminal shows after the line and a tab, until all that is wanted is there."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "HOME": str(self.folder)})
        try:
            for text, marks in (("autoload -Uz compinit; compinit -u -D; source ./script.zsh; echo rea''dy\n", ["ready\r"]), (line + "\t", wanted)):
                os.write(terminal, text.encode())
                shown, end = "", time.monotonic() + 60
                while not all(mark in shown for mark in marks) and time.monotonic() < end:
                    if select.select([terminal], [], [], 0.1)[0]:
                        shown += os.read(terminal, 65536).decode("utf-8", "replace")
            return shown
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(terminal)

    def test_completion_of_every_shell_knows_every_command_and_option(self):
        listed = re.findall(r"^  ([a-z]+)  ", self.call("--help")[1].split("Subcommands:")[1], re.MULTILINE)
        self.assertGreaterEqual(len(listed), 12)
        for shell in ("bash", "zsh", "fish"):
            script = self.call("completion", shell)[1]
            for command in listed:
                self.assertRegex(script, rf"\b{command}\b")
            for option in ("allow-geo-commands", "max-wall", "transport", "no-forecast"):
                self.assertIn(option, script)
            if shutil.which(shell):
                read = subprocess.run([shell, "-n", self.write(f"script.{shell}", script)], cwd=self.folder, capture_output=True, text=True, check=False)
                self.assertEqual((0, ""), (read.returncode, read.stderr))

    def test_help_of_every_command_has_examples_that_name_it(self):
        listed = re.findall(r"^  ([a-z]+)  ", self.call("--help")[1].split("Subcommands:")[1], re.MULTILINE)
        for command in listed:
            self.assertRegex(self.call(command, "--help")[1], rf"Examples:\n  .*tetrawave {command}")

    def test_an_installation_has_manual_completions_pages_and_cases_that_find_their_schema(self):
        place = self.folder / "there"
        subprocess.run(["cmake", "--install", PROGRAM.parent.parent, "--prefix", place], check=True, capture_output=True)
        for shell, name in (("bash", "bash-completion/completions/tetrawave"), ("zsh", "zsh/site-functions/_tetrawave"),
                            ("fish", "fish/vendor_completions.d/tetrawave.fish")):
            self.assertEqual((place / "share" / name).read_text(encoding="utf-8"), self.call("completion", shell)[1])
        self.assertEqual((place / "share/man/man1/tetrawave.1").read_text(encoding="utf-8"), self.call("man")[1])
        case = place / "share/tetrawave/cases/cavity/case.yaml"
        named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", case.read_text(encoding="utf-8"))[1]
        self.assertTrue((case.parent / named).is_file())
        code, _, error = self.call("inspect", case, program=place / "bin/tetrawave")
        self.assertEqual(code, 0, error)
        self.assertIn("Resonance of a PEC box", (self.folder / "case.inspect.html").read_text(encoding="utf-8"))

    def test_the_manual_page_has_every_option_of_help(self):
        text = self.call("man")[1]
        if shutil.which("groff"):
            read = subprocess.run(["groff", "-man", "-ww", "-z"], input=text, capture_output=True, text=True, check=True)
            self.assertEqual("", read.stderr)
        page = text.replace("\\-", "-")
        for command in ("run", "bench", "report"):
            for option in re.findall(r"--[a-z-]+", self.call(command, "--help")[1].split("Examples:")[0]):
                if option != "--help":
                    self.assertIn(option, page)


if __name__ == "__main__":
    unittest.main()
