"""Marches of mode fetd by the program: resonances, energy, orders, losses, Newmark's beta, solvers, how a run ends and goes on.

Against mode frequency-domain: test_fetd.py.
"""

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
import fetd  # noqa: E402
import frequency_domain as fd  # noqa: E402
import guide  # noqa: E402
from fetd import BACK, FRONT, PATCH, PLATES  # noqa: E402
from layers import C0  # noqa: E402

PROGRAM = os.environ.get("TETRAWAVE_PROGRAM", "")
SPACES = ("mixed-1", "full-1", "mixed-2", "full-2", "mixed-3", "full-3")
# Given fields with charges, that no wall of metal lets be.
ANY = 'E: ["y*y + z", "z*x", "1 + x*x"], H: ["0.001*y", "x*z", "0.001"]'


def box(size, cells, initial, boundaries="default: pec", medium="{}", jitter=0.1, more=""):
    return f"""
mesh: {{box: {{size: {list(size)}, cells: {list(cells)}, jitter: {jitter}}}}}
materials: {{air: {medium}}}
regions: {{box: air}}
boundaries: {{{boundaries}}}
initial_fields: {{{initial}}}
{more}
"""


class Cavity(fd.Checks):
    SIZE = (0.22, 0.30, 0.05)
    HZ = C0 / 2 * np.hypot(1 / 0.22, 1 / 0.30)
    MODE = 'E: ["0", "0", "sin(pi*x/0.22)*sin(pi*y/0.30)"]'
    PROBE = "probes: [{name: p, point: [0.101, 0.142, 0.023]}], energy: {every: 1}"

    def run_box(self, basis, dt, cells=(2, 3, 2), steps=600, jitter=0.1, more="", initial=MODE):
        text = fetd.march(box(self.SIZE, cells, initial, jitter=jitter), basis=basis, dt=dt, end=f"steps: {steps}", outputs=self.PROBE, more=more)
        return guide.run(self, text)

    def resonance(self, results, dt):
        """The largest of a windowed spectrum, by a parabola through its logarithm."""
        signal = results["probes/p/E"][:, 2]
        size = 64 * len(signal)
        spectrum = np.abs(np.fft.rfft(signal * np.hanning(len(signal)), size))
        k = spectrum.argmax()
        curve = np.polyfit(np.arange(-2, 3), np.log(spectrum[k - 2:k + 3]), 2)
        return (k - curve[1] / (2 * curve[0])) / (size * dt)

    def test_the_step_shifts_a_resonance_by_the_rule_and_energy_stays(self):
        """tan(w dt/2) = w_h dt/2 with the w_h of the mesh, here of three step lengths, the longest 17 times the explicit one."""
        for basis in SPACES:
            found = []
            for dt in (40e-12, 80e-12, 160e-12):
                results = self.run_box(basis, dt)
                found.append(fetd.warped(self.resonance(results, dt), dt))
                total = results["energy/total"]
                self.assertLess(np.ptp(total) / total[0], 1e-12, basis)
            spread = np.ptp(found) / found[0]
            print(f"{basis}: {found[0]:.6g} Hz, of three steps within {spread:.1e}")
            self.assertLess(spread, 2e-6, basis)  # that of reading off the spectrum of 20 periods and more

    def test_resonances_converge_with_twice_the_degree_of_the_curls(self):
        for basis, order, meshes in (("full-1", 2, (1, 2, 3)), ("mixed-2", 4, (1, 2, 3)), ("full-2", 4, (1, 2, 3)), ("mixed-3", 6, (1, 2)), ("full-3", 6, (1, 2))):
            errors = []
            for n in meshes:
                dt = 100e-12
                results = self.run_box(basis, dt, (2 * n, 3 * n, n), 500, jitter=0)
                errors.append(abs(fetd.warped(self.resonance(results, dt), dt) / self.HZ - 1))
            found = np.log(errors[-2] / errors[-1]) / np.log(meshes[-1] / meshes[-2])
            print(f"{basis}: {', '.join(f'{error:.1e}' for error in errors)}, order {found:.2f}")
            self.assertAlmostEqual(found, order, delta=0.4, msg=basis)

    def test_newmark_beta(self):
        """2 sin(w dt/2) = w_h dt sqrt(1 - (1 - 4 beta) sin^2(w dt/2)) for every beta; with 0 the explicit step is stable."""
        dt = 14e-12
        wanted = fetd.warped(self.resonance(self.run_box("mixed-2", dt, steps=2000), dt), dt)
        for beta in (0, 0.1, 0.2, 0.3, 0.5):
            results = self.run_box("mixed-2", dt, steps=2000, more=f"newmark: {{beta: {beta}}}")
            sine = np.sin(np.pi * self.resonance(results, dt) * dt)
            found = sine / (np.pi * dt * np.sqrt(1 - 4 * beta * sine**2))
            print(f"beta {beta}: resonance of the mesh within {found / wanted - 1:.1e}")
            self.assertLess(abs(found / wanted - 1), 1e-6)
            total = results["energy/total"]
            self.assertLess(np.ptp(total) / total[0], 0.02)
        for basis in ("mixed-1", "full-2"):
            text = fetd.march(box(self.SIZE, (2, 3, 1), ANY), basis=basis, end="steps: 3000", outputs="energy: {every: 10}", more="newmark: {beta: 0}")
            total = guide.run(self, text.replace(f"time_step: {fetd.DT!r}", "cfl: 1"))["energy/total"]
            self.assertLess(total.max() / total[0], 1.01, basis)

    def test_fields_that_are_no_modes_keep_their_energy(self):
        for basis in SPACES:
            for step in ("cfl: 1", "cfl: 100"):
                text = fetd.march(box(self.SIZE, (2, 2, 1), ANY, medium="{eps_r: [1, 3, 9], mu_r: [2, 1, 4]}", jitter=0.2), basis=basis,
                                  end="steps: 200", outputs="energy: {every: 1}")
                total = guide.run(self, text.replace(f"time_step: {fetd.DT!r}", step))["energy/total"]
                self.assertGreater(total[0], 0)
                self.assertLess(np.ptp(total) / total[0], 1e-12, f"{basis} {step}")


class Losses(unittest.TestCase):
    """Nothing that takes energy gives any, with short steps and with those of 30 times the explicit limit."""

    MEDIA = ("{sigma: 0.3}", "{sigma_m: 3e4}", "{eps_r: 2, electric_dispersion: [{model: debye, delta: 3, tau: 40 ps}]}",
             "{electric_dispersion: [{model: lorentz, delta: 1.2, frequency: 5 GHz, damping: 2e9}]}",
             "{electric_dispersion: [{model: drude, plasma_frequency: 4 GHz, collision: 4e9}]}",
             "{magnetic_dispersion: [{model: lorentz, delta: 0.8, frequency: 4 GHz, damping: 5e9}, {model: debye, delta: 1, tau: 20 ps}]}")
    WALLS = ("default: absorbing", "impedance: {x0: 50 ohm, z1: 377 ohm}, default: pec")

    PORTS = ("tem, signal: y1", "lumped, resistance: 50 ohm, direction: [0, 1, 0]")

    def falls(self, what, parts, step):
        total = guide.run(self, fetd.march(parts, end="steps: 500", outputs="energy: {every: 1}").replace(f"time_step: {fetd.DT!r}", step))["energy/total"]
        self.assertLess(np.diff(total).max() / total[0], 1e-14, f"{what}, {step}")
        self.assertLess(total[-1], 0.95 * total[0], f"{what}, {step}")

    def test_energy_never_rises(self):
        size, cells = (0.02, 0.02, 0.02), (1, 1, 2)
        for step in ("cfl: 0.5", "cfl: 30"):
            for medium in self.MEDIA:
                self.falls(medium, box(size, cells, ANY, medium=medium), step)
            for walls in self.WALLS:
                self.falls(walls, box(size, cells, ANY, walls), step)
            for port in self.PORTS:
                ends = f"ports: [{{name: a, boundary: z0, type: {port}}}]"
                self.falls(port, box(size, cells, ANY, PLATES + ", default: pec", more=ends), step)

    def test_the_energy_of_terms_without_losses_stays(self):
        for term in ("{model: lorentz, delta: 1.2, frequency: 5 GHz, damping: 0}", "{model: drude, plasma_frequency: 4 GHz, collision: 0}"):
            parts = box((0.02, 0.02, 0.02), (1, 1, 2), ANY, medium=f"{{eps_r: 2, electric_dispersion: [{term}]}}")
            total = guide.run(self, fetd.march(parts, dt=20e-12, end="steps: 1000", outputs="energy: {every: 1}"))["energy/total"]
            self.assertLess(np.ptp(total) / total[0], 1e-12, term)


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def launch(self, text, *options, name="out", code=(0,), ranks=1):
        (self.folder / "case.yaml").write_text(text, encoding="utf-8")
        start = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
        done = subprocess.run([*start, PROGRAM, "run", "case.yaml", "-o", name, "--quiet", *options], cwd=self.folder, capture_output=True, text=True,
                              timeout=600, check=False)
        self.assertIn(done.returncode, code, done.stderr)
        return done.stderr

    def data_sets(self, name, pattern="results.h5"):
        values = {}
        for path in sorted((self.folder / name).glob(pattern)):
            with h5py.File(path) as file:
                values.update({f"{path.name} {key}": file[key][()] for key in guide.names_of(file)})
        return values

    def same(self, first, second):
        for pattern in ("results.h5", "fields/*.vtkhdf"):
            wanted, found = self.data_sets(first, pattern), self.data_sets(second, pattern)
            self.assertEqual(wanted.keys(), found.keys())
            for key, values in wanted.items():
                self.assertTrue(np.array_equal(values, found[key], equal_nan=values.dtype.kind in "fc"), key)

    # All that is kept from step to step: reactances, terms of media, branches of metal, layers, Fourier sums.
    LINES = {
        "a lumped port and metal": fetd.march(
            fetd.line("air: {}, filling: {eps_r: 2, electric_dispersion: [{model: debye, delta: 1, tau: 20 ps}], magnetic_dispersion: "
                      "[{model: lorentz, delta: 0.8, frequency: 4 GHz, damping: 5e9}]}", "filling", "pmc: [x0, x1], absorbing: [z1], conductor: {y0: 2e4 S/m, y1: 2e4 S/m}"),
            ["{" + port + ", excite: {waveform: pulse}}" for port in (PATCH + ", inductance: 5 nH", "name: front, boundary: z0, type: lumped, resistance: 90, direction: [0, 1, 0]")],
            end="steps: 150", outputs=fetd.band() + ", energy: {every: 5}, fields: {every: 50, frequencies: [4 GHz]}"),
        "a waveguide and layers": fetd.march(
            box((0.02286, 0.01016, 0.02), (3, 1, 3), ANY, "pec: [x0, x1, y0, y1], pml: {faces: [z1], thickness: 0.01, cells: 2}"),
            ["{name: front, boundary: z0, type: rectangular-waveguide, excite: {waveform: pulse}}"], dt=4e-12, end="steps: 150",
            outputs="probes: [{name: p, point: [0.01, 0.005, 0.01], every: 3}], energy: {every: 7}"),
        "ports of one mode": fetd.march(
            box((0.02286, 0.01016, 0.02), (3, 1, 3), ANY, "pec: [x0, x1, y0, y1]"),
            ["{" + f"name: {name}, boundary: {face}, type: rectangular-waveguide, other_modes: reflect, excite: {{waveform: pulse}}" + "}" for name, face in (("front", "z0"), ("back", "z1"))],
            dt=4e-12, end="steps: 150", outputs="energy: {every: 7}"),
        "an iteration": fetd.march(fetd.line(boundaries=PLATES), [fetd.driven(FRONT, ("front",)), "{" + BACK + "}"], end="steps: 150", basis="mixed-1",
                                   outputs=fetd.band(drive="together").replace(", drive: together", ""), more="solver: {method: bicgstab}"),
        "a far field": fetd.march(box((0.2, 0.2, 0.2), (3, 3, 3), 'E: ["0", "0", "0"]', "default: absorbing",
                                      more="sources: [{type: dipole, position: [0.1, 0.1, 0.1], direction: [0, 0, 1], waveform: pulse}]"), dt=40e-12, basis="mixed-1",
                                  wave="{type: modulated-gaussian, frequency: 1 GHz, bandwidth: 1 GHz}", end="steps: 150", outputs="far_field: {frequencies: [1 GHz], theta: [30, 90], phi: [0]}"),
    }

    def test_a_run_that_was_stopped_goes_on_to_the_same_bits(self):
        fetd.write_line(self.folder, sheet=True)
        for name, text in self.LINES.items():
            with self.subTest(name):
                whole, parts = f"{name}, whole", f"{name}, in parts"
                self.launch(text, name=whole)
                self.launch(text, "--max-wall", "0.000001s", name=parts, code=(75,))  # at its first look
                self.launch(text, "--resume", "--max-wall", "0.02s", name=parts, code=(0, 75))
                self.launch(text, "--resume", name=parts)
                self.same(whole, parts)

    def test_any_number_of_ranks_has_the_waves_of_one(self):
        """Of ports on the first rank and on others, but for the order of sums over elements; the iteration to its tolerance."""
        guide.write_mesh(self.folder / "line.h5", guide.planes((0.02, 8)), 0.0025, sheet=4)
        for solver in ("direct", "bicgstab"):
            text = fetd.march(fetd.line().replace(", slab: air", ""), [fetd.driven(port, ("front", "back")) for port in (FRONT, PATCH + ", inductance: 5 nH", BACK)], basis="mixed-1",
                              end="steps: 150", outputs=fetd.band(), more=f"solver: {{method: {solver}}}")
            for ranks in (1, 2, 3):
                self.launch(text, name=f"{solver} {ranks}", ranks=ranks)
                found = self.data_sets(f"{solver} {ranks}")["results.h5 s_parameters/S"]
                alone = found if ranks == 1 else alone
                self.assertTrue(np.array_equal(np.isnan(found), np.isnan(alone)), f"{solver}, {ranks} ranks")
                self.assertLess(np.nanmax(np.abs(found - alone)), 1e-9, f"{solver}, {ranks} ranks")

    def test_the_case_that_a_run_writes_runs_again(self):
        fetd.write_line(self.folder)
        self.launch(self.LINES["an iteration"], "--set", "newmark.beta=0.3")
        written = (self.folder / "out/case.yaml").read_text(encoding="utf-8")
        self.launch(written, name="again")
        self.same("out", "again")

    def test_what_a_run_writes_of_itself(self):
        fetd.write_line(self.folder)
        self.launch(self.LINES["an iteration"])
        with h5py.File(self.folder / "out/results.h5") as file:
            self.assertEqual((file.attrs["mode"], file.attrs["scheme"], file.attrs["basis"]), ("fetd", "newmark", "mixed-1"))
            figures = file["performance"].attrs
            self.assertEqual(file.attrs["dofs"], figures["unknowns"])
            self.assertGreater(figures["nonzeros"], figures["unknowns"])
            self.assertGreater(figures["mean_solver_iterations"], 1)
            self.assertLess(figures["mean_solver_iterations"], 18)  # 16.3; from 2 e - e_mid of the step before 20.7
            without = [name for name in guide.names_of(file) if "units" not in file[name].attrs]
            self.assertEqual(without, [])

    def test_every_iteration_and_assembly_has_the_direct_answer(self):
        fetd.write_line(self.folder)
        text = self.LINES["an iteration"]
        self.launch(text, "--set", "solver.method=direct")
        wanted = self.data_sets("out")["results.h5 ports/back/voltage"]
        ways = [[f"solver.preconditioner={name}"] for name in ("none", "jacobi", "ssor", "ssor-ai", "ilu", "ilut")]
        ways += [["solver.matrix_format=jad"], ["solver.diagonal_scaling=false"], ["solver.method=direct", "solver.assembly=by-row"], ["solver.method=direct", "run.threads=2"]]
        for way in ways:
            self.launch(text, *[word for change in way for word in ("--set", change)], "--overwrite", name="other")
            found = self.data_sets("other")["results.h5 ports/back/voltage"]
            self.assertLess(np.abs(found - wanted).max() / np.abs(wanted).max(), 1e-8, way)  # solver.tolerance 1e-10, over 150 steps


if __name__ == "__main__":
    unittest.main()
