"""Histories, iterations and resonances."""

import numpy as np

from plotting.base import COLOURS, scaled
from plotting.eigenmodes import LOSSES, read_shares
from reporting import chart
from reporting.chart import Axis, Series
from reporting.fields import scale_unit
from reporting.network import toggled
from reporting.text import Table, engineering, escape, grouped, short

MOST_PROBES = 6


def energy_section(runs):
    chosen = [run for run in runs if run.has("energy/total") and len(run.get("energy/total")) > 1]
    if not chosen:
        return ""
    factor, unit = scaled(max(run.get("energy/time")[-1] for run in chosen), "s")
    axis = Axis("time", unit)
    levels, parts = [], []
    largest = max(np.nanmax(run.get("energy/total")) for run in chosen)
    scale, joule = scaled(largest, "J")
    table = Table("energy", "largest", "at", "at the end", "of the largest (dB)")
    for run in chosen:
        time, total = run.get("energy/time"), run.get("energy/total")
        top = np.nanmax(total)
        level = 10 * np.log10(np.maximum(total / top, 1e-12)) if top > 0 else np.zeros(len(total))
        levels.append(Series(run.label("total"), time * factor, level, 0 if run.alone else run.index, run.index))
        for k, part in enumerate(("total", "electric", "magnetic", "dispersive", "nonlinear")):
            values = run.get(f"energy/{part}")
            if values is not None and (part == "total" or np.nanmax(np.abs(values)) > 0):
                parts.append(Series(run.label(part), time * factor, values * scale, k, run.index))
        table.add(
            run.label("total"),
            engineering(top, "J"),
            engineering(time[int(np.nanargmax(total))], "s"),
            engineering(total[-1], "J"),
            short(float(level[-1]), 3),
        )
    low = max(min(np.nanmin(s.y) for s in levels), -120)
    views = [
        ("db", "dB", chart.xy(levels, axis, Axis("energy of its largest", "dB", low - 3, 4.0), sync="t")),
        ("parts", "Parts", chart.xy(parts, axis, Axis("energy", joule), sync="t")),
    ]
    return toggled(views, "energy") + table.html() + losses(runs)


def losses(runs):
    table = Table("losses", "value")
    for run in runs:
        group = run.file.get("losses")
        if group is None:
            continue
        for name, value in sorted(group.attrs.items()):
            if np.isscalar(value) and not isinstance(value, (str, bytes)):
                table.add(run.label(name.replace("_", " ")), engineering(float(value), "J") if "share" not in name else short(float(value)))
        for name, item in group.items():
            if getattr(item, "shape", None) == () and item.dtype.kind == "f":
                table.add(run.label(name.replace("_", " ")), short(float(item[()])))
    return ("<h3>Losses</h3>" + table.html()) if table.rows else ""


def probe_section(runs):
    """E and H of every probe over time, or |E| and |H| over frequency."""
    html, names = "", []
    for run in runs:
        names += [name for name in (run.file.get("probes") or {}) if name not in names]
    for name in names[:MOST_PROBES]:
        views = []
        for field, si in (("E", "V/m"), ("H", "A/m")):
            chosen = [run for run in runs if run.has(f"probes/{name}/{field}")]
            series, axis, unit = [], None, si
            for run in chosen:
                over = "time" if run.has(f"probes/{name}/time") else "frequency"
                at, values = run.get(f"probes/{name}/{over}"), run.get(f"probes/{name}/{field}")
                if at is None or values.ndim != 2 or len(at) != len(values) or len(at) < 2:
                    continue
                factor, at_unit = scaled(at[-1], "s" if over == "time" else "Hz")
                axis = axis or Axis(over, at_unit)
                if not series:
                    scale, unit = scale_unit(np.abs(values), si)
                for component in range(3):
                    numbers = values[:, component] if over == "time" else np.abs(values[:, component])
                    series.append(Series(run.label(f"{field}{'xyz'[component]}"), at * factor, numbers * scale, component, run.index))
            if series:
                views.append((field, field, chart.xy(series, axis, Axis(field, unit), sync="t" if axis.label == "time" else "f")))
        if views:
            position = np.asarray(runs[0].file[f"probes/{name}"].attrs.get("position", [])) if runs[0].has(f"probes/{name}") else []
            place = f" <small>at ({', '.join(engineering(float(x), 'm', 3) for x in position)})</small>" if len(position) else ""
            html += f"<h3>{escape(name)}{place}</h3>" + toggled(views, f"probe-{escape(name)}")
    if len(names) > MOST_PROBES:
        html += f'<p class="note">{MOST_PROBES} of {len(names)} probes are drawn.</p>'
    return html


def port_histories(run, wave):
    """(name, time, values) of every port; of an array, whose values are [n, nx, ny], of the port of every cell."""
    found = []
    for name in run.file["ports"]:
        values, time = run.get(f"ports/{name}/{wave}"), run.get(f"ports/{name}/time")
        if values is not None and values.ndim == 3:
            found += [(f"{name}.{i}.{j}", time, values[:, i, j]) for i, j in np.ndindex(values.shape[1:])]
        elif values is not None:
            found.append((name, time, values))
    return found


def port_waves(runs):
    """Incident and reflected waves over time."""
    series, unit = [], ""
    chosen = [run for run in runs if run.has("ports") and any("time" in run.file[f"ports/{n}"] for n in run.file["ports"])]
    if not chosen:
        return ""
    factor, unit = scaled(max(run.get(f"ports/{list(run.file['ports'])[0]}/time")[-1] for run in chosen), "s")
    for run in chosen:
        for m, wave in enumerate(("incident", "reflected")):
            for k, (name, time, values) in enumerate(port_histories(run, wave)[:4]):
                if np.nanmax(np.abs(values)) > 0:
                    series.append(Series(run.label(f"{name} {wave}"), time * factor, values, (2 * k + m) % len(COLOURS), run.index))
    return "<h3>Waves at ports over time</h3>" + chart.xy(series, Axis("time", unit), Axis("a, b", "√W"), sync="t") if series else ""


def solver_section(runs):
    """Frequency domain: how well every frequency is solved."""
    html, table = "", Table(
        "solver", "method", "unknowns", "non-zeros", "frequencies solved", "largest residual", "largest estimated error", texts=(0, 1)
    )
    estimates, histories = [], []
    for run in runs:
        group = run.file.get("frequency_domain")
        if group is None:
            continue
        solved, sweep = run.get("frequency_domain/sweep/solved"), run.get("frequency_domain/sweep/error_estimate")
        frequency, residual = run.get("frequency_domain/frequency"), run.get("frequency_domain/residual")
        method = str(run.attribute_of("frequency_domain", "method"))
        if method == "bicgstab":
            method += " with " + str(run.attribute_of("frequency_domain", "preconditioner"))
        count = f"{int((solved == 1).sum())} of {solved.size}" if solved is not None else str(len(frequency))
        table.add(
            run.label(run.attribute("mode")),
            method,
            grouped(run.number("frequency_domain", "unknowns")),
            grouped(run.number("frequency_domain", "nonzeros")),
            count,
            short(float(np.nanmax(residual)), 2) if residual is not None and residual.size else "–",
            short(float(np.nanmax(sweep)), 2) if sweep is not None else "–",
        )
        if sweep is not None and sweep.size > 2 and np.nanmax(sweep) > 0:
            at = run.get("frequency_domain/sweep/frequency")
            estimates.append((run, at, np.log10(np.where(sweep > 0, sweep, np.nan))))
        history = run.get("frequency_domain/residual_history")
        if history is not None and history.ndim == 3:
            for k in np.flatnonzero(np.isfinite(history[:, 0]).any(axis=1))[:6]:
                line = history[k, 0]
                stride = (
                    int(np.ravel(run.get("frequency_domain/residual_history_stride"))[0])
                    if run.has("frequency_domain/residual_history_stride")
                    else 1
                )
                histories.append(
                    Series(
                        run.label(engineering(frequency[k], "Hz")),
                        np.arange(line.size) * max(stride, 1),
                        np.log10(np.where(line > 0, line, np.nan)),
                        len(histories) % len(COLOURS),
                        run.index,
                    )
                )
    if estimates:
        factor, unit = scaled(max(at[-1] for _, at, _ in estimates), "Hz")
        series = [Series(run.label("estimated error"), at * factor, values, run.index, run.index) for run, at, values in estimates]
        html += chart.xy(series, Axis("frequency", unit), Axis("error of S", "", log=True), "Estimated error of the fast sweep", "f")
    if histories:
        html += chart.xy(histories, Axis("iteration", ""), Axis("residual", "", log=True), "Residuals")
    return table.html() + html + boundary_iterations(runs)


def boundary_iterations(runs):
    series = []
    for run in runs:
        error = run.get("iiee/error")  # [iterations], of several frequencies [frequencies, iterations]
        if error is not None and error.size > 1:
            line = np.fmax.reduce(np.atleast_2d(error))
            series.append(
                Series(
                    run.label("boundary values"), np.arange(1, line.size + 1, dtype=float), np.log10(np.where(line > 0, line, np.nan)), 0, run.index
                )
            )
    return chart.xy(series, Axis("iteration", ""), Axis("change", "", log=True), "Iteration on the boundary values") if series else ""


def resonance_section(runs):
    html = ""
    for run in runs:
        frequency, q = run.get("eigenmodes/frequency"), run.get("eigenmodes/q")
        if frequency is None:
            continue
        shares = read_shares(run.file, ("electric_energy",))
        lost = {name: values for name, values in read_shares(run.file, LOSSES).items() if np.abs(values).max() > 0}
        table = Table("resonance", "frequency", "Q", *(f"W_E in {name} (%)" for name in shares), *(f"1/Q of {name}" for name in lost))
        for k, hertz in enumerate(np.real(frequency)):
            own = float(q[k])
            table.add(
                run.label(str(k + 1)),
                engineering(hertz, "Hz", 7),
                grouped(own) if np.isfinite(own) and abs(own) < 1e12 else "∞",
                *(short(100 * float(values[k]), 3) for values in shares.values()),
                *(short(float(values[k]), 3) for values in lost.values()),
            )
        html += table.html()
    return html
