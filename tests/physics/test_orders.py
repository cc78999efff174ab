"""Errors of a cavity mode fall with the order of each scheme and space (cases/accuracy), on three meshes.

On these coarse meshes the error of phase still falls with a higher order than the L2 error in the limit, which is 1 for
mixed-1 and full-1 of the central flux and of DFDD-ELD, 2 for mixed-2, and degree + 1 for the full spaces of DGTD-Upwind.
Those of degrees 3 and 4 begin with a cube of six elements, and those of leap-frog end at the second order of its steps.
"""

import os
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parents[2] / "cases" / "accuracy"))
import study  # noqa: E402

MESHES = {**study.QUICK, "mixed-1": (5, 7, 10), "full-1": (5, 7, 10)}
# Lowest order between the first and the last mesh, and largest error on the last.
EXPECTED = {
    ("dgtd-central", "mixed-1"): (1.6, 0.40), ("dgtd-central", "full-1"): (1.2, 0.058),
    ("dgtd-central", "mixed-2"): (1.2, 0.040), ("dgtd-central", "full-2"): (2.5, 0.0135),
    ("dfdd-eld", "mixed-1"): (1.1, 0.44), ("dfdd-eld", "full-1"): (1.7, 0.20),
    ("dfdd-eld", "mixed-2"): (1.9, 0.027), ("dfdd-eld", "full-2"): (3.0, 0.0103),
    ("dgtd-upwind", "mixed-1"): (1.3, 0.40), ("dgtd-upwind", "full-1"): (2.5, 0.0138),
    ("dgtd-upwind", "mixed-2"): (2.5, 0.0165), ("dgtd-upwind", "full-2"): (2.7, 0.0021),
    ("dgtd-central", "mixed-3"): (2.0, 0.0425), ("dgtd-central", "full-3"): (2.1, 0.0197),
    ("dfdd-eld", "mixed-3"): (1.9, 0.026), ("dfdd-eld", "full-3"): (3.5, 0.0097),
    ("dgtd-upwind", "mixed-3"): (3.6, 0.0063), ("dgtd-upwind", "full-3"): (4.6, 0.0012),
    ("dgtd-central", "full-4"): (2.1, 0.0078), ("dgtd-upwind", "full-4"): (5.0, 0.0001),
}


class Orders(unittest.TestCase):
    def check(self, scheme, space, least, largest):
        meshes = MESHES[space]
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
