"""The businesses, clubs and branches that addresses belong to, and how a country writes them."""

from __future__ import annotations

from dataclasses import dataclass

from geoscout_lab.worlds.synthetic.chance import Chance
from geoscout_lab.worlds.synthetic.structure.cities import City
from geoscout_lab.worlds.synthetic.text.words import WebLanguage

_INWARD_LETTERS = "ABDEFGHJLNPQRSTUWXYZ"
_HIGHEST_NUMBER = {"DE": 180, "AT": 90, "GB": 240, "FR": 150, "US": 4900}
_LETTER_SHARE = 0.08  # house numbers such as 12a


@dataclass(frozen=True, slots=True)
class Entity:
    """Something with an address."""

    key: int
    name: str
    number: str
    street: str
    postcode: str
    city: City
    phone: str

    @property
    def street_line(self) -> str:
        if self.city.country in ("DE", "AT"):
            return f"{self.street} {self.number}"
        return f"{self.number} {self.street}"

    @property
    def town_line(self) -> str:
        city = self.city
        if city.country == "US":
            return f"{city.name}, {city.state} {self.postcode}"
        if city.country == "GB":
            return f"{city.name} {self.postcode}"
        return f"{self.postcode} {city.name}"

    @property
    def normal_form(self) -> str:
        """The text by which two mentions of one address are the same."""
        return f"{self.street_line}, {self.town_line}, {self.city.country}".casefold()


def make_entity(key: int, name: str, city: City, language: WebLanguage, random_seed: int) -> Entity:
    """The entity with this key; the same key has the same address wherever it is shown."""
    chance = Chance(random_seed * 7 + 3, key)
    number = str(chance.between(1, _HIGHEST_NUMBER[city.country]))
    if city.country in ("DE", "AT") and chance.hits(_LETTER_SHARE):
        number += chance.pick("abc")
    return Entity(
        key=key,
        name=name,
        number=number,
        street=chance.pick(language.streets[city.country]),
        postcode=_postcode(city, chance),
        city=city,
        phone=_phone(city.country, chance),
    )


def _postcode(city: City, chance: Chance) -> str:
    """A real postcode of the city; of a British one the gazetteer may have the first half only."""
    code = chance.pick(city.postcodes).code
    if city.country == "GB" and " " not in code:
        letters = chance.pick(_INWARD_LETTERS) + chance.pick(_INWARD_LETTERS)
        return f"{code} {chance.between(1, 9)}{letters}"
    return code


def _phone(country: str, chance: Chance) -> str:
    """A number in the ranges that are kept for fiction where there are such."""
    last = f"{chance.below(100):02d}"
    if country == "US":
        return f"(555) 555-01{last}"
    if country == "GB":
        return f"01632 9600{last}"
    if country == "FR":
        return f"01 99 00 {chance.below(100):02d} {last}"
    return f"030 / 23 12 5{chance.below(10)} {last}"
