"""Recipe for Spack 1.0 or newer: as packages/tetrawave/package.py in a repository of your own, for the sources in a folder
of yours:

    spack env create tetrawave && spack -e tetrawave develop --path $PWD --no-clone tetrawave@=main
    spack -e tetrawave add tetrawave@main+cuda cuda_arch=90 && spack -e tetrawave install
"""

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Tetrawave(CMakePackage, CudaPackage):
    """Maxwell's equations on tetrahedra, in the time domain and the frequency domain, on CPUs and GPUs."""

    license("Apache-2.0")

    version("main")

    variant("mumps", default=True, description="Direct solver of the finite-element modes")
    variant("mesher", default=True, description="tetrawave-mesh, which links Gmsh")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("py-numpy", type="run")
    depends_on("py-h5py", type="run")
    depends_on("py-matplotlib", type="run")
    depends_on("py-pyyaml", type="run")
    depends_on("mpi")
    depends_on("hdf5~mpi")
    depends_on("metis")
    depends_on("yaml-cpp")
    depends_on("muparser")
    depends_on("spdlog+shared")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("eigen", type="build")
    depends_on("mumps+mpi+metis+float+double+complex", when="+mumps")
    depends_on("gmsh+opencascade", when="+mesher")
    depends_on("cuda@12.4:", when="+cuda")
    requires("%gcc@12:")
    generator("ninja")

    def cmake_args(self):
        args = [
            self.define_from_variant("TETRAWAVE_CUDA", "cuda"),
            self.define_from_variant("TETRAWAVE_MUMPS", "mumps"),
            self.define_from_variant("TETRAWAVE_MESHER", "mesher"),
            self.define("TETRAWAVE_ISAS", "all"),
            self.define("TETRAWAVE_TESTS", False),
        ]
        if self.spec.satisfies("+cuda") and not self.spec.satisfies("cuda_arch=none"):
            args.append(self.builder.define_cuda_architectures(self))
        return args
