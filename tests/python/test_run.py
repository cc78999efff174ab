"""Runs from Python: results, errors, progress, interrupts, and what all that costs."""

import contextlib
import io
import os
import re
import signal
import subprocess
import time
import unittest
from pathlib import Path

import h5py
import numpy as np
from package import FolderTest, cavity, guide, tw
from tetrawave import running

C0 = 299792458.0


class RunTest(FolderTest):
    def test_a_character_that_comes_in_two_pieces_stays_whole(self):
        reader, writer = os.pipe()
        lines = running._lines(reader)
        os.write(writer, b"one\n\xc2")
        first = next(lines)
        os.write(writer, b"\xb5m\n")
        os.close(writer)
        self.assertEqual([first, *lines], ["one", "\u00b5m"])
        os.close(reader)

    def test_a_case_becomes_s_parameters_that_are_those_of_the_guide(self):
        run = tw.run(guide(), "guide.out", progress=False)
        self.assertEqual(run.port_names, ["near", "far"])
        np.testing.assert_allclose(run.frequency, [9e9, 10e9, 11e9])
        beta = np.sqrt((2 * np.pi * run.frequency / C0) ** 2 - (np.pi / 0.02) ** 2)
        np.testing.assert_allclose(run.s[:, 1, 0], np.exp(-1j * beta * 0.04), atol=2e-3)
        np.testing.assert_allclose(run.s[:, 0, 0], 0, atol=2e-3)
        self.assertEqual(run.attributes["mode"], "frequency-domain")
        self.assertEqual(run.ports.near.units["voltage"], "V")
        again = tw.run(guide(), "renormalised.out", progress=False, set={"outputs.s_parameters.impedance": [50, 75]})
        np.testing.assert_array_equal(again.s_parameters.attributes["impedance"], [50, 75])  # what S and the Touchstone file have
        with self.assertRaisesRegex(KeyError, "/ports has no 'nera'; it has far, near"):
            run.ports["nera"]
        with self.assertRaisesRegex(KeyError, "results.h5: / has no 'far_field/1e9'; it has .*s_parameters"):
            run["far_field/1e9"]
        self.assertEqual(run["ports/near"].voltage.shape, run["ports/near/current"].shape)
        self.assertEqual(run.case.method.basis, "mixed-2")
        self.assertIn("results: ", run.log)
        self.assertTrue((self.folder / "guide.out" / "input" / "case.yaml").is_file())

    def test_an_array_that_is_driven_together_says_why_it_has_no_ports_of_s(self):
        with h5py.File(self.folder / "results.h5", "w") as file:
            file["s_parameters/frequency"] = [1e9]
            file["s_parameters/active/p"] = np.zeros((1, 2, 2), complex)
        with self.assertRaisesRegex(KeyError, "no S, as the cells of the array are driven together; s_parameters/active has reflections"):
            tw.Run(self.folder).port_names  # noqa: B018

    def test_a_case_file_is_run_where_it_is_and_overrides_reach_it(self):
        guide().write("guide.yaml")
        run = tw.run("guide.yaml", progress=False, set={"frequency": {"values": [1e10]}, "ports.1.name": "other"}, threads=1)
        self.assertEqual(run.directory.name, "guide.out")
        self.assertEqual((run.s.shape, run.port_names), ((1, 2, 2), ["near", "other"]))
        self.assertEqual(run.attributes["threads"], 1)
        self.assertFalse((run.directory / "input").exists())

    def test_ranks_change_no_bit_of_a_march(self):
        one = tw.run(cavity(), "one.out", progress=False)
        two = tw.run(cavity(), "two.out", ranks=2, progress=False)
        self.assertEqual(two.attributes["ranks"], 2)
        np.testing.assert_array_equal(one.probes.mid.E, two.probes.mid.E)
        np.testing.assert_allclose(one.energy.total, one.energy.total[0], rtol=1e-12)

    def test_errors_of_the_case_come_with_their_places(self):
        case = cavity()
        case.regions.box = "ari"
        case.time["end"] = 1e-9
        for directory in ("a.out", "deep/b.out"):
            with self.assertRaises(tw.CaseError) as caught:
                tw.run(case, directory, progress=False)
            places = caught.exception.places
            self.assertEqual(caught.exception.exit_code, 78)
            self.assertIn("regions.box", [place.key for place in places])
            self.assertTrue(all(place.line and place.column and place.file.endswith("input/case.yaml") for place in places))
            self.assertIn("there is no material 'ari' (did you mean 'air'?)", str(caught.exception))
        with contextlib.redirect_stderr(io.StringIO()) as shown, self.assertRaises(tw.CaseError):
            tw.run(case, "a.out")
        self.assertNotIn("error", shown.getvalue())  # the exception has it; the line of progress does not cut it off
        self.assertEqual(list(self.folder.iterdir()), [])
        with self.assertRaises(tw.CaseError):
            tw.check(case)

    def test_other_ends_of_the_program_are_exceptions_with_its_exit_code(self):
        with self.assertRaises(tw.TetrawaveError) as caught:
            tw.run("none.yaml", progress=False)
        self.assertEqual(caught.exception.exit_code, 66)
        tw.run(cavity(), "c.out", progress=False)
        with self.assertRaises(tw.TetrawaveError) as caught:
            tw.run(cavity(), "c.out", progress=False)
        self.assertEqual(caught.exception.exit_code, 64)
        self.assertIn("overwrite=True", str(caught.exception))
        tw.run(cavity(), "c.out", progress=False, overwrite=True)
        unstable = cavity(method={"time_step": "1 ns", "allow_unstable": True})
        with self.assertRaises(tw.TetrawaveError) as caught:
            tw.run(unstable, "u.out", progress=False)
        self.assertEqual(caught.exception.exit_code, 76)

    def test_check_and_mesh_and_info_answer(self):
        found = tw.check(cavity())
        self.assertEqual(found["mesh"]["elements"], 6 * 6 * 4 * 8)
        self.assertTrue(tw.mesh(cavity(), "box.h5").is_file())
        self.assertIn("tetrawave ", tw.info())

    def test_an_interrupt_leaves_a_checkpoint_that_goes_on_to_the_same_bits(self):
        long = cavity(time={"steps": 16000})
        seen = []
        whole = tw.run(long, "whole.out", progress=seen.append)
        seconds = next(float(found[1]) for line in seen if (found := re.search(r"16000 steps in ([0-9.e+-]+) s", line.text)))
        for ranks in (1, 2):
            stopped = self.stop_within(long, ranks, seconds)
            resumed = tw.run(long, stopped.directory, resume=True, progress=False)
            np.testing.assert_array_equal(resumed.probes.mid.E, whole.probes.mid.E)

    def stop_within(self, case, ranks, seconds):
        """The exception of a run that is interrupted between its first step and its last, of which a machine whose load changes
        takes some `seconds`."""
        for share in (0.3, 0.1, 0.03):
            def interrupt(progress):
                if progress.text.startswith("set-up took"):
                    time.sleep(share * seconds)  # noqa: B023
                    os.kill(os.getpid(), signal.SIGINT)

            try:
                tw.run(case, f"stopped-{ranks}.out", ranks=ranks, progress=interrupt, overwrite=True)
            except tw.Stopped as stopped:
                self.assertEqual(stopped.exit_code, 75)
                return stopped
            except KeyboardInterrupt:  # it had ended
                continue
        return self.fail("every run was over before it was interrupted")

    def test_an_interrupt_before_the_first_step_ends_the_run(self):
        with self.assertRaises(KeyboardInterrupt):
            tw.run(cavity(time={"steps": 10**6}), "early.out", progress=lambda _: os.kill(os.getpid(), signal.SIGINT))

    def test_sigterm_stops_the_program_with_a_checkpoint_before_python_exits(self):
        seen = []

        def terminate(progress):
            if progress.done and not seen:  # a second one would end Python at once
                seen.append(progress.done)
                os.kill(os.getpid(), signal.SIGTERM)

        with self.assertRaises(SystemExit) as caught:
            tw.run(cavity(time={"steps": 10**8}), "terminated.out", progress=terminate)
        self.assertEqual(caught.exception.code, 128 + signal.SIGTERM)
        self.assertEqual(signal.getsignal(signal.SIGTERM), signal.SIG_DFL)
        self.assertIn("checkpoint", Path("terminated.out/log.txt").read_text())

    def test_progress_tells_the_steps_that_are_done(self):
        seen = []
        tw.run(cavity(), "c.out", progress=seen.append)
        self.assertEqual((seen[0].done, [(line.done, line.total) for line in seen if line.done][-1]), (None, (200, 200)))
        seen.clear()
        tw.run(guide(), "g.out", progress=seen.append)
        self.assertEqual([(line.done, line.total) for line in seen if line.done][-1], (3, 3))

    def test_python_adds_less_than_a_second_to_the_program(self):
        cavity().write("cavity.yaml")
        alone, within = [], []
        for _ in range(3):
            begin = time.perf_counter()
            subprocess.run([tw_program(), "run", "cavity.yaml", "-o", "a.out", "--overwrite", "--quiet"], check=True)
            alone.append(time.perf_counter() - begin)
            begin = time.perf_counter()
            _ = tw.run(cavity(), "b.out", overwrite=True, progress=False).energy.total
            within.append(time.perf_counter() - begin)
        print(f"program {min(alone):.3f} s, by Python {min(within):.3f} s")
        self.assertLess(min(within) - min(alone), 1.0)

    def test_figures_are_those_of_tetrawave_plot(self):
        run = tw.run(guide(), "guide.out", progress=False)
        figure = run.plot("smith")
        texts = [text.get_text() for part in figure.subfigs for axes in part.axes for text in axes.get_legend().get_texts()]
        self.assertEqual(texts, ["S11", "S22"])
        with self.assertRaisesRegex(Exception, "no far field in it"):
            run.plot("pattern")


def tw_program():
    from tetrawave import programs

    return programs.find("tetrawave")


if __name__ == "__main__":
    unittest.main()
