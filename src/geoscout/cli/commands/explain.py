"""Explain why a URL of a crawl has its priority, and why its page is relevant or not.

Takes the page that links to the URL from the archive, parses it again, and scores the link with
what the strategy knows now. If the crawl has learned since, this score differs from the priority
the URL was fetched with; both are shown.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from geoscout.cli.command import Command
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.show.terminal import print_json
from geoscout.crawling.explain import UrlExplanation, as_document, explain_url
from geoscout.settings import Settings
from geoscout.strategy import Reason

EXAMPLE = "  geoscout explain oldenburg https://www.oldenburg.de/kontakt"


def create() -> Command:
    """The command `explain`."""
    return Command(
        summary=SUMMARIES["explain"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument("url", metavar="URL", help="a URL the crawl has visited or found")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object; `reason` is a tree of `name`, `value`, `detail` and `parts`",
    )


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    explanation = explain_url(arguments.folder, arguments.url, settings)
    if arguments.json:
        print_json(as_document(explanation))
    else:
        print("\n".join(as_lines(explanation)))
    return 0


def as_lines(explanation: UrlExplanation) -> Iterator[str]:
    """The explanation as lines of text."""
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
