"""Time by action and rank, memory and time as predicted and used."""

import numpy as np

from reporting import chart
from reporting.geometry import classes_html
from reporting.text import Markup, Table, duration, engineering, escape, grouped, memory, percent, short

ACTIONS = (
    ("seconds_volume_surface", "volume and surface"),
    ("seconds_dispersion", "dispersion"),
    ("seconds_nonlinear", "nonlinear media"),
    ("seconds_layers", "absorbing layers"),
    ("seconds_walls", "walls"),
    ("seconds_ports", "ports"),
    ("seconds_sources", "sources"),
    ("seconds_communication", "communication (exposed)"),
    ("seconds_output", "output"),
)
MOST_PORTS = 64  # whose singular values are computed
SETUP = "seconds_setup_"
SOLVING = (("seconds_preprocess", "factorisation"), ("seconds_assembly", "assembly"), ("seconds_solve", "solution"))
SHARED = ("elements", "border_elements", "shared_faces", "peers", "seconds_communication", "seconds_communication_hidden")


def attributes(run, group):
    item = run.file.get(group)
    return (
        {key: float(value) for key, value in item.attrs.items() if np.ndim(value) == 0 and not isinstance(value, (str, bytes))}
        if item is not None
        else {}
    )


def solve_seconds(run):
    """March, or solution of the finite-element modes."""
    values = attributes(run, "performance")
    return values.get("march_seconds", values.get("solve_seconds", float("nan")))


def actions_of(run):
    """[(name, seconds)] of everything that was timed."""
    values = attributes(run, "performance")
    rows = [("set-up: " + key[len(SETUP) :].replace("_", " "), seconds) for key, seconds in values.items() if key.startswith(SETUP)]
    if not rows and "setup_seconds" in values:
        rows = [("set-up", values["setup_seconds"])]
    march = [(text, values[key]) for key, text in ACTIONS if values.get(key, 0) > 0]
    if "march_seconds" in values:
        rest = values["march_seconds"] - sum(seconds for _, seconds in march)
        march += [("rest of the march", rest)] if rest > 0.005 * values["march_seconds"] else []
    for group in ("frequency_domain", "eigenmodes", "iiee", "assembly_2d"):
        held = attributes(run, group)
        march += [(text, held[key]) for key, text in SOLVING if held.get(key, 0) > 0]
        march += [
            (key[len("seconds_") :].replace("_", " "), value)
            for key, value in held.items()
            if key.startswith("seconds_") and value > 0 and key not in [k for k, _ in SOLVING]
        ]
    if "solve_seconds" in values:
        rest = values["solve_seconds"] - sum(seconds for _, seconds in march)
        march += [("rest of the solution", rest)] if rest > 0.05 * values["solve_seconds"] else []
    return [(name, seconds) for name, seconds in rows + march if seconds > 1e-4]


def time_html(run):
    rows = actions_of(run)
    if not rows:
        return ""
    total = sum(seconds for _, seconds in rows)
    return chart.bars(
        [(name, seconds, f"{duration(seconds)} · {100 * seconds / total:.1f} %") for name, seconds in sorted(rows, key=lambda row: -row[1])[:14]]
    )


def rank_table(run):
    """Least, mean and most of what ranks share unequally."""
    if int(run.attribute("ranks", 1)) < 2:
        return ""
    values = attributes(run, "performance")
    table = Table("per rank", "minimum", "mean", "maximum", "maximum / mean")
    for key in SHARED:
        of = [values.get(f"{key}_per_rank_{end}", values.get(f"{key}_{end}")) for end in ("min", "mean", "max")]
        if None not in of and of[2] > 0:
            text = duration if key.startswith("seconds") else lambda value: grouped(round(value))
            table.add(key.replace("_", " "), *(text(value) for value in of), short(of[2] / of[1], 3))
    return "<h4>By rank</h4>" + table.html() if table.rows else ""


def predicted_memory(forecast):
    """(host bytes of the largest rank, device bytes) or None."""
    ranks = forecast.get("memory_per_rank")
    if ranks:
        return max(max(r[key] for key in ("host_setup_bytes", "host_march_bytes", "host_results_bytes")) for r in ranks), max(
            r["device_bytes"] for r in ranks
        )
    bytes_ = forecast.get("memory_bytes_per_rank")
    return (max(bytes_) if isinstance(bytes_, list) else bytes_, None) if bytes_ else None


def forecast_table(run):
    """What `check` predicts on this machine beside what the run used."""
    values = attributes(run, "performance")
    used = {"host": values.get("host_memory_bytes"), "device": values.get("device_memory_bytes"), "time": solve_seconds(run)}
    table = Table("", "predicted", "used", "used / predicted")
    forecast = run.forecast or {}
    predicted = predicted_memory(forecast) or (None, None)
    rows = [("memory of the host, largest rank", predicted[0], used["host"], memory)]
    if predicted[1] or used["device"]:
        rows.append(("fields and tables of the backend", predicted[1], used["device"], memory))
    rows.append(("run time", forecast.get("predicted_seconds"), used["time"], duration))
    for text, expected, found, form in rows:
        known = expected and found and np.isfinite(found)
        if expected or (found and np.isfinite(found)):
            table.add(
                text,
                form(expected) if expected else "–",
                form(found) if found and np.isfinite(found) else "–",
                short(found / expected, 3) if known else "–",
            )
    note = f"No forecast: {run.no_forecast}." if run.no_forecast else ""
    if forecast:
        note = f"Predicted by check for one rank on the machine that wrote this page ({forecast.get('device', '–')})."
    note = f'<p class="note">{escape(note)}</p>' if note else ""
    return "<h4>Predicted and used</h4>" + table.html() + note if table.rows else ""


def speed_text(run):
    values = attributes(run, "performance")
    parts = []
    if "steps_per_second" in values:
        parts.append(f"{short(values['steps_per_second'], 4)} steps/s")
        parts.append(engineering(values.get("dof_updates_per_second", float("nan")), "unknowns/s", 3))
    if values.get("bytes_per_step"):
        parts.append(f"{memory(values['bytes_per_step'])} a step at least")
    return " · ".join(parts)


def timing_section(runs):
    blocks = []
    for run in runs:
        logged = run.logged(r"local time stepping: .* (?:levels|classes), of ([\d, ]*\d) elements")
        classes = classes_html(run.forecast, logged)
        head = "" if run.alone else f'<h3><b class="run r{run.index}">{run.letter}</b> {escape(run.name)}</h3>'
        speed = speed_text(run)
        blocks.append(
            f'<div class="block">{head}<h4>Time by action</h4>{time_html(run)}'
            + (f'<p class="note">{escape(speed)}</p>' if speed else "")
            + rank_table(run)
            + forecast_table(run)
            + (f"<h4>Local time stepping</h4>{classes}" if classes else "")
            + "</div>"
        )
    return f'<div class="blocks">{"".join(blocks)}</div>'


def health(run, facts):
    """[(state, what, value, limit)]; state: good, warn, note."""
    rows = []

    def add(good, what, value, limit=""):
        rows.append(("good" if good else "warn", what, value, limit))

    complete = bool(int(run.attribute("complete", 1)))
    ended = str(run.attribute("ended_by", "")) or "all solved"
    add(complete, "run complete", f"yes, {ended}" if complete else "no: stopped with a checkpoint")
    total = run.get("energy/total")
    if total is not None and len(total) > 1 and np.nanmax(total) > 0 and run.case.get("ports"):
        left = total[-1] / np.nanmax(total)
        add(left <= 1e-4, "energy left at the end", f"{short(10 * np.log10(max(left, 1e-30)), 3)} dB", "−40 dB for S")
    if run.s_parameters and run.driven:
        matrix = run.s_parameters[1]
        full = len(run.driven) == matrix.shape[2] <= MOST_PORTS and np.isfinite(matrix).all()
        top = np.linalg.norm(matrix, 2, axis=(1, 2)).max() if full else np.sqrt(np.nansum(np.abs(matrix[:, :, run.driven]) ** 2, axis=1).max())
        add(
            top <= 1.01,
            "passivity: largest singular value of S" if full else "passivity: largest norm of a column of S",
            short(float(top), 5),
            "≤ 1.01",
        )
        if full and matrix.shape[1] > 1:
            off = np.abs(matrix - matrix.transpose(0, 2, 1)).max()
            add(off < 0.02, "reciprocity: largest |Sij − Sji|", short(float(off), 2), "< 0.02")
    sweep, tolerance = run.get("frequency_domain/sweep/error_estimate"), run.number("frequency_domain/sweep", "tolerance")
    if sweep is not None:
        add(np.nanmax(sweep) <= tolerance, "estimated error of the fast sweep", short(float(np.nanmax(sweep)), 2), f"≤ {tolerance:g}")
    residual, solved = run.get("frequency_domain/residual"), run.get("frequency_domain/sweep/solved")
    if residual is not None and solved is not None and len(solved) == len(residual):
        residual = residual[solved == 1]
    asked = (run.case.get("solver") or {}).get("tolerance")
    if (
        residual is not None
        and np.isfinite(residual).any()
        and str(run.attribute_of("frequency_domain", "method")) != "direct"
        and np.nanmax(residual) > 0
        and asked
    ):
        add(
            np.nanmax(residual) <= 1.001 * float(asked), "largest residual of the solver", short(float(np.nanmax(residual)), 2), f"≤ {float(asked):g}"
        )
    for name in (run.file.get("far_field") or {}) if run.has("far_field") else ():
        share = run.number(f"far_field/{name}", "power_balance")
        if np.isfinite(share):
            add(abs(share - 1) <= 0.01, f"power balance at {engineering(float(name), 'Hz')}", percent(share), "100 ± 1 %")
    if run.has("iiee") and np.isfinite(change := run.number("iiee", "last_error")):
        tolerance = run.number("iiee", "tolerance")
        add(change <= tolerance, "last change of the boundary values", short(change, 2), f"≤ {tolerance:g}")
    if np.isfinite(facts.get("least_ratio", float("nan"))):
        add(facts["least_ratio"] > 0.05, "worst element: radius ratio", short(facts["least_ratio"], 3), "> 0.05")
    needed = (run.forecast or {}).get("needed_elements_per_wavelength")
    counts = [
        entry["elements_per_wavelength"]["median"]
        for entry in ((run.forecast or {}).get("mesh") or {}).get("regions", {}).values()
        if "elements_per_wavelength" in entry
    ]
    if needed and counts:
        add(min(counts) >= needed, "elements per wavelength, coarsest region", f"{short(min(counts), 3)} of {needed:g}")
    return rows


def health_section(runs, facts):
    """Checks as rows, runs as columns."""
    found = [{what: (state, value, limit) for state, what, value, limit in health(run, facts.get(run.letter, {}))} for run in runs]
    heads = ["found"] if len(runs) == 1 else [run.letter for run in runs]
    table = Table("", "check", *heads, "limit", texts=(0, 1), kind="health")
    for what in dict.fromkeys(what for checks in found for what in checks):
        states = [checks[what][0] for checks in found if what in checks]
        worst = "warn" if "warn" in states else "good"
        cells = [Markup(f'<span class="{checks[what][0]}">{escape(checks[what][1])}</span>') if what in checks else "–" for checks in found]
        limit = next(checks[what][2] for checks in found if what in checks)
        table.add(Markup(f'<i class="{worst}" title="{worst}">{"✓" if worst == "good" else "!"}</i>'), what, *cells, limit, kind=worst)
    return table.html()
