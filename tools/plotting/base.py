"""What all pictures have in common: errors with their exit codes, reading of HDF5, colours and units."""

import h5py
import matplotlib

USAGE, BAD_DATA, NO_FILE, CANNOT_WRITE = 64, 65, 66, 74
# Okabe and Ito's colours, told apart by colour-blind readers too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F")
PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"),
            (1e-12, "p"), (1e-15, "f"), (1e-18, "a"))
LOWEST_DB = -200.0
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
