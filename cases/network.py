"""What the scripts of cases share that judge S-parameters: reading, limits that every network keeps, pictures with the mesh."""

from pathlib import Path

import h5py
import numpy as np


class Run:
    """S [frequency, port, driven port] of a run; columns of ports that were not driven are left out."""

    def __init__(self, folder):
        self.folder, self.name = Path(folder), Path(folder).name.removesuffix(".out")
        with h5py.File(self.folder / "results.h5", "r") as file:
            self.hertz, s = file["s_parameters/frequency"][()], file["s_parameters/S"][()]
            self.ports = [str(port) for port in file["s_parameters"].attrs["ports"]]
            self.title = f"{file.attrs['scheme']}, {file.attrs['basis']}" if "scheme" in file.attrs else f"{file.attrs['mode']}, {file.attrs['basis']}"
            self.elements = int(file.attrs["elements"])
        self.driven = [j for j in range(s.shape[2]) if np.isfinite(s[:, :, j]).all()]
        self.s = s[:, :, self.driven]

    def at(self, hertz):
        """S at one frequency, from the nearest."""
        return self.s[np.argmin(np.abs(self.hertz - hertz))]


def passive_and_reciprocal(run, largest=1.0, asymmetry=0.01):
    """Prints the largest sum of |S|^2 over a column and the largest |Sij - Sji|; whether both are within their limits."""
    power = (np.abs(run.s) ** 2).sum(axis=1)
    square = run.s[:, run.driven, :]
    apart = np.abs(square - square.transpose(0, 2, 1)).max()
    print(f"{run.name} ({run.title}, {run.elements:,} elements): sum of |S|^2 {power.min():.3f} to {power.max():.4f}"
          + (f", |Sij - Sji| at most {apart:.1e}" if len(run.driven) > 1 else ""))
    return power.max() <= largest and apart <= asymmetry


def alike(first, other, limit, window=(0, np.inf)):
    """Prints the largest difference of |S| of two runs at frequencies of the first within the window; whether it is within the limit."""
    columns = [(first.driven.index(j), other.driven.index(j)) for j in first.driven if j in other.driven]
    inside = (first.hertz >= max(window[0], other.hertz[0])) & (first.hertz <= min(window[1], other.hertz[-1]))
    worst = 0
    for i in range(len(first.ports)):
        for a, b in columns:
            wanted = np.interp(first.hertz[inside], other.hertz, np.abs(other.s[:, i, b]))
            worst = max(worst, np.abs(np.abs(first.s[inside, i, a]) - wanted).max())
    print(f"|S| of {first.name} and {other.name}: {worst:.4f} apart at most, limit {limit:g}")
    return worst <= limit


def judge(folders, limits):
    """Runs, and whether each is passive and reciprocal and each is within its limit of |S| of the first (the last limit for the rest)."""
    runs = [Run(folder) for folder in folders]
    good = [passive_and_reciprocal(run) for run in runs]
    good += [alike(runs[0], run, limits[min(k, len(limits) - 1)]) for k, run in enumerate(runs[1:])]
    return runs, all(good)


def faces_of(mesh, groups):
    """Triangles [face, corner, xyz] in mm of groups of a mesh; without groups the outer faces that are in none."""
    with h5py.File(mesh, "r") as file:
        nodes, names = file["nodes"][()] * 1e3, [str(name, "utf-8") if isinstance(name, bytes) else name for name in file["group_names"][()]]
        if groups:
            return nodes[file["faces"][()][np.isin(file["face_group"][()], [names.index(group) for group in groups])][:, :3]]
        tetrahedra = file["tetrahedra"][()][:, :4]
        grouped = np.sort(file["faces"][()][:, :3], axis=1)
    every = np.sort(np.concatenate([np.delete(tetrahedra, corner, axis=1) for corner in range(4)]), axis=1)
    found, times = np.unique(np.concatenate([every, grouped, grouped]), axis=0, return_counts=True)
    return nodes[found[times == 1]]


def picture(path, title, runs, curves, groups=(), half=False, more=()):
    """Left the mesh of the first run on `groups`, from above, or with `half` of the outer walls at y > 0, in perspective; right |S| in dB.

    curves: (row, driven column, label) each; `more`: (label, Hz, |S| array, colour) drawn wide behind them."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.collections import PolyCollection
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection
    figure = plt.figure(figsize=(11, 4.6), layout="constrained")
    triangles = faces_of(runs[0].folder / "mesh.h5", groups)
    low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
    if half:
        left = figure.add_subplot(1, 2, 1, projection="3d")
        triangles = triangles[triangles[:, :, 1].mean(axis=1) >= 0]
        left.add_collection3d(Poly3DCollection(triangles, facecolor="0.85", edgecolor="0.3", linewidth=0.2))
        left.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]), xlabel="mm")
        left.set_box_aspect(high - low)
        left.view_init(20, -70)
    else:
        left = figure.add_subplot(1, 2, 1)
        left.add_collection(PolyCollection(triangles[:, :, :2], facecolor="0.85", edgecolor="0.3", linewidth=0.2))
        left.autoscale()
        left.set(aspect="equal", xlabel="mm", ylabel="mm")
    left.set_title(f"{runs[0].elements:,} elements", fontsize=10)
    axes = figure.add_subplot(1, 2, 2)
    for label, hertz, values, colour in more:
        axes.plot(hertz / 1e9, 20 * np.log10(values), color=colour, linewidth=3.5, alpha=0.3, label=label)
    for k, run in enumerate(runs):
        for c, (row, column, label) in enumerate(curves):
            axes.plot(run.hertz / 1e9, 20 * np.log10(np.maximum(np.abs(run.s[:, row, run.driven.index(column)]), 1e-4)), color=f"C{c}",
                      linestyle=("-", "--", ":", "-.")[k % 4], linewidth=1.1, label=f"{label}, {run.name}")
    axes.set(xlabel="GHz", ylabel="dB", ylim=(-40, 1), xlim=(runs[0].hertz[0] / 1e9, runs[0].hertz[-1] / 1e9), title=title)
    axes.grid(alpha=0.4)
    axes.legend(fontsize=7)
    figure.savefig(path, dpi=100)
