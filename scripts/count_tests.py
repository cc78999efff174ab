"""Adds up the test cases of one ctest run, and names the entries that take most CPU seconds.

usage: count_tests.py JUNIT COUNTS [MOST]
JUNIT: what `ctest --output-junit` wrote; COUNTS: the folder with one file `PASSED FAILED SECONDS` per entry
(tests/README.md). An entry without such a file counts as one case; one that failed without a failed case (a crash, a
timeout, another rank) has one failed case more. An entry that skipped itself (no GPU here) counts as nothing. Prints
`PASSED FAILED`; with MOST a table of that many entries instead: CPU seconds, wall-clock seconds, name.
"""

import sys
import xml.etree.ElementTree as xml
from pathlib import Path


def skipped_itself(entry):
    """Whether the entry's own SKIP_RETURN_CODE or SKIP_REGULAR_EXPRESSION was met; a missing program is a failure."""
    skipped = entry.find("skipped")
    return skipped is not None and skipped.get("message", "").startswith("SKIP_")


def written_by(entry, counts):
    """[PASSED, FAILED, SECONDS] as the entry left them, None where it did not."""
    try:
        passed, failed, seconds = (counts / entry.get("name")).read_text(encoding="utf-8").split()
        return int(passed), int(failed), float(seconds)
    except (OSError, ValueError):
        return None


def cases_of(entry, counts):
    """(passed, failed) of one ctest entry."""
    if skipped_itself(entry):
        return 0, 0
    failed_entry = entry.get("status") != "run"
    written = written_by(entry, counts)
    if written is None:
        return (0, 1) if failed_entry else (1, 0)
    return written[0], max(written[1], 1) if failed_entry else written[1]


def print_dearest(entries, counts, most):
    used = [((written_by(entry, counts) or (0, 0, 0.0))[2], float(entry.get("time", 0)), entry.get("name")) for entry in entries]
    print(f"{'CPU s':>9}{'wall s':>9}  test")
    for cpu, wall, name in sorted(used, reverse=True)[:most]:
        print(f"{cpu:9.1f}{wall:9.1f}  {name}")
    print(f"{sum(cpu for cpu, _, _ in used):9.1f}{sum(wall for _, wall, _ in used):9.1f}  all {len(used)}")


def main(junit, counts, most=None):
    entries = [entry for entry in xml.parse(junit).getroot().iter("testcase") if entry.get("status") != "disabled"]
    if most:
        print_dearest(entries, Path(counts), int(most))
        return
    cases = [cases_of(entry, Path(counts)) for entry in entries]
    print(sum(passed for passed, _ in cases), sum(failed for _, failed in cases))


if __name__ == "__main__":
    main(*sys.argv[1:])
