#!/usr/bin/env python3
"""Synthesis of the five-pole iris filter in WR-75, and its S by mode matching.

    design.py             prints the widths of the windows and the lengths of the cavities, and the response they have

Chebyshev prototype; coupled half-wave cavities by impedance inverters (S. B. Cohn, "Direct-coupled-resonator filters",
Proc. IRE 45, 1957, for waveguides; G. L. Matthaei, L. Young, E. M. T. Jones, "Microwave filters, impedance-matching networks
and coupling structures", 1964, section 8.06). The inverter of an iris is taken from S of the iris alone, thick as it is,
by mode matching over the TE_m0 modes of guide and window, in place of Marcuvitz's curves.
"""

import numpy as np

C0 = 299792458.0
A_M, THICKNESS_M = 19.05e-3, 2e-3
LOW_HZ, HIGH_HZ, RETURN_LOSS_DB, POLES = 11.8e9, 12.2e9, 20.0, 5
GUIDE_MODES = 30  # TE10, TE30, ..


def prototype(poles=POLES, return_loss_db=RETURN_LOSS_DB):
    """g_0 to g_n+1 of the Chebyshev low-pass."""
    ripple_db = -10 * np.log10(1 - 10 ** (-return_loss_db / 10))
    beta = np.log(1 / np.tanh(ripple_db / (40 / np.log(10))))
    gamma = np.sinh(beta / (2 * poles))
    k = np.arange(1, poles + 1)
    a, b = np.sin((2 * k - 1) * np.pi / (2 * poles)), gamma**2 + np.sin(k * np.pi / poles) ** 2
    g = [1.0, 2 * a[0] / gamma]
    for i in range(1, poles):
        g.append(4 * a[i - 1] * a[i] / (b[i - 1] * g[-1]))
    return np.array(g + [1.0])


def modes_of(width, count):
    """Numbers m of TE_m0 that are even about the middle, and m pi/width."""
    return np.arange(1, 2 * count, 2) * np.pi / width


def gamma_of(hz, cutoff):
    return np.sqrt(cutoff**2 - (2 * np.pi * hz / C0) ** 2 + 0j)


def window_modes(window):
    return max(3, int(round(GUIDE_MODES * window / A_M)))


def step(hz, window):
    """S of a step from the guide (1) to a window in its middle (2), waves of unit power: E of the window on the guide's
    modes, H of the guide on the window's."""
    outer, inner = modes_of(A_M, GUIDE_MODES), modes_of(window, window_modes(window))
    m, n = outer[:, None], inner[None, :]
    # integral over the window of sin(m x) sin(n (x - x0)), normalised; sin(m x) = sin(m a/2) cos(m (x - a/2)), and so inside
    half = window / 2
    sinc = lambda k: np.where(np.abs(k) < 1e-9, half, np.sin(k * half) / np.where(np.abs(k) < 1e-9, 1, k))  # noqa: E731
    signs = np.sin(outer * A_M / 2)[:, None] * np.sin(inner * half)[None, :]
    overlap = signs * (sinc(m - n) + sinc(m + n)) * 2 / np.sqrt(A_M * window)
    p = overlap * np.sqrt(gamma_of(hz, outer))[:, None] / np.sqrt(gamma_of(hz, inner))[None, :]
    # sum of E: p (a2 + b2) = a1 + b1; of H: p^T (a1 - b1) = b2 - a2
    inverse = np.linalg.inv(np.eye(len(inner)) + p.T @ p)
    s22 = inverse @ (np.eye(len(inner)) - p.T @ p)
    s21 = 2 * inverse @ p.T
    s12 = p @ (np.eye(len(inner)) + s22)
    return p @ s21 - np.eye(len(outer)), s12, s21, s22


def cascade(a, b):
    """S of two networks in a row."""
    one = np.eye(len(a[3]))
    left = np.linalg.inv(one - b[0] @ a[3])
    right = np.linalg.inv(one - a[3] @ b[0])
    return (a[0] + a[1] @ left @ b[0] @ a[2], a[1] @ left @ b[1], b[2] @ right @ a[2], b[3] + b[2] @ right @ a[3] @ b[1])


def line(network, hz, width, count, length):
    """A length of guide behind a network."""
    through = np.exp(-gamma_of(hz, modes_of(width, count)) * length)
    s11, s12, s21, s22 = network
    return s11, s12 * through, through[:, None] * s21, through[:, None] * s22 * through


def iris(hz, window):
    """S of all modes of a thick iris at its faces."""
    into = step(hz, window)
    return cascade(line(into, hz, window, window_modes(window), THICKNESS_M), (into[3], into[2], into[1], into[0]))


def inverter(hz, window):
    """K relative to the guide and the angle phi of the lines to be taken off on both sides."""
    s11, _, s21, _ = iris(hz, window)
    r, t = s11[0, 0], s21[0, 0]
    series, shunt = (1 - t + r) / (1 - r + t) / 1j, 2 * t / ((1 - r) ** 2 - t**2) / 1j
    phi = -np.arctan(2 * shunt.real + series.real) - np.arctan(series.real)
    return abs(np.tan(phi / 2 + np.arctan(series.real))), phi


def synthesise():
    """Widths of the windows and lengths of the cavities [m], first to middle."""
    g = prototype()
    guide_wave = lambda hz: 2 * np.pi / gamma_of(hz, np.pi / A_M).imag  # noqa: E731
    low, high = guide_wave(LOW_HZ), guide_wave(HIGH_HZ)
    middle = (low + high) / 2
    centre_hz = C0 * np.sqrt((1 / middle) ** 2 + (1 / (2 * A_M)) ** 2)
    share = (low - high) / middle
    wanted = [np.sqrt(np.pi * share / (2 * g[0] * g[1]))] + [np.pi * share / (2 * np.sqrt(g[i] * g[i + 1])) for i in (1, 2)]
    windows, angles = [], []
    for k in wanted:
        narrow, wide = 2e-3, 15e-3
        for _ in range(50):
            window = (narrow + wide) / 2
            narrow, wide = (window, wide) if inverter(centre_hz, window)[0] < k else (narrow, window)
        windows.append(window)
        angles.append(inverter(centre_hz, window)[1])
    angles.append(angles[-1])  # the fourth iris is the third
    lengths = [middle / (2 * np.pi) * (np.pi + (angles[i] + angles[i + 1]) / 2) for i in range(3)]
    return np.array(windows), np.array(lengths)


def response(hz, windows, lengths):
    """(S11, S21) of the filter at the outer faces of its first and last iris."""
    found = []
    for f in np.atleast_1d(hz):
        whole = None
        for window, length in zip([*windows, *windows[::-1]], [*lengths, *lengths[-2::-1], 0]):
            one = iris(f, window)
            whole = one if whole is None else cascade(whole, one)
            whole = line(whole, f, A_M, GUIDE_MODES, length)
        found.append((whole[0][0, 0], whole[2][0, 0]))
    return np.array(found).T


def main():
    windows, lengths = synthesise()
    print("windows (mm):", *np.round(windows * 1e3, 3), " cavities (mm):", *np.round(lengths * 1e3, 3))
    hz = np.linspace(LOW_HZ - 0.2e9, HIGH_HZ + 0.2e9, 81)
    s11, s21 = response(hz, np.round(windows, 5), np.round(lengths, 5))
    for f, r, t in zip(hz[::4], s11[::4], s21[::4]):
        print(f"{f / 1e9:8.3f} GHz  S11 {20 * np.log10(abs(r)):7.2f} dB  S21 {20 * np.log10(abs(t)):7.2f} dB  power {abs(r)**2 + abs(t)**2:.9f}")
    inside = (hz >= LOW_HZ) & (hz <= HIGH_HZ)
    print("largest S11 in the band:", 20 * np.log10(np.abs(s11[inside]).max()))


if __name__ == "__main__":
    main()
