"""Plane waves through layers of linear media, in closed form: what the references of cases and tests share.

Conventions as everywhere: exp(+j omega t), losses have a negative imaginary part, frequencies in Hz, lengths in m.

    eps = 3.64 + debye(f, 0.54, 11.4e-12) + conductivity(f, 6.29e-3)
    s11, s21 = scattering(f, [Layer(eps, 1, 0.02)])
"""

from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

C0 = 299792458.0
EPS0 = 8.8541878128e-12
MU0 = 1.25663706212e-6


def debye(frequency_hz, delta, tau_s):
    return delta / (1 + 2j * np.pi * frequency_hz * tau_s)


def lorentz(frequency_hz, delta, resonance_hz, damping):
    """delta w0^2/(w0^2 + 2 j w damping - w^2), damping in rad/s."""
    w, w0 = 2 * np.pi * frequency_hz, 2 * np.pi * resonance_hz
    return delta * w0**2 / (w0**2 + 2j * w * damping - w**2)


def drude(frequency_hz, plasma_hz, collision):
    """-wp^2/(w^2 - j w collision), collision in rad/s."""
    w, wp = 2 * np.pi * frequency_hz, 2 * np.pi * plasma_hz
    return -(wp**2) / (w**2 - 1j * w * collision)


def pole(frequency_hz, residue, pole_rate):
    """The transform of Re(residue exp(-pole_rate t)) for t > 0, both complex."""
    s = 2j * np.pi * frequency_hz
    return residue / (2 * (s + pole_rate)) + np.conj(residue) / (2 * (s + np.conj(pole_rate)))


def conductivity(frequency_hz, sigma):
    """sigma/(j w eps0), sigma in S/m."""
    return sigma / (2j * np.pi * frequency_hz * EPS0)


@dataclass
class Layer:
    """A layer that a wave crosses at right angles: relative constants at every frequency (or one), thickness."""

    eps: object
    mu: object
    length_m: float


def chain(frequency_hz, layer):
    """ABCD matrix [nf, 2, 2] of E and eta0 H; branches of the roots do not matter."""
    eps, mu = (np.broadcast_to(np.asarray(x, complex), np.shape(frequency_hz)) for x in (layer.eps, layer.mu))
    theta = 2 * np.pi * frequency_hz / C0 * np.sqrt(eps * mu) * layer.length_m
    impedance = np.sqrt(mu / eps)
    cosine, sine = np.cos(theta), np.sin(theta)
    return np.moveaxis(np.array([[cosine, 1j * impedance * sine], [1j * sine / impedance, cosine]]), -1, 0)


def scattering(frequency_hz, layers, outside=1.0):
    """(S11, S21) of layers in a row, between half-spaces of relative wave impedance `outside`, at their outer faces."""
    frequency_hz = np.atleast_1d(np.asarray(frequency_hz, float))
    product = np.eye(2)
    for layer in layers:
        product = product @ chain(frequency_hz, layer)
    a, b, c, d = product[:, 0, 0], product[:, 0, 1] / outside, product[:, 1, 0] * outside, product[:, 1, 1]
    return (a + b - c - d) / (a + b + c + d), 2 / (a + b + c + d)


def deviations(found, expected):
    """(largest |found - expected|, where) of two curves; NaN counts as infinite."""
    deviation = np.abs(found - expected)
    deviation = np.where(np.isfinite(deviation), deviation, np.inf)
    return deviation.max(), int(deviation.argmax())


@dataclass
class SlabRun:
    """S-parameters of a slab between two feeds, taken to the faces of the slab: found in a run, and exact."""

    frequency_hz: np.ndarray
    found: tuple  # S11, S21
    exact: tuple

    def report(self, directory, to_faces):
        """Prints the largest deviations and writes directory/reference.csv, the exact values at the ports; the largest."""
        worst = 0.0
        for name, curve, wanted in zip(("S11", "S21"), self.found, self.exact):
            largest, at = deviations(curve, wanted)
            magnitude, there = deviations(np.abs(curve), np.abs(wanted))
            worst = max(worst, largest)
            print(f"{name}: largest deviation from the closed form {largest:.5f} at {self.frequency_hz[at] / 1e9:.2f} GHz, "
                  f"of the magnitude {magnitude:.5f} at {self.frequency_hz[there] / 1e9:.2f} GHz")
        columns = [part for curve in self.exact for part in ((curve / to_faces).real, (curve / to_faces).imag)]
        np.savetxt(directory / "reference.csv", np.column_stack([self.frequency_hz, *columns]), delimiter=",",
                   fmt="%.12g", header="frequency,S11_re,S11_im,S21_re,S21_im", comments="")
        return worst


def compare_slab(directory, constants, length_m, feed_m, feed_eps=1.0):
    """Compares a run of feed, slab, feed between two ports with the closed form: (SlabRun, largest deviation of S).

    constants: (eps, mu) of the slab at the frequencies in Hz. Prints the deviations, writes directory/reference.csv.
    """
    directory = Path(directory)
    with h5py.File(directory / "results.h5", "r") as file:
        frequency, matrix = file["s_parameters/frequency"][()], file["s_parameters/S"][()]
    to_faces = np.exp(4j * np.pi * frequency * np.sqrt(feed_eps) * feed_m / C0)
    eps, mu = constants(frequency)
    run = SlabRun(frequency, (matrix[:, 0, 0] * to_faces, matrix[:, 1, 0] * to_faces),
                  scattering(frequency, [Layer(eps, mu, length_m)], outside=feed_eps**-0.5))
    return run, run.report(directory, to_faces)
