"""Where the tutorials are, and a copy of what they read."""

import json
import shutil
from pathlib import Path

from package import ROOT

TUTORIALS = ROOT / "cases" / "tutorials"


def copy_to(folder):
    """The tutorials and the cases beside them that they use, in a folder that they may write into."""
    for name in ("tutorials", "coax_bead", "filter"):
        shutil.copytree(ROOT / "cases" / name, Path(folder) / name, ignore=shutil.ignore_patterns("*.out"))
    return Path(folder) / "tutorials"


def cells_of(path):
    """The source of each code cell."""
    return ["".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
