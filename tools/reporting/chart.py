"""Charts as inline SVG, in a wide and a narrow form, with their numbers for the page's cursor (page.js)."""

import json
from dataclasses import dataclass, field

import numpy as np

from reporting.text import escape

WIDE, NARROW = (1000, 350), (358, 250)
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 12, 40
MOST_POINTS = 700
FEW_DECADES = 2.5
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass
class Series:
    name: str
    x: np.ndarray
    y: np.ndarray
    colour: int = 0
    dash: int = 0  # number of the run
    extra: dict = field(default_factory=dict)


@dataclass
class Axis:
    label: str
    unit: str = ""
    low: float = None
    high: float = None
    step: float = None  # between ticks
    log: bool = False  # values are decimal logarithms

    def title(self):
        return f"{self.label} ({self.unit})" if self.unit else self.label


def nice_step(span, count):
    """1, 2 or 5 times a power of ten: about `count` of it in the span."""
    raw = span / max(count, 1)
    power = 10.0 ** np.floor(np.log10(raw))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)


def ticks(axis, count):
    step = axis.step or nice_step(axis.high - axis.low, count)
    if axis.log and axis.high - axis.low < FEW_DECADES:
        values = [m * 10.0**e for e in range(int(np.floor(axis.low)), int(np.ceil(axis.high)) + 1) for m in (1, 2, 5)]
        return [(np.log10(v), f"{v:g}") for v in values if axis.low - 1e-9 <= np.log10(v) <= axis.high + 1e-9]
    if axis.log:
        step = max(1.0, step)
    first = np.ceil(axis.low / step - 1e-9)
    values = (first + np.arange(int((axis.high - axis.low) / step + 1e-6) + 1)) * step
    if axis.log:
        return [(v, "10" + f"{v:.0f}".translate(SUPERSCRIPTS)) for v in values if v <= axis.high + 1e-9]
    decimals = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    return [(v, f"{v + 0:.{decimals}f}".replace("-", "−")) for v in values if v <= axis.high + 1e-9 * step]


def limits(values, margin=0.06, least=1e-12):
    """The range of finite values with some margin."""
    finite = np.concatenate([v[np.isfinite(v)] for v in values] or [np.zeros(1)])
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 1.0)
    span = max(high - low, least, 1e-6 * max(abs(low), abs(high)))
    return low - max(margin, 0.05 * (high <= low)) * span, high + max(margin, 0.05 * (high <= low)) * span


def thinned(x, y):
    """At most MOST_POINTS points; of every stretch its least and its largest value."""
    if x.size <= MOST_POINTS:
        return x, y
    edges = np.linspace(0, x.size, MOST_POINTS // 2 + 1).astype(int)
    chosen = set()
    for begin, end in zip(edges[:-1], edges[1:]):
        part = y[begin:end]
        if np.isfinite(part).any():
            chosen |= {begin + int(np.nanargmin(part)), begin + int(np.nanargmax(part))}
    order = np.array(sorted(chosen | {0, x.size - 1}))
    return x[order], y[order]


def path(px, py):
    """An SVG path with a gap at every number that is not finite, in tenths of a unit."""
    parts, pen, last = [], False, None
    for x, y in zip(px, py):
        if not np.isfinite(x + y):
            pen = False
            continue
        point = (round(float(x), 1), round(float(y), 1))
        if point == last and pen:
            continue
        parts.append(f"{'L' if pen else 'M'}{point[0]:g} {point[1]:g}")
        pen, last = True, point
    return "".join(parts)


def rounded(values, digits=5):
    """For JSON: None where not finite."""
    return [float(f"{v:.{digits}g}") if np.isfinite(v) else None for v in np.asarray(values, dtype=float)]


def data_of(kind, series, x_unit, y_unit, sync="", log=False):
    """The script element with a chart's numbers: of all series one x where they share it."""
    shared = all(s.x.size == series[0].x.size and np.array_equal(s.x, series[0].x) for s in series)
    lists = [{"y": rounded(s.y), **({} if shared else {"x": rounded(s.x, 7)}), **{k: rounded(v) for k, v in s.extra.items()}} for s in series]
    content = {"kind": kind, "sync": sync, "xu": x_unit, "yu": y_unit, "log": log, "s": lists}
    if shared:
        content["x"] = rounded(series[0].x, 7)
    return f'<script type="application/json">{json.dumps(content, separators=(",", ":"))}</script>'


def legend(series):
    return (
        '<ul class="legend">'
        + "".join(
            f'<li data-s="{k}"><svg viewBox="0 0 22 8" aria-hidden="true"><path class="line c{s.colour} d{s.dash}" d="M0 4H22"/></svg>'
            f"<span>{escape(s.name)}</span><output></output></li>"
            for k, s in enumerate(series)
        )
        + "</ul>"
    )


def figure(svgs, series, data, title=""):
    caption = f"<figcaption>{escape(title)}</figcaption>" if title else ""
    return f'<figure class="chart" tabindex="0">{caption}{"".join(svgs)}{legend(series)}<div class="at"></div>{data}</figure>'


def frame(size, x, y, narrow):
    """Grid, ticks and labels of a chart, and the maps from values to places."""
    width, height = size
    left, right, top, bottom = LEFT, width - RIGHT, TOP, height - BOTTOM

    def to_x(v):
        return left + (v - x.low) / (x.high - x.low) * (right - left)

    def to_y(v):
        return bottom - (v - y.low) / (y.high - y.low) * (bottom - top)

    parts = []
    for value, text in ticks(y, 5):
        parts.append(
            f'<path class="grid" d="M{left} {to_y(value):.1f}H{right}"/>'
            f'<text class="tick" x="{left - 7}" y="{to_y(value) + 3.6:.1f}" text-anchor="end">{text}</text>'
        )
    for value, text in ticks(x, 4 if narrow else 8):
        parts.append(
            f'<path class="grid" d="M{to_x(value):.1f} {top}V{bottom}"/>'
            f'<text class="tick" x="{to_x(value):.1f}" y="{bottom + 16}" text-anchor="middle">{text}</text>'
        )
    parts.append(
        f'<text class="axis" x="{(left + right) / 2}" y="{height - 5}" text-anchor="middle">{escape(x.title())}</text>'
        f'<text class="axis" transform="translate(12 {(top + bottom) / 2}) rotate(-90)" text-anchor="middle">{escape(y.title())}</text>'
        f'<rect class="frame" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"/>'
    )
    box = f'data-box="{left},{right},{top},{bottom},{x.low:.9g},{x.high:.9g},{y.low:.9g},{y.high:.9g}"'
    return parts, to_x, to_y, box


def xy(series, x, y, title="", sync="", marks=(), rules=()):
    """Lines over x. marks: values of x that get a small tick at the lower edge; rules: (y, text) of level lines."""
    thin = []
    for s in series:
        tx, ty = thinned(np.asarray(s.x, dtype=float), np.asarray(s.y, dtype=float))
        thin.append(Series(s.name, tx, ty, s.colour, s.dash))
    if x.low is None:
        low, high = limits([s.x for s in thin], 0)
        x = Axis(x.label, x.unit, low, high, x.step)
    if y.low is None:
        low, high = limits([s.y for s in thin])
        if y.log:
            low, high = np.floor(low), max(np.ceil(high), np.floor(low) + 1)
        y = Axis(y.label, y.unit, low, high, y.step, y.log)
    svgs = []
    for size, name in ((WIDE, "wide"), (NARROW, "narrow")):
        parts, to_x, to_y, box = frame(size, x, y, name == "narrow")
        left, right, top, bottom = LEFT, size[0] - RIGHT, TOP, size[1] - BOTTOM
        for level, text in rules:
            if y.low < level < y.high:
                parts.append(
                    f'<path class="rule" d="M{left} {to_y(level):.1f}H{right}"/>'
                    f'<text class="tick" x="{right - 5}" y="{to_y(level) - 4:.1f}" text-anchor="end">{escape(text)}</text>'
                )
        for value in marks:
            parts.append(f'<path class="mark" d="M{to_x(value):.1f} {bottom}v-7"/>')
        inner = "".join(
            f'<path class="line c{s.colour} d{s.dash}" data-s="{k}" d="{path(to_x(s.x), np.clip(to_y(s.y), -999, 1999))}"/>'
            for k, s in enumerate(thin)
        )
        parts.append(
            f'<svg x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" '
            f'viewBox="{left} {top} {right - left} {bottom - top}">{inner}</svg>'
        )
        svgs.append(
            f'<svg class="{name} plot" viewBox="0 0 {size[0]} {size[1]}" {box} role="img" aria-label="{escape(title or y.label)}">'
            f'{"".join(parts)}</svg>'
        )
    return figure(svgs, thin, data_of("xy", thin, x.unit, y.unit, sync, y.log), title)


def smith(series, frequency_unit, title="", sync="f"):
    """Reflections in the complex plane; x of the series are frequencies, y complex, extra["z0"]: [reference impedance]."""
    size, centre, radius = 460, 230, 205

    def place(value):
        return centre + radius * value.real, centre - radius * value.imag

    parts = []
    for r in (0.2, 0.5, 1.0, 2.0, 5.0):
        c, q = place(complex(r / (1 + r), 0)), radius / (1 + r)
        parts.append(
            f'<circle class="{"frame" if r == 1 else "grid"}" cx="{c[0]:.1f}" cy="{c[1]:.1f}" r="{q:.1f}"/>'
            f'<text class="tick" x="{place(complex((r - 1) / (r + 1), 0))[0] + 3:.1f}" y="{centre - 4}">{r:g}</text>'
        )
    for x in (0.2, 0.5, 1.0, 2.0, 5.0):
        for sign in (1, -1):
            r = np.concatenate(([0], np.logspace(-2, 2.5, 60)))
            arc = ((r + 1j * sign * x) - 1) / ((r + 1j * sign * x) + 1)
            edge = place(1.07 * arc[0])
            parts.append(
                f'<path class="grid" d="{path(*place(arc))}"/><text class="tick" x="{edge[0]:.1f}" y="{edge[1] + 4:.1f}" '
                f'text-anchor="middle">{"+" if sign > 0 else "−"}j{x:g}</text>'
            )
    parts.append(
        f'<path class="grid" d="M{centre - radius} {centre}H{centre + radius}"/>' f'<circle class="rule" cx="{centre}" cy="{centre}" r="{radius}"/>'
    )
    for k, s in enumerate(series):
        parts.append(f'<path class="line c{s.colour} d{s.dash}" data-s="{k}" d="{path(*place(s.y))}"/>')
        start = place(s.y[np.flatnonzero(np.isfinite(s.y))[0]])
        parts.append(f'<circle class="dot c{s.colour}" cx="{start[0]:.1f}" cy="{start[1]:.1f}" r="3.2"/>')
    flat = [Series(s.name, s.x, s.y.real, s.colour, s.dash, {"im": s.y.imag, **s.extra}) for s in series]
    svg = (
        f'<svg class="plot square" viewBox="0 0 {size} {size}" data-box="{centre},{radius}" role="img" aria-label="Smith chart">'
        f'{"".join(parts)}</svg>'
    )
    return figure([svg], flat, data_of("smith", flat, frequency_unit, "", sync), title)


def polar(series, low, high, title="", unit="dBi"):
    """Patterns over an angle in degrees, 0 at the top, clockwise; of the circle what the angles need."""
    centre, radius, margin = 190, 160, 28
    angles = np.concatenate([s.x for s in series])
    left = bool((angles < -1e-3).any() or (angles > 180.001).any())
    below = bool((np.abs(angles) > 90.001).any() and not ((angles > 269.999) | (np.abs(angles) < 90.001)).all())
    steps = [a for a in range(0, 360, 30) if (left or a <= 180) and (below or a <= 90 or a >= 270)]

    def place(angle, value):
        r = radius * np.clip((value - low) / (high - low), 0, None)
        return centre + r * np.sin(np.radians(angle)), centre - r * np.cos(np.radians(angle))

    parts = []
    turn = np.linspace(-90 if left and not below else 0, 360 if left and below else 180 if below else 90, 121)
    for level in np.arange(low + 10, high + 0.1, 10):
        x, y = place(turn, np.full(turn.size, level))
        text = f"{level:g}".replace("-", "−")
        parts.append(
            f'<path class="grid" d="{path(x, y)}"/><text class="tick" x="{centre - 4}" y="{place(0, level)[1] + 4:.1f}" text-anchor="end">{text}</text>'
        )
    for angle in steps:
        x, y = place(angle, high)
        tx, ty = place(angle, high + 0.1 * (high - low))
        parts.append(
            f'<path class="grid" d="M{centre} {centre}L{x:.1f} {y:.1f}"/>'
            f'<text class="tick" x="{tx:.1f}" y="{ty + 4:.1f}" text-anchor="middle">{angle if below or angle <= 90 else 360 - angle}°</text>'
        )
    for k, s in enumerate(series):
        parts.append(f'<path class="line c{s.colour} d{s.dash}" data-s="{k}" d="{path(*place(s.x, s.y))}"/>')
    x0, width = (0, 2 * centre) if left else (centre - margin, centre + margin)
    svg = (
        f'<svg class="plot square" viewBox="{x0} 0 {width} {2 * centre if below else centre + margin}" data-box="{centre},{radius},{low},{high}" '
        f'style="max-width:{1.2 * width:.0f}px" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )
    return figure([svg], series, data_of("polar", series, "°", unit), title)


def histogram(counts, edges, axis, title="", marks=()):
    """Columns; edges in the axis' unit. marks: (value, text)."""
    counts = np.asarray(counts, dtype=float)
    axis = Axis(axis.label, axis.unit, float(edges[0]), float(edges[-1]), axis.step, axis.log)
    top = Axis("elements", "%", 0.0, 100 * max(counts.max() / max(counts.sum(), 1), 1e-3) * 1.08)
    svgs = []

    def shown(value):
        return 10**value if axis.log else value

    for size, name in (((352, 190), "wide"), ((358, 170), "narrow")):
        parts, to_x, to_y, _ = frame(size, axis, top, True)
        for n, low, high in zip(counts, edges[:-1], edges[1:]):
            if n:
                y = to_y(100 * n / counts.sum())
                parts.append(
                    f'<rect class="bar c0" x="{to_x(low) + 0.5:.1f}" y="{y:.1f}" width="{max(to_x(high) - to_x(low) - 1, 0.5):.1f}" '
                    f'height="{size[1] - BOTTOM - y:.1f}"><title>{int(n)} elements, {shown(low):.3g} to {shown(high):.3g} {axis.unit}</title></rect>'
                )
        for value, text in marks:
            if axis.low < value < axis.high:
                parts.append(
                    f'<path class="rule" d="M{to_x(value):.1f} {TOP}V{size[1] - BOTTOM}"/>'
                    f'<text class="tick" x="{to_x(value) + 4:.1f}" y="{TOP + 11}">{escape(text)}</text>'
                )
        svgs.append(f'<svg class="{name} plot" viewBox="0 0 {size[0]} {size[1]}" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>')
    return f'<figure class="chart"><figcaption>{escape(title)}</figcaption>{"".join(svgs)}</figure>'


def bars(rows, total=None):
    """Horizontal bars as HTML: rows of (name, share of the longest or of `total`, text)."""
    longest = total or max((value for _, value, _ in rows), default=1) or 1
    return (
        '<div class="bars">'
        + "".join(
            f'<span class="name">{escape(name)}</span><span class="rail"><i style="width:{100 * value / longest:.2f}%"></i></span>'
            f'<span class="value">{escape(text)}</span>'
            for name, value, text in rows
        )
        + "</div>"
    )
