#!/usr/bin/env python3
"""Compares pump, signal and idler behind the wire with their coupled amplitudes.

    reference.py OUTDIR LINEAR_OUTDIR [--picture FILE]      steady tones (case.yaml)
    reference.py OUTDIR LINEAR_OUTDIR --pulses [--picture FILE]

LINEAR_OUTDIR is the same case with chi3 = 0. A pump that turns its own phase by -p makes of a weak signal, where dispersion does
not matter, an idler of p times the signal at 2 f_pump - f_signal, and turns the signal, now sqrt(1 + p^2) times as strong, by -(p + atan p)
(dA_s/dz = i g (2 |A_p|^2 A_s + A_p^2 A_i*), and likewise with s and i exchanged). Exit code 1 when idler or phase differ by more
than 15 percent. With --pulses the peaks of the spectra are printed, and the code is 1 without an idler above the linear run.
Runs that have been stopped are compared up to the time that both have reached.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

PUMP_HZ, SIGNAL_HZ = 193.4e12, 196.6e12
OFFSET_HZ = SIGNAL_HZ - PUMP_HZ
IDLER_HZ = PUMP_HZ - OFFSET_HZ
SETTLED_S = 0.35e-12
TOLERANCE = 0.15


def last_time(directory):
    with h5py.File(directory / "results.h5") as results:
        return results["ports/out/time"][-1]


def wave_behind(directory, until):
    """Times and the wave behind the wire in parts of the largest one sent in: runs of unlike drives can be compared."""
    with h5py.File(directory / "results.h5") as results:
        port = results["ports/out"]
        time = port["time"][()]
        count = np.count_nonzero(time <= until)
        return time[:count], port["reflected"][:count] / np.abs(results["ports/in/incident"][:count]).max()


SIDES = range(-4, 5)   # tones beside the pump: idler -1, pump 0, signal 1


def tones(time, wave):
    """Complex amplitudes of the tones by least squares, with their third harmonics."""
    frequencies = [PUMP_HZ + k * OFFSET_HZ for k in SIDES] + [3 * PUMP_HZ + k * OFFSET_HZ for k in range(-2, 3)] + [5 * PUMP_HZ]
    late = time > SETTLED_S
    columns = [wheel(2 * np.pi * f * time[late]) for f in frequencies for wheel in (np.cos, np.sin)]
    found = np.linalg.lstsq(np.stack(columns, axis=1), wave[late], rcond=None)[0]
    return (found[0::2] - 1j * found[1::2])[:len(SIDES)]


def spectrum(time, wave):
    """Frequencies, 40 or more of them from pump to signal, and levels."""
    step = time[1] - time[0]
    count = max(len(wave), int(np.ceil(40 / (OFFSET_HZ * step))))
    return np.fft.rfftfreq(count, step), np.abs(np.fft.rfft(wave, count)) * step


def compare_tones(kerr, linear):
    (idler, pump, signal), (_, pump0, signal0) = tones(*kerr)[3:6], tones(*linear)[3:6]
    turned = -np.angle(pump / pump0)
    phase = -np.angle(signal / signal0)
    expected = turned + np.arctan(turned)
    print(f"pump:   turned by {-turned:.4f} rad, {20 * np.log10(abs(pump / pump0)):.2f} dB")
    print(f"idler:  {abs(idler / signal0):.4f} of the signal, coupled amplitudes {turned:.4f}")
    print(f"signal: turned by {-phase:.4f} rad, coupled amplitudes {-expected:.4f}; gain {20 * np.log10(abs(signal / signal0)):.2f} dB, "
          f"coupled amplitudes {10 * np.log10(1 + turned**2):.2f} dB")
    return abs(abs(idler / signal0) / turned - 1) < TOLERANCE and abs(phase / expected - 1) < TOLERANCE


def compare_pulses(kerr, linear):
    peaks = []
    for name, frequency in (("idler", IDLER_HZ), ("pump", PUMP_HZ), ("signal", SIGNAL_HZ)):
        levels = []
        for run in (kerr, linear):
            f, level = spectrum(*run)
            near = np.abs(f - frequency) < 0.25 * OFFSET_HZ
            levels.append((level[near].max(), f[near][level[near].argmax()]))
        gain = 20 * np.log10(levels[0][0] / levels[1][0])
        print(f"{name:6}: peak at {levels[0][1] * 1e-12:.2f} THz, {gain:.2f} dB over the linear run")
        peaks.append(gain)
    return peaks[0] > 10


def draw(kerr, linear, pulses, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.8))
    for run, color, name in ((linear, "#7F7F7F", "linear"), (kerr, "#0072B2", "Kerr medium")):
        f, level = spectrum(*run) if pulses else (PUMP_HZ + OFFSET_HZ * np.array(SIDES), np.abs(tones(*run)))
        near = np.abs(f - PUMP_HZ) < 4.5 * OFFSET_HZ
        if pulses:
            axes.plot(f[near] * 1e-12, 20 * np.log10(level[near] / level[near].max()), color=color, lw=1.2, label=name)
        else:
            shift = 0.25 if run is kerr else -0.25
            axes.bar(f * 1e-12 + shift, 20 * np.log10(level / level.max()) + 160, width=0.5, bottom=-160, color=color, label=name)
    axes.set(ylim=(-120, 3), xlabel="frequency (THz)", ylabel="behind the wire (dB)")
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(file, dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("linear", type=Path)
    parser.add_argument("--pulses", action="store_true")
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    until = min(last_time(options.directory), last_time(options.linear))
    kerr, linear = wave_behind(options.directory, until), wave_behind(options.linear, until)
    good = (compare_pulses if options.pulses else compare_tones)(kerr, linear)
    with h5py.File(options.directory / "results.h5") as results:
        print(f"eps_r up to {results['performance'].attrs['largest_eps_r']:.2f}")
    if options.picture:
        draw(kerr, linear, options.pulses, options.picture)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
