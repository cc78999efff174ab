"""Pages of runs and cases."""
