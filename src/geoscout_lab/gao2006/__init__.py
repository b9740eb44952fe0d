"""Gao, Lee and Miao 2006, collaborative crawling: measures, tables and checks of the paper."""
