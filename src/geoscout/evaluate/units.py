"""The webs strategies are compared on, described so that another process can open them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from geoscout.evaluate.world import World
from geoscout.gazetteer.home import open_gazetteer
from geoscout.settings import Settings

Progress = Callable[[int, int], None]  # pages read, pages in all


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

    def prepare(self, settings: Settings, progress: Progress) -> None:
        """Nothing to do: making a web costs less than keeping it."""

    def open(self, settings: Settings) -> OpenUnit:
        """Make the web; takes seconds for hundreds of thousands of pages."""
        from geoscout.parse import parse_html  # noqa: PLC0415
        from geoscout.synthweb import WebPlan, make_web  # noqa: PLC0415 - only where one is wanted

        plan = WebPlan(self.profile, self.random_seed, self.pages)
        web = make_web(plan, open_gazetteer(settings), parse_html)
        return OpenUnit(web, tuple(filter(None, web.region.split("; "))))


@dataclass(frozen=True, slots=True)
class ArchiveUnit:
    """Archives, a region in them, and where to start."""

    files: tuple[str, ...]
    seeds: tuple[str, ...]  # URLs in normal form
    region: tuple[str, ...]
    relevance: str = "address"  # an `Evidence` of the geoparser
    truth: str = ""  # a file that says which pages are relevant, instead of the geoparser

    @property
    def web(self) -> str:
        """Its name in tables: that of its files."""
        names = [Path(file).name.partition(".")[0] for file in self.files]
        return "+".join(dict.fromkeys(name.rstrip("-0123456789") or name for name in names))

    def prepare(self, settings: Settings, progress: Progress) -> None:
        """Read the archives, in all processes, unless that was done before."""
        from geoscout.evaluate.archive_pages import read_archives  # noqa: PLC0415 - slow to import

        read_archives([Path(file) for file in self.files], settings, progress)

    def open(self, settings: Settings) -> OpenUnit:
        """Judge the pages of the archives by the region."""
        from geoscout.evaluate.archive import Judging, open_archive  # noqa: PLC0415 - slow to import

        judging = Judging(self.region, self.relevance, self.truth)
        files = [Path(file) for file in self.files]
        world = open_archive(files, self.seeds, judging, settings)
        return OpenUnit(world, self.region)


Unit = SyntheticUnit | ArchiveUnit


def label(region: Sequence[str]) -> str:
    """A region in tables."""
    return "; ".join(region) or "any place"
