"""Compiles the tables into the one file that answers questions about places."""
