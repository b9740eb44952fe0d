"""The laboratory: worlds with known truth, simulated crawls, oracles, measures and reports.

Each published experiment has a folder of its own. The product never imports any of this; the
commands of the laboratory are found by their entry points.
"""
