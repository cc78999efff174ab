"""tetrawave-plot scaling: times over GPUs from results files, beside those of the papers."""

import argparse
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS))
from plotting import scaling  # noqa: E402
from plotting.base import USAGE, Failure  # noqa: E402

BENCH = {"rank_table": {"rows": [{"scheme": "dfdd-eld", "basis": "full-1", "elements": 1000000, "ranks": n, "transport": None if n == 1 else "ipc",
                                  "seconds_per_step": 1e-3 / n**0.5, "bytes_per_step": 2e9} for n in (1, 4)]}}
RUNS = {"cases": {"kerr": {"runs": [{"name": f"coax, newton, {n} GPUs", "elements": 110592, "ranks": n, "ms_per_step": 0.4 / n, "steps_done": 100,
                                     "seconds_communication": 0.002, "bytes_per_step": None} for n in (1, 2)]}}}


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(USAGE, message)


class Scaling(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.addCleanup(plt.close, "all")
        self.files = [Path(place.name) / f"{name}.json" for name in ("bench", "runs")]
        for path, content in zip(self.files, (BENCH, RUNS)):
            path.write_text(json.dumps(content), encoding="utf-8")

    def test_runs_of_any_file_are_joined_over_numbers_of_gpus(self):
        curves = scaling.curves_of(self.files, "")
        self.assertEqual(list(curves), ["coax, newton", "dfdd-eld, full-1, 1 M elements"])
        bench = curves["dfdd-eld, full-1, 1 M elements"]
        self.assertEqual([(point.ranks, point.ms, point.gbs) for point in bench], [(1, 1.0, 2000.0), (4, 0.5, 1000.0)])
        self.assertEqual([point.ms_communication for point in curves["coax, newton"]], [0.02, 0.02])
        self.assertEqual(list(scaling.curves_of(self.files, "^coax")), ["coax, newton"])

    def test_what_a_shortened_file_lacks_is_in_the_names_and_in_runs_of_the_same_name(self):
        self.files[0].write_text(json.dumps({"runs": [{"name": "vias, 2 GPUs", "elements": 10, "ms_per_step": 2.0, "bytes_per_step": 8e6},
                                                      {"array": "cells", "gpus": 4, "elements": 10, "ms_per_step": 1.0}]}), encoding="utf-8")
        self.files[1].write_text(json.dumps({"runs": [{"name": f"vias, {n}", "elements": 10, "ms_per_step": ms} for n, ms in (("one GPU", 4.0), ("4 GPUs", 1.0))]}),
                                 encoding="utf-8")
        curves = scaling.curves_of(self.files, "")
        self.assertEqual([(point.ranks, point.ms, point.gbs) for point in curves["vias"]], [(1, 4.0, 2.0), (2, 2.0, 2.0), (4, 1.0, 2.0)])
        self.assertEqual([(point.ranks, point.gbs) for point in curves["cells"]], [(4, None)])

    def test_times_of_a_table_of_the_papers_are_read_with_their_numbers_of_gpus(self):
        self.assertEqual(scaling.theirs_of("Table 4.10")["DFDD-ELD"], [(1, 32.7), (2, 18.12), (4, 10.61), (8, 5.4), (16, 2.94)])
        self.assertEqual(scaling.theirs_of("Table 4.5"), {"": [(1, 6.03), (2, 3.24), (4, 1.8), (8, 1.07), (16, 0.77)]})
        with self.assertRaisesRegex(Failure, "--table Table 9: not one of tools/papers.json"):
            scaling.theirs_of("Table 9")

    def test_speed_ups_are_over_the_fewest_gpus_of_a_curve(self):
        figure = plt.figure()
        scaling.draw(figure, scaling.curves_of(self.files, ""), {"": [(2, 8.0), (16, 2.0)]})
        times, rates, gains, _ = figure.axes
        self.assertEqual([list(line.get_ydata()) for line in gains.lines], [[1, 2], [1, 2], [2, 8], [1, 16]])
        self.assertEqual([list(line.get_ydata()) for line in rates.lines], [[2000, 1000]])
        self.assertIn("theirs", [line.get_label() for line in times.lines])

    def test_the_command_draws_and_refuses(self):
        picture = self.files[0].with_suffix(".png")
        done = subprocess.run([sys.executable, TOOLS / "tetrawave-plot", "scaling", *self.files, "--table", "Table 5.2", "-o", picture],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, picture.exists()), (0, True), done.stderr)
        for words, code, text in (((self.files[0], "--match", "nothing"), 65, "no run with elements and ms_per_step whose name matches 'nothing'"),
                                  ((self.files[0].with_name("no.json"),), 66, "no.json: No such file"), ((self.files[0], "--match", "("), 64, "--match (:"),
                                  ((picture,), 65, "not a JSON file")):
            with self.assertRaises(Failure) as refused:
                scaling.run(list(map(str, words)), Parser)
            self.assertEqual(refused.exception.code, code)
            self.assertIn(text, str(refused.exception))


if __name__ == "__main__":
    unittest.main()
