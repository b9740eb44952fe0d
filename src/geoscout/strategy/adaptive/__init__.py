"""Adaptive focus after Ahlers and Boll (2009)."""
