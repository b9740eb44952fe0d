"""The REST API: one module for each part, plain functions that run in threads."""
