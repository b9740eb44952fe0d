"""What labels say of the weights of the judge `about`, and how it does on kinds of sites left out.

    python -m benchmarks.relevance.fit [--corpora DIR] [--many FILE]

Takes half a minute of processor time. A logistic model starts from the weights of the code, and
labelled pages move them: the start is what each piece of evidence means, because no kind of sites
has all of them. It is fitted without each kind of sites in turn. Printed are the weights as
intervals over these fits, F on the kind that was left out beside that of the weights of the code
and of `scope`, and F for other values of the sum of a page that says nothing: the threshold.

Every kind weighs by the root of its cases, and a page that should be about its region and says
nothing of it has no part in a fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.relevance.scoring import Asked, ask, by_rule, score, units_of
from benchmarks.relevance.truth import SETS, Case
from geoscout_places.gazetteer import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.relevance.judge import RegionEvidenceReader
from geoscout_places.geo.relevance.rules import NONE, WEIGHTS
from geoscout_places.model import Page, Reading

Numbers = NDArray[np.float64]
NAMES = WEIGHTS.__struct_fields__
START = np.array([*(getattr(WEIGHTS, name) for name in NAMES), NONE])
_ALL = 1_000.0  # what all cases weigh together
_PULL = 30.0  # towards the start
_STEPS = 2_000
_CLOSE = 1e-4
_MOST_NEGATIVE = 300  # cases of a unit that are not about the region and take part in a fit
_SHIFTS = np.arange(-0.8, 0.81, 0.2)


def main() -> None:
    """Fit and print."""
    if not (asked := Asked.parse(__doc__)):
        return
    sets, pages, gazetteer = asked.read(SETS)
    cases = [case for of_set in sets for case in of_set]
    values = np.array(ask(cases, pages, _evidence(gazetteer)))
    scope = np.array(ask(cases, pages, by_rule("scope", gazetteer)))
    table = np.column_stack([values, np.ones(len(values))])
    names = [f"{labelled.__name__}: " for labelled in SETS]
    units = _units(sets, names)
    fits, left_out = {}, np.zeros(len(cases))
    kinds = np.array([case.kind for case in cases])
    weights = _weigh(cases, table)
    about = np.array([case.is_about for case in cases])
    for kind in dict.fromkeys(kinds.tolist()):
        used = (kinds != kind) & (weights > 0)
        fits[kind] = fit(table[used], about[used], weights[used])
        left_out[kinds == kind] = table[kinds == kind] @ fits[kind]
    _print_weights(np.array(list(fits.values())))
    _print_kinds(cases, units, {"scope": scope, "code": table @ START >= 0, "fit": left_out >= 0})
    _print_threshold(cases, units, table @ START)


def _evidence(gazetteer: Gazetteer) -> Callable[[str], Callable[[Page, Reading], list[float]]]:
    def make(region: str) -> Callable[[Page, Reading], list[float]]:
        reader = RegionEvidenceReader(Region.parse(region, gazetteer))

        def read(page: Page, reading: Reading) -> list[float]:
            evidence = reader.read(page, reading)
            return [getattr(evidence, name) for name in NAMES]

        return read

    return make


def fit(table: Numbers, is_about: NDArray[np.bool_], weights: Numbers) -> Numbers:
    """The weights as labels move them from the start, none of them to the other side of 0.

    The sum of a page that says nothing stays: it is chosen for F, not for likelihood. Plain
    gradient steps do; there are nine numbers to find.
    """
    signs, found = np.sign(START), START.copy()
    step = 1 / (0.25 * np.linalg.norm(table * np.sqrt(weights)[:, None], 2) ** 2 + _PULL)
    for _ in range(_STEPS):
        degrees = 1 / (1 + np.exp(-(table @ found)))
        slope = table.T @ (weights * (degrees - is_about)) + _PULL * (found - START)
        slope[-1] = 0.0
        moved = found - step * slope
        moved = np.where(signs * moved < 0, 0.0, moved)
        if np.abs(moved - found).max() < _CLOSE:
            break
        found = moved
    return found


def _weigh(cases: Sequence[Case], table: Numbers) -> Numbers:
    """What each case weighs in a fit."""
    weights = np.array([case.weight * (1.0 if case.is_sure else 0.5) for case in cases])
    says_nothing = (table[:, :-1] == 0).all(1)
    weights[[case.is_about for case in cases] & says_nothing] = 0.0
    chance = np.random.default_rng(1)
    by_unit: dict[tuple[str, str], list[int]] = {}
    for number, case in enumerate(cases):
        by_unit.setdefault((case.kind, case.unit), []).append(number)
    for numbers in by_unit.values():
        negative = [number for number in numbers if not cases[number].is_about]
        if len(negative) > _MOST_NEGATIVE:
            kept = chance.choice(negative, _MOST_NEGATIVE, replace=False)
            scale = len(negative) / _MOST_NEGATIVE
            dropped = np.setdiff1d(negative, kept)
            weights[dropped], weights[kept] = 0.0, weights[kept] * scale
    for kind in {case.kind for case in cases}:
        of_kind = np.array([case.kind == kind for case in cases])
        weights[of_kind] *= np.sqrt(np.count_nonzero(weights[of_kind])) / weights[of_kind].sum()
    return np.asarray(weights * _ALL / weights.sum())


def _units(sets: Sequence[Sequence[Case]], names: Sequence[str]) -> dict[str, NDArray[np.int_]]:
    """The units of all sets, with numbers that count through all cases."""
    found: dict[str, NDArray[np.int_]] = {}
    before = 0
    for name, of_set in zip(names, sets, strict=True):
        found |= {name + unit: before + numbers for unit, numbers in units_of(of_set).items()}
        before += len(of_set)
    return found


def _print_weights(fits: Numbers) -> None:
    print("| part | code | fits without one kind of sites each |\n|---|---|---|")
    for name, start, least, most in zip(NAMES, START, fits.min(0), fits.max(0), strict=False):
        print(f"| {name} | {start:+.1f} | {least:+.2f} to {most:+.2f} |")


def _print_kinds(
    cases: Sequence[Case],
    units: dict[str, NDArray[np.int_]],
    said: dict[str, NDArray[np.bool_]],
) -> None:
    print(f"\n| kind left out | units | {' | '.join(f'{name}: F (least)' for name in said)} |")
    print(f"|---|---|{'---|' * len(said)}")
    by_kind: dict[str, list[list[float]]] = {}
    for numbers in units.values():
        of_unit = [cases[number] for number in numbers]
        row = [score(flags[numbers], of_unit)[2] for flags in said.values()]
        by_kind.setdefault(of_unit[0].kind, []).append(row)
    means = []
    for kind, rows in by_kind.items():
        table = np.array(rows)
        means.append(table.mean(0))
        cells = zip(table.mean(0), table.min(0), strict=True)
        shown = " | ".join(f"{mean:.2f} ({least:.2f})" for mean, least in cells)
        print(f"| {kind} | {len(rows)} | {shown} |")
    print(f"| mean of kinds | | {' | '.join(f'{mean:.3f}' for mean in np.mean(means, axis=0))} |")


def _print_threshold(
    cases: Sequence[Case], units: dict[str, NDArray[np.int_]], sums: Numbers
) -> None:
    print("\n| sum of nothing | mean F of units | least |\n|---|---|---|")
    for shift in _SHIFTS:
        found = [
            score((sums + shift >= 0)[numbers], [cases[number] for number in numbers])[2]
            for numbers in units.values()
        ]
        print(f"| {NONE + shift:.1f} | {np.mean(found):.3f} | {min(found):.2f} |")


if __name__ == "__main__":
    main()
