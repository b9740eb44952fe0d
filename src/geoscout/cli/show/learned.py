"""What the strategy of a crawl has learned: the terms that weigh most."""

from __future__ import annotations

from pathlib import Path

from geoscout.cli.show.places import gazetteer_for
from geoscout.cli.show.terminal import print_json, print_table
from geoscout.crawling.assemble import draw_blueprint, make_strategy
from geoscout.crawling.options import options_of
from geoscout.errors import UsageError
from geoscout.settings import Settings
from geoscout.store.sqlite.reader import ReadOnlyStore
from geoscout.strategy.hybrid.strategy import Hybrid

_SHOWN = 40


def show_model(folder: Path, settings: Settings, *, as_json: bool) -> None:
    """Print the model of a crawl.

    Raises:
        UsageError: its strategy has none that people could read.
    """
    with ReadOnlyStore.open(folder) as store:
        options = options_of(store)
        strategy = make_strategy(draw_blueprint(options, settings, gazetteer_for(settings)))
        strategy.load(store.state())
    if not isinstance(strategy, Hybrid):
        raise UsageError(f"{options.strategy!r} has no model to show; `hybrid` has")
    terms = strategy.model_terms(_SHOWN)
    numbers = strategy.model_numbers()
    if as_json:
        names = ("name", "relevant", "leads_to")
        rows = [dict(zip(names, row, strict=True)) for row in (*numbers, *terms)]
        print_json({"answers": strategy.answers, "weights": rows})
        return
    print(f"learned from {strategy.answers:,} answers")
    print_table(
        "",
        ("term or number", "relevant>", "leads to>"),
        [(name, f"{a:+.2f}", f"{b:+.2f}") for name, a, b in (*numbers, *terms)],
    )
