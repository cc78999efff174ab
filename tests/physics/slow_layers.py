"""Long runs beside absorbing layers of flat elements: once a pulse is gone, what is left of its energy does not grow."""

import unittest

import guide

CASE = """
units: mm
mesh: {{box: {{size: {size}, cells: {cells}}}}}
materials: {{air: {{}}}}
regions: {{box: air}}
boundaries: {{default: pec, pml: {{faces: [z1], thickness: 30, cells: 8}}}}
sources:
  - {{type: dipole, position: {place}, direction: [1, 0.4, 1], waveform: pulse, amplitude: 1 A m}}
waveforms:
  pulse: {{type: modulated-gaussian, frequency: 2 GHz, bandwidth: 2 GHz}}
method: {{scheme: {scheme}, basis: {space}, cfl: {cfl}}}
time: {{{end}}}
run: {{threads: 1}}
outputs: {{energy: {{every: 100}}}}
"""
LONG = {"size": "[130, 70, 45]", "cells": "[10, 5, 4]", "place": "[41, 30, 20]", "end": "end: 25 ns"}
SMALL = {"size": "[26, 28, 30]", "cells": "[2, 2, 2]", "place": "[11, 12, 14]", "end": "steps: 50000"}


class FlatLayers:
    def stays(self, scheme, space, cfl, box):
        energy = guide.run(self, CASE.format(scheme=scheme, space=space, cfl=cfl, **box))["energy/total"]
        half = energy.size // 2
        print(f"{scheme} {space}: {energy[half:].max() / energy.max():.1e} of the energy in the second half")
        # dfdd-eld: the energy of fields at rest oscillates with those of the rates
        self.assertLess(energy[half:].max(), (1 + 1e-6 if scheme == "dgtd-central" else 1.1) * energy[:half][-half // 4:].max())


class InABox(FlatLayers, unittest.TestCase):
    def check(self, space, scheme):
        self.stays(scheme, space, 0.9, LONG)


class InFiftyThousandSteps(FlatLayers, unittest.TestCase):
    def check(self, space, scheme):
        self.stays(scheme, space, 1.0, SMALL)


for cases in (InABox, InFiftyThousandSteps):
    guide.add_tests(cases, cases.check, ("mixed-1", "full-1", "mixed-2", "full-2"), ("dgtd-central", "dfdd-eld"))

if __name__ == "__main__":
    unittest.main()
