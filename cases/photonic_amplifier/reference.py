#!/usr/bin/env python3
"""Compares pump, signal and idler in and behind the wire with their coupled amplitudes.

    reference.py OUTDIR LINEAR_OUTDIR [--picture FILE]      steady tones (case.yaml)
    reference.py OUTDIR LINEAR_OUTDIR --pulses [--picture FILE]
    reference.py LINEAR_OUTDIR OUTDIR .. --curve FILE       gain over the amplitude, of several runs with steady tones
    --json FILE: the numbers that are printed, too; --from PS: steady tones are evaluated from there on

LINEAR_OUTDIR is the same case with chi3 = 0. Waves are compared relative to the incident ones, so it may have any amplitude.

Steady tones: from the probes along the wire the waves that travel forward are found, F(z) exp(-i beta z) beside those that
come back, each over that of the linear run. With p the phase by which the pump turns itself between two places (a pump that comes
back turns all three by twice its power; that part is taken off), a signal s and
the idler's conjugate i, both against the pump's phase, become (dA_s/dz = i g (2 |A_p|^2 A_s + A_p^2 A_i*), and likewise with s
and i exchanged, where dispersion does not matter)

    s - i p (s + i),    i + i p (s + i),        of a signal alone sqrt(1 + p^2) times as much, and p times as much idler.

A pump that loses q Np more there than the linear wave, by its own power, has g - i g q/p in place of g (`coupled`).
Exit code 1 when the gain of the signal between the two places differs from this by more than 0.3 dB, or the idler behind by
more than 10 percent. --pulses: peaks of the spectra at input and output, beside
those of pulses whose phase turns with their own power, by as much as the crest of the pump was turned; the code is 1 when the
gains of signal and idler differ by more than 1 dB. Runs that have been stopped are compared up to the time that both have reached.
"""

import argparse
import json
import sys
from pathlib import Path

import h5py
import numpy as np

PUMP_HZ, SIGNAL_HZ = 193.4e12, 196.6e12
OFFSET_HZ = SIGNAL_HZ - PUMP_HZ
IDLER_HZ = PUMP_HZ - OFFSET_HZ
SETTLED_S = 0.6e-12  # the pump's beginning has gone to and fro twice by then: what is left of it is small beside the signal, a hundredth of the pump
FIRST_M, LAST_M = 1.5e-6, 8.5e-6   # of the wire of case.yaml, between its first and its last probe
BETWEEN = np.linspace(FIRST_M, LAST_M, 141)
SIDES = range(-4, 5)               # tones beside the pump: idler -1, pump 0, signal 1
IDLER, PUMP, SIGNAL = 3, 4, 5      # their places in SIDES
MOST_GAIN_DB, MOST_IDLER, MOST_PULSES_DB = 0.3, 0.1, 1.0
BLUE, ORANGE, GREY, GREEN = "#0072B2", "#D55E00", "#7F7F7F", "#009E73"


def decibels(ratio):
    return 20 * np.log10(np.abs(ratio))


def last_time(directory):
    with h5py.File(directory / "results.h5") as results:
        return results["ports/out/time"][-1]


def wave_behind(directory, until, port="out", wave="reflected"):
    """Times and a wave at a port in parts of the largest one sent in."""
    with h5py.File(directory / "results.h5") as results:
        time = results[f"ports/{port}/time"][()]
        count = np.count_nonzero(time <= until)
        return time[:count], results[f"ports/{port}/{wave}"][:count] / np.abs(results["ports/in/incident"][:count]).max()


def tones(time, values, settled=SETTLED_S):
    """Complex amplitudes of the tones by least squares, with their third harmonics; [tones, columns of values]."""
    frequencies = [PUMP_HZ + k * OFFSET_HZ for k in SIDES] + [3 * PUMP_HZ + k * OFFSET_HZ for k in range(-2, 3)] + [5 * PUMP_HZ]
    late = time > settled
    columns = [wheel(2 * np.pi * f * time[late]) for f in frequencies for wheel in (np.cos, np.sin)]
    found = np.linalg.lstsq(np.stack(columns, axis=1), values[late], rcond=None)[0]
    return (found[0::2] - 1j * found[1::2])[: len(SIDES)]


def tones_in_wire(directory, until, settled):
    """Places along the wire and the amplitudes of E_x there in parts of the pump sent in; [tones, places]."""
    with h5py.File(directory / "results.h5") as results:
        probes = sorted((probe for name, probe in results["probes"].items() if name.startswith("z")), key=lambda probe: probe.attrs["position"][2])
        place = np.array([probe.attrs["position"][2] for probe in probes])
        time = probes[0]["time"][()]
        count = np.count_nonzero(time <= until)
        values = np.stack([probe["E"][:count, 0] for probe in probes], axis=1)
        sent = tones(results["ports/in/time"][()], results["ports/in/incident"][()], settled)[PUMP]
    return place, tones(time[:count], values, settled) / abs(sent)


def fit(place, values, beta, forward, back=0):
    """Coefficients of z^n exp(-i beta z), n up to `forward`, and of z^n exp(i beta z), n up to `back`, and what they leave of the
    values."""
    middle = (place - place.mean()) / np.ptp(place)
    columns = [middle**n * np.exp(-1j * beta * place) for n in range(forward + 1)] + [middle**n * np.exp(1j * beta * place) for n in range(back + 1)]
    found = np.linalg.lstsq(np.stack(columns, axis=1), values, rcond=None)[0]
    return found, np.linalg.norm(np.stack(columns, axis=1) @ found - values) / np.linalg.norm(values)


def wavenumber(place, values):
    """That of two waves of constant amplitude, one each way, which leaves the least of the values."""
    tried = np.linspace(0.8e7, 1.35e7, 1101)
    for _ in range(3):
        best = min(tried, key=lambda beta: fit(place, values, beta, 0)[1])
        tried = best + np.linspace(-1, 1, 41) * (tried[1] - tried[0])
    return best


def travelling(place, values, beta):
    """Amplitudes of the waves that travel forward and that come back at BETWEEN: polynomials of degree 4 and 2, times exp(-i beta z) and exp(i beta z)."""
    found = fit(place, values, beta, 4, 2)[0]
    at = (BETWEEN - place.mean()) / np.ptp(place)
    return sum(found[n] * at**n for n in range(5)), sum(found[5 + n] * at**n for n in range(3))


def travelling_on(place, values, beta):
    """The amplitude of the wave that travels forward at FIRST_M and LAST_M."""
    return travelling(place, values, beta)[0][[0, -1]]


def by_itself(place, values, beta):
    """What part of its turning a pump owes to its own power |F|^2: one that comes back, B, turns it by 2 |B|^2, and the signal likewise."""
    forward, back = (np.abs(wave) ** 2 for wave in travelling(place, values, beta))
    return forward.mean() / (forward + 2 * back).mean()


def coupled(before, phase, loss):
    """(signal, conjugate of the idler), both against the pump's phase, after the pump has turned itself by `phase` (rad) and has lost
    `loss` (Np) more than the linear wave: exp(M) before, d(s, i)/dp = M (s, i)/p; without losses s - i p (s + i), i + i p (s + i)."""
    turns = np.array([[-1j, -1j], [1j, 1j]]) * phase
    takes = np.array([[-2.0, -1.0], [-1.0, -2.0]]) * loss
    result = term = np.asarray(before, dtype=complex)
    for n in range(1, 40):
        term = (turns + takes) @ term / n
        result = result + term
    return result


class Wire:
    """Steady tones between FIRST_M and LAST_M: s and i against the pump's phase, p, and what coupled amplitudes make of them."""

    def __init__(self, directory, linear, until, settled=SETTLED_S):
        place, of_linear = tones_in_wire(linear, until, settled)
        _, of_kerr = tones_in_wire(directory, until, settled)
        pump_beta, signal_beta = (wavenumber(place, of_linear[tone]) for tone in (PUMP, SIGNAL))
        beta = {PUMP: pump_beta, SIGNAL: signal_beta, IDLER: 2 * pump_beta - signal_beta}
        pump, signal, idler = (travelling_on(place, of_kerr[tone], beta[tone]) for tone in (PUMP, SIGNAL, IDLER))
        pump0, signal0 = (travelling_on(place, of_linear[tone], beta[tone]) for tone in (PUMP, SIGNAL))
        self.turned = -np.angle((pump[1] / pump[0]) / (pump0[1] / pump0[0]))
        self.phase = self.turned * by_itself(place, of_kerr[PUMP], pump_beta)
        self.pump_db = decibels((pump[1] / pump[0]) / (pump0[1] / pump0[0]))
        self.linear_db = decibels(pump0[1] / pump0[0])
        s = signal / signal0 / np.exp(1j * np.angle(pump / pump0))
        i = np.conj(idler / np.exp(1j * np.angle(pump / pump0))) * np.exp(1j * np.angle(pump0)) ** 2 / signal0
        self.gain_db = decibels(s[1] / s[0])
        expected, expected_idler = coupled((s[0], i[0]), self.phase, -self.pump_db * np.log(10) / 20)
        self.expected_db = decibels(expected / s[0])
        self.idler, self.expected_idler = abs(i[1] / s[0]), abs(expected_idler / s[0])
        self.idler_before = abs(i[0] / s[0])
        self.phase_of_signal, self.expected_phase = np.angle(s[1] / s[0]), np.angle(expected / s[0])

    def figures(self):
        return {name: float(value) for name, value in vars(self).items()}

    def good(self):
        return abs(self.gain_db - self.expected_db) < MOST_GAIN_DB and abs(self.idler / self.expected_idler - 1) < MOST_IDLER

    def say(self):
        print(f"in the wire, {1e6 * FIRST_M:.1f} to {1e6 * LAST_M:.1f} um: pump turned by {self.turned:.4f} rad, {self.phase:.4f} by its "
              f"own power, {self.pump_db:.2f} dB of the linear one, which loses {-self.linear_db:.2f} dB; idler before {self.idler_before:.3f} of the signal")
        print(f"  signal: gain {self.gain_db:.2f} dB, coupled amplitudes {self.expected_db:.2f} dB; against the pump turned by "
              f"{self.phase_of_signal:.3f} rad, coupled amplitudes {self.expected_phase:.3f}")
        print(f"  idler:  {self.idler:.3f} of the signal before, coupled amplitudes {self.expected_idler:.3f}")


def compare_behind(kerr, linear, settled=SETTLED_S):
    """Of the whole wire with its mouths."""
    (idler, pump, signal), (_, pump0, signal0) = tones(*kerr, settled)[IDLER : SIGNAL + 1], tones(*linear, settled)[IDLER : SIGNAL + 1]
    turned = -np.angle(pump / pump0)
    print(f"behind the wire: pump turned by {turned:.4f} rad, {decibels(pump / pump0):.2f} dB; signal {decibels(signal / signal0):.2f} dB; "
          f"idler {abs(idler / signal0):.4f} of the signal (without mouths {10 * np.log10(1 + turned**2):.2f} dB and {turned:.4f})")
    return {"phase": float(turned), "pump_db": float(decibels(pump / pump0)), "signal_db": float(decibels(signal / signal0)), "idler": float(abs(idler / signal0))}


def spectrum(time, wave):
    """Frequencies, 40 or more of them from pump to signal, and levels."""
    step = time[1] - time[0]
    count = max(len(wave), int(np.ceil(40 / (OFFSET_HZ * step))))
    return np.fft.rfftfreq(count, step), np.fft.rfft(wave, count) * step


def near(frequencies, around, width=0.25):
    return np.abs(frequencies - around) < width * OFFSET_HZ


def envelope(time, wave):
    """Complex amplitude around the pump, of the band that holds its sidebands."""
    f, level = spectrum(time, wave)
    step, count = time[1] - time[0], max(len(wave), int(np.ceil(40 / (OFFSET_HZ * (time[1] - time[0])))))
    band = np.where(near(f, PUMP_HZ, 8), level, 0)
    whole = np.zeros(count, dtype=complex)
    whole[: len(band)] = 2 * band / step
    return np.fft.ifft(whole)[: len(wave)] * np.exp(-2j * np.pi * PUMP_HZ * time)


def turned_by_itself(time, linear, phase):
    """The linear wave with exp(-i phase |A|^2/max |A|^2) on its envelope A: what a wire without dispersion and losses does."""
    a = envelope(time, linear)
    return np.real(a * np.exp(-1j * phase * np.abs(a) ** 2 / np.abs(a).max() ** 2) * np.exp(2j * np.pi * PUMP_HZ * time))


def phase_at_crest(time, kerr, linear):
    """By how much the pump's crest was turned, followed from the pulse's rise, where it is not."""
    a, b = envelope(time, kerr), envelope(time, linear)
    strong = np.flatnonzero(np.abs(b) > 0.1 * np.abs(b).max())
    crest = np.abs(b).argmax()
    turned = np.unwrap(-np.angle(a[strong] / b[strong]))
    return turned[np.searchsorted(strong, crest)] - turned[0]


def gains_of_pulses(time, kerr, linear):
    """{tone: (frequency of the peak, dB over the peak of the linear run)}."""
    f, level = spectrum(time, kerr)
    _, before = spectrum(time, linear)
    found = {}
    for name, frequency in (("idler", IDLER_HZ), ("pump", PUMP_HZ), ("signal", SIGNAL_HZ)):
        at = near(f, frequency)
        found[name] = f[at][np.abs(level[at]).argmax()], decibels(np.abs(level[at]).max() / np.abs(before[at]).max())
    return found


def compare_pulses(kerr, linear):
    time = kerr[0]
    phase = phase_at_crest(time, kerr[1], linear[1])
    expected = gains_of_pulses(time, turned_by_itself(time, linear[1], phase), linear[1])
    found = gains_of_pulses(time, kerr[1], linear[1])
    print(f"crest of the pump turned by {phase:.3f} rad")
    for name, (frequency, gain) in found.items():
        print(f"{name:6}: peak at {frequency * 1e-12:.2f} THz, {gain:.2f} dB over the linear run; of pulses turned by their own power {expected[name][1]:.2f} dB")
    figures = {"phase": float(phase), **{f"{name}_db": float(gain) for name, (_, gain) in found.items()},
               **{f"expected_{name}_db": float(gain) for name, (_, gain) in expected.items()}}
    return figures, all(abs(found[name][1] - expected[name][1]) < MOST_PULSES_DB for name in ("idler", "signal"))


def new_picture(width=7.0, height=3.8, panels=1):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt.subplots(1, panels, figsize=(width, height), layout="constrained")


def draw_tones(kerr, linear, file):
    figure, axes = new_picture()
    for run, color, name, shift in ((linear, GREY, "linear", -0.25), (kerr, BLUE, "Kerr medium", 0.25)):
        level = np.abs(tones(*run))
        at = (PUMP_HZ + OFFSET_HZ * np.array(SIDES)) * 1e-12 + shift
        axes.bar(at, decibels(level / level.max()) + 160, width=0.5, bottom=-160, color=color, label=name)
    axes.set(ylim=(-120, 3), xlabel="frequency (THz)", ylabel="behind the wire (dB)")
    axes.legend(fontsize=8)
    figure.savefig(file, dpi=130)


def draw_pulses(directory, kerr, linear, alone, file):
    """The pulse that is sent in, and the spectra at the input and behind the wire, in dB of the linear pump there (figures 5.8 to
    5.10); of `alone`, a run with the signal and no pump, in dB of the same."""
    figure, axes = new_picture(14, 3.8, 3)
    sent, back = (wave_behind(directory, kerr[0][-1], "in", wave) for wave in ("incident", "reflected"))
    axes[0].plot(sent[0] * 1e12, sent[1], color=GREY, lw=0.3)
    axes[0].set(xlabel="time (ps)", ylabel="sent in, of its crest")
    turned = turned_by_itself(kerr[0], linear[1], phase_at_crest(kerr[0], kerr[1], linear[1]))
    parts = [(axes[1], "input", sent, [(sent, GREY, "sent in"), (back, BLUE, "comes back, Kerr medium")]),
             (axes[2], "output", linear, [(linear, GREY, "linear"), (kerr, BLUE, "Kerr medium"), ((kerr[0], turned), ORANGE, "turned by its own power")])]
    if alone:
        for part, (port, wave) in zip(parts, (("in", "incident"), ("out", "reflected"))):
            time, level = wave_behind(alone, kerr[0][-1], port, wave)
            part[3].append(((time, 0.01 * level), GREEN, "signal alone"))
    for panel, title, unit, runs in parts:
        highest = np.abs(spectrum(*unit)[1]).max()
        for run, color, name in runs:
            f, level = spectrum(*run)
            at = near(f, PUMP_HZ, 4.5)
            panel.plot(f[at] * 1e-12, decibels(level[at] / highest), color=color, lw=1.2, ls="--" if color in (ORANGE, GREEN) else "-", label=name)
        panel.set(ylim=(-100, 5), xlabel="frequency (THz)", ylabel="dB", title=title)
        panel.legend(fontsize=8)
    figure.savefig(file, dpi=130)


def draw_curve(linear, directories, file):
    """Gain over the phase of the pump: in the wire, behind it, and of coupled amplitudes."""
    rows = []
    for directory in directories:
        until = min(last_time(directory), last_time(linear))
        with h5py.File(directory / "results.h5") as results:
            sent = abs(tones(results["ports/in/time"][()], results["ports/in/incident"][()])[PUMP])
        print(f"{directory.name}:")
        wire = Wire(directory, linear, until)
        wire.say()
        behind = compare_behind(wave_behind(directory, until), wave_behind(linear, until))
        rows.append((sent, wire.phase, wire.gain_db, wire.expected_db, behind["phase"], behind["signal_db"]))
    rows = np.array(sorted(rows))
    figure, axes = new_picture()
    phase = np.linspace(0, 1.05 * max(rows[:, 1].max(), rows[:, 4].max()), 100)
    axes.plot(phase, 10 * np.log10(1 + phase**2), color=GREY, label="coupled amplitudes, a signal alone")
    axes.plot(rows[:, 1], rows[:, 3], "x", color="black", label="coupled amplitudes, idler at the start counted")
    axes.plot(rows[:, 1], rows[:, 2], "o", color=BLUE, label="in the wire")
    axes.plot(rows[:, 4], rows[:, 5], "s", color=ORANGE, label="behind the wire, both mouths counted")
    axes.axhline(5.18, color="black", linestyle=":", linewidth=1, label="5.18 dB of the dissertation")
    axes.set(xlabel="the pump is turned by (rad)", ylabel="gain of the signal (dB)")
    axes.legend(fontsize=8)
    figure.savefig(file, dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("linear", type=Path, nargs="+")
    parser.add_argument("--pulses", action="store_true")
    parser.add_argument("--alone", type=Path, metavar="OUTDIR", help="with --pulses --picture: a run with the signal and no pump, drawn too")
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--curve", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--from", dest="settled", type=lambda text: 1e-12 * float(text), default=SETTLED_S, metavar="PS")
    options = parser.parse_args()
    if options.curve:
        draw_curve(options.directory, options.linear, options.curve)
        return 0
    directory, linear_directory = options.directory, options.linear[0]
    until = min(last_time(directory), last_time(linear_directory))
    kerr, linear = wave_behind(directory, until), wave_behind(linear_directory, until)
    if options.pulses:
        figures, good = compare_pulses(kerr, linear)
    else:
        wire = Wire(directory, linear_directory, until, options.settled)
        wire.say()
        figures, good = {"wire": wire.figures(), "behind": compare_behind(kerr, linear, options.settled)}, wire.good()
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    with h5py.File(directory / "results.h5") as results:
        if "largest_eps_r" in results["performance"].attrs:
            print(f"eps_r up to {results['performance'].attrs['largest_eps_r']:.2f}")
    if options.picture and options.pulses:
        draw_pulses(directory, kerr, linear, options.alone, options.picture)
    elif options.picture:
        draw_tones(kerr, linear, options.picture)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
