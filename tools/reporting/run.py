"""A run's folder: results, case, log, mesh and the forecast of `tetrawave check`."""

import hashlib
import json
import os
import re
import subprocess
import tempfile
from functools import cached_property
from pathlib import Path

import numpy as np
import yaml

from plotting.base import BAD_DATA, NO_FILE, Failure, open_results, text_attribute

LARGEST_FORECAST = 300_000  # elements: above that `check` takes longer than a page may
PATIENCE_S = 60


def program():
    """The tetrawave that asked for the page, or the one on the PATH."""
    return os.environ.get("TETRAWAVE_PROGRAM", "tetrawave")


def ask_program(*arguments, patience_s=None):
    """(exit code, stdout, stderr) of the program; code None: it did not start, or did not end in time."""
    try:
        answer = subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=patience_s, check=False)
    except subprocess.TimeoutExpired:
        return None, "", f"{arguments[0]} did not end within {patience_s} s"
    except OSError as error:
        return None, "", f"{program()}: {error.strerror}"
    return answer.returncode, answer.stdout, answer.stderr


def check(case_file, *options, patience_s=None):
    """(forecast as `check --json` has it or None, exit code, stderr)."""
    code, out, err = ask_program("check", case_file, "--json", *options, patience_s=patience_s)
    try:
        return (json.loads(out) if code == 0 else None), code, err
    except ValueError:
        return None, code, err


def read_case(text):
    """A case as a dict; {} where it cannot be read."""
    try:
        case = yaml.safe_load(text)
    except yaml.YAMLError:
        return {}
    return case if isinstance(case, dict) else {}


def flat(case, path=""):
    """{"a.b.0.c": value} of all leaves."""
    if isinstance(case, dict) and case:
        return {k: v for key, value in case.items() for k, v in flat(value, f"{path}.{key}" if path else str(key)).items()}
    if isinstance(case, list) and any(isinstance(value, (dict, list)) for value in case):
        return {k: v for key, value in enumerate(case) for k, v in flat(value, f"{path}.{key}").items()}
    return {path: case}


def listed(value):
    return value if isinstance(value, list) else [] if value is None else [value]


def roles_of(case):
    """{group: what the case makes of it}, and of groups without a list the `default`."""
    boundaries = case.get("boundaries") or {}
    roles = {}
    for kind in ("pec", "pmc", "absorbing"):
        roles.update({str(name): kind for name in listed(boundaries.get(kind))})
    for kind in ("impedance", "conductor"):
        roles.update({str(name): kind for name in boundaries.get(kind) or {}})
    layers = boundaries.get("pml") or {}
    roles.update({str(name): "pml" for name in listed(layers.get("faces"))} if isinstance(layers, dict) else {})
    for pair in listed(boundaries.get("periodic")):
        roles.update({str(name): "periodic" for name in (pair.get("faces", []) if isinstance(pair, dict) else [])})
    roles.update({str(name): "integral-equation" for name in listed((case.get("iiee") or {}).get("outer")) if str(name) not in roles})
    roles.update({str(port.get("boundary")): f"port {port.get('name')}" for port in case.get("ports") or []})
    roles.update({str(name): "potential" for name in ((case.get("assembly_2d") or {}).get("potentials") or {})})
    return roles, boundaries.get("default")


class Run:
    """One run; letter: A, B, .. where there are several."""

    def __init__(self, name, index, alone):
        path = Path(name)
        self.folder = path if path.is_dir() else path.parent
        results = path / "results.h5" if path.is_dir() else path
        if not results.is_file():
            more = "; of a study give the folders of its runs" if (self.folder / "study.h5").is_file() else "; `tetrawave run` writes it"
            raise Failure(NO_FILE, f"{results}: no such file{more}")
        self.results, self.index, self.alone = results, index, alone
        self.letter = chr(ord("A") + index)
        self.name = self.folder.resolve().name
        self.file = open_results(results)
        if text_attribute(self.file, "program") != "tetrawave":
            raise Failure(BAD_DATA, f"{results}: not results of a run")
        self.case_text = text_attribute(self.file, "case")
        self.case = read_case(self.case_text)
        self.forecast, self.no_forecast = None, ""

    def attribute(self, name, default=""):
        value = self.file.attrs.get(name, default)
        return value.decode() if isinstance(value, bytes) else value

    def attribute_of(self, path, name):
        return text_attribute(self.file[path], name)

    @property
    def title(self):
        return str(self.case.get("title") or self.name)

    def label(self, text):
        """text of a curve, with the run's letter where there are several."""
        return text if self.alone else f"{self.letter} {text}"

    def has(self, path):
        return path in self.file

    def get(self, path):
        """A data set as an array, or None."""
        return self.file[path][()] if path in self.file else None

    def number(self, path, attribute):
        """An attribute of a group as a number, or NaN."""
        group = self.file.get(path)
        return float(group.attrs[attribute]) if group is not None and attribute in group.attrs else float("nan")

    @cached_property
    def log(self):
        try:
            return (self.folder / "log.txt").read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []

    @cached_property
    def warnings(self):
        """Texts of the warnings and errors in the log, each once."""
        found = [re.sub(r"^\S+ \S+ [WE] (warning: )?", "", line) for line in self.log if re.match(r"^\S+ \S+ [WE] ", line)]
        return list(dict.fromkeys(found))

    def logged(self, pattern):
        """The last match in the log, or None."""
        matches = [m for line in self.log if (m := re.search(pattern, line))]
        return matches[-1] if matches else None

    @cached_property
    def mesh_file(self):
        """The run's mesh, or the one that its case names; None of a box."""
        if (own := self.folder / "mesh.h5").is_file():
            return own
        named = Path(str((self.case.get("mesh") or {}).get("file") or ""))
        return named if named.suffix == ".h5" and named.is_file() else None

    def box_mesh(self, folder):
        """The mesh of a case without a file, made anew."""
        target = Path(folder) / f"{self.letter}.h5"
        case_file = self.folder / "case.yaml"
        if not case_file.is_file() or int(self.attribute("elements", 0)) > LARGEST_FORECAST:
            return None
        return target if ask_program("mesh", case_file, "-o", target, patience_s=PATIENCE_S)[0] == 0 else None

    def ask_forecast(self):
        case_file = self.folder / "case.yaml"
        if not case_file.is_file():
            self.no_forecast = "case.yaml is not in the folder"
        elif int(self.attribute("elements", 0)) > LARGEST_FORECAST:
            self.no_forecast = f"check is asked up to {LARGEST_FORECAST:,} elements"
        else:
            self.forecast, _, said = check(case_file, patience_s=PATIENCE_S)
            self.no_forecast = "" if self.forecast else (said.strip().splitlines() or ["check gave none"])[-1]

    @cached_property
    def s_parameters(self):
        """(frequency, S [f, i, j], names of ports) or None."""
        frequency, matrix = self.get("s_parameters/frequency"), self.get("s_parameters/S")
        if matrix is None or matrix.ndim != 3 or self.has("s_parameters/active"):
            return None
        names = [n.decode() if isinstance(n, bytes) else str(n) for n in np.atleast_1d(self.file["s_parameters"].attrs.get("ports", []))]
        return frequency, matrix, names or [str(k + 1) for k in range(matrix.shape[1])]

    @cached_property
    def driven(self):
        return [j for j in range(self.s_parameters[1].shape[2]) if np.isfinite(self.s_parameters[1][:, :, j]).any()] if self.s_parameters else []

    def sha256(self):
        digest = hashlib.sha256()
        with open(self.results, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
        return digest.hexdigest()

    def touchstone(self):
        return sorted(self.folder.glob("sparameters.*"))


def scratch():
    return tempfile.TemporaryDirectory(prefix="tetrawave-report-")
