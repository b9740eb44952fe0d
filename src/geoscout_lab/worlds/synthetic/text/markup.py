"""What pages state about their place for machines: JSON-LD, microformats, geo tags."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape

from geoscout_lab.worlds.synthetic.chance import Chance
from geoscout_lab.worlds.synthetic.profile import Profile
from geoscout_lab.worlds.synthetic.register.entities import Entity
from geoscout_lab.worlds.synthetic.structure.cities import City


@dataclass(frozen=True, slots=True)
class Statements:
    """Which markup a page with an address carries, and the city that it names."""

    json_ld: bool
    microformat: bool
    geo_meta: bool
    city: City  # that of the address, but for the few pages whose markup is wrong


def choose_statements(profile: Profile, entity: Entity, other: City, chance: Chance) -> Statements:
    """`other` is the city that wrong markup names."""
    wrong = chance.hits(profile.wrong_markup)
    return Statements(
        json_ld=chance.hits(profile.json_ld),
        microformat=chance.hits(profile.microformats),
        geo_meta=chance.hits(profile.geo_meta),
        city=other if wrong else entity.city,
    )


def json_ld(entity: Entity, city: City) -> str:
    """A schema.org LocalBusiness as a script element."""
    postcode = entity.postcode if city is entity.city else city.postcodes[0].code
    address = {
        "@type": "PostalAddress",
        "streetAddress": entity.street_line,
        "postalCode": postcode,
        "addressLocality": city.name,
        "addressCountry": city.country,
    }
    if city.state:
        address["addressRegion"] = city.state
    thing = {
        "@context": "https://schema.org",
        "@type": "LocalBusiness",
        "name": entity.name,
        "address": address,
    }
    text = json.dumps(thing, ensure_ascii=False).replace("</", "<\\/")
    return f'<script type="application/ld+json">{text}</script>'


def geo_meta(city: City) -> str:
    """The geo tags of a head, with the middle of the city."""
    point = city.place.point
    return (
        f'<meta name="geo.region" content="{city.country}">'
        f'<meta name="geo.placename" content="{escape(city.name)}">'
        f'<meta name="geo.position" content="{point.latitude:.4f};{point.longitude:.4f}">'
    )


def microformat(entity: Entity, city: City) -> str:
    """An hCard; wrong ones name another town."""
    name, street = escape(entity.name), escape(entity.street_line)
    postcode = entity.postcode if city is entity.city else city.postcodes[0].code
    code = f'<span class="postal-code">{postcode}</span>'
    town = f'<span class="locality">{escape(city.name)}</span>'
    if city.country == "US":
        state = f'<span class="region">{city.state}</span>'
        last = f"{town}, {state} {code}"
    elif city.country == "GB":
        last = f"{town} {code}"
    else:
        last = f"{code} {town}"
    return (
        f'<div class="vcard"><div class="fn org">{name}</div><div class="adr">'
        f'<div class="street-address">{street}</div><div>{last}</div></div></div>'
    )
