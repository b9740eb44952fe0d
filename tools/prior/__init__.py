"""Learns what the hybrid believes before it has seen a page, on synthetic webs."""
