"""Ahlers and Boll 2009: adaptive geospatially focused crawling, its figures again."""
