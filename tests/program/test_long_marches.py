"""Marches of a billion steps are checked and begun in seconds, or refused with the number; a signal ends a run at any stage."""

import json
import os
import pty
import signal
import subprocess
import time

from programs import PROGRAM, ProgramTest

LONG = """\
mesh: {box: {size: [0.03, 0.02, 0.04], cells: [3, 2, 4]}}
materials: {air: {}}
regions: {box: air}
boundaries: {pec: [x0, x1, y0, y1, z1]}
ports: [{name: p, boundary: z0, type: lumped, resistance: 300, direction: [0, 1, 0], excite: {waveform: w}}]
waveforms: {w: {type: gaussian, width: 20 ps}}
time: {steps: 1e9}
outputs: {probes: [{name: a, point: [0.01, 0.01, 0.01]}], energy: {every: 1000}}
run: {threads: 1}
"""
DIPOLE = "sources=[{type: dipole, position: [0.01, 0.01, 0.01], direction: [0, 1, 0], waveform: w}]"


class LongMarches(ProgramTest):
    def start(self, *options):
        return subprocess.Popen([str(PROGRAM), "run", "case.yaml", "--quiet", *options], cwd=self.folder, stderr=subprocess.PIPE, text=True)

    def end(self, process, seconds=20):
        """Exit code and what was said, after a TERM."""
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=seconds)[1]
        return process.returncode, said

    def wait_for(self, *names, seconds=40):
        end = time.monotonic() + seconds
        path = self.folder.joinpath(*names)
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.02)
        self.assertTrue(path.exists(), path)

    def test_a_billion_steps_are_checked_in_seconds(self):
        self.write("case.yaml", LONG)
        code, said, error = self.call("check", "case.yaml", "--json", timeout=30)
        self.assertEqual(code, 0, error)
        self.assertEqual(json.loads(said)["steps"], 10**9)

    def test_a_run_of_a_billion_steps_begins_at_once_and_stops_at_a_signal(self):
        self.write("case.yaml", LONG)
        process = self.start()
        self.wait_for("case.out", "streams", "port-p.stream")
        time.sleep(1)
        code, said = self.end(process)
        self.assertEqual(code, 75, said)
        self.assertIn("--resume", said)

    def test_messages_begin_a_new_line_after_the_progress_of_a_terminal(self):
        self.write("case.yaml", LONG)
        ours, terminal = pty.openpty()
        self.addCleanup(os.close, ours)
        process = subprocess.Popen([str(PROGRAM), "run", "case.yaml", "--max-wall", "2s"], cwd=self.folder, stderr=terminal)
        os.close(terminal)
        shown = b""
        while True:
            try:
                shown += os.read(ours, 4096)
            except OSError:  # the program has ended
                break
        self.assertEqual(process.wait(timeout=20), 75, shown)
        self.assertRegex(shown, rb"dof-updates/s  [0-9:]+ left")
        self.assertRegex(shown, rb" left\r\ncheckpoint 000001 at step ")

    def test_waveforms_that_are_kept_for_all_steps_are_refused_with_the_number(self):
        self.write("case.yaml", LONG)
        for change, text in ((DIPOLE, "time: 1000000000 steps are too many for sources inside the mesh and ports with memory, whose waveforms "
                                      "are kept for all of them: at most 1.25e+08"),
                             ("waveforms.w={type: expression, expression: sin(2e10*t)}",
                              "time: 1000000000 steps are too many for the waveform 'w', which acts until their end: at most 1e+08")):
            code, _, error = self.call("check", "case.yaml", "--set", change, timeout=30)
            self.assertEqual(code, 78)
            self.assertIn(text, error)

    def test_a_signal_ends_a_run_that_is_set_up(self):
        self.write("case.yaml", LONG.replace("cells: [3, 2, 4]", "cells: [60, 40, 80]"))
        process = self.start()
        self.wait_for("case.out", ".starting", "log.txt")
        code, said = self.end(process, seconds=5)
        self.assertEqual(code, -signal.SIGTERM, said)
