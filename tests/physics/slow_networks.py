"""The networks of the dissertation's chapter 4 on medium meshes: three schemes, two spaces, the frequency domain beside the time domain."""

import sys
import unittest

import numpy as np
import test_networks

PROGRAM = test_networks.PROGRAM
SCHEMES = ("dgtd-central", "dfdd-eld", "dgtd-upwind")
MEDIUM = {
    "parallel_plate_line": "mesh.parameters={size: 1.2, feed_size: 0.7}",
    "pcb_vias": "mesh.parameters={size: 1.4, via_size: 0.7}",
    "branch_line_coupler": "mesh.parameters={edge_size: 0.8, far_size: 5}",
    "patch_array": "mesh.parameters={feed_size: 0.8, edge_size: 5, far_size: 22}",
    "fermi_antenna": "mesh.parameters={feed_size: 0.6, edge_size: 2.2, far_size: 9, slots: 0}",
}


@unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
class NetworksOnMediumMeshes(unittest.TestCase):
    run_case, judge, march, setUp = (getattr(test_networks.Networks, name) for name in ("run_case", "judge", "march", "setUp"))
    run_seconds = 3600

    def compare(self, case, basis, other_basis, between, *settings):
        """Three schemes in one space, DGTD-Central in another, then mode frequency-domain; each beside the first."""
        mesh, classes = MEDIUM[case], "local_time_stepping: {max_classes: 3}"
        runs = [*((scheme, scheme, basis) for scheme in SCHEMES), (other_basis, "dgtd-central", other_basis)]
        outs = [self.march(case, name, f"method={{scheme: {scheme}, basis: {space}, {classes}}}", *settings, mesh=mesh) for name, scheme, space in runs]
        outs.append(self.march(case, "frequency", file="frequency.yaml", mesh=mesh))
        self.judge(case, *outs, options=("--between", *map(str, between)))

    def test_three_schemes_and_the_frequency_domain_agree_on_the_parallel_plate_line(self):
        self.compare("parallel_plate_line", "full-1", "mixed-2", (0.02, 0.02, 0.03, 0.03))

    def test_three_schemes_and_the_frequency_domain_agree_on_the_vias(self):
        self.compare("pcb_vias", "mixed-2", "full-1", (0.02, 0.02, 0.03, 0.03), "time.end=1.5 ns", "outputs.s_parameters.drive=together",
                     "ports.1={name: bottom, boundary: port2_face, type: coaxial, reference_plane: 3}")

    def test_three_schemes_and_the_frequency_domain_agree_on_the_coupler(self):
        self.compare("branch_line_coupler", "full-1", "mixed-2", (0.02, 0.02, 0.03, 0.04))

    def test_the_patch_array_is_resonant_where_its_cavity_with_the_magnetic_medium_is(self):
        self.judge("patch_array", self.march("patch_array", "time", "method.basis=full-1", mesh=MEDIUM["patch_array"]))

    def test_the_magnetic_medium_lifts_the_resonance_of_the_patches_as_in_the_cavity_model(self):
        sys.path.insert(0, str(test_networks.CASES / "patch_array"))
        import reference  # noqa: E402
        found = []
        for name, settings in (("magnetic", ()), ("plain", ("materials.ferrite={eps_r: 2.67}",))):
            run = reference.network.Run(self.march("patch_array", name, *settings, file="frequency.yaml"))
            found.append(run.hertz[np.argmin(np.abs(run.s[:, 0, 0]))])
        self.assertAlmostEqual(found[0] / found[1], reference.cavity_hz() / reference.cavity_hz(magnetic=False), delta=0.01)

    def test_the_fermi_antenna_radiates_what_it_accepts_along_its_axis(self):
        self.judge("fermi_antenna", self.march("fermi_antenna", "time", "outputs.far_field.frequencies=[5 GHz]", "time.end=2 ns",
                                                "outputs.s_parameters.points=121", mesh=MEDIUM["fermi_antenna"]), options=("--balance", "0.15"))


if __name__ == "__main__":
    unittest.main()
