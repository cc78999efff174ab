#!/usr/bin/env python3
"""Compares a run of this case with the cavity model of a patch antenna.

    reference.py OUTDIR

The cavity: half a wavelength of microstrip line of the patch's width, longer at both ends by Hammerstad's extension
(C. A. Balanis, "Antenna Theory", 14.2). Prints resonance (the least |S11|), its depth and band, and directivity, gain and the
power that is radiated of what is accepted; exit code 1 when the resonance is off by 5 percent, |S11| there is above 0.2, the
directivity is not 6 to 9 dBi, or the efficiency is off 1 by 0.05: metal and laminate have no losses.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np

C0 = 299792458.0
LENGTH_M, WIDTH_M, HEIGHT_M, EPS_R = 38e-3, 48e-3, 3e-3, 2.2


def cavity_hz():
    """The resonance of TM010."""
    u = WIDTH_M / HEIGHT_M
    eps = (EPS_R + 1) / 2 + (EPS_R - 1) / 2 / np.sqrt(1 + 12 / u)
    extension = 0.412 * HEIGHT_M * (eps + 0.3) * (u + 0.264) / ((eps - 0.258) * (u + 0.8))
    return C0 / (2 * (LENGTH_M + 2 * extension) * np.sqrt(eps))


def main():
    parser = argparse.ArgumentParser(description="Compares a run with the cavity model of a patch antenna.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    options = parser.parse_args()
    fields = {}
    with h5py.File(options.directory / "results.h5", "r") as file:
        frequency_hz, s11 = file["s_parameters/frequency"][()], np.abs(file["s_parameters/S"][:, 0, 0])
        for hertz, group in file["far_field"].items():
            fields[int(hertz)] = (dict(group.attrs), group["directivity"][()], group["theta"][()])
    at = np.argmin(s11)
    wanted = cavity_hz()
    band = frequency_hz[s11 < 10**-0.5]
    print(f"resonance at {frequency_hz[at] / 1e9:.3f} GHz, cavity model {wanted / 1e9:.3f} GHz: "
          f"{100 * (frequency_hz[at] / wanted - 1):+.1f} percent; |S11| {s11[at]:.3f} there, below -10 dB over "
          f"{(band[-1] - band[0]) / 1e6 if band.size else 0:.0f} MHz")
    good = abs(frequency_hz[at] / wanted - 1) < 0.05 and s11[at] < 0.2
    for hertz, (powers, directivity, theta) in sorted(fields.items()):
        row, column = np.unravel_index(np.argmax(directivity), directivity.shape)
        efficiency = powers["radiated_power"] / powers["accepted_power"]
        print(f"{hertz / 1e9:g} GHz: directivity {directivity.max():.2f} dBi at theta {theta[row]:g} degrees, "
              f"{directivity[0].max():.2f} dBi upwards; {efficiency:.3f} of the accepted power is radiated")
        good = good and 6 < directivity.max() < 9 and abs(efficiency - 1) < 0.05
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
