"""What all pictures have in common: errors with their exit codes, reading of HDF5, colours and units."""

import h5py
import matplotlib
import numpy as np

USAGE, BAD_DATA, NO_FILE, CANNOT_WRITE = 64, 65, 66, 74
# Okabe and Ito's colours, told apart by colour-blind readers too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F")
PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"),
            (1e-12, "p"), (1e-15, "f"), (1e-18, "a"))
LOWEST_DB = -200.0
SHOWN_DB = 60.0  # of fields, below the largest
STYLE = {
    "figure.dpi": 100, "savefig.dpi": 150, "font.size": 11, "axes.titlesize": 12, "axes.labelsize": 11,
    "axes.grid": True, "grid.color": "#D5D5D5", "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.edgecolor": "#606060",
    "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.8, "legend.fontsize": 10,
    "legend.framealpha": 0.9, "legend.edgecolor": "#C0C0C0", "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "axes.formatter.useoffset": False, "path.simplify": True,
}


class Failure(Exception):
    """What is wrong, with the exit code."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def scaled(largest, unit):
    """(factor, "GHz"): the prefix under which `largest` is between 1 and 1000, and the factor that brings it there."""
    for value, prefix in PREFIXES:
        if largest >= value * 0.999:
            return 1 / value, prefix + unit
    return 1.0, unit


UNITS_OF_LENGTH = {"cm": (1e2, "cm"), "mm": (1e3, "mm"), "um": (1e6, "µm"), "nm": (1e9, "nm"), "inch": (1 / 0.0254, "inch"),
                   "mil": (1e3 / 0.0254, "mil")}


def case_lengths(case, largest):
    """(factor, unit) of lengths in metres: the `units` of the case (YAML text), of a case in metres as `scaled` has it."""
    for line in case.splitlines():
        if line.startswith("units:") and (unit := line[len("units:"):].split("#")[0].strip().strip("\"'")) in UNITS_OF_LENGTH:
            return UNITS_OF_LENGTH[unit]
    return scaled(largest, "m")


def decibels(values):
    return 20 * np.log10(np.maximum(np.abs(values), 10 ** (LOWEST_DB / 20)))


def field_scale(top, unit, options, signed=False):
    """(function from values to drawn numbers, least, largest, unit): linear under a prefix, with options.db in dB of one
    `unit`. options.limits: in that dB or in `unit`; without them up to `top`, the largest value."""
    if options.db:
        low, high = options.limits or (decibels(top) - SHOWN_DB, decibels(top))
        return decibels, low, high, f"dB({unit})"
    low, high = options.limits or (-top if signed else 0, top)
    factor, prefixed = scaled(max(abs(low), abs(high)), unit)
    return (lambda values: values * factor), low * factor, high * factor, prefixed


def add_scale_options(parser):
    parser.add_argument("--db", action="store_true", help="fields in dB relative to 1 V/m, 1 A/m or 1 T; for a component, of its magnitude")
    parser.add_argument("--limits", nargs=2, type=float, metavar=("MIN", "MAX"),
                        help="limits of the colour scale in V/m, A/m or T, with --db in dB relative to that; default: up to the largest "
                             f"field, with --db from {SHOWN_DB:g} dB below it")


def check_scale_options(parser, options):
    if options.limits and not (np.isfinite(options.limits).all() and options.limits[0] < options.limits[1]):
        parser.error("--limits: MIN must be below MAX")


def number(value):
    """Three digits: 0.00412, 1.23e-07."""
    return f"{value:.3g}"


def open_results(path):
    try:
        return h5py.File(path, "r")
    except OSError:
        raise Failure(BAD_DATA, f"{path}: not an HDF5 file, or damaged") from None


def read(file, name):
    """The data set `name` as an array; h5py turns {r, i} into complex numbers."""
    item = file.get(name)
    if not isinstance(item, h5py.Dataset):
        raise Failure(BAD_DATA, f"{file.filename}: /{name} is missing")
    return item[()]


def text_attribute(item, name):
    value = item.attrs.get(name, "")
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
