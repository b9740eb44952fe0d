"""Compiles the tables into the files that answer questions about places."""
