#!/usr/bin/env python3
"""Compares the resonance and the energy of a run of this case with what they should be.

    reference.py OUTDIR

The resonance of TE101 is c/2 sqrt(1/a^2 + 1/d^2); a closed cavity without loss keeps its energy with a leap-frog scheme,
and does not gain any with the others. Prints the deviations; exit code 1 when the resonance is off by more than 0.5
percent or the energy grows by more than 1e-9 of itself.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

C0 = 299792458.0
EXACT_HZ = C0 / 2 * np.hypot(1 / 0.030, 1 / 0.040)
FREQUENCY_TOLERANCE, GROWTH_TOLERANCE = 5e-3, 1e-9


def residual(time_s, signal, frequency_hz):
    """Sum of squares that the best a cos + b sin of this frequency leaves."""
    phase = 2 * np.pi * frequency_hz * time_s
    columns = np.stack((np.cos(phase), np.sin(phase)), axis=1)
    best = np.linalg.lstsq(columns, signal, rcond=None)[0]
    return np.sum((columns @ best - signal) ** 2)


def fit_frequency(time_s, signal):
    """The frequency of the strongest sine near the exact one: a grid, then golden section."""
    grid = EXACT_HZ * np.linspace(0.95, 1.05, 101)
    at = min(grid, key=lambda f: residual(time_s, signal, f))
    low, high, golden = at * 0.998, at * 1.002, (np.sqrt(5) - 1) / 2
    while high - low > 1e-9 * at:
        left, right = high - golden * (high - low), low + golden * (high - low)
        if residual(time_s, signal, left) < residual(time_s, signal, right):
            high = right
        else:
            low = left
    return (low + high) / 2


def main():
    parser = argparse.ArgumentParser(description="Compares the resonance and the energy of a run with the closed form.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    directory = parser.parse_args().directory
    with h5py.File(directory / "results.h5", "r") as file:
        time_s, signal = file["probes/centre/time"][()], file["probes/centre/E"][:, 1]
        energy = file["energy/total"][()]
        print(f"{file.attrs['scheme']}, {file.attrs['basis']}: {file.attrs['elements']} elements, {file.attrs['steps']} "
              f"steps of {file.attrs['time_step']:.4g} s")
    error = fit_frequency(time_s, signal) / EXACT_HZ - 1
    growth, change = energy.max() / energy[0] - 1, energy[-1] / energy[0] - 1
    print(f"resonance: {EXACT_HZ * (1 + error) / 1e9:.6f} GHz, off by {error:+.2e}")
    print(f"energy: rises by at most {growth:.1e}, at the end {change:+.1e} of itself")
    return int(not (abs(error) <= FREQUENCY_TOLERANCE and growth <= GROWTH_TOLERANCE))


if __name__ == "__main__":
    sys.exit(main())
