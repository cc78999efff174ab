"""What a run has left in its directory, as numpy arrays and in the forms of other packages."""

import argparse
import importlib
import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Tuple

import h5py
import numpy as np

from . import programs
from .case import Case, PathLike

if TYPE_CHECKING:
    import matplotlib.figure
    import pyvista
    import skrf
    import xarray

_AXES = ("time", "frequency", "theta", "phi", "points")  # data sets along which the others of their group go


def _need(name: str, extra: str) -> Any:
    """The module `name`, which is not needed otherwise."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{error}; it comes with: pip install 'tetrawave[{extra}]'") from None


def _text(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value.item() if isinstance(value, np.generic) else value


class Group(Mapping[str, Any]):
    """A group of results.h5: a mapping of its data sets (numpy arrays, complex where results are) and groups, whose names
    are attributes, too. `units` has the unit of each data set, `attributes` the group's own figures."""

    def __init__(self, path: Path, name: str):
        self._path, self._name = path, name.strip("/")
        with h5py.File(path, "r") as file:
            group = file[self._name or "/"]
            self._keys = list(group)
            self.attributes: Dict[str, Any] = {key: _text(value) for key, value in group.attrs.items()}
            self.units: Dict[str, str] = {key: str(_text(item.attrs.get("units", ""))) for key, item in group.items()
                                          if isinstance(item, h5py.Dataset)}

    def __getitem__(self, key: str) -> Any:
        with h5py.File(self._path, "r") as file:
            item = file.get(f"{self._name}/{key}")
            if item is None:
                raise KeyError(f"{self._path}: /{self._name} has no {key!r}; it has {', '.join(self._keys)}")
            if isinstance(item, h5py.Group):
                return Group(self._path, f"{self._name}/{key}")
            return item.asstr()[()] if h5py.check_string_dtype(item.dtype) else item[()]

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_") or key not in self._keys:
            raise AttributeError(f"{self._path}: /{self._name} has no {key!r}; it has {', '.join(self._keys)}")
        return self[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self._keys})

    def __repr__(self) -> str:
        with h5py.File(self._path, "r") as file:
            group = file[self._name or "/"]
            words = [f"{key} {list(item.shape)}{' ' + self.units[key] if self.units[key] else ''}" if key in self.units else f"{key}/"
                     for key, item in group.items()]
        return f"<{self._path}:/{self._name}: {', '.join(words)}>"

    def xarray(self) -> "xarray.Dataset":
        """The data sets that lie along the time, the frequencies or the directions of the group, with units and the group's
        figures as attributes. A far field lies along theta and phi; another second axis of three is x, y, z."""
        package = _need("xarray", "xarray")
        axes = {key: self[key] for key in _AXES if key in self.units and self[key].ndim == 1}
        axis = next(iter(axes), None)
        if axis is None:
            raise ValueError(f"{self._path}: /{self._name} has neither time nor frequency nor directions")
        found: Dict[str, Any] = {}
        for key, unit in self.units.items():
            if key not in axes and np.ndim(values := self[key]) and len(values) == len(axes[axis]):
                found[key] = (self._dimensions(key, values.shape, axes), values, {"units": unit})
        used = {name for names, _, _ in found.values() for name in names}
        # Directions one by one: phi beside theta; of a grid each has an axis of its own.
        coordinates: Dict[str, Any] = {key: (key if key in used or len(values) != len(axes[axis]) else axis, values, {"units": self.units[key]})
                                       for key, values in axes.items()}
        if "component" in used:
            coordinates["component"] = list("xyz")
        figures = {key: value for key, value in self.attributes.items() if np.ndim(value) == 0}
        data: xarray.Dataset = package.Dataset(found, coordinates, figures)
        return data

    @staticmethod
    def _dimensions(key: str, shape: Tuple[int, ...], axes: Mapping[str, np.ndarray]) -> Tuple[str, ...]:
        """The names of a data set's axes: in order those of the group that fit, then components or names of its own."""
        left, names = list(axes), []
        for k, length in enumerate(shape):
            name = next((name for name in left if len(axes[name]) == length), "component" if k and length == 3 else f"{key}_{k}")
            left = left[left.index(name) + 1 :] if name in left else left
            names.append(name)
        return tuple(names)


class Run(Group):
    """The results of a run, read from its directory; nothing is kept in memory.

    A Run is the root group of results.h5: `run["ports/p1/voltage"]`, `run.energy.total`, `run.ports["p1"].units`.
    `attributes` has what identifies it: program, version, mode, time_step, elements, dofs, case (the text), and so on.
    """

    def __init__(self, directory: PathLike):
        directory = Path(directory)
        path = directory if directory.is_file() else directory / "results.h5"
        if not path.is_file():
            raise FileNotFoundError(f"{path}: no such file; `tetrawave run` writes it")
        super().__init__(path, "")
        self.directory: Path = path.parent

    def __repr__(self) -> str:
        return super().__repr__().replace("results.h5:/:", "results.h5:", 1)

    @property
    def case(self) -> Case:
        """The case as run, with all overrides and defaults."""
        return Case.read(self.directory / "case.yaml")

    @property
    def log(self) -> str:
        """The log of the run."""
        return (self.directory / "log.txt").read_text(encoding="utf-8")

    @property
    def warnings(self) -> List[str]:
        """The warnings of the run."""
        return [line.split(" W ", 1)[1].removeprefix("warning: ") for line in self.log.splitlines() if " W warning: " in line]

    @property
    def frequency(self) -> np.ndarray:
        """Frequencies of S, in Hz [n]."""
        found: np.ndarray = self["s_parameters/frequency"]
        return found

    @property
    def s(self) -> np.ndarray:
        """S[f, i, j] = b_i / a_j, complex [n, ports, ports]; the column of a port that was not driven is NaN."""
        found: np.ndarray = self["s_parameters/S"]
        return found

    @property
    def port_names(self) -> List[str]:
        """The ports in the order of S. Raises KeyError for an array whose cells are driven together, which has no S."""
        names = Group(self._path, "s_parameters").attributes.get("ports")
        if names is None:
            raise KeyError(f"{self._path}: no S, as the cells of the array are driven together; s_parameters/active has reflections, `drive: each` gives S")
        return [str(_text(name)) for name in np.atleast_1d(names)]

    @property
    def far_fields(self) -> Dict[float, Group]:
        """The far fields by frequency, in Hz."""
        return {float(name): Group(self._path, f"far_field/{name}") for name in self.get("far_field", ())}

    def xarray(self) -> "xarray.DataArray":  # type: ignore[override]  # of S, where a group has its data sets
        """S with frequencies and ports as coordinates: dimensions frequency, to, from."""
        package = _need("xarray", "xarray")
        names = self.port_names
        frequency = ("frequency", self.frequency, {"units": "Hz"})
        data: xarray.DataArray = package.DataArray(self.s, dims=("frequency", "to", "from"), name="S", attrs={"units": ""},
                                                   coords={"frequency": frequency, "to": names, "from": names})
        return data

    def network(self) -> "skrf.Network":
        """S as a scikit-rf network, on its reference impedances. Raises ValueError where a port was not driven."""
        skrf = _need("skrf", "network")
        s = self.s
        if np.isnan(s).any():
            silent = [name for name, column in zip(self.port_names, np.isnan(s).any(axis=(0, 1))) if column]
            raise ValueError(f"not every port was driven: {', '.join(silent)}; excite all, with s_parameters.drive: each in a march")
        own = [self[f"ports/{name}"].attributes["impedance"] for name in self.port_names]
        z0 = self["s_parameters"].attributes.get("impedance", own)  # older files have only the ports' own
        frequency = skrf.Frequency.from_f(self.frequency, unit="Hz")
        return skrf.Network(frequency=frequency, s=s, z0=np.tile(z0, (len(self.frequency), 1)), name=self.directory.name)

    @property
    def field_files(self) -> List[Path]:
        """The files of fields (.vtkhdf)."""
        return sorted(self.directory.glob("fields/*.vtkhdf"))

    def fields(self, which: int = -1) -> "pyvista.DataSet":
        """A file of fields as a PyVista grid: by default the last one."""
        package = _need("pyvista", "fields")
        files = self.field_files
        if not files:
            raise FileNotFoundError(f"{self.directory}/fields: no files; ask for them with outputs.fields")
        grid: pyvista.DataSet = package.read(files[which])
        return grid

    def plot(self, kind: Optional[str] = None, *, reference: Optional[PathLike] = None, view: Optional[Tuple[float, ...]] = None,
             db: bool = False, limits: Optional[Tuple[float, float]] = None, full_circle: bool = False) -> "matplotlib.figure.Figure":
        """A picture as tetrawave-plot draws it: kind is s, smith, delay, tdr, probes, energy, pattern, pattern3d, ports, ..
        (default: the first that the run has). The options are those of the program."""
        package = importlib.import_module("matplotlib")  # tetrawave-plot, where it is missing, would look for another Python
        program = _plot_program()
        pyplot = program.plt
        options = argparse.Namespace(wanted=kind, view=view, db=db, limits=limits, full_circle=full_circle)
        with program.open_results(self._path) as file, pyplot.rc_context(program.STYLE):
            chosen = program.choose(file, kind)
            figure: matplotlib.figure.Figure = program.draw(file, chosen, options, program.read_reference(str(reference)) if reference else None)
            figure.canvas.draw()  # under this style
            interactive = package.is_interactive()  # set by a notebook's backend, which the first figure has loaded
        package.interactive(interactive)
        pyplot.close(figure)  # shown as the value of a cell, and not once more by pyplot
        return figure


def _plot_program() -> Any:
    """tetrawave-plot as a module."""
    name = "tetrawave._plot"
    if name not in sys.modules:
        loader = SourceFileLoader(name, str(programs.data("tetrawave-plot")))
        spec = importlib.util.spec_from_loader(name, loader)
        assert spec
        module = importlib.util.module_from_spec(spec)
        path, writes = list(sys.path), sys.dont_write_bytecode
        try:
            loader.exec_module(module)
        finally:
            sys.path[:], sys.dont_write_bytecode = path, writes
        sys.modules[name] = module
    return sys.modules[name]
