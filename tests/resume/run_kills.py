#!/usr/bin/env python3
"""The long version of the kill test.

usage: tests/resume/run_kills.py --program build/bin/tetrawave [--mpiexec mpiexec] [--count 100]
"""

import argparse
import os
import sys
import unittest
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--mpiexec", default="mpiexec")
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args()
    os.environ |= {"TETRAWAVE_PROGRAM": str(given.program.resolve()), "TETRAWAVE_MPIEXEC": given.mpiexec,
                   "TETRAWAVE_KILLS": str(given.count)}
    sys.path.insert(0, str(Path(__file__).parent))
    name = "test_resume.ResumeTest.test_killed_at_random_times_results_are_bitwise_right"
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromName(name))
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
