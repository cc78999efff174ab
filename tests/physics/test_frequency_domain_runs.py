"""Runs of mode frequency-domain by the program: every way of solving gives one answer, what is written, how a run ends.

What the answers are worth: test_frequency_domain.py.
"""

import itertools
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import meshes  # noqa: E402
from test_fields import Series  # noqa: E402

PROGRAM = os.environ.get("TETRAWAVE_PROGRAM", "")
CELLS = (2, 2, 5)
CASE = """\
title: A guide with a load
mode: frequency-domain
units: mm
mesh: {box: {size: [5, 4, 20], cells: [2, 2, 5], jitter: 0.1}}
materials: {air: {}}
regions: {box: air}
boundaries: {pec: [y0, y1], pmc: [x0, x1]}
ports:
  - {name: p1, boundary: z0, type: tem, signal: y1, excite: {amplitude: 2}}
  - {name: p2, boundary: z1, type: lumped, direction: [0, 1, 0], resistance: 100, excite: {}}
method: {basis: mixed-2}
frequency: {values: [10 GHz, 13 GHz, 16 GHz]}
solver: {method: direct}
outputs:
  s_parameters: {drive: each}
  probes: [{name: c, point: [2.4, 2.1, 10.1]}]
run: {threads: 1}
"""


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def launch(self, text, *changes, ranks=1, options=(), name="out"):
        """The finished process; results in self.folder/name."""
        (self.folder / "case.yaml").write_text(text, encoding="utf-8")
        start = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
        changed = [word for change in changes for word in ("--set", change)]
        command = start + [PROGRAM, "run", "case.yaml", "-o", name, "--quiet", *changed, *options]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=600, check=False)

    def solve(self, text, *changes, ranks=1, name="out"):
        """The path of results.h5."""
        done = self.launch(text, *changes, ranks=ranks, name=name, options=("--overwrite",))
        self.assertEqual(done.returncode, 0, " ".join(changes) + "\n" + done.stderr)
        return self.folder / name / "results.h5"

    def answers(self, text, *changes, ranks=1):
        """S and the fields at the probe with either port driven."""
        with h5py.File(self.solve(text, *changes, ranks=ranks)) as file:
            return [file[path][()] for path in ("s_parameters/S", "excitations/p1/probes/c/E", "excitations/p2/probes/c/E",
                                                "excitations/p1/probes/c/H", "excitations/p2/ports/p1/voltage")]


OPEN = """\
mode: frequency-domain
mesh: {box: {size: [0.1, 0.1, 0.1], cells: [3, 3, 3], jitter: 0.1}}
materials: {air: {}}
regions: {box: air}
boundaries: {default: absorbing}
sources: [{type: dipole, position: [0.05, 0.05, 0.05], direction: [0, 0, 1]}]
plane_waves: [{theta: 0, phi: 0, polarization: theta}, {theta: 90, phi: 10, polarization: phi}]
method: {basis: mixed-2}
frequency: {values: [0.7 GHz, 1 GHz]}
outputs:
  probes: [{name: p, point: [0.02, 0.02, 0.03]}]
  fields: {frequencies: [1 GHz, 1.2 GHz]}
  far_field: {frequencies: [1.2 GHz, 1 GHz], theta: [0, 90], phi: [0, 40, 70]}
run: {threads: 1}
"""


def data_sets(path):
    """Values by name, but times."""
    with h5py.File(path) as file:
        return {name: file[name][()] for name in guide.names_of(file) if "seconds" not in name}


class Solvers(Runs):
    def test_every_iteration_converges_to_the_direct_answer(self):
        text = CASE.replace("10 GHz, 13 GHz, 16 GHz", "13 GHz").replace("mixed-2", "full-1")
        direct = self.answers(text)
        worst, counts = 0.0, {}
        ways = itertools.product(("none", "jacobi", "ssor", "ssor-ai", "ilu", "ilut"), ("csr", "jad"), ("true", "false"))
        for preconditioner, storage, scaling in ways:
            changes = ("solver.method=bicgstab", f"solver.preconditioner={preconditioner}", f"solver.matrix_format={storage}",
                       f"solver.diagonal_scaling={scaling}", "solver.tolerance=1e-10")
            found = self.answers(text, *changes)
            worst = max(worst, max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(found, direct)))
            self.assertLess(worst, 1e-7, changes)
            with h5py.File(self.folder / "out/results.h5") as file:
                self.assertLess(file["frequency_domain/residual"][()].max(), 1e-10)
                self.assertEqual(file["frequency_domain"].attrs["preconditioner"], preconditioner)
                self.assertEqual(file["frequency_domain"].attrs["matrix_format"], storage)
                counts[preconditioner, storage, scaling] = int(file["frequency_domain/iterations"][()].max())
        print(f"iterations against the direct answer: within {worst:.1e}; {counts}")

    def test_every_assembly_is_the_same_on_any_number_of_threads_and_ranks(self):
        for method, tolerance in (("direct", 1e-12), ("bicgstab", 1e-4)):
            alone = {assembly: self.answers(CASE, f"solver.method={method}", f"solver.assembly={assembly}")
                     for assembly in ("by-dof", "by-row", "atomic")}
            for found in alone.values():
                self.assertLess(max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(found, alone["by-dof"])), tolerance)
            for assembly, threads, ranks in (("by-dof", 2, 1), ("by-row", 2, 1), ("atomic", 2, 1), ("by-dof", 1, 2), ("by-row", 1, 3),
                                             ("by-dof", 2, 4)):
                found = self.answers(CASE, f"solver.method={method}", f"solver.assembly={assembly}", f"run.threads={threads}", ranks=ranks)
                what = f"{method}, {assembly}, {threads} threads, {ranks} ranks"
                if assembly == "atomic":
                    self.assertLess(max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(found, alone["by-dof"])), tolerance, what)
                else:
                    self.assertTrue(all(np.array_equal(a, b) for a, b in zip(found, alone[assembly])), what)

    def test_ranks_that_share_out_the_frequencies_write_what_one_does(self):
        folders = [self.solve(OPEN, ranks=ranks, name=f"out{ranks}").parent for ranks in (1, 2, 5)]
        self.assertEqual({"", "wave-0", "wave-1"}, {str(path.parent.relative_to(folders[0] / "fields")).strip(".")
                                                    for path in (folders[0] / "fields").rglob("*.vtkhdf")})
        for path in [folders[0] / "results.h5", *(folders[0] / "fields").rglob("*.vtkhdf")]:
            alone = data_sets(path)
            for folder in folders[1:]:
                shared = data_sets(folder / path.relative_to(folders[0]))
                self.assertEqual(alone.keys(), shared.keys())
                for name, values in alone.items():
                    np.testing.assert_array_equal(values, shared[name], f"{path.name}: {name}")
            if path.name == "results.h5":
                self.assertEqual(alone["rcs/1200000000/sigma"].shape, (6, 2))
                self.assertEqual(alone["excitations/wave-1/probes/p/E"].shape, (3, 3))

    def test_ssor_ai_halves_the_iterations_of_jacobi(self):
        text = """
mode: frequency-domain
mesh: {box: {size: [1, 1, 1], cells: [9, 9, 9]}}
materials: {air: {}}
regions: {box: air}
boundaries: {default: absorbing}
sources: [{type: dipole, position: [0.5, 0.5, 0.5], direction: [0, 0, 1]}]
method: {basis: mixed-1}
frequency: {values: [300 MHz]}
outputs: {probes: [{name: p, point: [0.1, 0.2, 0.3]}]}
run: {threads: 1}
"""
        counts = {}
        for preconditioner in ("jacobi", "ssor-ai"):
            with h5py.File(self.solve(text, "solver.method=bicgstab", f"solver.preconditioner={preconditioner}")) as file:
                counts[preconditioner] = file["frequency_domain/iterations"][()].sum()
        print(f"iterations: {counts}")
        self.assertLess(counts["ssor-ai"], 0.6 * counts["jacobi"])


class Outputs(Runs):
    UNITS = {"frequency_domain": {"frequency": "Hz", "iterations": "1", "residual": "1", "seconds_assembly": "s",
                                  "seconds_preprocess": "s", "seconds_solve": "s", "unknowns": "1", "nonzeros": "1"},
             "ports/p1": {"frequency": "Hz", "incident": "sqrt(W)", "reflected": "sqrt(W)", "voltage": "V", "current": "A"},
             "probes/c": {"frequency": "Hz", "E": "V/m", "H": "A/m"},
             "s_parameters": {"frequency": "Hz", "S": "1"}}

    def test_data_sets_have_their_units_and_shapes(self):
        with h5py.File(self.solve(CASE)) as file:
            for group, units in self.UNITS.items():
                for name, unit in units.items():
                    self.assertEqual(file[group][name].attrs["units"], unit, f"{group}/{name}")
            self.assertEqual(file.attrs["mode"], "frequency-domain")
            self.assertEqual(file.attrs["basis"], "mixed-2")
            self.assertEqual(file["frequency_domain/iterations"].shape, (3, 2))
            self.assertEqual(file["s_parameters/S"].shape, (3, 2, 2))
            self.assertEqual(list(file["s_parameters"].attrs["ports"]), ["p1", "p2"])
            self.assertEqual(file["probes/c/E"].shape, (3, 3))
            self.assertTrue(np.allclose(file["probes/c"].attrs["position"], [2.4e-3, 2.1e-3, 10.1e-3]))
            self.assertEqual(file["ports/p1"], file["excitations/p1/ports/p1"])
            for group in ("frequency_domain", "ports/p1", "probes/c", "s_parameters"):
                self.assertEqual(list(file[group]["frequency"]), [10e9, 13e9, 16e9])
            for name in ("program", "version", "git_revision", "precision", "backend", "ranks", "devices", "threads", "elements",
                         "dofs", "mesh_hash", "started", "finished", "case"):
                self.assertIn(name, file.attrs)
            self.assertEqual(file.attrs["case"], (self.folder / "out/case.yaml").read_text(encoding="utf-8"))

    def test_waves_are_those_of_voltage_and_current(self):
        with h5py.File(self.solve(CASE)) as file:
            for driven, volts in (("p1", 2), ("p2", 1)):
                for port in ("p1", "p2"):
                    group = file[f"excitations/{driven}/ports/{port}"]
                    ohms = group.attrs["impedance"]
                    a, b, v, i = (group[name][()] for name in ("incident", "reflected", "voltage", "current"))
                    self.assertLess(np.abs(a - (v + ohms * i) / (2 * np.sqrt(ohms))).max(), 1e-12)
                    self.assertLess(np.abs(b - (v - ohms * i) / (2 * np.sqrt(ohms))).max(), 1e-12)
                    sent = volts / np.sqrt(ohms) if port == driven else 0
                    self.assertLess(np.abs(a - sent).max(), 1e-12)
                    column = file["s_parameters/S"][:, ("p1", "p2").index(port), ("p1", "p2").index(driven)]
                    wave = volts / np.sqrt(file[f"ports/{driven}"].attrs["impedance"])
                    self.assertLess(np.abs(b - column * wave).max(), 1e-12)
            self.assertAlmostEqual(file["ports/p1"].attrs["impedance"], 376.730313668 * 4 / 5, places=6)
            self.assertAlmostEqual(file["ports/p2"].attrs["impedance"], 100, places=9)

    def test_unknowns_are_the_edges_and_faces_off_the_metal(self):
        elements = list(meshes.cut_grid(CELLS))
        entities = [{frozenset(part) for element in elements for part in itertools.combinations(element, size)} for size in (2, 3)]
        free = [sum(not all(p[1] == 0 for p in part) and not all(p[1] == CELLS[1] for p in part) for part in parts) for parts in entities]
        for basis, (edge, face) in {"mixed-1": (1, 0), "full-1": (2, 0), "mixed-2": (2, 2), "full-2": (3, 3), "mixed-3": (3, 6), "full-3": (4, 8)}.items():
            inner = {"mixed-3": 3, "full-3": 4}.get(basis, 0) * len(elements)
            with h5py.File(self.solve(CASE, f"method.basis={basis}")) as file:
                self.assertEqual(file["frequency_domain/unknowns"][()].item(), edge * free[0] + face * free[1] + inner, basis)
                self.assertEqual(file.attrs["elements"], len(elements))
                self.assertEqual(file.attrs["dofs"], file["frequency_domain/unknowns"][()].item())

    def test_frequencies_are_those_of_every_output(self):
        text = CASE.replace("s_parameters: {drive: each}", "s_parameters: {start: 9 GHz, stop: 13 GHz, points: 3}\n"
                            "  fields: {frequencies: [11 GHz], cuts: [{name: middle, point: [0, 2, 0], normal: [0, 1, 0]}]}")
        with h5py.File(self.solve(text.replace("resistance: 100, excite: {}", "resistance: 100"))) as file:
            self.assertEqual(list(file["frequency_domain/frequency"]), [9e9, 10e9, 11e9, 13e9, 16e9])
            self.assertEqual(list(file["s_parameters/frequency"]), [9e9, 11e9, 13e9])
            self.assertTrue(np.isnan(file["s_parameters/S"][:, :, 1]).all())
            self.assertFalse(np.isnan(file["s_parameters/S"][:, :, 0]).any())
        self.assertEqual(list(Series(self.folder / "out/fields/middle-frequencies.vtkhdf").steps), [11e9])

    def test_touchstone_holds_the_matrix(self):
        with h5py.File(self.solve(CASE, "ports.1.resistance=301.3842509344")) as file:
            s = file["s_parameters/S"][()]
        lines = (self.folder / "out/sparameters.s2p").read_text(encoding="utf-8").splitlines()
        self.assertRegex([line for line in lines if line.startswith("#")][0], r"^# Hz S RI R 301\.384")
        rows = np.array([[float(word) for word in line.split()] for line in lines if line[0] not in "!#"])
        self.assertEqual(list(rows[:, 0]), [10e9, 13e9, 16e9])
        numbers = rows[:, 1::2] + 1j * rows[:, 2::2]  # S11 S21 S12 S22
        self.assertLess(np.abs(numbers - np.swapaxes(s, 1, 2).reshape(3, 4)).max(), 1e-11)

    def test_scattering_is_renormalised_by_its_impedances(self):
        with h5py.File(self.solve(CASE)) as file:
            s = file["s_parameters/S"][()]
        with h5py.File(self.solve(CASE, "outputs.s_parameters.impedance=50")) as file:
            found = file["s_parameters/S"][()]
        root = np.sqrt(np.diag([376.730313668 * 4 / 5, 100]))
        z = root @ (np.eye(2) + s) @ np.linalg.inv(np.eye(2) - s) @ root
        self.assertLess(np.abs(found - (z - 50 * np.eye(2)) @ np.linalg.inv(z + 50 * np.eye(2))).max(), 1e-8)

    def test_case_as_run_gives_the_same_bits(self):
        changes = ("frequency={values: [4.5 GHz]}", "method.basis=full-1", "ports.1.resistance=77")
        first = self.answers(CASE, *changes)
        again = self.answers((self.folder / "out/case.yaml").read_text(encoding="utf-8"))
        self.assertTrue(all(np.array_equal(a, b) for a, b in zip(first, again)))

    def test_fields_are_those_of_the_probe(self):
        fields = "  fields: {frequencies: [10 GHz, 16 GHz], regions: [box], cuts: [{name: middle, point: [0, 1.9, 0], normal: [0, 1, 0]}]}\nrun:"
        text = CASE.replace("run:", fields)
        self.solve(text)
        for name in ("regions", "middle"):
            written = Series(self.folder / f"out/fields/p2/{name}-frequencies.vtkhdf")
            self.assertEqual(list(written.steps), [10e9, 16e9])
            self.assertTrue((self.folder / f"out/fields/p1/{name}-frequencies.xdmf").exists())
            at = len(written.points) * 2 // 3
            others = np.flatnonzero(written.element == written.element[at // (len(written.points) // len(written.element))])
            corners = len(written.points) // len(written.element)  # of a cell, whose points are its own
            middle = written.points.reshape(-1, corners, 3)[others].reshape(-1, 3).mean(axis=0)
            point = 1e3 * (written.points[at] + 1e-3 * (middle - written.points[at]))  # within the same element
            with h5py.File(self.solve(text, f"outputs.probes.0.point={[float(x) for x in point]}")) as file:
                for field in "EH":
                    history = file[f"excitations/p2/probes/c/{field}"][()][[0, 2]]
                    found = (written[field + "_re"] + 1j * written[field + "_im"])[:, at]
                    error = np.abs(found - history).max() / np.abs(history).max()
                    print(f"{name}, {field}: within {error:.1e}")
                    self.assertLess(error, 5e-3)


class Ends(Runs):
    def test_no_convergence_ends_the_run(self):
        changes = ("solver.method=bicgstab", "solver.max_iterations=3")
        for ranks in (1, 2):
            done = self.launch(CASE, *changes, ranks=ranks)
            self.assertEqual(done.returncode, 76, done.stderr)
            self.assertEqual(done.stderr.count("has not converged in 3 iterations"), 1, done.stderr)
            self.assertIn("solver.max_iterations", done.stderr)
            self.assertFalse((self.folder / "out/results.h5").exists())
        # The directory holds no results: the next run takes it.
        self.assertEqual(self.launch(CASE).returncode, 0)
        self.assertEqual(self.launch(CASE).returncode, 64)

    def test_keys_of_no_account_are_named(self):
        idle = ("solver.relaxation=0.3", "solver.matrix_format=csr")
        for ranks in (1, 2):
            done = self.launch(CASE, *idle, "solver.tolerance=1e-5", "solver.assembly=by-row", ranks=ranks, options=("--overwrite",))
            self.assertEqual(done.returncode, 0, done.stderr)
            warning = "warning: solver.relaxation, solver.matrix_format: ignored: used only with solver.method: bicgstab\n"
            self.assertEqual(done.stderr.count(warning), 1, done.stderr)
        for changes in (("solver.tolerance=1e-5",), (*idle, "solver.method=bicgstab")):
            done = self.launch(CASE, *changes, options=("--overwrite",))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("ignored: used only", done.stderr)

    def test_options_of_marches_are_refused(self):
        for options, code, message in ((("--resume",), 64, "--resume: mode frequency-domain has no time steps"),
                                       (("--max-wall", "10s"), 64, "--max-wall: mode frequency-domain has no time steps")):
            done = self.launch(CASE, "solver.method=bicgstab", options=options)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(message, done.stderr)
            self.assertFalse((self.folder / "out").exists())

    def test_check_tells_the_size_of_the_systems(self):
        (self.folder / "case.yaml").write_text(CASE, encoding="utf-8")
        done = subprocess.run([PROGRAM, "check", "case.yaml"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("unknowns", done.stdout)

    def check(self, *words):
        (self.folder / "case.yaml").write_text(CASE, encoding="utf-8")
        done = subprocess.run([PROGRAM, "check", "case.yaml", "--json", *words], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_check_estimates_what_a_solution_takes_and_solves_when_it_is_asked_to(self):
        direct = ("--set", "solver={method: direct}", "--set", "method.basis=mixed-3")
        expected, found = self.check(*direct)["estimate"], self.check(*direct, "--solve")["trial"]
        self.assertLess(abs(expected["solver_bytes"] / found["solver_bytes"] - 1), 0.4)
        self.assertGreater(expected["factor_entries"], 1e5)
        iterated = ("--set", "solver={method: bicgstab}")
        report = self.check(*iterated)
        self.assertNotIn("predicted_seconds", report)
        self.assertGreater(report["estimate"]["seconds_of_iteration"], 0)
        self.assertGreater(self.check(*iterated, "--solve")["trial"]["iterations"][0], 10)


if __name__ == "__main__":
    unittest.main()
