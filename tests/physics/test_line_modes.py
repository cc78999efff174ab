"""Quasi-TEM ports with the mode of their line at each frequency: on faces with curved edges, in the antenna cells of an array, under an
integral equation and as loads of resonators, each by the power that is left, or against another way to the same numbers."""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import guide  # noqa: E402
import meshes  # noqa: E402
import second_order  # noqa: E402
from grids import cubes, inside, write_grid  # noqa: E402

C0 = 299792458.0


class CurvedFaces(unittest.TestCase):
    """A coaxial line of 1 and 2.3 mm, one half of it filled."""
    AROUND, ALONG, LENGTH_M = 12, 6, 10e-3
    CASE = """\
mode: frequency-domain
mesh: {file: line.h5, order: 2}
materials: {air: {}, filling: {eps_r: 6}}
regions: {air: air, filling: filling}
boundaries: {pec: [inner, outer]}
ports:
  - {name: p1, boundary: z0, type: tem, signal: inner, excite: {amplitude: 1}}
  - {name: p2, boundary: z1, type: tem, signal: inner}
method: {basis: mixed-2}
frequency: {values: [1 GHz, 8 GHz, 14 GHz]}
solver: {method: direct}
outputs: {s_parameters: {}}
run: {threads: 1}
"""

    def write(self, folder):
        def place(point):
            radius, angle = 1e-3 * 2.3 ** (point[0] / 2), 2 * np.pi * point[1] / self.AROUND
            return [radius * np.cos(angle), radius * np.sin(angle), self.LENGTH_M * point[2] / self.ALONG]

        def region(points):
            numbers = {point[1] for point in points}
            return int(max(numbers) <= self.AROUND // 2 and not {0, self.AROUND - 1} <= numbers)

        meshes.write(folder / "line.h5", meshes.build((2, self.AROUND, self.ALONG), place, [("inner", "outer"), None, ("z0", "z1")],
                                                      periodic=1, region_of=region, regions=("air", "filling")))
        second_order.curve(folder / "line.h5", second_order.on_cylinders)

    def test_the_wave_between_them_has_the_index_of_the_ports_and_all_power(self):
        results = guide.run(self, self.CASE, prepare=self.write)
        hz, s = results["s_parameters/frequency"], results["s_parameters/S"][:, :, 0]
        power, k0 = (np.abs(s) ** 2).sum(axis=1), 2 * np.pi * hz / C0
        index, along = results["ports/p1/phase_constant"] / k0, np.unwrap(-np.angle(s[:, 1])) / (k0 * self.LENGTH_M)
        print(f"half filled coaxial line: sum of |S|^2 {power}, index {index}, of S21 {along}, |S11| {np.abs(s[:, 0])}")
        self.assertLess(np.abs(power - 1).max(), 1e-3)
        self.assertLess(np.abs(along / index - 1).max(), 3e-3)
        self.assertGreater(index[-1] / index[0], 1.01)  # the static one is not good enough
        self.assertLess(np.abs(s[:, 0]).max(), 0.02)
        self.assertNotIn("lose power", results.warnings)


class Cells(unittest.TestCase):
    """In the floor of each antenna cell a port, in one half of it a filling, and a plate that stands on it."""
    CASE = """\
mode: frequency-domain
MESH
materials: {air: {}, filling: {eps_r: 10}}
regions: {REGIONS}
boundaries: {pec: [floor, plate], absorbing: [outside]}
ports: [PORTS]
method: {basis: mixed-1}
frequency: {values: [1 GHz, 2.5 GHz]}
solver: {method: direct}
outputs: {s_parameters: {drive: each}}
run: {threads: 1}
"""

    @staticmethod
    def write(path, count):
        """`count` antenna cells of 6 x 6 cubes along x, with the rim around them; of more than one as a plain mesh."""
        def region_of(cube):
            if not inside(cube, (6, 6 + 6 * count), (6, 12), (0, 4)):
                return "air"
            return "cell.filling" if inside((cube[0] % 6, *cube[1:]), (1, 3), (7, 11), (0, 2)) else "cell.air"

        def group_of(middle, axis, is_outer):
            own, cell = (middle[0] % 6, middle[1], middle[2]), int(middle[0] // 6) - 1
            is_antenna = 0 <= cell < count
            if axis == 2 and middle[2] == 0:
                is_port = is_antenna and inside(own, (1, 5), (7, 11), (0, 1))
                return (f"line{cell}" if count > 1 else "line") if is_port else "floor"
            if axis == 0 and is_antenna and own[0] == 3 and inside(own, (3, 4), (8, 10), (0, 2)):
                return "plate"
            return "outside" if is_outer else None

        write_grid(path, (12 + 6 * count, 18, 4), cubes(4e-3), region_of, group_of)

    def run_case(self, mesh, regions, ports, *options, ranks=1):
        text = self.CASE.replace("MESH", mesh).replace("REGIONS", regions).replace("PORTS", ports)

        def prepare(folder):
            self.write(folder / "cells.h5", 1)
            self.write(folder / "plain.h5", 2)

        return guide.run(self, text, *options, prepare=prepare, ranks=ranks)

    def test_ports_of_an_array_are_those_of_its_plain_mesh(self):
        port = "{{name: {}, boundary: {}, type: tem, signal: plate, excite: {{amplitude: 1}}}}".format
        cells = ("array: {unit_cells: cells.h5, size: [2, 1]}", "air: air, filling: filling", port("p", "line"))
        array = self.run_case(*cells)
        shared = self.run_case(*cells, "--set", "solver.ranks=system", ranks=2)
        plain = self.run_case("mesh: {file: plain.h5}", "air: air, cell.air: air, cell.filling: filling",
                              ", ".join(port(f"p{k}", f"line{k}") for k in range(2)))
        index = plain["excitations/p0/ports/p0/phase_constant"] * C0 / (2 * np.pi * plain["s_parameters/frequency"])
        print(f"cells: index {index}, |S| {np.abs(plain['s_parameters/S']).round(4).tolist()}")
        self.assertGreater(index[1] / index[0], 1.01)
        np.testing.assert_allclose(shared["s_parameters/S"], array["s_parameters/S"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(array["s_parameters/S"], plain["s_parameters/S"], rtol=0, atol=1e-9)
        for k in range(2):
            np.testing.assert_allclose(array[f"excitations/p.0.0/ports/p.{k}.0/phase_constant"],
                                       plain[f"excitations/p0/ports/p{k}/phase_constant"], rtol=1e-12)


class UnderAnIntegralEquation(unittest.TestCase):
    """A block of metal with a well, one half of it filled; from the port at its bottom a plate leads out of it."""
    CASE = """\
mode: fe-iiee
mesh: {file: well.h5}
materials: {air: {}, filling: {eps_r: 10}}
regions: {air: air, filling: filling}
boundaries: {pec: [plate, metal]}
ports: [{name: p, boundary: port, type: tem, signal: plate, excite: {amplitude: 1}}]
iiee: {outer: S, inner: currents, tolerance: 1e-6}
method: {basis: mixed-1}
frequency: {values: [2 GHz, 3.935 GHz, 4 GHz]}
solver: {method: direct}
outputs: {s_parameters: {}, far_field: {frequencies: [2 GHz, 3.935 GHz, 4 GHz], theta: [0, 90], phi: [0]}}
run: {threads: 1}
"""

    @staticmethod
    def write(folder):
        def region_of(cube):
            is_well = inside(cube, (3, 7), (3, 7), (3, 7))
            if inside(cube, (2, 8), (2, 8), (2, 7)) and not is_well:
                return None
            return "filling" if is_well and cube[0] < 5 else "air"

        def group_of(middle, axis, is_outer):
            if is_outer and axis is not None and middle[axis] in (0, (10, 10, 12)[axis]):
                return "S"
            if axis == 2 and middle[2] == 3 and is_outer and inside(middle, (3, 7), (3, 7), (3, 4)):
                return "port"
            if axis == 0 and middle[0] == 5 and inside(middle, (5, 6), (4, 6), (3, 9)):
                return "plate"
            is_side = axis is not None and middle[axis] in (1, (9, 9, 11)[axis]) and all(1 <= x <= last for x, last in zip(middle, (9, 9, 11)))
            return "currents" if is_side else "metal" if is_outer else None

        write_grid(folder / "well.h5", (10, 10, 12), cubes(2.5e-3), region_of, group_of)

    def run_case(self, *options):
        return guide.run(self, self.CASE, *(word for option in options for word in ("--set", option)), prepare=self.write)

    def test_all_that_a_port_accepts_is_radiated(self):
        results = self.run_case()
        hz, index, s = results["s_parameters/frequency"], results["ports/p/phase_constant"], results["s_parameters/S"]
        far = [results.far_attributes[name] for name in sorted(results.far_attributes)]
        missing = (1 - np.abs(s[:, 0, 0]) ** 2) * (1 - np.array([found["surface_power"] / found["accepted_power"] for found in far]))
        print(f"well: |S11| {np.abs(s[:, 0, 0])}, of the incident power {missing} is neither reflected nor radiated")
        self.assertGreater(index[2] / hz[2] / (index[0] / hz[0]), 1.01)
        self.assertLess(np.abs(missing).max(), 2e-3)  # near fields at the wall; 7e-3 with the static mode
        fast = self.run_case("frequency={start: 3.9 GHz, stop: 4 GHz, points: 21, sweep: {fast: true, tolerance: 1e-6}}")
        error = np.abs(fast["s_parameters/S"][[7, 20]] - s[1:]).max()
        print(f"well, fast sweep: {error:.1e} off")
        self.assertLess(error, 1e-5)


def poles(hz, s):
    """Of a rational function with these values: barycentric, every second point as support (Antoulas and Anderson)."""
    x = 2 * (hz - hz[0]) / (hz[-1] - hz[0]) - 1
    support, others = np.arange(len(x)) % 2 == 0, np.arange(len(x)) % 2 == 1
    loewner = (s[others][:, None] - s[support]) / (x[others][:, None] - x[support])
    weights = np.linalg.svd(loewner)[2][-1].conj()
    roots = np.roots(sum(weight * np.poly(np.delete(x[support], k)) for k, weight in enumerate(weights)))
    return hz[0] + (roots + 1) / 2 * (hz[-1] - hz[0])


class Resonators(unittest.TestCase):
    """A microstrip resonator of 5 mm on alumina in a box, its end 0.5 mm from that of the line that leads to the port."""
    CASE = """\
mode: MODE
mesh: {file: box.h5}
materials: {air: {}, alumina: {eps_r: 9.8}}
regions: {air: air, alumina: alumina}
boundaries: {default: pec, pec: [strip]}
ports: [{name: p, boundary: port, type: tem, signal: strip, excite: {amplitude: 1}}]
method: {basis: mixed-2, edge_factor: 1}
run: {threads: 1}
"""
    SIDE_M, CELLS = 0.5e-3, (4, 4, 15)
    STRIPS = ((0, 3), (4, 14))  # along z, in cells

    def write(self, folder):
        def group_of(middle, axis, is_outer):
            if is_outer:
                return "port" if axis == 2 and middle[2] == 0 else None
            is_strip = any(inside(middle, (1, 3), (0, 9), strip) for strip in self.STRIPS)
            return "strip" if axis == 1 and middle[1] == 1 and is_strip else None

        write_grid(folder / "box.h5", self.CELLS, cubes(self.SIDE_M), lambda cube: "alumina" if cube[1] < 1 else "air", group_of)

    def resonance(self, ranks=1):
        text = self.CASE.replace("MODE", "eigenmode") + "eigenmode: {target: 30 GHz, count: 1}\n"
        return guide.run(self, text, prepare=self.write, ranks=ranks)

    def test_the_loaded_q_is_that_of_the_pole_of_s_on_the_frequency_axis(self):
        found = self.resonance()
        f, q = found["eigenmodes/frequency"][0], found["eigenmodes/q"][0]
        hz = f.real * (1 + np.linspace(-2, 2, 12) / q)
        swept = guide.run(self, self.CASE.replace("MODE", "frequency-domain") + f"frequency: {{values: {hz.tolist()}}}\noutputs: {{s_parameters: {{}}}}\n",
                          prepare=self.write)
        at = poles(hz, swept["s_parameters/S"][:, 0, 0])
        nearest = at[np.abs(at - f).argmin()]
        print(f"microstrip resonator: {f / 1e9:.6f} GHz, Q {q:.3f}, pole of S11 {nearest / 1e9:.6f} GHz, {abs(nearest / f - 1):.1e} apart, "
              f"|S11| {np.abs(swept['s_parameters/S'][:, 0, 0]).min():.4f}, index {swept['ports/p/phase_constant'][5] * C0 / (2 * np.pi * hz[5]):.4f}")
        self.assertLess(abs(nearest / f - 1), 1e-6)  # with the static mode 6e-5
        self.assertLess(abs(found["eigenmodes/loss_by_port"][0].sum() * q - 1), 1e-5)
        self.assertLess(found["eigenmodes/residual"].max(), 1e-8)
        shared = self.resonance(ranks=2)["eigenmodes/frequency"][0]
        self.assertLess(abs(shared / f - 1), 1e-10)


if __name__ == "__main__":
    unittest.main()
