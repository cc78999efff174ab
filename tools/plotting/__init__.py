"""Modules of tetrawave-plot."""
