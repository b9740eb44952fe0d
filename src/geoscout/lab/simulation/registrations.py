"""A strategy that knows who holds the domains of a synthetic web: `registrations=world`.

What a registry says today must not decide a comparison, and synthetic webs have a holder for every
domain, as often wrong as published.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from geoscout.errors import UsageError
from geoscout.lab.worlds.base import World
from geoscout.plugins import split_spec
from geoscout.registrations import RegistrationReader, RegistrationRecord
from geoscout.strategy import Aim, Strategy, create_strategy
from geoscout.urls import registrable_domain

OF_WORLD = "world"


def create_for(spec: str, world: World, aim: Aim) -> Strategy:
    """The strategy of a spec, which may ask for the registrations of its world.

    Raises:
        UsageError: there is no such strategy or option.
    """
    name, options = split_spec(spec)
    if options.get("registrations") != OF_WORLD:
        return create_strategy(spec, aim)
    del options["registrations"]
    strategy = create_strategy(name, replace(aim, options={**aim.options, **options}))
    if not isinstance(strategy, RegistrationReader):
        raise UsageError(f"{name} has no option 'registrations'")
    strategy.know({record.domain: record for record in registrations_of(world)})
    return strategy


def registrations_of(world: World) -> Iterator[RegistrationRecord]:
    """Who holds the domains of a synthetic web; an archive does not know."""
    locations = getattr(world, "locations", None)
    if locations is None:
        return
    for number, site in enumerate(cast("Any", world).register.sites):
        owner = locations.owner(number)
        domain = registrable_domain(site.domain)
        yield RegistrationRecord(domain, owner.place.name, owner.state, owner.country, "admin")
