"""The pages: of runs, and of a case before it runs."""

import datetime
from pathlib import Path

from reporting import fields, geometry, marching, network, overview, radiation, timing
from reporting.run import Run, ask_program, check, read_case, scratch
from reporting.text import Markup, Table, duration, engineering, escape, grouped, memory, sentence, short

HERE = Path(__file__).resolve().parent


def assemble(title, subtitle, badges, sections):
    """sections: [(anchor, heading, html)]; those without html are left out."""
    kept = [(anchor, heading, html) for anchor, heading, html in sections if html]
    links = "".join(f'<a href="#{anchor}">{escape(heading)}</a>' for anchor, heading, _ in kept)
    body = "".join(f'<section id="{anchor}"><h2>{escape(heading)}</h2>{html}</section>' for anchor, heading, html in kept)
    style, script = ((HERE / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    made = datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{escape(title)}</title><link rel="icon" href="data:,"><style>{style}</style></head>'
        f'<body><header><h1>{escape(title)}</h1><p class="subtitle">{subtitle}</p><p class="badges">{badges}</p></header>'
        f"<nav>{links}</nav><main>{body}</main><footer>Written by tetrawave-report, {escape(made)}.</footer><script>{script}</script></body></html>\n"
    )


def badge(text, kind=""):
    return f'<span class="badge {kind}">{escape(text)}</span>'


def geometry_section(runs, facts):
    """The mesh of each run, once where they share it."""
    html, known = "", {}
    with scratch() as folder:
        for run in runs:
            digest = str(run.attribute("mesh_hash"))
            if digest and digest in known:
                facts[run.letter] = facts[known[digest]]
                html += f'<p class="note">{run.letter} has the mesh of {known[digest]}.</p>'
                continue
            path = run.mesh_file or run.box_mesh(folder)
            if path is None:
                continue
            content, facts[run.letter] = geometry.mesh_section(path, run.case, run.forecast, f"view{run.index}")
            html += ("" if run.alone else f"<h3>{overview.chip(run)}{escape(run.name)}</h3>") + content
            known[digest] = run.letter
    return html


def report(names, with_forecast):
    """The page of one run, or of several side by side."""
    runs = [Run(name, index, len(names) == 1) for index, name in enumerate(names)]
    if with_forecast:
        for run in runs:
            run.ask_forecast()
    facts = {}
    shape = geometry_section(runs, facts)
    s = network.s_section(runs) + network.active_section(runs)
    sections = [
        ("warnings", "Warnings", overview.warnings_section(runs)),
        ("numbers", "Summary", overview.numbers_section(runs)),
        ("health", "Health", timing.health_section(runs, facts)),
        ("s", "S-parameters", s),
        ("pattern", "Far field", radiation.far_field_section(runs)),
        ("rcs", "Cross-sections", radiation.rcs_section(runs) + radiation.rcs_section(runs, "scattering_width") + radiation.monostatic_section(runs)),
        ("resonances", "Resonances", marching.resonance_section(runs)),
        ("fields", "Fields", fields.field_section(runs) + fields.static_section(runs)),
        ("near", "Near fields", fields.near_section(runs)),
        ("geometry", "Geometry and mesh", shape),
        ("ports", "Ports", network.port_section(runs) + marching.port_waves(runs)),
        ("probes", "Probes", marching.probe_section(runs)),
        ("energy", "Energy", marching.energy_section(runs)),
        ("balance", "Power balance", radiation.balance_section(runs)),
        ("solver", "Convergence", marching.solver_section(runs)),
        ("timing", "Time and memory", timing.timing_section(runs)),
        ("case", "Case and log", overview.case_section(runs)),
        ("origin", "Versions and hashes", overview.origin_section(runs)),
    ]
    if len(runs) == 1:
        run = runs[0]
        title, subtitle = run.title, escape(
            " · ".join(text for text in (str(run.attribute("mode")), overview.method_of(run), overview.machine_of(run)) if text)
        )
    else:
        title = overview.title_of(runs)
        subtitle = " ".join(f"{overview.chip(run)}{escape(run.name)}" for run in runs)
    count = sum(len(run.warnings) for run in runs)
    done = all(int(run.attribute("complete", 1)) for run in runs)
    badges = (badge("complete", "good") if done else badge("not complete", "warn")) + (
        badge(f"{count} warning{'s' if count > 1 else ''}", "warn") if count else badge("no warnings", "good")
    )
    badges += badge(str(runs[0].attribute("finished"))[:16].replace("T", " ")) + badge(f"tetrawave {runs[0].attribute('version')}")
    return assemble(title, subtitle, badges, sections)


# ---- before it runs


def forecast_tiles(forecast):
    rows = [("elements", grouped(forecast.get("mesh", {}).get("elements", 0)))]
    if unknowns := forecast.get("dofs") or forecast.get("unknowns"):
        rows.append(("unknowns", grouped(unknowns)))
    if "steps" in forecast:
        rows.append(("steps", f"{grouped(forecast['steps'])} of {engineering(forecast['time_step_s'], 's', 3)}"))
    if "frequencies" in forecast:
        rows.append(("frequencies", f"{forecast['frequencies']}, solutions {forecast.get('solutions', '–')}"))
    if "size_in_wavelengths" in forecast.get("mesh", {}):
        rows.append(
            (
                f"wavelengths at {engineering(forecast['highest_frequency_hz'], 'Hz')}",
                " × ".join(short(x, 3) for x in forecast["mesh"]["size_in_wavelengths"]),
            )
        )
    if found := timing.predicted_memory(forecast):
        rows.append(("memory", memory(found[0])))
    if "predicted_seconds" in forecast:
        rows.append(("run time here", duration(forecast["predicted_seconds"])))
    if disk := sum((forecast.get("disk_bytes") or {}).values()):
        rows.append(("disk", memory(disk)))
    return '<dl class="tiles">' + "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>" for name, text in rows) + "</dl>"


def forecast_ports(forecast):
    table = Table("port", "impedance (Ω)", "cutoff", "next mode", "faces")
    for name, port in list((forecast.get("ports") or {}).items())[:40]:
        cutoff, second = port.get("mode_cutoff_hz", float("nan")), port.get("second_mode_hz", float("nan"))
        table.add(name, short(port.get("impedance_ohm"), 5), engineering(cutoff, "Hz"), engineering(second, "Hz"), grouped(port.get("faces", 0)))
    return table.html()


def inspect(case_file, options):
    """(page, exit code, text of the errors): geometry and mesh, also of a case that `check` refuses for its groups."""
    with scratch() as folder:
        target = Path(folder) / "mesh.h5"
        code, _, errors = ask_program("mesh", case_file, "-o", target, *options)
        text = Path(case_file).read_text(encoding="utf-8", errors="replace") if Path(case_file).is_file() else ""
        case = read_case(text)
        own = Path(case_file).parent / str((case.get("mesh") or {}).get("file", ""))
        if code != 0 and own.suffix == ".h5" and own.is_file():
            code, target = 0, own
        if code != 0:
            return None, code if code else 69, errors
        forecast, code, errors = check(case_file, *options)
        shape, _ = geometry.mesh_section(target, case, forecast, "view0")
    wrong = [line for line in errors.splitlines() if ": error: " in line] if not forecast else []
    said = [line.removeprefix("warning: ") for line in errors.splitlines() if line.startswith("warning: ")]
    warnings = list(dict.fromkeys(said + ((forecast or {}).get("warnings") or [])))
    items = "".join(f'<li class="error">{escape(line)}</li>' for line in wrong) + "".join(
        f"<li>{escape(sentence(text))}</li>" for text in warnings
    )
    notes = f'<ul class="warnings">{items}</ul>' if items else '<p class="allgood"><i class="good">✓</i> No warnings.</p>'
    classes = geometry.classes_html(forecast)
    sections = [
        ("warnings", "Errors and warnings" if wrong else "Warnings", notes),
        ("numbers", "Summary", forecast_tiles(forecast) if forecast else ""),
        ("geometry", "Geometry and mesh", Markup(shape)),
        ("ports", "Ports", forecast_ports(forecast or {})),
        ("classes", "Time steps of the elements", classes),
        ("case", "Case", f"<pre>{escape(text)}</pre>"),
    ]
    badges = badge("before the run") + (
        badge(f"{len(wrong)} error{'s' if len(wrong) > 1 else ''}", "bad")
        if wrong
        else badge(f"{len(warnings)} warning{'s' if len(warnings) > 1 else ''}", "warn") if warnings else badge("no warnings", "good")
    )
    page = assemble(str(case.get("title") or Path(case_file).stem), escape(f"{case.get('mode', 'time-domain')} · {case_file}"), badges, sections)
    return page, 0 if forecast else code or 69, "\n".join(wrong) or errors
