"""Compiled kernels: bytes and arrays in, arrays out. Reached by `geoscout_places.native.kernel` only."""
