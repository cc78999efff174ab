"""Pictures of mode assembly-2d: the field with its lines, and the colours of the elements."""

import matplotlib
import matplotlib.tri as mtri
import numpy as np
from matplotlib.collections import PolyCollection

from plotting.base import BAD_DATA, COLOURS, Failure, case_lengths, field_scale, number, read, scaled, text_attribute

FIELD_LINES = 24  # about as many contours of the potential


def read_mesh(file):
    """Coordinates in metres, triangles to be drawn, and the element of each: second-order elements are drawn as four."""
    nodes, triangles = read(file, "assembly_2d/nodes"), read(file, "assembly_2d/triangles")
    if nodes.ndim != 2 or nodes.shape[1] != 2 or triangles.ndim != 2 or triangles.shape[1] not in (3, 6):
        raise Failure(BAD_DATA, f"{file.filename}: /assembly_2d/nodes and triangles are no mesh of triangles")
    element = np.arange(len(triangles))
    if triangles.shape[1] == 6:
        triangles = triangles[:, [0, 3, 5, 3, 1, 4, 5, 4, 2, 3, 4, 5]].reshape(-1, 3)
        element = np.repeat(element, 4)
    return nodes, triangles, element


def stream_function(equation, nodes, potential):
    """What is constant along field lines of B: A_z in the plane, r A_phi about an axis; None for electric fields."""
    if equation == "magnetostatic":
        return potential
    return nodes[:, 0] * potential if equation == "magnetostatic-axisymmetric" else None


def outlines(axes, nodes, triangles, region, factor):
    """Lines where two regions meet, and the outer edges."""
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    key = edges[:, 0].astype(np.int64) * len(nodes) + edges[:, 1]
    order = np.argsort(key, kind="stable")
    key, of_region = key[order], np.repeat(region, 3)[order]
    first = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    last = np.r_[first[1:], len(key)] - 1
    drawn = (first == last) | (of_region[first] != of_region[last])
    ends = nodes[np.stack((key[first] // len(nodes), key[first] % len(nodes)), axis=1)[drawn]] * factor
    gap = np.full((len(ends), 1, 2), np.nan)
    line = np.concatenate((ends, gap), axis=1).reshape(-1, 2)
    axes.plot(line[:, 0], line[:, 1], color="#303030", linewidth=0.6)


def draw_streams(axes, mesh, field, view, factor):
    """Lines of an electric field, from its mean over the elements at every node."""
    nodes = np.stack((mesh.x, mesh.y), axis=1)
    weight = np.zeros(len(nodes))
    mean = np.zeros((len(nodes), 2))
    for corner in range(3):
        np.add.at(weight, mesh.triangles[:, corner], 1)
        np.add.at(mean, mesh.triangles[:, corner], field)
    mean /= np.maximum(weight, 1)[:, None]
    x, y = np.linspace(*view[:2], 220), np.linspace(*view[2:], 220)
    grid = np.meshgrid(x, y)
    u, v = (mtri.LinearTriInterpolator(mesh, mean[:, k])(*grid) for k in range(2))
    axes.streamplot(x * factor, y * factor, u, v, color="white", linewidth=0.6, density=1.3, arrowsize=0.7)


def draw_field(figure, file, options):
    """|E| or |B| of every element, field lines, and in electrostatics equipotential lines."""
    nodes, triangles, element = read_mesh(file)
    group = file["assembly_2d"]
    equation = text_attribute(group, "equation")
    potential, field = read(file, "assembly_2d/potential"), read(file, "assembly_2d/field")[element]
    view = options.view or [nodes[:, 0].min(), nodes[:, 0].max(), nodes[:, 1].min(), nodes[:, 1].max()]
    factor, unit = case_lengths(text_attribute(file, "case"), max(abs(end) for end in view))
    size = np.hypot(field[:, 0], field[:, 1])
    middle = nodes[triangles].mean(axis=1)
    seen = (middle[:, 0] > view[0]) & (middle[:, 0] < view[1]) & (middle[:, 1] > view[2]) & (middle[:, 1] < view[3])
    if not seen.any():
        raise Failure(BAD_DATA, f"{file.filename}: no element lies in the view")
    electric = equation == "electrostatic"
    shown_as, low, high, field_unit = field_scale(np.percentile(size[seen], 99.5), "V/m" if electric else "T", options)
    axes = figure.subplots()
    mesh = mtri.Triangulation(nodes[:, 0], nodes[:, 1], triangles)
    shown = mtri.Triangulation(nodes[:, 0] * factor, nodes[:, 1] * factor, triangles)
    image = axes.tripcolor(shown, shown_as(size), cmap="viridis", vmin=low, vmax=high, rasterized=True)
    figure.colorbar(image, ax=axes, label=f"|{'E' if electric else 'B'}| ({field_unit})")
    lines = stream_function(equation, nodes, potential)
    if lines is not None:
        inside = lines[np.unique(triangles[seen])]
        axes.tricontour(shown, lines, levels=np.linspace(inside.min(), inside.max(), FIELD_LINES + 2)[1:-1],
                        colors="white", linewidths=0.6, linestyles="solid")
    else:
        axes.tricontour(shown, potential, levels=FIELD_LINES, colors="#FFD9A0", linewidths=0.5, linestyles="solid")
        draw_streams(axes, mesh, field, view, factor)
    outlines(axes, nodes, triangles, read(file, "assembly_2d/region")[element], factor)
    axes.set(xlim=(view[0] * factor, view[1] * factor), ylim=(view[2] * factor, view[3] * factor), aspect="equal",
             xlabel=f"{'r' if 'axisymmetric' in equation else 'x'} ({unit})",
             ylabel=f"{'z' if 'axisymmetric' in equation else 'y'} ({unit})")
    axes.grid(False)


def draw_colors(figure, file, options):
    """How many elements every colour has, and, where the fields are kept, which: the triangles in their colours."""
    sizes = read(file, "assembly_2d/color_sizes")
    group = file["assembly_2d"]
    axes, plane = figure.subplots(1, 2, width_ratios=(2, 3)) if "color" in group else (figure.subplots(), None)
    shades = matplotlib.colormaps["tab10" if sizes.size <= 10 else "gist_ncar"](np.arange(sizes.size) / max(9, sizes.size - 1))
    axes.bar(np.arange(1, sizes.size + 1), sizes, color=shades, width=0.7)
    axes.axhline(sizes.mean(), color=COLOURS[6], linewidth=1.2,
                 label=f"mean {number(sizes.mean())}; largest/mean {sizes.max() / sizes.mean():.2f}")
    seconds = float(group.attrs.get("seconds_coloring", np.nan)) + float(group.attrs.get("seconds_balance", 0))
    factor, unit = scaled(seconds, "s")
    axes.set(xlabel="colour", ylabel="elements",
             title=f"{text_attribute(group, 'coloring')}: {sizes.size} colours in {number(seconds * factor)} {unit}")
    axes.set_xticks(np.arange(1, sizes.size + 1))
    axes.legend(loc="lower right", fontsize=9)
    if plane is not None:
        draw_colored_mesh(plane, file, shades, options)


def draw_colored_mesh(axes, file, shades, options):
    """Triangles in the shades of their colours: the whole, or options.view."""
    nodes, triangles, element = read_mesh(file)
    view = options.view or [nodes[:, 0].min(), nodes[:, 0].max(), nodes[:, 1].min(), nodes[:, 1].max()]
    factor, unit = case_lengths(text_attribute(file, "case"), max(abs(end) for end in view))
    axes.add_collection(PolyCollection(nodes[triangles] * factor, facecolors=shades[read(file, "assembly_2d/color")[element]],
                                       edgecolors="white", linewidths=0.2, rasterized=True))
    axes.set(xlim=(view[0] * factor, view[1] * factor), ylim=(view[2] * factor, view[3] * factor), aspect="equal", xlabel=f"x ({unit})", ylabel=f"y ({unit})")
    axes.grid(False)
