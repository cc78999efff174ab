"""At `cfl: 1` the energy of random small boxes does not grow: media in layers, walls, sheets, ports, spaces, schemes."""

import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parent))
import guide  # noqa: E402
from guide import meshes  # noqa: E402

RUNS = int(os.environ.get("TETRAWAVE_RANDOM_RUNS", "120"))
STEPS = 400
MORE = {"dgtd-upwind": [162]}  # no medium of this box has losses; the mode that limits its step is no real one
SIDES = ("x0", "x1", "y0", "y1", "z0", "z1")
BASES = ("mixed-1", "full-1", "mixed-2", "full-2")


def write_mesh(path, draw):
    """A box of about a metre of 2 x 2 x 3 moved cells, its three layers the regions a, b, c, a sheet between two of them."""
    cells = (2, 2, 3)
    lengths = [draw.uniform(0.5, 1.2) for _ in cells]
    moves = {}

    def place(p):
        def move(axis):  # nodes stay in their outer planes, and in the plane of the sheet
            return 0 if p[axis] in (0, cells[axis]) or (axis == 2 and p[2] == 1) else draw.uniform(-0.2, 0.2)

        if p not in moves:
            moves[p] = [(p[a] + move(a)) / cells[a] * lengths[a] for a in range(3)]
        return moves[p]

    data = meshes.build(cells, place, [("x0", "x1"), ("y0", "y1"), ("z0", "z1")],
                        region_of=lambda points: min(p[2] for p in points), regions=("a", "b", "c"), inner=(2, 1, "sheet"))
    meshes.write(path, data)


def resistance(draw):
    return f"{10 ** draw.uniform(-0.5, 4):.3g} ohm"


def material(draw):
    medium = {"eps_r": round(draw.uniform(1, 4), 3), "mu_r": round(draw.uniform(1, 3), 3)}
    if draw.random() < 0.3:
        medium["sigma"] = round(10 ** draw.uniform(-3, 1), 4)
    if draw.random() < 0.2:
        medium["sigma_m"] = round(10 ** draw.uniform(1, 4), 2)
    for field in ("electric_dispersion", "magnetic_dispersion"):
        if draw.random() < 0.4:
            debye = {"model": "debye", "delta": round(draw.uniform(0.1, 12), 3), "tau": f"{10 ** draw.uniform(-1, 2):.3g} ns"}
            lorentz = {"model": "lorentz", "delta": round(draw.uniform(0.1, 2), 3),
                       "frequency": f"{10 ** draw.uniform(2, 3):.4g} MHz", "damping": round(10 ** draw.uniform(6, 9))}
            medium[field] = draw.choice(([debye], [lorentz], [debye, lorentz]))
    return medium


def case(draw, scheme):
    boundaries = {"pec": [], "pmc": [], "absorbing": [], "impedance": {}}
    ports = []
    sides = list(SIDES)
    media = {name: material(draw) for name in "abc"}
    if draw.random() < 0.3:  # its medium is lossless
        sides.remove("z0")
        media["a"] = {"eps_r": media["a"]["eps_r"]}
        boundaries["pec"] += ["y0", "y1"]
        sides = [side for side in sides if side not in ("y0", "y1")]
        ports.append({"name": "p", "boundary": "z0", "type": "lumped", "resistance": resistance(draw), "direction": [0, 1, 0]})
    for side in sides:
        kind = draw.choice(("pec", "pmc", "absorbing", "impedance", "impedance"))
        if kind == "impedance":
            boundaries[kind][side] = resistance(draw)
        else:
            boundaries[kind].append(side)
    if draw.random() < 0.5:
        boundaries["impedance"]["sheet"] = resistance(draw)
    elif draw.random() < 0.3:
        boundaries["pec"].append("sheet")
    basis = draw.choice(BASES) if draw.random() < 0.97 else "mixed-3"
    fields = [f"sin({draw.uniform(5, 60):.3f}*{axis}+{draw.uniform(0, 6):.3f})" for axis in "xyzyzx"]
    return f"""
mesh: {{file: box.h5}}
materials: {media}
regions: {{a: a, b: b, c: c}}
boundaries: {boundaries}
ports: {ports}
method: {{scheme: {scheme}, basis: {basis}, cfl: 1}}
time: {{steps: {STEPS}}}
initial_fields: {{E: {fields[3:]}, H: [0, 0, 0]}}
outputs: {{energy: {{every: 1}}}}
run: {{threads: 1}}
"""


class StableSteps(unittest.TestCase):
    def grows(self, number, scheme):
        """Most energy in the last quarter over the most in the quarter before, and the case."""
        draw = random.Random(f"{number} {scheme}")
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            write_mesh(folder / "box.h5", draw)
            text = case(draw, scheme)
            (folder / "case.yaml").write_text(text, encoding="utf-8")
            done = subprocess.run([os.environ["TETRAWAVE_PROGRAM"], "run", "case.yaml", "-o", "out", "--quiet"], cwd=folder,
                                  capture_output=True, text=True, timeout=600, check=False)
            if done.returncode != 0:
                return np.inf, done.stderr + text
            with h5py.File(folder / "out" / "results.h5", "r") as file:
                energy = file["energy/total"][()]
        quarter = STEPS // 4
        return np.abs(energy[-quarter:]).max() / max(np.abs(energy[-2 * quarter:-quarter]).max(), 1e-9 * energy[0]), text

    def check(self, scheme):
        numbers = [*range(RUNS // 3), *MORE.get(scheme, [])]
        results = [self.grows(number, scheme) for number in numbers]
        worst, text = max(results, key=lambda result: result[0])
        print(f"{scheme}: {len(results)} runs, energy of the last quarter at most {worst:.6f} of that before")
        bad = [number for number, result in zip(numbers, results) if not result[0] < self.most(scheme)]
        self.assertFalse(bad, f"{bad}: {worst}: {text}")

    @staticmethod
    def most(scheme):
        """DFDD-ELD's energies of the fields swing, those of the others fall."""
        return 4 if scheme == "dfdd-eld" else 1.001


for of_scheme in guide.SCHEMES:
    setattr(StableSteps, f"test_{of_scheme.replace('-', '_')}", lambda test, scheme=of_scheme: test.check(scheme))

if __name__ == "__main__":
    unittest.main()
