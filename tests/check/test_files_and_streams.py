"""Files that are none, streams that are full, and names that command a terminal, as `tetrawave check` and others take them."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ.get("TETRAWAVE_PROGRAM", "tetrawave")
BOX = """\
mesh: {box: {size: [1, 1, 1], cells: [3, 3, 3]}}
materials: {air: {}}
regions: {box: air}
boundaries: {default: absorbing}
waveforms: {w: {type: gaussian, width: 1 ns}}
sources: [{type: dipole, position: [0.5, 0.5, 0.5], direction: [0, 0, 1], waveform: w}]
time: {steps: 8}
run: {threads: 1}
"""
FAR = "outputs.far_field={frequencies: [50 MHz, 60 MHz], theta: {start: 0, stop: 180, points: 61}, phi: {start: 0, stop: 350, points: 36}}"  # fmt: skip


class FilesAndStreams(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tetrawave-files-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "box.yaml").write_text(BOX, encoding="utf-8")

    def start(self, *words, stdout=subprocess.PIPE, **environment):
        """Exit code, stdout and stderr as bytes; fails where the program waits."""
        ended = subprocess.run([PROGRAM, *words], cwd=self.folder, stdout=stdout, stderr=subprocess.PIPE, timeout=50,
                               stdin=subprocess.DEVNULL, env={**os.environ, **environment}, check=False)  # fmt: skip
        return ended.returncode, ended.stdout, ended.stderr

    def check(self, *settings, **environment):
        options = [word for setting in settings for word in ("--set", setting)]
        code, out, err = self.start("check", "box.yaml", "--json", "--backend", "cpu", *options, **environment)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_a_stdout_that_is_full_ends_with_code_74(self):
        for words in (("check", "box.yaml"), ("check", "box.yaml", "--json"), ("info",), ("--help",)):
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                code, _, err = self.start(*words, stdout=full)
                self.assertEqual(code, 74)
                self.assertIn(b"cannot write to stdout: No space left on device", err)

    def test_control_characters_of_names_do_not_reach_the_terminal(self):
        name = "\x1b]0;mine\x07\x1b[31m-ünder.yaml"
        code, _, err = self.start("check", name)
        self.assertEqual(code, 66)
        self.assertNotIn(b"\x1b", err)
        self.assertIn("\\x1b]0;mine\\x07\\x1b[31m-ünder.yaml: error: no such file".encode(), err)
        (self.folder / name).write_text(BOX.replace("box: air", "bax: air"), encoding="utf-8")
        code, _, err = self.start("check", name)
        self.assertEqual(code, 78)
        self.assertNotIn(b"\x1b", err)

    def test_omp_num_threads_is_honoured_where_the_case_names_none(self):
        self.assertIn("x 3 threads", self.check("run.threads=0", OMP_NUM_THREADS="3,2")["device"])
        self.assertIn("x 1 threads", self.check("run.threads=1", OMP_NUM_THREADS="3")["device"])

    def test_more_threads_than_cores_are_warned_of(self):
        many = os.cpu_count() + 1
        for key, threads, variables in (("run.threads", many, {}), ("OMP_NUM_THREADS", 0, {"OMP_NUM_THREADS": str(many)})):
            _, _, err = self.start("check", "box.yaml", "--set", f"run.threads={threads}", **variables)
            self.assertIn(f"warning: {key}: {many} threads share the {os.cpu_count()} core".encode(), err)

    def test_a_march_whose_results_fit_no_disk_is_warned_of(self):
        report = self.check("time.steps=1e7", "mesh.box.cells=[8, 8, 8]", "outputs.energy={every: 1}", "outputs.fields={every: 1}")
        self.assertIn("are free on the disk of the working directory", " ".join(report["warnings"]))

    def test_far_fields_are_predicted_from_above_within_a_half(self):
        report = self.check(FAR)
        self.start("run", "box.yaml", "--quiet", "--set", FAR)
        files = [path for path in (self.folder / "box.out").iterdir() if path.name.startswith("far_field")]
        self.assertEqual(len(files), 4)
        written = sum(path.stat().st_size for path in files) + 2 * 61 * 36 * (2 * 16 + 2 * 8)
        self.assertGreater(report["disk_bytes"]["results"], written)
        self.assertLess(report["disk_bytes"]["results"], 1.5 * written)
        self.assertGreater(report["memory_per_rank"][0]["host_results_bytes"], 2 * 61 * 36 * 32)

    def test_results_of_fetd_and_of_single_frequencies_count_in_memory_and_on_disk(self):
        with_far = self.check("mode=fetd", FAR)
        self.assertGreater(with_far["results_memory_bytes"], 2 * 61 * 36 * 32)
        self.assertEqual(self.check("mode=fetd")["results_memory_bytes"], 0)
        probes = "outputs.probes=[" + ", ".join(f"{{name: p{k}, point: [0.5, 0.5, 0.5], fields: [E]}}" for k in range(5)) + "]"
        lines = [line for line in BOX.splitlines() if line.split(":")[0] not in ("time", "waveforms", "sources")]
        (self.folder / "box.yaml").write_text("\n".join([*lines, "mode: frequency-domain",
            "frequency: {start: 50 MHz, stop: 60 MHz, points: 7}", "plane_waves: [{theta: 0, phi: 0, polarization: theta}]"]))  # fmt: skip
        self.assertEqual(self.check(probes)["disk_bytes"]["results"], 5 * 7 * 8 * (1 + 2 * 3))

    def test_a_run_whose_files_fit_no_disk_says_so_as_it_starts(self):
        settings = ["time.steps=1e6", "mesh.box.cells=[20, 20, 20]", "outputs.fields={every: 1}"]
        options = [word for setting in settings for word in ("--set", setting)]
        _, _, err = self.start("run", "box.yaml", "--quiet", "--max-wall", "1s", *options)
        self.assertRegex(err.decode(), "warning: a run writes about .*, and .* are free on the disk of '.*box.out'")

    def test_runs_of_all_modes_warn_of_what_check_warns_of(self):
        """A coarse mesh, a step that is long for the waveform, keys of the solver that are not used."""
        lines = [line for line in BOX.splitlines() if line.split(":")[0] not in ("time", "waveforms", "sources")]
        harmonic = "\n".join([*lines, "plane_waves: [{theta: 0, phi: 0, polarization: theta}]", "frequency: {values: [2 GHz]}"])
        metal = "\n".join(lines).replace("absorbing", "pec")
        idle = "solver: {method: direct, relaxation: 0.3}"
        coarse, ignored = "elements per wavelength at", "solver.relaxation: ignored"
        for mode, text, expected in (
            ("time-domain", BOX.replace("1 ns", "0.1 ns, delay: 2 ns"), (coarse, "before the waveform 'w' of source 0 is over")),
            ("fetd", BOX.replace("1 ns", "0.1 ns") + "method: {time_step: 100 ps}\n" + idle,
             (coarse, ignored, "steps only: lower method.cfl or method.time_step")),
            ("frequency-domain", f"{harmonic}\n{idle}", (coarse, ignored)),
            ("eigenmode", f"{metal}\n{idle}\neigenmode: {{target: 2 GHz, count: 1}}", (coarse, ignored)),
        ):  # fmt: skip
            with self.subTest(mode=mode):
                (self.folder / "box.yaml").write_text(f"{text}\nmode: {mode}\n", encoding="utf-8")
                warnings = []
                for words in (("check",), ("run", "--quiet", "--overwrite")):
                    code, out, err = self.start(*words, "box.yaml", "--backend", "cpu")
                    self.assertEqual(code, 0, err)
                    warnings.append(sorted(line for line in (out + err).decode().splitlines() if line.startswith("warning: ")))
                self.assertEqual(*warnings)
                for words in expected:
                    self.assertTrue(any(words in warning for warning in warnings[0]), warnings[0])

    def test_a_quote_within_a_plain_text_is_none(self):
        for title, code in (("a slab, \"thin - 'and long", 0), ('"a slab', 78), ("[a, 'b", 78)):
            (self.folder / "box.yaml").write_text(f"{BOX}title: {title}\n", encoding="utf-8")
            found, _, err = self.start("check", "box.yaml")
            self.assertEqual(found, code, err)
            self.assertEqual(b"the quote that opens here is not closed" in err, code == 78, err)

    def test_a_layer_that_is_next_to_nothing_is_refused(self):
        pml = "boundaries={pml: {faces: [x1], thickness: 1e-8, cells: 4}, default: pec}"
        code, _, err = self.start("check", "box.yaml", "--set", pml)
        self.assertEqual(code, 78, err)
        self.assertIn(b"a layer of 1e-08 m is too thin for a mesh of 1.73 m: at least 1.73e-06 m", err)

    def test_the_mesh_of_a_case_with_layers_is_taken_by_that_case(self):
        pml = ["--set", "boundaries={pml: {faces: [x1, z0], thickness: 0.3, cells: 2}, default: pec}"]
        code, _, err = self.start("mesh", "box.yaml", "-o", "mesh.h5", *pml)
        self.assertEqual(code, 0, err)
        from_file = [*pml, "--set", "mesh={file: mesh.h5}"]
        elements = []
        for options in (pml, from_file):
            code, out, err = self.start("check", "box.yaml", "--json", *options)
            self.assertEqual(code, 0, err)
            elements.append(json.loads(out)["mesh"]["elements"])
        self.assertEqual(elements[0], 6 * (3 + 2) * 3 * (3 + 2))
        self.assertGreater(elements[1], 6 * 27)

    def test_a_mesh_named_by_an_override_takes_the_place_of_a_geometry_with_parameters(self):
        (self.folder / "box.geo").write_text("", encoding="utf-8")
        case = BOX.replace("mesh: {box: {size: [1, 1, 1], cells: [3, 3, 3]}}",
                           "mesh: {file: box.geo, parameters: {gap: 1}, size: 0.2}")  # fmt: skip
        (self.folder / "geometry.yaml").write_text(case, encoding="utf-8")
        self.assertEqual(self.start("mesh", "box.yaml", "-o", "mesh.h5")[0], 0)
        code, _, err = self.start("check", "geometry.yaml", "--set", "mesh.file=mesh.h5")
        self.assertEqual(code, 0, err)
        code, _, err = self.start("check", "geometry.yaml", "--set", "mesh.file=mesh.h5", "--set", "mesh.size=1")
        self.assertEqual(code, 78, err)

    def test_the_case_that_a_run_leaves_can_be_run_from_anywhere(self):
        self.start("mesh", "box.yaml", "-o", "mesh.h5")
        words = ["--quiet", "--set", "mesh={file: mesh.h5}"]
        self.assertEqual(self.start("run", "box.yaml", *words)[0], 0)
        with tempfile.TemporaryDirectory() as other:
            code, _, err = self.start("run", "box.out/case.yaml", "--quiet", "-o", f"{other}/again")
            self.assertEqual(code, 0, err)
            self.assertTrue(Path(other, "again", "results.h5").is_file())


if __name__ == "__main__":
    unittest.main()
