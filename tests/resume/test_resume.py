"""Checkpoints and --resume of the program: killed, stopped, damaged, of another case, on a full disk."""

import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import h5py
from coax_mesh import write_coax
from runs import BOX, COAX, KERR, OPEN, Runner, datasets, fields_of, went_on_from

PROGRAM = Path(os.environ.get("TETRAWAVE_PROGRAM", "tetrawave"))
MPIEXEC = os.environ.get("TETRAWAVE_MPIEXEC", "mpiexec")
KILLS = int(os.environ.get("TETRAWAVE_KILLS", "10"))
OFF = "run.checkpoint={keep: 2}"  # no interval


def whole_step(test):
    with h5py.File(test.runner.path(test.out + ".whole", "results.h5")) as file:
        return float(file.attrs["time_step"])


class ResumeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="tetrawave-resume-"))
        cls.runner = Runner(PROGRAM, MPIEXEC, cls.folder)
        write_coax(cls.folder / "coax.h5")
        cls.box = cls.runner.case(BOX, "box.yaml")
        cls.long_box = cls.runner.case(BOX.replace("steps: 6000", "steps: 15000"), "long_box.yaml")
        cls.coax = cls.runner.case(COAX, "coax.yaml")
        cls.expected, cls.fields, cls.seconds = {}, {}, {}
        for case in (cls.box, cls.long_box, cls.coax):
            begin = time.monotonic()
            code, said = cls.runner.run(case, case + ".whole", "--set", OFF)
            assert code == 0, said
            cls.seconds[case] = time.monotonic() - begin
            cls.expected[case] = datasets(cls.runner.path(case + ".whole", "results.h5"))
            assert cls.expected[case][0] == 1 and len(cls.expected[case][1]) > 5
            cls.fields[case] = fields_of(cls.runner.path(case + ".whole"))
            assert len(cls.fields[case]) == 8

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder, ignore_errors=True)

    def setUp(self):
        self.out = self.id().rsplit(".", 1)[1]

    def check_whole(self, case, out=None):
        complete, found = datasets(self.runner.path(out or self.out, "results.h5"))
        self.assertEqual(complete, 1)
        self.assertEqual(found.keys(), self.expected[case][1].keys())
        for name, value in self.expected[case][1].items():
            self.assertEqual(value, found[name], f"{name} is not what the uninterrupted run gave")
        if case not in self.fields:
            return
        fields = fields_of(self.runner.path(out or self.out))
        self.assertEqual(fields.keys(), self.fields[case].keys())
        for name, value in self.fields[case].items():
            self.assertTrue(value == fields[name], f"{name} is not what the uninterrupted run gave")

    def resume(self, case, *options, code=0, ranks=1, out=None):
        found, said = self.runner.run(case, out or self.out, "--resume", *options, ranks=ranks)
        self.assertEqual(found, code, said)
        return said

    def stopped(self, case=None, *options, ranks=1, sent=signal.SIGUSR1, target=None):
        code, said = self.runner.stop(case or self.box, self.out, sent, *options, ranks=ranks, target=target)
        self.assertEqual(code, 75, said)
        self.assertIn("--resume", said.splitlines()[-1] if ranks == 1 else said)
        return said

    def kill_and_go_on(self, case, ranks, kills, out):
        """Kills a run `kills` times; counts the kills that found it running. No committed checkpoint may be lost."""
        every = ("--set", f"run.checkpoint.every={20 * ranks**2} ms")  # ranks on few cores write slowly
        done, start = 0, ("--overwrite",)
        longest = self.seconds[case] + 0.3 * ranks
        while done < kills:
            before = self.runner.checkpoints(out) if start == ("--resume",) else []
            if not before:  # killed while --overwrite removes it, the run before would have checkpoints that are no run's
                shutil.rmtree(self.runner.path(out), ignore_errors=True)
            running, said = self.runner.kill_at(random.uniform(0.02, longest), case, out, *start, *every, ranks=ranks)
            done += running
            if before and (name := went_on_from(said)):
                self.assertEqual(name, before[-1], said)
            self.assertNotIn("skipped", said)
            if not running or not self.runner.checkpoints(out):
                start = ("--overwrite",)  # it ended, or was killed before its first checkpoint
            else:
                start = ("--resume",)
        if start == ("--resume",):
            said = self.resume(case, *every, ranks=ranks, out=out)
            self.assertNotIn("skipped", said)
        else:
            code, said = self.runner.run(case, out, "--overwrite")
            self.assertEqual(code, 0, said)
        self.check_whole(case, out)

    def test_killed_at_random_times_results_are_bitwise_right(self):
        shares = [(self.long_box, 1), (self.coax, 1), *((self.long_box, ranks) for ranks in (2, 3, 4))]
        for index, (case, ranks) in enumerate(shares):
            kills = KILLS // len(shares) + (index < KILLS % len(shares))
            with self.subTest(case=case, ranks=ranks, kills=kills):
                self.kill_and_go_on(case, ranks, kills, f"killed{index}")

    def test_a_march_goes_on_on_other_numbers_of_ranks(self):
        self.stopped()
        self.stopped(self.box, "--resume", ranks=3)
        self.stopped(self.box, "--resume", ranks=1, sent=signal.SIGTERM)
        self.resume(self.box, ranks=2)
        self.check_whole(self.box)

    def test_a_march_goes_on_in_another_order_of_its_elements(self):
        self.stopped(self.box, "--set", "run.ordering=none")
        self.stopped(self.box, "--resume", "--set", "run.ordering=parts", ranks=2)
        self.resume(self.box, "--set", "run.ordering=curve")
        self.check_whole(self.box)

    def test_far_field_sums_go_on_on_other_numbers_of_ranks(self):
        case = self.runner.case(OPEN, "open.yaml")
        self.assertEqual(self.runner.run(case, "open.whole", "--set", OFF)[0], 0)
        self.expected[case] = datasets(self.runner.path("open.whole", "results.h5"))
        self.assertIn("far_field/6000000000/E_theta", self.expected[case][1])
        self.stopped(case)
        self.stopped(case, "--resume", ranks=3)
        self.resume(case, ranks=2)
        self.check_whole(case)

    def test_single_precision_goes_on_bitwise(self):
        single = ("--set", "method.precision=single")
        self.assertEqual(self.runner.run(self.box, self.out + ".whole", *single, "--set", OFF)[0], 0)
        self.stopped(self.box, *single)
        self.resume(self.box, *single, ranks=2)
        whole = datasets(self.runner.path(self.out + ".whole", "results.h5"))
        self.assertEqual(datasets(self.runner.path(self.out, "results.h5")), whole)

    def test_what_conductors_remember_goes_on_bitwise(self):
        metal = ("--set", "boundaries={conductor: {x0: 1e4 S/m, z0: 3e4 S/m, y1: {conductivity: 1e5, roughness: 1e-5}}, default: pec}",
                 "--set", "waveforms={pulse: {type: gaussian, width: 0.05 ns}}")
        code, said = self.runner.run(self.box, self.out + ".whole", *metal, "--set", OFF)
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"conductor x0: \S+ ohm per square at \S+ Hz, fitted from \S+ Hz on within \S+ percent\n")
        self.stopped(self.box, *metal)
        self.stopped(self.box, "--resume", *metal, ranks=3)
        self.resume(self.box, *metal, ranks=2)
        whole = datasets(self.runner.path(self.out + ".whole", "results.h5"))
        self.assertEqual(datasets(self.runner.path(self.out, "results.h5")), whole)

    def test_every_signal_stops_with_a_checkpoint_and_results_so_far(self):
        for sent in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            shutil.rmtree(self.runner.path(self.out), ignore_errors=True)
            said = self.stopped(sent=sent)
            self.assertIn(f"stopped ({sent.name})", said)
            self.assertEqual(datasets(self.runner.path(self.out, "results.h5"))[0], 0)
        self.resume(self.box)
        self.check_whole(self.box)

    def test_a_signal_to_one_rank_stops_all(self):
        self.stopped(ranks=3, target=-1)

    def test_a_signal_to_the_launcher_stops_all(self):
        self.stopped(ranks=2)

    def test_a_second_signal_stops_at_once(self):
        process = self.runner.start(self.box, self.out)
        while not self.runner.checkpoints(self.out):
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGSTOP)  # both wait for it
        os.kill(process.pid, signal.SIGUSR1)
        os.kill(process.pid, signal.SIGINT)
        os.kill(process.pid, signal.SIGCONT)
        self.runner.end_of(process)
        self.assertIn(process.returncode, (-signal.SIGINT, -signal.SIGUSR1))

    def test_figures_of_kerr_media_are_those_of_all_sessions(self):
        def figures(out):
            with h5py.File(self.runner.path(out, "results.h5")) as file:
                attributes = file["performance"].attrs
                return int(file.attrs["steps_done"]), [float(attributes[name]) for name in (
                    "mean_nonlinear_iterations", "most_nonlinear_iterations", "largest_eps_r")]

        case = self.runner.case(KERR, "kerr.yaml")
        self.assertEqual(self.runner.run(case, self.out + ".whole")[0], 0)
        steps, whole = figures(self.out + ".whole")
        self.assertGreater(whole[0], 0)
        self.assertGreater(whole[2], 1.9)  # at first: what is left after the checkpoint is weaker
        code, said = self.runner.run(case, self.out, "--max-wall", "0.01s")
        self.assertEqual(code, 75, said)
        done, stopped = figures(self.out)
        self.assertLess(done, steps)
        self.assertGreater(stopped[0], 0)
        self.assertEqual(stopped[2], whole[2])
        code, said = self.runner.run(case, self.out, "--resume", ranks=2)
        self.assertEqual(code, 0, said)
        done, resumed = figures(self.out)
        self.assertEqual(done, steps)
        self.assertAlmostEqual(resumed[0] / whole[0], 1, delta=1e-12)
        self.assertEqual(resumed[1:], whole[1:])

    def test_max_wall_stops_with_a_checkpoint(self):
        code, said = self.runner.run(self.box, self.out, "--max-wall", "1s", "--set", "time.steps=10000000", "--set", OFF)
        self.assertEqual(code, 75, said)
        self.assertIn("stopped (--max-wall)", said)
        self.assertEqual(self.runner.checkpoints(self.out), ["000001"])
        self.assertEqual(self.runner.run(self.box, self.out, "--resume", "--max-wall", "soon")[0], 64)

    def test_a_damaged_checkpoint_is_skipped_for_the_one_before(self):
        self.stopped()
        names = self.runner.checkpoints(self.out)
        self.assertEqual(len(names), 2)
        state = self.runner.path(self.out, "checkpoint", names[1], "rank-0000.h5")
        data = bytearray(state.read_bytes())
        data[len(data) // 2] ^= 1
        state.write_bytes(data)
        said = self.resume(self.box)
        self.assertIn("is damaged", said)
        self.assertEqual(went_on_from(said), names[0])
        self.assertTrue(self.runner.path(self.out, "checkpoint", names[1] + ".bad").is_dir())
        self.check_whole(self.box)

    def test_without_a_usable_checkpoint_nothing_starts_afresh(self):
        self.stopped()
        for name in self.runner.checkpoints(self.out):
            commit = self.runner.path(self.out, "checkpoint", name, "COMMIT.json")
            commit.write_text(commit.read_text(encoding="utf-8").replace('"step": ', '"step": 1'), encoding="utf-8")
        before = self.runner.path(self.out, "results.h5").read_bytes()
        said = self.resume(self.box, code=77)
        self.assertEqual(said.count("COMMIT.json is damaged"), 2)
        self.assertEqual(self.runner.path(self.out, "results.h5").read_bytes(), before)
        shutil.rmtree(self.runner.path(self.out, "checkpoint"))
        self.assertIn("holds no checkpoint", self.resume(self.box, code=77))
        shutil.rmtree(self.runner.path(self.out))
        self.assertIn("contains no run", self.resume(self.box, code=64))
        self.assertFalse(self.runner.path(self.out).exists())

    def test_a_changed_stream_is_noticed(self):
        self.stopped()
        stream = self.runner.path(self.out, "streams", "probe-side.stream")
        data = bytearray(stream.read_bytes())
        data[200] ^= 1
        stream.write_bytes(data)
        self.assertIn("probe-side.stream is damaged", self.resume(self.box, code=77))

    def test_changed_fields_are_noticed(self):
        self.stopped()
        fields = self.runner.path(self.out, "fields", "middle.vtkhdf")
        with h5py.File(fields, "r+") as file:
            file["VTKHDF/PointData/E"][5, 1] += 1
        said = self.resume(self.box, code=77)
        self.assertIn("middle.vtkhdf: the fields of step 0 are not those that the checkpoint goes with", said)
        fields.unlink()
        self.assertIn("middle.vtkhdf is missing", self.resume(self.box, code=77))

    # Nothing leaves the box, so that the march lasts a second or more: it is stopped once two checkpoints were seen.
    SLOW_DECAY = ("--set", "boundaries={default: pec}", "--set", "materials.lossy.sigma=0.005")

    def level_before(self, step):
        """Energy in dB of its maximum at the look before `step`, of a march without the rule."""
        code, said = self.runner.run(self.box, self.out + ".before", *self.SLOW_DECAY, "--set", f"time.steps={step}", "--set",
                                     "outputs.energy.every=8", "--set", OFF)
        self.assertEqual(code, 0, said)
        with h5py.File(self.runner.path(self.out + ".before", "results.h5")) as file:
            energy = file["energy/total"][()]
        return 10 * math.log10(energy[(step - 128) // 8] / energy.max())

    def test_energy_decay_ends_a_resumed_march_at_the_same_step(self):
        decay = (*self.SLOW_DECAY, "--set", "time.energy_decay=-30 dB", "--set", "time.steps=15000")
        code, said = self.runner.run(self.box, self.out + ".whole", *decay, "--set", OFF)
        self.assertEqual(code, 0, said)
        match = re.search(r"run stopped by time.energy_decay at step (\d+) of 15000 .*the energy is at (-\S+) dB", said)
        self.assertTrue(match, said)
        step, level = int(match[1]), float(match[2])
        self.assertTrue(step % 128 == 0 and level <= -30, said)
        self.assertGreater(self.level_before(step), -30, said)
        with h5py.File(self.runner.path(self.out + ".whole", "results.h5")) as file:
            self.assertEqual(("time.energy_decay", step), (file.attrs["ended_by"], file.attrs["steps_done"]))
            self.assertEqual(step + 1, len(file["probes/centre/time"]))
            self.assertEqual(step * file.attrs["time_step"], file["probes/side/time"][-1])
        self.stopped(self.box, *decay)
        self.resume(self.box, *decay, ranks=2)
        whole = datasets(self.runner.path(self.out + ".whole", "results.h5"))
        self.assertEqual(datasets(self.runner.path(self.out, "results.h5")), whole)
        fields = fields_of(self.runner.path(self.out + ".whole"))
        self.assertTrue(fields_of(self.runner.path(self.out)) == fields)
        with h5py.File(self.runner.path(self.out, "fields", "middle.vtkhdf")) as file:
            self.assertEqual(list(range(0, step, 500)) + [step],
                             list((file["VTKHDF/Steps/Values"][()] / whole_step(self)).round().astype(int)))

    def test_another_case_or_mesh_is_refused_with_what_differs(self):
        self.stopped()
        said = self.resume(self.box, "--set", "materials.lossy.sigma=0.02", "--set", "title=new", code=77)
        self.assertIn("materials.lossy.sigma: 0.02 (was 0.01)", said)
        self.assertNotIn("title", said)
        said = self.resume(self.box, "--set", "mesh.box.seed=2", code=77)
        self.assertIn("mesh.box.seed: 2 (was 1)", said)
        self.assertEqual(self.runner.run(self.box, self.out, "--resume", "--overwrite")[0], 64)
        self.resume(self.box, "--set", "title=new", "--set", OFF)
        self.check_whole(self.box)

    def test_a_complete_run_has_nothing_to_resume(self):
        shutil.copytree(self.runner.path(self.box + ".whole"), self.runner.path(self.out))
        before = self.runner.path(self.out, "results.h5").read_bytes()
        for ranks in (1, 2):
            said = self.resume(self.box, "--set", OFF, ranks=ranks)
            self.assertRegex(said, "the run in .* is complete since 20.*: there is nothing to resume; --overwrite runs it again")
        said = self.resume(self.box, "--set", OFF, "--set", "time.steps=7000", code=77)
        self.assertRegex(said, "is complete and of another case .*, which cannot go on as this one, as no checkpoint was kept")
        self.assertEqual(self.runner.path(self.out, "results.h5").read_bytes(), before)

    def test_a_run_that_kept_no_checkpoint_says_what_keeps_one(self):
        self.stopped()
        shutil.rmtree(self.runner.path(self.out, "checkpoint"))
        said = self.resume(self.box, "--set", OFF, code=77)
        self.assertIn("holds no checkpoint to resume from: a run writes one when a signal or --max-wall stops it and, with "
                      "run.checkpoint.every (such as 10 min), while it runs; run again with --overwrite instead of --resume", said)

    def test_a_run_goes_on_to_a_later_end(self):
        text = BOX.replace("every: 500", "frequencies: [3 GHz]").replace("    frequencies: [4 GHz]\n", "")
        short = self.runner.case(text.replace("{steps: 6000}", "{steps: 3000}"), "short.yaml")
        longer = self.runner.case(text, "longer.yaml")
        code, said = self.runner.run(longer, self.out + ".whole", "--set", OFF)
        self.assertEqual(code, 0, said)
        self.assertEqual(self.runner.run(short, self.out)[0], 0)  # to its end
        said = self.resume(longer, "--set", OFF, ranks=2)
        self.assertIn("of 6000", said)
        self.assertEqual(datasets(self.runner.path(self.out, "results.h5")), datasets(self.runner.path(self.out + ".whole", "results.h5")))
        self.assertEqual(fields_of(self.runner.path(self.out)), fields_of(self.runner.path(self.out + ".whole")))
        said = self.resume(longer, "--set", "time.steps=5", code=77)
        self.assertRegex(said, r"the checkpoint is at step \d+, the run ends at step 5: increase time.end or time.steps")

    def test_another_time_is_refused_with_several_marches_and_with_fields_over_time(self):
        self.stopped()
        said = self.resume(self.box, "--set", "time.steps=7000", code=77)
        self.assertIn("time.steps: 7000 (was 6000)\nonly time may differ, in a case with one excitation and without outputs.fields.every", said)

    def test_another_mesh_in_the_same_file_is_refused(self):
        write_coax(self.folder / "other.h5")
        case = self.runner.case(COAX.replace("coax.h5", "other.h5"), "other.yaml")
        self.stopped(case)
        write_coax(self.folder / "other.h5", length=6.001e-3)
        self.assertIn("of another mesh", self.resume(case, code=77))

    def test_a_second_run_in_the_same_directory_is_refused(self):
        process = self.runner.start(self.box, self.out, "--set", "time.steps=10000000")
        while not self.runner.checkpoints(self.out):
            time.sleep(0.01)
        self.assertEqual(self.runner.run(self.box, self.out, "--overwrite")[0], 64)
        process.kill()
        self.runner.end_of(process)

    def test_only_the_newest_checkpoints_are_kept(self):
        self.stopped(self.box, "--set", "run.checkpoint.keep=3")
        self.resume(self.box, "--set", "run.checkpoint.keep=3")
        names = self.runner.checkpoints(self.out)
        self.assertEqual(len(names), 3)
        commits = [json.loads(self.runner.path(self.out, "checkpoint", name, "COMMIT.json").read_text(encoding="utf-8"))
                   for name in names]
        steps = [commit["checkpoint"]["step"] for commit in commits]
        self.assertEqual(steps, sorted(steps))
        left = [entry.name for entry in self.runner.path(self.out, "checkpoint").iterdir()]
        self.assertEqual(sorted(left), names)

    def test_instability_names_the_element_and_the_last_checkpoint_stands(self):
        with h5py.File(self.runner.path(self.box + ".whole", "results.h5")) as file:
            limit = float(file.attrs["time_step"]) / 0.9
        step = ("--set", f"method={{allow_unstable: true, time_step: {1.05 * limit!r}}}", "--set", OFF)
        for ranks in (1, 2):
            code, said = self.runner.run(self.box, self.out, *step, "--overwrite", ranks=ranks)
            self.assertEqual(code, 76, said)
            self.assertRegex(said, r"unstable at step \d+ .*worst is element \d+ at \([^)]+\) m in region 'box' "
                                   r"\(material 'lossy'\); the time step .* is 1.05 of the stable limit")
        self.assertEqual(self.runner.checkpoints(self.out), [])

    def test_on_a_full_disk_the_older_checkpoint_stands(self):
        disk = self.runner.path("disk")
        disk.mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8000k", "tmpfs", str(disk)], capture_output=True,
                               check=False)
        if mount.returncode != 0:
            self.skipTest("no tmpfs can be mounted here")
        try:
            code, said = self.runner.stop(self.box, "disk/run", signal.SIGUSR1, "--set", "run.checkpoint.keep=1")
            self.assertEqual(code, 75, said)
            names = self.runner.checkpoints("disk/run")
            with open(disk / "filler", "wb") as filler:
                free = os.statvfs(disk)
                filler.write(bytes(free.f_bavail * free.f_bsize - 100000))
            code, said = self.runner.run(self.box, "disk/run", "--resume", "--set", "time.steps=6000", "--set",
                                         "run.checkpoint.every=1 ms", ranks=1)
            self.assertEqual(code, 74, said)
            self.assertIn("older ones are kept", said)
            self.assertEqual(self.runner.checkpoints("disk/run"), names)
            self.assertEqual(sorted(entry.name for entry in (disk / "run/checkpoint").iterdir()), names)
            (disk / "filler").unlink()
            shutil.copytree(disk / "run", self.runner.path(self.out))
        finally:
            subprocess.run(["umount", "-l", str(disk)], check=False)
        self.resume(self.box, "--set", "run.checkpoint.keep=1")
        self.check_whole(self.box)


if __name__ == "__main__":
    unittest.main()
