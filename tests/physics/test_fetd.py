"""Mode fetd against mode frequency-domain where the march has its frequencies (fetd.py): media, walls, ports, sources, far fields.

Cavities, energy, convergence, how a run ends and goes on: test_fetd_marches.py.
"""

import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import fetd  # noqa: E402
import frequency_domain as fd  # noqa: E402
import guide  # noqa: E402
import meshes  # noqa: E402
import test_quasi_tem  # noqa: E402
from fetd import BACK, FRONT, PATCH, PLATES  # noqa: E402
from layers import C0  # noqa: E402

# Of S up to 1: what is left of the fields at the end of the march, and digits of the sums over its steps.
EXACT = 1e-8


def with_sheet(folder):
    fetd.write_line(folder, sheet=True)


class Linear(fd.Checks):
    MEDIA = {
        "permittivity": "eps_r: 4",
        "losses": "eps_r: 2, sigma: 0.3",
        "magnetic losses": "mu_r: 2, sigma_m: 3e4",
        "axes": "eps_r: [2, 3, 4], mu_r: [1.5, 2, 1], sigma: 0.2",
        "Debye": "eps_r: 2, electric_dispersion: [{model: debye, eps_static: 5, tau: 40 ps}]",
        "Lorentz": "eps_r: 1.5, electric_dispersion: [{model: lorentz, delta: 1.2, frequency: 5 GHz, damping: 5e9}]",
        "Drude": "eps_r: 3, electric_dispersion: [{model: drude, plasma_frequency: 4 GHz, collision: 4e9}]",
        "terms of both": "eps_r: 2, electric_dispersion: [{model: pole, residue: [2e10, 1e10], pole: [8e9, 3e10]}, "
                         "{model: debye, delta: 1, tau: 20 ps}], "
                         "magnetic_dispersion: [{model: lorentz, delta: 0.8, frequency: 4 GHz, damping: 5e9}]",
    }

    def agree(self, what, parts, tolerance=EXACT, **options):
        found, wanted = fetd.both(self, parts, **options)
        known = ~np.isnan(wanted)
        self.assertTrue(np.array_equal(known, ~np.isnan(found)), what)
        self.near(what, [(found[known], wanted[known])], tolerance)
        return found[known], wanted[known]

    def test_slabs_of_every_medium(self):
        for name, medium in self.MEDIA.items():
            parts = fetd.line(f"air: {{}}, filling: {{{medium}}}", "filling")
            _, wanted = self.agree(name, parts, excited=("front", "back"), end="end: 6 ns")
            self.assertGreater(np.abs(wanted[: len(wanted) // 2]).max(), 0.05)

    def test_every_space(self):
        """A slab before an absorbing wall."""
        for basis in ("mixed-1", "full-1", "full-2", "mixed-3", "full-3"):
            parts = fetd.line("air: {}, filling: {eps_r: 3, sigma: 0.1}", "filling", PLATES + ", absorbing: [z1]")
            self.agree(basis, parts, ports=(FRONT,), basis=basis)

    def test_walls(self):
        for what, wall, prepare in (("a resistance", "impedance: {z1: 100 ohm}", fetd.write_line), ("a sheet", "impedance: {sheet: 100 ohm}", with_sheet)):
            ports = (FRONT,) if "z1" in wall else (FRONT, BACK)
            self.agree(what, fetd.line(boundaries=f"{PLATES}, {wall}"), ports=ports, prepare=prepare)

    def test_absorbing_layers(self):
        """Beyond the mesh, of media with losses and with axes, and of a region of the mesh. Static fields leave them slowly: 1e-6 is left after 24 ns."""
        layer = "pml: {faces: [z1], thickness: 0.010, cells: 4}"
        for what, medium in (("a layer in air", ""), ("with losses", "eps_r: 2, sigma: 0.2, sigma_m: 8e3"), ("with axes", "eps_r: [2, 3, 4], mu_r: [1, 1.5, 2]")):
            parts = fetd.line(f"air: {{}}, filling: {{{medium}}}", "filling", f"{PLATES}, {layer}")
            self.agree(what, parts, 1e-6, ports=(FRONT,), prepare=lambda folder: fetd.write_line(folder, (4, 8)), end="end: 24 ns")
        inside = fetd.line(boundaries="pec: [y0, y1, z1], pmc: [x0, x1], pml: {regions: [slab]}")
        self.agree("a region", inside, ports=(FRONT,), prepare=lambda folder: fetd.write_line(folder, (4, 8)), end="end: 24 ns")

    def test_conductors(self):
        """The march has the skin effect by branches, fitted within 1e-3; of rough metal they have the resistance, and its reactance by causality."""
        for what, plates, tolerance in (("smooth", "2e4 S/m", 1e-4), ("rough", "{conductivity: 2e4 S/m, roughness: 5 um}", 1e-2)):
            parts = fetd.line(boundaries=f"pmc: [x0, x1], conductor: {{y0: {plates}, y1: {plates}}}")
            self.agree(what, parts, tolerance)

    def test_lumped_ports(self):
        """Driven and as loads, in the middle of a line. With a reactance the march has the mean voltage of the port, mode frequency-domain
        that of every point, which differ by what the mesh does."""
        for more, tolerance in (("", EXACT), (", inductance: 5 nH", 1e-7), (", capacitance: 0.2 pF", 3e-7)):
            self.agree("lumped port" + more, fetd.line(), tolerance, ports=(FRONT, PATCH + more, BACK), excited=("front", "patch"), prepare=with_sheet)
            self.agree("load" + more, fetd.line(), tolerance, ports=(FRONT, PATCH + more, BACK), prepare=with_sheet)
        self.agree("lumped port at an end", fetd.line(), ports=(FRONT, PATCH.replace("sheet", "z1")), excited=("front", "patch"))

    def test_lines_of_one_and_of_two_media(self):
        def place(point):
            radius, angle = 1e-3 * 2.3 ** (point[0] / 2), 2 * np.pi * point[1] / 8
            return [radius * np.cos(angle), radius * np.sin(angle), 2.5e-3 * point[2]]

        def write_coax(folder):
            meshes.write(folder / "line.h5", meshes.build((2, 8, 6), place, [("inner", "outer"), None, ("z0", "z1")], periodic=1,
                         regions=("feed", "slab"), region_of=lambda points: int(all(2 <= p[2] <= 4 for p in points))))

        coax = fetd.line("air: {}, bead: {eps_r: 4}", "bead", "pec: [inner, outer]")
        self.agree("coaxial", coax, ports=[port.replace("tem, signal: y1", "coaxial") for port in (FRONT, BACK)], prepare=write_coax, hz=fetd.HZ[::2])
        halves = fetd.line("air: {}, filling: {eps_r: 4}", "filling").replace("feed: air, slab", "air: air, filling")
        for name, (axis, _) in test_quasi_tem.LINES.items():
            # The static mode in time, the mode of the line at each frequency in mode frequency-domain: apart with the square of frequency.
            found, wanted = self.agree(name, halves, prepare=lambda folder, axis=axis: test_quasi_tem.write_line(folder / "line.h5", axis), hz=fetd.HZ[:3],
                                       basis="mixed-1", tolerance=2.5e-3)
            self.assertLess(np.abs(found - wanted)[: len(found) // 3].max(), 2.5e-4)

    def test_waveguides_come_nearer_with_the_step(self):
        """S is referred to the impedance at f, where the mesh has that of the warped frequency."""
        for mode, cells, hz, tolerance in (("TE10", "[4, 1, 4]", (8.5e9, 10e9, 11.5e9), 1.2e-3), ("TM11", "[4, 2, 4]", (18e9, 19e9, 20e9), 0.015)):
            box = f"""
mesh: {{box: {{size: [0.02286, 0.01016, 0.02], cells: {cells}, jitter: 0.1}}}}
materials: {{air: {{}}}}
regions: {{box: air}}
boundaries: {{pec: [x0, x1, y0, y1]}}
"""
            ports = [f"name: {name}, boundary: {face}, type: rectangular-waveguide, mode: {mode}" for name, face in (("front", "z0"), ("back", "z1"))]
            wave = f"{{type: modulated-gaussian, frequency: {hz[1]!r}, bandwidth: 4 GHz}}"
            errors = []
            for dt in (4e-12, 2e-12):
                found, wanted = fetd.both(self, box, ports, hz=hz, dt=dt, wave=wave, end="end: 5 ns", prepare=lambda folder: None)
                errors.append(np.abs(found - wanted)[:, :, 0].max())
            print(f"{mode}: S within {errors[0]:.1e} and {errors[1]:.1e}")
            self.assertLess(errors[1], tolerance)
            self.assertLess(errors[1], 0.4 * errors[0])
            alone = guide.run(self, fetd.march(box, [fetd.driven(port + ", other_modes: reflect", ("front",)) for port in ports], dt=2e-12,
                                               outputs=fetd.band(hz), wave=wave, end="end: 5 ns"))["s_parameters/S"][:, :, 0]
            off = np.abs(alone - wanted[:, :, 0]).max()
            print(f"{mode} between ports of one mode: S within {off:.1e}")
            self.assertLess(off, tolerance)


class Sources(fd.Checks):
    """A box with resistive walls, so that the fields leave."""

    HZ = [4e9, 6e9, 8e9]
    WAVE = "{type: modulated-gaussian, frequency: 6 GHz, bandwidth: 9 GHz}"
    BOX = """
mesh: {box: {size: [0.03, 0.03, 0.03], cells: [2, 2, 2], jitter: 0.1}}
materials: {air: {eps_r: [2, 3, 4]}}
regions: {box: air}
boundaries: {impedance: {x0: 200 ohm, y0: 300 ohm, z0: 377 ohm}, pmc: [y1], default: pec}
"""
    SOURCES = {"dipole": "type: dipole, position: [0.0151, 0.0152, 0.0153], direction: [0.6, 0, 0.8], amplitude: 2",
               "current": "type: current, region: box, density: [x, 1, y*z]"}

    def spectra(self, results, name):
        """Fields at a probe over the spectrum of the wave."""
        time = results["probes/p/time"]
        width = np.sqrt(2 * np.log(10)) / (np.pi * 9e9)
        wave = np.sin(2 * np.pi * 6e9 * (time - 6 * width)) * np.exp(-((time - 6 * width) ** 2) / (2 * width**2))
        turns = np.exp(-2j * np.pi * np.outer(self.HZ, time))
        return turns @ results[f"probes/p/{name}"] / (turns @ wave)[:, None]

    def test_fields_at_probes_are_those_of_the_phasors(self):
        probe = "probes: [{name: p, point: [0.01, 0.02, 0.021]}]"
        for name, source in self.SOURCES.items():
            parts = f"{self.BOX}\nsources: [{{{source}, waveform: pulse}}]"
            found = guide.run(self, fetd.march(parts, dt=4e-12, end="end: 10 ns", wave=self.WAVE, outputs=probe))
            wanted = guide.run(self, f"""
mode: frequency-domain
{self.BOX}
sources: [{{{source}}}]
method: {{basis: mixed-2}}
frequency: {{values: {[float(f) for f in fetd.warped(self.HZ, 4e-12)]}}}
outputs: {{{probe}}}
run: {{threads: 1}}
""")
            for field in "EH":
                phasors = wanted[f"probes/p/{field}"]
                self.near(f"{name}, {field}", [(self.spectra(found, field) / np.abs(phasors).max(), phasors / np.abs(phasors).max())], EXACT)

    def test_far_fields_are_those_of_the_phasors(self):
        """Of surfaces that radiate at f and at the warped frequency, 2e-3 above it, with positions of up to 4 radians."""
        parts = """
mesh: {box: {size: [0.2, 0.2, 0.2], cells: [4, 4, 4], jitter: 0.1}}
materials: {air: {}}
regions: {box: air}
boundaries: {default: absorbing}
"""
        source, hz, dt = "type: dipole, position: [0.1, 0.09, 0.1], direction: [0.6, 0, 0.8], amplitude: 2", 1e9, 25e-12
        far_field = "far_field: {{frequencies: [{}], theta: [30, 90, 150], phi: [0, 40, 90]}}".format
        found = guide.run(self, fetd.march(f"{parts}\nsources: [{{{source}, waveform: pulse}}]", dt=dt, end="end: 10 ns", basis="mixed-1", outputs=far_field(hz),
                                           wave="{type: modulated-gaussian, frequency: 1 GHz, bandwidth: 1 GHz}"))
        at = float(fetd.warped(hz, dt))
        wanted = guide.run(self, f"""
mode: frequency-domain
{parts}
sources: [{{{source}}}]
method: {{basis: mixed-1}}
frequency: {{values: [{at!r}]}}
outputs: {{{far_field(at)}}}
run: {{threads: 1}}
""")
        fields = [np.array([next(results[name] for name in results if name.startswith("far_field") and name.endswith(part)) for part in ("E_theta", "E_phi")])
                  for results in (found, wanted)]
        self.near("far field", [(fields[0] / np.abs(fields[1]).max(), fields[1] / np.abs(fields[1]).max())], 0.01)

    def test_a_point_current_radiates_its_field(self):
        """In a box with absorbing walls 1/3 wavelength away: |r E_theta| = eta k |I l| sin(theta)/(4 pi), directivity 1.5."""
        parts = """
mesh: {box: {size: [0.2, 0.2, 0.2], cells: [5, 5, 5]}}
materials: {air: {}}
regions: {box: air}
boundaries: {default: absorbing}
sources: [{type: dipole, position: [0.1, 0.1, 0.1], direction: [0, 0, 1], waveform: pulse, amplitude: 3}]
"""
        results = guide.run(self, fetd.march(parts, dt=25e-12, end="end: 6 ns", wave="{type: modulated-gaussian, frequency: 1 GHz, bandwidth: 1 GHz}",
                                             outputs="far_field: {frequencies: [1 GHz], theta: [30, 90, 150], phi: [0, 40, 90]}"))
        sine = np.array([[0.5], [1], [0.5]])
        wanted = 3 * fd.ETA0 * (2e9 * np.pi / C0) / (4 * np.pi) * sine
        self.near("|r E_theta|", [(np.abs(results["far_field/1000000000/E_theta"]) / wanted, 1)], 0.05)
        self.near("r E_phi", [(results["far_field/1000000000/E_phi"] / wanted.max(), 0)], 0.05)
        self.near("directivity in dB", [(results["far_field/1000000000/directivity"], 10 * np.log10(1.5 * sine**2))], 0.3)


if __name__ == "__main__":
    unittest.main()
