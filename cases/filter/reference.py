#!/usr/bin/env python3
"""Compares S of a run of cases/filter with mode matching (design.py); exit code 1 where they are off.

    reference.py DIR                  the best shift in frequency, what is left of the difference, the return loss; writes
                                      DIR/reference.csv (frequency, S11_re, S11_im, S21_re, S21_im)
    reference.py DIR --points OTHER   also against a run that solved each of its frequencies: error and time
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
import design  # noqa: E402

WINDOWS_M, CAVITIES_M = np.array([9.64, 6.45, 5.91]) * 1e-3, np.array([13.45, 15.02, 15.18]) * 1e-3
SHIFT_LIMIT, LIMIT, SWEEP_LIMIT, SOLVED_LIMIT = 2e-3, 0.08, 1e-3, 20


def read(directory):
    """frequency, S [f, 2, 2] and seconds of a run."""
    with h5py.File(Path(directory) / "results.h5") as file:
        sweep = file.get("frequency_domain/sweep")
        return (file["s_parameters/frequency"][()], file["s_parameters/S"][()], file["performance"].attrs["solve_seconds"],
                None if sweep is None else len(sweep["order"]))


def interpolate(hz, curve, wanted):
    return np.interp(wanted, hz, curve.real) + 1j * np.interp(wanted, hz, curve.imag)


def compare(directory, hz, s):
    near = np.linspace(11.7e9, 12.3e9, 121)
    exact = design.response(near, WINDOWS_M, CAVITIES_M)
    rms = lambda shift: np.sqrt(np.mean([abs(interpolate(hz, s[:, i, 0], near * (1 + shift)) - exact[i]) ** 2 for i in (0, 1)]))  # noqa: E731
    shifts = np.linspace(-6e-3, 6e-3, 1201)
    shift = shifts[np.argmin([rms(shift) for shift in shifts])]
    inside = (hz >= design.LOW_HZ) & (hz <= design.HIGH_HZ)
    loss = -20 * np.log10(np.abs(s[inside, 0, 0]).max())
    print(f"mode matching: the run's frequencies are {shift:+.1e} off, S there by {rms(shift):.4f} (rms), as they are by {rms(0):.4f}; "
          f"least return loss from 11.8 to 12.2 GHz {loss:.1f} dB")
    columns = np.column_stack([near, exact[0].real, exact[0].imag, exact[1].real, exact[1].imag])
    np.savetxt(Path(directory) / "reference.csv", columns, delimiter=",", header="frequency,S11_re,S11_im,S21_re,S21_im", comments="")
    return abs(shift) < SHIFT_LIMIT and rms(shift) < LIMIT


def compare_points(hz, s, seconds, solved, points):
    own_hz, own, own_seconds, _ = read(points)
    at = np.searchsorted(hz, own_hz * (1 - 1e-9))
    error = np.abs(s[at] - own).max()
    whole = own_seconds / len(own_hz) * len(hz)
    print(f"point by point at {len(own_hz)} frequencies: S within {error:.1e}; {solved} of {len(hz)} frequencies solved; {seconds:.1f} s for all of "
          f"them, {own_seconds / len(own_hz):.3f} s for each alone, hence {whole:.0f} s for all: {whole / seconds:.0f} times")
    return error < SWEEP_LIMIT and solved <= SOLVED_LIMIT


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("--points")
    given = parser.parse_args()
    hz, s, seconds, solved = read(given.directory)
    good = compare(given.directory, hz, s)
    if given.points:
        good &= compare_points(hz, s, seconds, solved, given.points)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
