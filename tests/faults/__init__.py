"""Faults of machines and disks, and what must hold whatever happens."""
