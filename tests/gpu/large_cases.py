#!/usr/bin/env python3
"""Runs the large cases of a GPU host and writes their figures into one JSON file.

    tests/gpu/large_meshes.py build/bin/tetrawave FOLDER              # once, where Gmsh is
    tests/gpu/large_cases.py build-host/bin/tetrawave --meshes FOLDER -o DIR --gpus 2 [CASE...]
    tests/gpu/large_cases.py build/bin/tetrawave --meshes SMALL -o DIR --backend cpu --small      # a trial, a minute or two

Cases on single GPUs run side by side, those of the whole host after them. Each has its own limit of time; one that fails does
not stop the others. DIR/large_cases.json is written after every run. What has passed with this revision is not run again
(--again), what was stopped with a checkpoint (amplifier_pulses) goes on. Exit code 1 when a case failed, 75 when one is to go on.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

from large_case_list import LARGE_CASES, SCHEMES, Tools
from large_runs import CHECKPOINTED, Grant, RunFailed, Runner


class Bench(Tools):
    """What a case sees: tools, and runs whose figures are kept as they come."""

    def __init__(self, runner, options, device_bytes, keep):
        super().__init__(options)
        self.runner, self.device_bytes, self.keep = runner, device_bytes, keep

    def check(self, case, settings, grant, ranks=1):
        return self.runner.check(case, settings, grant, ranks)

    def run(self, name, case, settings, grant, **more):
        figures = self.runner.run(name, case, settings, grant, **more)
        self.keep(figures)
        return figures

    @staticmethod
    def together(tasks):
        """Results of tasks that run side by side; the first that failed is raised when all have ended."""
        results = [None] * len(tasks)

        def do(place):
            try:
                results[place] = tasks[place]()
            except Exception as error:  # pylint: disable=broad-except
                results[place] = error

        threads = [threading.Thread(target=do, args=(place,)) for place in range(len(tasks))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for result in results:
            if isinstance(result, Exception):
                raise result
        return results


def said_of(run):
    """A march or a solution in a few words."""
    if "iterations" in run:
        return (f"{run['dofs']} unknowns, {run['iterations']} iterations to {run['residual']:.2g}, {run['seconds_preprocess']:.3g} + "
                f"{run['seconds_solve']:.3g} s")
    predicted = run.get("predicted", {}).get("device_bytes")
    return (f"{run['steps_done']} steps, {run['ms_per_step']:.5g} ms a step, {run['device_memory_bytes'] / 1e9:.3f} GB"
            + (f" ({predicted / 1e9:.3f} predicted)" if predicted else ""))


class Report:
    """large_cases.json: the machine, and an entry a case. Entries of earlier calls stay until their case is run again."""

    def __init__(self, path, runner, options):
        self.path, self.lock = path, threading.Lock()
        info = runner.info()
        self.revision = info[0].split("revision ")[-1].split(",")[0]
        self.small = options.small
        self.content = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self.content.update({"command": " ".join(sys.argv), "machine": info, "gpus": options.gpus, "cores": os.cpu_count()})
        self.cases = self.content.setdefault("cases", {})

    def has_passed(self, name):
        entry = self.cases.get(name, {})
        return (entry.get("passed") and entry["revision"] == self.revision and entry["small"] == self.small
                and not entry["figures"].get("unfinished"))

    def begin(self, name, grant):
        with self.lock:
            self.cases[name] = {"passed": False, "revision": self.revision, "small": self.small, "gpus": grant.gpus,
                                "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "figures": {}, "runs": []}
        self.write()

    def keep(self, name, run):
        with self.lock:
            self.cases[name]["runs"].append(run)
        print(f"  {run['name']}: {run['elements']} elements, {said_of(run)}, set-up {run['setup_seconds']:.1f} s, on {run['devices']}", flush=True)
        self.write()

    def close(self, name, **entries):
        with self.lock:
            self.cases[name].update(entries)
        self.write()

    def write(self):
        with self.lock:
            text = json.dumps(self.content, indent=1) + "\n"
            unfinished = self.path.with_suffix(".tmp")
            unfinished.write_text(text, encoding="utf-8")
            unfinished.replace(self.path)


def memory_of_device(options):
    """Bytes of the smallest GPU; on CPUs what is free."""
    if options.device_gib is not None:
        return int(options.device_gib * 2**30)
    if options.backend == "cpu":
        with open("/proc/meminfo", encoding="ascii") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))
    asked = subprocess.run(["nvidia-smi", "--query-gpu=memory.total", "--format=csv,noheader,nounits"], check=True,
                           capture_output=True, text=True).stdout
    return min(int(line) for line in asked.split()) * 2**20


class Queue:
    """GPUs that are free, and cases that wait for them."""

    def __init__(self, cases, gpus, cores, deadline, work):
        self.waiting, self.free, self.gpus, self.cores = list(cases), list(range(gpus)), gpus, cores
        self.deadline, self.work = deadline, work
        self.change = threading.Condition()

    def wanted(self, case):
        return self.gpus if case.gpus is None else min(case.gpus, self.gpus)

    def take(self):
        """The first case that waits and its GPUs, when they are free; None when nothing waits."""
        with self.change:
            while self.waiting and self.wanted(self.waiting[0]) > len(self.free):
                self.change.wait()
            if not self.waiting:
                return None
            case = self.waiting.pop(0)
            return case, [self.free.pop(0) for _ in range(self.wanted(case))]

    def give(self, gpus):
        with self.change:
            self.free = sorted(self.free + gpus)
            self.change.notify_all()

    def run(self):
        workers = []
        while (taken := self.take()) is not None:
            case, gpus = taken
            threads = max(1, self.cores * len(gpus) // self.gpus)
            grant = Grant(gpus, threads, min(self.deadline, time.monotonic() + case.seconds))
            workers.append(threading.Thread(target=self.do, args=(case, grant)))
            workers[-1].start()
        for worker in workers:
            worker.join()

    def do(self, case, grant):
        try:
            self.work(case, grant)
        finally:
            self.give(grant.gpus)


def run_one(case, grant, runner, options, report):
    report.begin(case.name, grant)
    bench = Bench(runner, options, options.device_bytes, lambda run: report.keep(case.name, run))
    begin = time.monotonic()
    try:
        figures, failure = case.function(bench, grant), None
    except RunFailed as error:
        figures, failure = {}, str(error)
    except Exception as error:  # pylint: disable=broad-except
        figures, failure = {}, "".join(traceback.format_exception_only(error)).strip()
    seconds = round(time.monotonic() - begin, 1)
    report.close(case.name, passed=failure is None, seconds=seconds, figures=figures, **({"error": failure} if failure else {}))
    print(f"{case.name}: {'passed' if failure is None else 'FAILED'} in {seconds} s: {failure or json.dumps(figures)}", flush=True)


def parse():
    names = [case.name for case in LARGE_CASES]
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0], epilog="cases: " + " ".join(names))
    parser.add_argument("program", type=Path)
    parser.add_argument("names", nargs="*", metavar="CASE", help="default: all")
    parser.add_argument("--meshes", type=Path, required=True, help="folder of large_meshes.py")
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder of the runs and of large_cases.json")
    parser.add_argument("--gpus", type=int, default=1, help="GPUs of this host; with --backend cpu shares of its cores")
    parser.add_argument("--backend", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--small", action="store_true", help="a tiny form of every case, with meshes of large_meshes.py --small")
    parser.add_argument("--seconds", type=float, default=7200, help="end of the whole (default: %(default)s)")
    parser.add_argument("--march-seconds", type=float, default=480, help="of amplifier_pulses in this call (default: %(default)s)")
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, help="of graded_box and debye_fifth (default: all)")
    parser.add_argument("--only", nargs="+", metavar="RUN", help="runs by name of the cases of chapter 3, names of networks, arrays as 'monopole_array, 10' (default: all)")
    parser.add_argument("--ranks", type=int, nargs="+", metavar="N", help="numbers of GPUs of the cases over ranks (default: 1, 2, 4, 8 and for arrays 1 and all)")
    parser.add_argument("--device-gib", type=float, help="memory of a GPU (default: what nvidia-smi says)")
    parser.add_argument("--no-check", action="store_true", help="without the memory that `check` predicts: half of the set-ups")
    parser.add_argument("--again", action="store_true", help="run also what has passed with this revision")
    options = parser.parse_intermixed_args()
    if unknown := set(options.names) - set(names):
        parser.error(f"no such case: {' '.join(sorted(unknown))}; there are {' '.join(names)}")
    if options.ranks and min(options.ranks) < 1:
        parser.error("--ranks must be 1 or more")
    if options.gpus < 1:
        parser.error("--gpus must be 1 or more")
    return options


def main():
    options = parse()
    options.output.mkdir(parents=True, exist_ok=True)
    options.device_bytes = memory_of_device(options)
    runner = Runner(options)
    report = Report(options.output / "large_cases.json", runner, options)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    chosen = [case for case in LARGE_CASES if not options.names or case.name in options.names]
    done = [] if options.again else [case.name for case in chosen if report.has_passed(case.name)]
    chosen = [case for case in chosen if case.name not in done]
    if done:
        print(f"passed before: {' '.join(done)}", flush=True)
    cores = options.gpus if options.small else len(os.sched_getaffinity(0))
    queue = Queue(chosen, options.gpus, cores, time.monotonic() + options.seconds,
                  lambda case, grant: run_one(case, grant, runner, options, report))
    try:
        queue.run()
    except BaseException:
        runner.end()
        raise
    ended = {case.name: report.cases[case.name] for case in chosen}
    failed = [name for name, entry in ended.items() if not entry["passed"]]
    unfinished = [name for name, entry in ended.items() if entry["figures"].get("unfinished")]
    print(f"{len(chosen) - len(failed)} cases passed, {len(failed)} failed" + (": " + " ".join(failed) if failed else ""))
    if unfinished:
        print(f"unfinished, to be begun again: {' '.join(unfinished)}")
    return 1 if failed else CHECKPOINTED if unfinished else 0


if __name__ == "__main__":
    sys.exit(main())
