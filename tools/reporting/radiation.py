"""Far fields, cross-sections and the balance of power."""

import numpy as np

from plotting.base import COLOURS
from plotting.patterns import SECTIONS, cuts_of, frequencies, frequency_text, on_directions, read_sections
from reporting import chart
from reporting.chart import Axis, Series
from reporting.network import toggled
from reporting.text import Table, engineering, percent, short

SHOWN_DB = 40.0
MOST_FREQUENCIES = 6
QUANTITIES = (("directivity", "Directivity", "dBi"), ("gain", "Gain", "dBi"), ("realised_gain", "Realised gain", "dBi"))


def with_group(runs, group):
    return [run for run in runs if run.has(group) and len(run.file[group])]


def pattern(run, name, quantity):
    """(theta, phi, values [theta, phi]) or None."""
    group = f"far_field/{name}"
    values = run.get(f"{group}/{quantity}")
    if values is None or not np.isfinite(values).any():
        return None
    return on_directions(run.file, f"{group}/{quantity}", run.get(f"{group}/theta"), run.get(f"{group}/phi"), values)


def pattern_chart(runs, name, quantity, unit):
    series, tops, seen = [], [], "theta"
    for run in runs:
        found = pattern(run, name, quantity) if run.has(f"far_field/{name}") else None
        if found is None:
            continue
        theta, phi, values = found
        over, angles, cuts = cuts_of(theta, phi, values)
        for k, (label, cut) in enumerate(cuts):
            series.append(Series(run.label(label.replace("theta", "θ").replace("phi", "φ")), angles, cut, k % len(COLOURS), run.index))
        tops.append(np.nanmax(values))
        seen = over
    if not series:
        return ""
    high = 5 * np.ceil(max(tops) / 5 + 1e-9)
    return chart.polar(series, high - SHOWN_DB, high, f"{frequency_text(name)}, over {'φ' if seen == 'phi' else 'θ'}", unit)


def pattern_views(runs, names):
    views = []
    for key, caption, unit in QUANTITIES:
        charts = [picture for name in names if (picture := pattern_chart(runs, name, key, unit))]
        if charts:
            views.append((key, caption, f'<div class="pair">{"".join(charts)}</div>'))
    return views


def far_field_table(runs, names):
    table = Table("far field", "directivity (dBi)", "gain (dBi)", "realised (dBi)", "at θ, φ", "efficiency", "radiated", "accepted")
    for name in names:
        for run in runs:
            if not run.has(f"far_field/{name}"):
                continue
            tops, place = [], "–"
            for quantity, _, _ in QUANTITIES:
                found = pattern(run, name, quantity)
                tops.append(short(float(np.nanmax(found[2])), 4) if found else "–")
                if found and place == "–":
                    k, m = np.unravel_index(np.nanargmax(found[2]), found[2].shape)
                    place = f"{found[0][k]:g}°, {found[1][m]:g}°"
            number = lambda key: run.number(f"far_field/{name}", key)  # noqa: E731
            efficiency = number("efficiency")
            table.add(
                run.label(frequency_text(name)),
                *tops,
                place,
                percent(efficiency) if np.isfinite(efficiency) else "–",
                engineering(number("radiated_power"), "W"),
                engineering(number("accepted_power"), "W"),
            )
    return table.html()


def pattern_differences(runs, names):
    table = Table("pattern", "largest difference (dB), within 20 dB of the maximum", "difference of the maxima (dB)")
    for name in names:
        base = pattern(runs[0], name, "directivity") if runs[0].has(f"far_field/{name}") else None
        for run in runs[1:]:
            other = pattern(run, name, "directivity") if run.has(f"far_field/{name}") else None
            if base is None or other is None or base[2].shape != other[2].shape:
                continue
            strong = base[2] > np.nanmax(base[2]) - 20
            table.add(
                f"{frequency_text(name)}: {run.letter} − {runs[0].letter}",
                short(float(np.nanmax(np.abs(other[2] - base[2])[strong])), 3),
                short(float(np.nanmax(other[2]) - np.nanmax(base[2])), 3),
            )
    return table.html()


def far_field_section(runs):
    chosen = with_group(runs, "far_field")
    if not chosen:
        return ""
    names = sorted({name for run in chosen for name in frequencies(run.file, "far_field")}, key=float)
    views = pattern_views(chosen, names[:MOST_FREQUENCIES])
    compared = pattern_differences(chosen, names) if len(chosen) > 1 else ""
    return (toggled(views, "pattern") if views else "") + far_field_table(chosen, names) + compared


def rcs_section(runs, kind="rcs"):
    """Charts of the cross-sections of bodies, or of the scattering widths of plane problems."""
    chosen = with_group(runs, kind)
    charts = []
    for name in sorted({name for run in chosen for name in frequencies(run.file, kind)}, key=float)[:MOST_FREQUENCIES]:
        series, axis = [], "θ"
        for run in chosen:
            if not run.has(f"{kind}/{name}"):
                continue
            theta, phi, waves = read_sections(run.file, kind, name)
            for wave in range(min(waves.shape[2], 2)):
                over, angles, cuts = cuts_of(theta, phi, waves[..., wave])
                axis = "φ" if over == "phi" else "θ"
                for k, (label, cut) in enumerate(cuts):
                    text = label.replace("theta", "θ").replace("phi", "φ") + (f", wave {wave + 1}" if waves.shape[2] > 1 else "")
                    series.append(Series(run.label(text), angles, cut, (k + 3 * wave) % len(COLOURS), run.index))
        top = max(np.nanmax(s.y) for s in series)
        low = max(min(np.nanmin(s.y) for s in series), top - 60) - 2
        what = "bistatic cross-section" if kind == "rcs" else SECTIONS[kind][0]
        charts.append(chart.xy(series, Axis(axis, "°", None, None, 30.0), Axis(what, SECTIONS[kind][1], low, top + 3), frequency_text(name)))
    return "".join(charts)


def monostatic_section(runs):
    charts = []
    for run in with_group(runs, "monostatic"):
        for name in frequencies(run.file, "monostatic")[:MOST_FREQUENCIES]:
            theta, phi, kinds, sigma = (run.get(f"monostatic/{name}/{key}") for key in ("theta", "phi", "polarization", "sigma"))
            over, along, across = ("φ", phi, theta) if np.unique(phi).size > np.unique(theta).size else ("θ", theta, phi)
            series = []
            for kind in np.unique(kinds):
                for at in np.unique(across):
                    chosen = np.flatnonzero((kinds == kind) & (across == at))
                    chosen = chosen[np.argsort(along[chosen], kind="stable")]
                    if chosen.size:
                        series.append(
                            Series(
                                f"E along {'θφ'[int(kind)]}, {'φ' if over == 'θ' else 'θ'} {at:g}°",
                                along[chosen],
                                10 * np.log10(np.maximum(sigma[chosen], 1e-30)),
                                len(series) % len(COLOURS),
                            )
                        )
            charts.append(
                chart.xy(series, Axis(f"{over} of arrival", "°"), Axis("monostatic cross-section", "dBsm"), run.label(frequency_text(name)))
            )
    return "".join(charts)


def port_power(run):
    """[(port, frequency, share of the incident power that leaves through no port)]"""
    if not run.s_parameters:
        return []
    f, matrix, names = run.s_parameters
    return [(names[j], f, 1 - np.nansum(np.abs(matrix[:, :, j]) ** 2, axis=1)) for j in run.driven]


def balance_section(runs):
    """Where the power goes: of ports over frequency, of far fields in numbers, of losses."""
    from plotting.base import scaled

    entries = [(run, *entry) for run in runs for entry in port_power(run)[:4] if entry[1].size > 2]
    html = ""
    if entries:
        factor, unit = scaled(max(f[-1] for _, _, f, _ in entries), "Hz")
        series = [
            Series(run.label(f"driven: {name}"), f * factor, 100 * share, k % len(COLOURS), run.index)
            for k, (run, name, f, share) in enumerate(entries)
        ]
        low, high = chart.limits([s.y for s in series], 0.08, 1e-6)
        html += chart.xy(
            series,
            Axis("frequency", unit),
            Axis("1 − Σ|S|²", "%", low, high),
            "Power that leaves through no port: radiated, lost, " "or still inside at the end",
            "f",
            rules=((0.0, "lossless"),),
        )
    table = Table("far field", "incident", "accepted", "radiated", "lost in media and walls", "accounted for")
    for run in runs:
        for name in frequencies(run.file, "far_field") if run.has("far_field") else ():
            value = lambda key: run.number(f"far_field/{name}", key)  # noqa: E731
            accepted = value("accepted_power")
            if not np.isfinite(accepted):
                continue
            lost = value("lost_power")
            share = value("power_balance")
            if not np.isfinite(share) and accepted > 0:
                share = (value("radiated_power") + (lost if np.isfinite(lost) else 0)) / accepted
            off = np.isfinite(share) and abs(share - 1) > 0.02
            table.add(
                run.label(frequency_text(name)),
                *(engineering(x, "W") for x in (value("incident_power"), accepted, value("radiated_power"), lost)),
                percent(share) if np.isfinite(share) else "–",
                kind="warn" if off else "",
            )
    return html + table.html()
