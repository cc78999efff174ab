"""Systems that ranks share out (solver.ranks: system): the answers are those of one rank, whatever is solved and however, and each rank has its part alone."""

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
import frequency_domain as fd  # noqa: E402
import second_order  # noqa: E402
import spheres  # noqa: E402

PROGRAM = os.environ.get("TETRAWAVE_PROGRAM", "")
DIRECT = 1e-10  # of the largest value
GUIDE = """\
mode: frequency-domain
units: mm
mesh: {box: {size: [5, 4, 20], cells: [2, 2, 6], jitter: 0.1}}
materials: {air: {eps_r: 2, sigma: 0.02, electric_dispersion: [{model: debye, eps_static: 3, tau: 20 ps}]}}
regions: {box: air}
boundaries: {conductor: {y0: 1e5 S/m}, pec: [y1], pmc: [x0, x1]}
ports:
  - {name: p1, boundary: z0, type: lumped, direction: [0, 1, 0], resistance: 70, excite: {amplitude: 2}}
  - {name: p2, boundary: z1, type: lumped, direction: [0, 1, 0], resistance: 100, excite: {}}
method: {basis: mixed-2}
frequency: {values: [10 GHz, 16 GHz]}
outputs:
  s_parameters: {drive: each}
  probes: [{name: c, point: [2.4, 2.1, 10.1]}]
run: {threads: 1}
"""
DIPOLE = """\
mode: frequency-domain
mesh: {box: {size: [0.1, 0.1, 0.1], cells: [4, 4, 4], jitter: 0.1}}
materials: {air: {}}
regions: {box: air}
boundaries: {default: absorbing}
sources: [{type: dipole, position: [0.052, 0.048, 0.05], direction: [0, 0, 1]}]
method: {basis: full-1}
frequency: {values: [1.5 GHz]}
outputs:
  probes: [{name: c, point: [0.08, 0.03, 0.06]}]
  far_field: {frequencies: [1.5 GHz], theta: {start: 0, stop: 180, points: 7}, phi: [0, 50]}
  fields: {frequencies: [1.5 GHz]}
run: {threads: 1}
"""
SCATTERER = """\
mode: frequency-domain
mesh: {file: cube.h5}
materials: {air: {}, block: {eps_r: 4, sigma: 0.05}}
regions: {air: air, block: block}
boundaries: {default: absorbing}
plane_waves: [{theta: 40, phi: 20, polarization: theta}, {theta: 90, phi: 0, polarization: phi}]
method: {basis: BASIS}
frequency: {values: [400 MHz]}
outputs:
  probes: [{name: inside, point: [0.02, 0.03, 0.01]}, {name: outside, point: [0.22, 0.2, 0.1]}]
  far_field: {frequencies: [400 MHz], theta: {start: 0, stop: 180, points: 7}, phi: [0, 90]}
run: {threads: 1}
"""
LAYERS = """\
mode: frequency-domain
units: mm
mesh: {box: {size: [20, 20, 20], cells: [3, 3, 3], jitter: 0.1}}
materials: {air: {}}
regions: {box: air}
boundaries: {pml: {faces: [x0, x1, y0, y1, z0, z1], thickness: 10, cells: 2}}
sources: [{type: dipole, position: [9, 10, 11], direction: [1, 0, 1]}]
method: {basis: mixed-1}
frequency: {values: [6 GHz]}
outputs:
  probes: [{name: c, point: [15, 4, 7]}]
  far_field: {frequencies: [6 GHz], theta: {start: 0, stop: 180, points: 5}, phi: [0, 50]}
run: {threads: 1}
"""


def write_cube(folder, cells=6, size=0.6):
    """A block of a third of the size in the middle of air."""
    half = size / 2

    def region(points):
        return 1 if np.all(np.abs(np.mean(points, axis=0) - cells / 2) < cells / 6) else 0

    data = fd.meshes.build((cells,) * 3, lambda p: [size * x / cells - half for x in p], [("x0", "x1"), ("y0", "y1"), ("z0", "z1")],
                           region_of=region, regions=("air", "block"))
    fd.meshes.write(folder / "cube.h5", data)


class SharedSystem(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def launch(self, text, *changes, ranks=1, verb="run", options=()):
        (self.folder / "case.yaml").write_text(text, encoding="utf-8")
        start = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
        changed = [word for change in changes for word in ("--set", change)]
        place = ["-o", "out", "--quiet", "--overwrite"] if verb == "run" else []
        return subprocess.run(start + [PROGRAM, verb, "case.yaml", *place, *changed, *options], cwd=self.folder, capture_output=True,
                              text=True, timeout=600, check=False)

    def solve(self, text, *changes, ranks=1):
        """All numbers of the answers by their path, and what was written of the solution."""
        done = self.launch(text, *changes, ranks=ranks)
        self.assertEqual(done.returncode, 0, " ".join(changes) + "\n" + done.stderr)
        answers, solution = {}, {}
        with h5py.File(self.folder / "out" / "results.h5") as file:
            def take(path, item):
                if not isinstance(item, h5py.Dataset):
                    return
                if path.startswith("frequency_domain"):
                    solution[path.removeprefix("frequency_domain/")] = item[()]
                elif item.dtype.kind in "cf" and "axial_ratio" not in path and any(part in path for part in ("s_parameters/S", "probes", "far_field", "near_field", "ports")):
                    answers[path] = item[()]
            file.visititems(take)
            solution["share"] = file["frequency_domain"].attrs["ranks_share"]
            solution["transport"] = file["frequency_domain/ranks"].attrs["transport"] if "ranks" in file["frequency_domain"] else "none"
        for path in sorted((self.folder / "out").glob("fields/**/*.vtkhdf")):
            with h5py.File(path) as file:
                file.visititems(lambda name, item: answers.update({f"{path.name}:{name}": item[()]})
                                if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and "Data" in name else None)
        return answers, solution

    def agree(self, what, found, wanted, tolerance):
        self.assertEqual(sorted(found), sorted(wanted))
        self.assertGreater(len(wanted), 0)
        worst = 0
        for path, values in wanted.items():
            known = np.isfinite(values)
            self.assertTrue(np.array_equal(known, np.isfinite(found[path])), path)
            if known.any():
                scale = np.abs(values[known]).max() or 1
                worst = max(worst, np.abs(found[path][known] - values[known]).max() / scale)
        print(f"{what}: within {worst:.1e}")
        self.assertLess(worst, tolerance, what)

    def test_one_factorisation_on_any_number_of_ranks_gives_the_answers_of_one(self):
        write_cube(self.folder)
        cases = {"a guide": (GUIDE, (1, 2)), "a dipole": (DIPOLE, (3,)), "layers": (LAYERS, (2,)), "plane waves": (SCATTERER.replace("BASIS", "mixed-1"), (4,))}
        for what, (text, counts) in cases.items():
            wanted, _ = self.solve(text)
            for ranks in counts:
                found, solution = self.solve(text, "solver.ranks=system", ranks=ranks)
                self.agree(f"{what}, {ranks} ranks", found, wanted, DIRECT)
                self.assertEqual(solution["share"], "system")

    def test_every_iteration_reaches_the_same_answer(self):
        wanted, _ = self.solve(DIPOLE)
        for method, name in (("bicgstab", "jacobi"), ("bicgstab", "ssor"), ("bicgstab", "oras"), ("gmres", "ilu"), ("bicgstab", "ilut"), ("gmres", "oras")):
            found, solution = self.solve(DIPOLE, "solver.ranks=system", f"solver.method={method}", f"solver.preconditioner={name}",
                                         "solver.tolerance=1e-9", ranks=3)
            self.agree(f"{method}, {name}, {solution['iterations'].max()} iterations", found, wanted, 1e-6)
            self.assertGreater(solution["iterations"].max(), 0)

    def test_ssor_ai_of_the_whole_matrix_needs_as_many_iterations_on_any_number_of_ranks(self):
        counts = [self.solve(DIPOLE, "solver.ranks=system", "solver.preconditioner=ssor-ai", ranks=ranks)[1]["iterations"].max() for ranks in (1, 2, 4)]
        print("ssor-ai", counts)
        self.assertLess(max(counts), 1.4 * min(counts))

    def test_a_gathered_vector_gives_the_iterations_of_a_halo(self):
        changes = ("solver.ranks=system", "solver.preconditioner=ssor-ai")
        halo, of_halo = self.solve(DIPOLE, *changes, ranks=3)
        gather, of_gather = self.solve(DIPOLE, *changes, "solver.exchange=gather", ranks=3)
        self.agree("gather", gather, halo, 1e-12)
        self.assertEqual(of_halo["iterations"].tolist(), of_gather["iterations"].tolist())
        self.assertEqual(of_halo["ranks/seconds_redistribution"].max(), 0)
        self.assertEqual(of_halo["transport"], "mpi")
        for part in ("product", "exchange", "redistribution", "preconditioner", "sums"):
            self.assertGreater(of_gather[f"ranks/seconds_{part}"].min(), 0, part)

    def test_schwarz_needs_one_iteration_on_one_rank_and_few_on_several(self):
        for cells in (4, 6):
            counts = {}
            for ranks in (1, 2, 4):
                _, solution = self.solve(DIPOLE, "solver.ranks=system", "solver.preconditioner=oras", f"mesh.box.cells=[{cells}, {cells}, {cells}]", ranks=ranks)
                counts[ranks] = int(solution["iterations"].max())
            print(f"oras, {cells} cells: {counts}")
            self.assertEqual(counts[1], 1)
            self.assertLess(max(counts.values()), 30)

    def test_what_a_rank_has_falls_with_their_number(self):
        shares = {}
        for ranks in (1, 2, 4):
            _, shares[ranks] = self.solve(DIPOLE, "solver.ranks=system", "mesh.box.cells=[8, 8, 8]", "method.basis=mixed-1",
                                          "solver.preconditioner=jacobi", "solver.tolerance=0.3", ranks=ranks)
            self.assertEqual(shares[ranks]["ranks/rows"].sum(), shares[1]["unknowns"][0])
            self.assertEqual(shares[ranks]["ranks/nonzeros"].sum(), shares[1]["nonzeros"][0])
            print(ranks, "ranks:", {name: shares[ranks][f"ranks/{name}"].max() for name in ("rows", "ghosts", "nonzeros", "solver_bytes")})
        for fewer, more in ((1, 2), (2, 4)):
            for name in ("rows", "nonzeros", "solver_bytes"):
                self.assertLess(shares[more][f"ranks/{name}"].max(), 0.65 * shares[fewer][f"ranks/{name}"].max(), name)

    def test_a_fast_sweep_over_shared_systems_is_that_of_one_rank(self):
        """S alone, which is read from the vectors of the model; probes and fields; a far field, whose currents are on all ranks."""
        band = ("frequency={start: 4 GHz, stop: 16 GHz, points: 41, sweep: {tolerance: 1e-6}}",)
        s_alone = GUIDE.replace("  probes: [{name: c, point: [2.4, 2.1, 10.1]}]\n", "")
        self.assertNotIn("probes", s_alone)
        open_band = ("frequency={start: 1 GHz, stop: 1.6 GHz, points: 25, sweep: {fast: true, tolerance: 1e-6}}",)
        for what, text, changes, counts in (("a guide", GUIDE, band, (2, 4)), ("S of a guide", s_alone, band, (1, 3)), ("a dipole", DIPOLE, open_band, (2,)),
                                            ("layers", LAYERS, ("frequency={start: 5 GHz, stop: 7 GHz, points: 25}",), (2,))):
            wanted, _ = self.solve(text, *changes)
            for ranks in counts:  # rows have other numbers there, and estimates other sketches
                found, solution = self.solve(text, *changes, "solver.ranks=system", ranks=ranks)
                self.assertLess(solution["sweep/solved"].sum(), 20)
                self.agree(f"fast sweep of {what}, {ranks} ranks", found, wanted, 1e-5)

    def test_curved_elements_and_near_fields_on_ranks_are_those_of_one(self):
        spheres.write_spheres(self.folder / "ball.h5", [0.12, 0.24, 0.36], {3: "S"}, core=1, by_volume=False)
        second_order.curve(self.folder / "ball.h5", second_order.on_spheres)
        write_cube(self.folder)
        near = "outputs.near_field=[{name: n, points: [[0.15, 0.02, 0.01], [0.02, 0.01, 0], [0.5, 0.1, -0.2], [-0.3, 0.4, 0.1]], frequencies: [400 MHz]}]"
        ball = SCATTERER.replace("file: cube.h5", "file: ball.h5, order: 2").replace("block: block", "core: block").replace("BASIS", "mixed-1")
        for what, text, changes in (("a cube", SCATTERER.replace("BASIS", "mixed-1"), (near,)), ("a curved ball", ball, (near,))):
            wanted, _ = self.solve(text, *changes)
            self.assertTrue(any("near_field" in path for path in wanted))
            for ranks in (2, 4):
                found, _ = self.solve(text, *changes, "solver.ranks=system", ranks=ranks)
                self.agree(f"{what} with near fields, {ranks} ranks", found, wanted, DIRECT)

    def test_a_check_predicts_what_a_rank_needs(self):
        for changes in ((), ("solver.preconditioner=jacobi",)):
            done = self.launch(DIPOLE, "solver.ranks=system", *changes, ranks=2, verb="check", options=("--json",))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn('"memory_bytes_per_rank"', done.stdout)

    def test_what_does_not_go_with_it_is_refused(self):
        wrong = {
            ("solver.method=gmres",): "solver.method: 'gmres' is for systems divided among ranks: mode frequency-domain with solver.ranks: system",
            ("solver.preconditioner=oras",):
                "solver.preconditioner: 'oras' is for arrays (array), and for systems divided among ranks: mode frequency-domain with solver.ranks: system",
            ("solver.exchange=gather",): "solver.exchange: 'gather' is for systems divided among ranks: mode frequency-domain with solver.ranks: system",
            ("run.transport=ipc",): "run.transport: 'ipc' is for systems divided among ranks: mode frequency-domain with solver.ranks: system",
            ("solver.ranks=system", "solver.preconditioner=p-multigrid"):
                "solver.preconditioner: 'p-multigrid' needs the whole system on each rank; with solver.ranks: system use 'oras', or solver.method: direct",
            ("solver.ranks=system", "solver.preconditioner=oras", "solver.diagonal_scaling=true"):
                "solver.diagonal_scaling: 'oras' does not scale the matrix; omit the key",
        }
        for changes, message in wrong.items():
            done = self.launch(DIPOLE, *changes)
            self.assertEqual(done.returncode, 78, changes)
            self.assertIn("error: " + message + "\n", done.stderr, changes)
        done = self.launch(DIPOLE, "solver.ranks=system", "run.transport=ipc", options=("--backend", "cpu"))
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertIn("run.transport: ipc: nothing travels that way", done.stderr)


if __name__ == "__main__":
    unittest.main()
