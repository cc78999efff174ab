"""Runs the unittest files test_*.py of one folder, or those of a pattern, and leaves `PASSED FAILED` where TETRAWAVE_TEST_COUNTS says."""

import os
import sys
import unittest


def main(folder, pattern="test_*.py"):
    suite = unittest.defaultTestLoader.discover(folder, pattern)
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    passed = max(result.testsRun - failed - len(result.skipped), 0)
    if path := os.environ.get("TETRAWAVE_TEST_COUNTS"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{passed} {failed}\n")
    if result.testsRun == 0:
        print(f"{folder}: no tests found")
    return 0 if result.testsRun and result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
