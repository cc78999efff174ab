"""Plots of `tetrawave study`: for statics, times of the phases, totals, memory and colourings against the number of
elements; for the time and frequency domains, the requested results, times and rates of each run."""

import re

import h5py
import numpy as np

from plotting.base import BAD_DATA, COLOURS, Failure, scaled, text_attribute

PHASES = (("adjacency", "adjacency"), ("order", "order"), ("coloring", "colouring"), ("balance", "balance"), ("transfer", "transfer"),
          ("element", "element"), ("convert", "conversion"), ("solve", "solution"))
PHASE_COLOURS = (*COLOURS[:3], COLOURS[6], *COLOURS[3:6], "#B8B8B8")
MARKERS = "osD^vP*X"


def read_table(file):
    """{column: list}, without the rows of runs that failed."""
    group = file.get("study")
    if not isinstance(group, h5py.Group) or "elements" not in group:
        raise Failure(BAD_DATA, f"{file.filename}: no /study/elements in it")
    table = {}
    for name, column in group.items():
        values = column[()]
        table[name] = [v.decode() if isinstance(v, bytes) else v for v in values]
    good = [i for i, count in enumerate(table["elements"]) if np.isfinite(count)]
    if not good:
        raise Failure(BAD_DATA, f"{file.filename}: no run of the study has come to its end")
    return {name: [values[i] for i in good] for name, values in table.items()}


def label_of(table, row):
    order = ", order 2" if table["order"][row] == 2 else ""
    coloring = "" if table["coloring"][row] == "none" else f", {table['coloring'][row]}"
    return table["algorithm"][row] + coloring + order


def count_text(count):
    """11.4k, 1.71M."""
    return f"{count / 1e6:.3g}M" if count >= 1e6 else (f"{count / 1e3:.3g}k" if count >= 1e3 else f"{count:.0f}")


def variants(table):
    """{label: rows by ascending number of elements}, in the order of the table."""
    rows = {}
    for row in range(len(table["elements"])):
        rows.setdefault(label_of(table, row), []).append(row)
    return {label: sorted(of, key=lambda row: table["elements"][row]) for label, of in rows.items()}


def seconds(table, row, phase):
    """0 for a phase that the table does not have."""
    value = table.get(f"seconds_{phase}", [np.nan] * (row + 1))[row]
    return value if np.isfinite(value) else 0.0


def total(table, row):
    return sum(seconds(table, row, phase) for phase, _ in PHASES)


def draw_phases(axes, table, algorithm):
    """Stacked times of one algorithm: a bar for every number of elements and colouring."""
    rows = [row for row in range(len(table["elements"])) if table["algorithm"][row] == algorithm]
    rows.sort(key=lambda row: (table["elements"][row], label_of(table, row)))
    counts = sorted({table["elements"][row] for row in rows})
    place, at = [], 0.0
    for i, row in enumerate(rows):
        at += 1.0 if i and table["elements"][row] == table["elements"][rows[i - 1]] else 1.8
        place.append(at)
    bottom = np.zeros(len(rows))
    for color, (phase, name) in zip(PHASE_COLOURS, PHASES):
        height = np.array([seconds(table, row, phase) for row in rows])
        axes.bar(place, height, bottom=bottom, color=color, width=0.9, label=name)
        bottom += height
    middles = [np.mean([p for p, row in zip(place, rows) if table["elements"][row] == count]) for count in counts]
    axes.set_xticks(middles, [count_text(count) for count in counts])
    labels = sorted({label_of(table, row)[len(algorithm):].strip(", ") or "uncoloured" for row in rows})
    axes.set(title=algorithm + (f": {', '.join(labels)}" if len(labels) > 1 else ""), xlabel="elements", ylabel="seconds")
    axes.title.set_fontsize(9)


def draw_lines(axes, table, value, ylabel):
    for k, (label, rows) in enumerate(variants(table).items()):
        points = [(table["elements"][row], value(row)) for row in rows]
        points = [(x, y) for x, y in points if np.isfinite(y) and y > 0]
        if points:
            axes.loglog(*zip(*points), marker=MARKERS[k % len(MARKERS)], markersize=4, linewidth=1.1,
                        color=COLOURS[k % len(COLOURS)], linestyle=("-", "--", ":")[k // len(COLOURS) % 3], label=label)
    axes.set(xlabel="elements", ylabel=ylabel)


def draw_colorings(axes, table):
    """Time of each colouring, with its number of colours beside the last point."""
    methods = {}
    for row in range(len(table["elements"])):
        if table["coloring"][row] != "none":
            best = methods.setdefault(table["coloring"][row], {})
            count = table["elements"][row]
            best[count] = min(best.get(count, (np.inf, 0)), (seconds(table, row, "coloring") + seconds(table, row, "balance"), int(table["colors"][row])))
    for k, (method, best) in enumerate(sorted(methods.items())):
        counts = sorted(best)
        axes.loglog(counts, [best[count][0] for count in counts], marker=MARKERS[k], color=COLOURS[k], markersize=4,
                    label=f"{method}: {best[counts[-1]][1]} colours")
    axes.set(xlabel="elements", ylabel="colouring and balance (s)")
    if methods:
        axes.legend(fontsize=8)
    else:
        axes.text(0.5, 0.5, "no colouring in this study", ha="center", transform=axes.transAxes)


def results_of(file):
    """{column: units} of the results that were asked for."""
    names = [name.decode() if isinstance(name, bytes) else str(name) for name in file["study"].attrs.get("results", [])]
    return {name: text_attribute(file["study"][name], "units") for name in names if name in file["study"]}


def numbers_of(texts):
    """(values, unit) of a key that was varied in numbers with one unit or none, else None."""
    parts = [re.fullmatch(r"(-?[0-9.]+(?:e[+-]?[0-9]+)?) *([A-Za-z]*)", str(text)) for text in texts]
    if not all(parts) or len({part[2] for part in parts}) != 1:
        return None
    try:
        values = np.array([float(part[1]) for part in parts])
    except ValueError:
        return None
    return (values, parts[0][2]) if np.unique(values).size > 1 else None


def draw_result(axes, table, varied, name, units):
    """A result over the first key that was varied in numbers, a line for each combination of the others; else a bar a run."""
    values = np.array(table[name], dtype=float)
    largest = np.nanmax(np.abs(values)) if np.isfinite(values).any() else 0
    prefixed = units not in ("", "1", "dB", "dBi", "degree") and largest > 0
    factor, unit = scaled(largest, units) if prefixed else (1, "" if units == "1" else units)
    label = name + (f" ({unit})" if unit else "")
    over = next((key for key in varied if numbers_of(table[key])), None)
    if over is None:
        labels = [", ".join(str(table[key][row]) for key in varied) for row in range(values.size)]
        axes.barh(np.arange(values.size), values * factor, color=COLOURS[2])
        axes.set_yticks(np.arange(values.size), labels, fontsize=8)
        axes.invert_yaxis()
        axes.set(xlabel=label)
        return
    at, at_unit = numbers_of(table[over])
    rest = [key for key in varied if key != over]
    lines = {}
    for row in np.argsort(at, kind="stable"):
        lines.setdefault(tuple(str(table[key][row]) for key in rest), []).append(row)
    for k, (combination, rows) in enumerate(lines.items()):
        text = ", ".join(f"{key.split('.')[-1]} {value}" for key, value in zip(rest, combination))
        axes.plot(at[rows], values[rows] * factor, marker=MARKERS[k % len(MARKERS)], color=COLOURS[k % len(COLOURS)], label=text)
    margin = 0.05 * np.ptp(at)
    axes.set(xlim=(at.min() - margin, at.max() + margin), xlabel=over + (f" ({at_unit})" if at_unit else ""), ylabel=label)
    if rest:
        axes.legend(fontsize=8)


def draw_results(figure, table, varied, results):
    """A panel for each result, two in a row."""
    panels = figure.subplots(-(-len(results) // 2), 2, squeeze=False).ravel()
    for axes in panels[len(results):]:
        axes.set_visible(False)
    for axes, (name, units) in zip(panels, results.items()):
        draw_result(axes, table, varied, name, units)


def draw_runs(figure, table, results):
    """For the time and frequency domains: the requested results, seconds of each run, and the cost of a step or a
    solution."""
    varied = [name for name in table if "." in name and name not in results]
    if results:
        rows = -(-len(results) // 2)
        upper, figure = figure.subfigures(2, 1, height_ratios=[1.2 * rows, 1])
        draw_results(upper, table, varied, results)
    labels = [", ".join(f"{name.split('.')[-1]} {table[name][row]}" for name in varied) for row in range(len(table["run"]))]
    order = np.argsort(table["run"])[::-1]
    time = "march_seconds" if "march_seconds" in table else "solve_seconds"
    value, name = (("dof_updates_per_second", "unknowns updated a second") if "march_seconds" in table
                   else ("iterations", "iterations"))
    left, right = figure.subplots(1, 2, sharey=True)
    place = np.arange(len(order))
    left.barh(place, [table[time][row] for row in order], color=COLOURS[0])
    left.barh(place, [table["setup_seconds"][row] for row in order], left=[table[time][row] for row in order], color="#B8B8B8")
    left.set_yticks(place, [labels[row] for row in order], fontsize=8)
    left.set(xlabel="seconds (grey: set-up)")
    right.barh(place, [table[value][row] for row in order], color=COLOURS[1])
    right.set(xlabel=name)


def draw_study(figure, file, _):
    table = read_table(file)
    if "algorithm" not in table:
        draw_runs(figure, table, results_of(file))
        return
    algorithms = list(dict.fromkeys(table["algorithm"]))
    upper, lower = figure.subfigures(2, 1)
    bars = upper.subplots(1, len(algorithms), squeeze=False)[0]
    for axes, algorithm in zip(bars, algorithms):
        draw_phases(axes, table, algorithm)
    bars[0].legend(fontsize=8, loc="upper left")
    times, memory, coloring = lower.subplots(1, 3)
    draw_lines(times, table, lambda row: total(table, row), "all phases but the mesh (s)")
    draw_lines(memory, table, lambda row: table["bytes_per_element"][row] * table["elements"][row], "peak memory (B)")
    times.legend(fontsize=7)
    draw_colorings(coloring, table)
    factor, unit = scaled(max(total(table, row) for row in range(len(table["elements"]))), "s")
    times.set_title(f"longest {max(total(table, row) for row in range(len(table['elements']))) * factor:.3g} {unit}", fontsize=9)
