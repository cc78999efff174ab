#!/usr/bin/env python3
"""Checks a run of this case with what must hold for an array of equal monopoles that are driven alike.

    reference.py OUTDIR

Rods that are images of each other have the same active reflection (within 0.02, the mesh has no symmetry); as a whole the
rods return no more power than they are sent, at any frequency; what they accept is what is radiated (within 10 percent, the
outer sides absorb what reaches them); nothing is radiated upwards. Exit code 1 when one of these does not hold.
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np


def images(values):
    """The reflections [nf, nx, ny] as the mirrored arrays have them."""
    yield values[:, ::-1, :]
    yield values[:, :, ::-1]
    if values.shape[1] == values.shape[2]:
        yield values.transpose(0, 2, 1)


def main():
    parser = argparse.ArgumentParser(description="Checks the symmetry and the power of an array of monopoles.")
    parser.add_argument("directory", type=Path, help="the run's output directory")
    options = parser.parse_args()
    with h5py.File(options.directory / "results.h5", "r") as file:
        active, frequency_hz = file["s_parameters/active/p"][()], file["s_parameters/frequency"][()]
        fields = {float(hertz): (dict(group.attrs), group["directivity"][()])
                  for hertz, group in file["far_field"].items()}
    asymmetry = max(np.abs(active - image).max() for image in images(active))
    returned = (np.abs(active) ** 2).mean(axis=(1, 2)).max()
    print(f"rods that are images of each other differ by {asymmetry:.4f} at most (limit 0.02)")
    print(f"of the power sent, at most {returned:.3f} comes back (limit 1)")
    if active.shape[1:] == (3, 3):
        for mhz in (500, 600, 750, 1000):
            at = np.abs(active[np.argmin(np.abs(frequency_hz - 1e6 * mhz))])
            print(f"{mhz} MHz: |b/a| {at[::2, ::2].mean():.2f} of the corners, {(at.sum() - at[::2, ::2].sum() - at[1, 1]) / 4:.2f} of the edges, "
                  f"{at[1, 1]:.2f} in the middle")
    right = asymmetry < 0.02 and returned < 1
    for hertz, (powers, directivity) in fields.items():
        share = powers["radiated_power"] / powers["accepted_power"]
        null = directivity.max() - directivity[0].max()
        print(f"{hertz / 1e6:g} MHz: {share:.3f} of the accepted power is radiated (limits 0.9 and 1.1), "
              f"{null:.1f} dB less upwards than at most (limit 25)")
        right = right and abs(share - 1) < 0.1 and null > 25
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
