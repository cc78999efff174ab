#!/usr/bin/env python3
"""The beam in the linear and in the Kerr medium at four times: its width and its peak along z (the dissertation's figure 5.12).

    beam.py OUTDIR LINEAR_OUTDIR [--picture FILE] [--json FILE]

At 5, 20, 35 and 50 ps, as far as both runs have the cut `side`: over slices of half a wavelength of the block, the largest
|E| and the width sqrt(<x^2>), x^2 weighted with |E|^2 in the cut; both run by run, not at the same phase of the wave inside a
slice. Exit code 1 unless the beam of the Kerr medium is narrower than that of the linear one on average over the slices from 1 mm on that
it has reached by the latest time.
"""

import argparse
import json
import sys
from pathlib import Path

import h5py
import numpy as np

TIMES_S = (5e-12, 20e-12, 35e-12, 50e-12)
SLICE_M, LENGTH_M = 0.5e-3, 3e-3
FIRST_M = 1e-3


class Cut:
    """Triangles of a cut in y: points x and z, and |E| at all times that the file has."""

    def __init__(self, directory):
        with h5py.File(directory / "fields/side.vtkhdf") as file:
            root = file["VTKHDF"]
            points = root["Points"][()]
            self.x, self.z = points[:, 0], points[:, 2]
            self.cells = root["Connectivity"][()].reshape(-1, 3)
            self.times = root["Steps/Values"][()]
            self.size = np.linalg.norm(root["PointData/E"][()].reshape(len(self.times), len(points), 3), axis=2)
        with h5py.File(directory / "results.h5") as file:
            self.eps_r = float(file["performance"].attrs.get("largest_eps_r", 1.0))
        a, b, c = (np.stack((self.x, self.z), axis=1)[self.cells[:, k]] for k in range(3))
        self.area = 0.5 * np.abs((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1]))
        self.middle_x, self.middle_z = self.x[self.cells].mean(axis=1), self.z[self.cells].mean(axis=1)

    def at(self, time):
        """The field nearest in time, None beyond the run."""
        step = int(np.abs(self.times - time).argmin())
        return self.size[step] if abs(self.times[step] - time) < max(0.6e-12, 0.51 * np.diff(self.times).max()) else None

    def along(self, field):
        """(middle of the slice, width, peak) of all slices."""
        size = field[self.cells].mean(axis=1)
        rows = []
        for first in np.arange(0, LENGTH_M - 1e-9, SLICE_M):
            inside = (self.middle_z >= first) & (self.middle_z < first + SLICE_M)
            weight = self.area[inside] * size[inside] ** 2
            rows.append((first + SLICE_M / 2, float(np.sqrt((weight * self.middle_x[inside] ** 2).sum() / max(weight.sum(), 1e-300))), float(size[inside].max())))
        return rows


def compare(kerr, linear):
    """Rows of both media for every time that both have."""
    found = []
    for time in TIMES_S:
        fields = kerr.at(time), linear.at(time)
        if fields[0] is None or fields[1] is None:
            continue
        rows = [{"z_mm": 1e3 * z, "width_mm": 1e3 * w, "peak": p, "linear_width_mm": 1e3 * w0, "linear_peak": p0}
                for (z, w, p), (_, w0, p0) in zip(kerr.along(fields[0]), linear.along(fields[1]))]
        found.append({"time_ps": 1e12 * time, "slices": rows})
    return found


def say(found):
    for entry in found:
        print(f"{entry['time_ps']:.0f} ps")
        strongest = max(max(row["peak"], row["linear_peak"]) for row in entry["slices"])
        for row in entry["slices"]:
            if max(row["peak"], row["linear_peak"]) > 0.02 * strongest:
                print(f"  z = {row['z_mm']:.2f} mm: width {row['width_mm']:.3f} mm, linear {row['linear_width_mm']:.3f}; peak {row['peak']:.3f} V/m, "
                      f"linear {row['linear_peak']:.3f}")


def is_narrower(found):
    if not found:
        return False
    slices = [row for row in found[-1]["slices"] if row["z_mm"] * 1e-3 > FIRST_M]
    strongest = max(row["linear_peak"] for row in found[-1]["slices"])
    reached = [row for row in slices if row["linear_peak"] > 0.05 * strongest]
    return bool(reached) and np.mean([row["width_mm"] / row["linear_width_mm"] for row in reached]) < 1


def draw(kerr, linear, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.tri import Triangulation

    times = [time for time in TIMES_S if kerr.at(time) is not None and linear.at(time) is not None]
    figure, panels = plt.subplots(len(times), 2, figsize=(9.5, 2.2 * len(times)), layout="constrained", squeeze=False, sharex=True, sharey=True)
    for row, time in zip(panels, times):
        top = np.percentile(linear.at(time), 99.5)
        for axes, cut, name in zip(row, (linear, kerr), ("linear medium", "Kerr medium")):
            for side in (1, -1) if cut.x.min() > -1e-6 else (1,):
                image = axes.tripcolor(Triangulation(1e3 * cut.z, 1e3 * side * cut.x, cut.cells), cut.at(time), cmap="viridis", vmin=0, vmax=top,
                                       shading="gouraud", rasterized=True)
            axes.plot([0, 3, 3, 0, 0], [-0.5, -0.5, 0.5, 0.5, -0.5], color="white", linewidth=0.6)
            axes.set(aspect="equal", title=f"{name}, {1e12 * time:.0f} ps")
        figure.colorbar(image, ax=row, label="|E| (V/m)")
    for axes in panels[-1]:
        axes.set(xlabel="z (mm)")
    for row in panels:
        row[0].set(ylabel="x (mm)")
    figure.savefig(file, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("linear", type=Path)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    kerr, linear = Cut(options.directory), Cut(options.linear)
    found = compare(kerr, linear)
    say(found)
    print(f"eps_r up to {kerr.eps_r:.2f}")
    if options.json:
        options.json.write_text(json.dumps({"eps_r": kerr.eps_r, "times": found}, indent=1) + "\n", encoding="utf-8")
    if options.picture:
        draw(kerr, linear, options.picture)
    return 0 if is_narrower(found) else 1


if __name__ == "__main__":
    sys.exit(main())
