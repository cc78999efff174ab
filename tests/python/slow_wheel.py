"""The wheel in an empty virtual environment without a compiler: its programs, its libraries, a case with a geometry.

TETRAWAVE_WHEEL names a wheel to test; without it scripts/wheel.sh makes one, in TETRAWAVE_WHEEL_BUILD.
"""

import os
import re
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

import numpy as np
from package import ROOT, FolderTest

LARGEST_BYTES = 60e6
OF_THE_SYSTEM = re.compile(r"linux-vdso|/?ld-linux|lib(c|m|dl|rt|pthread|util|resolv|stdc\+\+|gcc_s)\.so|/.*/ld-linux")


def wheel():
    if given := os.environ.get("TETRAWAVE_WHEEL"):
        return Path(given)
    build = Path(os.environ["TETRAWAVE_WHEEL_BUILD"])
    subprocess.run([ROOT / "scripts" / "wheel.sh", "-B", build, "-o", build / "dist"], check=True)
    return max((build / "dist").glob("*.whl"), key=lambda path: path.stat().st_mtime)


class WheelTest(FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.wheel = wheel()

    def setUp(self):
        super().setUp()
        # Nothing of this machine's set-up: no compiler, MPI or program of ours on the PATH, no variables for them.
        self.variables = {"PATH": f"{self.folder}/env/bin:{self.folder}/tools", "HOME": str(self.folder)}
        (self.folder / "tools").mkdir()
        subprocess.run([sys.executable, "-m", "venv", "env"], check=True)
        network = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy") or name.startswith("PIP_")}
        subprocess.run(["env/bin/pip", "install", "-q", f"{self.wheel}[plot]"], check=True, env={**self.variables, **network})

    def call(self, *words, code=0):
        done = subprocess.run(["/bin/sh", "-c", 'exec "$@"', "sh", *map(str, words)], env=self.variables, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, code, f"{words}:\n{done.stdout}")
        return done.stdout

    def test_a_wheel_is_small_has_its_licences_and_runs_a_case_with_a_geometry(self):
        self.assertLess(self.wheel.stat().st_size, LARGEST_BYTES)
        names = zipfile.ZipFile(self.wheel).namelist()
        for part in ("tetrawave/share/licenses/libmetis5/copyright", "tetrawave/share/licenses/libmumps-5.5/copyright",
                     "tetrawave/share/licenses/libopenmpi3/copyright", "tetrawave/share/licenses/libeigen3-dev/copyright",
                     "tetrawave/case_types.pyi", "tetrawave/py.typed", "tetrawave/bin/mpirun"):
            self.assertIn(part, names)
        self.assertTrue(any(name.endswith("/licenses/LICENSE") for name in names))
        self.check_libraries()
        self.assertIn("x86-64-v2", self.call("tetrawave", "info"))
        self.assertIn("tetrawave-mesh", self.call("tetrawave-mesh", "--help"))
        case = ROOT / "cases" / "coax_bead" / "frequency.yaml"
        settings = "mesh.parameters={segments: 12, radial_layers: 2, axial_size: 2}"
        self.call("tetrawave", "run", case, "-o", "bead.out", "--set", settings)
        self.call("tetrawave-plot", "bead.out")
        self.assertTrue((self.folder / "bead.out" / "s.png").stat().st_size > 10000)
        code = (f"import tetrawave as tw; one = tw.Run('bead.out').s; two = tw.run({str(case)!r}, 'two.out', ranks=2, "
                f"set={{'mesh.parameters': {{'segments': 12, 'radial_layers': 2, 'axial_size': 2}}}}); "
                "import numpy; numpy.save('s.npy', numpy.array([one, two.s])); assert two.attributes['ranks'] == 2")
        self.call("python", "-c", code)
        one, two = np.load(self.folder / "s.npy")
        np.testing.assert_allclose(two, one, atol=1e-9)
        sys.path.insert(0, str(ROOT / "cases" / "coax_bead"))
        from reference import exact

        s11, s21 = exact(np.linspace(0.1e9, 10e9, 496), 2.1)
        np.testing.assert_allclose(one[:, 0, 0], s11, atol=8e-3)
        np.testing.assert_allclose(one[:, 1, 0], s21, atol=8e-3)

    def check_libraries(self):
        """What the programs load is of the wheel, of the gmsh package, or on every Linux."""
        package = next((self.folder / "env").glob("lib/python*/site-packages/tetrawave"))
        code = "from tetrawave.programs import environment; print(environment()['LD_LIBRARY_PATH'])"
        path = self.call("python", "-c", code).strip()
        files = [package / "bin" / name for name in ("tetrawave", "tetrawave-mesh", "mpirun")] + sorted((package / "lib").rglob("*.so*"))
        self.assertGreater(len(files), 80)
        for file in files:
            listed = subprocess.run(["/usr/bin/ldd", str(file)], env={"LD_LIBRARY_PATH": path}, stdout=subprocess.PIPE, text=True,
                                    check=True).stdout
            for line in listed.splitlines():
                name = line.split()[0]
                if not OF_THE_SYSTEM.match(name):
                    self.assertIn(str(self.folder), line.split("=>")[1], f"{file}: {line}")


if __name__ == "__main__":
    unittest.main()
