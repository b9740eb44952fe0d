"""A script for every figure we claim; see `make bench` and `make eval`."""
