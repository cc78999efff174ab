"""Adds up the test cases of one ctest run.

usage: count_tests.py JUNIT COUNTS
JUNIT: what `ctest --output-junit` wrote; COUNTS: the folder with one file `PASSED FAILED` per entry (tests/README.md).
An entry without such a file counts as one case; one that failed without a failed case (a crash, a timeout, another
rank) has one failed case more. An entry that skipped itself (no GPU here) counts as nothing. Prints `PASSED FAILED`.
"""

import sys
import xml.etree.ElementTree as xml
from pathlib import Path


def skipped_itself(entry):
    """Whether the entry's own SKIP_RETURN_CODE or SKIP_REGULAR_EXPRESSION was met; a missing program is a failure."""
    skipped = entry.find("skipped")
    return skipped is not None and skipped.get("message", "").startswith("SKIP_")


def cases_of(entry, counts):
    """(passed, failed) of one ctest entry."""
    if skipped_itself(entry):
        return 0, 0
    failed_entry = entry.get("status") != "run"
    try:
        passed, failed = map(int, (counts / entry.get("name")).read_text(encoding="utf-8").split())
    except (OSError, ValueError):
        return (0, 1) if failed_entry else (1, 0)
    return passed, max(failed, 1) if failed_entry else failed


def main(junit, counts):
    entries = xml.parse(junit).getroot().iter("testcase")
    cases = [cases_of(entry, Path(counts)) for entry in entries if entry.get("status") != "disabled"]
    print(sum(passed for passed, _ in cases), sum(failed for _, failed in cases))


if __name__ == "__main__":
    main(*sys.argv[1:])
