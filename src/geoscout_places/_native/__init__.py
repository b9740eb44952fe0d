"""Compiled kernels: bytes and arrays in, arrays out. `geoscout_places.native.kernel` has them."""
