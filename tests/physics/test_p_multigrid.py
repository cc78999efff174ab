"""The preconditioner p-multigrid: iterations that do not grow with the mesh, a fraction of the direct solver's memory,
and the direct solver's answers."""

import re
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_frequency_domain_runs import CASE, Runs  # noqa: E402

CASES = Path(__file__).resolve().parents[2] / "cases"
MULTIGRID = ("solver.method=bicgstab", "solver.preconditioner=p-multigrid")

IRIS = f"""\
mode: frequency-domain
units: mm
mesh: {{file: {CASES}/wr90/iris.geo}}
materials: {{air: {{}}}}
regions: {{guide: air}}
boundaries: {{pec: [walls, iris], pmc: [middle]}}
ports:
  - {{name: p1, boundary: end1, type: rectangular-waveguide, symmetry: [pmc], excite: {{}}}}
  - {{name: p2, boundary: end2, type: rectangular-waveguide, symmetry: [pmc]}}
method: {{basis: full-2}}
frequency: {{values: [10 GHz]}}
outputs: {{s_parameters: {{}}}}
run: {{threads: 1}}
"""
PATCH = f"""\
mode: frequency-domain
units: mm
mesh: {{file: {CASES}/patch/patch.geo}}
materials: {{air: {{}}, laminate: {{eps_r: 2.2}}}}
regions: {{air: air, substrate: laminate, line: air}}
boundaries: {{pec: [patch, probe], pmc: [middle], absorbing: [outside], default: pec}}
ports: [{{name: p1, boundary: port_face, type: tem, signal: probe, symmetry: [pmc], excite: {{}}}}]
method: {{basis: full-2}}
frequency: {{values: [2.5 GHz]}}
outputs: {{s_parameters: {{}}}}
run: {{threads: 1}}
"""
SPHERE = f"""\
mode: frequency-domain
units: mm
mesh: {{file: {CASES}/sphere_rcs/sphere.geo}}
materials: {{air: {{}}}}
regions: {{total: air, scattered: air}}
boundaries: {{pec: [sphere, x0], pmc: [y0], absorbing: [wall]}}
plane_waves: [{{theta: 180, phi: 0, polarization: theta}}]
method: {{basis: full-2}}
frequency: {{values: [2 GHz]}}
outputs: {{probes: [{{name: p, point: [60, 20, 30]}}]}}
run: {{threads: 1}}
"""
ROD_MESH = """\
SetFactory("OpenCASCADE");
DefineConstant[ near = {0.5}, far = {4} ];
Box(1) = {-10, -10, 0, 20, 20, 15};
Cylinder(2) = {0, 0, 1, 0, 0, 6, 0.5};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
plane() = Surface In BoundingBox{-11, -11, -0.1, 11, 11, 0.1};
rod() = Surface In BoundingBox{-1, -1, 0.9, 1, 1, 7.1};
all() = Boundary{ Volume{3}; };
all() -= plane();
all() -= rod();
Physical Volume("air") = {3};
Physical Surface("plane") = {plane()};
Physical Surface("rod") = {rod()};
Physical Surface("outside") = {all()};
Field[1] = Distance;
Field[1].SurfacesList = {rod()};
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = near;
Field[2].SizeMax = far;
Field[2].DistMin = 0.5;
Field[2].DistMax = 8;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
"""
# Elements down to 1/3000 of a wavelength.
ROD = """\
mode: frequency-domain
units: mm
mesh: {file: rod.geo}
materials: {air: {}}
regions: {air: air}
boundaries: {pec: [rod, plane], absorbing: [outside]}
sources: [{type: dipole, position: [0.1, 0.1, 0.6], direction: [0, 0, 1]}]
method: {basis: mixed-1}
frequency: {values: [300 MHz]}
outputs: {probes: [{name: p, point: [3, 2, 1]}]}
run: {threads: 1}
"""


class Iterations(Runs):
    def figures(self, path):
        with h5py.File(path) as file:
            group = file["frequency_domain"]
            return int(group["iterations"][()].max()), int(group.attrs["unknowns"]), int(group.attrs["solver_bytes"])

    def check(self, text, meshes, answer, most=60, memory=0.25, growth=1.25):
        """On meshes from coarse to fine: iterations within bounds, which do not grow but by `growth`, and memory on the last."""
        counts = []
        for parameters in meshes:
            sizes = [f"mesh.parameters.{name}={value}" for name, value in parameters.items()]
            path = self.solve(text, *MULTIGRID, *sizes, name="iterated")
            iterations, unknowns, memory_taken = self.figures(path)
            counts.append((unknowns, iterations))
            self.assertLessEqual(iterations, most, parameters)
            with h5py.File(path) as file:
                self.assertLessEqual(file["frequency_domain/residual"][()].max(), 1e-6)
                found = file[answer][()]
        self.assertGreater(counts[-1][0], 2 * counts[0][0])
        self.assertLessEqual(counts[-1][1], growth * counts[0][1] + 2)
        direct = self.solve(text, "solver.method=direct", *sizes, name="direct")
        with h5py.File(direct) as file:
            self.assertLess(np.nanmax(np.abs(found - file[answer][()])) / np.nanmax(np.abs(found)), 2e-4)
        share = memory_taken / self.figures(direct)[2]
        print(f"unknowns, iterations: {counts}; memory {share:.3f} of the direct solver's")
        self.assertLess(share, memory)

    def test_a_guide_with_an_iris_takes_as_many_on_three_meshes(self):
        self.check(IRIS, [{"size": 4, "edge_size": 1, "layers": 3}, {"size": 2.7, "edge_size": 0.7, "layers": 4},
                          {"size": 2.4, "edge_size": 0.6, "layers": 5}], "s_parameters/S")

    def test_a_patch_antenna_takes_as_many_on_three_meshes(self):
        self.check(PATCH, [{"near_size": s, "edge_size": s, "far_size": 8 * s} for s in (3, 2.3, 1.8)], "s_parameters/S")

    def test_a_sphere_takes_as_many_on_three_meshes(self):
        # On coarser meshes Gmsh leaves an element of no height, which costs ten times the iterations.
        sizes = [(30, 12, 9), (24, 12, 9), (20, 10, 8)]
        meshes = [dict(zip(("size", "size_border", "size_sphere"), each)) for each in sizes]
        self.check(SPHERE, meshes, "probes/p/E")

    def test_gradients_alone_in_the_lowest_space(self):
        """In mixed-1 curls have no coarse space: iterations grow as edges get shorter, slower than their number."""
        (self.folder / "rod.geo").write_text(ROD_MESH, encoding="utf-8")
        self.check(ROD, [{"near": near, "far": far} for near, far in ((0.5, 4), (0.35, 2.8), (0.25, 2))], "probes/p/E", growth=1.8)

    def test_every_space_converges_on_small_elements(self):
        (self.folder / "rod.geo").write_text(ROD_MESH, encoding="utf-8")
        counts = {}
        for basis in ("mixed-1", "full-1", "mixed-2", "full-2", "mixed-3", "full-3"):
            counts[basis] = self.figures(self.solve(ROD, *MULTIGRID, f"method.basis={basis}"))[:2]
        print(f"rod over a plane: iterations, unknowns: {counts}")
        self.assertLess(max(iterations for iterations, _ in counts.values()), 40)

    def test_a_rod_over_a_plane_converges_where_other_preconditioners_stall(self):
        (self.folder / "rod.geo").write_text(ROD_MESH, encoding="utf-8")
        left = {}
        for preconditioner in ("jacobi", "ssor", "ssor-ai", "ilu"):
            done = self.launch(ROD, f"solver.preconditioner={preconditioner}", "solver.max_iterations=1000", name=preconditioner)
            self.assertEqual(done.returncode, 76, done.stderr)
            left[preconditioner] = float(re.search(r"relative residual ([0-9.e-]+),", done.stderr).group(1))
        self.assertGreater(min(left.values()), 1e-3)
        with h5py.File(self.solve(ROD, "solver.method=direct", name="direct")) as file:
            expected = file["probes/p/E"][()]
        with h5py.File(self.solve(ROD, *MULTIGRID, "solver.tolerance=1e-10")) as file:
            self.assertLess(np.abs(file["probes/p/E"][()] - expected).max() / np.abs(expected).max(), 1e-9)
            iterations = int(file["frequency_domain/iterations"][()].max())
        print(f"rod over a plane: residuals left {left}; p-multigrid: 1e-10 in {iterations} iterations")
        self.assertLess(iterations, 100)


class Answers(Runs):
    def test_they_are_those_of_the_direct_solver_in_every_space(self):
        worst = 0.0
        for basis in ("mixed-1", "full-1", "mixed-2", "full-2", "mixed-3", "full-3"):
            direct = self.answers(CASE, f"method.basis={basis}")
            found = self.answers(CASE, f"method.basis={basis}", *MULTIGRID, "solver.tolerance=1e-13")
            worst = max(worst, max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(found, direct)))
        print(f"p-multigrid against the direct solver, two ports, three frequencies: {worst:.1e}")
        self.assertLess(worst, 1e-9)

    def test_ranks_share_out_the_frequencies(self):
        alone = self.answers(CASE, *MULTIGRID, "solver.tolerance=1e-11")
        for ranks in (2, 4):
            shared = self.answers(CASE, *MULTIGRID, "solver.tolerance=1e-11", ranks=ranks)
            self.assertLess(max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(shared, alone)), 1e-8)

    def test_formats_threads_and_relaxations_change_nothing_but_the_iterations(self):
        alone = self.answers(CASE, *MULTIGRID, "solver.tolerance=1e-11")
        for changes in (("run.threads=2",), ("solver.matrix_format=jad",), ("solver.relaxation=0.8",)):
            found = self.answers(CASE, *MULTIGRID, "solver.tolerance=1e-11", *changes)
            self.assertLess(max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(found, alone)), 1e-8, changes)


class Sweeps(Runs):
    def test_a_preconditioner_serves_near_frequencies(self):
        text = CASE.replace("[10 GHz, 13 GHz, 16 GHz]", "[10 GHz, 10.1 GHz, 10.2 GHz, 10.3 GHz]")
        with h5py.File(self.solve(text, *MULTIGRID)) as file:
            made, iterations = file["frequency_domain/preconditioner_made"][()], file["frequency_domain/iterations"][()]
            np.testing.assert_array_equal(made, [1, 0, 0, 0])
            self.assertLess(iterations.max(), 1.2 * iterations[0].max() + 1)
        with h5py.File(self.solve(text, "solver.method=bicgstab", "solver.preconditioner=ilu")) as file:
            np.testing.assert_array_equal(file["frequency_domain/preconditioner_made"][()], 1)

    def test_a_preconditioner_is_made_anew_where_it_serves_no_more(self):
        text = IRIS.replace("[10 GHz]", "[1 GHz, 1.1 GHz, 14 GHz, 14.1 GHz, 14.2 GHz]").replace("full-2", "mixed-2")
        sizes = ("mesh.parameters.size=4", "mesh.parameters.edge_size=1.5", "mesh.parameters.layers=2")
        with h5py.File(self.solve(text, *MULTIGRID, *sizes)) as file:
            made = file["frequency_domain/preconditioner_made"][()]
            self.assertLessEqual(file["frequency_domain/residual"][()].max(), 1e-6)
            print(f"made at 1, 1.1, 14, 14.1, 14.2 GHz: {made}, iterations {file['frequency_domain/iterations'][()].ravel()}")
        np.testing.assert_array_equal(made[:2], [1, 0])
        self.assertEqual(made[2:].sum(), 1)

    def test_a_fast_sweep_starts_from_its_model(self):
        text = CASE.replace("frequency: {values: [10 GHz, 13 GHz, 16 GHz]}",
                            "frequency: {start: 10 GHz, stop: 16 GHz, points: 61, sweep: {fast: true, tolerance: 1e-5}}")
        with h5py.File(self.solve(text, *MULTIGRID, "solver.tolerance=1e-9")) as file:
            group = file["frequency_domain"]
            at = {hz: f for f, hz in enumerate(group["frequency"][()])}
            order = [at[hz] for hz in group["sweep/order"][()]]
            start = group["residual_history"][()][order, :, 0].max(axis=1)
            iterations = group["iterations"][()][order].max(axis=1)
        print(f"in the order of solution: residuals of the starts {np.array2string(start, precision=1)}, iterations {iterations}")
        self.assertAlmostEqual(start[0], 1, 9)
        self.assertLess(start[-1], 1e-3)
        self.assertLess(iterations[-1], 0.7 * iterations[0])


class Histories(Runs):
    def test_residual_histories_go_from_the_start_to_the_residual(self):
        for changes in (MULTIGRID, ("solver.method=bicgstab", "solver.preconditioner=ssor")):
            with h5py.File(self.solve(CASE, *changes)) as file:
                group = file["frequency_domain"]
                history, iterations = group["residual_history"][()], group["iterations"][()]
                self.assertEqual(group["residual_history"].attrs["units"], "1")
                self.assertEqual(history.shape, (3, 2, iterations.max() + 1))
                np.testing.assert_array_equal(group["residual_history_stride"][()], 1)
                for f in range(3):
                    for side in range(2):
                        row, count = history[f, side], iterations[f, side]
                        self.assertAlmostEqual(row[0], 1, 12)
                        np.testing.assert_allclose(row[count], group["residual"][f, side], rtol=1e-6)
                        self.assertTrue(np.isfinite(row[:count + 1]).all() and np.isnan(row[count + 1:]).all())
                        self.assertTrue((row[:count] > 1e-6).all())
        with h5py.File(self.solve(CASE)) as file:
            self.assertNotIn("residual_history", file["frequency_domain"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
