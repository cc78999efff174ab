#!/usr/bin/env python3
"""Tables 2 and 3 and figures 5 to 12 of the paper on FE-IIEE (its numbers: papers_iiee.json beside this file) with ours.

    papers_iiee.py -o OUTDIR [--bench FILE.json ..] [--horn RUN] [--ogive RUN] [--run RUN ..]

--bench: of `tetrawave bench --pairs --faces .. --json FILE`, one of a CPU (--threads 1) and one of a GPU, or more of each;
--horn, --ogive: output directories of cases/horn and cases/ogive; --run: of any runs of mode fe-iiee on a GPU, for figure 12.
Writes tables.md and figure_N.png for what is given. Every number of ours is from these files. Where the paper has a curve but
no number, ours stands alone.
"""

import argparse
import json
import sys
from pathlib import Path

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from plotting.base import COLOURS, STYLE  # noqa: E402

PAPER = json.loads((Path(__file__).resolve().parent / "papers_iiee.json").read_text(encoding="utf-8"))


class Bench:
    """Rows of sums in double precision by device, faces and right-hand sides."""

    def __init__(self, files):
        self.rows, self.machines = [], {}
        for file in files:
            found = json.loads(Path(file).read_text(encoding="utf-8"))
            device = found["machine"].split(":")[0]
            self.machines[device] = found["machine"].split(":", 1)[1].strip()
            self.rows += [dict(row, device=device) for row in found["rows"] if row["precision"] == "double"]

    def rate(self, device, faces, sets, kernel="tiles"):
        """Pairs of points a second, the sum alone; None where it was not measured."""
        found = [row["pairs_per_second"] for row in self.rows if (row["device"], row["faces"], row["right_hand_sides"], row["kernel"])
                 == (device, faces, sets, kernel)]
        return max(found) if found else None

    def seconds(self, device, faces, inner, sets, kernel="tiles"):
        """Of a sum over all pairs of faces, from the rate: the number of faces of S' counts in proportion, as in the paper."""
        points = [row["pairs"] / (row["faces"] * row["inner_faces"]) for row in self.rows]
        rate = self.rate(device, faces, sets, kernel)
        return points[0] * faces * inner / rate if rate else None

    def best_of_paper(self, faces, sets, shared=True):
        """(threads of a block, rate) of the paper's algorithm on our GPU."""
        rates = [(self.rate("cuda", faces, sets, f"paper, {threads} threads" + (", shared" if shared else "")), threads)
                 for threads in PAPER["blocks"]["threads"]]
        rates = [(rate, threads) for rate, threads in rates if rate]
        return max(rates)[::-1] if rates else (None, None)

    def speed_up(self, faces, sets, rate):
        core = self.rate("cpu", faces, sets)
        return rate / core if rate and core else None


def text(value, pattern="{:.3g}"):
    return "-" if value is None else pattern.format(value)


def table_of(bench, what, number):
    paper = PAPER[what]
    lines = [f"Table {number}: one sum, {paper['inner_faces']} faces of S'. Theirs: {paper['place']}.", "",
             "| faces of S | right-hand sides | theirs, a core (s) | ours, a core (s) | ours, GPU (s) | their algorithm, our GPU (s) | "
             "GPU over our core |", "|---|---|---|---|---|---|---|"]
    for row in paper["rows"]:
        for sets, seconds in row["seconds"].items():
            faces, count = row["faces"], int(sets)
            threads, _ = bench.best_of_paper(faces, count)
            kernel = f"paper, {threads} threads, shared"
            ours = [bench.seconds("cpu", faces, paper["inner_faces"], count), bench.seconds("cuda", faces, paper["inner_faces"], count),
                    bench.seconds("cuda", faces, paper["inner_faces"], count, kernel) if threads else None]
            ratio = ours[0] / ours[1] if ours[0] and ours[1] else None
            lines.append(f"| {faces:,} | {count} | {seconds} | {' | '.join(text(value) for value in ours)} | {text(ratio, '{:.0f}')} |")
    return lines + [""]


def picture(folder, number, title, draw, **axes_of):
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(7.2, 4.4), layout="constrained")
        draw(axes)
        axes.set(title=title, **axes_of)
        if axes.get_legend_handles_labels()[0]:
            axes.legend()
        figure.savefig(folder / f"figure_{number}.png", dpi=110)
        plt.close(figure)


def curve(axes, pairs, label, **options):
    pairs = [(x, y) for x, y in pairs if y is not None]
    if pairs:
        axes.plot(*zip(*pairs), "o-", label=label, **options)


def draw_blocks(bench, folder):
    def draw(axes):
        for k, row in enumerate(PAPER["horn"]["rows"]):
            faces = row["faces"]
            curve(axes, [(threads, bench.speed_up(faces, 1, bench.rate("cuda", faces, 1, f"paper, {threads} threads, shared")))
                         for threads in PAPER["blocks"]["threads"]], f"{faces:,} faces", color=COLOURS[k])
        axes.set_xscale("log", base=2)

    picture(folder, 6, "Their algorithm on our GPU, over our core, 1 right-hand side", draw, xlabel="threads of a block", ylabel="speed-up")


def draw_speed_ups(bench, folder, number, what, sets, theirs=None):
    def draw(axes):
        for k, count in enumerate(sets):
            faces = [row["faces"] for row in PAPER[what]["rows"]]
            many = f", {count} right-hand sides" if len(sets) > 1 else ""
            curve(axes, [(n, bench.speed_up(n, count, bench.rate("cuda", n, count))) for n in faces], "ours" + many, color=COLOURS[2 * k])
            curve(axes, [(n, bench.speed_up(n, count, bench.best_of_paper(n, count)[1])) for n in faces], "their algorithm, our GPU" + many,
                  color=COLOURS[2 * k + 1])
        if theirs:
            axes.plot(theirs["faces"], theirs["value"], "k*", markersize=12, label="theirs (a V100 over their core)")
        axes.set_yscale("log")

    picture(folder, number, f"Speed-up over a core of a CPU, {what}", draw, xlabel="faces of S", ylabel="speed-up")


def draw_shared(bench, folder, number, what, sets):
    def draw(axes):
        for k, shared in enumerate((True, False)):
            curve(axes, [(row["faces"], bench.speed_up(row["faces"], sets, bench.best_of_paper(row["faces"], sets, shared)[1]))
                         for row in PAPER[what]["rows"]], f"currents in {'shared' if shared else 'global'} memory", color=COLOURS[k])

    picture(folder, number, f"Their algorithm on our GPU, {what}, right-hand sides: {sets}", draw, xlabel="faces of S", ylabel="speed-up over our core")


def shares_of(run):
    """(faces of S, right-hand sides, parts of the time of all iterations without solutions: transfers, the rest but for sums)."""
    with h5py.File(Path(run) / "results.h5") as file:
        parts = {name: np.nansum(file[f"performance/iterations/seconds_{name}"][()]) for name in ("sums", "transfer", "rest")}
        whole = sum(parts.values())
        return (int(file["iiee"].attrs["outer_faces"]), int(file["iiee"].attrs["inner_faces"]), file["frequency_domain/residual"].shape[1],
                parts["transfer"] / whole, parts["rest"] / whole)


def draw_shares(runs, folder):
    found = sorted(shares_of(run) for run in runs)

    def draw(axes):
        for k, (name, column) in enumerate((("transfers", 3), ("sequential parts", 4))):
            for style, sets in zip(("o-", "s--", "^:"), sorted({row[2] for row in found})):
                rows = [row for row in found if row[2] == sets]
                axes.plot([row[0] * row[1] for row in rows], [100 * row[column] for row in rows], style, color=COLOURS[k],
                          label=f"{name}, {sets} right-hand sides")
        for style, (sets, most) in zip((":", "-."), PAPER["shares"]["largest"].items()):
            axes.axhline(100 * most, color="k", linestyle=style, linewidth=1, label=f"theirs, at most, {sets}")
        axes.set_xscale("log")

    picture(folder, 12, "Time of the iterations without solutions", draw, xlabel="pairs of faces", ylabel="%")
    lines = ["Figure 12: parts of the time of all iterations but for the solutions. Theirs: at most "
             + ", ".join(f"{100 * most:.0f} % with {sets}" for sets, most in PAPER["shares"]["largest"].items()) + " right-hand sides.", "",
             "| faces of S | faces of S' | right-hand sides | transfers | sequential parts |", "|---|---|---|---|---|"]
    return lines + [f"| {row[0]:,} | {row[1]:,} | {row[2]} | {100 * row[3]:.1f} % | {100 * row[4]:.1f} % |" for row in found] + [""]


def draw_near_field(group, folder):
    """|E| on a plane, white where there is none."""
    rows, columns = group.attrs["shape"]
    places = group["position"][()].reshape(rows, columns, 3)
    level = 20 * np.log10(np.maximum(np.linalg.norm(group["E"][0], axis=1), 1e-6)).reshape(rows, columns)
    across, up = (1e3 * np.linalg.norm(line - line[0], axis=1) for line in (places[:, 0], places[0]))

    def draw(axes):
        drawn = axes.pcolormesh(across, up, level.T, shading="nearest", vmin=np.nanmax(level) - 50)
        axes.figure.colorbar(drawn, label="dB(V/m)")
        axes.set_aspect("equal")

    picture(folder, "5a", "The horn at 8.75 GHz, |E| on a plane", draw, xlabel="mm", ylabel="mm")


def draw_horn(run, folder):
    with h5py.File(Path(run) / "results.h5") as file:
        for group in file.get("near_field", {}).values():
            draw_near_field(group, folder)
        far = next(iter(file["far_field"].values()))
        theta, phi, directivity = far["theta"][()], far["phi"][()], far["directivity"][()]

    def draw(axes):
        for k, angle in enumerate(phi):
            axes.plot(theta, directivity[:, k], color=COLOURS[k], label=f"ours, phi {angle:g}")
        axes.axhline(PAPER["horn"]["directivity_db"], color="k", linestyle=":", label="theirs, the largest")

    picture(folder, 5, "The horn at 8.75 GHz", draw, xlabel="theta (degrees)", ylabel="directivity (dB)", ylim=(-30, 25))
    return [f"Figure 5: directivity of the horn {directivity.max():.2f} dBi; theirs {PAPER['horn']['directivity_db']} dBi.", ""]


def draw_ogive(run, folder):
    with h5py.File(Path(run) / "results.h5") as file:
        hertz, group = next(iter(file["rcs"].items()))
        theta, phi, sigma = group["theta"][()], group["phi"][()], group["sigma"][:, 0]
    wavelength = 299792458 / int(hertz)

    def draw(axes):
        for k, angle in enumerate(sorted(set(phi))):
            here = phi == angle
            axes.plot(theta[here], 10 * np.log10(np.maximum(sigma[here], 1e-12) / wavelength**2), color=COLOURS[k], label=f"ours, phi {angle:g}")

    picture(folder, 9, "The ogive at 1.19 GHz, lit on its tip", draw, xlabel="theta (degrees)", ylabel="sigma (dB of a square wavelength)")
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--bench", nargs="+", default=[], metavar="FILE.json")
    parser.add_argument("--horn", metavar="RUN")
    parser.add_argument("--ogive", metavar="RUN")
    parser.add_argument("--run", nargs="+", default=[], metavar="RUN")
    arguments = parser.parse_args()
    folder = arguments.output
    folder.mkdir(parents=True, exist_ok=True)
    bench = Bench(arguments.bench)
    lines = [PAPER["paper"], "", f"Theirs: {PAPER['machine']['cpu']}; {PAPER['machine']['gpu']}.", ""]
    lines += [f"Ours: {name}: {machine}." for name, machine in bench.machines.items()] + [""]
    if arguments.bench:
        lines += table_of(bench, "horn", 2) + table_of(bench, "ogive", 3)
        draw_blocks(bench, folder)
        draw_speed_ups(bench, folder, 7, "horn", (1,), PAPER["horn"]["largest_speed_up"])
        draw_shared(bench, folder, 8, "horn", 1)
        draw_speed_ups(bench, folder, 10, "ogive", (1, 10))
        draw_shared(bench, folder, 11, "ogive", 10)
    if arguments.horn:
        lines += draw_horn(arguments.horn, folder)
    if arguments.ogive:
        lines += draw_ogive(arguments.ogive, folder)
    if arguments.run:
        lines += draw_shares(arguments.run, folder)
    (folder / "tables.md").write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
