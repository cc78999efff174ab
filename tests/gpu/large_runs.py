"""Runs of the program for large_cases.py: on which GPUs, for how long, and the figures that each leaves."""

import json
import math
import os
import signal
import subprocess
import threading
import time

import h5py

CHECKPOINTED = 75
OUT_OF_MEMORY = 71


class RunFailed(RuntimeError):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def plain(value):
    """An attribute of HDF5 as JSON has it."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, bytes):
        return value.decode()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def visible(gpus):
    """CUDA_VISIBLE_DEVICES for GPUs by number, counted among those that are visible here."""
    names = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name]
    return ",".join(names[gpu] if names else str(gpu) for gpu in gpus)


class Grant:
    """What a case may use: GPUs by number (on a CPU backend shares of its cores) and threads of the host."""

    def __init__(self, gpus, threads, deadline):
        self.gpus, self.threads, self.deadline = gpus, threads, deadline

    def part(self, first, count):
        """`count` of the GPUs from the first on, with their share of the threads."""
        gpus = self.gpus[first : first + count]
        return Grant(gpus, max(1, self.threads * len(gpus) // len(self.gpus)), self.deadline)

    def seconds_left(self):
        return self.deadline - time.monotonic()


class Runner:
    """Starts the program below a folder, a folder a run."""

    def __init__(self, options):
        self.program, self.folder, self.backend = str(options.program.resolve()), options.output.resolve(), options.backend
        self.checks, self.again = not options.no_check, options.again
        self.children, self.lock, self.ended = set(), threading.Lock(), False

    def info(self):
        return subprocess.run([self.program, "info"], check=True, capture_output=True, text=True).stdout.splitlines()

    def launch(self, words, grant, ranks):
        launcher = [os.environ.get("TETRAWAVE_MPIEXEC", "mpirun"), "--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
                    "-n", str(ranks)]
        environment = dict(os.environ, CUDA_VISIBLE_DEVICES=visible(grant.gpus))
        command = (launcher if ranks > 1 else []) + [self.program, *words]
        with self.lock:
            if self.ended:
                raise RunFailed(0, "not begun: the whole is at its end")
            child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                     start_new_session=True)
            self.children.add(child)
        return child

    def execute(self, words, grant, ranks, accepted=(0,)):
        """Exit code and output; RunFailed with the end of what the program says, or when the grant's time is over."""
        seconds = grant.seconds_left()
        if seconds < 1:
            raise RunFailed(0, "not begun: no time is left")
        child = self.launch(words, grant, ranks)
        try:
            output, errors = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            stop(child)
            raise RunFailed(0, f"ended at its time limit, after {seconds:.0f} s") from None
        except (OSError, ValueError):  # end() has read its pipes
            raise RunFailed(0, "ended before it was done, with the whole") from None
        finally:
            with self.lock:
                self.children.discard(child)
        if child.returncode not in accepted:
            raise RunFailed(child.returncode, f"exit code {child.returncode}: " + " ".join((errors or output).split())[-600:])
        return child.returncode, output

    def end(self):
        """Ends what runs; nothing is begun any more."""
        with self.lock:
            self.ended = True
            running = list(self.children)
        for child in running:
            stop(child)

    def words(self, case, settings, grant, ranks, backend=None):
        threads = max(1, grant.threads // ranks)
        settings = [*settings, f"run.threads={threads}"]
        return [str(case), "--backend", backend or self.backend, *(word for text in settings for word in ("--set", text))]

    def check(self, case, settings, grant, ranks=1):
        """What `check` predicts: elements, steps, bytes per rank."""
        output = self.execute(["check", *self.words(case, settings, grant, ranks), "--json"], grant, ranks)[1]
        found = json.loads(output[output.index("{") :])
        memory = found["memory_per_rank"]
        return {"elements": found["mesh"]["elements"], "steps": found["steps"],
                "device_bytes": max(rank["device_bytes"] for rank in memory),
                "device_peak_bytes": max(rank["device_peak_bytes"] for rank in memory),
                "host_bytes": max(max(rank["host_setup_bytes"], rank["host_march_bytes"]) for rank in memory)}

    def run(self, name, case, settings, grant, *, ranks=1, march_seconds=None, check=True, backend=None):
        """Runs a case into FOLDER/NAME and returns its figures. With `march_seconds` it stops with a checkpoint after this
        time, goes on from there when it is run again, and is not run again when it is whole."""
        directory = self.folder / "runs" / name
        directory.parent.mkdir(parents=True, exist_ok=True)
        goes_on = march_seconds is not None and not self.again
        if goes_on and is_whole(directory / "results.h5"):
            return {"name": name, **read_figures(directory / "results.h5")}
        more = ["-o", str(directory), "--quiet", "--resume" if goes_on and (directory / "checkpoint").is_dir() else "--overwrite"]
        if march_seconds is not None:
            more += ["--max-wall", f"{max(0.01, march_seconds):.2f}s"]
        begin = time.monotonic()
        code = self.execute(["run", *self.words(case, settings, grant, ranks, backend), *more], grant, ranks, (0, CHECKPOINTED))[0]
        figures = {"name": name, **read_figures(directory / "results.h5"), "wall_seconds": round(time.monotonic() - begin, 2)}
        if code == CHECKPOINTED:
            figures["stopped"] = "with a checkpoint"
        if check and self.checks:
            try:
                figures["predicted"] = self.check(case, settings, grant, ranks)
            except RunFailed as error:
                figures["predicted"] = {"error": str(error)}
        return figures


def stop(child):
    """Ends a run and its ranks: with a checkpoint where it has the time for one."""
    for sent, patience in ((signal.SIGTERM, 20), (signal.SIGKILL, 5)):
        try:
            os.killpg(child.pid, sent)
            child.communicate(timeout=patience)
            return
        except ProcessLookupError:
            return
        except (subprocess.TimeoutExpired, ValueError, OSError):  # another thread may read its pipes
            continue


def is_whole(path):
    if not path.exists():
        return False
    with h5py.File(path) as file:
        return bool(file.attrs["complete"])


def read_solution(file):
    """Figures of a run in mode frequency-domain: of its first frequency, of the slowest rank where ranks share the system."""
    root, performance, solver = dict(file.attrs), dict(file["performance"].attrs), file["frequency_domain"]
    figures = {key: plain(root[key]) for key in ("mode", "basis", "devices", "ranks", "threads", "elements", "dofs")}
    figures.update({key: plain(solver.attrs[key]) for key in ("method", "preconditioner", "matrix_format", "nonzeros") if key in solver.attrs})
    figures.update({key: plain(performance[key]) for key in ("setup_seconds", "solve_seconds", "host_memory_bytes")})
    for key in ("seconds_assembly", "seconds_preprocess", "seconds_solve"):
        figures[key] = float(solver[key][0])
    figures["iterations"], figures["residual"] = int(solver["iterations"][0].max()), float(solver["residual"][0].max())
    if "iiee" in file:
        figures.update({key: plain(file["iiee"].attrs[key]) for key in ("outer_faces", "inner_faces")})
        figures.update({key: float(file[f"iiee/{key}"][0]) for key in ("seconds_iiee", "seconds_sums")}, boundary_values=int(file["iiee/iterations"][0]))
        figures.update({f"seconds_{part}": float(file[f"performance/iterations/seconds_{part}"][0].sum()) for part in ("transfer", "rest")})
    if "ranks" in solver and figures["iterations"]:
        for part in ("product", "preconditioner", "sums", "exchange", "redistribution"):
            figures[f"ms_{part}"] = 1e3 * float(solver[f"ranks/seconds_{part}"][()].max()) / figures["iterations"]
        figures["transport"] = plain(solver["ranks"].attrs["transport"])
        figures["ghosts"] = int(solver["ranks/ghosts"][()].max())
    return figures


def read_figures(path):
    with h5py.File(path) as file:
        if "frequency_domain" in file:
            return read_solution(file)
        root, performance = dict(file.attrs), dict(file["performance"].attrs)
    figures = {key: plain(root[key]) for key in ("scheme", "basis", "precision", "devices", "ranks", "threads", "elements", "dofs",
                                                 "time_step", "steps", "steps_done")}
    figures["march_seconds"] = plain(performance["march_seconds"])
    ms = 1e3 / max(1, figures["steps_done"])
    figures["ms_per_step"] = ms * figures["march_seconds"]
    kept = ("setup_seconds", "device_memory_bytes", "host_memory_bytes", "bytes_per_step", "dof_updates_per_second", "transport",
            "seconds_communication", "seconds_output")
    figures.update({key: plain(performance[key]) for key in kept})
    for key in ("ideal_gain", "predicted_gain", "measured_gain", "elements_of_classes", "smallest_time_step", "largest_eps_r",
                "mean_nonlinear_iterations", "most_nonlinear_iterations", "mean_solver_iterations", "seconds_preprocess", "seconds_solve"):
        if key in performance and ("gain" not in key or performance["classes"] > 1):
            figures[key] = plain(performance[key])
    for share in ("volume_surface", "dispersion", "nonlinear"):
        seconds = plain(performance[f"seconds_{share}"])
        figures[f"ms_{share}"] = None if seconds is None else ms * seconds
    return figures
