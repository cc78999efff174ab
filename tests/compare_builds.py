#!/usr/bin/env python3
"""Runs some eighty small cases with two builds of Tetrawave and compares every number of their results, bit by bit.

    tests/compare_builds.py OLD/bin/tetrawave NEW/bin/tetrawave [--only TEXT] [--ranks]

For changes that must not change an answer. Prints a line for each case that differs, with the data set and the largest
difference over the largest value, and exits with 1; data sets that one build alone writes are named, and no difference.
Times, versions and memory are left out. Time steps are given, so that one that is found otherwise is no difference. --ranks: also a case of each scheme with the new build on 2 and 3 ranks,
compared with its run on one.
"""

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "bad_input"))
import meshes  # noqa: E402

SCHEMES = ("dgtd-central", "dgtd-upwind", "dfdd-eld")
SPACES = ("mixed-1", "full-1", "mixed-2", "full-2", "mixed-3", "full-3")
LEFT_OUT = ("performance", "seconds", "pairs_per_second")

CAVITY = """\
mesh: {box: {size: [10 mm, 12 mm, 14 mm], cells: [3, 4, 4], jitter: 0.3}}
materials: {stuff: {MATERIAL}}
regions: {box: stuff}
boundaries: {BOUNDARIES}
sources: [{type: dipole, position: [4.2 mm, 5 mm, 6.1 mm], direction: [1, 2, 3], waveform: pulse}]
waveforms: {pulse: {type: modulated-gaussian, frequency: 15 GHz, bandwidth: 20 GHz}}
method: {time_step: 0.04 ps, METHOD}
time: {steps: 60}
outputs:
  probes: [{name: p, point: [7 mm, 4 mm, 9 mm]}]
  energy: {every: 7}
  fields: {every: 30}
run: {threads: 2, checkpoint: {keep: 1}}
"""

GUIDE = """\
mesh: {box: {size: [20 mm, 10 mm, 30 mm], cells: [6, 3, 8], jitter: 0.2}}
materials: {stuff: {MATERIAL}}
regions: {box: stuff}
boundaries: {default: pec}
ports:
  - {name: a, boundary: z0, type: rectangular-waveguide, OTHER excite: {EXCITE}}
  - {name: b, boundary: z1, type: rectangular-waveguide}
EXTRA
outputs: {s_parameters: {start: 8 GHz, stop: 12 GHz, points: 5}}
run: {threads: 2}
"""

COAX = """\
mesh: {file: line.h5}
materials: {air: {}, foam: {eps_r: 2}}
regions: {air: air, ring: foam}
boundaries: {pec: [inner, outer]}
ports:
  - {name: a, boundary: end0, type: TYPE, excite: {waveform: pulse}}
  - {name: b, boundary: end1, type: TYPE}
waveforms: {pulse: {type: gaussian, width: 4 ps}}
method: {time_step: 0.03 ps, METHOD}
time: {steps: 120}
outputs: {s_parameters: {start: 2 GHz, stop: 12 GHz, points: 5}}
run: {threads: 2}
"""

SHELLS = """\
mode: fe-iiee
mesh: {file: shells.h5}
materials: {air: {}}
regions: {air: air}
boundaries: {pec: [hole]}
frequency: {values: [300 MHz]}
iiee: {outer: outer, inner: [inner, plate], tolerance: 1e-3}
plane_waves: [{theta: 90, phi: 0, polarization: theta}]
method: {basis: BASIS}
outputs: {far_field: {frequencies: [300 MHz], theta: [0, 45, 90], phi: [0, 90]}}
run: {threads: 2}
"""

SCATTERER = """\
mesh: {file: halves.h5}
materials: {air: {}}
regions: {air: air, half: air}
boundaries: {pec: [hole], absorbing: [outer]}
sources: [{type: plane-wave, direction: [0, 0, 1], polarization: [1, 0, 0], waveform: pulse, region: half}]
waveforms: {pulse: {type: modulated-gaussian, frequency: 400 MHz, bandwidth: 500 MHz}}
method: {time_step: 2 ps, METHOD}
time: {steps: 60}
outputs: {probes: [{name: p, point: [100 mm, 20 mm, 30 mm]}], FAR energy: {every: 5}}
run: {threads: 2}
"""

ARRAY = """\
array: {unit_cells: cells.h5, size: [3, 2]}
materials: {air: {}}
regions: {air: air}
boundaries: {pec: [floor], absorbing: [outside]}
ports: [{name: p, boundary: port, type: lumped, resistance: 50 ohm, direction: [1, 0, 0], excite: {waveform: pulse}}]
waveforms: {pulse: {type: modulated-gaussian, frequency: 50 MHz, bandwidth: 60 MHz}}
method: {time_step: 40 ps, METHOD}
time: {steps: 50}
outputs: {probes: [{name: p, point: [1.4, 1.6, 0.5]}]}
run: {threads: 2}
"""

STATICS = """\
mode: assembly-2d
mesh: {rectangle: {size: [20 mm, 10 mm], cells: [16, 9], jitter: 0.3}}
materials: {stuff: {eps_r: 3}}
regions: {rectangle: stuff}
assembly_2d: {equation: electrostatic, algorithm: ALGORITHM, order: ORDER, potentials: {x0: 1, x1: 0}}
run: {threads: 1}
"""

MEDIA = {
    "loss": "eps_r: 2.5, sigma: 0.4 S/m, sigma_m: 300 ohm/m",
    "axes": "eps_r: [2, 3, 4], mu_r: [1, 1.5, 1]",
    "debye": "eps_r: 2, electric_dispersion: [{model: debye, delta: 1.5, tau: 8 ps}]",
    "lorentz": "eps_r: 2, electric_dispersion: [{model: lorentz, delta: 1, frequency: 14 GHz, damping: 2e9 rad/s}]",
    "drude": "electric_dispersion: [{model: drude, plasma_frequency: 6 GHz, collision: 3e9 rad/s}]",
    "magnetic": "magnetic_dispersion: [{model: lorentz, delta: 0.5, frequency: 12 GHz, damping: 4e9 rad/s}]",
    "axes of debye": "eps_r: [2, 3, 4], electric_dispersion: [{model: debye, delta: 1.5, tau: 8 ps}]",
}
WALLS = {
    "absorbing": "absorbing: [z0, z1], default: pec",
    "impedance": "impedance: {x0: 100 ohm}, default: pec",
    "magnetic walls": "pmc: [y0, y1], default: pec",
    "conductor": "conductor: {y1: 1e5 S/m}, default: pec",
    "layers": "pml: {faces: [z1, x1], thickness: 4 mm, cells: 3}, default: pec",
    "periodic": "periodic: [[x0, x1]], default: pec",
}


def filled(text, **words):
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def cavity(method, material="", walls="default: pec"):
    text = filled(CAVITY, METHOD=method, MATERIAL=material, BOUNDARIES=walls)
    return text.replace("jitter: 0.3", "jitter: 0") if "periodic" in walls or "pml" in walls else text


GIVEN = 'initial_fields: {E: ["0", "sin(pi*x/0.01)*cos(2*z/0.014)", "0"], H: ["0", "0", "cos(y/0.004)"]}\n'


def with_given_fields(method, material="", walls="default: pec"):
    """The cavity with fields at t = 0 in the place of its source."""
    lines = cavity(method, material, walls).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("sources", "waveforms"))) + GIVEN


def guide(extra, excite="waveform: pulse", other="", material=""):
    return filled(GUIDE, EXTRA=extra, EXCITE=excite, OTHER=other, MATERIAL=material)


def time_domain_cases():
    for scheme, space in itertools.product(SCHEMES, SPACES):
        yield f"{scheme} {space}", cavity(f"scheme: {scheme}, basis: {space}")
    for scheme in SCHEMES:
        method = f"scheme: {scheme}, basis: full-1"
        driven = with_given_fields if scheme == "dfdd-eld" else cavity  # in which currents flow in plain media alone
        for name, medium in MEDIA.items():
            yield f"{scheme} {name}", driven(method, medium)
        for name, walls in WALLS.items():
            yield f"{scheme} {name}", cavity(method, walls=walls)
        for name, more in (("single", "precision: single"), ("stored", "layout: stored"), ("weak", "pec: weak"),
                           ("classes", "local_time_stepping: {max_classes: 3}")):
            yield f"{scheme} {name}", driven(f"{method}, {more}").replace("jitter: 0.3", "jitter: 0.5" if name == "classes" else "jitter: 0.3")
        yield f"{scheme} classes debye", driven(f"{method}, local_time_stepping: {{max_classes: 3}}", MEDIA["debye"]).replace("jitter: 0.3", "jitter: 0.5")
        yield f"{scheme} given fields", with_given_fields(method)
        yield f"{scheme} published", driven(f"{method}, dispersion: published", MEDIA["debye"])
        pulse = "waveforms: {pulse: {type: modulated-gaussian, frequency: 10 GHz, bandwidth: 5 GHz}}\n"
        march = f"{pulse}method: {{scheme: {scheme}, basis: mixed-1, time_step: 0.5 ps}}\ntime: {{steps: 150}}"
        yield f"{scheme} waveguide ports", guide(march)
        yield f"{scheme} waveguide ports that absorb", guide(march, other="other_modes: absorb,")
        for kind in ("coaxial", "tem, signal: inner"):
            yield f"{scheme} {kind}", filled(COAX, TYPE=kind, METHOD=method)
        yield f"{scheme} plane wave", filled(SCATTERER, METHOD=f"scheme: {scheme}, basis: mixed-2", FAR="far_field: {frequencies: [400 MHz], theta: [0, 90], phi: [0]},")
        yield f"{scheme} array", filled(ARRAY, METHOD=f"scheme: {scheme}, basis: full-1")
    for residual in ("endpoint", "averaged"):
        yield f"kerr {residual}", with_given_fields(f"kerr: {{residual: {residual}}}", "eps_r: 2, kerr: {chi3: 1e-9}")
    yield "kerr fixed point", with_given_fields("basis: full-2, kerr: {iteration: fixed-point}", "eps_r: 2, kerr: {chi3: 1e-9}")


def other_cases():
    implicit = "mode: fetd\nmethod: {{basis: {0}, cfl: 3}}\ntime: {{steps: 60}}\nwaveforms: {{pulse: {{type: modulated-gaussian, frequency: 10 GHz, bandwidth: 5 GHz}}}}\n"
    for space in ("mixed-1", "full-1", "mixed-2"):
        yield f"fetd {space}", guide(implicit.format(space))
    yield "fetd direct", guide(implicit.format("mixed-1") + "solver: {method: direct}\n")
    for space in ("mixed-1", "mixed-2", "full-2"):
        yield f"frequency-domain {space}", guide(f"mode: frequency-domain\nmethod: {{basis: {space}}}\nfrequency: {{values: [8 GHz, 11 GHz]}}\n", "amplitude: 1")
    for solver in ("preconditioner: ilu", "preconditioner: ssor-ai", "matrix_format: jad, assembly: by-row"):
        extra = f"mode: frequency-domain\nmethod: {{basis: mixed-1}}\nfrequency: {{values: [10 GHz]}}\nsolver: {{method: bicgstab, {solver}}}\n"
        yield f"frequency-domain {solver}", guide(extra, "amplitude: 1")
    yield "frequency-domain losses", guide("mode: frequency-domain\nmethod: {basis: mixed-1}\nfrequency: {values: [10 GHz]}\n", "amplitude: 1", material="eps_r: 1")
    for space in ("mixed-1", "mixed-2"):
        yield f"fe-iiee {space}", filled(SHELLS, BASIS=space)
    for algorithm, order in itertools.product(("serial", "a-fem", "ebe-v1", "ebe-v2"), "12"):
        yield f"assembly-2d {algorithm} order {order}", filled(STATICS, ALGORITHM=algorithm, ORDER=order)


def write_meshes(folder):
    halves = meshes.shells()
    halves["face_group"][halves["face_group"] == 3] = 1
    inside = (abs(halves["nodes"][halves["tetrahedra"]]) < 0.091).all(axis=(1, 2))
    halves["region"][inside] = 1
    halves["region_names"] = np.array(["air", "half"], "S")
    for name, data in (("line", meshes.line()), ("shells", meshes.shells()), ("cells", meshes.cells()), ("halves", halves)):
        meshes.write(folder / f"{name}.h5", data)


def run(program, folder, name, text, ranks=1, arguments=()):
    """The output folder, or the program's words."""
    place = folder / ("case " + name.replace("/", "-").replace(",", "").replace(":", ""))
    case, out = place.with_suffix(".yaml"), place.with_suffix(".out")
    regions = {"line.h5": "air", "shells.h5": "air"}
    if any(mesh in text for mesh in regions):
        text = text.replace(", ring: foam}", "}").replace(", foam: {eps_r: 2}", "")
    case.write_text(text)
    command = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
    command += [program, "run", case, "-o", out, "--backend", "cpu", "--quiet", "--allow-oversubscribe", *arguments]
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    return out if done.returncode == 0 else f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"


def numbers(out):
    """Data sets of results.h5 and of field files by path, but times."""
    found = {}
    for file in [out / "results.h5", *sorted(out.glob("fields/*.vtkhdf"))]:
        with h5py.File(file) as data:
            data.visititems(lambda path, item, file=file: found.__setitem__(f"{file.name}/{path}", item[()])
                            if isinstance(item, h5py.Dataset) and item.dtype.kind not in "SO" else None)
    return {path: np.asarray(value) for path, value in found.items() if not any(word in path for word in LEFT_OUT)}


def flat(value):
    if value.dtype.names:
        return np.concatenate([flat(value[name]) for name in value.dtype.names])
    if np.iscomplexobj(value):
        return np.concatenate([flat(value.real), flat(value.imag)])
    return np.ravel(value).astype(float)


def differences(old, new):
    """Lines on what differs between two output folders (or words), and the number of values compared."""
    if isinstance(old, str) or isinstance(new, str):
        words = [one if isinstance(one, str) else "runs" for one in (old, new)]
        return ([] if words[0] == words[1] else [" | ".join(words)]), 0
    first, second, lines, count = numbers(old), numbers(new), [], 0
    for path in sorted(first.keys() & second.keys()):
        a, b = flat(first[path]), flat(second[path])
        count += a.size
        if a.shape != b.shape:
            lines.append(f"{path}: {a.size} and {b.size} values")
        elif a.tobytes() != b.tobytes():
            scale = np.nanmax(np.abs(a), initial=0) or 1
            lines.append(f"{path}: {np.nanmax(np.abs(a - b)) / scale:.1e}")
    return lines, count


def say(name, lines, count, refused):
    if lines:
        print(f"{name}: differs\n  " + "\n  ".join(lines[:6]), flush=True)
    else:
        print(f"{name}: {'refused alike' if refused else f'{count} values equal'}", flush=True)
    return bool(lines)


def compare_on_ranks(program, folder):
    differs = 0
    for scheme in SCHEMES:
        text = with_given_fields(f"scheme: {scheme}, basis: full-1", MEDIA["debye"]).replace("threads: 2", "threads: 1")
        one = run(program, folder, f"{scheme} one rank", text)
        for ranks in (2, 3):
            differs += say(f"{scheme} on {ranks} ranks", *differences(one, run(program, folder, f"{scheme} {ranks} ranks", text, ranks)), False)
    return differs


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--ranks", action="store_true")
    given = parser.parse_args()
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                      OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_orte_set_default_slots="1")
    cases = [(name, text) for name, text in itertools.chain(time_domain_cases(), other_cases()) if given.only in name]
    differs = refused = 0
    with tempfile.TemporaryDirectory() as temporary:
        folders = [Path(temporary) / side for side in ("old", "new")]
        for folder in folders:
            folder.mkdir()
            write_meshes(folder)
        for name, text in cases:
            results = [run(program.resolve(), folder, name, text) for program, folder in zip((given.old, given.new), folders)]
            results = [one.replace(str(folder), "") if isinstance(one, str) else one for one, folder in zip(results, folders)]
            refused += isinstance(results[0], str)
            if isinstance(results[0], str):
                print(results[0])
            differs += say(name, *differences(*results), isinstance(results[0], str))
        if given.ranks:
            differs += compare_on_ranks(given.new.resolve(), folders[1])
    print(f"{len(cases)} cases, {refused} refused, {differs} differ")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
