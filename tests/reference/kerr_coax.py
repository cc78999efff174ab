#!/usr/bin/env python3
"""The wave behind a coaxial line filled with a Kerr medium, by finite differences in r and z.

    kerr_coax.py [--cells 40] [-o FILE]

Independent of Tetrawave: E_r, E_z, H_phi on a staggered grid (Yee), D from the curl of H, E from D = (1 + chi3 |E|^2) E
node by node with the other component averaged from its neighbours, second order in space and time. Writes columns t (s),
the voltage of the incident wave and the voltage behind the line (V) as CSV. `--cells` between the conductors, 1 mm apart.
"""

import argparse
import math

import numpy as np

C0, ETA0 = 299792458.0, 376.730313668
INNER, OUTER, LENGTH, FEED = 1e-3, 2e-3, 40e-3, 2e-3
CHI3, CARRIER, BANDWIDTH, END = 4e-8, 20e9, 10e9, 1.05e-9


def pulse(t):
    s = math.sqrt(2 * math.log(10)) / (math.pi * BANDWIDTH)
    return np.where(t > 0, np.sin(2 * np.pi * CARRIER * (t - 6 * s)) * np.exp(-((t - 6 * s) ** 2) / (2 * s * s)), 0.0)


def solve_norm(d, chi):
    """|E| of |D| = (1 + chi |E|^2) |E|, by Newton from |D|."""
    e = d / (1 + chi * d * d)
    for _ in range(8):
        e -= ((1 + chi * e * e) * e - d) / (1 + 3 * chi * e * e)
    return e


def march(cells):
    dr = (OUTER - INNER) / cells
    pad = 8e-3  # of empty line on both sides, and what the ends send back comes too late or is absorbed
    nz = round((LENGTH + 2 * pad) / dr)
    r_half = INNER + (np.arange(cells) + 0.5) * dr  # E_r and H_phi
    r_node = INNER + np.arange(cells + 1) * dr      # E_z
    z_node = -pad + np.arange(nz + 1) * dr          # E_r
    z_half = -pad + (np.arange(nz) + 0.5) * dr      # E_z, H_phi
    inside = lambda z: (z > FEED) & (z < LENGTH - FEED)
    chi_r = np.where(inside(z_node), CHI3, 0.0)[None, :] * np.ones((cells, 1))
    chi_z = np.where(inside(z_half), CHI3, 0.0)[None, :] * np.ones((cells + 1, 1))
    er, dr_ = np.zeros((cells, nz + 1)), np.zeros((cells, nz + 1))
    ez, dz_ = np.zeros((cells + 1, nz)), np.zeros((cells + 1, nz))
    h = np.zeros((cells, nz))  # eta0 H_phi
    dt = 0.5 * dr              # c0 dt
    steps = math.ceil(END * C0 / dt)
    source = round((pad / 2) / dr)          # the wave enters here (total field behind it)
    back = round((pad + LENGTH) / dr)       # where the voltage is taken
    profile = 1 / (math.log(OUTER / INNER) * r_half)
    out = np.zeros((steps, 3))
    lag = pad / 2  # from the source plane to z = 0
    for n in range(steps):
        t = n * dt
        # dH/dt = dE_z/dr - dE_r/dz
        h += dt / dr * ((ez[1:] - ez[:-1]) - (er[:, 1:] - er[:, :-1]))
        h[:, source - 1] += dt / dr * profile * pulse(t / C0)
        # dD_r/dt = -dH/dz, dD_z/dt = 1/r d(r H)/dr
        first, last = er[:, 1].copy(), er[:, -2].copy()
        dr_[:, 1:-1] -= dt / dr * (h[:, 1:] - h[:, :-1])
        dr_[:, source] += dt / dr * profile * pulse((t + dt / 2 + dr / 2) / C0)
        rh = r_half[:, None] * h
        dz_[1:-1] += dt / dr * (rh[1:] - rh[:-1]) / r_node[1:-1, None]
        # E from D; the other component of D averaged to the node
        other = np.zeros_like(dr_)
        other[:, 1:-1] = (dz_[:-1, :-1] + dz_[1:, :-1] + dz_[:-1, 1:] + dz_[1:, 1:]) / 4
        er_end0, er_end1 = er[:, 0].copy(), er[:, -1].copy()
        size = np.sqrt(dr_**2 + other**2)
        er = dr_ * np.divide(solve_norm(size, chi_r), size, out=np.ones_like(size), where=size > 0)
        # first-order absorbing ends (exact for the wave of the line)
        k = (dt - dr) / (dt + dr)
        er[:, 0] = first + k * (er[:, 1] - er_end0)
        er[:, -1] = last + k * (er[:, -2] - er_end1)
        dr_[:, 0], dr_[:, -1] = er[:, 0], er[:, -1]
        other = np.zeros_like(dz_)
        other[1:-1] = (dr_[:-1, :-1] + dr_[1:, :-1] + dr_[:-1, 1:] + dr_[1:, 1:]) / 4
        size = np.sqrt(dz_**2 + other**2)
        ez = dz_ * np.divide(solve_norm(size, chi_z), size, out=np.ones_like(size), where=size > 0)
        ez[0] = ez[-1] = 0
        # the wave is at z = 0 after `lag`
        out[n] = ((t + dt) / C0, float(pulse((t + dt - lag) / C0)), float(np.sum(er[:, back]) * dr))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=40)
    parser.add_argument("-o", "--output", default="kerr_coax.csv")
    options = parser.parse_args()
    np.savetxt(options.output, march(options.cells), delimiter=",", header="t,incident,behind", comments="")


if __name__ == "__main__":
    main()
