"""Fields as pictures: colours from matplotlib as PNG, axes and scales as text of the page; near fields beyond the mesh."""

import base64
import io
import types

import matplotlib
import numpy as np

from plotting.base import Failure, case_lengths, open_results, scaled
from plotting.fields import Frames, Series, plane_of_cut, plane_through
from reporting import chart
from reporting.text import engineering, escape, short

MOST_PICTURES, MOST_FREQUENCIES, LARGEST_FILE = 4, 3, 1 << 29
PIXELS = 620


def options(field, step):
    return types.SimpleNamespace(field=field, component="magnitude", db=False, limits=None, step=step, is_film=False, beside=None)


def png(draw, width, height):
    """A picture without margins, as base64."""
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(width / 100, height / 100), dpi=100)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    draw(axes)
    target = io.BytesIO()
    figure.savefig(target, transparent=True)
    plt.close(figure)
    from PIL import Image

    small = Image.open(io.BytesIO(target.getvalue())).quantize(128, method=Image.Quantize.FASTOCTREE)
    target = io.BytesIO()
    small.save(target, "png", optimize=True)
    return base64.b64encode(target.getvalue()).decode()


def colour_stops():
    table = matplotlib.colormaps["inferno"]
    return "".join(f'<stop offset="{k / 8:g}" stop-color="{matplotlib.colors.to_hex(table(k / 8))}"/>' for k in range(9))


def framed(picture, box, names, unit, top_text, caption, identity):
    """The picture with axes in `unit` and the scale of colours below. box: x0, x1, y0, y1."""
    x0, x1, y0, y1 = box
    width = 560
    height = max(min(width * (y1 - y0) / (x1 - x0), 620), 90)
    width = height * (x1 - x0) / (y1 - y0) if (y1 - y0) > 0 else width
    left, top = 52, 8
    parts = [
        f'<image href="data:image/png;base64,{picture}" x="{left}" y="{top}" width="{width:.1f}" height="{height:.1f}" preserveAspectRatio="none"/>',
        f'<rect class="frame" x="{left}" y="{top}" width="{width:.1f}" height="{height:.1f}"/>',
    ]
    for value, text in chart.ticks(chart.Axis("", "", x0, x1), max(2, int(width / 80))):
        x = left + (value - x0) / (x1 - x0) * width
        parts.append(
            f'<path class="outer" d="M{x:.1f} {top + height:.1f}v4"/><text class="tick" x="{x:.1f}" y="{top + height + 16:.1f}" text-anchor="middle">{text}</text>'
        )
    for value, text in chart.ticks(chart.Axis("", "", y0, y1), max(2, int(height / 50))):
        y = top + height - (value - y0) / (y1 - y0) * height
        parts.append(
            f'<path class="outer" d="M{left} {y:.1f}h-4"/><text class="tick" x="{left - 7}" y="{y + 3.5:.1f}" text-anchor="end">{text}</text>'
        )
    base = top + height
    parts.append(
        f'<text class="axis" x="{left + width / 2:.1f}" y="{base + 33:.1f}" text-anchor="middle">{escape(names[0])} ({unit})</text>'
        f'<text class="axis" transform="translate(11 {top + height / 2:.1f}) rotate(-90)" text-anchor="middle">{escape(names[1])} ({unit})</text>'
        f'<defs><linearGradient id="{identity}">{colour_stops()}</linearGradient></defs>'
        f'<rect x="{left}" y="{base + 42:.1f}" width="{max(width, 120):.1f}" height="8" fill="url(#{identity})"/>'
        f'<text class="tick" x="{left}" y="{base + 63:.1f}">0</text>'
        f'<text class="tick" x="{left + max(width, 120):.1f}" y="{base + 63:.1f}" text-anchor="end">{escape(top_text)}</text>'
    )
    total = left + max(width, 120) + 12
    return (
        f'<figure class="map" style="max-width:{max(total, 200):.0f}px"><svg viewBox="0 0 {total:.0f} {base + 68:.0f}" role="img" '
        f'aria-label="{escape(caption)}">{"".join(parts)}</svg><figcaption>{escape(caption)}</figcaption></figure>'
    )


def picture_of(run, series, plane, step, stem, identity):
    frames = Frames(series, plane, options("E", step))
    factor, unit = case_lengths(run.case_text, max(np.ptp(plane.x), np.ptp(plane.y), 1e-300))
    x, y = plane.x * factor, plane.y * factor
    box = (x.min(), x.max(), y.min(), y.max())
    if box[1] <= box[0] or box[3] <= box[2]:
        return ""
    ratio = (box[3] - box[2]) / (box[1] - box[0])
    width, height = (PIXELS, max(int(PIXELS * ratio), 40)) if ratio < 1 else (max(int(PIXELS / ratio), 40), PIXELS)
    values = frames.numbers(0)

    def draw(axes):
        mesh = matplotlib.tri.Triangulation(x, y, np.arange(x.size).reshape(-1, 3))
        axes.tripcolor(mesh, values, shading="gouraud", cmap="inferno", vmin=0, vmax=frames.top)
        axes.set(xlim=box[:2], ylim=box[2:])

    import matplotlib.tri  # noqa: F401

    caption = f"{run.label(stem)}: |E| at {frames.text(0).split('= ')[-1]}"
    if np.abs(plane.normal).max() > 1 - 1e-6:
        sign = np.sign(plane.normal[np.argmax(np.abs(plane.normal))])
        at = float(sign * plane.offset * factor)
        at = 0.0 if abs(at) < 1e-5 * max(box[1] - box[0], box[3] - box[2]) else at
        caption += f", {'xyz'[int(np.argmax(np.abs(plane.normal)))]} = {short(at, 3)} {unit}"
    top = engineering(frames.top, series.units_of("E") or "V/m", 3)
    return framed(png(draw, width, height), box, plane.names, unit, top, caption, identity)


def pictures_of(run, left):
    """Of every file of fields its strongest snapshot, or its first frequencies."""
    files = sorted((run.folder / "fields").glob("*.vtkhdf"), key=lambda f: (f.stem.startswith("regions"), f.stem))
    pictures = []
    for path in files:
        if len(pictures) >= left or path.stat().st_size > LARGEST_FILE:
            break
        try:
            with open_results(path) as file:
                series = Series(file)
                axis = int(np.argmin(np.ptp(series.points, axis=0)))
                low, high = series.points[:, axis].min(), series.points[:, axis].max()
                plane = plane_of_cut(series) if series.is_cut else plane_through(series, axis, float(low + high) / 2)
                steps = range(min(len(series.steps), MOST_FREQUENCIES)) if series.is_spectrum else (None,)
                pictures += [picture_of(run, series, plane, step, path.stem, f"scale{run.index}{len(pictures)}{k}") for k, step in enumerate(steps)]
        except Failure as failure:
            pictures.append(f'<p class="note">{escape(path.name)}: {escape(failure)}</p>')
    return pictures


def field_section(runs):
    pictures = [picture for run in runs for picture in pictures_of(run, MOST_PICTURES)]
    return f'<div class="maps">{"".join(pictures)}</div>' if pictures else ""


def near_section(runs):
    """|E| along lines, and over planes as maps in colour."""
    html = ""
    for run in runs:
        for name in (run.file.get("near_field") or {}) if run.has("near_field") else ():
            group = run.file[f"near_field/{name}"]
            place, shape = group["position"][()], [int(n) for n in np.atleast_1d(group.attrs["shape"])]
            for f, hertz in list(enumerate(group["frequency"][()]))[:MOST_FREQUENCIES]:
                size = np.linalg.norm(group["E"][f], axis=1)
                factor, unit = case_lengths(run.case_text, np.ptp(place, axis=0).max() or 1.0)
                caption = f"{run.label(name)}: |E| at {engineering(hertz, 'Hz')}"
                if len(shape) != 2:
                    along = np.linalg.norm(place - place[0], axis=1) * factor
                    html += chart.xy(
                        [chart.Series(run.label(name), along, size)],
                        chart.Axis("distance from the first point", unit),
                        chart.Axis("|E|", "V/m"),
                        caption,
                    )
                    continue
                grid = place.reshape(*shape, 3)
                sides = [np.linalg.norm(grid[-1, 0] - grid[0, 0]) * factor, np.linalg.norm(grid[0, -1] - grid[0, 0]) * factor]
                picture = png(
                    lambda axes, s=size, n=shape: axes.imshow(s.reshape(n).T, origin="lower", cmap="inferno", vmin=0, aspect="auto"),
                    PIXELS,
                    int(PIXELS * sides[1] / sides[0]),
                )
                html += framed(
                    picture,
                    (0, sides[0], 0, sides[1]),
                    ("first side", "second side"),
                    unit,
                    engineering(float(np.nanmax(size)), "V/m", 3),
                    caption,
                    f"near{run.index}{name}{f}",
                )
    return html


def static_section(runs):
    """Of statics on triangles: the field's size."""
    html = ""
    for run in runs:
        field = run.get("assembly_2d/field")
        if field is None or run.mesh_file is None:
            continue
        from reporting.mesh import Mesh

        mesh = Mesh(run.mesh_file)
        size = np.linalg.norm(field, axis=1)
        factor, unit = case_lengths(run.case_text, np.ptp(mesh.nodes, axis=0).max())
        x, y = mesh.nodes[:, 0] * factor, mesh.nodes[:, 1] * factor
        box = (x.min(), x.max(), y.min(), y.max())
        if len(size) != len(mesh.cells):
            continue
        top = float(np.percentile(size, 99))

        def draw(axes):
            import matplotlib.tri

            axes.tripcolor(matplotlib.tri.Triangulation(x, y, mesh.cells), size, cmap="inferno", vmin=0, vmax=top)  # noqa: B023
            axes.set(xlim=box[:2], ylim=box[2:])  # noqa: B023

        ratio = (box[3] - box[2]) / (box[1] - box[0])
        picture = png(draw, PIXELS if ratio < 1 else int(PIXELS / ratio), int(PIXELS * ratio) if ratio < 1 else PIXELS)
        si = run.file["assembly_2d/field"].attrs.get("units", "")
        html += framed(
            picture,
            box,
            ("x", "y"),
            unit,
            engineering(top, si.decode() if isinstance(si, bytes) else str(si), 3),
            run.label("size of the field"),
            f"static{run.index}",
        )
        html += static_numbers(run)
    return html


def static_numbers(run):
    from reporting.text import Table

    table = Table("quantity", "value")
    for key, text, unit in (
        ("energy_per_length", "energy", "J/m"),
        ("capacitance_per_length", "capacitance", "F/m"),
        ("iterations", "iterations", ""),
    ):
        value = run.file["assembly_2d"].attrs.get(key)
        if value is None and f"assembly_2d/{key}" in run.file:
            value = np.ravel(run.get(f"assembly_2d/{key}"))[0]
        if value is not None:
            table.add(run.label(text), engineering(float(value), unit) if unit else short(float(value)))
    return table.html()


def scale_unit(values, unit):
    """(factor, unit) for the largest of values."""
    top = np.nanmax(np.abs(values)) if np.isfinite(values).any() else 0
    return scaled(top, unit) if top > 0 else (1.0, unit)
