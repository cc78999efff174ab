"""What can go wrong, as exceptions with the program's exit code and the places in the case."""

import re
from dataclasses import dataclass
from typing import List, Optional

_PLACE = re.compile(r"^(?P<file>.*?):(?:(?P<line>\d+):(?P<column>\d+):)? error: (?:(?P<key>[\w.\-]+): )?(?P<text>.*)$")


@dataclass(frozen=True)
class Place:
    """One error of a case: file as given, line and column from 1 (None for an override), key by its dotted path (""
    where the error is not of one key), and what is wrong."""

    file: str
    line: Optional[int]
    column: Optional[int]
    key: str
    text: str

    @classmethod
    def parse(cls, line: str) -> "Optional[Place]":
        """The place that a line of the program's standard error names.

        >>> Place.parse("a.yaml:3:19: error: materials.air: unknown key 'epsr'")
        Place(file='a.yaml', line=3, column=19, key='materials.air', text="unknown key 'epsr'")
        >>> Place.parse("results: a.out/results.h5")
        """
        found = _PLACE.match(line)
        if not found or found["file"] in ("tetrawave", "tetrawave-mesh"):
            return None
        number = {name: int(found[name]) if found[name] else None for name in ("line", "column")}
        return cls(found["file"], number["line"], number["column"], found["key"] or "", found["text"])


class TetrawaveError(Exception):
    """The program ended with an error. `exit_code` as in the README (64 options, 66 a file is missing, 69 no GPU, MPI or
    mesher, 71 out of memory, 74 reading or writing, 76 unstable, 78 the case, ..); `output` is what it printed."""

    def __init__(self, text: str, exit_code: int, output: str = ""):
        super().__init__(text)
        self.exit_code = exit_code
        self.output = output


class CaseError(TetrawaveError, ValueError):
    """The case, or a file that it names, is wrong: `places` has every error that was found, in the order of the file."""

    def __init__(self, text: str, exit_code: int = 78, output: str = "", places: Optional[List[Place]] = None):
        super().__init__(text, exit_code, output)
        self.places = places or []


class Stopped(TetrawaveError):
    """The run was stopped and has written a checkpoint into `directory`: `tetrawave.run(.., resume=True)` continues it."""

    def __init__(self, text: str, directory: str, output: str = ""):
        super().__init__(text, 75, output)
        self.directory = directory


def error_of(exit_code: int, output: str, directory: str) -> TetrawaveError:
    """The exception for a program that ended with `exit_code` and printed `output`."""
    lines = [line for line in output.splitlines() if line.strip()]
    if exit_code == 75:
        return Stopped(f"stopped, with a checkpoint in {directory}", directory, output)
    places = [place for place in map(Place.parse, lines) if place]
    errors = [line for line in lines if "error: " in line] or lines[-5:]
    text = "\n".join(errors) or f"the program ended with exit code {exit_code} and without a message"
    if exit_code < 0:
        text = f"the program was ended by signal {-exit_code}" + (f"; its last lines:\n{text}" if lines else "")
    return CaseError(text, exit_code, output, places) if places else TetrawaveError(text, exit_code, output)
