#!/usr/bin/env python3
"""Runs a command in a virtual environment with the packages that Debian has not, or not new enough, for the weekly tests.

    environment.py DIR COMMAND...      `python` in COMMAND is that of the environment

The environment in DIR is made when it is not there, or was made for other packages.
"""

import os
import subprocess
import sys
from pathlib import Path

PACKAGES = ("numpy", "h5py", "PyYAML", "jsonschema", "matplotlib", "scipy", "xarray", "scikit-rf", "pyvista", "nbclient", "ipykernel",
            "mypy", "types-PyYAML", "gmsh==4.15.2")


def main(folder, *command):
    folder = Path(folder).absolute()
    mark = folder / "packages.txt"
    if not mark.exists() or mark.read_text(encoding="utf-8") != "\n".join(PACKAGES):
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([str(folder / "bin" / "pip"), "install", "-q", *PACKAGES], check=True)
        mark.write_text("\n".join(PACKAGES), encoding="utf-8")
    os.environ["PATH"] = f"{folder / 'bin'}:{os.environ['PATH']}"
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
