#!/usr/bin/env python3
"""Index and loss of the wave in the wire, from three half waves between electric planes that ring down (slice.yaml).

    ring.py OUTDIR [--loss DB_PER_UM]

The index is 3 lambda/(2 length) at the frequency of the probe's spectrum; the loss is that of the probe's amplitude between two
halves of its history, over the group velocity. Both are compared with the wave of the cross-section by finite differences
(tests/reference/wire_modes.py), which loses nothing: exit code 1 when the index differs by more than 0.003, or the loss is above
0.2 dB/um (--loss).
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

LENGTH_M, LIGHT = 0.8484e-6, 299792458.0
FREQUENCY, INDEX, SLOPE = 193.4e12, 2.7403, (2.7604 - 2.7403) / 3.2e12  # tests/reference/wire_modes.py, 193.4 and 196.6 THz
BAND = (180e12, 210e12)
MOST_INDEX = 0.003


def level_at(time, values, frequency):
    """Amplitude at one frequency, through a Hann window."""
    window = np.hanning(len(values))
    return 2 * abs((values * window * np.exp(-2j * np.pi * frequency * time)).sum()) / window.sum()


def peak(time, values):
    """Frequency of the largest amplitude in BAND, to 1 GHz."""
    tried = np.arange(*BAND, 1e12)
    for step in (1e11, 1e10, 1e9):
        best = max(tried, key=lambda f: level_at(time, values, f))
        tried = best + step * np.arange(-15, 16)
    return max(tried, key=lambda f: level_at(time, values, f))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--loss", type=float, default=0.2)
    options = parser.parse_args()
    with h5py.File(options.directory / "results.h5") as results:
        time, values = results["probes/middle/time"][()], results["probes/middle/E"][:, 0]
    late = time > 0.3 * time[-1]
    time, values = time[late], values[late]
    frequency = peak(time, values)
    index, expected = 3 * LIGHT / (2 * LENGTH_M * frequency), INDEX + SLOPE * (frequency - FREQUENCY)
    half = len(time) // 2
    early, later = (level_at(time[part], values[part], frequency) for part in (slice(None, half), slice(half, None)))
    group_index = INDEX + SLOPE * FREQUENCY
    loss = 20 * np.log10(early / later) / (time[half] - time[0]) * group_index / LIGHT * 1e-6
    print(f"{frequency * 1e-12:.2f} THz: index {index:.4f}, finite differences {expected:.4f}; loss {loss:.3f} dB/um")
    return 0 if abs(index - expected) < MOST_INDEX and abs(loss) < options.loss else 1


if __name__ == "__main__":
    sys.exit(main())
