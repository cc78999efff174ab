"""The tarball of scripts/bundle.sh --release, unpacked into a root that has a shell, glibc, GCC's run-time, and nothing else.

TETRAWAVE_RELEASE names a tarball to test; without it one is made, in TETRAWAVE_RELEASE_BUILD.
"""

import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np
from package import ROOT, FolderTest

SMALL = ["--set", "mesh.parameters={segments: 12, radial_layers: 2, axial_size: 2}"]
TOOLS = ("/bin/sh", "/usr/bin/basename", "/usr/bin/dirname", "/usr/bin/env", "/usr/bin/readlink")  # what scripts call
OF_THE_SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread|util|resolv|stdc\+\+|gcc_s)\.so\.\d+$")


def tarball():
    if given := os.environ.get("TETRAWAVE_RELEASE"):
        return Path(given)
    build = Path(os.environ["TETRAWAVE_RELEASE_BUILD"])
    for words in (["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DTETRAWAVE_RELOCATABLE=ON",
                   "-DTETRAWAVE_ISAS=all", "-DTETRAWAVE_CUDA=OFF", "-DTETRAWAVE_TESTS=OFF"],
                  ["cmake", "--build", build], [ROOT / "scripts" / "bundle.sh", "--release", "-B", build, "-o", build / "dist"]):
        subprocess.run(words, check=True)
    return max((build / "dist").glob("*.tar.gz"), key=lambda path: path.stat().st_mtime)


def libraries_of(file):
    """(name, path) of what the loader finds for a program here."""
    listed = subprocess.run(["ldd", str(file)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.findall(r"^\s*(?:(\S+) => )?(/\S+) \(", listed, re.MULTILINE)


class ReleaseTest(FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.tarball = tarball()

    def setUp(self):
        super().setUp()
        self.root = self.folder / "root"
        for name in ("dev", "opt", "proc", "tmp", "work"):
            (self.root / name).mkdir(parents=True)
        subprocess.run(["tar", "-xzf", self.tarball, "-C", self.root / "opt"], check=True)
        self.place = next((self.root / "opt").iterdir())
        for tool in TOOLS:
            self.bring(tool)
            for _, path in libraries_of(tool):
                self.bring(path)
        for name, path in libraries_of(self.place / "bin" / "tetrawave"):
            if not name or OF_THE_SYSTEM.match(name):
                self.bring(path)

    def bring(self, path):
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)

    def call(self, *words, code=0):
        """Standard output of a command in the root, in /work; of this machine it sees /dev and /proc, and nothing else."""
        inside = 'mount --rbind /dev "$1/dev" && mount --rbind /proc "$1/proc" && exec env -i HOME=/tmp PATH="$2" /usr/sbin/chroot "$1" /bin/sh -c \'cd /work; exec "$@"\' sh "${@:3}"'
        place = "/" + str(self.place.relative_to(self.root))
        done = subprocess.run(["unshare", "-r", "-m", "bash", "-c", inside, "bash", self.root, f"/bin:/usr/bin:{place}", *words],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, code, f"{words}:\n{done.stdout}")
        return done.stdout

    def test_it_runs_wherever_it_lies_on_one_rank_and_four_and_says_what_pages_need(self):
        self.assertRegex(self.call("tetrawave", "info"), "x86-64-v2.*x86-64-v3.*x86-64-v4")
        self.call("tetrawave", "selftest", "--backend", "cpu")
        self.call("tetrawave-mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4", "tetrawave", "selftest", "--backend", "cpu")
        case = f"/opt/{self.place.name}/share/tetrawave/cases/coax_bead/frequency.yaml"
        self.call("tetrawave", "run", case, "-o", "bead.out", *SMALL)
        self.check_s("bead.out")
        self.assertIn("it needs Python 3", self.call("tetrawave", "report", "bead.out", code=69))
        self.place = self.place.rename(self.root / "moved")
        case = "/moved/share/tetrawave/cases/coax_bead/frequency.yaml"
        self.call("tetrawave-mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", "tetrawave", "run", case, "-o", "two.out", *SMALL)
        self.check_s("two.out")
        for name in ("libmetis5", "libmumps-5.5", "libopenmpi3", "libgmsh4.8", "libeigen3-dev"):
            self.assertTrue((self.place / "share" / "licenses" / name / "copyright").is_file(), name)

    def check_s(self, name):
        """Against the closed form."""
        sys.path.insert(0, str(ROOT / "cases" / "coax_bead"))
        from reference import exact

        with h5py.File(self.root / "work" / name / "results.h5") as file:
            s = file["s_parameters/S"][()]
        for column, wanted in enumerate(exact(np.linspace(0.1e9, 10e9, 496), 2.1)):
            np.testing.assert_allclose(s[:, column, 0], wanted, atol=8e-3)


if __name__ == "__main__":
    unittest.main()
