"""Mode fe-iiee with compressed sums, by clusters of points, against sums over all pairs of points."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
from frequency_domain import Checks  # noqa: E402
from spheres import write_spheres  # noqa: E402
from test_fe_iiee import METAL_QUARTER, PROGRAM, RADIUS, WAVELENGTH, case  # noqa: E402

WAVES = "{theta: 0, phi: 0, polarization: theta}, {theta: 50, phi: 0, polarization: theta}, {theta: 120, phi: 0, polarization: theta}"
HALF = {"boundaries": "pec: [sphere], pmc: [y0]", "symmetry": "symmetry: [{axis: y, wall: pmc}]", "waves": WAVES}


def prepare(size, across, whole):
    """A shell of air a tenth of a wavelength wide about a sphere of metal of k a `size` at `size` GHz."""
    radii = [RADIUS * n / across for n in range(1, across + 1)] + [RADIUS + 0.1 / size * WAVELENGTH]
    surfaces = {across: "sphere", across + 1: "S"}
    return lambda folder: write_spheres(folder / "spheres.h5", radii, surfaces, core=across, hollow=True, whole=whole)


class CompressedSums(Checks):
    def run_sphere(self, size, sums, ranks=1, across=3, drive=None, tolerance=1e-6):
        text = case(**(drive or METAL_QUARTER), frequency=f"{size} GHz", tolerance=tolerance, images=sums)
        results = guide.run(self, text, ranks=ranks, prepare=prepare(size, across, "xz" if drive else "z"))
        return results, results[f"rcs/{size}000000000/sigma"]

    def test_far_fields_and_iterations_are_those_of_all_pairs(self):
        """With one wave and with three, on one rank and where ranks share the points of S."""
        for size, across, drive, ranks in ((1, 3, None, 1), (5, 5, None, 1), (5, 5, HALF, 2), (8, 6, None, 2)):
            plain, wanted = self.run_sphere(size, "sums: pairs", across=across, drive=drive)
            self.assertEqual(list(plain["iiee/compression/used"]), [0])
            for tolerance in (1e-3, 1e-6):
                found, sigma = self.run_sphere(size, f"sums: compressed, compression_tolerance: {tolerance}", ranks, across, drive)
                what = f"k a = {size}, {wanted.shape[1]} waves, {ranks} ranks, {tolerance}"
                self.assertEqual(list(found["iiee/compression/used"]), [1])
                self.assertLessEqual(found["iiee/compression/error"][0], tolerance)
                self.assertGreater(found["iiee/compression/error"][0], 0)
                self.assertGreater(found["iiee/compression/bytes"][0], 0)
                self.near("sigma, " + what, [(sigma / wanted.max(), wanted / wanted.max())], 5 * tolerance)
                if tolerance == 1e-6:
                    self.assertEqual(found["iiee/iterations"][0], plain["iiee/iterations"][0])
                    self.near("residuals, " + what, [(np.log10(found["iiee/error"]), np.log10(plain["iiee/error"]))], 0.05)

    def test_auto_sums_all_pairs_where_there_are_few(self):
        plain, wanted = self.run_sphere(1, "sums: pairs")
        found, sigma = self.run_sphere(1, "sums: auto")
        self.assertEqual(list(found["iiee/compression/used"]), [0])
        np.testing.assert_array_equal(sigma, wanted)
        np.testing.assert_array_equal(found["iiee/error"], plain["iiee/error"])

    def test_the_time_of_iterations_is_told_in_parts(self):
        found, _ = self.run_sphere(1, "sums: pairs")
        parts = {name: found[f"performance/iterations/seconds_{name}"] for name in ("solve", "sums", "transfer", "rest")}
        for name, values in parts.items():
            self.assertEqual(values.shape, (1, found["iiee/iterations"][0]), name)
            self.assertGreaterEqual(values.min(), 0, name)
        self.assertEqual(parts["transfer"].max(), 0)  # on CPUs
        self.assertEqual(parts["solve"][0, 0], 0)  # the first sum is of the solution that the frequency begins with
        self.near("sums", [(parts["sums"].sum() / found["iiee/seconds_sums"], 1)], 1e-6)

    def test_check_forecasts_compression(self):
        for size, across, sums, compresses in ((1, 3, "sums: auto", False), (1, 3, "sums: compressed", True), (20, 16, "sums: auto", True),
                                               (20, 16, "sums: pairs", False)):
            with tempfile.TemporaryDirectory() as place:
                folder = Path(place)
                prepare(size, across, "z")(folder)
                (folder / "case.yaml").write_text(case(**METAL_QUARTER, frequency=f"{size} GHz", images=sums), encoding="utf-8")
                done = subprocess.run([PROGRAM, "check", "case.yaml", "--json"], cwd=folder, capture_output=True, text=True, check=True)
            forecast = json.loads(done.stdout)["iiee"]
            self.assertEqual(forecast["compresses"], compresses, forecast)
            self.assertGreater(forecast["compression_bytes"], 0)
            self.assertGreater(forecast["pairs"], 0)


if __name__ == "__main__":
    unittest.main()
