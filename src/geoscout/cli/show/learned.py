"""What the strategy of a crawl has learned: the terms that weigh most."""

from __future__ import annotations

from pathlib import Path

from geoscout.cli.show.places import gazetteer_for
from geoscout.cli.show.terminal import print_json, print_table
from geoscout.crawling.assemble import draw_blueprint, make_strategy
from geoscout.crawling.options import options_of
from geoscout.settings import Settings
from geoscout.state.base import open_state
from geoscout.strategy import abilities_of
from geoscout.strategy.base import Describer, ModelDescription
from geoscout_places.errors import UsageError

_SHOWN = 40


def show_model(where: Path | str, settings: Settings, *, as_json: bool) -> None:
    """Print the model of a crawl.

    Raises:
        UsageError: its strategy has none that people could read.
    """
    with open_state(where).reader as store:
        options = options_of(store)
        strategy = make_strategy(draw_blueprint(options, settings, gazetteer_for(settings)))
        abilities_of(strategy).load(store.model())
    if not isinstance(strategy, Describer):
        raise UsageError(f"{options.strategy!r} has no model to show")
    model = strategy.describe(_SHOWN)
    if as_json:
        print_json({"answers": model.responses, "weights": _json_rows(model)})
        return
    print(f"learned from {model.responses:,} responses")
    columns = ("term or number", *(f"{column}>" for column in model.columns))
    rows = [(name, *(f"{weight:+.2f}" for weight in weights)) for name, weights in model.rows]
    print_table("", columns, rows)


def _json_rows(model: ModelDescription) -> list[dict[str, object]]:
    keys = [column.replace(" ", "_") for column in model.columns]
    return [{"name": name, **dict(zip(keys, weights, strict=True))} for name, weights in model.rows]
