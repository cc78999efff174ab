"""The top and the end of a page: warnings, the run in numbers, differences of cases, where it comes from."""

import os

import numpy as np

from reporting.network import resonances
from reporting.radiation import frequencies, frequency_text, pattern
from reporting.run import flat
from reporting.text import Markup, Table, duration, engineering, escape, grouped, memory, sentence, short
from reporting.timing import attributes, solve_seconds


def warnings_section(runs):
    items = [(run, text) for run in runs for text in run.warnings]
    if not items:
        return '<p class="allgood"><i class="good">✓</i> No warnings.</p>'
    rows = "".join(f"<li>{'' if run.alone else chip(run)}{escape(sentence(text))}</li>" for run, text in items)
    return f'<ul class="warnings">{rows}</ul>'


def chip(run):
    return Markup(f'<b class="run r{run.index}">{run.letter}</b> ')


def method_of(run):
    return " · ".join(
        str(part) for part in (run.attribute("scheme"), run.attribute("basis"), run.attribute("layout"), run.attribute("precision")) if part
    )


def machine_of(run):
    ranks, threads = int(run.attribute("ranks", 1)), int(run.attribute("threads", 0))
    return f"{ranks} rank{'s' if ranks > 1 else ''}" + (f" × {threads} threads" if threads else "")


def headline(run):
    """[(name, value)]: what one looks for first."""
    rows = []
    best = resonances(run)[:1] if run.s_parameters else []
    for name, hertz, level, _ in best:
        rows.append((f"minimum |{name}|", f"{short(level, 3)} dB at {engineering(hertz, 'Hz')}"))
    if run.has("far_field"):
        found = [
            (float(np.nanmax(values[2])), name, key)
            for name in frequencies(run.file, "far_field")
            for key in ("gain", "directivity")
            if (values := pattern(run, name, key))
        ]
        if found:
            gains = [entry for entry in found if entry[2] == "gain"] or found
            top, name, key = max(gains)
            rows.append((key, f"{short(top, 3)} dBi at {frequency_text(name)}"))
    modes = run.get("eigenmodes/frequency")
    if modes is not None and modes.size:
        rows.append(("first resonance", engineering(float(np.real(modes).min()), "Hz", 6)))
    for kind, what, unit in (("rcs", "cross-section", "dBsm"), ("scattering_width", "scattering width", "dB of 1 m")):
        if run.has(kind):
            name = frequencies(run.file, kind)[0]
            level = float(10 * np.log10(np.nanmax(run.get(f"{kind}/{name}/sigma"))))
            rows.append((f"largest {what}", f"{short(level, 3)} {unit} at {frequency_text(name)}"))
    return rows


def numbers_of(run):
    """[(name, text)] of a run."""
    rows = [("mode", str(run.attribute("mode"))), ("method", method_of(run))]
    rows += headline(run)
    if "elements" in run.file.attrs:
        rows.append(("elements", grouped(run.attribute("elements"))))
    if "dofs" in run.file.attrs:
        rows.append(("unknowns", grouped(run.attribute("dofs"))))
    if "steps" in run.file.attrs:
        done = int(run.attribute("steps_done", run.attribute("steps")))
        rows.append(("steps", f"{grouped(done)} of {engineering(float(run.attribute('time_step')), 's', 3)}"))
    if run.has("frequency_domain/frequency"):
        f = run.get("frequency_domain/frequency")
        ends = f", {engineering(f[0], 'Hz')} to {engineering(f[-1], 'Hz')}" if len(f) > 1 else f": {engineering(f[0], 'Hz')}"
        rows.append(("frequencies", f"{len(f)}{ends}"))
    rows.append(("machine", ", ".join(filter(None, (machine_of(run), str(run.attribute("devices") or run.attribute("backend")))))))
    rows.append(("set-up", duration(attributes(run, "performance").get("setup_seconds"))))
    rows.append(("solution time", duration(solve_seconds(run))))
    if bytes_ := attributes(run, "performance").get("host_memory_bytes"):
        rows.append(("memory", memory(bytes_)))
    return [(name, text) for name, text in rows if text and text != "–"]


def title_of(runs):
    """The runs' title, or what their titles have in common."""
    titles = list(dict.fromkeys(run.title for run in runs))
    common = os.path.commonprefix(titles).rstrip(" ,;:-")
    return titles[0] if len(titles) == 1 else f"{common}: {len(runs)} runs" if len(common) > 8 else " / ".join(titles)


def numbers_section(runs):
    if len(runs) == 1:
        return (
            '<dl class="tiles">'
            + "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>" for name, text in numbers_of(runs[0]))
            + "</dl>"
        )
    columns = [dict(numbers_of(run)) for run in runs]
    table = Table("", *(Markup(f"{chip(run)}{escape(run.name)}") for run in runs), texts=range(len(runs) + 1), kind="beside")
    for name in dict.fromkeys(name for column in columns for name in column):
        cells = [column.get(name, "–") for column in columns]
        table.add(name, *cells, kind="differs" if len(set(cells)) > 1 else "")
    return table.html() + '<p class="note">Rows in bold differ.</p>'


def case_differences(runs):
    leaves = [flat(run.case) for run in runs]
    table = Table("key", *(chip(run) for run in runs), texts=range(len(runs) + 1), kind="code")
    for key in dict.fromkeys(key for leaf in leaves for key in leaf):
        values = [str(leaf[key]) if key in leaf else "–" for leaf in leaves]
        if len(set(values)) > 1:
            table.add(key, *values)
    return "<h3>Keys that differ</h3>" + table.html() if table.rows else '<p class="note">The cases are the same.</p>'


def case_section(runs):
    html = case_differences(runs) if len(runs) > 1 else ""
    for run in runs:
        name = "" if run.alone else f"{run.letter} {run.name}: "
        html += f"<details><summary>{escape(name)}case as run, all defaults filled in</summary><pre>{escape(run.case_text)}</pre></details>"
        if run.log:
            lines = "".join(
                f'<span class="{"w" if " W " in line[:24] or " E " in line[:24] else ""}">{escape(line)}</span>\n' for line in run.log[-400:]
            )
            html += f"<details><summary>{escape(name)}log, {len(run.log)} lines</summary><pre>{lines}</pre></details>"
    return html


def origin_section(runs):
    table = Table("", *(chip(run) if len(runs) > 1 else Markup("") for run in runs), texts=range(len(runs) + 1), kind="code")
    hosts = [run.logged(r" I on ([^:]+): (.*)$") for run in runs]
    rows = [
        ("program", [f"tetrawave {run.attribute('version')}" for run in runs]),
        ("revision", [str(run.attribute("git_revision")) for run in runs]),
        ("host", [m[1] if m else "–" for m in hosts]),
        ("devices", [str(run.attribute("devices")) for run in runs]),
        ("started", [str(run.attribute("started")) for run in runs]),
        ("finished", [str(run.attribute("finished")) for run in runs]),
        ("mesh hash", [str(run.attribute("mesh_hash")) for run in runs]),
        ("SHA-256 of results.h5", [run.sha256() for run in runs]),
        ("folder", [str(run.folder.resolve()) for run in runs]),
    ]
    for name, cells in rows:
        if any(cells):
            table.add(name, *cells)
    return table.html()
