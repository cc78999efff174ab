"""`tetrawave study` of marches and of the frequency domain: every run is one of `tetrawave run`, and a row of the table."""

import csv
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

PROGRAM = os.environ["TETRAWAVE_PROGRAM"]
BOX = """\
mesh: {box: {size: [0.03, 0.02, 0.04], cells: [3, 2, 4], jitter: 0.1}}
materials: {air: {}}
regions: {box: air}
"""
CAVITY = BOX + """\
boundaries: {default: pec}
initial_fields: {E: ["0", "sin(pi*x/0.03)*sin(pi*z/0.04)", "0"]}
method: {allow_unstable: true}
time: {steps: 60}
outputs: {energy: {every: 10}}
study: {vary: {method.scheme: [dgtd-central, dgtd-upwind], method.cfl: [0.9, 1.3]}}
"""
GUIDE = BOX + """\
mode: frequency-domain
boundaries: {pec: [x0, x1, y0, y1], absorbing: [z1]}
ports: [{name: front, boundary: z0, type: rectangular-waveguide, excite: {}}]
method: {basis: mixed-1}
frequency: {values: [6 GHz, 7 GHz]}
outputs: {s_parameters: {}}
study: {vary: {solver.preconditioner: [jacobi, ssor-ai], method.basis: [mixed-1, mixed-2]}}
"""


class Study(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def study(self, text, *options, code=0, ranks=1, table=True):
        (self.folder / "case.yaml").write_text(text, encoding="utf-8")
        launch = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
        done = subprocess.run([*launch, PROGRAM, "study", "case.yaml", "-o", "out", *options], cwd=self.folder,
                              capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        if not table:
            return None, done.stderr
        with open(self.folder / "out/study.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file)), done.stderr

    def results(self, run):
        return h5py.File(self.folder / f"out/runs/{run}/results.h5", "r")

    def test_rows_tell_what_the_runs_have_in_their_results(self):
        rows, said = self.study(GUIDE)
        self.assertEqual([(row["solver.preconditioner"], row["method.basis"]) for row in rows],
                         [("jacobi", "mixed-1"), ("jacobi", "mixed-2"), ("ssor-ai", "mixed-1"), ("ssor-ai", "mixed-2")])
        self.assertIn("run 4 of 4: solver.preconditioner=ssor-ai method.basis=mixed-2", said)
        for number, row in enumerate(rows, 1):
            with self.results(number) as file:
                self.assertEqual(int(row["run"]), number)
                self.assertEqual(file.attrs["basis"], row["method.basis"])
                self.assertEqual(int(row["dofs"]), file.attrs["dofs"])
                self.assertEqual(int(row["iterations"]), file["frequency_domain/iterations"][()].sum())
                self.assertEqual(float(row["largest_residual"]), file["frequency_domain/residual"][()].max())
            log = (self.folder / f"out/runs/{number}/log.txt").read_text(encoding="utf-8")
            self.assertIn("finite elements:", log)
            self.assertNotIn(f"run {number} of 4", log)
        self.assertLess(int(rows[2]["iterations"]), int(rows[0]["iterations"]))
        answers = [self.results(number)["s_parameters/S"][()] for number in (1, 3)]
        self.assertLess(np.abs(answers[0] - answers[1]).max(), 1e-4)
        with h5py.File(self.folder / "out/study.h5", "r") as file:
            self.assertEqual(file.attrs["mode"], "frequency-domain")
            self.assertEqual(list(file["study/iterations"][()]), [int(row["iterations"]) for row in rows])
            self.assertEqual(file["study/seconds_solve"].attrs["units"], "s")

    def test_results_of_the_user_s_choice_are_columns(self):
        text = GUIDE.replace("[6 GHz, 7 GHz]", "[7 GHz, 7.5 GHz, 8 GHz, 8.5 GHz, 9 GHz]").replace("basis: mixed-1", "basis: mixed-2")
        asked = ("s11@7.25GHz", "S11@8 GHz", "resonance:1", "/ports/front/cutoff", "/frequency_domain/unknowns")
        rows, said = self.study(text, "--set", "study.vary={materials.air.eps_r: [1, 2.5]}",
                                *(word for name in asked for word in ("--result", name)))
        columns = ("s11@7.25GHz", "S11@8 GHz", "resonance:1", "resonance:1_level", "ports.front.cutoff", "frequency_domain.unknowns")
        for number, row in enumerate(rows, 1):
            with self.results(number) as file:
                s = file["s_parameters/S"][:, 0, 0]
                self.assertAlmostEqual(float(row["s11@7.25GHz"]), 20 * np.log10(abs(s[0] + s[1]) / 2), places=9)
                self.assertAlmostEqual(float(row["S11@8 GHz"]), 20 * np.log10(abs(s[2])), places=9)
                self.assertEqual(float(row["ports.front.cutoff"]), file["ports/front"].attrs["cutoff"])
                self.assertEqual(int(row["frequency_domain.unknowns"]), file["frequency_domain/unknowns"][0])
                if row["resonance:1"]:
                    self.assertEqual(np.argmin(abs(s)), 2)
                    self.assertLess(abs(float(row["resonance:1"]) - 8e9), 0.25e9)
                    self.assertLess(abs(float(row["resonance:1_level"]) - 20 * np.log10(abs(s[2]))), 1)
        self.assertEqual([bool(row["resonance:1"]) for row in rows], [False, True])
        self.assertIn("resonance:1: no resonance within the band of out/runs/1/results.h5", said)
        with h5py.File(self.folder / "out/study.h5", "r") as file:
            self.assertEqual(list(file["study"].attrs["results"]), list(columns))
            self.assertEqual([file["study"][name].attrs.get("units", "") for name in columns], ["dB", "dB", "Hz", "dB", "", "1"])

    def test_gain_and_efficiency_are_those_of_the_far_field(self):
        far = "outputs: {s_parameters: {}, far_field: {frequencies: [7 GHz], theta: {start: 0, stop: 180, points: 19}, phi: [0, 90]}}"
        names = ("gain", "realised_gain", "directivity", "efficiency")
        rows, _ = self.study(GUIDE.replace("outputs: {s_parameters: {}}", far), "--set", "study.vary={materials.air.eps_r: [1, 2.5]}",
                             *(word for name in names for word in ("--result", f"{name}@7 GHz")))
        for number, row in enumerate(rows, 1):
            with self.results(number) as file:
                group = file["far_field/7000000000"]
                for name in names[:3]:
                    self.assertEqual(float(row[f"{name}@7 GHz"]), np.nanmax(group[name][()]))
                self.assertEqual(float(row["efficiency@7 GHz"]), group.attrs["efficiency"])
                self.assertAlmostEqual(float(row["gain@7 GHz"]) - float(row["directivity@7 GHz"]),
                                       10 * np.log10(float(row["efficiency@7 GHz"])), places=9)

    def test_a_result_that_no_run_has_is_found_before_the_first_run(self):
        _, said = self.study(GUIDE, "--result", "/performance/solve_second", code=64, table=False)
        self.assertIn("--result /performance/solve_second: results.h5 of this case has no number of this path "
                      "(did you mean '/performance/solve_seconds'?)", said)
        self.assertFalse((self.folder / "out").exists())

    def test_every_number_of_results_h5_is_a_result(self):
        """Of a march and of the frequency domain, with one frequency and one direction."""
        one = GUIDE.split("study:")[0].replace("[6 GHz, 7 GHz]", "[7 GHz]")
        one = one.replace("{s_parameters: {}}", "{s_parameters: {}, far_field: {frequencies: [7 GHz], theta: [0], phi: [0]}}")
        march = one.replace("mode: frequency-domain", "time: {steps: 40}").replace("frequency: {values: [7 GHz]}", "waveforms: {p: {type: gaussian, width: 20 ps}}")
        march = march.replace("excite: {}", "excite: {waveform: p}").replace("s_parameters: {}", "s_parameters: {start: 7 GHz, stop: 8 GHz, points: 2}")
        for text in (one, march):
            text += "study: {vary: {method.basis: [mixed-1]}}\n"
            columns = self.study(text, "--overwrite")[0][0]
            with self.results(1) as file:
                numbers = [name for name in self.numbers_of(file) if name[1:].replace("/", ".") not in columns]
            self.assertGreater(len(numbers), 20)
            rows, _ = self.study(text, "--overwrite", *(word for name in numbers for word in ("--result", name)))
            self.assertEqual([name for name in numbers if not rows[0][name[1:].replace("/", ".")]], [])

    @staticmethod
    def numbers_of(file):
        """Paths of single real numbers."""
        found = []
        def look(name, item):
            if isinstance(item, h5py.Dataset) and item.size == 1 and item.dtype.kind in "fi":
                found.append(f"/{name}")
            found.extend(f"/{name}/{key}" for key, value in item.attrs.items() if isinstance(value, (int, float, np.number)))
        file.visititems(look)
        found += [f"/{key}" for key, value in file.attrs.items() if isinstance(value, (int, float, np.number))]
        return sorted({path for path in found if "/performance/seconds_setup_" not in path})

    def test_a_march_that_grows_leaves_its_row_and_the_study_goes_on(self):
        rows, said = self.study(CAVITY, code=76)
        self.assertIn("2 of 4 runs of the study did not finish", said)
        for row in rows:
            self.assertEqual(row["error"].startswith("unstable at step"), row["method.cfl"] == "1.3")
            self.assertEqual(row["steps_done"], "" if row["error"] else "60")

    def test_ranks_run_a_study_together(self):
        alone, _ = self.study(CAVITY, "--set", "study.vary={method.scheme: [dgtd-central, dfdd-eld]}")
        with self.results(2) as file:
            energy = file["energy/total"][()]
        together, _ = self.study(CAVITY, "--set", "study.vary={method.scheme: [dgtd-central, dfdd-eld]}", "--overwrite", ranks=2)
        self.assertEqual([row["time_step"] for row in alone], [row["time_step"] for row in together])
        with self.results(2) as file:
            self.assertEqual(file.attrs["ranks"], 2)
            np.testing.assert_allclose(file["energy/total"][()], energy, rtol=1e-12)


if __name__ == "__main__":
    unittest.main()
