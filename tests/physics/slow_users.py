"""The cases from users of tests/README.md in every scheme, mode and space that takes them: the weekly set (scripts/weekly.sh).

usage: TETRAWAVE_PROGRAM=build/bin/tetrawave tests/physics/slow_users.py --write [REGEX]
       runs them, or those whose name matches, and writes their rows of the table in tests/README.md
"""

import os
import re
import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import test_fe_iiee  # noqa: E402
from test_metal_edges import IRIS, IRISES, NOTCH, NOTCH_HZ, SOLID, STRIP_HZ  # noqa: E402

README = Path(__file__).resolve().parents[1] / "README.md"
MESHER = Path(os.environ.get("TETRAWAVE_PROGRAM", "")).with_name("tetrawave-mesh")
HEAD = "| case | scheme or mode | space | quantity | reference | limit | observed |"
GAP_HZ = 2.43e9  # within 1 %: tests/README.md, estimates at edges of metal
GAP = re.sub(r"\? \(y", "? (z<0.025 ? 1 : -1)*(y", SOLID).replace("2.4, 25.2", "2.4, 18.2").replace("7.6, 24.2", "7.6, 18.2")
STEP = 10e-12  # of mode fetd [s]
ROWS = {}  # of the table: the last three cells by the first four


def in_mode(text, method, basis):
    """A time-domain case in a scheme or in another mode."""
    if method in guide.SCHEMES:
        return re.sub(r"(?m)^method: .*$", f"method: {{scheme: {method}, basis: {basis}}}", text)
    text = re.sub(r"(?m)^method: .*$", f"method: {{basis: {basis}{f', time_step: {STEP} s' if method == 'fetd' else ''}}}", text)
    text = f"mode: {method}\n{text}solver: {{method: direct}}\n"
    if method == "fetd":
        return text.replace("every: 4", "every: 1")
    text = text.replace("excite: {waveform: pulse}", "excite: {amplitude: 1}")
    text = re.sub(r"(?m)^(waveforms|time|initial_fields):.*\n(  .*\n)*", "", text)
    return re.sub(r"(?m)^(outputs:.*\n(  .*\n)*|solver:.*\n)", "", text) if method == "eigenmode" else text


@unittest.skipUnless(MESHER.exists(), "tetrawave-mesh is not built")
class Users(unittest.TestCase):
    def run_case(self, text, *settings):
        return guide.run(self, text, *(word for setting in settings for word in ("--set", setting)))

    def near(self, case, method, basis, quantity, found, wanted, limit):
        """`found`, one number or several, is within the relative `limit` of `wanted`; a row of the table."""
        found = np.atleast_1d(found)
        text = " to ".join(f"{value:.4g}" for value in sorted({found.min(), found.max()}))
        row = (case, method, basis, quantity), (f"{wanted:.4g}", f"{100 * limit:g} %", text)
        ROWS[row[0]] = row[1]
        print(" | ".join(row[0] + row[1]), flush=True)
        with self.subTest(quantity=quantity):
            self.assertLess(np.abs(found / wanted - 1).max(), limit)

    def power(self, case, method, basis, results, lossless):
        s = results["s_parameters/S"]
        s = np.abs(s["r"] + 1j * s["i"] if s.dtype.names else s)[:, :, 0]
        self.near(case, method, basis, "sum of abs(S)^2", (s**2).sum(axis=1), 1, lossless)
        return results["s_parameters/frequency"], s[:, 1]

    def notch_filter(self, method, basis, lossless, limit):
        text = in_mode(NOTCH, method, basis)
        if method != "dgtd-central":
            text = text.replace("end: 4 ns", "end: 2 ns")
        results = self.run_case(text, "mesh.parameters={fine: 1.2}")
        frequency, through = self.power("notch filter", method, basis, results, lossless)
        self.near("notch filter", method, basis, "notch [GHz]", frequency[through.argmin()] / 1e9, NOTCH_HZ / 1e9, limit)

    def iris(self, method, basis, lossless, limit):
        text = in_mode(IRIS, method, basis).replace(f"time_step: {STEP} s", "time_step: 2 ps")  # steps shift the cutoff too
        frequency, through = self.power("iris", method, basis, self.run_case(text), lossless)
        self.near("iris", method, basis, "abs(S21) at 10 GHz", np.interp(10e9, frequency, through), IRISES[0][2], limit)

    def resonance(self, case, text, method, basis, wanted, limit):
        if method == "eigenmode":
            text = in_mode(text, method, basis) + f"eigenmode: {{target: {0.8 * wanted} Hz, count: 1}}\n"
            found = self.run_case(text)["eigenmodes/frequency"].real[0]
        else:
            results = self.run_case(in_mode(text, method, basis))
            time = results["probes/p/time"]
            values = (results["probes/p/E"] - results["probes/q/E"])[:, 1] * np.hanning(len(time))
            frequency = np.linspace(0.5 * wanted, 1.3 * wanted, 2001)
            found = frequency[np.abs(np.exp(-2j * np.pi * np.outer(frequency, time)) @ values).argmax()]
            if method == "fetd":
                found = np.tan(np.pi * found * STEP) / (np.pi * STEP)  # of the mesh, without the step
        self.near(case, method, basis, "resonance [GHz]", found / 1e9, wanted / 1e9, limit)

    def solid_strip(self, method, basis, limit):
        self.resonance("solid strip", SOLID.replace("{fine: 3}", "{t: 1, fine: 4}"), method, basis, STRIP_HZ, limit)

    def gap(self, method, basis, limit):
        self.resonance("gap", GAP.replace("{fine: 3}", "{t: 1, gap: 1, fine: 4}"), method, basis, GAP_HZ, limit)

    def two_balls(self, method, basis, order, limit):
        """By an integral equation on the balls, or between an absorbing wall and currents on faces around the region inner."""
        text = test_fe_iiee.Balls.balls(None, "[up, low]").replace("basis: mixed-2", f"basis: {basis}").replace("order: 2", f"order: {order}")
        if method != "fe-iiee":
            text = re.sub(r"(?m)^iiee: .*\n", "", text).replace("mode: fe-iiee", f"mode: {method}").replace("pmc: [y0]", "pmc: [y0], absorbing: [S]")
            text = text.replace("far_field: {", "far_field: {surface: [inner], ")
        if method in guide.SCHEMES:
            text = re.sub(r"(?m)^(frequency|solver|plane_waves|mode): .*\n", "", text).replace("basis: ", f"scheme: {method}, basis: ")
            text += "sources: [{type: plane-wave, direction: [0, 0, -1], polarization: [1, 0, 0], waveform: pulse, region: inner}]\n"
            text += "waveforms: {pulse: {type: modulated-gaussian, frequency: 1 GHz, bandwidth: 1.5 GHz}}\ntime: {end: 10 ns}\n"
        sigma = self.run_case(text)["rcs/1000000000/sigma"].reshape(6, -1)[[0, 2, 3, 4], 0] / test_fe_iiee.Balls.SECTIONS
        self.near(f"two balls, {'straight' if order == 1 else 'curved'} elements", method, basis, "sigma over multipoles", sigma, 1, limit)


def add(what, method, basis, *limits):
    name = "_".join(("test", what, method, basis, *(["order", str(limits[0])] if what == "two_balls" else [])))
    setattr(Users, re.sub("[^a-z0-9]", "_", name), lambda self: getattr(self, what)(method, basis, *limits))


for row in (
        ("solid_strip", "dgtd-central", "mixed-1", 0.03),
        ("gap", "dgtd-central", "mixed-1", 0.4),
        ("solid_strip", "dgtd-central", "full-1", 0.01),
        ("gap", "dgtd-central", "full-1", 0.12),
        ("solid_strip", "dgtd-central", "mixed-2", 0.01),
        ("gap", "dgtd-central", "mixed-2", 0.12),
        ("solid_strip", "dgtd-central", "full-2", 0.01),
        ("gap", "dgtd-central", "full-2", 0.12),
        ("solid_strip", "dgtd-upwind", "mixed-1", 0.03),
        ("gap", "dgtd-upwind", "mixed-1", 0.4),
        ("solid_strip", "dgtd-upwind", "full-1", 0.01),
        ("gap", "dgtd-upwind", "full-1", 0.12),
        ("solid_strip", "dgtd-upwind", "mixed-2", 0.01),
        ("gap", "dgtd-upwind", "mixed-2", 0.12),
        ("solid_strip", "dfdd-eld", "mixed-1", 0.03),
        ("gap", "dfdd-eld", "mixed-1", 0.4),
        ("solid_strip", "dfdd-eld", "full-1", 0.01),
        ("gap", "dfdd-eld", "full-1", 0.12),
        ("solid_strip", "dfdd-eld", "mixed-2", 0.01),
        ("gap", "dfdd-eld", "mixed-2", 0.12),
        ("solid_strip", "fetd", "mixed-1", 0.03),
        ("gap", "fetd", "mixed-1", 0.4),
        ("solid_strip", "fetd", "full-1", 0.015),
        ("gap", "fetd", "full-1", 0.12),
        ("solid_strip", "fetd", "mixed-2", 0.01),
        ("gap", "fetd", "mixed-2", 0.12),
        ("solid_strip", "eigenmode", "mixed-1", 0.03),
        ("gap", "eigenmode", "mixed-1", 0.4),
        ("solid_strip", "eigenmode", "full-1", 0.015),
        ("gap", "eigenmode", "full-1", 0.12),
        ("solid_strip", "eigenmode", "mixed-2", 0.01),
        ("gap", "eigenmode", "mixed-2", 0.12),
        ("solid_strip", "eigenmode", "full-2", 0.01),
        ("gap", "eigenmode", "full-2", 0.12),
        ("notch_filter", "dgtd-central", "mixed-1", 0.02, 0.25),
        ("iris", "dgtd-central", "mixed-1", 0.85, 0.25),
        ("notch_filter", "dgtd-central", "full-1", 0.02, 0.12),
        ("iris", "dgtd-central", "full-1", 0.08, 0.1),
        ("notch_filter", "dgtd-central", "mixed-2", 0.25, 0.12),
        ("iris", "dgtd-central", "mixed-2", 0.02, 0.1),
        ("iris", "dgtd-central", "full-2", 0.01, 0.1),
        ("notch_filter", "dgtd-upwind", "mixed-1", 0.02, 0.25),
        ("iris", "dgtd-upwind", "mixed-1", 0.85, 0.25),
        ("notch_filter", "dgtd-upwind", "full-1", 0.02, 0.12),
        ("iris", "dgtd-upwind", "full-1", 0.08, 0.1),
        ("iris", "dgtd-upwind", "mixed-2", 0.02, 0.1),
        ("iris", "dfdd-eld", "mixed-1", 0.85, 0.25),
        ("notch_filter", "dfdd-eld", "mixed-1", 0.2, 0.25),
        ("notch_filter", "dfdd-eld", "full-1", 0.02, 0.12),
        ("iris", "dfdd-eld", "full-1", 0.015, 0.1),
        ("iris", "dfdd-eld", "mixed-2", 0.015, 0.1),
        ("notch_filter", "fetd", "mixed-1", 0.01, 0.08),
        ("notch_filter", "fetd", "full-1", 0.01, 0.03),
        ("notch_filter", "fetd", "mixed-2", 0.01, 0.04),
        ("iris", "fetd", "full-1", 0.02, 0.28),
        ("iris", "fetd", "mixed-2", 0.02, 0.12),
        ("notch_filter", "frequency-domain", "mixed-1", 0.01, 0.08),
        ("iris", "frequency-domain", "mixed-1", 0.03, 0.28),
        ("notch_filter", "frequency-domain", "full-1", 0.01, 0.03),
        ("iris", "frequency-domain", "full-1", 0.01, 0.28),
        ("notch_filter", "frequency-domain", "mixed-2", 0.01, 0.04),
        ("iris", "frequency-domain", "mixed-2", 0.01, 0.12),
        ("two_balls", "fe-iiee", "mixed-1", 1, 0.6),
        ("two_balls", "fe-iiee", "mixed-1", 2, 0.6),
        ("two_balls", "fe-iiee", "full-1", 1, 0.15),
        ("two_balls", "fe-iiee", "full-1", 2, 0.15),
        ("two_balls", "fe-iiee", "mixed-2", 1, 0.08),
        ("two_balls", "fe-iiee", "mixed-2", 2, 0.08),
        ("two_balls", "frequency-domain", "mixed-1", 1, 0.6),
        ("two_balls", "frequency-domain", "full-1", 1, 0.3),
        ("two_balls", "frequency-domain", "mixed-2", 1, 0.2),
        ("two_balls", "dgtd-central", "full-1", 1, 0.3),
        ("two_balls", "dgtd-upwind", "full-1", 1, 0.3),
        ("two_balls", "dfdd-eld", "full-1", 1, 0.45),
):
    add(*row)


def write_table():
    """The rows in place of those of the same case, method, space and quantity."""
    text = README.read_text(encoding="utf-8")
    start = text.index(HEAD)
    end = text.index("\n\n", start)
    rows = {}
    for line in text[start:end].splitlines()[2:]:
        cells = tuple(cell.strip() for cell in line.strip("|").split("|"))
        rows[cells[:4]] = cells[4:]
    rows.update(ROWS)
    order = [*guide.SCHEMES, "fetd", "frequency-domain", "eigenmode", "fe-iiee", "mixed-1", "full-1", "mixed-2", "full-2"]
    keys = sorted(rows, key=lambda key: (key[0], order.index(key[1]), order.index(key[2])))
    lines = [HEAD, "|---|---|---|---|---|---|---|"] + [f"| {' | '.join(key + rows[key])} |" for key in keys]
    README.write_text(text[:start] + "\n".join(lines) + text[end:], encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        only = sys.argv[2] if len(sys.argv) > 2 else ""
        names = [name for name in unittest.defaultTestLoader.getTestCaseNames(Users) if re.search(only, name)]
        done = unittest.TextTestRunner(verbosity=1).run(unittest.TestSuite(Users(name) for name in names))
        write_table()
        sys.exit(0 if done.wasSuccessful() else 1)
    unittest.main()
