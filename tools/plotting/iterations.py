"""Pictures of iterations: residuals over iterations, and how many each frequency took."""

import numpy as np

from plotting.base import BAD_DATA, COLOURS, Failure, number, read, scaled

MOST_CURVES = 8  # of frequencies, evenly chosen


def read_histories(file):
    """Frequencies, residuals [frequencies, right-hand sides, entries], iterations between them, iterations in all."""
    group = "frequency_domain"
    frequency, residual = read(file, f"{group}/frequency"), read(file, f"{group}/residual_history")
    stride, iterations = read(file, f"{group}/residual_history_stride"), read(file, f"{group}/iterations")
    if residual.ndim != 3 or residual.shape[:2] != stride.shape or stride.shape != iterations.shape or len(frequency) != len(stride):
        raise Failure(BAD_DATA, f"{file.filename}: /{group}/residual_history is not [frequencies, right-hand sides, entries]")
    return frequency, residual, stride, iterations


def solved_ones(residual):
    """Indices of frequencies that were iterated; the others of a fast sweep come from its model."""
    return np.flatnonzero(np.isfinite(residual).any(axis=(1, 2)))


def draw_iterations(figure, file, _):
    frequency, residual, stride, iterations = read_histories(file)
    solved = solved_ones(residual)
    if solved.size == 0:
        raise Failure(BAD_DATA, f"{file.filename}: /frequency_domain/residual_history holds no residual")
    factor, unit = scaled(frequency[-1], "Hz")
    upper, lower = figure.subplots(2, 1, gridspec_kw={"height_ratios": [3, 2]})
    chosen = solved[np.unique(np.linspace(0, solved.size - 1, min(solved.size, MOST_CURVES)).round().astype(int))]
    for k, f in enumerate(chosen):
        for side in range(residual.shape[1]):
            row = residual[f, side][np.isfinite(residual[f, side])]
            upper.semilogy(np.arange(row.size) * stride[f, side], row, color=COLOURS[k % len(COLOURS)], linewidth=1.3,
                           label=f"{number(float(frequency[f] * factor))} {unit}" if side == 0 else None)
    upper.set_xlabel("iteration")
    upper.set_ylabel("||b - A x|| / ||b||")
    upper.legend(loc="best")
    made = read(file, "frequency_domain/preconditioner_made") if "frequency_domain/preconditioner_made" in file else np.ones(len(frequency))
    most = iterations.max(axis=1)
    lower.plot(frequency[solved] * factor, most[solved], "o-", color="black", markersize=4, label="largest of the right-hand sides")
    own = solved[made[solved] == 1]
    lower.plot(frequency[own] * factor, most[own], "s", color=COLOURS[0], markersize=8, fillstyle="none", label="preconditioner made there")
    lower.set_xlabel(f"frequency ({unit})")
    lower.set_ylabel("iterations")
    lower.set_ylim(bottom=0)
    lower.legend(loc="best")
