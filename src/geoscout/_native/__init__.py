"""Compiled kernels: bytes and arrays in, arrays out. Reached by `geoscout.native.kernel` only."""
