"""A strategy that knows the registrants of a synthetic web's domains: `registrations=world`.

What a registry says today must not decide a comparison, and synthetic webs have a registrant for
every domain, as often wrong as published.
"""

from __future__ import annotations

from dataclasses import replace

from geoscout.registrations import RegistrantReader
from geoscout.strategy import Strategy, StrategyAim, create_strategy
from geoscout_lab.worlds.base import KnownWorld, World
from geoscout_places.errors import UsageError
from geoscout_places.plugins import split_spec

OF_WORLD = "world"


def create_for(spec: str, world: World, aim: StrategyAim) -> Strategy:
    """The strategy of a spec, which may ask for the registrations of its world.

    Raises:
        UsageError: there is no such strategy or option.
    """
    name, options = split_spec(spec)
    if options.get("registrations") != OF_WORLD:
        return create_strategy(spec, aim)
    del options["registrations"]
    strategy = create_strategy(name, replace(aim, options={**aim.options, **options}))
    if not isinstance(strategy, RegistrantReader):
        raise UsageError(f"{name} has no option 'registrations'")
    records = world.registrations() if isinstance(world, KnownWorld) else ()
    strategy.add_registrations({record.domain: record for record in records})
    return strategy
