#!/usr/bin/env python3
"""Where the time of a build goes, from Ninja's log: seconds by room and the slowest objects.

usage: build_times.py [BUILD] [--most N] [--limit S]
  BUILD       build folder (default: build)
  --most N    how many objects are listed (default: 10)
  --limit S   exit code 1 when an object took more than S seconds

Seconds are wall-clock time of the compiler, with as many beside it as there were jobs. Only objects that exist count,
each as it was last compiled; one that ccache had takes next to nothing.
"""
import argparse
import collections
import pathlib
import re
import sys


def read_log(build):
    """{output: seconds} of what is there."""
    log = build / ".ninja_log"
    if not log.exists():
        sys.exit(f"build_times.py: {log} is not there: BUILD is a folder that Ninja has built in")
    seconds = {}
    for line in log.read_text().splitlines()[1:]:
        begin, end, _, output, _ = line.split("\t")
        seconds[output] = (int(end) - int(begin)) / 1000
    return {output: s for output, s in seconds.items() if (build / output).exists()}


def room_of(output):
    """The room of an object: a folder of src, 'kernels of v4', 'cuda', 'tests', .. ; other outputs are 'linking'."""
    if not output.endswith(".o"):
        return "linking and files"
    target = re.search(r"CMakeFiles/([^/]+)\.dir/", output).group(1)
    if target.startswith("tw_host_"):
        return "kernels of " + target.removeprefix("tw_host_")
    if output.startswith("tests/"):
        return "tests"
    return target.removeprefix("tw_")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:], add_help=True)
    parser.add_argument("build", nargs="?", default="build", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=10)
    parser.add_argument("--limit", type=float)
    options = parser.parse_args()
    seconds = read_log(options.build)
    rooms = collections.defaultdict(list)
    for output, s in seconds.items():
        rooms[room_of(output)].append(s)
    print(f"{'room':<24}{'seconds':>9}{'objects':>9}{'slowest':>9}")
    for room, of_room in sorted(rooms.items(), key=lambda item: -sum(item[1])):
        print(f"{room:<24}{sum(of_room):9.1f}{len(of_room):9d}{max(of_room):9.1f}")
    print(f"{'all':<24}{sum(seconds.values()):9.1f}{len(seconds):9d}\n")
    slowest = sorted(((s, output) for output, s in seconds.items() if output.endswith(".o")), reverse=True)
    for s, output in slowest[: options.most]:
        print(f"{s:8.1f}  {output}")
    above = [output for s, output in slowest if options.limit is not None and s > options.limit]
    if above:
        print(f"\n{len(above)} object(s) took more than {options.limit:g} s: split them")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
