"""Which runs of a study stand for which crawler of Ahlers and Boll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from geoscout_lab.experiments import Run
from geoscout_lab.measures.statistics import Comparison, compare, raised
from geoscout_lab.study.results import by_unit, unit_of
from geoscout_places.plugins import split_spec

PRINTED, OURS = "as printed", "our default"


@dataclass(frozen=True, slots=True)
class Crawler:
    """An adaptive crawler, as its spec in `--strategies` says."""

    spec: str
    depth: int
    training_pages: int
    is_counted: bool
    reading: str  # of the smoothing; "" for another than those two

    @classmethod
    def read(cls, spec: str) -> Crawler | None:
        """None for other strategies."""
        name, options = split_spec(spec)
        if name != "adaptive":
            return None
        is_printed = options.get("smoothing") == "laplace"
        is_other = any(key in options for key in ("unknown", "model", "labels", "evidence"))
        return cls(
            spec,
            depth=int(options.get("depth", 3)),
            training_pages=int(options.get("training_pages", 0)),
            is_counted=options.get("counted", "yes") != "no",
            reading="" if is_other else PRINTED if is_printed else OURS,
        )


def crawlers_of(runs: Sequence[Run]) -> list[Crawler]:
    """The adaptive crawlers of a study, each once."""
    found = (Crawler.read(spec) for spec in dict.fromkeys(run["strategy"] for run in runs))
    return [crawler for crawler in found if crawler is not None]


def by_depth(runs: Sequence[Run], reading: str) -> Mapping[int, str]:
    """The specs by depth, of one reading, all trained alike.

    Several trainings may have been compared; it is the one that most depths have, then the one
    that does not count, then the longest.
    """
    alike: dict[tuple[bool, int], dict[int, str]] = {}
    for crawler in crawlers_of(runs):
        if crawler.reading == reading:
            training = (not crawler.is_counted, crawler.training_pages)
            alike.setdefault(training, {})[crawler.depth] = crawler.spec
    best = max(alike, key=lambda training: (len(alike[training]), training), default=None)
    return dict(sorted(alike[best].items())) if best is not None else {}


def by_training(runs: Sequence[Run], reading: str) -> Mapping[int, str]:
    """The specs by training pages, of one reading at its largest depth, counted or not alike."""
    deepest = list(by_depth(runs, reading).values())[-1:]
    main = Crawler.read(deepest[0]) if deepest else None
    if main is None:
        return {}
    same = [
        crawler
        for crawler in crawlers_of(runs)
        if (crawler.reading, crawler.depth, crawler.is_counted)
        == (reading, main.depth, main.is_counted)
    ]
    return {crawler.training_pages: crawler.spec for crawler in same}


def mean_of(runs: Sequence[Run], spec: str | None, key: str) -> float | None:
    """Over webs, repeats averaged first; None where the study has no such run."""
    values = by_unit([run for run in runs if run["strategy"] == spec], key).values()
    return fmean(values) if values else None


def ratio_of(runs: Sequence[Run], spec: str | None, base: str | None, key: str) -> float | None:
    """The ratio of means over webs."""
    above, below = mean_of(runs, spec, key), mean_of(runs, base, key)
    return above / below if above is not None and below else None


def paired(runs: Sequence[Run], spec: str, base: str) -> Comparison:
    """The harvest of one strategy against another, web by web."""
    budgets = {unit_of(run): run["budget"] for run in runs}
    own, other = (
        by_unit([run for run in runs if run["strategy"] == name], "harvest")
        for name in (spec, base)
    )
    pairs = {
        unit: (raised(own[unit], budgets[unit]), raised(other[unit], budgets[unit]))
        for unit in own.keys() & other.keys()
    }
    return compare(spec, base, pairs)
