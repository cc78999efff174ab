"""Pictures of the modes of ports: E and H on the face of each, colour their size and arrows their direction."""

import matplotlib.tri as mtri
import numpy as np
from matplotlib.colors import PowerNorm

from plotting.base import BAD_DATA, Failure, case_lengths, number, read, scaled, text_attribute

ARROWS = 24  # across the face, at most


def read_mode(file, name):
    """Points [n, 3], triangles [m, 3], E and H [m, 3] of a port's mode."""
    group = f"ports/{name}/mode"
    points, cells, electric, magnetic = (read(file, f"{group}/{part}") for part in ("points", "cells", "E", "H"))
    shapes_fit = points.ndim == 2 and points.shape[1] == 3 and cells.ndim == 2 and cells.shape[1] == 3
    if not shapes_fit or not len(cells) or electric.shape != (len(cells), 3) or magnetic.shape != electric.shape:
        raise Failure(BAD_DATA, f"{file.filename}: /{group} is no field on triangles")
    if cells.min() < 0 or cells.max() >= len(points):
        raise Failure(BAD_DATA, f"{file.filename}: /{group}/cells name points that are not there")
    return points, cells, electric, magnetic


def modes_of(file):
    """The names of the ports that have a mode."""
    ports = file.get("ports")
    return [name for name in ports if f"{name}/mode" in ports] if ports is not None else []


def plane_of(points):
    """Two unit vectors in the plane of a face, right and up on the page, and their names where they are axes."""
    normal = np.linalg.svd(points - points.mean(axis=0))[2][2]
    axes = [axis for axis in range(3) if axis != np.argmax(np.abs(normal))]
    right = np.eye(3)[axes[0]] - normal * normal[axes[0]]
    right /= np.linalg.norm(right)
    up = np.cross(normal, right)
    up *= np.sign(up[axes[1]])
    named = np.max(np.abs(normal)) > 1 - 1e-9
    return right, up, tuple("xyz"[axis] for axis in axes) if named else ("along the face", "across it")


def sparse(middle, spacing):
    """Indices of middles of cells, at most one in each square of the spacing."""
    square = np.floor((middle - middle.min(axis=0)) / spacing).astype(int)
    distance = np.abs((middle - middle.min(axis=0)) / spacing - square - 0.5).max(axis=1)
    order = np.lexsort((distance, square[:, 1], square[:, 0]))
    first = np.unique(square[order], axis=0, return_index=True)[1]
    return order[first]


def draw_mode(figure, file, name):
    points, cells, electric, magnetic = read_mode(file, name)
    group = file[f"ports/{name}/mode"]
    right, up, names = plane_of(points)
    flat = np.stack((points @ right, points @ up), axis=1)
    factor, unit = case_lengths(text_attribute(file, "case"), max(np.ptp(flat, axis=0).max(), np.abs(flat).max()))
    mesh = mtri.Triangulation(flat[:, 0] * factor, flat[:, 1] * factor, cells)
    middle = flat[cells].mean(axis=1) * factor
    shown = sparse(middle, np.ptp(middle, axis=0).max() / ARROWS)
    facts = [text_attribute(group, "type"), f"{number(float(group.attrs['impedance']))} ohm"]
    if "eps_effective" in group.attrs:
        facts.append(f"effective permittivity {number(float(group.attrs['eps_effective']))}")
    if "cutoff" in group.attrs:
        hertz, hertz_unit = scaled(float(group.attrs["cutoff"]), "Hz")
        what = "cutoff" if "waveguide" in facts[0] else "next mode from"  # of lines it is that of the first higher mode
        facts.append(f"{what} {float(group.attrs['cutoff']) * hertz:.4g} {hertz_unit}")
    figure.suptitle(f"port {name}: {', '.join(fact for fact in facts if fact)}; wave of 1 W", x=0.02, ha="left", fontsize=12)
    for axes, field, label, si in zip(figure.subplots(1, 2), (electric, magnetic), "EH", ("V/m", "A/m")):
        size = np.linalg.norm(field, axis=1)
        if not np.isfinite(size).all() or size.max() == 0:
            raise Failure(BAD_DATA, f"{file.filename}: /ports/{name}/mode/{label} is not finite or nothing")
        scale, field_unit = scaled(size.max(), si)
        image = axes.tripcolor(mesh, size * scale, cmap="viridis", norm=PowerNorm(0.5, 0, size.max() * scale), rasterized=True)
        figure.colorbar(image, ax=axes, label=f"|{label}| ({field_unit})", shrink=0.85)
        seen = shown[size[shown] > 1e-3 * size.max()]
        arrows = np.stack((field[seen] @ right, field[seen] @ up), axis=1) / size[seen, None]
        axes.quiver(middle[seen, 0], middle[seen, 1], arrows[:, 0], arrows[:, 1], color="white", edgecolor="black",
                    linewidth=0.3, pivot="middle", scale=1.2 * ARROWS, width=0.005)
        axes.set(aspect="equal", xlabel=f"{names[0]} ({unit})", ylabel=f"{names[1]} ({unit})")
        axes.grid(False)


def draw_modes(figure, file, _):
    """A row of E and H for each port."""
    names = modes_of(file)
    parts = figure.subfigures(len(names), 1, squeeze=False)[:, 0]
    for part, name in zip(parts, names):
        draw_mode(part, file, name)
