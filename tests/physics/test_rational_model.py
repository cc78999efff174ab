"""Rational models of S: poles and Q against eigenmodes and closed forms, the SPICE subcircuit by a nodal analysis of its own."""

import csv
import itertools
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import meshes  # noqa: E402
from frequency_domain import write_part  # noqa: E402

C0 = 299792458.0
PORT = "{{name: {}, boundary: {}, type: rectangular-waveguide{}}}"
IN = PORT.format("in", "z0", ", excite: {}")
OUT = PORT.format("out", "z1", ", excite: {}")
CASE = """\
mode: MODE
mesh: {file: cavity.h5}
materials: {air: {}, lossy: {sigma: 0.002 S/m}}
regions: {feed: air, cavity: lossy}
boundaries: {pec: [iris], default: pec}
PORTS
method: {basis: mixed-2}
run: {threads: 1}
"""
SWEEP = """\
frequency: {start: 8.5 GHz, stop: 13 GHz, points: 181}
outputs: {s_parameters: {}, rational_model: {tolerance: 1e-4}}
"""


def write_cavity(path, planes, irises):
    """A guide of 20 mm by 10 mm, planes along z, 4 mm apart, with sheets on some of them that leave 6.7 mm open; the
    cavity begins at the first."""
    place = lambda p: [0.02 * p[0] / 6, 0.01 * p[1] / 2, 0.004 * p[2]]

    def group_of(face):
        for axis, last in ((2, planes), (0, 6), (1, 2)):
            for side, value in enumerate((0, last)):
                if all(p[axis] == value for p in face):
                    return 2 * axis + side
        return None

    def iris_of(face):
        centre = sum(p[0] for p in face) / 3
        return 6 if any(all(p[2] == z for p in face) for z in irises) and not 2 < centre < 4 else None

    elements = list(meshes.cut_grid((6, 2, planes)))
    write_part(path, elements, place, group_of, ["x0", "x1", "y0", "y1", "z0", "z1", "iris"], inner_group_of=iris_of,
               region_of=lambda element: int(min(p[2] for p in element) >= irises[0] and max(p[2] for p in element) <= (irises + [planes])[1]),
               regions=("feed", "cavity"))


def solve_netlist(text, impedances, hz):
    """S of a subcircuit of R, C, E and G: nodal analysis with a current for each E, every port in turn driven through its impedance."""
    lines = [line for line in text.replace("\n+", "").splitlines() if line and line[0] not in "*."]
    header = next(line for line in text.replace("\n+", "").splitlines() if line.startswith(".subckt")).split()
    ports, reference = header[2:-1], header[-1]
    names = sorted({word for line in lines for word in line.split()[1:(3 if line[0] in "RC" else 5)]} - {"0", reference})
    node = {name: k for k, name in enumerate(names)} | {"0": -1, reference: -1}
    sources = [line for line in lines if line[0] == "E"]
    size = len(names) + len(sources)
    constant, rate = np.zeros((size + 1, size + 1)), np.zeros((size + 1, size + 1))  # the last row and column: ground
    for line in lines:
        kind, (_, *words) = line[0], line.split()
        at = [node[word] for word in words[:2]]
        value = float(words[-1])
        if kind in "RC":
            matrix, value = (constant, 1 / value) if kind == "R" else (rate, value)
            for i, j in itertools.product((0, 1), repeat=2):
                matrix[at[i], at[j]] += value if i == j else -value
            continue
        control = [node[word] for word in words[2:4]]
        if kind == "G":  # a current from the first node through the source to the second
            for (i, sign), (j, other) in itertools.product(zip(at, (1, -1)), zip(control, (1, -1))):
                constant[i, j] += sign * other * value
            continue
        row = len(names) + sources.index(line)
        for (i, sign) in zip(at, (1, -1)):
            constant[row, i] += sign
            constant[i, row] += sign
        for (i, sign) in zip(control, (1, -1)):
            constant[row, i] -= sign * value
    at = [node[name] for name in ports]
    for i, z in zip(at, impedances):
        constant[i, i] += 1 / z
    root = np.sqrt(impedances)
    results = []
    for f in hz:
        matrix = (constant + 2j * np.pi * f * rate)[:-1, :-1]
        driven = np.zeros((size, len(ports)), complex)
        driven[at, range(len(ports))] = 2 / root  # a = 1: an open-circuit voltage of 2 sqrt(Z)
        v = np.linalg.solve(matrix, driven)[at]
        results.append(v / root[:, None] - np.eye(len(ports)))
    return np.array(results)


def evaluate(model, hz):
    s = 2j * np.pi * np.asarray(hz)
    return model["constant"][()] + np.einsum("fk,kij->fij", 1 / (s[:, None] - model["poles"][()]), model["residues"][()])


class RationalModels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_case(self, text, *options, command="run"):
        (self.folder / "case.yaml").write_text(text, encoding="utf-8")
        line = [os.environ["TETRAWAVE_PROGRAM"], command, "case.yaml", "-o", "out", "--overwrite", *options]
        done = subprocess.run(line, cwd=self.folder, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout + done.stderr

    def results(self):
        file = h5py.File(self.folder / "out" / "results.h5")
        self.addCleanup(file.close)
        return file

    def text(self, mode, ports, more):
        ports = f"ports: [{', '.join(ports)}]" if ports else ""
        return CASE.replace("MODE", mode).replace("PORTS", ports) + more

    def test_the_poles_of_a_cavity_behind_an_iris_are_its_eigenmodes(self):
        """One discrete system, driven and free: loaded Q with the guide as a load, unloaded Q of the filling alone."""
        write_cavity(self.folder / "cavity.h5", 8, [3])
        self.run_case(self.text("eigenmode", [PORT.format("in", "z0", "")], "eigenmode: {target: 10.5 GHz, count: 1}\n"))
        mode = self.results()["eigenmodes"]
        frequency, q, shares = mode["frequency"][0], mode["q"][0], mode["loss_by_region"][0]
        mode.file.close()
        said = self.run_case(self.text("frequency-domain", [IN], SWEEP))
        model = self.results()["rational_model"]
        resonances = model["resonances"]
        k = np.argmin(abs(resonances["frequency"][()] - abs(frequency)))
        print(said[said.index("rational model"):].splitlines()[0], frequency, q, {name: resonances[name][k] for name in resonances})
        self.assertLess(abs(resonances["frequency"][k] / abs(frequency) - 1), 1e-6)
        self.assertLess(abs(resonances["loaded_q"][k] / q - 1), 1e-3)
        self.assertLess(abs(resonances["bandwidth"][k] * q / abs(frequency) - 1), 1e-3)
        self.assertLess(abs(resonances["unloaded_q"][k] * shares.sum() - 1), 0.05)
        self.assertLess(model.attrs["error"], 1e-4)
        self.assertEqual(model.attrs["passive"], 1)

    def test_a_study_has_columns_of_the_poles(self):
        write_cavity(self.folder / "cavity.h5", 8, [3])
        self.run_case(self.text("frequency-domain", [IN], SWEEP + "study: {vary: {materials.lossy.sigma: [0.001, 0.01]}}\n"),
                      "--result", "q:in", "--result", "/rational_model/error", command="study")
        with open(self.folder / "out" / "study.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        for number, row in enumerate(rows, 1):
            with h5py.File(self.folder / f"out/runs/{number}/results.h5") as file:
                model = file["rational_model"]
                k = np.argmin(model["resonances/external_q"][:, 0] / model["resonances/loaded_q"][()])
                for column, name in (("q:in", "loaded_q"), ("q:in_unloaded", "unloaded_q"), ("q:in_frequency", "frequency"),
                                     ("q:in_bandwidth", "bandwidth")):
                    self.assertEqual(float(row[column]), model["resonances"][name][k])
                self.assertEqual(float(row["q:in_error"]), model.attrs["error"])
                self.assertEqual(float(row["rational_model.error"]), model.attrs["error"])
        ratio = float(rows[0]["q:in_unloaded"]) / float(rows[1]["q:in_unloaded"])
        self.assertLess(abs(ratio / 10 - 1), 0.1)

    def test_the_subcircuit_has_the_s_of_the_run(self):
        write_cavity(self.folder / "cavity.h5", 9, [2, 6])
        impedances = [50.0, 75.0]
        self.run_case(self.text("frequency-domain", [IN, OUT], SWEEP.replace("s_parameters: {}", f"s_parameters: {{impedance: {impedances}}}")))
        file = self.results()
        model, hz, s = file["rational_model"], file["s_parameters/frequency"][()], file["s_parameters/S"][()]
        netlist = (self.folder / "out" / "rational_model.cir").read_text(encoding="utf-8")
        found = solve_netlist(netlist, impedances, hz)
        print(f"{len(model['poles'])} poles, error {model.attrs['error']:.1e}, by the netlist {abs(found - s).max():.1e}")
        self.assertLess(abs(found - evaluate(model, hz)).max(), 1e-10)
        self.assertLess(abs(found - s).max(), 1.01 * model.attrs["error"] + 1e-10)
        self.assertLess(model.attrs["error"], 1e-3)
        wide = np.concatenate([np.linspace(0, 40e9, 4001), np.linspace(8e9, 14e9, 4001), np.logspace(6, 14, 801)])
        sizes = np.linalg.svd(evaluate(model, wide), compute_uv=False)
        self.assertLessEqual(sizes.max(), 1)
        self.assertTrue((model["poles"][()].real < 0).all())
        self.assertLess(abs(evaluate(model, -wide[:5]) - evaluate(model, wide[:5]).conj()).max(), 1e-12)

    def test_s_of_both_domains_has_the_poles_of_a_slab_before_a_short_circuit(self):
        """Between plates: tanh(p n L/c) = -n."""
        length, n = 3e-3, np.sqrt(40.0)
        pole = C0 / (n * length) * (-0.5 * np.log((n + 1) / (n - 1)) + 1.5j * np.pi)
        z = guide.planes((2e-3, 4), (length, 12))
        guide.write_mesh(self.folder / "guide.h5", z, 0.25e-3, slab=(4, 16))
        for mode, more in (("time-domain", "time: {end: 20 ns, energy_decay: -100 dB}"), ("frequency-domain", "")):
            self.run_case(f"""\
mode: {mode}
mesh: {{file: guide.h5}}
materials: {{air: {{}}, slab: {{eps_r: 40}}}}
regions: {{feed: air, slab: slab}}
boundaries: {{pec: [y0, y1, z1], pmc: [x0, x1]}}
ports: [{{name: in, boundary: z0, type: tem, signal: y1, reference_plane: 2 mm, excite: {{{'waveform: pulse' if not more == '' else ''}}}}}]
{'waveforms: {pulse: {type: modulated-gaussian, frequency: 11 GHz, bandwidth: 16 GHz}}' if more else ''}
method: {{basis: mixed-2}}
{more}
outputs: {{s_parameters: {{start: 6 GHz, stop: 16 GHz, points: 201}}, rational_model: {{tolerance: 1e-3}}}}
run: {{threads: 1}}
""")
            model = self.results()["rational_model"]
            found = model["poles"][()]
            found = found[np.argmin(abs(found - pole))]
            print(f"{mode}: {len(model['poles'])} poles, error {model.attrs['error']:.1e}, pole within {abs(found / pole - 1):.1e}, Q of",
                  *model["resonances/loaded_q"][()], "for", abs(pole) / (-2 * pole.real))
            self.assertLess(abs(found / pole - 1), 2e-3)
            self.assertLess(abs(model["resonances/loaded_q"][0] * 2 * pole.real / abs(pole) + 1), 0.01)
            self.assertGreater(model["resonances/unloaded_q"][0], 500)
            model.file.close()


if __name__ == "__main__":
    unittest.main()
