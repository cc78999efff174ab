#!/usr/bin/env python3
"""Runs the commands of the pages of cases/ as they stand there, and keeps what they print and the figures of their runs in one JSON file.

    page_runs.py build/bin/tetrawave --json FILE [PAGE[:REGEX]...] [--threads N] [--jobs N] [--seconds S]

PAGE is a folder of cases/ (default: all), REGEX chooses among its commands. Commands are those of the page's indented blocks: `tetrawave run` and
`study`, and scripts of cases/ with what they print, then those of page_runs.json beside this file, which vary a run as the rows of a table say.
Pages run side by side, the commands of a page one after the other, each for at most S seconds. An entry of FILE is replaced when its command is run
again; tools/page_figures.py writes the numbers of the pages from FILE below tests/gpu/results.
"""

import argparse
import csv
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parents[1]
RUN = re.compile(r"build/bin/tetrawave (run|study) ")
SCRIPT = re.compile(r"cases/\S+\.py ")


def commands(page):
    """The command lines of a page that are run, without their comments."""
    text = re.sub(r" \\\n *", " ", (ROOT / "cases" / page / "README.md").read_text(encoding="utf-8"))
    lines = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    parts = [part for line in lines for part in re.split(r"\s+&&\s+", re.sub(r"\s\s+#.*$", "", line))]
    more = json.loads((ROOT / "tools/page_runs.json").read_text(encoding="utf-8")).get(page, [])
    return [part for part in parts if RUN.match(part) or SCRIPT.match(part)] + more


def plain(value):
    value = value.tolist() if hasattr(value, "tolist") else value
    return value.decode() if isinstance(value, bytes) else value


def figures(directory):
    """Attributes of results.h5 and of its groups for solvers and times, or the rows of a study."""
    if (directory / "study.csv").exists():
        with open(directory / "study.csv", encoding="utf-8") as file:
            return {"rows": list(csv.DictReader(file))}
    with h5py.File(directory / "results.h5") as file:
        found = {key: plain(value) for key, value in file.attrs.items()}
        for group in ("performance", "frequency_domain", "frequency_domain/sweep", "iiee", "assembly_2d", *(f"far_field/{name}" for name in file.get("far_field", ()))):
            for key, value in file[group].attrs.items() if group in file else ():
                found[f"{group}/{key}"] = plain(value)
        for name, what in (("seconds_assembly", "sum"), ("seconds_preprocess", "sum"), ("seconds_solve", "sum"), ("iterations", "max"), ("residual", "max"),
                           ("sweep/solved", "sum")):
            if f"frequency_domain/{name}" in file:
                found[f"frequency_domain/{name}"] = float(getattr(file[f"frequency_domain/{name}"][()], what)())
        if "iiee/iterations" in file:
            found["iiee/iterations"] = float(file["iiee/iterations"][()].max())
    return {key: value for key, value in found.items() if not isinstance(value, str) or len(value) < 100}


def run(command, folder, threads, seconds):
    """The entry of one command, run in `folder` as it stands, a run with so many threads."""
    words, output = shlex.split(command), None
    if RUN.match(command):
        output = words[words.index("-o") + 1] if "-o" in words else Path(words[2]).stem + ".out"
        words += ["--overwrite", "--quiet", "--set", f"run.threads={threads}"]
    else:
        words = [sys.executable, *words]
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))  # of numpy in the scripts
    begin = time.monotonic()
    with tempfile.TemporaryFile("w+") as says:
        child = subprocess.Popen(words, cwd=folder, env=environment, stdout=says, stderr=subprocess.STDOUT)
        limit = threading.Timer(seconds, child.kill)
        limit.start()
        _, status, used = os.wait4(child.pid, 0)
        limit.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        says.seek(0)
        entry = {"command": command, "exit_code": child.returncode, "seconds": round(time.monotonic() - begin, 2),
                 "cpu_seconds": round(used.ru_utime + used.ru_stime, 2), "says": says.read().splitlines()[:120]}
    if output and (child.returncode == 0 or (folder / output / "study.csv").exists()):
        entry["figures"] = figures(folder / output)
    return entry


class Runs:
    """FILE and what all of its entries share."""

    def __init__(self, options):
        self.options, self.lock, self.wrong = options, threading.Lock(), 0
        self.content = json.loads(options.json.read_text(encoding="utf-8")) if options.json.exists() else {"pages": {}}
        info = subprocess.run([options.program, "info"], check=True, capture_output=True, text=True).stdout.splitlines()
        chip = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
        self.head = {"revision": info[0].split("revision ")[-1].split(",")[0], "machine": chip[1] if chip else "", "date": time.strftime("%Y-%m-%d"),
                     "threads": options.threads}

    def keep(self, page, entry):
        with self.lock:
            self.wrong += entry["exit_code"] != 0
            entries = self.content["pages"].setdefault(page, [])
            entries[:] = [other for other in entries if other["command"] != entry["command"]] + [{**self.head, **entry}]
            self.options.json.write_text(json.dumps(self.content, indent=1) + "\n", encoding="utf-8")
        print(f"{page}: {entry['command']}: exit code {entry['exit_code']}, {entry['cpu_seconds']} s of CPU time", flush=True)

    def page(self, word):
        page, _, chosen = word.partition(":")
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            (folder / "build").mkdir()
            os.symlink(self.options.program.resolve().parent, folder / "build/bin")
            for name in ("cases", "tools"):
                os.symlink(ROOT / name, folder / name)
            for command in commands(page):
                if re.search(chosen, command):
                    self.keep(page, run(command, folder, self.options.threads, self.options.seconds))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("pages", nargs="*", metavar="PAGE:REGEX")
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1, help="of a run (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="pages side by side (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=3600, help="of a command at most (default: %(default)s)")
    options = parser.parse_intermixed_args()
    runs = Runs(options)
    pages = options.pages or sorted(path.parent.name for path in (ROOT / "cases").glob("*/README.md"))
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(runs.page, pages))
    return 1 if runs.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
