"""The parts of `benchmarks/search.py`: the pages it makes by rule, and its rival."""
