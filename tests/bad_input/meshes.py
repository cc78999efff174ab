"""Small meshes in Tetrawave's HDF5 format, right and wrong ones, by name: MESHES[name](path)."""

import itertools
import math

import h5py
import numpy

# The six paths along the edges of a hexahedron from its lowest to its highest corner (Kuhn).
PATHS = list(itertools.permutations(range(3)))


def cut_grid(cells, periodic=None):
    """Tetrahedra of a grid of hexahedra, as tuples of grid points (i, j, k)."""
    def corner(point):
        return tuple(c % n if axis == periodic else c for axis, (c, n) in enumerate(zip(point, cells)))

    for cell in itertools.product(*map(range, cells)):
        for path in PATHS:
            points = [list(cell)]
            for axis in path:
                points.append(points[-1].copy())
                points[-1][axis] += 1
            yield [corner(point) for point in points]


def build(cells, place, names, periodic=None, region_of=lambda points: 0, regions=("air",), inner=None):
    """The data sets of a mesh. names: per axis, the groups of its two ends; place: grid point to metres; inner: axis,
    grid plane and group of faces between elements."""
    elements = list(cut_grid(cells, periodic))
    points = sorted({point for element in elements for point in element})
    number = {point: n for n, point in enumerate(points)}
    uses = {}
    for element in elements:
        for face in itertools.combinations(element, 3):
            uses.setdefault(frozenset(face), []).append(face)
    groups = [name for pair in names for name in pair or ()]
    faces, face_group = [], []
    for face in (found[0] for found in uses.values() if len(found) == 1):
        axis, end = next((a, e) for a, pair in enumerate(names) if pair for e in range(2)
                         if all(p[a] == e * cells[a] for p in face))
        faces.append([number[p] for p in face])
        face_group.append(groups.index(names[axis][end]))
    if inner:
        axis, plane, name = inner
        groups.append(name)
        sheet = [found[0] for found in uses.values() if len(found) == 2 and all(p[axis] == plane for p in found[0])]
        faces += [[number[p] for p in face] for face in sheet]
        face_group += [len(groups) - 1] * len(sheet)
    return {
        "nodes": numpy.array([place(p) for p in points], float),
        "tetrahedra": numpy.array([[number[p] for p in element] for element in elements], numpy.int64),
        "region": numpy.array([region_of(element) for element in elements], numpy.int32),
        "region_names": numpy.array(list(regions), "S"),
        "faces": numpy.array(faces, numpy.int64),
        "face_group": numpy.array(face_group, numpy.int32),
        "group_names": numpy.array(groups, "S"),
    }


def cube():
    """48 elements in the unit cube, region air, groups x0 to z1."""
    return build((2, 2, 2), lambda p: [c / 2 for c in p], [("x0", "x1"), ("y0", "y1"), ("z0", "z1")])


def line(**regions):
    """A coaxial line along z, radii 1 and 2 mm, 2 mm long: groups inner, outer, end0, end1."""
    def place(point):
        radius, angle = (1 + point[0]) * 1e-3, 2 * math.pi * point[1] / 12
        return [radius * math.cos(angle), radius * math.sin(angle), point[2] * 1e-3]

    return build((1, 12, 2), place, [("inner", "outer"), None, ("end0", "end1")], periodic=1, **regions)


def half_filled_line():
    """The line with region ring where the angle is below a half turn, which both ports touch."""
    return line(region_of=lambda points: int(max(p[1] for p in points) <= 6), regions=("air", "ring"))


def two_layers():
    """Cubes of 10 mm, 3 by 3 by 6, regions front (the first two layers along z) and total, groups x0 to z1."""
    return build((3, 3, 6), lambda p: [0.01 * c for c in p], [("x0", "x1"), ("y0", "y1"), ("z0", "z1")],
                 region_of=lambda points: int(max(p[2] for p in points) > 2), regions=("front", "total"))


def cells():
    """Nine unit cells of a hexahedron each, 1 m wide, regions cell.air in the middle and air around it, groups port (the
    floor of the middle cell), floor and outside."""
    names = [("outside", "outside"), ("outside", "outside"), ("floor", "outside")]
    data = build((3, 3, 1), lambda p: [float(c) for c in p], names, regions=("air", "cell.air"),
                 region_of=lambda points: int(all(1 <= c <= 2 for p in points for c in p[:2])))
    groups = list(data["group_names"])
    data["face_group"] = numpy.array([(b"floor", b"outside").index(groups[g]) + 1 for g in data["face_group"]], numpy.int32)
    data["group_names"] = numpy.array(["port", "floor", "outside"], "S")
    middle = data["nodes"][data["faces"]].mean(axis=1)
    on_port = (middle[:, 2] == 0) & (abs(middle[:, 0] - 1.5) < 0.5) & (abs(middle[:, 1] - 1.5) < 0.5)
    data["face_group"][on_port] = 0
    return data


def shells(hole=2):
    """Cubes of 0.06, 0.18 and 0.3 m about each other, the first one a hole (from grid plane `hole` of x on), groups hole,
    inner, outer; and the group plate, a square of the faces of inner."""
    ranges = ((hole, 3), (2, 3), (2, 3))
    elements = [e for e in cut_grid((5, 5, 5)) if not all(low <= c <= high for p in e for c, (low, high) in zip(p, ranges))]
    uses = {}
    for element in elements:
        for face in itertools.combinations(element, 3):
            uses[frozenset(face)] = face
    faces, face_group = [], []
    for face in uses.values():
        for group, (low, high) in enumerate(((2, 3), (1, 4), (0, 5))):
            box = ranges if group == 0 else ((low, high),) * 3
            in_plane = any(all(p[axis] == end for p in face) for axis in range(3) for end in box[axis])
            if in_plane and all(low <= c <= high for p in face for c, (low, high) in zip(p, box)):
                faces.append(face)
                face_group.append(3 if group == 1 and all(p[2] == 4 and 2 <= c <= 3 for p in face for c in p[:2]) else group)
    points = sorted({point for element in elements for point in element})
    number = {point: n for n, point in enumerate(points)}
    return {
        "nodes": numpy.array([[0.06 * c - 0.15 for c in p] for p in points]),
        "tetrahedra": numpy.array([[number[p] for p in element] for element in elements], numpy.int64),
        "region": numpy.zeros(len(elements), numpy.int32),
        "region_names": numpy.array(["air"], "S"),
        "faces": numpy.array([[number[p] for p in face] for face in faces], numpy.int64),
        "face_group": numpy.array(face_group, numpy.int32),
        "group_names": numpy.array(["hole", "inner", "outer", "plate"], "S"),
    }


def shells_in_two_regions(path):
    """Region half ends at the plane of the hole's face of lowest x."""
    data = shells()
    data["face_group"][data["face_group"] == 3] = 1
    data["region"][(data["nodes"][data["tetrahedra"]][:, :, 0] < -0.029).all(axis=1)] = 1
    data["region_names"] = numpy.array(["air", "half"], "S")
    write(path, data)


def shell_about_the_hole(path):
    """Region half fills what is within inner."""
    data = shells()
    data["region"][(abs(data["nodes"][data["tetrahedra"]]) < 0.091).all(axis=(1, 2))] = 1
    data["region_names"] = numpy.array(["air", "half"], "S")
    write(path, data)


def on_a_plate(path):
    """The lower side of outer in the group plate."""
    data = shells()
    data["face_group"][data["face_group"] == 3] = 1
    data["face_group"][(data["nodes"][data["faces"]][:, :, 2] < -0.149).all(axis=1)] = 3
    write(path, data)


def write(path, data, attributes=None):
    with h5py.File(path, "w") as file:
        for name, values in data.items():
            file[name] = values
        header = {"format": "tetrawave-mesh", "version": 1, "units": "m", "source": path.name}
        for name, value in {**header, **(attributes or {})}.items():
            file.attrs[name] = numpy.bytes_(value) if isinstance(value, str) else value


def changed(change, make=cube):
    """A writer of the mesh with one change of its data sets."""
    def write_changed(path):
        data = make()
        change(data)
        write(path, data)

    return write_changed


def set_item(name, index, value):
    return changed(lambda data: data[name].__setitem__(index, value))


def flatten_element(data):
    """Moves a node of element 0 into the middle of its other three, inside the cube."""
    nodes, element = data["nodes"], data["tetrahedra"][0]
    nodes[element[3]] = nodes[element[:3]].mean(axis=0)


def lose_faces(data):
    data["faces"], data["face_group"] = data["faces"][3:], data["face_group"][3:]


def repeat_element(data):
    data["tetrahedra"][-1] = data["tetrahedra"][0]


def move_in_plane(data):
    """A node of the plane x = 2, on the outside, along y."""
    nodes = data["nodes"]
    nodes[numpy.argmin(abs(nodes - [2, 3, 1]).sum(axis=1))] += [0, -0.1, 0]


def write_cut_off(path):
    write(path, cube())
    with open(path, "r+b") as file:
        file.truncate(path.stat().st_size * 2 // 3)


def write_claim(path):
    """A data set of 1e11 nodes whose storage was never allocated."""
    data = cube()
    del data["nodes"]
    write(path, data)
    with h5py.File(path, "r+") as file:
        file.create_dataset("nodes", shape=(10**11, 3), dtype="f8")


def write_two_dimensional(path):
    data = cube()
    data["triangles"] = data.pop("tetrahedra")[:, :3]
    data["edges"] = data.pop("faces")[:, :2]
    write(path, data)


# Gmsh's order of the nodes on edges, behind the corners.
ELEMENT_EDGES = ((0, 1), (1, 2), (0, 2), (0, 3), (2, 3), (1, 3))
FACE_EDGES = ((0, 1), (1, 2), (0, 2))


def second_order(data, middle=lambda ends: ends.mean(axis=1)):
    """Gives a mesh nodes on its edges; middle: these points [n, 3] from the points [n, 2, 3] at the edges' ends."""
    items = (data["tetrahedra"], ELEMENT_EDGES), (data["faces"], FACE_EDGES)
    ends = [numpy.sort(corners[:, edges].reshape(-1, 2), axis=1) for corners, edges in items]
    edges, number = numpy.unique(numpy.concatenate(ends), axis=0, return_inverse=True)
    of_elements, of_faces = numpy.split(number.reshape(-1) + len(data["nodes"]), [len(ends[0])])
    data["tetrahedra"] = numpy.hstack([data["tetrahedra"], of_elements.reshape(-1, 6)])
    data["faces"] = numpy.hstack([data["faces"], of_faces.reshape(-1, 3)])
    data["nodes"] = numpy.vstack([data["nodes"], middle(data["nodes"][edges])])


def second_order_cube():
    data = cube()
    second_order(data)
    return data


def bend_edge(data):
    """The node on the edge 01 of element 5 moves to the middle of the opposite edge, and beyond."""
    nodes, element = data["nodes"], data["tetrahedra"][5]
    nodes[element[4]] += 1.5 * (nodes[element[8]] - nodes[element[4]])


MESHES = {
    "cube": lambda path: write(path, cube()),
    "line": lambda path: write(path, line()),
    "half_filled_line": lambda path: write(path, half_filled_line()),
    "two_layers": lambda path: write(path, two_layers()),
    "cells": lambda path: write(path, cells()),
    "cells_without_antenna": changed(lambda data: data["region_names"].__setitem__(1, b"wind"), cells),
    "cells_that_differ": changed(move_in_plane, cells),
    "shells": changed(lambda data: data["face_group"].__setitem__(data["face_group"] == 3, 1), shells),
    "hole_one_layer_from_outer": changed(lambda data: data["face_group"].__setitem__(data["face_group"] == 3, 1), lambda: shells(hole=1)),
    "shells_in_two_regions": shells_in_two_regions,
    "shell_about_the_hole": shell_about_the_hole,
    "shells_on_a_plate": on_a_plate,
    "shells_with_a_plate": lambda path: write(path, shells()),
    "flat_element": changed(flatten_element),
    "lost_faces": changed(lose_faces),
    "repeated_element": changed(repeat_element),
    "unknown_node": set_item("tetrahedra", (5, 2), 1000),
    "not_a_number": set_item("nodes", (7, 1), math.nan),
    "unknown_region": set_item("region", 3, 7),
    "bad_group_name": set_item("group_names", 0, b"x/"),
    "no_elements": changed(lambda data: data.update(tetrahedra=data["tetrahedra"][:0], region=data["region"][:0])),
    "no_faces": changed(lambda data: data.pop("faces")),
    "cut_off": write_cut_off,
    "claim": write_claim,
    "two_dimensional": write_two_dimensional,
    "second_order": lambda path: write(path, second_order_cube()),
    "second_order_inside_out": changed(bend_edge, second_order_cube),
    "second_order_of_two_minds": changed(lambda data: data["tetrahedra"].__setitem__((7, 4), data["tetrahedra"][20, 9]), second_order_cube),
    "second_order_strange_face": changed(lambda data: data["faces"].__setitem__((2, 3), data["faces"][20, 3]), second_order_cube),
    "version_2": lambda path: write(path, cube(), {"version": 2}),
    "other_format": lambda path: write(path, cube(), {"format": "something"}),
}
