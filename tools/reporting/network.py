"""S-parameters and ports."""

import base64

import numpy as np

from plotting.base import COLOURS, decibels, scaled
from plotting.ports import modes_of, plane_of, read_mode, sparse
from reporting import chart
from reporting.chart import Axis, Series
from reporting.text import Markup, Table, engineering, escape, grouped, percent, short

MOST_CURVES, MOST_PORTS, DRAWN_MODES, FEW_FREQUENCIES = 16, 24, 4, 3
NEVER_DB = -200.0
LARGEST_EMBEDDED = 1 << 20  # bytes of a Touchstone file


def s_name(i, j, ports):
    return f"S{i + 1}{j + 1}" if ports < 10 else f"S{i + 1},{j + 1}"


def curves_of(run):
    """[(name, i, j, values)]: reflections first, then what the first ports drive."""
    if not run.s_parameters:
        return []
    _, matrix, names = run.s_parameters
    pairs = sorted(((i, j) for j in run.driven for i in range(len(names))), key=lambda ij: (ij[0] != ij[1], ij[1], ij[0]))
    return [(s_name(i, j, len(names)), i, j, matrix[:, i, j]) for i, j in pairs]


def shown_curves(runs):
    """Series of (run, name, i, j, frequency, values) with a colour for each name."""
    colours, shown = {}, []
    for run in runs:
        for name, i, j, values in curves_of(run):
            if name not in colours and len(colours) >= MOST_CURVES:
                continue
            colours.setdefault(name, len(colours) % len(COLOURS))
            shown.append((run, name, i, j, run.s_parameters[0], values, colours[name]))
    if len(colours) == 1:
        shown = [(*entry[:-1], entry[0].index % len(COLOURS)) for entry in shown]
    return shown


def phase(values):
    """Degrees, with a gap where they wrap."""
    angle = np.degrees(np.angle(values))
    angle[np.flatnonzero(np.abs(np.diff(angle)) > 180) + 1] = np.nan
    return angle


def delay(frequency, values):
    result = np.full(values.shape, np.nan)
    result[1:] = -np.angle(values[1:] * np.conj(values[:-1])) / (2 * np.pi * np.diff(frequency))
    result[np.abs(values) < 1e-3] = np.nan
    return result


def impedance_of(run, i):
    """The reference impedance of S at port i."""
    attributes, names = run.file["s_parameters"].attrs, run.s_parameters[2]
    if "impedance" in attributes:
        return float(np.atleast_1d(attributes["impedance"])[i])
    z = run.number(f"ports/{names[i]}", "impedance") if i < len(names) else float("nan")  # of older files: the port's own
    return z if np.isfinite(z) else 50.0


def s_views(runs):
    """[(key, caption of its button, chart)]"""
    shown = shown_curves(runs)
    top = max(f[-1] for _, _, _, _, f, _, _ in shown)
    factor, unit = scaled(top, "Hz")
    axis = Axis("frequency", unit)
    marks = solved_frequencies(runs[0], factor)

    def make(function, label, y_unit, low=None, high=None, step=None, rules=()):
        series = [Series(run.label(name), f * factor, function(f, v), colour, run.index) for run, name, _, _, f, v, colour in shown]
        return chart.xy(series, axis, Axis(label, y_unit, low, high, step), sync="f", marks=marks, rules=rules)

    levels = np.concatenate([decibels(v[np.isfinite(v)]) for *_, v, _ in shown])
    high = np.nanmax(levels)
    low = max(np.nanmin(levels), high - 80)
    span = max(high - low, 1.0)
    views = [
        ("db", "dB", make(lambda _, v: np.where(np.isfinite(v), decibels(v), np.nan), "|S|", "dB", low - 0.05 * span, high + 0.05 * span)),
        ("phase", "Phase", make(lambda _, v: phase(v), "phase", "°", -180.0, 180.0, 60.0)),
    ]
    own = [entry for entry in shown if entry[2] == entry[3]]
    if own:
        series = []
        for run, name, i, _, f, v, colour in own:
            series.append(Series(run.label(name), f * factor, v, colour, run.index, {"z0": [impedance_of(run, i)]}))
        views.append(("smith", "Smith", chart.smith(series, unit)))
    if all(f.size > 2 for *_, f, _, _ in shown):
        sizes = np.concatenate([np.abs(delay(f, v)) for *_, f, v, _ in shown])
        sizes = sizes[np.isfinite(sizes)]
        if sizes.size:
            time_factor, time_unit = scaled(np.percentile(sizes, 90), "s")
            values = [delay(f, v) * time_factor for *_, f, v, _ in shown]
            finite = np.concatenate([v[np.isfinite(v)] for v in values])
            low, high = chart.limits([np.percentile(finite, (2, 98))], 0.15)
            views.append(("delay", "Group delay", make(lambda f, v: delay(f, v) * time_factor, "group delay", time_unit, low, high)))
    return views


def solved_frequencies(run, factor):
    solved = run.get("frequency_domain/sweep/solved")
    return run.get("frequency_domain/sweep/frequency")[solved == 1] * factor if solved is not None else ()


def toggled(views, name):
    """Charts of which the page's script shows one."""
    if len(views) == 1:
        return views[0][2]
    buttons = "".join(f'<button type="button" data-view="{key}">{escape(text)}</button>' for key, text, _ in views)
    return (
        f'<div class="views" data-name="{name}"><div class="tabs">{buttons}</div>'
        + "".join(f'<div class="view" data-view="{key}">{content}</div>' for key, _, content in views)
        + "</div>"
    )


def resonances(run):
    """[(port, frequency, level dB, bandwidth at -10 dB or NaN)]: the minima of reflections below -6 dB."""
    found = []
    for name, i, j, values in curves_of(run):
        if i != j:
            continue
        f, level = run.s_parameters[0], decibels(values)
        for k in range(1, len(f) - 1):
            if not (level[k] <= level[k - 1] and level[k] < level[k + 1] and level[k] < -6):
                continue
            a, b, c = level[k - 1 : k + 2]
            shift = 0.5 * (a - c) / (a - 2 * b + c) if a - 2 * b + c else 0.0
            found.append((name, f[k] + shift * (f[k + 1] - f[k - 1]) / 2, b - 0.25 * (a - c) * shift, band(f, level, k)))
    return sorted(found, key=lambda entry: entry[2])[:8]


def band(f, level, k, limit=-10.0):
    if level[k] > limit:
        return float("nan")
    ends = []
    for step in (-1, 1):
        n = k
        while 0 <= n + step < len(f) and level[n + step] <= limit:
            n += step
        if not 0 <= n + step < len(f):
            return float("nan")
        ends.append(f[n] + (limit - level[n]) / (level[n + step] - level[n]) * (f[n + step] - f[n]))
    return abs(ends[1] - ends[0])


def resonance_table(runs):
    table = Table("reflection", "resonance", "level (dB)", "bandwidth below −10 dB", "relative")
    for run in runs:
        for name, f, level, width in resonances(run):
            table.add(
                run.label(name), engineering(f, "Hz"), short(level, 3), engineering(width, "Hz", 3), percent(width / f) if np.isfinite(width) else "–"
            )
    return "<h3>Resonances</h3>" + table.html() if table.rows else ""


def deviation(f0, first, f, values):
    """(frequencies, |values - first|) where both runs are known, at the frequencies of the one with fewer; the other by lines."""
    if first is None:
        return f0[:0], f0[:0]
    low, high = max(f0[0], f[0]) * (1 - 1e-9), min(f0[-1], f[-1]) * (1 + 1e-9)
    (few, at), (dense, on) = sorted(((first, f0), (values, f)), key=lambda pair: ((pair[1] >= low) & (pair[1] <= high)).sum())
    inside = (at >= low) & (at <= high)
    return at[inside], np.abs(np.interp(at[inside], on, dense.real) + 1j * np.interp(at[inside], on, dense.imag) - few[inside])


def differences(runs):
    """|S - S of the first run| over frequency, and its largest values."""
    first = {name: values for name, _, _, values in curves_of(runs[0])}
    f0, series = runs[0].s_parameters[0], []
    factor, unit = scaled(f0[-1], "Hz")
    table = Table("curve", "largest |ΔS|", "dB", "at", "rms |ΔS|")
    for run in runs[1:]:
        for name, _, _, values in curves_of(run)[:MOST_CURVES]:
            f, off = deviation(f0, first.get(name), run.s_parameters[0], values)
            if not np.isfinite(off).any():
                continue
            k = int(np.nanargmax(off))
            text = f"{name}: {run.letter} − {runs[0].letter}"
            table.add(
                text, short(off[k], 3), short(float(decibels(off[k])), 3), engineering(f[k], "Hz"), short(float(np.sqrt(np.nanmean(off**2))), 3)
            )
            series.append(Series(text, f * factor, decibels(off), (len(series) + 1) % len(COLOURS), run.index))
    if not series:
        return ""
    drawn = [s for s in series if np.nanmax(s.y) > NEVER_DB]
    low, high = chart.limits([np.maximum(s.y, np.nanmax(s.y) - 50) for s in drawn]) if drawn else (0, 1)
    picture = chart.xy(drawn, Axis("frequency", unit), Axis("|ΔS|", "dB", low, high), sync="f") if drawn else "<p>They are the same, bit by bit.</p>"
    return f"<h3>Differences from {runs[0].letter}</h3>" + picture + table.html()


def touchstone_links(runs):
    """Links that carry the file, so that the page is enough."""
    links = []
    for run in runs:
        for path in run.touchstone():
            data = path.read_bytes()
            address = f"data:text/plain;base64,{base64.b64encode(data).decode()}" if len(data) <= LARGEST_EMBEDDED else path.name
            links.append(
                f'<a class="file" download="{escape(run.name)}.{escape(path.name)}" href="{escape(address)}">{escape(run.label(path.name))}'
                f" <small>{grouped(len(data))} B</small></a>"
            )
    return f'<p class="files">{"".join(links)}</p>' if links else ""


def value_table(runs):
    """S of runs at few frequencies."""
    table = Table("S-parameter", "at", "|S| (dB)", "phase (°)", "|S|")
    for run, name, _, _, frequency, values, _ in shown_curves(runs):
        for f, value in list(zip(frequency, values))[:FEW_FREQUENCIES]:
            table.add(
                run.label(name),
                engineering(f, "Hz"),
                short(float(decibels(value)), 4),
                short(float(np.degrees(np.angle(value))), 4),
                short(abs(value), 4),
            )
    return table.html()


def s_section(runs):
    with_s = [run for run in runs if curves_of(run)]
    if not with_s:
        return ""
    total = max(len(curves_of(run)) for run in with_s)
    note = f'<p class="note">{MOST_CURVES} of {total} curves are drawn; the Touchstone file has all.</p>' if total > MOST_CURVES else ""
    ticks = " Ticks at the lower edge: frequencies that were solved." if len(solved_frequencies(with_s[0], 1)) else ""
    names = with_s[0].s_parameters[2]
    lead = (
        f'<p class="note">S<sub>ij</sub> = b<sub>i</sub>/a<sub>j</sub>, ports in order: {escape(", ".join(names[:12]))}'
        f'{" …" if len(names) > 12 else ""}; reference impedances their own.{ticks}</p>'
    )
    if max(run.s_parameters[0].size for run in with_s) <= FEW_FREQUENCIES:
        return lead + value_table(with_s) + note + touchstone_links(with_s)
    with_s = [run for run in with_s if run.s_parameters[0].size > FEW_FREQUENCIES]
    compared = differences(with_s) if len(with_s) > 1 else ""
    return lead + toggled(s_views(with_s), "s") + note + resonance_table(with_s) + compared + touchstone_links(with_s)


def active_section(runs):
    """Arrays driven as a whole: |b/a| of all cells over frequency as least, median and most."""
    html = ""
    for run in runs:
        group = run.file.get("s_parameters/active")
        for name in list(group or {})[:DRAWN_MODES]:
            frequency, values = run.get("s_parameters/frequency"), np.abs(group[name][()])
            if values.ndim != 3 or len(values) != len(frequency) or len(frequency) < 2:
                continue
            cells = decibels(values.reshape(len(values), -1))
            factor, unit = scaled(frequency[-1], "Hz")
            lines = [
                Series(run.label(text), frequency * factor, line, k, run.index)
                for k, (text, line) in enumerate(
                    (("median cell", np.nanmedian(cells, axis=1)), ("least", np.nanmin(cells, axis=1)), ("most", np.nanmax(cells, axis=1)))
                )
            ]
            html += chart.xy(lines, Axis("frequency", unit), Axis("|b/a|", "dB"), run.label(f"{name}, all {cells.shape[1]} cells driven"), sync="f")
    return html


# ---- ports


def mode_picture(run, name):
    """|E| of a port's mode in colour, its direction as arrows."""
    points, cells, electric, _ = read_mode(run.file, name)
    right, up, _ = plane_of(points)
    flat = np.stack((points @ right, -(points @ up)), axis=1)
    low, span = flat.min(axis=0), np.ptp(flat, axis=0).max()
    place = (flat - low) / span * 180 + 10
    height = np.ptp(flat[:, 1]) / span * 180 + 20
    size = np.linalg.norm(electric, axis=1)
    shade = np.sqrt(size / max(size.max(), 1e-300))
    order = range(len(cells)) if len(cells) <= 1500 else np.linspace(0, len(cells) - 1, 1500).astype(int)
    triangles = "".join(
        f'<path class="v{min(int(shade[k] * 12), 11)}" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in place[cells[k]])}Z"/>' for k in order
    )
    middle = flat[cells].mean(axis=1)
    arrows = ""
    for k in [k for k in sparse(middle, span / 11) if size[k] > 0.02 * size.max()]:
        tip = np.array((electric[k] @ right, -(electric[k] @ up))) / max(size[k], 1e-300)
        x, y = (middle[k] - low) / span * 180 + 10 + 6 * tip
        (ax, ay), (bx, by) = -12 * tip, -3 * tip + 1.6 * np.array((-tip[1], tip[0]))
        arrows += f"M{x + ax:.1f} {y + ay:.1f}L{x:.1f} {y:.1f}l{bx:.1f} {by:.1f}M{x:.1f} {y:.1f}l{-6 * tip[0] - bx:.1f} {-6 * tip[1] - by:.1f}"
    return (
        f'<figure class="mode"><svg viewBox="0 0 200 {height:.0f}" role="img" aria-label="mode of port {escape(name)}">{triangles}'
        f'<path class="arrows" d="{arrows}"/></svg><figcaption>{escape(run.label(name))}: |E|, arrows its direction; at most '
        f"{engineering(size.max(), 'V/m', 3)} for 1 W</figcaption></figure>"
    )


def port_section(runs):
    table = Table("port", "type", "impedance (Ω)", "ε eff", "cutoff (line: next mode)", "driven", texts=(0, 1, 5))
    pictures = []
    for run in runs:
        names = list(run.file.get("ports") or {})
        given = {str(port.get("name")): port for port in run.case.get("ports") or []}
        for name in names[:MOST_PORTS]:
            mode = f"ports/{name}/mode"
            port = given.get(name, {})
            cutoff = run.number(mode, "cutoff")
            plane = f"; reference plane {port['reference_plane']}" if port.get("reference_plane") else ""
            kind = str(port.get("type", "")) + (f" {port['mode']}" if port.get("mode") else "") + plane
            table.add(
                run.label(name),
                kind,
                short(run.number(f"ports/{name}", "impedance"), 5),
                short(run.number(mode, "eps_effective"), 5),
                engineering(cutoff, "Hz") if cutoff > 0 else "–",
                "yes" if "excite" in port else "–",
            )
        if len(names) > MOST_PORTS:
            table.add(run.label(f"and {len(names) - MOST_PORTS} more"), "", "", "", "", "")
        pictures += [mode_picture(run, name) for name in modes_of(run.file)[:DRAWN_MODES]]
    if not table.rows:
        return ""
    return table.html() + (f'<div class="modes">{"".join(pictures)}</div>' if pictures else "") + Markup("")
