#!/usr/bin/env python3
"""Runs a command in a virtual environment with packages of PyPI that Debian has not, or not new enough.

    environment.py tutorials|all DIR COMMAND...      `python` in COMMAND is that of the environment

The environment in DIR is made when it is not there, or was made for other packages: `tutorials` for the tests of every
push, `all` for the weekly ones.
"""

import os
import subprocess
import sys
from pathlib import Path

TUTORIALS = ("numpy", "h5py", "PyYAML", "matplotlib", "scipy", "xarray", "scikit-rf", "nbclient", "ipykernel", "gmsh==4.15.2")
PACKAGES = {"tutorials": TUTORIALS, "all": (*TUTORIALS, "jsonschema", "pyvista")}


def main(wanted, folder, *command):
    folder = Path(folder).absolute()
    packages = PACKAGES[wanted]
    mark = folder / "packages.txt"
    if not mark.exists() or mark.read_text(encoding="utf-8") != "\n".join(packages):
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([str(folder / "bin" / "pip"), "install", "-q", *packages], check=True)
        mark.write_text("\n".join(packages), encoding="utf-8")
    os.environ["PATH"] = f"{folder / 'bin'}:{os.environ['PATH']}"
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
