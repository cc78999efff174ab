"""Ports of a case, by their type: a function for each type that the schema has, with its keys.

>>> import tetrawave as tw
>>> case = tw.Case(ports=[tw.ports.coaxial("p1", "port1_face", excite={}), tw.ports.coaxial("p2", "port2_face")])
>>> case.ports.append(tw.ports.lumped("p3", "gap", resistance="50 ohm", direction=[0, 0, 1]))
>>> case.ports[0]
{'type': 'coaxial', 'name': 'p1', 'boundary': 'port1_face', 'excite': {}}
>>> dir(tw.ports)
['coaxial', 'lumped', 'parallel_plate', 'rectangular_waveguide', 'tem']

Keys that a type needs may also stand without their names, in the order of the reference; `help(tw.ports.coaxial)` lists
them all. Raises CaseError where one is missing, unknown, or has a value that is not allowed.
"""

import inspect
import textwrap
from typing import Any, Callable, Dict, List

from .schema import Map, checked, refuse, resolved, schema


def _types() -> Dict[str, Dict[str, Any]]:
    """The schema of each type of port, by the name of its function."""
    found = map(resolved, resolved(schema()["properties"]["ports"]["items"])["oneOf"])
    return {node["properties"]["type"]["const"].replace("-", "_"): node for node in found}


def __getattr__(name: str) -> Callable[..., Map]:
    node = None if name.startswith("_") else _types().get(name)
    if node is None:
        raise AttributeError(f"tetrawave.ports has no type {name!r}; it has {', '.join(__dir__())}")
    kind, needed = node["properties"]["type"]["const"], [key for key in node["required"] if key != "type"]

    def port(*values: Any, **keys: Any) -> Map:
        if len(values) > len(needed):
            raise TypeError(f"{name}() takes {', '.join(needed)} without names, and {len(values)} values were given")
        given = {"type": kind, **dict(zip(needed, values)), **keys}
        for key in needed:
            if key not in given:
                refuse(f"port {kind}", f"{key} is missing")
        found: Map = checked(given, node, f"port {kind}")
        return found

    others = [key for key in node["properties"] if key not in needed and key != "type"]
    port.__name__ = port.__qualname__ = name
    port.__doc__ = f"{node['description']}\n\n" + "\n".join(_lines(node, key) for key in (*needed, *others))
    either, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    port.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(key, either) for key in needed] + [inspect.Parameter(key, named, default=None) for key in others])
    return port


def _lines(node: Dict[str, Any], key: str) -> str:
    text = f"{key}: {resolved(node['properties'][key]).get('description', '')}"
    return textwrap.fill(text, 110, subsequent_indent="    ")


def __dir__() -> List[str]:
    return sorted(_types())
