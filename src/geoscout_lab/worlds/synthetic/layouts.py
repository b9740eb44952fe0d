"""The templates of sites: where in the markup menus, text, lists and footer of a page are.

A layout knows for each zone its elements, and so the tag path and the part that a parser will see.
The four are the ways pages were built over the years: tables, divisions with telling names, roles,
elements with a meaning. What pages state about their place for machines is here too: JSON-LD,
microformats, geo tags.
"""

import json
from dataclasses import dataclass
from html import escape

from geoscout_lab.worlds.synthetic.hosts import City
from geoscout_lab.worlds.synthetic.profile import Chance, Profile
from geoscout_lab.worlds.synthetic.register import Entity
from geoscout_lab.worlds.synthetic.sites import SyntheticSite
from geoscout_lab.worlds.synthetic.sketch import Zone
from geoscout_places.model import Part


@dataclass(frozen=True, slots=True)
class Frame:
    """What is written around and between the blocks of a zone."""

    path: str  # of a link in it
    part: Part
    item: tuple[str, str]  # around each block; empty where all blocks are one
    between: str = ""  # text between blocks that are one; "\n" is a line break

    @property
    def is_line(self) -> bool:
        """Whether all its links are in one block."""
        return bool(self.between)


@dataclass(frozen=True, slots=True)
class Layout:
    """One template; the texts between slots are markup."""

    frames: dict[Zone, Frame]
    top: str  # from <body> to the menu; has {name}
    before_main: str
    before_side: str
    before_foot: str
    end: str


_ITEM, _PARAGRAPH = ("<li>", "</li>"), ("<p>", "</p>")


def _frames(
    menu: Frame, main: str, side: str, foot: Frame, side_part: Part = Part.ASIDE
) -> dict[Zone, Frame]:
    """`main` and `side`: the path of the element that holds the text, and that of the side."""
    return {
        Zone.MENU: menu,
        Zone.TEXT: Frame(f"{main}/p/a", Part.MAIN, _PARAGRAPH),
        Zone.ENTRY: Frame(f"{main}/ul/li/a", Part.MAIN, _ITEM),
        Zone.LIST: Frame(f"{main}/ul/li/a", Part.MAIN, _ITEM),
        Zone.SIDE: Frame(f"{side}/ul/li/a", side_part, _ITEM),
        Zone.FOOT: foot,
    }


_NOTHING = ("", "")
ELEMENTS = Layout(
    frames=_frames(
        Frame("body/header/nav/ul/li/a", Part.NAVIGATION, _ITEM),
        "body/main/article",
        "body/aside",
        Frame("body/footer/p/a", Part.FOOTER, _NOTHING, " | "),
    ),
    top='<body class="site"><header class="site-header"><p class="logo">{name}</p>'
    '<nav aria-label="main"><ul class="menu">',
    before_main='</ul></nav></header><main id="main"><article class="entry">',
    before_side='</article></main><aside class="related"><h2>{more}</h2><ul>',
    before_foot='</ul></aside><footer class="site-footer">',
    end="</footer></body>",
)
DIVISIONS = Layout(
    frames=_frames(
        Frame("body/div/div/ul/li/a", Part.NAVIGATION, _ITEM),
        "body/div/div",
        "body/div/div",
        Frame("body/div/div/p/a", Part.FOOTER, _NOTHING, " · "),
    ),
    top='<body><div id="page"><div id="masthead"><h2>{name}</h2></div>'
    '<div id="navigation"><ul class="level1">',
    before_main='</ul></div><div id="content">',
    before_side='</div><div id="sidebar" class="box"><h3>{more}</h3><ul>',
    before_foot='</ul></div><div id="footer">',
    end="</div></div></body>",
)
TABLES = Layout(
    frames=_frames(
        Frame("body/table/tbody/tr/td/p/a", Part.NAVIGATION, _NOTHING, "\n"),
        "body/table/tbody/tr/td",
        "body/table/tbody/tr/td",
        Frame("body/table/tbody/tr/td/p/a", Part.FOOTER, _NOTHING, " - "),
    ),
    top='<body bgcolor="#ffffff"><table width="760" border="0" cellspacing="0" cellpadding="4">'
    '<tr><td colspan="3" id="header"><b>{name}</b></td></tr>'
    '<tr><td valign="top" width="140" class="navbar"><p>',
    before_main='</p></td><td valign="top" id="content">',
    before_side='</td><td valign="top" width="140" class="sidebar"><b>{more}</b><ul>',
    before_foot='</ul></td></tr><tr><td colspan="3" class="footer" align="center">',
    end="</td></tr></table></body>",
)
ROLES = Layout(
    frames=_frames(
        Frame("body/div/nav/a", Part.NAVIGATION, _NOTHING, " | "),
        "body/div/div",
        "body/div/div",
        Frame("body/div/footer/p/a", Part.FOOTER, _NOTHING, " | "),
    ),
    top='<body><div class="container"><header role="banner"><div class="brand">{name}</div>'
    '</header><nav role="navigation">',
    before_main='</nav><div role="main" class="col-8">',
    before_side='</div><div role="complementary" class="col-4"><h4>{more}</h4><ul>',
    before_foot='</ul></div><footer role="contentinfo">',
    end="</footer></div></body>",
)
# Which of them sites of a time have; one that has more comes more often.
OLD_LAYOUTS = (TABLES, TABLES, DIVISIONS, DIVISIONS, DIVISIONS, ROLES)
NEW_LAYOUTS = (ELEMENTS, ELEMENTS, ELEMENTS, DIVISIONS, ROLES, ROLES)


def layout_of(site: SyntheticSite) -> Layout:
    layouts = OLD_LAYOUTS if site.is_of_old_web else NEW_LAYOUTS
    return layouts[site.layout % len(layouts)]


def foot_text(site: SyntheticSite, *, linked: bool) -> str:
    """The text in the footer of every page, after its links."""
    rights = site.language.labels["rights"]
    mark = layout_of(site).frames[Zone.FOOT].between if linked else ""
    return f"{mark}© {site.name}. {rights[site.habit % len(rights)]}"


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
