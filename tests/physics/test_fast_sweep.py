"""Fast sweeps of mode frequency-domain have the answers of sweeps that solve every frequency."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

PROGRAM = os.environ.get("TETRAWAVE_PROGRAM", "")
GUIDE = """\
mode: frequency-domain
mesh: {box: {size: [20 mm, 10 mm, 30 mm], cells: [4, 2, 5], jitter: 0.2}}
materials: {stuff: {eps_r: 1}}
regions: {box: stuff}
boundaries: {default: pec}
ports:
  - {name: a, boundary: z0, type: rectangular-waveguide, excite: {}}
  - {name: b, boundary: z1, type: rectangular-waveguide, excite: {}}
method: {basis: mixed-2}
frequency: {start: 6 GHz, stop: 14 GHz, points: 61}
outputs: {s_parameters: {}, probes: [{name: p, point: [7 mm, 4 mm, 9 mm]}]}
run: {threads: 1}
"""
POST = f"""\
mode: frequency-domain
units: mm
mesh: {{file: {Path(__file__).resolve().parent}/post.geo}}
materials: {{air: {{}}, ceramic: {{eps_r: 9.8, electric_dispersion: [{{model: lorentz, delta: 0.9, frequency: 35 GHz, damping: 4e9}}]}}}}
regions: {{air: air, post: ceramic}}
boundaries: {{default: pec}}
ports:
  - {{name: in, boundary: in, type: rectangular-waveguide, excite: {{}}}}
  - {{name: out, boundary: out, type: rectangular-waveguide, excite: {{}}}}
method: {{basis: mixed-2}}
frequency: {{start: 7 GHz, stop: 18 GHz, points: 56}}
outputs: {{s_parameters: {{}}}}
run: {{threads: 1}}
"""
LUMPED = "type: lumped, direction: [0, 1, 0], resistance: 300"
OPEN = """\
mode: frequency-domain
mesh: {box: {size: [0.2, 0.2, 0.2], cells: [4, 4, 4], jitter: 0.1}}
materials: {air: {}}
regions: {box: air}
boundaries: {BOUNDARIES}
DRIVEN
method: {basis: mixed-1}
frequency: {start: 0.3 GHz, stop: 1.5 GHz, points: 31}
outputs: {probes: [{name: p, point: [0.03, 0.05, 0.1]}], FAR}
run: {threads: 1}
"""
DIPOLE = "sources: [{type: dipole, position: [0.11, 0.09, 0.1], direction: [0, 0, 1], delay: 1 ns}]"
WAVES = "plane_waves: [{theta: 30, phi: 0, polarization: theta}, {theta: 90, phi: 45, polarization: phi}]"
FAR = "far_field: {frequencies: [0.6 GHz, 1.2 GHz], theta: [0, 45, 90], phi: [0]}"


def complex_of(data):
    return data[()]["r"] + 1j * data[()]["i"] if data.dtype.names else data[()]


class FastSweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_case(self, text, *changes, ranks=1):
        """Output, and results.h5."""
        (self.folder / "case.yaml").write_text(text, encoding="utf-8")
        start = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
        changed = [word for change in changes for word in ("--set", change)]
        command = start + [PROGRAM, "run", "case.yaml", "-o", "out", "--overwrite", *changed]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout + done.stderr, self.folder / "out" / "results.h5"

    def answers(self, text, *changes, ranks=1):
        said, path = self.run_case(text, *changes, ranks=ranks)
        found = {}
        with h5py.File(path) as file:
            def keep(name, item):
                if isinstance(item, h5py.Dataset) and name.split("/")[-1] in ("S", "E", "H", "E_theta"):
                    found[name] = complex_of(item)
            file.visititems(keep)
            sweep = None
            if "frequency_domain/sweep" in file:
                group = file["frequency_domain/sweep"]
                sweep = {**{name: group[name][()] for name in group}, **dict(group.attrs)}
        return found, sweep, said

    def compare(self, text, *changes, most=30, tolerance=1e-3, ranks=1):
        """Of the order of what the sweep allows; returns what the fast one says of itself."""
        whole, none, _ = self.answers(text, *changes, "frequency.sweep.fast=false")
        fast, sweep, said = self.answers(text, *changes, f"frequency.sweep.tolerance={tolerance}", ranks=ranks)
        self.assertIsNone(none)
        self.assertLessEqual(sweep["solved"].sum(), most, said)
        self.assertEqual(sweep["within_tolerance"], 1)
        for name, exact in whole.items():
            size = 1 if name.endswith("/S") else np.abs(exact).max()
            self.assertLess(np.abs(fast[name] - exact).max() / size, 2 * tolerance, name)
        if "s_parameters/S" in whole:  # where it is tried it is right, and so are estimates, within their factor
            error = np.abs(fast["s_parameters/S"] - whole["s_parameters/S"]).max(axis=(1, 2))
            self.assertLess(error.max(), 10 * max(sweep["error_estimate"].max(), 1e-9))
        return sweep, said

    def test_a_guide_through_its_cutoff_with_two_driven_ports(self):
        sweep, said = self.compare(GUIDE, most=20)
        self.assertLessEqual(sweep["check_error"], 1e-3)
        self.assertIn("which it did not use", said)
        self.assertNotIn(sweep["check_frequency"], sweep["order"][:-1])

    def test_few_frequencies_are_all_solved(self):
        _, sweep, said = self.answers(GUIDE, "frequency.points=3", "frequency.sweep={fast: true}")
        self.assertEqual(sweep["solved"].sum(), 3)
        self.assertIn("fast sweep: all 3 frequencies solved", said)

    def test_s_alone_is_read_from_the_vectors_of_the_model(self):
        """Waves of guides, voltages of lumped ports, voltages and currents of lines; without probes fields are not formed."""
        text = GUIDE.replace(", probes: [{name: p, point: [7 mm, 4 mm, 9 mm]}]", "")
        self.assertNotIn("probes", text)
        self.compare(text, most=25, tolerance=1e-7)
        self.compare(text.replace("type: rectangular-waveguide", LUMPED), most=25, tolerance=1e-7)
        line = text.replace("type: rectangular-waveguide", "type: tem, signal: y1").replace("{default: pec}", "{pec: [y0, y1], pmc: [x0, x1]}")
        self.compare(line, most=25, tolerance=1e-7)

    def test_many_frequencies_are_fitted_to_evaluations_of_the_model(self):
        """S and fields beside each of some frequencies solved; estimates stay above the error. Below the cutoff there are resonances
        without losses, which no fit to less than half of the points meets: there the model itself is evaluated."""
        for start, stop, fits in (("8 GHz", "14 GHz", True), ("4 GHz", "7 GHz", False)):
            band = (f"frequency.start={start}", f"frequency.stop={stop}", "frequency.sweep.tolerance=1e-8")
            fast, sweep, said = self.answers(GUIDE, *band, "frequency.points=2001")
            each, _, _ = self.answers(GUIDE, *band, "frequency.points=41", "frequency.sweep.fast=false")
            self.assertEqual("evaluations of the model, in between a fit with" in said, fits)
            for name in ("s_parameters/S", "excitations/a/probes/p/E", "excitations/b/probes/p/H"):
                exact = each[name]
                self.assertLess(np.abs(fast[name][::50] - exact).max() / np.abs(exact).max(), 1e-7, name)
            error = np.abs(fast["s_parameters/S"][::50] - each["s_parameters/S"]).max()
            self.assertLess(error, 10 * max(sweep["error_estimate"].max(), 1e-9))

    def test_a_tighter_tolerance_is_met(self):
        self.compare(GUIDE, most=25, tolerance=1e-6)

    def test_dispersive_media_and_metal_of_finite_conductivity(self):
        text = GUIDE.replace("eps_r: 1}", "eps_r: 2, electric_dispersion: [{model: lorentz, delta: 0.5, frequency: 16 GHz, damping: 1e9 rad/s}]}")
        text = text.replace("{default: pec}", "{conductor: {y1: 1e6 S/m}, impedance: {x0: 500 ohm}, default: pec}").replace("type: rectangular-waveguide", LUMPED)
        self.compare(text, most=25)

    def test_a_resonance_with_a_q_above_1e5(self):
        text = GUIDE.replace("type: rectangular-waveguide", LUMPED.replace("300", "1e7"))
        band, _, _ = self.answers(text, "frequency.sweep.tolerance=1e-6", "frequency.points=401")
        transmitted = np.abs(band["s_parameters/S"][:, 1, 0])
        peak = 6e9 + 8e9 / 400 * transmitted[50:].argmax() + 50 * 8e9 / 400
        near = (f"frequency.start={peak - 1e6}", f"frequency.stop={peak + 1e6}", "frequency.points=41")
        self.compare(text, *near, most=20)

    def test_s_is_right_far_from_a_resonance_trapped_below_the_cutoff(self):
        """Where the estimate is largest, beside a resonance without losses at 9.2 GHz, S is right long before it is at 12.6 GHz."""
        sweep, _ = self.compare(POST, most=20)
        self.assertLess(sweep["error_estimate"].max(), 1e-3)

    def test_layers_around_a_dipole_with_far_fields(self):
        text = OPEN.replace("BOUNDARIES", "pml: {faces: [x0, x1, y0, y1, z0, z1], thickness: 0.1, cells: 2}").replace("DRIVEN", DIPOLE)
        self.compare(text.replace("FAR", FAR), most=20)

    def test_plane_waves_on_a_plate_with_losses(self):
        self.compare(OPEN.replace("BOUNDARIES", "impedance: {z0: 100 ohm}, default: absorbing").replace("DRIVEN", WAVES).replace("FAR", FAR), most=25)

    def test_plane_waves_that_meet_nothing_scatter_nothing(self):
        text = OPEN.replace("BOUNDARIES", "default: absorbing").replace("DRIVEN", WAVES).replace(", FAR", "")
        self.compare(text, most=5)

    def test_an_iterative_solver_starts_from_the_model(self):
        text = GUIDE + "solver: {method: bicgstab, preconditioner: ilu, tolerance: 1e-8}\n"
        self.compare(text, "method.basis=mixed-1", most=20)

    def test_two_and_three_ranks_solve_different_frequencies(self):
        for ranks in (2, 3):
            sweep, _ = self.compare(GUIDE, most=24, ranks=ranks)
            self.assertEqual(len(set(sweep["order"])), len(sweep["order"]))

    def test_up_to_20_frequencies_are_all_solved_unless_a_fast_sweep_is_asked_for(self):
        self.assertIsNone(self.answers(GUIDE, "frequency.points=20")[1])
        self.assertIsNotNone(self.answers(GUIDE, "frequency.points=20", "frequency.sweep.fast=true")[1])

    def test_check_expects_the_solutions_of_a_fast_sweep(self):
        (self.folder / "case.yaml").write_text(GUIDE, encoding="utf-8")
        solutions = {}
        for fast in ("true", "false"):
            command = [PROGRAM, "check", "case.yaml", "--json", "--set", f"frequency.sweep.fast={fast}"]
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=100, check=True)
            solutions[fast] = json.loads(done.stdout)["solutions"]
        self.assertEqual(solutions, {"true": 15, "false": 61})

    def test_a_tolerance_that_is_not_reached_is_said(self):
        text = GUIDE.replace("mixed-2", "mixed-1")  # below rounding
        _, sweep, said = self.answers(text, "frequency.sweep.tolerance=1e-17")
        self.assertEqual(sweep["within_tolerance"], 0)
        self.assertIn("warning: frequency.sweep: after", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
