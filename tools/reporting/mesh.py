"""A mesh as what is seen of it: groups and regions as surfaces, edges of sheets, quality; for the page's viewer."""

import base64
from pathlib import Path

import numpy as np

from plotting.base import BAD_DATA, Failure, open_results

MOST_TRIANGLES = 30_000  # of all surfaces that the page holds
FEATURE_DEGREES = 35
LARGEST_QUALITY = 3_000_000  # elements
SIDES = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))


def names_in(file, key):
    return [n.decode() if isinstance(n, bytes) else str(n) for n in (file[key][()] if key in file else [])]


class Mesh:
    """nodes [n, 3] m, cells [ne, 4 or 3] (corners), region [ne], faces [nf, 3 or 2], group [nf], with names."""

    def __init__(self, path):
        self.path = Path(path)
        with open_results(path) as file:
            self.plane = "triangles" in file
            cells, faces = ("triangles", "edges") if self.plane else ("tetrahedra", "faces")
            if cells not in file or "nodes" not in file:
                raise Failure(BAD_DATA, f"{path}: not a mesh of Tetrawave")
            self.nodes = file["nodes"][()].astype(float)
            if self.nodes.shape[1] == 2:
                self.nodes = np.column_stack((self.nodes, np.zeros(len(self.nodes))))
            self.order = 1 if file[cells].shape[1] == (3 if self.plane else 4) else 2
            self.cells = file[cells][()][:, : 3 if self.plane else 4].astype(np.int64)
            self.region = file["region"][()]
            self.faces = file[faces][()][:, : 2 if self.plane else 3].astype(np.int64) if faces in file else np.zeros((0, 3), np.int64)
            self.group = file["face_group"][()] if "face_group" in file else np.zeros(0, int)
            self.region_names, self.group_names = names_in(file, "region_names"), names_in(file, "group_names")

    def keys(self, sides):
        """Sorted corners as one number, the same for the same side."""
        corners = np.sort(sides, axis=1)
        count = np.int64(len(self.nodes))
        if len(self.nodes) > 2_000_000 and sides.shape[1] == 3:
            return None
        key = corners[:, 0]
        for k in range(1, corners.shape[1]):
            key = key * count + corners[:, k]
        return key

    def shells(self):
        """(outer sides of the mesh, for every region its sides to other regions): arrays of corners."""
        sides = np.concatenate([self.cells[:, list(side)] for side in SIDES])
        owner = np.tile(self.region, 4)
        key = self.keys(sides)
        if key is None:
            return np.zeros((0, 3), np.int64), {}
        order = np.argsort(key, kind="stable")
        same = key[order][1:] == key[order][:-1]
        twin = np.r_[same, False] | np.r_[False, same]
        outer = order[~twin]
        first = order[:-1][same]
        second = order[1:][same]
        border = owner[first] != owner[second]
        between = {}
        for r in range(len(self.region_names)):
            chosen = border & ((owner[first] == r) | (owner[second] == r))
            between[r] = np.concatenate((sides[first[chosen]], sides[outer[owner[outer] == r]]))
        return sides[outer], between

    def ungrouped(self, outer):
        """Outer sides that belong to no group."""
        if not len(outer):
            return outer
        return outer[~np.isin(self.keys(outer), self.keys(self.faces))] if len(self.faces) else outer

    def quality(self):
        """(radius ratios, smallest dihedral angles in degrees or None, longest edges in m)."""
        corner = self.nodes[self.cells]
        pairs = [(a, b) for a in range(corner.shape[1]) for b in range(a)]
        edges = np.stack([np.linalg.norm(corner[:, a] - corner[:, b], axis=1) for a, b in pairs], axis=1)
        if self.plane:
            s = edges.sum(axis=1) / 2
            area = np.sqrt(np.maximum(s * np.prod(s[:, None] - edges, axis=1), 0))
            return 8 * area**2 / np.maximum(s * np.prod(edges, axis=1), 1e-300), None, edges.max(axis=1)
        d = corner[:, 1:] - corner[:, :1]
        volume = np.abs(np.einsum("ij,ij->i", d[:, 0], np.cross(d[:, 1], d[:, 2]))) / 6
        normals = [np.cross(corner[:, b] - corner[:, a], corner[:, c] - corner[:, a]) for a, b, c in SIDES]
        area = sum(np.linalg.norm(n, axis=1) for n in normals) / 2
        inner = 3 * volume / area
        weighted = (
            (d[:, 0] ** 2).sum(1)[:, None] * np.cross(d[:, 1], d[:, 2])
            + (d[:, 1] ** 2).sum(1)[:, None] * np.cross(d[:, 2], d[:, 0])
            + (d[:, 2] ** 2).sum(1)[:, None] * np.cross(d[:, 0], d[:, 1])
        )
        outer = np.linalg.norm(weighted, axis=1) / (12 * volume)
        away = [n * np.sign(np.einsum("ij,ij->i", n, corner[:, side[0]] - corner[:, k]))[:, None] for k, (n, side) in enumerate(zip(normals, SIDES))]
        units = [n / np.linalg.norm(n, axis=1)[:, None] for n in away]
        angles = [np.degrees(np.arccos(np.clip(-np.einsum("ij,ij->i", units[a], units[b]), -1, 1))) for a in range(4) for b in range(a)]
        return 3 * inner / outer, np.min(angles, axis=0), edges.max(axis=1)


def edges_of(triangles):
    """(edges [n, 2] with lower node first, number of triangles at each, one triangle at each)."""
    every = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [0, 2]]]), axis=1)
    edges, first, count = np.unique(every, axis=0, return_index=True, return_counts=True)
    return edges, count, first % len(triangles), every


def feature_edges(nodes, triangles):
    """Rims, and edges between triangles at an angle."""
    if not len(triangles):
        return np.zeros((0, 2), np.int64)
    edges, count, _, every = edges_of(triangles)
    normal = np.cross(nodes[triangles[:, 1]] - nodes[triangles[:, 0]], nodes[triangles[:, 2]] - nodes[triangles[:, 0]])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
    order = np.lexsort((every[:, 1], every[:, 0]))
    owner = np.tile(np.arange(len(triangles)), 3)[order]
    start = np.r_[0, np.cumsum(count)[:-1]]
    twice = count == 2
    cosine = np.abs(np.einsum("ij,ij->i", normal[owner[start[twice]]], normal[owner[start[twice] + 1]]))
    sharp = np.zeros(len(edges), bool)
    sharp[np.flatnonzero(twice)[cosine < np.cos(np.radians(FEATURE_DEGREES))]] = True
    return edges[(count != 2) | sharp]


def sheet_edges(metal, outer):
    """Edges at which sheets of metal end inside the mesh: of one metal triangle, and of no outer side."""
    if not len(metal):
        return np.zeros((0, 2), np.int64)
    edges, count, _, _ = edges_of(metal)
    free = edges[count == 1]
    if not len(outer) or not len(free):
        return free
    top = np.int64(max(free.max(), outer.max()) + 1)
    walls = edges_of(outer)[0]
    return free[~np.isin(free[:, 0] * top + free[:, 1], walls[:, 0] * top + walls[:, 1])]


def coarsened(nodes, parts, most):
    """Surfaces of at most about `most` triangles, by merging the nodes within cells of a grid."""
    total = sum(len(part) for part in parts)
    if total <= most:
        return nodes, parts, False
    low, span = nodes.min(axis=0), np.ptp(nodes, axis=0).max()
    cells = 400
    while True:
        place = np.round((nodes - low) / span * cells).astype(np.int64)
        key = (place[:, 0] * 4096 + place[:, 1]) * 4096 + place[:, 2]
        _, first, merged = np.unique(key, return_index=True, return_inverse=True)
        fewer = []
        for part in parts:
            t = np.sort(merged[part], axis=1)
            t = t[(t[:, 0] != t[:, 1]) & (t[:, 1] != t[:, 2])]
            fewer.append(np.unique(t, axis=0))
        if sum(len(part) for part in fewer) <= most or cells < 5:
            return nodes[first], fewer, True
        cells = int(cells * 0.8)


def packed(values, kind):
    return base64.b64encode(np.ascontiguousarray(values, dtype=kind).tobytes()).decode()


COLOURS = {
    "pec": "metal",
    "conductor": "metal",
    "impedance": "film",
    "pmc": "mirror",
    "absorbing": "open",
    "integral-equation": "open",
    "pml": "open",
    "port": "port",
    "periodic": "mirror",
    "potential": "port",
}


def look_of(role):
    return COLOURS.get(role.split()[0] if role else "", "bare")


class Part:
    """A surface of the picture. look: metal, film, mirror, open, port, medium, bare; shown: filled at first."""

    def __init__(self, name, triangles, look, shown, lines=None):
        self.name, self.triangles, self.look, self.shown, self.lines = name, triangles, look, shown, lines

    def edges(self, nodes):
        return feature_edges(nodes, self.triangles) if self.lines is None else self.lines


NOTHING = np.zeros((0, 3), np.int64)


def encloses(nodes, part):
    """Whether a surface reaches all round the mesh, so that it would hide what is inside."""
    if not len(part.triangles):
        return False
    own = np.ptp(nodes[part.triangles.ravel()], axis=0)
    return bool((own > 0.98 * np.ptp(nodes, axis=0)).sum() >= 2 and len(np.unique(part.triangles)) > 8)


def parts_of(mesh, roles, default, vacuum):
    """The surfaces of a mesh. vacuum: names of regions that are not drawn."""
    if mesh.plane:
        parts = [Part(name, mesh.cells[mesh.region == r], f"medium{r % 4}", True) for r, name in enumerate(mesh.region_names)]
        for g, name in enumerate(mesh.group_names):
            parts.append(Part(name, NOTHING, look_of(roles.get(name, "")), True, mesh.faces[mesh.group == g]))
        return parts, None
    outer, between = mesh.shells()
    parts = []
    for g, name in enumerate(mesh.group_names):
        look = look_of(roles.get(name, ""))
        parts.append(Part(name, mesh.faces[mesh.group == g], look, look in ("metal", "film", "port")))
    rest = mesh.ungrouped(outer)
    if len(rest):
        parts.append(Part("outer faces without a group", rest, "bare" if default != "pec" else "ground", False))
    for r, name in enumerate(mesh.region_names):
        if name not in vacuum:
            parts.append(Part(name, between.get(r, NOTHING), f"medium{r % 4}", True))
    inside = [part for part in parts if part.shown and part.look != "port" and (part.look.startswith("medium") or not encloses(mesh.nodes, part))]
    for part in parts:
        if inside and part.look in ("metal", "film") and encloses(mesh.nodes, part):
            part.shown = False
    return parts, outer


def viewer_data(mesh, parts, outer):
    """What page.js draws: nodes as 16-bit numbers, triangles and lines of every part."""
    used = np.unique(np.concatenate([x.ravel() for part in parts for x in (part.triangles, part.edges(mesh.nodes))] or [NOTHING.ravel()]))
    if not used.size:
        return None
    place = np.full(len(mesh.nodes), -1, np.int64)
    place[used] = np.arange(used.size)
    nodes = mesh.nodes[used]
    metal = [part.triangles for part in parts if part.look in ("metal", "film")]
    rims = sheet_edges(np.concatenate(metal), outer) if metal and outer is not None else np.zeros((0, 2), np.int64)
    lines = [place[part.edges(mesh.nodes)] for part in parts]
    points = np.concatenate([mesh.nodes[rims].reshape(-1, 3), *[nodes[line].reshape(-1, 3) for line in lines]])
    fewer, triangles, is_coarse = coarsened(nodes, [place[part.triangles] for part in parts], MOST_TRIANGLES)
    low, high = nodes.min(axis=0), nodes.max(axis=0)
    scale = 32000 / max((high - low).max(), 1e-300)

    def whole(values):
        return packed(np.round((values - (low + high) / 2) * scale), "<i2")

    starts = np.cumsum([2 * len(rims)] + [2 * len(line) for line in lines])
    data = {
        "v": whole(fewer),
        "l": whole(points),
        "size": [float(x) for x in high - low],
        "plane": mesh.plane,
        "rims": int(2 * len(rims)),
        "parts": [
            {"name": part.name, "look": part.look, "shown": part.shown, "t": packed(t, "<u4"), "l": [int(starts[k]), int(starts[k + 1])]}
            for k, (part, t) in enumerate(zip(parts, triangles))
        ],
    }
    return data, is_coarse, rims
