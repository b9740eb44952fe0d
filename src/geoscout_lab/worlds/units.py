"""The webs strategies are compared on, described so that another process can open them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from geoscout.settings import DEFAULT_RELEVANCE, Settings
from geoscout_lab.worlds.base import World
from geoscout_places.gazetteer.home import open_gazetteer
from geoscout_places.model import OnProgress


@dataclass(frozen=True, slots=True)
class OpenUnit:
    """A web that is ready to be crawled."""

    world: World
    region: tuple[str, ...]  # as a user would write it; empty where any place is relevant


@dataclass(frozen=True, slots=True)
class SyntheticUnit:
    """A synthetic web."""

    profile: str
    pages: int
    random_seed: int

    @property
    def web(self) -> str:
        """Its name in tables."""
        return f"{self.profile}-{self.random_seed}"

    def prepared(self, settings: Settings, progress: OnProgress) -> SyntheticUnit:  # noqa: ARG002
        """Itself: making a web costs less than keeping it."""
        return self

    def open(self, settings: Settings) -> OpenUnit:
        """Make the web; takes seconds for hundreds of thousands of pages."""
        from geoscout_lab.worlds.synthetic import WebPlan, make_web  # noqa: PLC0415 - only where one is wanted
        from geoscout_places.parse import parse_html  # noqa: PLC0415

        plan = WebPlan(self.profile, self.random_seed, self.pages)
        web = make_web(plan, open_gazetteer(settings), parse_html)
        return OpenUnit(web, tuple(filter(None, web.region.split("; "))))


@dataclass(frozen=True, slots=True)
class ArchiveUnit:
    """Archives, a region in them, and where to start."""

    files: tuple[str, ...]
    seeds: tuple[str, ...]  # URLs in normal form
    region: tuple[str, ...]
    relevance: str = DEFAULT_RELEVANCE  # a `RelevanceRule` of the geoparser
    truth: str = ""  # a file that says which pages are relevant, instead of the geoparser
    pages: str = ""  # the name of the file its archives were read into; "" before `prepared`

    @property
    def web(self) -> str:
        """Its name in tables: that of its files."""
        names = [Path(file).name.partition(".")[0] for file in self.files]
        return "+".join(dict.fromkeys(name.rstrip("-0123456789") or name for name in names))

    def prepared(self, settings: Settings, progress: OnProgress) -> ArchiveUnit:
        """The unit with its archives read, in all processes, unless that was done before.

        From then on it means these very readings, whatever becomes of the code meanwhile.
        """
        from geoscout_lab.worlds.archive_pages import read_archives  # noqa: PLC0415 - slow to import

        kept = read_archives([Path(file) for file in self.files], settings, progress)
        return replace(self, pages=kept.name)

    def open(self, settings: Settings) -> OpenUnit:
        """Judge the pages of the archives by the region."""
        from geoscout_lab.worlds.archive import Judging, world_of  # noqa: PLC0415 - slow to import
        from geoscout_lab.worlds.archive_pages import pages_folder  # noqa: PLC0415

        judging = Judging(self.region, self.relevance, self.truth)
        files = [Path(file) for file in self.files]
        kept = pages_folder(settings) / self.pages
        return OpenUnit(world_of(kept, files, self.seeds, judging, settings), self.region)


Unit = SyntheticUnit | ArchiveUnit


def label(region: Sequence[str]) -> str:
    """A region in tables."""
    return "; ".join(region) or "any place"
