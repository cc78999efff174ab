"""Power of a lossless antenna: what its port accepts, what passes through a surface round it, and what its pattern has."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("TETRAWAVE_PROGRAM", ""))
BOUNDARIES = "{{pec: [rod], pmc: [middle_x, middle_y], {}, default: pec}}"
OPEN = BOUNDARIES.format("absorbing: [side_x, side_y, top]")
LAYER = BOUNDARIES.format("pml: {faces: [side_x, side_y, top], thickness: 15, cells: 4}")
MONOPOLE = f"""\
units: cm
mesh: {{file: {ROOT}/cases/monopole/monopole.geo, parameters: {{near_size: 0.6, far_size: 5, side: 20, top: 30}}}}
materials: {{air: {{}}}}
regions: {{air: air}}
boundaries: {OPEN}
ports: [{{name: p1, boundary: port_face, type: tem, signal: rod, symmetry: [pmc, pmc], excite: {{waveform: pulse}}}}]
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 0.9 GHz, bandwidth: 1.6 GHz}}}}
outputs:
  s_parameters: {{start: 500 MHz, stop: 700 MHz, points: 3}}
  far_field:
    {{frequencies: [0.6 GHz], theta: [45], phi: [0], ground: {{axis: z}}, symmetry: [{{axis: x, wall: pmc}}, {{axis: y, wall: pmc}}]}}
run: {{threads: 1}}
"""
HARMONIC = MONOPOLE + "mode: frequency-domain\nmethod: {basis: mixed-2}\n"
MARCHED = MONOPOLE.replace("symmetry: [pmc, pmc]", "symmetry: [pmc, pmc], other_modes: reflect").replace("[0.6 GHz]", "[1 GHz]") + """\
method: {basis: full-1, local_time_stepping: {max_classes: 3}}
time: {end: 20 ns}
"""


@unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
class PowerBalance(unittest.TestCase):
    def powers(self, text, *settings):
        """Of the accepted power: what passes through the surface, and what the pattern has; and what the run said."""
        with tempfile.TemporaryDirectory() as place:
            case = Path(place) / "case.yaml"
            case.write_text(text, encoding="utf-8")
            options = [word for setting in settings for word in ("--set", setting)]
            run = subprocess.run([PROGRAM, "run", case, "-o", Path(place) / "out", *options], capture_output=True, text=True,
                                 timeout=300, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            with h5py.File(Path(place) / "out/results.h5") as file:
                (found,) = (group.attrs for group in file["far_field"].values())
                accepted, surface, pattern = (found[f"{name}_power"] for name in ("accepted", "surface", "radiated"))
        print(f"{' '.join(settings)}: through the surface {surface / accepted:.4f}, in the pattern {pattern / accepted:.4f}")
        return surface / accepted, pattern / accepted, run.stdout + run.stderr

    def test_what_walls_send_back_is_in_the_efficiency_and_told(self):
        surface, pattern, said = self.powers(HARMONIC)
        self.assertLess(abs(surface - 1), 1e-4)
        self.assertGreater(pattern, 1.02)
        self.assertIn("likely cause: absorbing walls reflect (use boundaries.pml", said)

    def test_with_a_layer_in_place_of_the_walls_the_pattern_has_what_the_port_accepts(self):
        surface, pattern, said = self.powers(HARMONIC, f"boundaries={LAYER}")
        self.assertLess(abs(surface - 1), 1e-4)
        self.assertLess(abs(pattern - 1), 2e-3)
        self.assertNotIn("of the accepted power is radiated", said)

    def test_the_power_that_elements_exchange_is_the_one_that_the_port_of_one_mode_gives(self):
        surface, _, _ = self.powers(MARCHED)
        self.assertLess(abs(surface - 1), 5e-3)  # 0.021 by the product of fields of one side


if __name__ == "__main__":
    unittest.main()
