"""The records: frozen, built by name from the sixth field on, and the same after a journey."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from geoscout_places import model
from geoscout_places.model import (
    Address,
    Block,
    Candidate,
    EvidencePart,
    Item,
    Kind,
    Link,
    Mention,
    MentionKind,
    NameRole,
    Outline,
    Page,
    Part,
    Place,
    Point,
    Postcode,
    Reading,
    Relevance,
    Request,
    RequestKind,
    Response,
    ScopePlace,
    SiteKnowledge,
    SiteNotes,
)

POINT = Point(48.14, 11.58)
MUNICH = Place(2867714, "Munich", Kind.CITY, POINT, "DE", population=1_260_391, parent=3220838)
BLOCK = Block(0, 6, Part.ADDRESS)
LINK = Link("http://a.example/", "Inn", rel=("nofollow",), before="See the", part=Part.FOOTER)
ITEM = Item("json-ld", ("Hotel",), (("name", "Inn"), ("geo", Item("json-ld", (), ()))))
ADDRESS = Address(
    0, 6, "Am 1", "1", "Am", unit="", city="Munich", region="", postcode="80331", country="DE",
    point=POINT, place=MUNICH, source="text",
)  # fmt: skip
MENTION = Mention(0, 6, "Munich", MentionKind.PLACE, MUNICH, confidence=0.9)
SCOPE = ScopePlace(MUNICH, (MUNICH,), 0.8)
RECORDS = [
    POINT,
    MUNICH,
    Candidate(MUNICH, 6.1, NameRole.ALIAS),
    Postcode("DE", "80331", "München", "02", POINT, other_towns=("Munich",), place_id=MUNICH.id),
    BLOCK,
    LINK,
    ITEM,
    Page("http://a.example/", "Inn", "de", "Am 1", (BLOCK,), links=(LINK,), items=(ITEM,)),
    Outline(((1, "Inn"),), phones=("089 1",), mails=("a@a.example",)),
    MENTION,
    ADDRESS,
    SCOPE,
    Reading((ADDRESS,), (MENTION, replace(MENTION, place=None)), ((POINT, "meta"),), (SCOPE,)),
    SiteKnowledge(9, (("DE", 0.5),), ((2951839, 0.4),), ((7, 0.3),), repeated=frozenset([5, 8])),
    SiteNotes("de", (("DE", 0.5),), ((2951839, 0.4),), ((7, 0.3),), blocks=(5, 8)),
    Request("http://a.example/", 0.5, features=b"\xff", kind=RequestKind.SITEMAP),
    EvidencePart("named", 1.5),
    Relevance(True, 0.8, (EvidencePart("named", 1.5),)),
    Response("http://a.example/", 200, (("etag", "x"),), b"\x00", "", fetched_at=1.5, seconds=0.1),
]
NAMES = [type(record).__name__ for record in RECORDS]


def travelled(record: Any) -> Any:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(record), type=type(record))


def test_every_record_of_the_model_is_tried_here():
    records = [name for name, found in vars(model).items() if _is_record(found)]

    assert sorted(records) == sorted(NAMES)


def _is_record(found: object) -> bool:
    is_struct = isinstance(found, type) and issubclass(found, msgspec.Struct)
    return is_struct and found is not msgspec.Struct


@pytest.mark.parametrize("record", RECORDS, ids=NAMES)
def test_record_is_the_same_after_a_journey(record):
    arrived = travelled(record)

    assert arrived == record
    assert type(arrived) is type(record)


@pytest.mark.parametrize("record", RECORDS, ids=NAMES)
def test_record_is_frozen_and_can_be_a_key(record):
    first = record.__struct_fields__[0]

    with pytest.raises(AttributeError):
        setattr(record, first, getattr(record, first))
    assert {record: 1}[travelled(record)] == 1


st.register_type_strategy(int, st.integers(-(2**63), 2**63 - 1))  # what MessagePack can hold


@given(st.from_type(Link))
@settings(max_examples=50)
def test_any_link_is_the_same_after_a_journey(link):
    assert travelled(link) == link


@given(st.from_type(Item))
@settings(max_examples=50)
def test_any_item_is_the_same_after_a_journey(item):
    assert travelled(item) == item


def test_enums_are_the_words_that_files_and_databases_hold():
    assert RequestKind.SITEMAP == "sitemap"
    assert f"{NameRole.DEMONYM}" == "demonym"
    assert msgspec.json.encode(Part.MAIN) == b'"main"'


def test_place_is_hashed_by_its_id_alone():
    renamed = replace(MUNICH, name="München")

    assert hash(renamed) == hash(MUNICH) == MUNICH.id
    assert renamed != MUNICH


def test_header_is_the_first_of_its_name():
    headers = (("content-type", "text/html"), ("link", "a"), ("link", "b"))
    response = Response("http://a.example/", 200, headers, b"", "", fetched_at=0.0, seconds=0.0)

    assert response.header("content-type") == "text/html"
    assert response.header("link") == "a"
    assert response.header("etag") == ""
