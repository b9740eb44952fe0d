"""A fuzz target for each parser of hostile bytes, and engines that drive them.

    make fuzz                                     # every target for a minute
    python -m tests.fuzz --atheris html -max_total_time=600  # one by coverage; needs atheris
    python -m tests.fuzz --only sitemap,robots    # some targets, with hypothesis
    python -m tests.fuzz --growth                 # only: is the time linear in the size?

`targets.py` has the targets: what is parsed, what must hold of the result, and the words that
inputs are made of. `growth.py` looks for inputs whose time grows faster than their size. What they
found is kept in `test_targets.py`, which `make test` runs.
"""
