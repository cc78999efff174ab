"""`tetrawave report` and `inspect`: pages of runs and cases, through the program."""

import os
import re
import unittest

from programs import BOX, ProgramTest

TUBE = """\
mesh: {box: {size: [0.02, 0.01, 0.03], cells: [4, 2, 6]}}
materials: {air: {}}
regions: {box: air}
boundaries: {pec: [x0, x1, y0, y1]}
ports:
  - {name: p1, boundary: z0, type: rectangular-waveguide, mode: TE10, excite: {waveform: pulse}}
  - {name: p2, boundary: z1, type: rectangular-waveguide, mode: TE10}
waveforms: {pulse: {type: modulated-gaussian, frequency: 11 GHz, bandwidth: 6 GHz}}
time: {end: 1.5 ns}
outputs: {s_parameters: {start: 10 GHz, stop: 12 GHz, points: 21}, energy: {every: 20}}
"""


class Pages(ProgramTest):
    def page(self, *words, code=0):
        found, out, error = self.call(*words)
        self.assertEqual(code, found, error)
        return out, error

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def test_report_of_a_run_shows_forecast_mesh_and_s_and_goes_with_the_run(self):
        self.write("tube.yaml", TUBE)
        self.assertEqual(0, self.call("run", "tube.yaml", "--quiet")[0])
        out, _ = self.page("report", "tube.out")
        self.assertIn("tube.out/report.html: ", out)
        content = self.read("tube.out/report.html")
        for section in ("warnings", "s", "geometry", "ports", "energy", "balance", "timing", "case", "origin"):
            self.assertIn(f'<section id="{section}">', content)
        self.assertIn('data-view="smith"', content)
        self.assertRegex(content, r"run time</td><td class=\"n\">[^–]+</td><td class=\"n\">[^–]+</td>")  # predicted and used
        self.assertIn('download="tube.out.sparameters.ts"', content)
        self.assertEqual(0, self.call("run", "tube.yaml", "--quiet", "--overwrite")[0])
        self.assertFalse((self.folder / "tube.out/report.html").exists())

    def test_inspect_shows_groups_and_the_least_quality_before_the_run(self):
        self.write("tube.yaml", TUBE)
        self.page("inspect", "tube.yaml", "--set", "mesh.box.cells=[2, 1, 3]")
        content = self.read("tube.inspect.html")
        self.assertIn("36 tetrahedra of order 1", content)
        self.assertIn("<td>z0</td><td>port p1</td><td>outside</td>", content)
        self.assertEqual(["tube.inspect.html", "tube.yaml"], sorted(path.name for path in self.folder.iterdir()))

    def test_inspect_of_a_case_with_a_wrong_group_draws_the_mesh_and_says_what_check_says(self):
        self.write("tube.yaml", TUBE.replace("boundary: z1", "boundary: z2"))
        _, error = self.page("inspect", "tube.yaml", code=78)
        self.assertRegex(error, r"tube\.yaml:\d+:\d+: error: .*z2")
        content = self.read("tube.inspect.html")
        self.assertIn("Errors and warnings", content)
        self.assertIn('<div class="viewer"', content)

    def test_a_page_writer_that_does_not_start_is_named_with_the_remedy(self):
        writer = self.folder / "writer"
        writer.write_text("#!/usr/bin/env python-that-is-not-here\n", encoding="utf-8")
        writer.chmod(0o755)
        code, _, error = self.call("report", "x.out", env={**os.environ, "TETRAWAVE_REPORT": str(writer)})
        self.assertEqual(69, code)
        self.assertTrue(re.search(r"writer did not start \(.*\): it needs Python 3; on Debian and Ubuntu: apt-get install python3-h5py", error), error)

    def test_report_of_a_run_without_ports_or_energy_still_is_a_page(self):
        self.write("box.yaml", BOX)
        self.assertEqual(0, self.call("run", "box.yaml", "--quiet")[0])
        self.page("report", "box.out", "-o", "box.html", "--no-forecast")
        self.assertIn("144 tetrahedra of order 1", self.read("box.html"))


if __name__ == "__main__":
    unittest.main()
