"""A case: what the program reads from a YAML file."""

import copy
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, Mapping, Optional, Tuple, Union

from .errors import CaseError
from .schema import Map, plain, resolved, schema

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .case_types import CaseDict, CaseKeys
else:
    CaseKeys = Map

PathLike = Union[str, "os.PathLike[str]"]
GEOMETRY = "gmsh:current"  # stands for the mesh file until a run writes it


def _loader() -> Any:
    """PyYAML with the numbers and the true and false of YAML 1.2, as the program reads them."""
    import yaml

    class Loader(yaml.SafeLoader):
        """1e-6 is a number, yes and no are texts."""

    kept = {first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":bool", ":float"))]
            for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}
    Loader.yaml_implicit_resolvers = kept
    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
    number = re.compile(r"^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$")
    Loader.add_implicit_resolver("tag:yaml.org,2002:float", number, list("-+.0123456789"))
    return Loader


class Case(CaseKeys):
    """A case, as a map of its keys (config/REFERENCE.md). It is a dict whose keys are attributes, too; each key and value
    is checked against the schema as it is set.

    case: a dict with the keys of a case file, keyword arguments in addition. base: the folder of relative file names
    (default: the working directory). Raises CaseError where a key or value is not allowed.

    >>> case = Case(units="mm", mesh={"box": {"size": [10, 10, 20], "cells": [4, 4, 8]}})
    >>> case.materials.ptfe = {"eps_r": 2.1}
    >>> case.regions = {"box": "ptfe"}
    >>> case.ports.append({"name": "p1", "boundary": "z0", "type": "rectangular-waveguide"})
    >>> case.outputs.s_parameters = {"start": "1 GHz", "stop": "10 GHz", "points": 91}
    >>> case["ports"][0].type
    'rectangular-waveguide'
    >>> case.output = {}
    Traceback (most recent call last):
    tetrawave.errors.CaseError: case: unknown key 'output' (did you mean 'outputs'?); allowed: title, mode, ...
    """

    _base: Path

    def __init__(self, case: "Optional[Union[CaseDict, Mapping[str, Any]]]" = None, *, base: PathLike = ".",
                 **keys: "Unpack[CaseDict]"):
        super().__init__({}, schema(), "")  # type: ignore[call-overload]  # of Map
        object.__setattr__(self, "_base", Path(base).absolute())
        self.update({**(case or {}), **keys})

    @classmethod
    def read(cls, path: PathLike) -> "Case":
        """The case of a YAML file. Relative file names in it stay relative to the file.

        Raises FileNotFoundError, and CaseError where the file is not a map or a key is not allowed.
        """
        import yaml

        path = Path(path)
        try:
            found = yaml.load(path.read_text(encoding="utf-8"), Loader=_loader())
        except yaml.YAMLError as error:
            raise CaseError(f"{path}: {error}") from None
        if not isinstance(found, dict):
            raise CaseError(f"{path}: a case is a map of keys")
        return cls(found, base=path.parent)

    @property
    def base(self) -> Path:
        """The folder of relative file names."""
        return self._base

    def copy(self) -> "Case":
        """A copy that shares nothing with this case."""
        return Case(plain(self), base=self._base)

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Case":
        return self.copy()

    def to_dict(self) -> Dict[str, Any]:
        """The case as plain dicts and lists, with absolute file names."""
        found: Dict[str, Any] = copy.deepcopy(plain(self))
        for owner, key in _files(found, schema()):
            if not os.path.isabs(owner[key]) and owner[key] != GEOMETRY:
                owner[key] = os.path.normpath(os.path.join(str(self._base), owner[key]))
        return found

    def to_yaml(self) -> str:
        """The case as the text of a case file, with absolute file names."""
        import yaml

        return yaml.safe_dump(self.to_dict(), sort_keys=False, default_flow_style=None, allow_unicode=True, width=110)

    def write(self, path: PathLike) -> None:
        """Writes a case file that `tetrawave run` takes."""
        if self.get("mesh", {}).get("file") == GEOMETRY:
            raise ValueError("this case's mesh is a model in Gmsh's memory: write it with gmsh.write(..), and give mesh.file")
        Path(path).write_text(self.to_yaml(), encoding="utf-8")


def _files(value: Any, node: Dict[str, Any]) -> Iterator[Tuple[Any, Any]]:
    """(map, key) of every file name in a case; which keys are file names, the schema says."""
    node = resolved(node)
    if isinstance(value, dict):
        if "x-select" in node:
            branches = (resolved(branch) for branch in node["oneOf"])
            node = next((b for b in branches if b["properties"][node["x-select"]].get("const") == value.get(node["x-select"])), {})
        for key in value:
            child = node.get("properties", {}).get(key, node.get("additionalProperties"))
            child = resolved(child) if isinstance(child, dict) else {}
            if child.get("format") == "file" and isinstance(value[key], str):
                yield value, key
            else:
                yield from _files(value[key], child)
    elif isinstance(value, list):
        for item in value:
            yield from _files(item, node.get("items", {}))


def geometry() -> Dict[str, str]:
    """The model that is current in Gmsh's Python module, as the `mesh` of a case: a run meshes it where it is not meshed
    yet, and keeps the mesh in its directory. Regions and boundaries are the names of its physical groups.

        import gmsh
        gmsh.initialize()
        box = gmsh.model.occ.addBox(0, 0, 0, 20, 10, 40)
        gmsh.model.occ.synchronize()
        gmsh.model.addPhysicalGroup(3, [box], name="guide")
        case = tw.Case(units="mm", mesh=tw.geometry(), regions={"guide": "air"}, ..)

    Use it as the whole `mesh`, since size, parameters and order belong to the model. Raises ValueError where Gmsh is not
    initialised.
    """
    import gmsh

    if not gmsh.isInitialized():
        raise ValueError("Gmsh is not initialised: call gmsh.initialize() and build a model with physical groups")
    return {"file": GEOMETRY}


def write_geometry(path: Path, dimension: int) -> None:
    """Meshes Gmsh's current model, as tetrawave-mesh would, where it has no mesh, and writes it as a .msh file."""
    import gmsh

    if not gmsh.isInitialized():
        raise ValueError("the case's mesh is Gmsh's current model, but Gmsh is finalised: run before gmsh.finalize()")
    if not gmsh.model.getPhysicalGroups(dimension):
        raise CaseError("mesh: Gmsh's current model has no named physical volume: gmsh.model.addPhysicalGroup(3, .., name=..)"
                        if dimension == 3 else "mesh: Gmsh's current model has no named physical surface")
    if not len(gmsh.model.mesh.getElementTypes(dimension)):
        # One thread and no HXT, so that the same model gives the same mesh (REFERENCE, mesh.file).
        for name in ("General.NumThreads", "Mesh.MaxNumThreads1D", "Mesh.MaxNumThreads2D", "Mesh.MaxNumThreads3D"):
            gmsh.option.setNumber(name, 1)
        if gmsh.option.getNumber("Mesh.Algorithm3D") == 10:
            gmsh.option.setNumber("Mesh.Algorithm3D", 1)
        gmsh.model.mesh.generate(dimension)
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.write(str(path))
