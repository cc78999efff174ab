"""Maps and lists that know the schema of the case file: every key and value is checked when it is set.

The schema is read at run time, so that this module knows exactly the keys that the program knows. What concerns several
keys (a region without material, a time step too long) is the program's to check.
"""

import difflib
import functools
import json
import numbers
import operator
import re
from typing import Any, Dict, Iterable, List, NoReturn, Optional, SupportsIndex, Tuple, Union

from . import programs
from .errors import CaseError, Place

_QUANTITY = re.compile(r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*(?P<unit>.*?)\s*$")


@functools.lru_cache(maxsize=None)
def schema() -> Dict[str, Any]:
    """The schema of the case file."""
    found: Dict[str, Any] = json.loads(programs.data("case.schema.json").read_text(encoding="utf-8"))
    return found


def resolved(node: Dict[str, Any]) -> Dict[str, Any]:
    """A schema with its $ref merged in; what stands beside the $ref goes before."""
    if "$ref" not in node:
        return node
    target = resolved(schema()["$defs"][node["$ref"].split("/")[-1]])
    return {**target, **{key: value for key, value in node.items() if key != "$ref"}}


def refuse(path: str, text: str) -> NoReturn:
    """Raises CaseError: `text` is wrong at the key `path`."""
    raise CaseError(f"{path or 'case'}: {text}", places=[Place("", None, None, path, text)])


def _words(names: Iterable[Any]) -> str:
    return ", ".join(str(name) for name in names)


def _unknown(path: str, what: str, name: str, known: List[str]) -> None:
    near = difflib.get_close_matches(name, known, 1)
    refuse(path, f"{what} {name!r}" + (f" (did you mean {near[0]!r}?)" if near else "") + f"; allowed: {_words(known)}")


def _plain(value: Any) -> Any:
    """numpy's numbers and arrays, paths and tuples as Python's own."""
    if hasattr(value, "tolist") and not isinstance(value, (list, dict)):
        return value.tolist()
    if hasattr(value, "__fspath__"):
        return value.__fspath__()
    return list(value) if isinstance(value, tuple) else value


def _branch(node: Dict[str, Any], value: Dict[str, Any], path: str) -> Dict[str, Any]:
    """The alternative of a map with `x-select` that the value of its selecting key names."""
    select = node.get("x-select")
    if not select:
        return node
    branches = {branch["properties"][select]["const"]: branch for branch in map(resolved, node["oneOf"])}
    if select not in value:
        refuse(path, f"{select} is missing; allowed: {_words(branches)}")
    if value[select] not in branches:
        _unknown(f"{path}.{select}", "unknown value", str(value[select]), list(branches))
    return branches[value[select]]


_TYPES = {"object": "a map", "array": "a list", "string": "a text", "boolean": "true or false", "number": "a number",
          "integer": "a whole number"}


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, numbers.Integral):
        return "integer"
    return "number" if isinstance(value, numbers.Real) else "string" if isinstance(value, str) else type(value).__name__


def _check_quantity(value: str, node: Dict[str, Any], path: str) -> None:
    dimension = node["x-dimension"]
    units = schema()["x-units"][dimension]
    found = _QUANTITY.match(value)
    if not found or found["unit"] and found["unit"] not in units:
        refuse(path, f"expected a {dimension.replace('-', ' ')}, found {value!r}; allowed units: {_words(units)}")


def _check_bounds(value: float, node: Dict[str, Any], path: str) -> None:
    for key, holds, text in (("minimum", operator.ge, "at least"), ("maximum", operator.le, "at most"),
                             ("exclusiveMinimum", operator.gt, "above"), ("exclusiveMaximum", operator.lt, "below")):
        if key in node and not holds(value, node[key]):
            refuse(path, f"{value!r} is not allowed: it must be {text} {node[key]}")


def checked(value: Any, node: Dict[str, Any], path: str) -> Any:
    """`value` with maps and lists as those below, after a check against the schema `node`; `path` is for messages.

    Raises CaseError with the dotted path of the key, what was found, and what is allowed.

    >>> checked("20 GHz", {"type": ["number", "string"], "x-dimension": "frequency"}, "f")
    '20 GHz'
    >>> checked("20 ns", {"type": ["number", "string"], "x-dimension": "frequency"}, "frequency.start")
    Traceback (most recent call last):
    tetrawave.errors.CaseError: frequency.start: expected a frequency, found '20 ns'; allowed units: Hz, kHz, MHz, GHz, THz
    """
    node = resolved(node)
    value = _plain(value)
    kind = _kind(value)
    if "enum" in node or "const" in node:
        allowed = node.get("enum", [node.get("const")])
        if not any(value == name and isinstance(value, bool) == isinstance(name, bool) for name in allowed):
            if "const" in node:  # the key that selects the other keys of this map
                refuse(path, f"it cannot change from {node['const']!r}, found {value!r}: put a new map in place of this one")
            _unknown(path, "unknown value", str(value), [str(name) for name in allowed])
        return value
    types = node.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and kind not in types and not (kind == "integer" and "number" in types):
        refuse(path, f"expected {' or '.join(_TYPES[name] for name in types)}, found {value!r}")
    if kind == "object":
        return Map(value, _branch(node, value, path), path)
    if kind == "array":
        return List_(value, node.get("items", {}), path)
    if kind == "string" and "x-dimension" in node:
        _check_quantity(value, node, path)
    if kind in ("integer", "number"):
        _check_bounds(value, node, path)
    return value


class Map(Dict[str, Any]):
    """A map of the case. Keys are attributes, too, and are checked against the schema; `dir()` and editors' completion
    have those that are allowed here. A map or list that is not there yet appears when something is put into it.

    >>> import tetrawave as tw
    >>> case = tw.Case(units="mm")
    >>> case.method.basis = "full-2"
    >>> case
    {'units': 'mm', 'method': {'basis': 'full-2'}}
    >>> case.method.basis = "full-9"
    Traceback (most recent call last):
    tetrawave.errors.CaseError: method.basis: unknown value 'full-9' (did you mean 'full-4'?); allowed: mixed-1, full-1, mixed-2, full-2, mixed-3, full-3, full-4
    """

    def __init__(self, values: Dict[str, Any], node: Dict[str, Any], path: str, owner: "Optional[Tuple[Map, str]]" = None):
        super().__init__()
        object.__setattr__(self, "_node", node)
        object.__setattr__(self, "_path", path)
        object.__setattr__(self, "_owner", owner)
        for key, value in values.items():
            self[key] = value

    def _child(self, key: Any) -> Tuple[Dict[str, Any], str]:
        node, path = self._node, f"{self._path}.{key}" if self._path else str(key)
        if not isinstance(key, str):
            refuse(self._path, f"keys are texts, found {key!r}")
        if key in node.get("properties", {}):
            return node["properties"][key], path
        if isinstance(node.get("additionalProperties"), dict):
            return node["additionalProperties"], path
        if node.get("additionalProperties") is False or "properties" in node:
            _unknown(self._path, "unknown key", key, list(node.get("properties", {})))
        return {}, path

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, checked(value, *self._child(key)))
        if self._owner is not None:
            owner, name = self._owner
            object.__setattr__(self, "_owner", None)
            dict.__setitem__(owner, name, self)

    def update(self, *values: Any, **keys: Any) -> None:
        for key, value in dict(*values, **keys).items():
            self[key] = value

    def setdefault(self, key: str, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self:
            return self[name]
        node, path = resolved(self._node.get("properties", {}).get(name, {})), f"{self._path}.{name}" if self._path else name
        if node.get("type") == "object" and "x-select" not in node:
            return Map({}, node, path, (self, name))
        if node.get("type") == "array":
            return List_([], node.get("items", {}), path, (self, name))
        if name in self._node.get("properties", {}):
            raise AttributeError(f"{self._path or 'case'}.{name} is not set")
        raise AttributeError(f"{self._path or 'case'} has no key {name!r}; allowed: {_words(self._node.get('properties', {}))}")

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        del self[name]

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self._node.get("properties", {}), *(key for key in self if key.isidentifier())})

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Map":
        return type(self)(plain(self), self._node, self._path)

    def __reduce__(self) -> Tuple[Any, ...]:
        return dict, (plain(self),)


class List_(List[Any]):
    """A list of the case, whose items are checked as they are added."""

    def __init__(self, values: Iterable[Any], node: Dict[str, Any], path: str, owner: Optional[Tuple[Map, str]] = None):
        super().__init__()
        self._node, self._path, self._owner = node, path, owner
        self.extend(values)

    def append(self, value: Any) -> None:
        super().append(checked(value, self._node, f"{self._path}.{len(self)}"))
        if self._owner is not None:
            (owner, name), self._owner = self._owner, None
            dict.__setitem__(owner, name, self)

    def extend(self, values: Iterable[Any]) -> None:
        for value in values:
            self.append(value)

    def __iadd__(self, values: Iterable[Any]) -> "List_":  # type: ignore[misc]
        self.extend(values)
        return self

    def insert(self, index: SupportsIndex, value: Any) -> None:
        super().insert(index, checked(value, self._node, f"{self._path}.{index}"))

    def __setitem__(self, index: Union[SupportsIndex, slice], value: Any) -> None:
        if isinstance(index, slice):
            value = [checked(item, self._node, self._path) for item in value]
        else:
            value = checked(value, self._node, f"{self._path}.{index}")
        super().__setitem__(index, value)

    def __reduce__(self) -> Tuple[Any, ...]:
        return list, (plain(self),)


def plain(value: Any) -> Any:
    """Maps and lists as Python's own, all the way down."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value
