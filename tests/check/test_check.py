"""`tetrawave check`: the memory it predicts against what a run takes, its figures and its warnings."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py

PROGRAM = os.environ.get("TETRAWAVE_PROGRAM", "tetrawave")
MPIEXEC = os.environ.get("TETRAWAVE_MPIEXEC", "mpiexec")
BOX = """\
units: mm
mesh: {box: {size: [30, 20, 40], cells: [6, 4, 8], jitter: 0.1}}
materials: {air: {}, filling: {eps_r: 4}}
regions: {box: filling}
boundaries: {default: pec}
waveforms:
  pulse: {type: modulated-gaussian, frequency: 1 GHz, bandwidth: 2 GHz}
initial_fields: {E: ["0", "sin(pi*x/0.03)", "0"]}
time: {steps: 4}
"""


TERMS = ("materials.filling={eps_r: 2, electric_dispersion: [{model: lorentz, delta: 1.5, frequency: 5 GHz, damping: 1e9}], "
         "magnetic_dispersion: [{model: debye, mu_static: 1.4, tau: 2 ps}]}")  # fmt: skip


class CheckTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="tetrawave-check-test-"))
        (cls.folder / "box.yaml").write_text(BOX, encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    def program(self, command, *options, ranks=1):
        launch = [MPIEXEC, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
        words = [PROGRAM, command, "box.yaml", *options]
        ended = subprocess.run(
            (launch if ranks > 1 else []) + words, cwd=self.folder, capture_output=True, text=True, check=False
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def check(self, *settings, ranks=1):
        options = [word for setting in settings for word in ("--set", setting)]
        return json.loads(self.program("check", "--backend", "cpu", "--json", *options, ranks=ranks))

    def performance(self, *settings, ranks=1):
        """Attributes of /performance after a run."""
        options = [word for setting in settings for word in ("--set", setting)]
        self.program("run", "--backend", "cpu", "--overwrite", "--quiet", *options, ranks=ranks)
        with h5py.File(self.folder / "box.out" / "results.h5") as file:
            return dict(file["/performance"].attrs)

    def test_predicted_memory_is_within_five_percent_of_what_a_run_takes(self):
        large = "mesh.box.cells=[37, 37, 37]"  # 303,918 elements
        cases = [
            ((large, "method.basis=mixed-1", "run.ordering=parts"), 1),
            ((large, "method.basis=full-1", "method.precision=single"), 2),
            (("mesh.box.cells=[24, 24, 24]", "method.basis=mixed-1", "method.layout=stored"), 1),
            (("mesh.box.cells=[24, 24, 24]", "method.basis=mixed-2", "boundaries.default=absorbing",
              "outputs.energy.every=2"), 1),
            (("mesh.box.cells=[24, 24, 24]", TERMS), 1),
            (("mesh.box.cells=[24, 24, 24]", "method.scheme=dfdd-eld", TERMS), 1),
        ]  # fmt: skip
        for settings, ranks in cases:
            with self.subTest(settings=settings, ranks=ranks):
                memory = self.check(*settings, ranks=ranks)["memory_per_rank"]
                self.assertEqual([entry["rank"] for entry in memory], list(range(ranks)))
                used = self.performance(*settings, ranks=ranks)
                host = max(max(entry["host_setup_bytes"], entry["host_march_bytes"]) for entry in memory)
                device = max(entry["device_bytes"] for entry in memory)
                self.assertAlmostEqual(host / used["host_memory_bytes"], 1, delta=0.05)
                self.assertAlmostEqual(device / used["device_memory_bytes"], 1, delta=0.001)

    def test_the_layout_of_the_case_is_the_one_that_marches(self):
        factored, stored = (self.check(f"method.layout={layout}") for layout in ("factored", "stored"))
        self.assertEqual(factored["stable_step_s"], stored["stable_step_s"])
        least = factored["mesh"]["elements"] * 2 * (2 * 12 + 4 * 6) * 12 * 8  # two matrices an element
        more = stored["memory_per_rank"][0]["device_bytes"] - factored["memory_per_rank"][0]["device_bytes"]
        self.assertGreaterEqual(more, least)
        self.assertLess(more, 1.2 * least)
        used = [self.performance(f"method.layout={layout}")["device_memory_bytes"] for layout in ("factored", "stored")]
        self.assertGreaterEqual(used[1] - used[0], least)

    def test_sizes_are_given_in_units_and_wavelengths(self):
        found = self.check()
        self.assertEqual(found["mesh"]["elements"], 1152)
        self.assertEqual(found["highest_frequency_hz"], 2e9)
        self.assertEqual(found["highest_frequency_from"], "waveform 'pulse'")
        for size, expected in zip(found["mesh"]["size_in_wavelengths"], (30, 20, 40)):
            self.assertAlmostEqual(size, expected * 1e-3 * 2e9 / 299792458, places=12)
        region = found["mesh"]["regions"]["box"]
        self.assertEqual(region["material"], "filling")
        self.assertAlmostEqual(region["wavelength_m"], 299792458 / 2e9 / 2, places=12)
        self.assertAlmostEqual(region["volume_m3"], 24e-6, places=15)
        longest = region["longest_edge_m"]
        self.assertTrue(longest["min"] <= longest["median"] <= longest["max"])
        self.assertAlmostEqual(
            region["elements_per_wavelength"]["min"], region["wavelength_m"] / longest["max"], places=9
        )
        self.assertEqual(sum(found["local_steps"]["elements_at_1_3_9_27"]), 1152)
        self.assertEqual(found["warnings"], [])
        text = self.program("check", "--backend", "cpu")
        self.assertIn("mesh: 1,152 elements, 27,648 unknowns", text)
        self.assertIn("30 x 20 x 40 mm", text)
        self.assertIn("0.2 x 0.133 x 0.267 wavelengths at 2 GHz (waveform 'pulse')", text)
        self.assertNotIn("warning", text)

    def test_what_is_probably_wrong_is_warned_of(self):
        cases = [
            (["units=m", "waveforms.pulse.frequency=20 GHz"], "check 'units' and the frequencies"),
            (["units=nm"], "check 'units' and the frequencies"),
            (["waveforms.pulse.frequency=12 GHz"], "elements per wavelength at 1.3e+10 Hz, this space needs about 4"),
            (["materials.filling.sigma=1000 S/m"], "waves decay by 1/e within"),
            (["method.time_step=60 ps", "method.allow_unstable=true"], "steps only: lower method.cfl"),
        ]  # fmt: skip
        for settings, expected in cases:
            with self.subTest(settings=settings):
                warnings = self.check(*settings)["warnings"]
                self.assertTrue(any(expected in warning for warning in warnings), warnings)

    def test_a_lumped_port_that_touches_metal_at_one_end_is_warned_of(self):
        port = "ports=[{name: p, boundary: z0, type: lumped, resistance: 50, direction: [0, 1, 0], excite: {waveform: pulse}}]"
        for metal, end in (("y0", "positive"), ("y1", "negative"), ("y0, y1", None)):
            with self.subTest(metal=metal):
                expected = "the patch of the lumped port 'p' touches no metal at its {} end: list the conductor in boundaries.pec"
                warnings = self.check(f"boundaries={{pec: [{metal}], default: pmc}}", port)["warnings"]
                self.assertEqual([warning for warning in warnings if "patch" in warning], [expected.format(end)] if end else [])

    def test_the_order_of_the_elements_changes_its_shares_and_no_result(self):
        shares, probes = {}, set()
        probe = "outputs.probes=[{name: p, point: [15, 10, 20]}]"
        for ordering in ("none", "curve", "parts", "blocks"):
            settings = (f"run.ordering={ordering}", "mesh.box.cells=[15, 15, 15]", probe, "time.steps=20")
            found = self.check(*settings)["mesh"]["order"]
            self.assertEqual(found["ordering"], ordering)
            shares[ordering] = found["faces_in_block"]
            performance = self.performance(*settings)
            self.assertEqual(performance["ordering"], ordering)
            self.assertEqual(performance["faces_in_block"], found["faces_in_block"])
            with h5py.File(self.folder / "box.out" / "results.h5") as file:
                probes.add(file["/probes/p/E"][()].tobytes())
        self.assertGreater(shares["blocks"], shares["curve"])
        self.assertEqual(len(probes), 1)

    def test_the_set_up_is_timed_by_phase(self):
        found = self.performance()
        phases = {name: value for name, value in found.items() if name.startswith("seconds_setup_")}
        for phase in ("read", "corners", "match", "check", "partition", "redistribute", "order", "quality", "ports",
                      "layout", "step"):
            self.assertGreater(phases[f"seconds_setup_{phase}"], 0, phase)
        self.assertLess(sum(phases.values()), found["setup_seconds"])

    def test_the_step_is_listed_in_its_order(self):
        step = json.loads(self.program("check", "--backend", "cpu", "--step", "--json"))
        names = [(entry["action"], entry.get("field"), entry.get("elements")) for entry in step]
        half = [("volume and surface", "border"), ("walls and incident waves", "border"),
                ("volume and surface", "inner"), ("walls and incident waves", "inner")]  # fmt: skip
        expected = [(name, "H", of) for name, of in half] + [("record the row", None, None)]
        expected += [(name, "E", of) for name, of in half] + [("count the step", "-", "all")]
        self.assertEqual(names, expected)
        text = self.program("check", "--backend", "cpu", "--step", "--set", "method.scheme=dgtd-upwind")
        self.assertIn("17 actions, and the row that is recorded:", text)
        self.assertEqual(text.count("volume and surface             E, H  "), 10)
        ranks = self.program("check", "--backend", "cpu", "--step", ranks=2)
        for name in ("send traces", "carry messages", "receive ghosts"):
            self.assertEqual(ranks.count(name), 2, name)

    def test_the_parts_of_an_update_are_timed_for_every_scheme(self):
        source = ("sources=[{type: dipole, position: [15, 10, 20], direction: [0, 0, 1], "
                  "waveform: pulse}]")  # fmt: skip
        kerr = "materials.filling={eps_r: 4, kerr: {chi3: 1e-18 m^2/V^2}}"
        cells = "mesh.box.cells=[15, 10, 20]"
        for scheme, material, timed in (("dgtd-central", TERMS, "dispersion"), ("dgtd-upwind", TERMS, "dispersion"),
                                        ("dfdd-eld", None, "volume_surface"), ("dgtd-central", kerr, "nonlinear")):
            with self.subTest(scheme=scheme, timed=timed):
                no_current = material == kerr  # which a Kerr medium does not take
                found = self.performance(cells, f"method.scheme={scheme}", "time.steps=40",
                                         *([] if no_current else [source]), *([material] if material else []))  # fmt: skip
                parts = {name: found[f"seconds_{name}"] for name in
                         ("volume_surface", "dispersion", "nonlinear", "layers", "walls", "ports", "sources")}  # fmt: skip
                self.assertGreater(parts["volume_surface"], 0)
                self.assertEqual(parts["sources"] > 0, not no_current)
                self.assertGreater(parts[timed], 0)
                for name in ("dispersion", "nonlinear", "layers", "ports"):
                    self.assertEqual(parts[name] > 0, name == timed, name)
                spread = [found[f"seconds_volume_surface_{of}"] for of in ("min", "mean", "max")]
                self.assertEqual(spread, [parts["volume_surface"]] * 3)

    def test_steps_with_output_are_timed(self):
        for every in (1, 16):
            found = self.performance("time.steps=40", f"outputs.energy={{every: {every}}}")
            self.assertGreater(found["seconds_volume_surface"], 0, every)

    def test_the_balance_of_two_ranks_is_reported(self):
        first, second = self.check(ranks=2)["ranks"]
        self.assertEqual(first["shared_faces"], second["shared_faces"])
        self.assertEqual(first["peers"], 1)
        self.assertGreater(first["border_elements"], 0)
        self.assertLess(abs(first["elements"] - second["elements"]), 0.1 * first["elements"])


if __name__ == "__main__":
    unittest.main()
