#!/usr/bin/env python3
"""Compares two runs of this case: with classes of time steps, and with one step for all elements.

    reference.py OUTDIR OUTDIR_OF_ONE_CLASS

Prints the classes and gains of the first, and the largest difference of the waves that leave the ports, over the largest
wave; exit code 1 when it is above 0.005.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

TOLERANCE = 0.005


def read_waves(path):
    """{port: (time, reflected)} of results.h5."""
    with h5py.File(path, "r") as file:
        return {name: (port["time"][()], port["reflected"][()]) for name, port in file["ports"].items()}


def main():
    parser = argparse.ArgumentParser(description="Compares a run with classes of time steps with one without.")
    parser.add_argument("classes", type=Path, help="the run's output directory")
    parser.add_argument("one", type=Path, help="that of the run with max_classes 1")
    options = parser.parse_args()
    with h5py.File(options.classes / "results.h5", "r") as file:
        figures = file["performance"].attrs
        if "ideal_gain" in figures:
            elements = ", ".join(f"{count:.0f}" for count in figures["elements_of_classes"])
            print(f"{figures['classes']} classes of {elements} elements: {figures['ideal_gain']:.3g} times fewer updates, "
                  f"measured {figures['measured_gain']:.3g}")
    found, expected = (read_waves(directory / "results.h5") for directory in (options.classes, options.one))
    largest = max(np.abs(wave).max() for _, wave in expected.values())
    worst = 0.0
    for name, (time, wave) in found.items():
        reference = np.interp(time, *expected[name])
        worst = max(worst, np.abs(wave - reference)[time <= expected[name][0][-1]].max() / largest)
    print(f"largest difference of the waves that leave the ports: {worst:.2g} of the largest")
    return 0 if worst <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
