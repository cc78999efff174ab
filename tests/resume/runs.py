"""Runs of the program for the tests of checkpoints: started, killed, gone on with, compared."""

import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import h5py

BOX = """\
mesh: {box: {size: [0.03, 0.02, 0.04], cells: [6, 4, 8], jitter: 0.1}}
materials: {air: {}, lossy: {eps_r: 2, sigma: 0.01}}
regions: {box: lossy}
boundaries: {absorbing: [z0, z1], default: pec}
initial_fields:
  E: ["0", "sin(pi*x/0.03)*sin(pi*z/0.04)", "0"]
time: {steps: 6000}
outputs:
  energy: {every: 37}
  probes:
    - {name: centre, point: [0.015, 0.01, 0.02]}
    - {name: side, point: [0.01, 0.01, 0.02], every: 7}
  fields:
    every: 500
    frequencies: [4 GHz]
    regions: [box]
    cuts: [{name: middle, point: [0, 0.01, 0], normal: [0, 1, 0]}]
run: {threads: 1, checkpoint: {every: 20 ms, keep: 2}}
"""
COAX = """\
mesh: {file: coax.h5}
materials: {air: {}}
regions: {line: air}
boundaries: {pec: [inner, outer]}
ports:
  - {name: p1, boundary: start, type: coaxial, excite: {waveform: pulse}}
  - {name: p2, boundary: end, type: coaxial, excite: {waveform: pulse}}
waveforms:
  pulse: {type: modulated-gaussian, frequency: 5 GHz, bandwidth: 12 GHz}
time: {steps: 8000}
outputs:
  s_parameters: {start: 1 GHz, stop: 8 GHz, points: 11, drive: each}
  energy: {every: 50}
  fields: {every: 900, frequencies: [5 GHz], cuts: [{name: middle, point: [0, 0, 0.003], normal: [0, 0, 1]}]}
run: {threads: 1, checkpoint: {every: 20 ms, keep: 2}}
"""


OPEN = """\
mesh: {box: {size: [0.03, 0.03, 0.03], cells: [5, 5, 5], jitter: 0.1}}
materials: {air: {}}
regions: {box: air}
boundaries: {default: absorbing}
sources:
  - {type: dipole, position: [0.015, 0.014, 0.016], direction: [0, 0, 1], waveform: pulse}
waveforms:
  pulse: {type: modulated-gaussian, frequency: 8 GHz, bandwidth: 8 GHz}
time: {steps: 6000}
outputs:
  far_field: {frequencies: [6 GHz, 10 GHz], theta: [0, 50, 90], phi: [0, 30]}
run: {threads: 1, checkpoint: {every: 20 ms, keep: 2}}
"""
KERR = """\
mesh: {box: {size: [0.03, 0.02, 0.04], cells: [4, 3, 6]}}
materials: {glass: {sigma: 0.05, kerr: {chi3: 1}}}
regions: {box: glass}
boundaries: {default: pec}
initial_fields:
  E: ["0", "sin(pi*x/0.03)*sin(pi*z/0.04)", "0"]
time: {steps: 4000}
run: {threads: 1, checkpoint: {keep: 2}}
"""


def children_of(pid):
    """All descendants, parents first."""
    found = [pid]
    for parent in found:
        try:
            tasks = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")
        except OSError:
            continue
        found += [int(child) for child in tasks.split()]
    return found[1:]


class Runner:
    def __init__(self, program, mpiexec, folder):
        self.program, self.mpiexec, self.folder = str(program), str(mpiexec), Path(folder)

    def case(self, text, name="case.yaml"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def start(self, case, out, *options, ranks=1):
        command = [self.program, "run", case, "-o", str(out), *options]
        if ranks > 1:
            launch = [self.mpiexec, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
            command = launch + command
        environment = os.environ | {"OMP_NUM_THREADS": "1", "OMPI_MCA_orte_set_default_slots": "1"}
        with open(self.path("said"), "w", encoding="utf-8") as said:  # a pipe could fill and hold the program up
            return subprocess.Popen(command, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL, stderr=said)

    def end_of(self, process):
        """Exit code and what it said on stderr."""
        code = process.wait(timeout=300)
        return code, self.path("said").read_text(encoding="utf-8")

    def run(self, case, out, *options, ranks=1):
        return self.end_of(self.start(case, out, *options, ranks=ranks))

    def path(self, *parts):
        return self.folder.joinpath(*parts)

    def checkpoints(self, out):
        folder = self.path(out, "checkpoint")
        return sorted(entry.name for entry in folder.iterdir() if entry.name.isdigit()) if folder.is_dir() else []

    def stop(self, case, out, sent, *options, ranks=1, target=None):
        """Sends a signal once two new checkpoints were seen, to the launcher or (target) to one of its children."""
        seen = set(self.checkpoints(out))
        wanted = len(seen) + 2
        process = self.start(case, out, *options, ranks=ranks)
        while len(seen) < wanted and process.poll() is None:
            time.sleep(0.005)
            seen |= set(self.checkpoints(out))
        if process.poll() is None:
            os.kill(process.pid if target is None else children_of(process.pid)[target], sent)
        return self.end_of(process)

    def kill_at(self, delay, case, out, *options, ranks=1):
        """kill -9 of all ranks after a delay; whether it was still running."""
        process = self.start(case, out, *options, ranks=ranks)
        end = time.monotonic() + delay
        while time.monotonic() < end and process.poll() is None:
            time.sleep(0.005)
        running = process.poll() is None
        victims = children_of(process.pid) + [process.pid]
        random.shuffle(victims)
        for pid in victims:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return running, self.end_of(process)[1]


def datasets(path):
    """Bytes of every dataset of an HDF5 file."""
    found = {}

    def keep(name, thing):
        if isinstance(thing, h5py.Dataset):
            found[name] = thing[()].tobytes()

    with h5py.File(path) as file:
        file.visititems(keep)
        complete = int(file.attrs["complete"])
    return complete, found


def fields_of(out):
    """{file of fields: its bytes} of a run."""
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(Path(out).rglob("fields/**/*")) if path.is_file()}


def went_on_from(said):
    """Name of the checkpoint that a run says it goes on from."""
    match = re.search(r"resuming at step \d+ of \d+ from checkpoint (\d+)", said)
    return match[1] if match else None
