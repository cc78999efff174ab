"""Starts the program and follows it: run, check, mesh, info."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Union

from . import programs
from .case import GEOMETRY, Case, PathLike, write_geometry
from .errors import TetrawaveError, error_of
from .results import Run

CaseLike = Union[Case, Mapping[str, Any], PathLike]
_STEP = re.compile(r"(?:step (?P<step>\d+)/(?P<steps>\d+)|(?:fast sweep: |frequency )(?P<done>\d+) of (?P<all>\d+))")


@dataclass(frozen=True)
class Progress:
    """What a run has just said: its line, and how far it is, in time steps or frequencies, where the line tells."""

    text: str
    done: Optional[int] = None
    total: Optional[int] = None

    @classmethod
    def parse(cls, line: str) -> "Progress":
        """
        >>> Progress.parse("step 20/400  t 1e-10 s  energy -3.0 dB  2e+08 dof-updates/s  0:00:01 left").done
        20
        """
        found = _STEP.search(line)
        if not found:
            return cls(line)
        return cls(line, int(found["step"] or found["done"]), int(found["steps"] or found["all"]))


class _Show:
    """Progress as one line of standard error that is written again and again, in terminals and notebooks; warnings stay."""

    def __init__(self) -> None:
        self.open = 0

    def __call__(self, progress: Progress) -> None:
        if progress.text.startswith("warning:"):
            self.close()
            print(progress.text, file=sys.stderr)
            return
        if "error: " in progress.text:  # the exception has it, whole
            return
        text = progress.text[:100]
        print("\r" + text.ljust(self.open), end="", file=sys.stderr, flush=True)
        self.open = len(text)

    def close(self) -> None:
        if self.open:
            print("\r" + " " * self.open + "\r", end="", file=sys.stderr, flush=True)
        self.open = 0


def _written(case: CaseLike, folder: Path) -> str:
    """The case file to run: the user's own, or one in `folder`, with the mesh of Gmsh's current model beside it."""
    if isinstance(case, (str, os.PathLike)):
        return os.fspath(case)
    case = case if isinstance(case, Case) else Case(case)
    found = case.copy()
    folder.mkdir(parents=True, exist_ok=True)
    if case.get("mesh", {}).get("file") == GEOMETRY:
        found.mesh["file"] = str(folder.absolute() / "geometry.msh")
        write_geometry(folder / "geometry.msh", case.get("dimension", 2 if case.get("mode") == "assembly-2d" else 3))
    found.write(folder / "case.yaml")
    return str(folder / "case.yaml")


def _options(settings: Optional[Mapping[str, Any]], backend: Optional[str]) -> List[str]:
    words = []
    for key, value in (settings or {}).items():
        words += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
    return words + (["--backend", backend] if backend else [])


def _lines(stream: int) -> Iterator[str]:
    """The lines of a stream, ended by newlines or, as a progress line is, by carriage returns; escapes left out."""
    rest = b""
    while True:
        try:
            piece = os.read(stream, 65536)
        except OSError:  # the other end of a pseudo-terminal is closed
            piece = b""
        if not piece:
            break
        *whole, rest = re.split(rb"[\r\n]+", rest + piece)
        yield from map(_text, whole)
    if rest.strip():
        yield _text(rest)


def _text(line: bytes) -> str:
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line.decode("utf-8", "replace"))


class _Process:
    """The program on one rank or more, in a session of its own, so that an interrupt reaches it only through us."""

    def __init__(self, words: List[str], ranks: int, terminal: bool):
        command = [programs.find("tetrawave"), *words]
        if ranks > 1:
            command = programs.launcher(ranks) + command
        # On a pseudo-terminal the program writes its progress several times a second, elsewhere every few seconds.
        self.reader, writer = os.openpty() if terminal else os.pipe()
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=writer,
                                            env=programs.environment(), start_new_session=True)
        except BaseException:
            os.close(self.reader)
            raise
        finally:
            os.close(writer)
        self.output: List[str] = []
        self.text = ""
        self.interrupted = False

    def follow(self, see: Callable[[Progress], None]) -> int:
        """The exit code; every line of standard error goes to `see`. At KeyboardInterrupt the program is asked to stop with
        a checkpoint, and ended at the second one; at SIGTERM it is asked, too, before SystemExit ends this process."""
        out = threading.Thread(target=self._read_output, daemon=True)
        out.start()
        try:
            with _sigterm_exits():
                self._read_lines(see)
        except KeyboardInterrupt:
            self._stop(see)
        except SystemExit:
            self._stop(see)
            self.process.wait()
            raise
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            os.close(self.reader)
        out.join()
        return self.process.wait()

    def _read_output(self) -> None:
        assert self.process.stdout
        with self.process.stdout as output:
            self.text = output.read().decode("utf-8", "replace")

    def _read_lines(self, see: Callable[[Progress], None]) -> None:
        for line in _lines(self.reader):
            if line.strip():
                self.output.append(line)
                see(Progress.parse(line))

    def _stop(self, see: Callable[[Progress], None]) -> None:
        self.interrupted = True
        self.process.send_signal(signal.SIGUSR1)  # mpirun hands it to the ranks; SIGINT would end them
        try:
            self._read_lines(see)
        except KeyboardInterrupt:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise


@contextlib.contextmanager
def _sigterm_exits() -> Iterator[None]:
    """SIGTERM raises SystemExit, where nothing else handles it; handlers belong to the main thread."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return

    def leave(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def run(case: CaseLike, output: Optional[PathLike] = None, *, ranks: int = 1, backend: Optional[str] = None,
        set: Optional[Mapping[str, Any]] = None, overwrite: bool = False, resume: bool = False,  # noqa: A002
        threads: Optional[int] = None, max_wall: Optional[str] = None, allow_geo_commands: bool = False,
        progress: Union[bool, Callable[[Progress], None]] = True) -> Run:
    """Runs a case and returns its results.

    case: a Case, a dict, or the path of a case file. output: the run directory (default: NAME.out of NAME.yaml, else
    case.out); that of a Case or dict also gets input/case.yaml, and the mesh of `geometry()`. ranks: processes, started
    with mpirun. backend: "auto", "cpu" or "cuda". set: overrides by dotted path, as {"mesh.parameters.gap": 1.2}.
    overwrite, resume, max_wall, allow_geo_commands: as of `tetrawave run`. threads: of a rank (key `run.threads`).
    progress: True shows one line in the terminal or notebook, False nothing, a function gets every Progress.

    Ctrl-C, or a notebook's interrupt, stops a run that marches with a checkpoint and raises Stopped; where there is nothing to
    keep, and the second time, it ends the run and raises KeyboardInterrupt. SIGTERM, as of a batch system, stops it likewise
    before Python exits.
    Raises CaseError with the places in the case, else TetrawaveError with the exit code.
    """
    name = Path(case).stem if isinstance(case, (str, os.PathLike)) else "case"
    directory = Path(output if output is not None else name + ".out")
    settings = {**(set or {}), **({} if threads is None else {"run.threads": threads})}
    if (directory / "results.h5").exists() and not (overwrite or resume):
        raise TetrawaveError(f"{directory} already holds results: give another output, overwrite=True to replace them, or "
                             "resume=True to continue", 64)
    with _input(case, directory, resume) as file:
        words = ["run", file, "-o", str(directory), *_options(settings, backend)]
        words += ["--overwrite"] if overwrite else []
        words += ["--resume"] if resume else []
        words += ["--max-wall", max_wall] if max_wall else []
        words += ["--allow-geo-commands"] if allow_geo_commands else []
        show = _Show()
        see = progress if callable(progress) else show if progress else lambda _: None
        process = _Process(words, ranks, terminal=ranks == 1 and bool(progress))
        try:
            code = process.follow(see)
        finally:
            show.close()
    if process.interrupted and code != 75:  # before its first step, or at its end
        raise KeyboardInterrupt
    if code != 0:
        raise error_of(code, "\n".join(process.output), str(directory))
    return Run(directory)


@contextlib.contextmanager
def _input(case: CaseLike, directory: Path, resume: bool) -> Iterator[str]:
    """The case file of a run: the user's own, or input/case.yaml. The folder of a run that did not begin is removed again."""
    folder = directory / "input"
    if isinstance(case, (str, os.PathLike)):
        yield os.fspath(case)
        return
    if resume and (folder / "geometry.msh").exists():  # the model need not be in Gmsh any more
        case = Case(case, base=getattr(case, "base", "."))
        case.mesh["file"] = str((folder / "geometry.msh").absolute())
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        yield _written(case, folder)
    finally:
        if made and not (directory / "log.txt").exists():
            for name in ("case.yaml", "geometry.msh"):
                (folder / name).unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # a folder that is not empty stays
                for path in made:
                    path.rmdir()


def _call(case: CaseLike, words: List[str], options: List[str], ranks: int = 1) -> str:
    """Standard output of a command on a case."""
    with tempfile.TemporaryDirectory(prefix="tetrawave-") as folder:
        file = _written(case, Path(folder))
        process = _Process([words[0], file, *words[1:], *options], ranks, terminal=False)
        code = process.follow(lambda _: None)
    if process.interrupted:
        raise KeyboardInterrupt
    if code != 0:
        raise error_of(code, "\n".join(process.output), "")
    return process.text


def check(case: CaseLike, *, ranks: int = 1, backend: Optional[str] = None, set: Optional[Mapping[str, Any]] = None,  # noqa: A002
          solve: bool = False) -> Dict[str, Any]:
    """What `tetrawave check --json` says of a case without running it: mesh, ports, time step, memory, run time.

    Raises CaseError with all errors of the case.
    """
    words = ["check", "--json"] + (["--solve"] if solve else [])
    found: Dict[str, Any] = json.loads(_call(case, words, _options(set, backend), ranks))
    return found


def mesh(case: CaseLike, output: PathLike, *, set: Optional[Mapping[str, Any]] = None) -> Path:  # noqa: A002
    """Writes Tetrawave's HDF5 mesh of the case's geometry and returns its path."""
    _call(case, ["mesh", "-o", os.fspath(output)], _options(set, None))
    return Path(output)


def info() -> str:
    """What `tetrawave info` says: version, build, instruction set, devices, libraries."""
    done = subprocess.run([programs.find("tetrawave"), "info"], env=programs.environment(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise TetrawaveError(done.stderr.strip(), done.returncode, done.stderr)
    return done.stdout
