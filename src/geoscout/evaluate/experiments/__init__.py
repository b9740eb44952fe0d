"""Published experiments, one module each: what they ran, what they found, and the same by us.

A module has `EXPERIMENT`, an `Experiment` of `base.py`; its name is that of `--experiment`. What a
paper printed lies beside it as TOML.
"""

from geoscout.evaluate.experiments.base import (
    Experiment,
    Run,
    Table,
    Task,
    experiment_names,
    load_experiment,
    published,
)

__all__ = [
    "Experiment",
    "Run",
    "Table",
    "Task",
    "experiment_names",
    "load_experiment",
    "published",
]
