"""Asking servers for pages: what they allow, and later how and when they are asked."""

from geoscout.fetch.robots import Access, Robots, access_for

__all__ = ["Access", "Robots", "access_for"]
