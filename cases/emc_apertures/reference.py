#!/usr/bin/env python3
"""The power delivered into the enclosure with apertures: as emc_slot/reference.py, which tells the arguments, with this enclosure's sizes."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("emc_slot", Path(__file__).resolve().parents[1] / "emc_slot" / "reference.py")
emc_slot = importlib.util.module_from_spec(spec)
spec.loader.exec_module(emc_slot)
emc_slot.WIDTH, emc_slot.LENGTH, emc_slot.HEIGHT, emc_slot.FEED = 0.5, 0.4, 0.2, (0.15, 0.13)
emc_slot.LARGEST_SHIFT = 0.08

if __name__ == "__main__":
    sys.exit(emc_slot.main())
