"""Pictures of resonances: where their electric energy is, and what takes their energy."""

import numpy as np

from plotting.base import BAD_DATA, COLOURS, Failure, number, read

LOSSES = ("loss_by_region", "loss_by_boundary", "loss_by_port")


def read_shares(file, names):
    """Columns by name, [resonances] each, of the tables that are there."""
    columns = {}
    for name in names:
        if f"eigenmodes/{name}" not in file:
            continue
        table, held = read(file, f"eigenmodes/{name}"), file[f"eigenmodes/{name}"].attrs["columns"]
        if table.ndim != 2 or table.shape[1] != len(held):
            raise Failure(BAD_DATA, f"{file.filename}: /eigenmodes/{name} is no table with as many columns as names")
        columns.update({(text.decode() if isinstance(text, bytes) else str(text)): table[:, k] for k, text in enumerate(held)})
    return columns


def draw_bars(axes, columns, labels):
    start = np.zeros(len(labels))
    for k, (name, values) in enumerate(columns.items()):
        axes.barh(labels, values, left=start, height=0.7, color=COLOURS[k % len(COLOURS)], label=name)
        start = start + values
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncol=4)
    axes.grid(axis="y", visible=False)


def draw_resonances(figure, file, _):
    frequency, q = read(file, "eigenmodes/frequency"), read(file, "eigenmodes/q")
    lost = {name: 1e6 * values for name, values in read_shares(file, LOSSES).items() if np.abs(values).max() > 0}
    labels = [f"{k}:  {hz / 1e9:.6g} GHz" + (f",  Q {number(float(own))}" if np.isfinite(own) else "")
              for k, (hz, own) in enumerate(zip(np.real(frequency), q))]
    axes = np.atleast_1d(figure.subplots(1, 2 if lost else 1, sharey=True))
    draw_bars(axes[0], read_shares(file, ("electric_energy",)), labels)
    axes[0].set_title("Electric energy by region")
    axes[0].set_xlim(0, 1)
    axes[0].invert_yaxis()  # of both
    if lost:
        draw_bars(axes[1], lost, labels)
        axes[1].set_title("Losses: parts of 1/Q (1e-6)")
