"""Cases of large_cases.py in modes frequency-domain and fetd: the problems and tables of chapter 3 of the dissertation.

Meshes have about as many unknowns of mixed-1 (in two dimensions nodes) as the tables. An iteration that does not converge is a figure,
too: its message stands where its seconds would.
"""

import threading

from large_meshes import CASES
from large_runs import RunFailed

NOT_CONVERGED, OUT_OF_TIME = 76, 0  # codes of RunFailed
FREQUENCIES = {"0.3": "300 MHz", "0.5": "500 MHz", "0.8": "800 MHz", "1": "1 GHz"}
OPEN = ["regions={inside: air, outside: air}", "boundaries={impedance: {resistor: 47 ohm}, pec: [wall], absorbing: [open], default: pec}"]
UPPER_BAND = ["waveforms.pulse={type: modulated-gaussian, frequency: 1.65 GHz, bandwidth: 1.4 GHz}",
              "outputs.s_parameters={start: 1.2 GHz, stop: 2.1 GHz, points: 181}"]
# Mesh: case, settings of problems 1 and 2 (tables 3.3 to 3.6).
ENCLOSURES = {"emc_slot": ("emc_slot/fetd.yaml", []), "emc_slot_open": ("emc_slot/fetd.yaml", OPEN),
              "emc_apertures": ("emc_apertures/fetd.yaml", []), "emc_apertures_high": ("emc_apertures/fetd.yaml", UPPER_BAND)}
# Mesh: case, space of the frequency domain and implicit steps and of DGTD-Central, settings of a sweep where they differ from those of the marches,
# those of the marches.
POWER = {"emc_slot": ("emc_slot", "mixed-1", "full-1", [], []), "emc_slot_open": ("emc_slot", "mixed-1", "full-1", [], OPEN),
         "emc_apertures": ("emc_apertures", "mixed-1", "full-1", [], []),
         "emc_apertures_upper": ("emc_apertures", "mixed-2", "full-2", ["frequency={start: 1.2 GHz, stop: 2.1 GHz, points: 181}"], UPPER_BAND)}
ANTENNAS = {"monopole_75mhz": "monopole_75mhz/case.yaml", "monopole_75mhz_wide": "monopole_75mhz/case.yaml", "vivaldi_antenna": "vivaldi/case.yaml"}


def iteration(preconditioner, tolerance="1e-3", **more):
    keys = {"method": "bicgstab", "preconditioner": preconditioner, "tolerance": tolerance, **more}
    return "solver={" + ", ".join(f"{key}: {value}" for key, value in keys.items()) + "}"


def whole(figures):
    """Those of all runs; `unfinished`, so that the case is run again, where the time did not suffice for one."""
    figures = {name: run for name, run in figures.items() if run}
    return {**figures, "unfinished": True} if any(run.get("late") for run in figures.values()) else figures


def attempt(bench, name, case, mesh, settings, grant, **more):
    """Figures of a run, on a mesh of large_meshes.py where one is named; none of a run that was not asked for (--only)."""
    if not bench.wants(name):
        return {}
    settings = [f"mesh={{file: {bench.mesh(mesh)}}}", *settings] if mesh else settings
    try:
        found = bench.run(name, CASES / case, settings, grant, check=False, **more)
    except RunFailed as error:
        if error.code not in (NOT_CONVERGED, OUT_OF_TIME):
            raise
        return {"error": str(error), "late": error.code == OUT_OF_TIME}
    if "ms_per_step" in found:
        found["seconds_per_step"] = found["ms_per_step"] / 1e3
    if "ms_product" in found:
        found["ms_iteration"] = sum(found[f"ms_{part}"] for part in ("product", "preconditioner", "sums", "exchange", "redistribution"))
    kept = ("dofs", "ranks", "threads", "iterations", "residual", "seconds_assembly", "seconds_preprocess", "seconds_solve", "wall_seconds", "setup_seconds",
            "outer_faces", "inner_faces", "boundary_values", "seconds_iiee", "seconds_sums", "seconds_transfer", "seconds_rest", "solve_seconds",
            "ghosts", "transport", "ms_iteration", "ms_per_step", "seconds_per_step", "steps_done", "mean_solver_iterations", "ms_product", "ms_preconditioner",
            "ms_sums", "ms_exchange", "ms_redistribution")
    return {key: found[key] for key in kept if key in found}


def on_cores(grant, cores):
    """The same grant with so many threads of the host."""
    few = grant.part(0, len(grant.gpus))
    few.threads = min(cores, grant.threads)
    return few


def by_cores(bench, grant, tasks):
    """Results of tasks (cores, function) that run side by side as long as the sum of their cores is there, in their order."""
    free, results, change = [grant.threads], [None] * len(tasks), threading.Condition()

    def do(place):
        cores, task = min(tasks[place][0], grant.threads), tasks[place][1]
        with change:
            change.wait_for(lambda: free[0] >= cores)
            free[0] -= cores
        try:
            results[place] = task()
        finally:
            with change:
                free[0] += cores
                change.notify_all()

    bench.together([lambda place=place: do(place) for place in range(len(tasks))])
    return results


def sphere_tables(bench, grant):
    """Tables 3.1 and 3.2: two formats at three sizes, three preconditioners on a GPU, four on four cores."""
    figures, case = {}, "sphere_scattering/case.yaml"
    for mesh in bench.either(("sphere_1", "sphere_2", "sphere_3"), ("sphere_1",)):
        for matrix_format in ("csr", "jad"):
            name = f"{mesh}, jacobi, {matrix_format}"
            figures[name] = attempt(bench, name, case, mesh, [iteration("jacobi", matrix_format=matrix_format)], grant)
    for preconditioner in ("ssor", "ssor-ai"):
        name = f"sphere_1, {preconditioner}, csr"
        figures[name] = attempt(bench, name, case, "sphere_1", [iteration(preconditioner)], grant)
    for preconditioner in ("jacobi", "ssor", "ssor-ai", "ilut"):
        name = f"sphere_1, {preconditioner}, four cores"
        figures[name] = attempt(bench, name, case, "sphere_1", [iteration(preconditioner)], on_cores(grant, 4), backend="cpu")
    return whole(figures)


def enclosure(bench, grant, mesh, solver, steps, what, **more):
    case, settings = ENCLOSURES[mesh]
    settings = [*settings, "method.basis=mixed-1", solver, f"time={{steps: {bench.either(steps, 4)}}}"]
    return attempt(bench, f"{mesh}, {what}", case, mesh, settings, grant, **more)


def enclosure_tables(bench, grant):
    """Tables 3.3 to 3.6: a step on a GPU, factors and BiCGStab with two preconditioners to the dissertation's 1e-6."""
    figures = {}
    for mesh in bench.either(tuple(ENCLOSURES), ("emc_slot", "emc_slot_open")):
        for what, solver in (("factors", "solver={method: direct}"), ("ilu", iteration("ilu", "1e-6")), ("jacobi", iteration("jacobi", "1e-6"))):
            figures[f"{mesh}, {what}"] = enclosure(bench, grant, mesh, solver, 200, what)
    return whole(figures)


def enclosure_cpu(bench, grant):
    """Tables 3.3 to 3.6 on twelve cores, on four and on one: factors of MUMPS and BiCGStab with Jacobi and ILUT to 1e-6; side by side as far as the
    host has cores."""
    solvers = {"factors": "solver={method: direct}", "jacobi": iteration("jacobi", "1e-6"), "ilut": iteration("ilut", "1e-6")}
    runs = [(mesh, what, cores) for what in solvers for cores in (12, 4, 1) for mesh in bench.either(tuple(ENCLOSURES), ("emc_slot",))]
    found = by_cores(bench, grant, [(cores, lambda mesh=mesh, what=what, cores=cores: enclosure(
        bench, on_cores(grant, cores), mesh, solvers[what], 20, f"{what}, {cores} cores", backend="cpu")) for mesh, what, cores in runs])
    return whole({f"{mesh}, {what}, {cores} cores": figures for (mesh, what, cores), figures in zip(runs, found)})


def plane(bench, grant, mesh, solver, what, **more):
    case, size = mesh.rsplit("_", 1)
    outputs = "outputs={s_parameters: {}}" if case == "horn_2d" else "outputs={probes: [{name: kitchen, point: [8.0, 2.0, 0]}]}"
    settings = [f"frequency={{values: [{FREQUENCIES[size]}]}}", outputs, solver]
    return attempt(bench, f"{mesh}, {what}", f"{case}/case.yaml", mesh, settings, grant, **more)


def plane_tables(bench, grant):
    """Tables 3.7 to 3.9: jacobi and factors on a GPU; the largest flat needs more than the program's 50,000 iterations."""
    meshes = bench.either(("horn_2d_0.3", "horn_2d_0.5", "horn_2d_0.8", "room_2d_0.3", "room_2d_0.5", "room_2d_1"), ("horn_2d_0.3", "room_2d_0.3"))
    return whole({f"{mesh}, {what}": plane(bench, grant, mesh, solver, what) for mesh in meshes
                  for what, solver in (("jacobi", iteration("jacobi", max_iterations=400000)), ("factors", "solver={method: direct}"))})


def plane_cpu(bench, grant):
    """The same on one core and on four, of the largest flat only the time of an iteration: as many as reduce the residual to a third."""
    runs = [("horn_2d_0.8", 1), ("horn_2d_0.8", 4), ("room_2d_1", 4), ("horn_2d_0.5", 1), ("horn_2d_0.5", 4), ("room_2d_0.5", 4), ("room_2d_0.3", 4),
            ("horn_2d_0.3", 4), ("horn_2d_0.3", 1)]
    runs = bench.either(runs, runs[-1:])
    found = by_cores(bench, grant, [(cores, lambda mesh=mesh, cores=cores: plane(
        bench, on_cores(grant, cores), mesh, iteration("jacobi", "0.3" if mesh == "room_2d_1" else "1e-3"), f"jacobi, {cores} cores", backend="cpu"))
        for mesh, cores in runs])
    return whole({f"{mesh}, jacobi, {cores} cores": figures for (mesh, cores), figures in zip(runs, found)})


def antenna_iterations(most):
    return {"jacobi": iteration("jacobi", max_iterations=most), "ssor-ai": iteration("ssor-ai", diagonal_scaling="false", max_iterations=most),
            "ssor-ai, scaled": iteration("ssor-ai", max_iterations=most)}


def antenna_cpu(bench, grant):
    """Table 3.10 and, for table 3.12, an array of 3 x 3 monopoles, each on four cores; side by side as far as the host has cores."""
    tasks = {f"monopole_75mhz_wide, {what}, 4 cores": ("monopole_75mhz/case.yaml", "monopole_75mhz_wide", ["method.basis=mixed-1", solver])
             for what, solver in antenna_iterations(50000).items()}
    array = [f"array.unit_cells={bench.mesh('cells_5.4')}", "outputs={s_parameters: {}}", iteration("ssor-ai")]
    tasks["3 x 3, 4 cores"] = ("monopole_array_fd/case.yaml", None, [*array, *bench.either([], ["array.size=[1, 1]", "array.excitation.amplitude=[1]"])])
    found = by_cores(bench, grant, [(4, lambda name=name, task=task: attempt(bench, name, *task, on_cores(grant, 4), backend="cpu"))
                                    for name, task in tasks.items()])
    return whole(dict(zip(tasks, found)))


def antenna_tables(bench, grant):
    """Tables 3.10 and 3.11: preconditioners of the iteration, ssor-ai with two relaxation factors, and factors; the monopole with edges of 22 mm
    at the rod and with 100 mm, in a larger ball."""
    relaxed = {f"ssor-ai{what}, relaxation 1": iteration("ssor-ai", relaxation=1, max_iterations=200000, **more)
               for what, more in (("", {"diagonal_scaling": "false"}), (", scaled", {}))}
    solvers = {**antenna_iterations(200000), **relaxed, "p-multigrid": iteration("p-multigrid"), "factors": "solver={method: direct}"}
    return whole({f"{mesh}, {what}": attempt(bench, f"{mesh}, {what}", case, mesh, ["method.basis=mixed-1", solver], grant)
                  for mesh, case in ANTENNAS.items() for what, solver in solvers.items()})


def radiation_tables(bench, grant):
    """The paper on FE-IIEE at the largest sizes of its tables 2 and 3, as half an ogive: factors and all boundary values of a wave and of ten."""
    figures = {}
    for mesh in bench.either(("ogive_78640", "ogive_32576"), ("ogive_32576",)):
        for waves in (1, 10):
            name = f"{mesh}, {waves} waves"
            theta = f"plane_waves.0.theta={{start: 0, stop: {90 if waves > 1 else 0}, points: {waves}}}"
            figures[name] = attempt(bench, name, "ogive/monostatic.yaml", mesh, [theta], grant)
    return whole(figures)


def side_by_side(bench, grant, tasks):
    """Results of tasks (functions of a grant) on the GPUs of `grant`, one GPU each, in their order."""
    results = [None] * len(tasks)

    def do(first):
        for place in range(first, len(tasks), len(grant.gpus)):
            results[place] = tasks[place](grant.part(first, 1))

    bench.together([lambda first=first: do(first) for first in range(len(grant.gpus))])
    return results


def cube_relaxation(bench, grant):
    """Figure 3.7: iterations of ssor-ai over its relaxation factor at two frequencies, shared out to all GPUs."""
    factors = bench.either([f"{0.05 * k:.2g}" for k in range(2, 13)], ["0.1", "0.4"])
    names = [(f"cube_{ghz}", factor) for ghz in bench.either(("0.5", "0.3"), ("0.3",)) for factor in factors]
    found = side_by_side(bench, grant, [lambda some, mesh=mesh, factor=factor: attempt(
        bench, f"{mesh}, {factor}", "cube_scattering/case.yaml", mesh,
        [f"frequency={{values: [{FREQUENCIES[mesh[5:]]}]}}", iteration("ssor-ai", relaxation=factor)], some) for mesh, factor in names])
    return whole({f"{mesh}, {factor}": figures for (mesh, factor), figures in zip(names, found)})


def enclosure_power(bench, grant):
    """Problems 1 and 2, on the meshes of tables 3.3 to 3.5 and in the upper band on that of the page: power delivered by the frequency domain,
    by implicit steps and by DGTD-Central, judged by their reference.py."""
    def power(mesh, some):
        folder, basis, basis_explicit, sweep, settings = POWER[mesh]
        march, basis = bench.either([], ["time={steps: 200}"]), f"method.basis={basis}"
        runs = {"frequency domain": ("case", [*(sweep or settings), basis]),
                "implicit steps": ("fetd", [*settings, *march, basis, iteration("jacobi", "1e-6")]), "DGTD-Central": ("time", [*settings, *march, f"method.basis={basis_explicit}"])}
        figures = {what: attempt(bench, f"{mesh}, {what}", f"{folder}/{file}.yaml", mesh, more, some) for what, (file, more) in runs.items()}
        passed = [bench.directory(f"{mesh}, {what}") for what, run in figures.items() if "dofs" in run]
        return whole({**figures, "reference": bench.reference(folder, passed) if passed else None})

    meshes = bench.either(tuple(POWER), ("emc_slot",))
    return dict(zip(meshes, side_by_side(bench, grant, [lambda some, mesh=mesh: power(mesh, some) for mesh in meshes])))


def vivaldi_pattern(bench, grant):
    """Problem 6 on the mesh of table 3.11: S11 and pattern at 3 GHz by the frequency domain in mixed-1 and by DGTD-Central in full-1."""
    short = ["time={steps: 200}"] if bench.small else []
    runs = [(f"vivaldi_antenna, {what}", f"vivaldi/{file}.yaml", more) for what, file, more in
            (("frequency domain", "case", ["method.basis=mixed-1"]), ("DGTD-Central", "time", short))]
    figures = {name: attempt(bench, name, case, "vivaldi_antenna", more, grant) for name, case, more in runs}
    return whole({**figures, "reference": bench.reference("vivaldi", [bench.directory(name) for name, _, _ in runs])})


def coupler_meshes(bench, grant):
    """The finer rows of the coupler's page: three schemes, another space and the frequency domain on its middle mesh, DGTD-Central on the whole one."""
    folder, middle = "branch_line_coupler", "branch_line_coupler_medium"
    march = ["method.basis=full-1", *bench.either([], ["time={steps: 100}"])]
    runs = {"medium_central": ("case", middle, march), "medium_dfdd": ("case", middle, [*march, "method.scheme=dfdd-eld"]),
            "medium_frequency": ("frequency", middle, []), "full": ("case", folder, march),
            "medium_upwind": ("case", middle, [*march, "method.scheme=dgtd-upwind"]), "medium_mixed2": ("case", middle, [*march, "method.basis=mixed-2"])}
    figures = {name: attempt(bench, name, f"{folder}/{file}.yaml", mesh, settings, grant) for name, (file, mesh, settings) in runs.items()}
    for what, names in (("medium", ("medium_central", "medium_dfdd", "medium_upwind", "medium_mixed2", "medium_frequency")), ("full", ("full", "medium_frequency"))):
        passed = [bench.directory(name) for name in names if "dofs" in figures[name]]
        figures[f"{what}, reference"] = bench.reference(folder, [*passed, "--between", "0.1"]) if passed else None
    return whole(figures)


def array_systems(bench, grant):
    """Tables 3.12 to 3.17: arrays of monopoles by SSOR-AI on 1, 2, 4 .. GPUs, and the time of an iteration with the dissertation's collection
    of vectors. Runs on fewer GPUs than the host has go side by side."""
    cells = bench.either({3: "cells_5.4", 5: "cells_5.9", 7: "cells_5.9", 9: "cells_5.9"}, {1: "cells_5.9"})

    def run(size, exchange, some):
        driven = ["0"] * (size * size)
        driven[size * size // 2] = "1"
        settings = [f"array.unit_cells={bench.mesh(cells[size])}", f"array.size=[{size}, {size}]", f"array.excitation.amplitude=[{', '.join(driven)}]",
                    "outputs={s_parameters: {}}", iteration("ssor-ai", "1e-3" if exchange == "halo" else "0.3", ranks="system", exchange=exchange)]
        return attempt(bench, f"{size} x {size}, {len(some.gpus)} GPUs, {exchange}", "monopole_array_fd/case.yaml", None, settings, some, ranks=len(some.gpus))

    figures = {}
    for count in bench.counts(grant):
        jobs = [(size, exchange) for size in sorted(cells, reverse=True) for exchange in (("halo", "gather") if size == 3 and count > 1 else ("halo",))]
        places = range(0, len(grant.gpus) - count + 1, count)

        def some_of(first, count=count, jobs=jobs):
            for size, exchange in jobs[first // count :: len(grant.gpus) // count]:
                figures[f"{size} x {size}, {count} GPUs, {exchange}"] = run(size, exchange, grant.part(first, count))

        bench.together([lambda first=first: some_of(first) for first in places])
    return whole(figures)
