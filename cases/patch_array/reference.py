#!/usr/bin/env python3
"""The patch array against the cavity model of a patch on a magnetic substrate, and runs beside each other.

    reference.py OUTDIR [OUTDIR ..] [--between 0.02 ..] [--cavity 0.05] [--picture FILE.png]

The cavity: half a wavelength of microstrip line of the patch's width, longer at both ends by Hammerstad's extension (C. A. Balanis,
"Antenna Theory", 14.2), with the permeability of the Lorentz medium at its own resonance, effective as the permittivity is, by duality (R. A.
Pucel, D. J. Masse, "Microstrip propagation on magnetic substrates", IEEE Trans. MTT 20 (1972)). Prints the least |S11| and its place.
Exit code 1 where it lies off the cavity's by --cavity, where |S11| there is above 0.5, where a neighbour couples by more than -14 dB, or
where |S| of a further run differs from the first by more than --between (one limit for each further run, the last for the rest).
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import network  # noqa: E402

C0 = 299792458.0
LENGTH_M, WIDTH_M, HEIGHT_M, EPS_R = 40e-3, 50e-3, 3e-3, 2.67


def permeability(hertz):
    omega, w0 = 2 * np.pi * hertz, 2 * np.pi * 0.8e9
    return 1 + 0.5 * w0**2 / (w0**2 + 2j * omega * 0.5e9 - omega**2)


def cavity_hz(magnetic=True):
    """The resonance of TM010, found with the permeability there."""
    u = WIDTH_M / HEIGHT_M
    eps = (EPS_R + 1) / 2 + (EPS_R - 1) / 2 / np.sqrt(1 + 12 / u)
    extension = 0.412 * HEIGHT_M * (eps + 0.3) * (u + 0.264) / ((eps - 0.258) * (u + 0.8))
    hertz = 2e9
    for _ in range(40):
        inverse = 1 / permeability(hertz).real if magnetic else 1.0
        mu = 1 / ((inverse + 1) / 2 + (inverse - 1) / 2 / np.sqrt(1 + 12 / u))
        hertz = C0 / (2 * (LENGTH_M + 2 * extension) * np.sqrt(eps * mu))
    return hertz


def main():
    parser = argparse.ArgumentParser(description="Compares runs with the cavity model of a patch.")
    parser.add_argument("outdirs", nargs="+")
    parser.add_argument("--between", type=float, nargs="+", default=[0.02])
    parser.add_argument("--cavity", type=float, default=0.05)
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    runs, is_good = network.judge(arguments.outdirs, arguments.between)
    wanted = cavity_hz()
    for run in runs:
        s11 = np.abs(run.s[:, 0, 0])
        at = np.argmin(s11)
        coupled = 20 * np.log10(np.abs(run.s[:, 1:, 0]).max(axis=0))
        print(f"{run.name}: resonance at {run.hertz[at] / 1e9:.3f} GHz, cavity model {wanted / 1e9:.3f} GHz ({cavity_hz(False) / 1e9:.3f} GHz with mu_r 1): "
              f"{100 * (run.hertz[at] / wanted - 1):+.1f} percent; |S11| {s11[at]:.3f}; S21, S31, S41 at most {coupled[0]:.1f}, {coupled[1]:.1f}, {coupled[2]:.1f} dB")
        is_good = is_good and abs(run.hertz[at] / wanted - 1) < arguments.cavity and s11[at] < 0.5 and coupled.max() < -14
    if arguments.picture:
        network.picture(arguments.picture, "Patch array", runs, [(k, 0, f"S{k + 1}1") for k in range(4)], groups=("patches",))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
