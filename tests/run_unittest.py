"""Runs the unittest files test_*.py of one folder, or those of a pattern, or of these the cases whose name has a word in it, names the
cases that take most CPU seconds, and leaves `PASSED FAILED SECONDS` where TETRAWAVE_TEST_COUNTS says.

A file's own classes count, not those that it imports from another.
"""

import os
import resource
import sys
import unittest

DEAREST = 8  # cases that are named, from a second on


def cpu_seconds():
    """Of this process and of all programs that it has waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


class OwnCases(unittest.TestLoader):
    def loadTestsFromModule(self, module, **_):
        own = [item for item in vars(module).values()
               if isinstance(item, type) and issubclass(item, unittest.TestCase) and item.__module__ == module.__name__]
        return self.suiteClass([self.loadTestsFromTestCase(cases) for cases in own])


class Timed(unittest.TextTestResult):
    seconds = {}  # by case

    def startTest(self, test):
        self.seconds[test] = -cpu_seconds()
        super().startTest(test)

    def stopTest(self, test):
        self.seconds[test] += cpu_seconds()
        super().stopTest(test)


def main(folder, pattern="test_*.py", word=""):
    loader = OwnCases()
    loader.testNamePatterns = [f"*{word}*"] if word else None
    suite = loader.discover(folder, pattern)
    result = unittest.TextTestRunner(verbosity=1, resultclass=Timed).run(suite)
    for seconds, name in sorted(((s, test.id()) for test, s in Timed.seconds.items() if s >= 1), reverse=True)[:DEAREST]:
        print(f"{seconds:8.1f} s of CPU  {name}")
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    passed = max(result.testsRun - failed - len(result.skipped), 0)
    if path := os.environ.get("TETRAWAVE_TEST_COUNTS"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{passed} {failed} {cpu_seconds():.1f}\n")
    if result.testsRun == 0:
        print(f"{folder}: no tests found")
    return 0 if result.testsRun and result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
