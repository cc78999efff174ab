"""Time of a step, bandwidth and speed-up over GPUs (or ranks), from results files of tests/gpu: `tetrawave-plot scaling`."""

import json
import re
from pathlib import Path

import matplotlib.pyplot as plt

from plotting.base import BAD_DATA, CANNOT_WRITE, COLOURS, NO_FILE, STYLE, USAGE, Failure

PAPERS = Path(__file__).resolve().parents[1] / "papers.json"
MARKERS = "os^vDPX*"
GPUS = re.compile(r"\b(one|\d+) GPUs?\b")


def rows_in(found, rows):
    """All maps, at any depth, that are a run: elements and a time of a step."""
    if isinstance(found, dict):
        if found.get("elements") and (found.get("ms_per_step") or found.get("seconds_per_step")):
            rows.append(found)
        for value in found.values():
            rows_in(value, rows)
    elif isinstance(found, list):
        for value in found:
            rows_in(value, rows)
    return rows


def label_of(row):
    """What is the same for all numbers of GPUs."""
    if name := row.get("name") or row.get("case") or row.get("array"):
        return re.sub(r",? *(\d+|one) GPUs?", "", name).strip(" ,")
    parts = [row.get("scheme"), row.get("basis"), "single" if row.get("precision") == "single" else None, row.get("transport") if row.get("transport") != "ipc" else None]
    return ", ".join(part for part in parts if part) + f", {row['elements'] / 1e6:.3g} M elements"


def ranks_of(row):
    """The number of GPUs of a run: as it is kept, else as its name tells."""
    named = GPUS.search(row.get("name") or "")
    return int(row.get("ranks") or row.get("gpus") or (named[1] if named and named[1] != "one" else 1))


class Point:
    """`moved`: bytes of a step where the row lacks them, from another of the same label, whose steps move as many."""

    def __init__(self, row, moved):
        self.ranks = ranks_of(row)
        self.ms = row.get("ms_per_step") or 1e3 * row["seconds_per_step"]
        moved = row.get("bytes_per_step") or moved
        self.gbs = moved / self.ms / 1e6 / self.ranks if moved else None
        steps = row.get("steps_done")
        self.ms_communication = 1e3 * row["seconds_communication"] / steps if steps and row.get("seconds_communication") else None


def curves_of(files, pattern):
    """{label: points by number of GPUs}, of each number the last that was measured."""
    rows, curves = [], {}
    for path in files:
        try:
            found = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise Failure(NO_FILE, f"{path}: {error.strerror or error}") from None
        except ValueError:
            raise Failure(BAD_DATA, f"{path}: not a JSON file") from None
        rows_in(found, rows)
    moved = {label_of(row): row["bytes_per_step"] for row in rows if row.get("bytes_per_step")}
    for row in rows:
        label = label_of(row)
        if re.search(pattern, label):
            point = Point(row, moved.get(label))
            curves.setdefault(label, {})[point.ranks] = point
    if not curves:
        raise Failure(BAD_DATA, f"{', '.join(map(str, files))}: no run with elements and ms_per_step whose name matches '{pattern}'")
    return {label: [points[n] for n in sorted(points)] for label, points in sorted(curves.items())}


def theirs_of(table):
    """{what: [(GPUs, ms)]} of a table of the papers, communication left out."""
    entries = {entry["item"]: entry for paper in json.loads(PAPERS.read_text(encoding="utf-8")) for entry in paper["entries"]}
    if table not in entries:
        raise Failure(USAGE, f"--table {table}: not one of tools/papers.json, as 'Table 4.5' is (tetrawave-plot scaling --help)")
    curves = {}
    for row in entries[table].get("rows", ()):
        found = GPUS.search(row["of"])
        if found and row.get("theirs") and row["unit"] == "ms" and "communication" not in row["of"]:
            what = row["of"][: found.start()].strip(" ,")
            curves.setdefault(what, set()).add((1 if found[1] == "one" else int(found[1]), row["theirs"]))
    if not curves:
        raise Failure(BAD_DATA, f"--table {table}: no times on GPUs in it")
    return {what: sorted(points) for what, points in curves.items()}


def draw(figure, curves, theirs):
    """Three panels: ms per step, GB/s of each GPU, speed-up over the fewest GPUs of each curve of several numbers."""
    times, rates, gains, names = figure.subplots(1, 4, width_ratios=(3, 3, 3, 2))
    for k, (label, points) in enumerate(curves.items()):
        style = {"color": COLOURS[k % len(COLOURS)], "marker": MARKERS[k // len(COLOURS) % len(MARKERS)], "markersize": 5}
        ranks = [point.ranks for point in points]
        times.plot(ranks, [point.ms for point in points], label=label, **style)
        if any(point.ms_communication for point in points):
            times.plot(ranks, [point.ms_communication or float("nan") for point in points], linestyle=":", **style)
        if all(point.gbs for point in points):
            rates.plot(ranks, [point.gbs for point in points], **style)
        if len(points) > 1:
            gains.plot(ranks, [points[0].ms / point.ms * points[0].ranks for point in points], **style)
    for k, (what, points) in enumerate(theirs.items()):
        style = {"color": "#606060", "linestyle": "--", "marker": MARKERS[k % len(MARKERS)], "markersize": 7, "markerfacecolor": "white"}
        times.plot(*zip(*points), label=f"theirs{', ' if what else ''}{what}", **style)
        gains.plot([n for n, _ in points], [points[0][1] / ms * points[0][0] for _, ms in points], **style)
    most = max([point.ranks for points in curves.values() for point in points] + [n for points in theirs.values() for n, _ in points])
    gains.plot([1, most], [1, most], color="#B0B0B0", linewidth=1, zorder=0)
    for axes in (times, gains):
        axes.set_yscale("log", base=10 if axes is times else 2)
    for axes in (times, rates, gains):
        axes.set_xscale("log", base=2)
        axes.set_xticks([2**k for k in range(most.bit_length())], [str(2**k) for k in range(most.bit_length())])
        axes.set(xlabel="GPUs", xlim=(0.9, 1.1 * most))
    gains.yaxis.set_major_formatter("{x:g}")
    times.set(ylabel="ms per step (dotted: communication)")
    rates.set(ylabel="GB/s of each GPU", ylim=(0, None))
    rates.set_visible(bool(rates.lines))
    gains.set(ylabel="speed-up (line: as many as GPUs)")
    names.axis("off")
    names.legend(*times.get_legend_handles_labels(), loc="center left", fontsize=8, frameon=False)


def run(arguments, parser_class):
    parser = parser_class(prog="tetrawave-plot scaling", allow_abbrev=False,
                          description="Draws the time per step, bandwidth and speed-up over GPUs from JSON files as those of tests/gpu/results.")
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    parser.add_argument("--match", default="", metavar="REGEX", help="only runs whose name matches")
    parser.add_argument("--table", metavar="NAME", help="compare with the GPU times of this table of tools/papers.json, such as 'Table 4.5'")
    parser.add_argument("--title", default="")
    parser.add_argument("-o", "--output", default="scaling.png", metavar="FILE.png", help="(default: %(default)s)")
    options = parser.parse_args(arguments)
    try:
        re.compile(options.match)
    except re.error as error:
        parser.error(f"--match {options.match}: {error}")
    curves = curves_of(options.files, options.match)
    theirs = theirs_of(options.table) if options.table else {}
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(15, 4.4), layout="constrained")
        if options.title:
            figure.suptitle(options.title)
        draw(figure, curves, theirs)
        try:
            figure.savefig(options.output)
        except (OSError, ValueError) as error:
            raise Failure(CANNOT_WRITE, f"{options.output}: {error}") from None
    print(options.output)
