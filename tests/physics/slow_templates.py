"""The templates of `tetrawave new` as they are written: what they give, beside closed forms, and how long they take."""

import os
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "program"))
import templates  # noqa: E402

LONGEST_S = 40  # of work: 20 s on two cores


def work_of_children_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Templates(unittest.TestCase):
    def test_every_template_gives_its_closed_form_within_20_seconds_on_two_cores(self):
        program = os.environ["TETRAWAVE_PROGRAM"]
        for kind in ("cavity", *templates.KINDS):
            with self.subTest(kind=kind), tempfile.TemporaryDirectory(prefix="tw-template-") as folder:
                subprocess.run([program, "new", kind], cwd=folder, check=True, capture_output=True)
                begin = work_of_children_s()
                subprocess.run([program, "run", f"{kind}.yaml", "--quiet"], cwd=folder, check=True, capture_output=True)
                used = work_of_children_s() - begin
                print(f"{kind}: {used:.1f} s of work")
                self.assertLess(used, LONGEST_S)
                templates.check(kind, Path(folder) / f"{kind}.out")


if __name__ == "__main__":
    unittest.main()
