"""Reflection of absorbing layers and of first-order absorbing faces against the angle.

A packet of the mode TE10 in a guide of PEC is a pair of plane waves that meet its end at the angle theta, cos theta =
k_z/k; between a PEC and a PMC pair of plates a packet meets it at 0. What comes back is the difference to a guide so long that
nothing does, fitted as a wave of the mode at probes all over its cells. `reflection.py PROGRAM` prints the table of
tests/README.md.
"""

import math
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

C0 = 299792458.0
PROBES = 96
CASE = """\
units: mm
mesh: {{box: {{size: [{width}, 1, {length}], cells: [{across}, 1, {length}]}}}}
materials: {{air: {{}}}}
regions: {{box: air}}
boundaries:
  pec: [{pec}]
  pmc: [{pmc}]
  absorbing: [{absorbing}]
  pml: {{faces: [{layers}], thickness: 10, cells: 10}}
initial_fields: {{E: ["0", "{shape}cos({kz}*(z-{z0}))*exp(-((z-{z0})/{size})^2)", "0"]}}
method: {{scheme: {scheme}, basis: {basis}, time_step: {dt:.6e}}}
time: {{steps: {steps}}}
outputs: {{probes: [{probes}]}}
run: {{threads: 1}}
"""
# Steps [cells/c0] below the stable ones.
STEPS = {"mixed-1": 0.11, "full-1": 0.11, "mixed-2": 0.07, "full-2": 0.066}


def run(program, text):
    """E_y at the probes, [probe][step], and the times."""
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "case.yaml").write_text(text, encoding="utf-8")
        subprocess.run([program, "run", "case.yaml", "-o", "out", "--quiet"], cwd=place, check=True, timeout=900)
        with h5py.File(Path(place) / "out" / "results.h5") as file:
            probes = [file[f"probes/p{i}"] for i in range(PROBES)]
            return np.array([probe["E"][:, 1] for probe in probes]), probes[0]["time"][()]


class Guide:
    """Cells of 1 mm, `wide` mm across, waves of `wavelength` mm at `angle` degrees."""

    def __init__(self, angle, wavelength, basis, scheme, wide=1):
        sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
        self.width = wavelength / (2 * sine) if angle else 2.0
        self.plane = angle == 0
        self.kz = 2 * math.pi / wavelength * cosine
        size = 0.75 * wavelength
        self.length = math.ceil(6 * size + 6)
        flight = 1.3 * (4.5 * size + 10) / max(cosine, 0.25) + 30
        self.long = math.ceil(self.length + flight / 2 + 2)
        self.frequency = C0 / (wavelength * 1e-3)
        random = np.random.default_rng(1)
        spread = (np.arange(PROBES) + 0.5) / PROBES
        self.x = self.width * random.permutation(spread)
        self.z = self.length - 3 - 8 * spread
        points = zip(self.x, random.random(PROBES), self.z)
        self.values = {
            "scheme": scheme, "basis": basis, "across": max(2, round(self.width / wide)), "width": self.width,
            "dt": STEPS[basis] * 1e-3 / C0, "steps": math.ceil(flight / STEPS[basis]),
            "shape": "" if self.plane else f"sin({math.pi / self.width * 1e3}*x)*", "kz": self.kz * 1e3,
            "z0": 3 * size * 1e-3, "size": size * 1e-3,
            "probes": ", ".join(f"{{name: p{i}, point: [{x:.6f}, {y:.6f}, {z:.6f}], fields: [E]}}"
                                for i, (x, y, z) in enumerate(points))}

    def case(self, end):
        """Ended by a layer, an absorbing face, or too far away to matter."""
        sides = "x0, x1"
        return CASE.format(
            **self.values, length=self.long if end == "far" else self.length,
            pec="y0, y1" + ("" if self.plane else ", " + sides) + (", z1" if end == "far" else ""),
            pmc=sides if self.plane else "", absorbing="z1" if end == "absorbing" else "",
            layers="z0, z1" if end == "pml" else "z0")

    def fit(self, fields, time):
        """Amplitudes of the mode that go to smaller and to larger z at the frequency."""
        fade = np.ones(len(time))
        last = len(time) // 4
        fade[-last:] = 0.5 * (1 + np.cos(np.pi * np.arange(last) / last))
        phasors = (fields * fade) @ np.exp(-2j * np.pi * self.frequency * time)
        profile = np.ones(PROBES) if self.plane else np.sin(np.pi * self.x / self.width)
        waves = np.stack([profile * np.exp(1j * self.kz * self.z), profile * np.exp(-1j * self.kz * self.z)], 1)
        return np.abs(np.linalg.lstsq(waves, phasors, rcond=None)[0])

    def reflections(self, program, ends):
        """In dB, for each end."""
        far, time = run(program, self.case("far"))
        sent = self.fit(far, time)[1]
        return [20 * math.log10(self.fit(run(program, self.case(end))[0] - far, time)[0] / sent) for end in ends]


def law(angle):
    """Of the first-order condition, for E across the plane of incidence: (1 - cos)/(1 + cos)."""
    cosine = math.cos(math.radians(angle))
    return 20 * math.log10((1 - cosine) / (1 + cosine)) if angle else -math.inf


def main():
    columns = [("full-1", 20, "dgtd-central"), ("full-2", 10, "dgtd-central"), ("full-1", 20, "dgtd-upwind")]
    for angle in (0, 15, 30, 45, 60, 70, 80):
        row = []
        for basis, wavelength, scheme in columns:
            row += Guide(angle, wavelength, basis, scheme).reflections(sys.argv[1], ("pml",))
        row += Guide(angle, 10, "full-2", "dgtd-central").reflections(sys.argv[1], ("absorbing",))
        print(f"| {angle} | " + " | ".join(f"{value:.0f}" for value in row) + f" | {law(angle):.0f} |", flush=True)


if __name__ == "__main__":
    main()
