"""Show the state of a crawl: pages, harvest, frontier, failures by kind, skipped links by rule.

Also works while the crawl is running.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoscout.cli.command import COMMANDS as GROUP
from geoscout.cli.command import Command, StatusView
from geoscout.cli.show.logs import tell
from geoscout.cli.show.terminal import gazetteer_for, print_json, print_table, printable
from geoscout.crawling.ending import End
from geoscout.crawling.status import read_nodes, read_status
from geoscout.settings import Settings, load_settings
from geoscout.state.base import open_state, public_address
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.plugins import load_plugins

if TYPE_CHECKING:
    from geoscout.crawling.explain import UrlExplanation
    from geoscout.strategy import Reason
    from geoscout.strategy.base import ModelDescription

# By the beginning of the failure's kind.
_ADVICE = {
    "private-address": "the seeds are on a private network; add --allow-private",
    "dns": "the names of the seeds are unknown; check their spelling and your network",
    "refused": "no server answers at the seeds; check host and port",
    "unreachable": "no server answers at the seeds; check host and port",
    "timeout": "the servers of the seeds do not answer in time; try again later",
    "robots": "robots.txt of the seeds does not allow it; name other seeds",
}


def advice_for(failures: Mapping[str, int], *, visits: int, is_replay: bool) -> str:
    """Why a crawl has not one page, and what to do about it."""
    if not failures:
        what = "the archive has none of the seeds" if is_replay else "no answer was a page"
        return f"{what} ({visits:,} answers)"
    kind = max(failures, key=lambda known: failures[known])
    named = next((text for known, text in _ADVICE.items() if kind.startswith(known)), "")
    return f"{named or 'every request failed'} ({kind}: {failures[kind]:,})"


NO_PAGE = 3  # the exit status of a crawl that could not fetch one page
_WIDEST = 80  # characters of a value in the table
_NAMES_SHOWN = 3
_RELATED = 4  # pages near a page that is explained, and alike
EXAMPLE = "  geoscout status oldenburg\n  geoscout status oldenburg --analysis --plot found.png"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--model", action="store_true", help="show what the strategy has learned, if it can tell"
    )
    for view in _views():
        view.add_arguments(parser)


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    if arguments.model:
        show_model(arguments.folder, settings, as_json=arguments.json)
        return 0
    asked = [view for view in _views() if view.is_asked_for(arguments)]
    for view in asked[:1]:
        view.run(arguments, settings)
    if not asked:
        show_status(arguments.folder, as_json=arguments.json)
    return 0


def _views() -> list[StatusView]:
    """Further views of a crawl, which come with commands of others, such as the laboratory's."""
    commands: list[Command] = [module.create() for module in load_plugins(GROUP).values()]
    return [view for command in commands for view in command.status_views]


def show_status(where: Path | str, *, as_json: bool) -> None:
    """Print how the crawl at an address stands."""
    facts = status_figures(where)
    if as_json:
        print_json(facts)
    else:
        print_status(facts)


def tell_end(where: Path | str) -> int:
    """Say how a run ended and what can be done next; 3 where the crawl has not one page."""
    with open_state(where) as crawl:
        status = read_status(crawl)
    totals, shown = status.totals, public_address(where)
    over = (End.NOTHING_LEFT, End.LIMIT, End.BARREN)
    is_over = status.ending is not None and status.ending.end in over
    if is_over and not totals.pages:
        why = advice_for(status.failures, visits=totals.visits, is_replay=status.is_replay)
        tell(f"no page could be fetched: {why}", logging.ERROR)
        return NO_PAGE
    more = f"; geoscout resume {shown} goes on" if status.frontier.waiting else ""
    if status.barren and status.barren not in status.state:
        tell(status.barren)
    tell(f"{status.state}, {totals.pages:,} pages, {totals.relevant:,} relevant{more}")
    tell(f'next: geoscout search {shown} "WORDS in PLACE", geoscout serve {shown}')
    return 0


def print_status(facts: dict[str, Any]) -> None:
    plain = {name: value for name, value in facts.items() if not isinstance(value, dict | list)}
    rows = [(name, _text(value)) for name, value in plain.items()]
    for name, counts in facts.items():
        if isinstance(counts, dict):
            rows += [(f"{name}: {key}", _text(value)) for key, value in counts.items()]
    print_table("", ("", ">"), rows)


def status_figures(where: Path | str) -> dict[str, Any]:
    """The figures of the crawl at an address, under the names that the command shows."""
    with open_state(where) as crawl:
        status, nodes = read_status(crawl), read_nodes(crawl)
    totals, ended, curve = status.totals, {}, status.new_entities
    if status.ending and not status.is_running:
        at = datetime.fromtimestamp(status.ending.at, UTC)
        ended = {"ended": at.isoformat(timespec="seconds")}
    return {
        "state": status.state,
        **ended,
        **({"barren": status.barren} if status.barren else {}),
        "region": "; ".join(status.region),
        "strategy": status.strategy,
        "judged by": status.relevance,
        "visits": totals.visits,
        "pages": totals.pages,
        "relevant": totals.relevant,
        "harvest": round(totals.harvest, 4),
        "degrees": round(totals.degrees, 1),
        "harvest by degree": round(totals.harvest_by_degree, 4),
        **({"new entities": curve[-1][1], "entity curve": list(curve)} if curve else {}),
        "frontier": status.frontier.waiting,
        "given up": status.frontier.failed,
        "hosts": status.frontier.hosts,
        **_entries(where),
        "nodes": {
            node.totals.node: f"{node.totals.pages:,} pages, {node.totals.relevant:,} relevant,"
            f" {node.sent:,} links sent"
            for node in nodes
            if node.totals.node and node.totals.visits
        },
        "HTTP status": status.statuses,
        **({"browser": status.browser} if status.browser else {}),
        "failures": status.failures,
        "links left out": status.links_left_out,
    }


def _entries(where: Path | str) -> dict[str, int]:
    """How many entries the directory has, if there is one."""
    from geoscout.entries import directory  # noqa: PLC0415 - slow, and only here

    count = directory().count(where, load_settings())
    return {} if count is None else {"entries": count}


def _text(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else _first_of(str(value))


def _first_of(listed: str) -> str:
    """The first of a list that would make the table too wide: a region may be a hundred cities."""
    names = listed.split("; ")
    if len(listed) <= _WIDEST or len(names) <= _NAMES_SHOWN:
        return listed
    return f"{'; '.join(names[:_NAMES_SHOWN])} and {len(names) - _NAMES_SHOWN:,} more"


EXPLAIN_EXAMPLE = "  geoscout explain oldenburg https://www.oldenburg.de/kontakt"


EXPLAIN = """Explain why a URL of a crawl has its priority, and why its page is relevant or not.

Takes the page that links to the URL from the archive, parses it again, and scores the link with
what the strategy knows now. If the crawl has learned since, this score differs from the priority
the URL was fetched with; both are shown.
"""


def add_explain_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument("url", metavar="URL", help="a URL the crawl has visited or found")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object; `reason` is a tree of `name`, `value`, `detail` and `parts`",
    )


def run_explain(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.crawling.explain import as_document, explain_url  # noqa: PLC0415 - the parser

    explanation = explain_url(arguments.folder, arguments.url, settings)
    if arguments.json:
        print_json(as_document(explanation))
    else:
        print("\n".join(as_lines(explanation)))
        if explanation.visit is not None:
            print("\n".join(related_lines(arguments.folder, explanation.url, settings)))
    return 0


def related_lines(where: str, url: str, settings: Settings) -> Iterator[str]:
    """The pages related by their places, if there is an index that has the page."""
    from geoscout.search import open_engine  # noqa: PLC0415 - tantivy

    try:
        found = open_engine(where, gazetteer_for(settings), settings).related(url, _RELATED)
    except (UsageError, DamagedDataError):
        return  # nobody has searched yet
    for title, pages in (("near it", found.near), ("alike", found.alike)) if found else ():
        if pages:
            yield f"\n  {title}, by the places of the pages:"
            yield from (f"    {printable(p.url)}  {p.place.name}, {p.why}" for p in pages)


def as_lines(explanation: UrlExplanation) -> Iterator[str]:
    yield explanation.url
    yield f"  {_state(explanation)}"
    yield f"  found on: {explanation.parent or 'nowhere: it is a seed'}"
    if explanation.anchor:
        yield f"  link text: {explanation.anchor}"
    if explanation.relevant is not None:
        yield f"  {'relevant' if explanation.relevant else 'not relevant'}: {explanation.evidence}"
    if explanation.reason is None:
        yield f"  {explanation.missing}"
        return
    yield ""
    yield from _reason_lines(explanation.reason, 1)


def _state(explanation: UrlExplanation) -> str:
    if explanation.visit is not None:
        return (
            f"visit {explanation.visit:,}, answered {explanation.status};"
            f" its priority was {explanation.priority:.4f}"
        )
    return f"{explanation.fate}; its priority is {explanation.priority:.4f}"


def _reason_lines(reason: Reason, level: int) -> Iterator[str]:
    label = "  " * level + reason.name
    yield f"{label:<34} {reason.value:>9.4f}  {reason.detail}".rstrip()
    for part in reason.parts:
        yield from _reason_lines(part, level + 1)


_SHOWN = 40


def show_model(where: Path | str, settings: Settings, *, as_json: bool) -> None:
    """Print the model of a crawl."""
    from geoscout.crawling.assemble import draw_blueprint, make_strategy  # noqa: PLC0415 - numpy
    from geoscout.crawling.options import options_of  # noqa: PLC0415
    from geoscout.strategy import abilities_of  # noqa: PLC0415
    from geoscout.strategy.base import Describer  # noqa: PLC0415

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


COMMANDS = {
    "status": Command(__doc__ or "", EXAMPLE, add_arguments, run),
    "explain": Command(EXPLAIN, EXPLAIN_EXAMPLE, add_explain_arguments, run_explain),
}
