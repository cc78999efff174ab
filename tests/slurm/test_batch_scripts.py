"""The batch scripts of scripts/slurm: with a Slurm of this test's own, and their words without one."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import one_host

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts" / "slurm"
PROGRAM = os.environ["TETRAWAVE_PROGRAM"]
CASE = """\
mesh: {box: {size: [0.03, 0.02, 0.04], cells: [6, 4, 8], jitter: 0.1}}
materials: {lossy: {eps_r: 2, sigma: 0.01}}
regions: {box: lossy}
boundaries: {absorbing: [z0, z1], default: pec}
initial_fields:
  E: ["0", "sin(pi*x/0.03)*sin(pi*z/0.04)", "0"]
time: {steps: STEPS}
outputs:
  probes: [{name: centre, point: [0.015, 0.01, 0.02], every: 10}]
run: {checkpoint: {every: 500 ms}}
"""


def bash(text, **variables):
    """What a piece of job.sh prints."""
    done = subprocess.run(["bash", "-c", f'. "{SCRIPTS}/job.sh"; {text}'], capture_output=True, text=True, check=False,
                          env={**os.environ, "TW_SLURM": str(SCRIPTS), **variables})
    return done.stdout.strip()


class Words(unittest.TestCase):
    def test_the_output_directory_is_that_of_the_program(self):
        self.assertEqual(bash("output_directory a/line.yaml --quiet"), "line.out")
        self.assertEqual(bash("output_directory line.yaml -o far/x"), "far/x")
        self.assertEqual(bash("output_directory line.yaml --output=far/x"), "far/x")

    def test_slurms_times_are_seconds(self):
        for text, seconds in (("1-02:03:04", 93784), ("02:03:04", 7384), ("09:08", 548), ("UNLIMITED", None)):
            found = bash(f"squeue() {{ echo '  {text} '; }}; seconds_left", SLURM_JOB_ID="1")
            self.assertEqual(found, "" if seconds is None else str(seconds))

    def test_a_run_goes_on_from_a_checkpoint_that_is_committed(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "line.out"
            self.assertEqual(bash(f"way_to_go_on {out}"), "")
            (out / "checkpoint" / "000001.tmp").mkdir(parents=True)
            self.assertEqual(bash(f"way_to_go_on {out}"), "")
            self.assertEqual(bash(f"way_to_go_on {out}", SLURM_RESTART_COUNT="1"), "--overwrite")
            (out / "checkpoint" / "000001").mkdir()
            (out / "checkpoint" / "000001" / "COMMIT.json").touch()
            self.assertEqual(bash(f"way_to_go_on {out}", SLURM_RESTART_COUNT="1"), "--resume")

    def test_what_the_user_says_of_going_on_and_of_time_stands(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            (out / "checkpoint" / "000001").mkdir(parents=True)
            (out / "checkpoint" / "000001" / "COMMIT.json").touch()
            for given, restarts, added in (("", "0", "--resume --max-wall 480s"),
                                           ("--max-wall 60s", "0", "--max-wall 60s --resume"),
                                           ("--max-wall=60s", "1", "--max-wall=60s --resume"),
                                           ("--resume", "1", "--resume --max-wall 480s"),
                                           ("--overwrite", "0", "--overwrite --max-wall 480s"),
                                           ("--overwrite", "1", "--resume --max-wall 480s")):
                found = bash(f"squeue() {{ echo 10:00; }}; run_words line.yaml -o {out} {given}", SLURM_JOB_ID="1",
                             SLURM_RESTART_COUNT=restarts)
                self.assertEqual(found.split(), f"line.yaml -o {out} {added}".split(), (given, restarts))
        found = bash("squeue() { echo 1:00; }; (run_words line.yaml 2>/dev/null); echo $?", SLURM_JOB_ID="1")
        self.assertEqual(found, "75")

    def test_modes_that_do_not_march_are_given_no_max_wall(self):
        with tempfile.TemporaryDirectory() as folder:
            for mode, added in (("assembly-2d", ""), ("'assembly-2d'  # V", ""), ("frequency-domain", ""), ("fe-iiee", ""),
                                ("time-domain", "--max-wall 480s")):
                case = Path(folder) / "case.yaml"
                case.write_text(f"mode: {mode}\n", encoding="utf-8")
                found = bash(f"squeue() {{ echo 10:00; }}; run_words {case}", SLURM_JOB_ID="1")
                self.assertEqual(found.split(), f"{case} {added}".split(), mode)

    def test_the_exit_code_of_a_run_that_ends_while_a_signal_comes_is_told(self):
        found = bash("trap 'sleep 0.6' USR1; (sleep 0.4; exit 75) & child=$!; "
                     "(sleep 0.2; kill -USR1 $$) & wait_for $child; echo $?")  # it ends while the trap is at work
        self.assertEqual(found, "75")

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed here")
    def test_shellcheck_finds_nothing(self):
        files = [str(SCRIPTS / name) for name in ("job.sh", "gpu.sbatch", "cpu.sbatch")]
        done = subprocess.run(["shellcheck", "--shell=bash", "--external-sources", *files], cwd=ROOT,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_gpu_jobs_leave_gpus_to_the_program(self):
        text = (SCRIPTS / "gpu.sbatch").read_text(encoding="ascii")
        self.assertIn("#SBATCH --gpu-bind=none\n", text)
        self.assertIn("#SBATCH --signal=B:USR1@", text)
        self.assertNotIn("--gpus-per-task", text)


@unittest.skipUnless(one_host.is_here(), "Slurm is not installed here, or this is not root")
class Jobs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tw-slurm-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "slurm").mkdir()
        self.slurm = one_host.OneHost(self.folder / "slurm")
        self.addCleanup(self.slurm.stop)
        self.slurm.start()

    def submit(self, *options, steps):
        (self.folder / "case.yaml").write_text(CASE.replace("STEPS", str(steps)), encoding="ascii")
        exports = f"ALL,TETRAWAVE={PROGRAM},TETRAWAVE_MARGIN=20,OMPI_MCA_odls_base_sigkill_timeout=2"
        words = ["sbatch", "--parsable", f"--chdir={self.folder}", "--ntasks-per-node=2", "--cpus-per-task=1",
                 "--oversubscribe", "--time=10", "--signal=B:USR1@10", f"--export={exports}", *options]
        if os.cpu_count() < 2:
            words[3] = "--ntasks-per-node=1"
        return self.slurm.run(*words, str(SCRIPTS / "cpu.sbatch"), "case.yaml").strip()

    def log(self):
        return "".join(p.read_text(encoding="utf-8") for p in sorted(self.folder.glob("tetrawave-*.log")))

    def wait_for_end(self, job, seconds):
        self.slurm.wait(lambda: self.slurm.show(job).get("JobState") in ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"),
                        seconds, "the end of the job")
        return self.slurm.show(job)

    def test_a_job_that_is_stopped_is_queued_again_and_ends_as_one_that_is_not(self):
        steps = 200000
        job = self.submit(steps=steps)
        committed = self.folder / "case.out" / "checkpoint"
        self.slurm.wait(lambda: any(committed.glob("*/COMMIT.json")), 60, "a checkpoint")
        self.slurm.run("scancel", "--batch", "--signal=USR1", job)
        state = self.wait_for_end(job, 600)  # a minute alone
        self.assertEqual(state["JobState"], "COMPLETED", self.log())
        self.assertEqual(state["Restarts"], "1", self.log())
        self.assertIn("stopped (SIGUSR1)", self.log())
        self.assertIn("resuming at step", self.log())
        subprocess.run([PROGRAM, "run", str(self.folder / "case.yaml"), "-o", str(self.folder / "whole.out"), "--quiet"],
                       check=True, timeout=300)
        with h5py.File(self.folder / "case.out/results.h5") as found, \
                h5py.File(self.folder / "whole.out/results.h5") as whole:
            self.assertEqual(found.attrs["complete"], 1)
            self.assertEqual(found["probes/centre/E"].shape, (steps // 10 + 1, 3))
            np.testing.assert_array_equal(found["probes/centre/E"][()], whole["probes/centre/E"][()])


if __name__ == "__main__":
    unittest.main()
