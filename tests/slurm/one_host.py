"""Slurm on this machine alone: munged, slurmctld and slurmd of the test's own, in a temporary folder."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

CONF = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort={port}
SlurmdPort={next_port}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SchedulerParameters=sched_interval=2
KillWait=5
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=60 State=UP
"""


def is_here():
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    names = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "scancel")
    return os.geteuid() == 0 and all(shutil.which(name, path=path) for name in names)


def free_ports():
    with socket.socket() as first, socket.socket() as second:
        first.bind(("127.0.0.1", 0))
        second.bind(("127.0.0.1", 0))
        return first.getsockname()[1], second.getsockname()[1]


class OneHost:
    """The three daemons; environment() is what Slurm's commands need."""

    def __init__(self, folder):
        self.folder = Path(folder)
        os.chmod(self.folder, 0o755)
        self.daemons = []
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        port, next_port = free_ports()
        host = socket.gethostname().split(".")[0]
        self.conf = self.folder / "slurm.conf"
        self.conf.write_text(CONF.format(host=host, folder=self.folder, port=port, next_port=next_port,
                                         cpus=os.cpu_count()), encoding="ascii")

    def environment(self):
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        return {**os.environ, "SLURM_CONF": str(self.conf), "PATH": path}

    def _start(self, name, words):
        with open(self.folder / f"{name}.out", "wb") as out:
            self.daemons.append(subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, env=self.environment()))

    def start(self):
        f = self.folder
        self._start("munged", ["munged", "--foreground", "--force", f"--socket={f}/munge.socket",
                               f"--key-file={f}/munge.key", f"--pid-file={f}/munge.pid",
                               f"--seed-file={f}/munge.seed", f"--log-file={f}/munge.log", "--num-threads=2"])
        self.wait(lambda: (f / "munge.socket").exists(), 10, "munged")
        self._start("slurmctld", ["slurmctld", "-D", "-f", str(self.conf)])
        self._start("slurmd", ["slurmd", "-D", "-f", str(self.conf)])
        self.wait(lambda: "idle" in self.run("sinfo", "--noheader", "--format=%t", check=False), 40, "slurmctld")

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def run(self, *words, check=True):
        done = subprocess.run(words, env=self.environment(), capture_output=True, text=True, check=False, timeout=60)
        if check and done.returncode != 0:
            raise AssertionError(f"{' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def wait(self, holds, seconds, what):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                logs = "".join(f"--- {p.name}\n{p.read_text(errors='replace')[-1500:]}"
                               for p in [*sorted(self.folder.glob("*.log")), *sorted(self.folder.parent.glob("*.log"))])
                raise AssertionError(f"{what}: not within {seconds} s\n{logs}")
            time.sleep(0.1)

    def show(self, job):
        """The job's fields as a dictionary."""
        words = self.run("scontrol", "show", "job", str(job), check=False).split()
        return dict(word.split("=", 1) for word in words if "=" in word)
