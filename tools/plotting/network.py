"""Views of S-parameters: Smith chart, group delay, time-domain reflectometry, active reflection of arrays."""

import numpy as np

from plotting.base import BAD_DATA, COLOURS, Failure, number, read, scaled

GRID_R = (0.0, 0.2, 0.5, 1.0, 2.0, 5.0)
GRID_X = (0.2, 0.5, 1.0, 2.0, 5.0)
SILENT_DB = -60.0  # the phase of less says nothing
WINDOW_BETA = 6.0  # of the Kaiser window: side lobes of the step below -60 dB


def reflections(curves):
    """{label: values} of the S_ii among the curves."""
    return {label: values for label, values in curves.items()
            if (digits := label[1:].split("_") if "_" in label else list(label[1:]))[0] == digits[-1]}


def smith_grid(axes):
    """Circles of constant r and arcs of constant x within |S| = 1."""
    turn = np.exp(1j * np.linspace(0, 2 * np.pi, 361))
    for r in GRID_R:
        circle = r / (1 + r) + turn / (1 + r)
        axes.plot(circle.real, circle.imag, color="#606060" if r in (0, 1) else "#C8C8C8", linewidth=0.9 if r == 0 else 0.6)
        if r > 0:
            axes.text((r - 1) / (r + 1), 0.015, f"{r:g}", fontsize=7, color="#707070", ha="left")
    r = np.r_[0, np.logspace(-3, 3, 400)]
    for x in GRID_X:
        arc = ((r + 1j * x) - 1) / ((r + 1j * x) + 1)
        for sign in (1, -1):
            axes.plot(arc.real, sign * arc.imag, color="#C8C8C8", linewidth=0.6)
            axes.text(1.06 * arc[0].real, sign * 1.06 * arc[0].imag, f"{'+' if sign > 0 else '-'}j{x:g}", fontsize=7,
                      color="#707070", ha="center", va="center")
    axes.plot([-1, 1], [0, 0], color="#C8C8C8", linewidth=0.6)


def draw_smith(figure, s, filename):
    frequency, curves = s
    own = reflections(curves)
    if not own:
        raise Failure(BAD_DATA, f"{filename}: no reflection S11, S22, ... of a driven port in it")
    factor, unit = scaled(frequency[-1], "Hz")
    axes = figure.subplots()
    smith_grid(axes)
    for k, (label, values) in enumerate(own.items()):
        axes.plot(values.real, values.imag, color=COLOURS[k % len(COLOURS)], label=label, linewidth=1.6)
        axes.plot(values.real[:1], values.imag[:1], "o", color=COLOURS[k % len(COLOURS)], markersize=5)
    axes.set(aspect="equal", xlim=(-1.15, 1.15), ylim=(-1.15, 1.15),
             title=f"{number(frequency[0] * factor)} (dot) to {number(frequency[-1] * factor)} {unit}, each port normalised to its own impedance")
    axes.set_axis_off()
    axes.legend(loc="upper right")


def group_delay(frequency, values):
    """-d phase / d omega [s] at the midpoints of the frequencies; NaN where |S| is below -60 dB."""
    step = np.angle(values[1:] * np.conj(values[:-1]))
    delay = -step / (2 * np.pi * np.diff(frequency))
    weak = np.minimum(np.abs(values[1:]), np.abs(values[:-1])) < 10 ** (SILENT_DB / 20)
    return (frequency[1:] + frequency[:-1]) / 2, np.where(weak, np.nan, delay)


def draw_delay(figure, s, filename):
    frequency, curves = s
    if frequency.size < 3:
        raise Failure(BAD_DATA, f"{filename}: a group delay needs three frequencies or more")
    factor, unit = scaled(frequency[-1], "Hz")
    delays = {label: group_delay(frequency, values) for label, values in curves.items()}
    sizes = np.concatenate([np.abs(delay[np.isfinite(delay)]) for _, delay in delays.values()])
    if sizes.size == 0:
        raise Failure(BAD_DATA, f"{filename}: all S-parameters are below {SILENT_DB:g} dB")
    scale, time_unit = scaled(np.percentile(sizes, 90), "s")
    axes = figure.subplots()
    for label, (at, delay) in delays.items():
        axes.plot(at * factor, delay * scale, label=label, linewidth=1.4)
    low, high = (np.percentile(np.concatenate([d[np.isfinite(d)] for _, d in delays.values()]), p) * scale for p in (2, 98))
    margin = 0.15 * max(high - low, 0.1 * abs(high), 1e-9)
    axes.set(xlabel=f"frequency ({unit})", ylabel=f"group delay ({time_unit})", ylim=(low - margin, high + margin))
    axes.legend(loc="best")


def to_dc(frequency, values):
    """Values on k df from 0 to the last frequency: below the first one of constant size and straight phase, real at 0."""
    step = (frequency[-1] - frequency[0]) / (frequency.size - 1)
    grid = np.arange(int(round(frequency[-1] / step)) + 1) * step
    phase = np.unwrap(np.angle(values))
    slope = (phase[min(4, phase.size - 1)] - phase[0]) / (frequency[min(4, phase.size - 1)] - frequency[0])
    at_zero = phase[0] - slope * frequency[0]
    known = grid >= frequency[0]
    size = np.interp(grid, frequency, np.abs(values))
    dc = np.pi * np.round(at_zero / np.pi)
    angle = np.where(known, np.interp(grid, frequency, phase), dc + grid * (phase[0] - dc) / max(frequency[0], step))
    result = size * np.exp(1j * angle)
    # What was computed stays as it is.
    result[known] = (np.interp(grid, frequency, values.real) + 1j * np.interp(grid, frequency, values.imag))[known]
    result[0] = result[0].real
    return grid, result


def step_response(frequency, values, fine=8):
    """(time [s], reflection coefficient of a unit step) by an inverse Fourier transform with a Kaiser window."""
    grid, spectrum = to_dc(frequency, values)
    window = np.kaiser(2 * grid.size - 1, WINDOW_BETA)[grid.size - 1:]
    count = 2 * fine * (grid.size - 1)
    before = count // 16
    impulse = np.roll(np.fft.irfft(spectrum * window, count), before)[:before + count // 2]
    return (np.arange(impulse.size) - before) / (count * grid[1]), np.cumsum(impulse)


def reference_impedance(file, label):
    """Of S_ii at its port; 50 ohm when the file does not say."""
    attributes = file["s_parameters"].attrs
    names = [name.decode() if isinstance(name, bytes) else str(name)
             for name in np.atleast_1d(attributes.get("ports", []))]
    index = int(label[1:].split("_")[0] if "_" in label else label[1]) - 1
    if index < len(names) and "impedance" in attributes:
        return float(np.atleast_1d(attributes["impedance"])[index])
    group = file.get(f"ports/{names[index]}") if index < len(names) else None  # of older files: the port's own
    return float(group.attrs["impedance"]) if group is not None and "impedance" in group.attrs else 50.0


def settled(time, rho, rise):
    """When the last change above a hundredth of the fastest one is over, with half as much time again; ten rise times at least."""
    rate = np.abs(np.diff(rho))
    last = time[np.flatnonzero(rate >= 0.01 * rate.max())[-1]]
    return min(time[-1], max(1.5 * last, 10 * rise))


def draw_tdr(figure, s, file):
    frequency, curves = s
    own = reflections(curves)
    if not own:
        raise Failure(BAD_DATA, f"{file.filename}: no reflection S11, S22, ... of a driven port in it")
    if frequency.size < 16 or frequency[0] > 0.2 * frequency[-1]:
        raise Failure(BAD_DATA, f"{file.filename}: a step response needs 16 frequencies or more that begin near 0; these are "
                                f"{frequency.size} from {frequency[0]:.4g} to {frequency[-1]:.4g} Hz")
    upper, lower = figure.subplots(2, 1, sharex=True)
    rise = 1 / frequency[-1]
    steps = {label: step_response(frequency, values) for label, values in own.items()}
    end = max(settled(time, rho, rise) for time, rho in steps.values())
    factor, unit = scaled(end, "s")
    for k, (label, (time, rho)) in enumerate(steps.items()):
        colour = COLOURS[k % len(COLOURS)]
        upper.plot(time * factor, rho, color=colour, label=label, linewidth=1.4)
        z = reference_impedance(file, label)
        inside = np.abs(rho) < 0.98
        lower.plot(time * factor, np.where(inside, z * (1 + rho) / np.where(inside, 1 - rho, 1), np.nan), color=colour,
                   linewidth=1.4, label=f"{label}, port {number(z)} ohm")
    upper.set(xlim=(-0.1 * end * factor, end * factor), ylabel="step reflection",
              title=f"rise time about {number(rise * scaled(rise, 's')[0])} {scaled(rise, 's')[1]}, Kaiser window {WINDOW_BETA:g}")
    lower.set(xlabel=f"round-trip time ({unit})", ylabel="impedance (ohm)")
    upper.legend(loc="best")
    lower.legend(loc="best")


def draw_active(figure, file, _):
    """Of every port of an array's cells: |b/a| over frequency, and over the cells where their mean is least."""
    group = file["s_parameters/active"]
    frequency = read(file, "s_parameters/frequency")
    factor, unit = scaled(frequency[-1], "Hz")
    panels = figure.subplots(len(group), 2, squeeze=False, gridspec_kw={"width_ratios": [3, 2]})
    for (curves, cells), name in zip(panels, group):
        values = read(file, f"s_parameters/active/{name}")
        if values.ndim != 3 or len(values) != len(frequency):
            raise Failure(BAD_DATA, f"{file.filename}: /s_parameters/active/{name} is not [frequencies, nx, ny]")
        size = np.abs(values)
        curves.plot(frequency * factor, size.reshape(len(size), -1), color="#3060a0", linewidth=0.8, alpha=0.6)
        best = int(np.argmin(np.nanmean(size, axis=(1, 2))))
        curves.axvline(frequency[best] * factor, color="#808080", linewidth=0.8)
        curves.set_xlabel(f"frequency ({unit})")
        curves.set_ylabel(f"|b/a| of {name}, all {size[0].size} cells")
        picture = cells.imshow(size[best].T, origin="lower", cmap="viridis", vmin=0)
        cells.set_title(f"at {number(frequency[best] * factor)} {unit}", loc="left")
        cells.grid(False)
        for axis in (cells.xaxis, cells.yaxis):
            axis.get_major_locator().set_params(integer=True)
        cells.set_xlabel("i, along x")
        cells.set_ylabel("j, along y")
        figure.colorbar(picture, ax=cells, label="|b/a|")
