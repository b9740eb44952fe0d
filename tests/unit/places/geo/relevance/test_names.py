from geoscout_places.gazetteer import Region, SqliteGazetteer
from geoscout_places.geo.relevance.names import NameReader, Standing, spellings
from geoscout_places.model import Block, Mention, MentionKind, Page, Part


def page_of(*parts: tuple[str, Part]) -> Page:
    text, blocks = "", []
    for line, part in parts:
        blocks.append(Block(len(text), len(text) + len(line), part))
        text += f"{line}\n"
    return Page("http://a.example/", "", "", text, tuple(blocks))


def mention(page: Page, name: str, gazetteer: SqliteGazetteer, meant: str = "") -> Mention:
    start, place = page.text.index(name), gazetteer.find(meant or name)[0].place
    return Mention(start, start + len(name), name, MentionKind.PLACE, place, confidence=1.0)


def test_what_contains_the_region_is_around_it(gazetteer):
    reader = NameReader(Region.parse("Austin, TX", gazetteer))
    standings = {
        name: reader.standing(gazetteer.find(name)[0].place)
        for name in ("Austin, TX", "Texas", "United States", "Dallas")
    }

    assert standings["Austin, TX"] is Standing.INSIDE
    assert standings["Texas"] is standings["United States"] is Standing.AROUND
    assert standings["Dallas"] is Standing.ELSEWHERE


def test_name_in_a_menu_weighs_little(gazetteer):
    reader = NameReader(Region.parse("Boston, MA", gazetteer))
    in_text, in_menu = (page_of(("We like Boston much", p)) for p in (Part.MAIN, Part.NAVIGATION))

    weights = [
        reader.read(page, [mention(page, "Boston", gazetteer, "Boston, MA")]).inside
        for page in (in_text, in_menu)
    ]

    assert weights[0] == 10 * weights[1]


def test_the_region_itself_is_told_from_places_in_it(gazetteer):
    reader = NameReader(Region.parse("Texas", gazetteer))
    page = page_of(("In Texas and in Austin", Part.MAIN))

    names = reader.read(page, [mention(page, name, gazetteer) for name in ("Texas", "Austin")])

    assert (names.inside, names.itself) == (2.0, 1.0)


def test_bare_name_counts_where_no_mention_covers_it(gazetteer):
    reader = NameReader(Region.parse("Madison, WI", gazetteer))
    page = page_of(("A lab of UW-Madison", Part.MAIN))

    assert reader.read(page, []).inside == 0.6


def test_namesake_is_the_region_where_its_state_is_named(gazetteer):
    reader = NameReader(Region.parse("Madison, WI", gazetteer))
    page = page_of(("Wisconsin: to Madison", Part.MAIN))
    namesake = mention(page, "Madison", gazetteer, "Madison, Alabama")
    state = mention(page, "Wisconsin", gazetteer)

    alone, with_state = (reader.read(page, found) for found in ([namesake], [state, namesake]))

    assert (alone.inside, alone.elsewhere) == (0.0, 1.0)
    assert (with_state.inside, with_state.elsewhere) == (0.5, 0.0)


def test_spellings_are_near_the_name_and_not_ordinary_words(gazetteer):
    assert {"munich", "munchen", "muenchen"} <= spellings(Region.parse("München", gazetteer))
    assert "reading" not in spellings(Region.parse("Reading, England", gazetteer))
    assert "sodom" not in spellings(Region.parse("Ithaca, NY", gazetteer))
