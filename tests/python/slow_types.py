"""What a type checker, and so an editor, knows of the package and of a case (with environment.py: mypy)."""

import re
import shutil
import subprocess
import sys
import textwrap
import unittest

from package import ROOT, FolderTest

GOOD = """
    import numpy as np
    import tetrawave as tw

    case = tw.Case(title="A box", units="mm", mesh={"box": {"size": [1, 2, 3], "cells": [1, 2, 3]}})
    case.method.basis = "full-2"
    case.mesh.box.cells = [4, 2, 3]
    case.materials["air"] = tw.materials.vacuum
    case.materials.ptfe = {"eps_r": 2.1}
    case.materials.ptfe.eps_r = 2.2
    case.regions = {"box": "ptfe"}
    case.boundaries.pec = ["side"]
    case.ports.append({"name": "p1", "boundary": "z0", "type": "coaxial"})
    case.ports.append(tw.ports.lumped("p2", "gap", "50 ohm", direction=[0, 0, 1]))
    case.ports[0].excite = {}
    case.outputs.s_parameters = {"start": "1 GHz", "stop": 2e9, "points": 3}
    case.outputs.far_field.theta = {"start": 0, "stop": 90, "points": 91}
    run: tw.Run = tw.run(case, "box.out", ranks=2, progress=False)
    s: np.ndarray = run.s
"""
# Each of these lines is wrong, by the code of mypy behind it.
BAD = """
    tw.Case(units="inches")  # arg-type
    case.method.basis = "full-9"  # assignment
    case.metod  # attr-defined
    case.ports.append({"name": "p1", "boundary": "z0", "type": "coax"})  # arg-type
    case.ports.append(tw.ports.coaxial("p1"))  # call-arg
    case.ports.append(tw.ports.tem("p1", "z0", "strip", inner_radius=1))  # call-arg
    case.outputs.s_parameters = {"begin": "1 GHz"}  # assignment
    tw.run(case, rank=2)  # call-arg
    tw.nothing  # attr-defined
"""


class TypesTest(FolderTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(ROOT / "tools" / "python" / "tetrawave", "tetrawave", ignore=shutil.ignore_patterns("__pycache__"))
        make = ROOT / "tools" / "python" / "make_types.py"
        subprocess.run([sys.executable, make, "tetrawave/case_types.pyi"], check=True)  # as `cmake --install` does for the wheel

    def errors(self, *names):
        """{line: code} of what mypy finds."""
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", *names], stdout=subprocess.PIPE, text=True,
                              check=False)
        found = re.findall(r"^\S+?:(\d+): error: .*\[([a-z-]+)\]$", done.stdout, re.MULTILINE)
        self.assertEqual(len(found), done.stdout.count(": error: "), done.stdout)
        return {int(line): code for line, code in found}

    def test_the_package_itself_has_types_throughout(self):
        self.assertEqual({}, self.errors("tetrawave"))

    def test_keys_values_ports_and_options_of_a_users_script_are_checked(self):
        good, bad = textwrap.dedent(GOOD), textwrap.dedent(BAD).lstrip()
        (self.folder / "script.py").write_text(good + bad, encoding="utf-8")
        before = good.count("\n")
        wanted = {before + number: line.split("# ")[1] for number, line in enumerate(bad.splitlines(), 1)}
        self.assertEqual(wanted, self.errors("script.py"))


if __name__ == "__main__":
    unittest.main()
