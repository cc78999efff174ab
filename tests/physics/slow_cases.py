"""Cases of a minute or more, each judged by its own reference.py."""

import unittest

import test_cases

PROGRAM = test_cases.PROGRAM


@unittest.skipUnless(PROGRAM.with_name("tetrawave-mesh").exists(), "tetrawave-mesh is not built")
class SlowCases(unittest.TestCase):
    run_seconds, run_case, judge = 2400, test_cases.Cases.run_case, test_cases.Cases.judge

    def test_a_microstrip_has_the_impedance_and_wave_number_of_the_formulas(self):
        self.judge("microstrip/case.yaml")

    def test_an_iris_is_the_matching_of_modes(self):
        self.judge("wr90/iris.yaml", reference=("--iris", "12"))

    def test_a_monopole_has_the_impedance_of_a_converged_solution(self):
        self.judge("monopole/case.yaml")

    def test_a_patch_is_resonant_where_its_cavity_is(self):
        self.judge("patch/case.yaml")

    def test_the_patch_in_the_frequency_domain_resonates_where_the_cavity_model_says(self):
        self.judge("patch/frequency.yaml")


if __name__ == "__main__":
    unittest.main()
