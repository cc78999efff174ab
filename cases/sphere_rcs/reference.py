#!/usr/bin/env python3
"""Compares the bistatic radar cross-section of a run of this case with the Mie series.

    reference.py OUTDIR [--radius 0.0477134516] [--eps-r 2.56] [--tolerance-db 0.5] [--picture FILE.png]

Without --eps-r the sphere is of metal. Prints, per frequency, the largest deviation in dB where sigma is within 20 dB of
its maximum, writes OUTDIR/reference.csv (frequency, theta, phi, sigma in m^2, of the series); exit code 1 when a
deviation is above --tolerance-db (0.5).
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

C0 = 299792458.0


def spherical(count, z):
    """Spherical Bessel functions j_n, y_n and (z j_n)', (z y_n)' of n = 0..count, z real."""
    start = count + 20 + int(2 * abs(z))
    j = np.zeros(start + 2)
    j[start] = 1e-300
    for n in range(start, 0, -1):  # downward, then scaled: stable for j_n
        j[n - 1] = (2 * n + 1) / z * j[n] - j[n + 1]
        if abs(j[n - 1]) > 1e250:
            j /= 1e250
    exact = np.sin(z) / z if abs(np.sin(z)) > 0.1 else None
    j *= exact / j[0] if exact is not None else (np.sin(z) / z**2 - np.cos(z) / z) / j[1]
    y = np.zeros(count + 2)
    y[0], y[1] = -np.cos(z) / z, -np.cos(z) / z**2 - np.sin(z) / z
    for n in range(1, count + 1):
        y[n + 1] = (2 * n + 1) / z * y[n] - y[n - 1]
    order = np.arange(1, count + 1)
    below = lambda f: np.concatenate(([np.nan], z * f[order - 1] - order * f[order]))
    return j[: count + 1], y[: count + 1], below(j), below(y)


def coefficients(x, eps_r):
    """a_n, b_n of a sphere with k a = x, exp(-j omega t) as in the books; eps_r None: metal. n = 1..N."""
    count = int(x + 4 * x ** (1 / 3) + 12)
    j, y, dj, dy = (f[1:] for f in spherical(count, x))
    h, dh = j + 1j * y, dj + 1j * dy
    if eps_r is None:
        return dj / dh, j / h
    m = np.sqrt(eps_r)
    inner, _, d_inner, _ = (f[1:] for f in spherical(count, m * x))
    a = (m**2 * inner * dj - j * d_inner) / (m**2 * inner * dh - h * d_inner)
    b = (inner * dj - j * d_inner) / (inner * dh - h * d_inner)
    return a, b


def sigma_over_a2(x, theta, phi, eps_r=None):
    """sigma/a^2 for a wave along +z with E along x, angles in radians (arrays of one shape)."""
    a, b = coefficients(x, eps_r)
    cosine = np.cos(theta)
    before, pi_n = np.zeros_like(cosine), np.ones_like(cosine)
    s1, s2 = np.zeros(cosine.shape, complex), np.zeros(cosine.shape, complex)
    for n in range(1, len(a) + 1):
        tau_n = n * cosine * pi_n - (n + 1) * before
        factor = (2 * n + 1) / (n * (n + 1))
        s1 += factor * (a[n - 1] * pi_n + b[n - 1] * tau_n)
        s2 += factor * (a[n - 1] * tau_n + b[n - 1] * pi_n)
        before, pi_n = pi_n, ((2 * n + 1) * cosine * pi_n - (n + 1) * before) / n
    return 4 * np.pi / x**2 * (np.abs(s2 * np.cos(phi)) ** 2 + np.abs(s1 * np.sin(phi)) ** 2)


def draw(picture, curves):
    """Of every frequency the E-plane and the H-plane: series and run."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(curves), figsize=(4 * len(curves), 3.5), squeeze=False)
    for axis, (title, theta, phi, sigma, expected) in zip(axes[0], curves):
        for plane, colour in ((0, "tab:blue"), (90, "tab:orange")):
            here = phi == plane
            axis.plot(theta[here], 10 * np.log10(expected[here]), color=colour, lw=3, alpha=0.4, label=f"phi = {plane}, series")
            axis.plot(theta[here], 10 * np.log10(sigma[here]), color="black", lw=0.8, ls="-" if plane == 0 else "--")
        axis.set(title=title, xlabel="theta in degrees", ylabel="sigma in dBsm")
        axis.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(picture, dpi=110)


def main():
    parser = argparse.ArgumentParser(description="Compares the radar cross-section of a sphere with the Mie series.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    parser.add_argument("--radius", type=float, default=0.0477134516, help="in m (default: %(default)s)")
    parser.add_argument("--eps-r", type=float, help="of a dielectric sphere; metal when absent")
    parser.add_argument("--tolerance-db", type=float, default=0.5, help="for the exit code (default: %(default)s)")
    parser.add_argument("--picture", type=Path, help="draws the cross-sections too")
    options = parser.parse_args()
    rows, worst, curves = [], 0.0, []
    with h5py.File(options.directory / "results.h5", "r") as file:
        for hertz in sorted(file["rcs"], key=int):
            group = file["rcs"][hertz]
            theta, phi, sigma = group["theta"][()], group["phi"][()], group["sigma"][:, 0]
            x = 2 * np.pi * int(hertz) / C0 * options.radius
            expected = options.radius**2 * sigma_over_a2(x, np.radians(theta), np.radians(phi), options.eps_r)
            with np.errstate(divide="ignore"):
                deviation = np.where(expected > 0.01 * expected.max(), np.abs(10 * np.log10(sigma / expected)), 0)
            at = deviation.argmax()
            print(f"k a = {x:.3f}: largest deviation from the series {deviation[at]:.3f} dB at theta {theta[at]:g}, "
                  f"phi {phi[at]:g}; forward {10 * np.log10(sigma[0] / expected[0]):+.3f} dB")
            worst = max(worst, deviation[at])
            curves.append((f"k a = {x:.3g}", theta, phi, sigma, expected))
            rows += [(int(hertz), t, p, s) for t, p, s in zip(theta, phi, expected)]
    np.savetxt(options.directory / "reference.csv", rows, delimiter=",", fmt="%.12g", header="frequency,theta,phi,sigma",
               comments="")
    if options.picture:
        draw(options.picture, curves)
    if not worst <= options.tolerance_db:
        print(f"above {options.tolerance_db} dB")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
