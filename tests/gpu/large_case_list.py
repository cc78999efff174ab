"""The cases of large_cases.py: each is run by a function of what it may use, and returns its figures beside those of its runs.

A function gets `bench` (settings by name, meshes, runs, see Bench in large_cases.py) and `grant`, the GPUs it may use. In its
small form every case is small enough for a core of a CPU.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
from finite_element_list import (antenna_cpu, antenna_tables, array_systems, by_cores, coupler_meshes, cube_relaxation, enclosure_cpu, enclosure_power,
                                 enclosure_tables, on_cores, plane_cpu, plane_tables, radiation_tables, sphere_tables, vivaldi_pattern)
from large_meshes import CASES, unpack, write_box
from large_runs import OUT_OF_MEMORY, RunFailed

SELF_FOCUSING_EDGES = (0.045, 0.036, 0.03)  # of a quarter, mm
TONES, PULSES = (6e-8, 1e-7, 1.4e-7, 1.7e-7, 2e-7, 2.3e-7), (7e-8, 1e-7, 1.4e-7)  # amplitudes of the amplifier, sqrt(W)
SCHEMES = ("dgtd-central", "dgtd-upwind", "dfdd-eld")
BOX = """\
title: {title}
mesh: {{file: {mesh}}}
materials: {{air: {{}}, other: {other}}}
regions: {{air: air, other: other}}
boundaries: {{pec: [floor], default: pec}}
initial_fields: {{E: ["0", "sin(pi*x/{side})*sin(pi*z/{height})", "0"]}}
method: {{basis: full-1}}
time: {{steps: 500}}
"""
FAR_FIELD = """\
title: Far-field sums on all walls of a box
mesh: {{box: {{size: [0.3, 0.3, 0.3], cells: [{n}, {n}, {n}]}}}}
materials: {{air: {{}}}}
regions: {{box: air}}
boundaries: {{default: absorbing}}
waveforms: {{pulse: {{type: modulated-gaussian, frequency: 3 GHz, bandwidth: 4 GHz}}}}
sources: [{{type: dipole, position: [0.151, 0.149, 0.1503], direction: [0, 0, 1], waveform: pulse}}]
method: {{basis: full-1}}
time: {{steps: 2000}}
"""
TEN_FREQUENCIES = ("outputs.far_field={frequencies: [1.2 GHz, 1.6 GHz, 2 GHz, 2.4 GHz, 2.8 GHz, 3.2 GHz, 3.6 GHz, 4 GHz, 4.4 GHz, "
                   "4.8 GHz], theta: [0, 90, 180], phi: [0, 90]}")


def ratio(of, to):
    return of["ms_per_step"] / to["ms_per_step"]


def array_settings(bench, cells, size, steps):
    return [f"array.unit_cells={bench.mesh(cells)}", f"array.size=[{size}, {size}]", f"time={{steps: {steps}}}"]


def returned(directory):
    """Energy that has come back through all ports of an array in parts of what was sent, so far: the same for every revision."""
    with h5py.File(directory / "results.h5") as file:
        sent, back = ((file[f"ports/p/{wave}"][()] ** 2).sum() for wave in ("incident", "reflected"))
    return float(back / sent) if sent > 0 else None


def monopole_80(bench, grant):
    size, steps = bench.either(80, 2), bench.either(500, 200)
    settings = array_settings(bench, "monopole_cells", size, steps)
    case = CASES / "monopole_array/case.yaml"
    central, dfdd = (bench.run(f"monopoles {size} x {size}, {scheme}", case, [*settings, f"method.scheme={scheme}"], grant)
                     for scheme in ("dgtd-central", "dfdd-eld"))
    return {"dfdd_over_central": ratio(dfdd, central),
            "returned": {run["scheme"]: returned(bench.directory(run["name"])) for run in (central, dfdd)}}


def monopole_160(bench, grant):
    size, steps = bench.either(160, 3), bench.either(500, 200)
    settings = array_settings(bench, "monopole_cells", size, steps)
    run = bench.run(f"monopoles {size} x {size}", CASES / "monopole_array/case.yaml", settings, grant)
    return {"returned": returned(bench.directory(run["name"]))}


def monopole_320(bench, grant):
    """On one GPU where the memory that `check` predicts of a quarter of its rods in each direction, times 16, is there: an
    upper bound, as the rim's share falls. Else, or where that ends for want of memory, on all GPUs."""
    size, steps = bench.either(320, 4), bench.either(100, 20)
    case = CASES / "monopole_array/case.yaml"
    quarter = bench.check(case, array_settings(bench, "monopole_cells", size // 4, steps), grant.part(0, 1))
    settings = array_settings(bench, "monopole_cells", size, steps)
    bound = 16 * quarter["device_peak_bytes"]
    figures = {"device_bytes_at_most": bound, "device_bytes_there": bench.device_bytes,
               "host_bytes_at_most": 16 * quarter["host_bytes"]}
    name = f"monopoles {size} x {size}"
    if bound < bench.device_bytes:
        try:
            alone = grant.part(0, 1)
            alone.threads = grant.threads
            bench.run(name + ", one GPU", case, settings, alone)
            return {**figures, "ranks": 1}
        except RunFailed as error:
            if error.code != OUT_OF_MEMORY or len(grant.gpus) == 1:
                raise
            figures["on_one_gpu"] = str(error)
    bench.run(f"{name}, {len(grant.gpus)} GPUs", case, settings, grant, ranks=len(grant.gpus))
    return {**figures, "ranks": len(grant.gpus)}


def vivaldi_40(bench, grant):
    size, steps = bench.either(40, 1), bench.either(500, 50)
    settings = array_settings(bench, "vivaldi_cells", size, steps)
    run = bench.run(f"Vivaldi antennas {size} x {size}", CASES / "vivaldi_array/case.yaml", settings, grant)
    return {"returned": returned(bench.directory(run["name"]))}


def graded_box(bench, grant):
    """A sixth of the layers of a box is ten times thinner than the rest: classes of steps against one step for all."""
    n, nz, thin = bench.either((60, 48, 8), (4, 12, 2))
    steps = np.full(nz, 5e-3)
    steps[(nz - thin) // 2 : (nz - thin) // 2 + thin] /= 10
    z, x = np.concatenate(([0], np.cumsum(steps))), np.arange(n + 1) * 5e-3
    mesh = bench.folder / "graded_box.h5"
    write_box(mesh, x, x, z, ["air", "other"], [k % 2 for k in range(nz)])
    case = bench.case("graded_box", BOX.format(title="A box with thin layers", mesh=mesh, other="{}", side=x[-1], height=z[-1]))
    figures = {}
    for scheme in bench.schemes:
        settings = [f"method.scheme={scheme}", f"time={{end: {bench.either(3, 0.05)} ns}}"]
        one = bench.run(f"graded box, {scheme}, one class", case, settings, grant)
        many = bench.run(f"graded box, {scheme}, classes", case, [*settings, "method.local_time_stepping.max_classes=4"], grant)
        predicted, measured = many.get("predicted_gain", 1), many.get("measured_gain", 1)
        figures[scheme] = {"ideal_gain": many.get("ideal_gain", 1), "predicted_gain": predicted, "measured_gain": measured,
                           "measured_over_predicted": measured / predicted,
                           "whole_march_gain": one["march_seconds"] / many["march_seconds"]}
    return figures


def debye_fifth(bench, grant):
    """A fifth of the layers of a box is a Debye medium, against the same without dispersion."""
    n = bench.either(55, 5)
    at = np.linspace(0, 0.3, n + 1)
    mesh = bench.folder / "debye_box.h5"
    write_box(mesh, at, at, at, ["air", "other"], [int(2 * n <= 5 * k < 3 * n) for k in range(n)])
    medium = "{eps_r: 2, electric_dispersion: [{model: debye, eps_static: 4, tau: 20 ps}]}"
    case = bench.case("debye_box", BOX.format(title="A box with a layer of another medium", mesh=mesh, other="{eps_r: 2}", side=0.3,
                                              height=0.3))
    figures = {"asked_at_most": 1.3}
    for scheme in bench.schemes:
        settings = [f"method.scheme={scheme}", f"time.steps={bench.either(500, 20)}"]
        plain = bench.run(f"box, {scheme}", case, settings, grant)
        debye = bench.run(f"box, {scheme}, Debye medium in a fifth", case, [*settings, f"materials.other={medium}"], grant)
        figures[scheme] = ratio(debye, plain)
    return figures


def far_field(bench, grant):
    case = bench.case("far_field_box", FAR_FIELD.format(n=bench.either(55, 6)))
    settings = [f"time.steps={bench.either(2000, 100)}"]
    plain = bench.run("box with absorbing walls", case, settings, grant)
    sums = bench.run("box with absorbing walls, far-field sums at ten frequencies", case, [*settings, TEN_FREQUENCIES], grant)
    return {"with_sums_over_without": ratio(sums, plain)}


def self_focusing(bench, grant):
    """The whole beam by both iterations and in the linear medium, and a quarter of it on three meshes."""
    settings = [f"mesh={{file: {bench.mesh('self_focusing')}}}"]
    short = ["time.steps=50", "method.time_step=0.05 ps", "outputs.fields.every=25"] if bench.small else []
    case = CASES / "self_focusing/full.yaml"
    media = {"newton": ["method.kerr.iteration=newton"], "fixed-point": ["method.kerr={iteration: fixed-point, max_iterations: 60}"],
             "linear": ["materials.kerr.kerr.chi3=0"]}
    runs = {name: bench.run(f"self-focusing beam, {name}", case, [*settings, *short, *more], grant, check=name == "newton") for name, more in media.items()}
    figures = {"largest_eps_r": runs["newton"]["largest_eps_r"], "published_largest_eps_r": 8.27,
               "mean_iterations": runs["newton"]["mean_nonlinear_iterations"],
               "iterations": {name: [runs[name]["mean_nonlinear_iterations"], runs[name]["most_nonlinear_iterations"]] for name in list(media)[:2]},
               "fixed_over_newton": ratio(runs["fixed-point"], runs["newton"]),
               "beam": bench.beam(*(f"self-focusing beam, {name}" for name in ("newton", "linear"))), "meshes": {}}
    for edge in SELF_FOCUSING_EDGES:
        quarter = [f"mesh={{file: {bench.mesh(f'self_focusing_{edge}')}}}", "ports.0.excite.amplitude=1.19e-4", *short]
        for name in ("newton", "linear"):
            found = bench.run(f"self-focusing quarter, {edge}, {name}", case, [*quarter, *media[name]], grant, check=False)
            figures["meshes"].setdefault(str(edge), {})[name] = {key: found.get(key) for key in ("elements", "ms_per_step", "largest_eps_r")}
        figures["meshes"][str(edge)]["beam"] = bench.beam(*(f"self-focusing quarter, {edge}, {name}" for name in ("newton", "linear")))
    return figures


def kerr_tables(bench, grant):
    """Tables 5.1 to 5.3: both iterations of the line and of the beam on 1, 2, 4 .. GPUs of the host, with communication."""
    figures = {}
    for table, case, mesh in (("coax", "kerr_coax/table.yaml", "kerr_coax_table"), ("beam", "self_focusing/full.yaml", "self_focusing")):
        settings = [f"mesh={{file: {bench.mesh(mesh)}}}"]
        settings += ["time.steps=20", "method.time_step=0.05 ps"] if bench.small else []
        settings += ["outputs.fields={every: 5000, cuts: [{name: side, point: [0, 0.01, 0], normal: [0, 1, 0]}]}"] if table == "beam" else []
        for iteration in ("newton", "fixed-point"):
            for count in bench.counts(grant):
                kerr = f"method.kerr={{iteration: {iteration}, tolerance: 1e-10, max_iterations: 60}}"
                found = bench.run(f"{table}, {iteration}, {count} GPUs", CASES / case, [*settings, kerr], grant.part(0, count), ranks=count, check=False)
                figures.setdefault(table, {})[f"{iteration}, {count}"] = {
                    "ms_per_step": found["ms_per_step"], "ms_communication": 1e3 * found["seconds_communication"] / found["steps_done"],
                    "ms_volume_surface": found["ms_volume_surface"], "ms_nonlinear": found["ms_nonlinear"],
                    "mean_iterations": found["mean_nonlinear_iterations"], "largest_eps_r": found["largest_eps_r"]}
    return figures


def kerr_cpu(bench, grant):
    """The CPU columns of tables 5.1 and 5.2, with --backend cpu: the line on one thread and on 8 ranks of one, the march as far as the time
    suffices; side by side where the host has cores for all."""
    settings = [f"mesh={{file: {bench.mesh('kerr_coax_table')}}}"]
    settings += ["method.time_step=0.05 ps", "time.steps=5"] if bench.small else []
    some = grant.part(0, 1)

    side_by_side = grant.threads >= 18

    def march(iteration, ranks, left):
        few = some.part(0, 1)
        few.threads = ranks
        kerr = f"method.kerr={{iteration: {iteration}, tolerance: 1e-10, max_iterations: 60}}"
        found = bench.run(f"coax, {iteration}, {ranks} threads", CASES / "kerr_coax/table.yaml", [*settings, kerr], few, ranks=ranks, check=False,
                          march_seconds=(grant.seconds_left() - 45) / left)
        return {key: found.get(key) for key in ("ms_per_step", "steps_done", "steps", "mean_nonlinear_iterations")}

    jobs = [(iteration, ranks) for ranks in ((1, 8) if grant.threads >= 8 else (1,)) for iteration in ("newton", "fixed-point")]
    marches = [lambda job=job, left=left: march(*job, 1 if side_by_side else left) for job, left in zip(jobs, range(len(jobs), 0, -1))]
    found = bench.together(marches) if side_by_side else [run() for run in marches]
    return {f"{iteration}, {ranks}": figures for (iteration, ranks), figures in zip(jobs, found)}


def orderings(bench, grant):
    """Tables 4.1 to 4.3: DFDD-ELD with four orders of the elements in memory, on meshes of Gmsh."""
    figures = {}
    for name, basis in (("parallel_plate_line", "mixed-1"), ("patch_array", "mixed-1"), ("fermi_antenna", "full-1")):
        settings = [f"mesh={{file: {bench.mesh(name)}}}", "method.local_time_stepping.max_classes=1", "method.scheme=dfdd-eld", f"method.basis={basis}",
                    f"time={{steps: {bench.either(2000, 20)}}}"]
        runs = {order: bench.run(f"{name}, order {order}", CASES / f"{name}/case.yaml", [*settings, f"run.ordering={order}"], grant, check=False)
                for order in ("none", "curve", "parts", "blocks")}
        figures[name] = {order: {"ms_per_step": run["ms_per_step"], "over_none": ratio(run, runs["none"])} for order, run in runs.items()}
    return figures


def amplifier(bench, grant, kind, case, amplitudes, more):
    """Runs a quarter of the amplifier over amplitudes beside the linear one, and those of `more`, {name: settings}, shared out to all GPUs;
    what its reference.py finds."""
    settings, linear, figures = [f"mesh={{file: {bench.mesh(f'amplifier_{kind}')}}}"], f"amplifier {kind}, linear", {}
    if bench.small:
        probes = "[" + ", ".join(f"{{name: z{k}, point: [0.01, 0.01, {0.1 * k}], fields: [E]}}" for k in range(1, 5)) + "]"
        settings += ["time={end: 0.02 ps}", f"outputs.probes={probes}"]
    changes = {linear: ["materials.nonlinear.kerr.chi3=0"], **{f"amplifier {kind}, {a:g}": [f"ports.0.excite.amplitude={a}"] for a in amplitudes}, **more}
    changes = {name: words for name, words in changes.items() if bench.wants(name)}
    jobs, count = list(changes.items()), len(grant.gpus)

    def march(first):
        for name, words in jobs[first::count]:
            bench.run(name, CASES / f"photonic_amplifier/{case}.yaml", [*settings, *words], grant.part(first, 1), check=False)

    bench.together([lambda first=first: march(first) for first in range(count)])
    for amplitude in amplitudes if not bench.small else ():
        name = f"amplifier {kind}, {amplitude:g}"
        if not {name, linear} <= changes.keys():
            continue
        words = [bench.directory(name), bench.directory(linear), "--json", bench.folder / f"{name}.json", *(["--pulses"] if kind == "pulses" else [])]
        said, file = bench.reference("photonic_amplifier", words), bench.folder / f"{name}.json"
        figures[f"{kind}, {amplitude:g}"] = {**said, **(json.loads(file.read_text(encoding="utf-8")) if file.exists() else {})}
    return figures


def amplifier_tones(bench, grant):
    """Gain of the signal over the amplitude of steady tones in 10 um of wire."""
    return amplifier(bench, grant, "tones", "case", bench.either(TONES, (1e-7,)), {})


def amplifier_spectra(bench, grant):
    """The same of pulses in 40 um of it, and a signal alone."""
    alone = ["waveforms.both.expression=exp(-((t-8e-12)/2e-12)^2/2)*sin(2*pi*196.6e12*t)", "ports.0.excite.amplitude=1e-9"]
    return amplifier(bench, grant, "pulses", "pulses", bench.either(PULSES, (1e-7,)), {"amplifier pulses, signal alone": alone})


def kerr_coax(bench, grant):
    figures, kept = {}, {}
    for name, tolerance in (("case", 0.04), ("wedge", 0.01)):
        mesh = "kerr_coax" + ("" if name == "case" else "_wedge")
        settings = [f"mesh={{file: {bench.mesh(mesh)}}}"]
        if bench.small:
            settings += ["method.basis=mixed-1", "time={end: 0.3 ns}"]
        bench.run(f"kerr_coax {name}", CASES / f"kerr_coax/{name}.yaml", settings, grant, check=False)
        figures[name] = bench.reference("kerr_coax", [bench.directory(f"kerr_coax {name}"), "--tolerance", str(tolerance)])
        difference = re.search(r"differs by ([0-9.]+) %", " ".join(figures[name]["says"]))
        figures[name]["difference_percent"] = float(difference[1]) if difference else None
    for iteration in ("newton", "fixed-point"):
        settings = [f"mesh={{file: {bench.mesh('kerr_coax_table')}}}", f"method.kerr.iteration={iteration}"]
        if bench.small:
            settings += ["time.steps=20", "method.time_step=0.05 ps"]
        kept[iteration] = bench.run(f"kerr_coax table, {iteration}", CASES / "kerr_coax/table.yaml", settings, grant, check=False)
    figures["table_ms_per_step"] = {iteration: run["ms_per_step"] for iteration, run in kept.items()}
    return figures


def amplifier_settings(bench):
    settings = [f"mesh={{file: {bench.mesh('photonic_amplifier')}}}"]
    if bench.small:
        pulse = "exp(-((t-0.2e-12)/0.06e-12)^2/2)*(sin(2*pi*193.4e12*t)+0.01*sin(2*pi*196.6e12*t))"
        settings += ["outputs.probes.1.point=[0.01, 0.01, 0.4]", "method.time_step=0.05 fs", "time.steps=12000",
                     f"waveforms.both.expression={pulse}", "ports.0.excite.amplitude=1e-6"]
    return settings


def photonic_amplifier(bench, grant):
    settings = [*amplifier_settings(bench), f"time.steps={bench.either(500, 50)}"]
    found = bench.run("photonic amplifier, first steps", CASES / "photonic_amplifier/full.yaml", settings, grant)
    return {"largest_eps_r": found["largest_eps_r"]}


def amplifier_pulses(bench, grant):
    """The whole of the pulses as far as the time allows, and the linear wire beside or, with one GPU, after it; taken up where an
    earlier call stopped. Figures over the time that both have reached; they stand when the pulses have passed, from 14 ps on."""
    case, settings = CASES / "photonic_amplifier/full.yaml", amplifier_settings(bench)
    beside = len(grant.gpus) > 1
    jobs = (("photonic amplifier, pulses", settings, grant.part(0, 1), 1 if beside else 0.6),
            ("photonic amplifier, pulses, linear", [*settings, "materials.nonlinear.kerr.chi3=0"],
             grant.part(1 if beside else 0, 1), 1 if beside else 0.4))
    seconds = min(bench.march_seconds, grant.seconds_left() - 30)
    marches = [lambda job=job: bench.run(job[0], case, job[1], job[2], march_seconds=seconds * job[3], check=False) for job in jobs]
    found = bench.together(marches) if beside else [march() for march in marches]
    reached = [run["steps_done"] * run["time_step"] for run in found]
    figures = {"reached_ps": [1e12 * time for time in reached], "whole_ps": 1e12 * found[0]["steps"] * found[0]["time_step"],
               "unfinished": any(run["steps_done"] < run["steps"] for run in found)}
    figures["reference"] = bench.reference("photonic_amplifier", [*(bench.directory(job[0]) for job in jobs), "--pulses"])
    for name, gain in re.findall(r"(idler|pump|signal) *: peak at [0-9.]+ THz, (-?[0-9.]+) dB", " ".join(figures["reference"]["says"])):
        figures[f"{name}_gain_db"] = float(gain)
    return figures


def network(bench, grant, name, schemes, *, basis=None, published_elements):
    """A network of the dissertation's chapter 4, its whole march in schemes with one step for all elements, judged by its reference.py."""
    settings = [f"mesh={{file: {bench.mesh(name)}}}", "method.local_time_stepping.max_classes=1"] + ([f"method.basis={basis}"] if basis else [])
    if bench.small:
        settings += ["time={steps: 100}"]
    suffix = f", {basis}" if basis else ""
    runs = [bench.run(f"{name}, {scheme}{suffix}", CASES / f"{name}/case.yaml", [*settings, f"method.scheme={scheme}"], grant, check=False)
            for scheme in schemes]
    return {"elements_over_published": runs[0]["elements"] / published_elements, "ms_per_step": {run["scheme"]: run["ms_per_step"] for run in runs},
            "reference": bench.reference(name, [bench.directory(run["name"]) for run in runs])}


def parallel_plate_line(bench, grant):
    return network(bench, grant, "parallel_plate_line", SCHEMES, published_elements=41385)


def pcb_vias(bench, grant):
    return network(bench, grant, "pcb_vias", SCHEMES, published_elements=119724)


def branch_line_coupler(bench, grant):
    return network(bench, grant, "branch_line_coupler", SCHEMES, published_elements=447742)


def fermi_antenna(bench, grant):
    return network(bench, grant, "fermi_antenna", ("dgtd-central", "dfdd-eld"), published_elements=1072013)


def fermi_full_2(bench, grant):
    return network(bench, grant, "fermi_antenna", ("dgtd-central",), basis="full-2", published_elements=1072013)


def patch_array(bench, grant):
    """Both spaces of the tables, DGTD-Upwind too in full-1, and one step against classes of steps without dispersion, as in figure 4.13."""
    figures = {basis: network(bench, grant, "patch_array", schemes, basis=basis, published_elements=136863)
               for basis, schemes in (("mixed-1", ("dgtd-central", "dfdd-eld")), ("full-1", ("dgtd-central", "dfdd-eld", "dgtd-upwind")))}
    case = CASES / "patch_array/case.yaml"
    settings = [f"mesh={{file: {bench.mesh('patch_array')}}}", "materials.ferrite={eps_r: 2.67}", "method.scheme=dfdd-eld",
                f"time={{end: {bench.either(9, 0.05)} ns}}"]
    one = bench.run("patch array, one class", case, [*settings, "method.local_time_stepping.max_classes=1"], grant, check=False)
    many = bench.run("patch array, classes", case, [*settings, "method.local_time_stepping.max_classes=3"], grant, check=False)
    figures["classes"] = {"seconds_one": one["march_seconds"], "seconds_classes": many["march_seconds"], "published_seconds": [1118, 846],
                          "whole_march_gain": one["march_seconds"] / many["march_seconds"], "published_gain": 1118 / 846,
                          "elements_of_classes": many.get("elements_of_classes"), "ideal_gain": many.get("ideal_gain", 1)}
    return figures


# Tables 4.4 to 4.7, 4.10 and 4.11: mesh, space, and what makes one march of two ports.
TOGETHER = "outputs.s_parameters.drive=together"
STEPS_OF_NETWORKS = (("parallel_plate_line", "mixed-1", (TOGETHER, "ports.1={name: p2, boundary: port2_face, type: coaxial}")),
                     ("patch_array", "mixed-1", ()), ("patch_array", "full-1", ()), ("fermi_antenna", "full-1", ()),
                     ("pcb_vias", "mixed-2", (TOGETHER, "ports.1={name: bottom, boundary: port2_face, type: coaxial}")),
                     ("branch_line_coupler", "mixed-1", ()))


def figures_of_step(run):
    return {"ms_per_step": run["ms_per_step"], "ms_communication": 1e3 * run["seconds_communication"] / run["steps_done"], "transport": run["transport"]}


def network_settings(bench, name, basis, more, scheme, steps):
    return [f"mesh={{file: {bench.mesh(name)}}}", f"method={{scheme: {scheme}, basis: {basis}}}", "method.local_time_stepping.max_classes=1",
            f"time={{steps: {steps}}}", *more]


def network_ranks(bench, grant):
    """A step of the networks of chapter 4 on 1, 2, 4 .. GPUs of the host, one step for all elements."""
    figures = {}
    for name, basis, more in (network for network in STEPS_OF_NETWORKS if bench.wants(network[0])):
        for scheme in bench.schemes:
            for count in bench.counts(grant):
                settings = network_settings(bench, name, basis, more, scheme, bench.either(1000, 20))
                run = bench.run(f"{name}, {basis}, {scheme}, {count} GPUs", CASES / f"{name}/case.yaml", settings, grant.part(0, count), ranks=count,
                                check=False)
                figures.setdefault(f"{name}, {basis}, {scheme}", {})[str(count)] = figures_of_step(run)
    return figures


def network_threads(bench, grant):
    """The same on 1, 2, 4, 8 and 16 cores of the host, side by side as far as there are cores: by DFDD-ELD as in tables 4.4 to 4.7, and by
    all schemes as in tables 4.10 and 4.11."""
    steps = [(f"{name}, {basis}, {scheme}", CASES / f"{name}/case.yaml", network_settings(bench, name, basis, more, scheme, bench.either(30, 10)))
             for name, basis, more in STEPS_OF_NETWORKS if bench.wants(name)
             for scheme in (bench.schemes if name in ("pcb_vias", "branch_line_coupler") else ("dfdd-eld",))]
    jobs = [(threads, *step) for step in steps for threads in (16, 8, 4, 2, 1) if threads <= grant.threads]
    found = by_cores(bench, grant, [(threads, lambda threads=threads, what=what, case=case, settings=settings: bench.run(
        f"{what}, {threads} threads", case, settings, on_cores(grant, threads), check=False, backend="cpu")) for threads, what, case, settings in jobs])
    figures = {}
    for (threads, what, _, _), run in zip(jobs, found):
        figures.setdefault(what, {})[str(threads)] = {"ms_per_step": run["ms_per_step"]}
    return figures


def array_ranks(bench, grant):
    """A step of the arrays of tables 4.8 and 4.9 on all GPUs of the host, then on one, the smallest first; those above 80 x 80 only by name."""
    figures, sizes = {}, bench.either((10, 20, 40, 80, *((160, 320) if bench.only else ())), (1, 2))
    for count in sorted(bench.ranks or {1, len(grant.gpus)}, reverse=True):
        for name, cells, scheme in (("monopole_array", "monopole_cells", "dfdd-eld"), ("vivaldi_array", "vivaldi_cells", "dfdd-eld")):
            for size in sizes:
                if (count == 1 and size >= 80 and name == "vivaldi_array") or not bench.wants(f"{name}, {size}"):
                    continue
                settings = [*array_settings(bench, cells, size, bench.either(200, 20)), f"method.scheme={scheme}"]
                run = bench.run(f"{name}, {size} x {size}, {scheme}, {count} GPUs", CASES / f"{name}/case.yaml", settings, grant.part(0, count), ranks=count,
                                check=False)
                figures.setdefault(f"{name}, {size}", {})[str(count)] = figures_of_step(run)
    return figures


class Case:
    """`gpus` wanted: a number, or None for the whole host, where nothing runs beside; its limit in seconds."""

    def __init__(self, function, gpus, seconds):
        self.name, self.function, self.gpus, self.seconds = function.__name__, function, gpus, seconds


# The longest first, as they run side by side; what takes the whole host comes last.
LARGE_CASES = [Case(monopole_160, 1, 480), Case(vivaldi_40, 1, 360), Case(kerr_coax, 1, 300), Case(monopole_80, 1, 300),
               Case(graded_box, 1, 240), Case(debye_fifth, 1, 240), Case(far_field, 1, 120), Case(photonic_amplifier, 1, 180),
               Case(fermi_antenna, 1, 360), Case(fermi_full_2, 1, 360), Case(branch_line_coupler, 1, 180), Case(patch_array, 1, 180), Case(pcb_vias, 1, 180),
               Case(parallel_plate_line, 1, 60), Case(coupler_meshes, 1, 240), Case(enclosure_cpu, 1, 1500), Case(plane_cpu, 1, 1500),
               Case(antenna_cpu, 1, 600), Case(antenna_tables, 1, 400),
               Case(enclosure_tables, 1, 300), Case(plane_tables, 1, 300), Case(vivaldi_pattern, 1, 180), Case(radiation_tables, 1, 240),
               Case(sphere_tables, 1, 200), Case(self_focusing, 1, 300), Case(orderings, 1, 120), Case(enclosure_power, 4, 400), Case(cube_relaxation, 4, 300),
               Case(amplifier_tones, 4, 300), Case(amplifier_spectra, 4, 900), Case(amplifier_pulses, 2, 3600),
               Case(network_threads, 1, 300), Case(kerr_cpu, None, 1500), Case(kerr_tables, None, 240), Case(network_ranks, None, 400),
               Case(array_ranks, None, 400), Case(array_systems, None, 600), Case(monopole_320, None, 1500)]


class Tools:
    """What cases use beside runs: their form, large or small, meshes, case files, reference scripts."""

    def __init__(self, options):
        self.small, self.march_seconds, self.packed = options.small, options.march_seconds, options.meshes
        self.schemes, self.only, self.ranks = options.schemes or SCHEMES, options.only, options.ranks
        self.folder = options.output.resolve()

    def either(self, large, small):
        return small if self.small else large

    def wants(self, name):
        """Whether a run of chapter 3, a network or an array is asked for."""
        return not self.only or name in self.only

    def counts(self, grant):
        """Numbers of GPUs that a case over ranks takes."""
        return [count for count in self.ranks or (1, 2, 4, 8) if count <= len(grant.gpus)]

    def mesh(self, name):
        return unpack(name, self.packed.resolve(), self.folder / "meshes")

    def case(self, name, text):
        path = self.folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def directory(self, name):
        return self.folder / "runs" / name

    def beam(self, kerr, linear):
        """Widths and peaks of cases/self_focusing/beam.py."""
        file = self.folder / "beam.json"
        subprocess.run([sys.executable, CASES / "self_focusing/beam.py", self.directory(kerr), self.directory(linear), "--json", file],
                       stdout=subprocess.DEVNULL, timeout=300, check=False)
        return json.loads(file.read_text(encoding="utf-8"))

    @staticmethod
    def reference(case, words):
        """What the reference.py of a case says, and whether it is content."""
        script = Path(CASES / case / "reference.py")
        ended = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, timeout=300, check=False)
        says = ended.stdout.splitlines() + ended.stderr.splitlines()[-1:]
        return {"content": ended.returncode == 0, "says": says}
