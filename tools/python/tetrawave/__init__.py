"""Tetrawave in Python: a case, a run, its results.

>>> import tetrawave as tw
>>> case = tw.Case(units="mm", mesh={"file": "line.geo"}, materials={"air": {}}, regions={"line": "air"})
>>> case.time.end = "2 ns"
>>> run = tw.run(case, output="line.out")              # doctest: +SKIP
>>> run.s[:, 1, 0]                                     # doctest: +SKIP
array([0.99-0.01j, ...])

`Case` holds a case and checks every key and value against the schema as it is set; `run`, `check` and `mesh` start the
program; `Run` reads a run directory. There is no other state than that directory: `tw.Run("line.out")` reads it again
at any time. numpy and h5py suffice; xarray, scikit-rf, pyvista and matplotlib are used where they are asked for.
"""

import importlib
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from . import materials as materials
    from .case import Case as Case, geometry as geometry
    from .case_types import ports as ports
    from .errors import CaseError as CaseError, Place as Place, Stopped as Stopped, TetrawaveError as TetrawaveError
    from .results import Group as Group, Run as Run
    from .running import Progress as Progress, check as check, info as info, mesh as mesh, run as run

# Where each name is; loaded when it is first used, so that `import tetrawave` takes milliseconds.
_HOMES = {"Case": "case", "geometry": "case", "CaseError": "errors", "Place": "errors", "Stopped": "errors",
          "TetrawaveError": "errors", "Group": "results", "Run": "results", "Progress": "running", "check": "running",
          "info": "running", "mesh": "running", "run": "running"}
_MODULES = ("materials", "ports")
__all__ = [*_HOMES, *_MODULES]

if not TYPE_CHECKING:  # checkers know the names above

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return importlib.import_module("." + name, __name__)
        if name not in _HOMES:
            raise AttributeError(f"module 'tetrawave' has no attribute {name!r}")
        value = getattr(importlib.import_module("." + _HOMES[name], __name__), name)
        globals()[name] = value
        return value


def __dir__() -> List[str]:
    return sorted(__all__)
