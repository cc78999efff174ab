"""A million steps of closed cavities: nothing grows, and what is lossless keeps its energy.

What DFDD-ELD conserves is an energy of the rates (theory/dfdd), not that of the fields, which varies about its mean; in
dispersive media initial fields leave it a static part that grows linearly, so that it is not marched here.
"""

import unittest

import guide

CASE = """
units: m
mesh: {{box: {{size: [1, 1, 1], cells: [2, 2, 2], jitter: 0.1, seed: 1}}}}
materials: {{medium: {material}}}
regions: {{box: medium}}
boundaries: {{default: pec}}
initial_fields: {{E: ["0", "0", "sin(pi*x)*sin(pi*y)"], H: ["0", "0", "0"]}}
method: {{scheme: {scheme}, basis: {space}, cfl: 0.95}}
time: {{steps: {steps}}}
run: {{threads: 1}}
outputs: {{energy: {{every: 1000}}}}
"""
MEDIA = {
    "conducting": "{sigma: 1e-3 S/m, sigma_m: 50 ohm/m}",
    "debye": "{eps_r: 1, electric_dispersion: [{model: debye, delta: 2, tau: 0.1 ns}]}",
    "lorentz": "{eps_r: 1, magnetic_dispersion: [{model: lorentz, delta: 1.25, frequency: 0.3 GHz, damping: 1e9}]}",
}


class LongRuns(unittest.TestCase):
    def energy(self, scheme, space, material="{}", steps=1000000):
        results = guide.run(self, CASE.format(scheme=scheme, space=space, material=material, steps=steps))
        return results["energy/total"]


def keeps(test, space, scheme):
    energy = test.energy(scheme, space)
    spread = (energy.max() - energy.min()) / energy.mean()
    print(f"{scheme} {space}: energy varies by {spread:.1e} over {energy.size} rows")
    test.assertLess(spread, 1e-9 if scheme == "dgtd-central" else 0.6)
    half = energy.size // 2
    test.assertLess(energy[half:].max(), 1.05 * energy[:half].max())


def decays(test, space, scheme):
    energy = test.energy(scheme, space, steps=200000)
    test.assertTrue(all(energy[1:] <= energy[:-1] * (1 + 1e-12)), "the energy grows")


def never_grows(test, name, scheme):
    medium = name.removesuffix("_medium")
    energy = test.energy(scheme, "full-1", MEDIA[medium], 1000000 if scheme != "dgtd-upwind" else 200000)
    print(f"{scheme} {medium}: {energy[-1] / energy[0]:.1e} of the energy is left")
    test.assertLess(energy.max(), energy[0] * (1 + 1e-9))
    test.assertLess(energy[-1], 0.5 * energy[0])


guide.add_tests(LongRuns, keeps, ("mixed-1", "full-1", "mixed-2"), ("dgtd-central", "dfdd-eld"))
guide.add_tests(LongRuns, decays, ("mixed-1", "full-1", "mixed-2"), ("dgtd-upwind",))
guide.add_tests(LongRuns, never_grows, [name + "_medium" for name in MEDIA], ("dgtd-central", "dgtd-upwind"))

if __name__ == "__main__":
    unittest.main()
