"""The Python package of the source tree, and a case of a second, for its tests."""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, os.environ.get("TETRAWAVE_PACKAGE", str(ROOT / "tools" / "python")))
import tetrawave as tw  # noqa: E402


def guide(**keys):
    """A piece of waveguide of 20 by 10 by 40 mm between two ports, in the frequency domain."""
    case = tw.Case(mode="frequency-domain", units="mm", mesh={"box": {"size": [20, 10, 40], "cells": [6, 3, 12]}},
                   materials={"air": tw.materials.vacuum}, regions={"box": "air"}, boundaries={"default": "pec"})
    case.ports.append({"name": "near", "boundary": "z0", "type": "rectangular-waveguide", "excite": {}})
    case.ports.append({"name": "far", "boundary": "z1", "type": "rectangular-waveguide", "excite": {}})
    case.method.basis = "mixed-2"
    case.frequency = {"start": "9 GHz", "stop": "11 GHz", "points": 3}
    case.outputs.s_parameters = {}
    case.update(keys)
    return case


def cavity(**keys):
    """A closed box with a field in it, marched."""
    return tw.Case({"mesh": {"box": {"size": [0.03, 0.02, 0.04], "cells": [6, 4, 8]}}, "materials": {"air": {}},
                    "regions": {"box": "air"}, "boundaries": {"default": "pec"},
                    "initial_fields": {"E": ["0", "sin(pi*x/0.03)*sin(pi*z/0.04)", "0"]}, "time": {"steps": 200},
                    "outputs": {"energy": {"every": 1}, "probes": [{"name": "mid", "point": [0.0151, 0.0101, 0.0201]}]}, **keys})


class FolderTest(unittest.TestCase):
    """A working directory of its own for each test."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tw-python-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
