import unittest

import precisions


def row(precision, seconds, **other):
    return {"scheme": "dgtd-central", "basis": "full-1", "layout": "factored", "ordering": "blocks", "kernels": "fused",
            "elements": 1000, "precision": precision, "seconds_per_step": seconds, **other}


class SingleAgainstDouble(unittest.TestCase):
    def test_slower_rows_are_named(self):
        rows = [row("double", 1e-3), row("single", 1.03e-3), row("double", 2e-3, basis="full-2"), row("single", 1e-3, basis="full-2")]
        found, pairs = precisions.slower_in_single(rows)
        self.assertEqual(pairs, 2)
        self.assertEqual(len(found), 1)
        self.assertIn("full-1", found[0])

    def test_noise_is_allowed(self):
        self.assertEqual(precisions.slower_in_single([row("double", 1e-3), row("single", 1.01e-3)]), ([], 1))

    def test_rows_of_other_sizes_are_not_compared(self):
        self.assertEqual(precisions.slower_in_single([row("double", 1e-3), row("single", 1e-2, elements=2000)]), ([], 0))
