"""Results in the forms of other packages, and geometry from Gmsh's Python API (with environment.py)."""

import unittest

import gmsh
import numpy as np
from package import FolderTest, cavity, guide, tw


class PackagesTest(FolderTest):
    def test_s_is_a_network_of_scikit_rf_equal_to_the_touchstone_file(self):
        import skrf

        run = tw.run(guide(), "guide.out", progress=False)
        network, written = run.network(), skrf.Network("guide.out/sparameters.s2p")
        np.testing.assert_allclose(network.f, run.frequency)
        np.testing.assert_allclose(network.s, written.s, atol=1e-9)
        np.testing.assert_allclose(network.z0, written.z0)
        renormalised = tw.run(guide(), "renormalised.out", progress=False, set={"outputs.s_parameters.impedance": [50, 75]})
        np.testing.assert_allclose(renormalised.network().z0[0], [50, 75])
        case = guide()
        del case.ports[1]["excite"]
        with self.assertRaisesRegex(ValueError, "not every port was driven: far; excite all"):
            tw.run(case, "half.out", progress=False).network()

    def test_s_ports_probes_and_energy_are_data_sets_of_xarray_with_units(self):
        run = tw.run(guide(), "guide.out", progress=False)
        s = run.xarray()
        self.assertEqual((s.dims, s.frequency.units), (("frequency", "to", "from"), "Hz"))
        self.assertEqual(complex(s.sel(frequency=10e9).sel({"to": "far", "from": "near"})), run.s[1, 1, 0])
        march = tw.run(cavity(), "cavity.out", progress=False)
        probe = march.probes.mid.xarray()
        self.assertEqual((probe.E.dims, probe.E.units, probe.time.units), (("time", "component"), "V/m", "s"))
        np.testing.assert_array_equal(probe.E.sel(component="y"), march["probes/mid/E"][:, 1])
        np.testing.assert_array_equal(march.energy.xarray().total, march.energy.total)

    def test_ports_and_far_fields_are_data_sets_along_time_frequency_and_directions(self):
        port = tw.run(guide(), "guide.out", progress=False).ports.near.xarray()
        self.assertEqual((port.voltage.dims, port.voltage.units, port.frequency.units), (("frequency",), "V", "Hz"))
        case = tw.Case(mode="frequency-domain", mesh={"box": {"size": [0.3, 0.3, 0.3], "cells": [4, 4, 4]}}, materials={"air": {}},
                       regions={"box": "air"}, boundaries={"absorbing": ["x0", "x1", "y0", "y1", "z0", "z1"]},
                       sources=[{"type": "dipole", "position": [0.151, 0.152, 0.153], "direction": [0, 0, 1], "amplitude": 1}], frequency={"values": ["0.5 GHz"]})
        case.outputs.far_field = {"frequencies": ["0.5 GHz"], "theta": {"start": 0, "stop": 180, "points": 5}, "phi": [0, 90, 180]}
        run = tw.run(case, "dipole.out", progress=False)
        far = run.far_fields[0.5e9].xarray()
        self.assertEqual((far.directivity.dims, far.directivity.shape, far.phi.units), (("theta", "phi"), (5, 3), "degree"))
        self.assertEqual(float(far.directivity.sel(theta=90, phi=180)), run.far_fields[0.5e9].directivity[2, 2])
        self.assertEqual(far.attrs["frequency"], 0.5e9)

    def test_fields_are_a_grid_of_pyvista(self):
        case = cavity()
        case.outputs.fields = {"every": 100}
        run = tw.run(case, "fields.out", progress=False)
        grid = run.fields()
        self.assertEqual(grid.n_cells, run.attributes["elements"])
        self.assertIn("E", {*grid.point_data.keys(), *grid.cell_data.keys()})
        np.testing.assert_allclose(grid.bounds, (0, 0.03, 0, 0.02, 0, 0.04), atol=1e-9)

    def test_a_model_of_gmsh_is_run_without_a_file_of_the_users(self):
        gmsh.initialize()
        self.addCleanup(gmsh.finalize)
        gmsh.option.setNumber("General.Terminal", 0)
        box = gmsh.model.occ.addBox(0, 0, 0, 20, 10, 40)
        gmsh.model.occ.synchronize()
        case = guide()
        case.mesh = tw.geometry()
        with self.assertRaisesRegex(tw.CaseError, "no named physical volume"):
            tw.run(case, "gmsh.out", progress=False)
        gmsh.model.addPhysicalGroup(3, [box], name="guide")
        for name, z in (("z0", 0), ("z1", 40)):
            face = gmsh.model.getEntitiesInBoundingBox(-1, -1, z - 1, 21, 11, z + 1, 2)
            gmsh.model.addPhysicalGroup(2, [tag for _, tag in face], name=name)
        gmsh.option.setNumber("Mesh.MeshSizeMax", 4)
        case.regions = {"guide": "air"}
        run = tw.run(case, "gmsh.out", progress=False)
        beta = np.sqrt((2 * np.pi * run.frequency / 299792458.0) ** 2 - (np.pi / 0.02) ** 2)
        np.testing.assert_allclose(run.s[:, 1, 0], np.exp(-1j * beta * 0.04), atol=5e-3)
        self.assertTrue((run.directory / "input" / "geometry.msh").is_file())
        first = run.attributes["mesh_hash"]
        gmsh.model.mesh.clear()
        self.assertEqual(tw.run(case, "gmsh.out", progress=False, overwrite=True).attributes["mesh_hash"], first)


if __name__ == "__main__":
    unittest.main()
