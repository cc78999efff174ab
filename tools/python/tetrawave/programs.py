"""Where the programs are, and their entries on the PATH of an environment in which the wheel is installed."""

import os
import shutil
import sys
from pathlib import Path
from typing import Dict, List

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[2]  # of a source tree: tools/python/tetrawave
IS_INSTALLED = (HERE / "bin" / "tetrawave").is_file()


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


def environment() -> Dict[str, str]:
    """Variables for the programs: of a wheel also where its libraries and OpenMPI's plugins are."""
    variables = dict(os.environ)
    if not IS_INSTALLED:
        return variables
    lib = HERE / "lib"
    known = variables.get("LD_LIBRARY_PATH", "")
    if str(lib) not in known.split(":"):
        # libgmsh.so of the gmsh package lies in the environment's lib/; what it needs of X11, here.
        variables["LD_LIBRARY_PATH"] = ":".join(filter(None, [str(lib), str(Path(sys.prefix) / "lib"), known]))
    if (lib / "openmpi").is_dir():
        variables.update(OPAL_PREFIX=str(HERE), OPAL_LIBDIR=str(lib), OPAL_BINDIR=str(HERE / "bin"),
                         OPAL_PKGLIBDIR=str(lib / "openmpi"), OPAL_PKGDATADIR=str(HERE / "share" / "openmpi"),
                         OMPI_MCA_mca_base_component_path=str(lib / "openmpi"),
                         PMIX_PKGLIBDIR=str(lib / "pmix"), PMIX_MCA_mca_base_component_path=str(lib / "pmix"))
    return variables


def launcher(ranks: int) -> List[str]:
    """The words before a program that start `ranks` of it: mpirun of the wheel, or of the PATH."""
    own = HERE / "bin" / "mpirun"
    words = [str(own) if own.is_file() else shutil.which("mpirun") or ""]
    if not words[0]:
        raise FileNotFoundError("mpirun is not found on the PATH: install OpenMPI, or take ranks=1")
    words += ["--bind-to", "none", "--oversubscribe"]
    if os.geteuid() == 0:
        words.append("--allow-run-as-root")
    return [*words, "-n", str(ranks)]


def _become(name: str) -> None:
    program = find(name)
    os.execve(program, [program, *sys.argv[1:]], environment())


def tetrawave() -> None:
    """The command `tetrawave`."""
    _become("tetrawave")


def mesh() -> None:
    """The command `tetrawave-mesh`."""
    _become("tetrawave-mesh")


def plot() -> None:
    """The command `tetrawave-plot`, in this Python."""
    script = str(data("tetrawave-plot"))
    os.execv(sys.executable, [sys.executable, script, *sys.argv[1:]])
