"""The REST API: one module for each part, all plain functions that FastAPI calls in threads."""
