"""Errors of a cavity mode fall with the order of each scheme and space (cases/accuracy), on three meshes.

Predicted for the L2 error: central flux and DFDD-ELD lose an order on odd degrees (full spaces of degree 1 and mixed-1
converge with the first order), DGTD-Upwind has degree + 1 for full spaces.
"""

import os
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parents[2] / "cases" / "accuracy"))
import study  # noqa: E402

# Lowest order between the first and the last mesh, and largest error on the last.
EXPECTED = {
}


class Orders(unittest.TestCase):
    def check(self, scheme, space, least, largest):
        meshes = study.QUICK[space]
        errors = [study.run(os.environ["TETRAWAVE_PROGRAM"], scheme, space, cells, ("--set", "run.threads=1"))[0] for cells in meshes]
        order = study.order_between((meshes[0], errors[0]), (meshes[-1], errors[-1]))
        print(f"{scheme} {space}: errors {', '.join(f'{error:.4f}' for error in errors)}, order {order:.2f}")
        self.assertGreater(order, least)
        self.assertLess(errors[-1], largest)


def add(scheme, space, least, largest):
    setattr(Orders, f"test_{scheme}_{space}".replace("-", "_"), lambda test: test.check(scheme, space, least, largest))


for (scheme, space), (least, largest) in EXPECTED.items():
    add(scheme, space, least, largest)

if __name__ == "__main__":
    unittest.main()
