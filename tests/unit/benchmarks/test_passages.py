"""The labelled passages: that the tables hold together, and that the score says what it claims."""

import pytest
from benchmarks.passages.collect import labelled
from benchmarks.passages.draw import cut, language_of, part_of
from benchmarks.passages.score import Prediction, Score, judge
from benchmarks.passages.truth import (
    NameLabel,
    Passage,
    PassageText,
    read_labels,
    read_passages,
)

from geoscout_places.model import Kind, Place, Point
from geoscout_places.parse import parse_text

MUNICH = Place(1, "Munich", Kind.CITY, Point(48.14, 11.58), "DE")
GERMANY = Place(2, "Germany", Kind.COUNTRY, Point(51.5, 10.5), "DE")
PASSAGE = Passage(
    id="de001", source="web", page="https://example.de/", text="", start=0, length=60,
    language="de", part="dev", host="example.de",
)  # fmt: skip


def text_with(text: str, *lines: str) -> PassageText:
    return PassageText(PASSAGE, None, text, tuple(labelled("de001", text, list(lines))))


def score_of(text: PassageText, *found: Prediction) -> Score:
    return Score.of(list(judge(text, found)))


def test_every_label_belongs_to_a_passage_and_lies_in_it():
    lengths = {passage.id: passage.length for passage in read_passages()}

    for passage, labels in read_labels().items():
        for label in labels:
            assert 0 <= label.start < label.end <= lengths[passage]
            assert len(label.name) == label.end - label.start


def test_all_passages_of_a_host_are_in_one_part():
    assert {passage.part for passage in read_passages()} == {"dev", "test"}
    for passage in read_passages():
        assert passage.part == part_of(passage.host)


def test_every_name_that_counts_says_where_it_is():
    for labels in read_labels().values():
        for label in labels:
            if label.counts and label.where not in {"country", "?"}:
                latitude, longitude, *_ = map(str.strip, label.where.split(","))
                assert -90 <= float(latitude) <= 90
                assert -180 <= float(longitude) <= 180


def test_found_missed_and_wrong_names_are_counted():
    text = text_with(
        "Ein Tag in München\nDeutschland\nKuchen",
        "München | place | DE | 48.14,11.58 | Munich",
        "Deutschland | place | DE | country | Germany",
    )
    score = score_of(text, Prediction(11, 18, MUNICH), Prediction(31, 37, GERMANY))

    assert (score.names, score.found, score.wrong, score.right_place) == (2, 1, 1, 1)
    assert score.f1 == 0.5


def test_long_list_can_be_made_to_weigh_less():
    names = " ".join(f"Ort{number}" for number in range(10))
    text = text_with(names, *(f"Ort{number} | place | DE | ? |" for number in range(10)))
    outcomes = list(judge(text, [Prediction(0, 4, MUNICH)]))

    assert Score.of(outcomes).names == 10
    assert Score.of(outcomes, most=5).names == pytest.approx(5)
    assert Score.of(outcomes, most=5).recall == pytest.approx(0.1)


def test_prediction_on_what_does_not_count_is_neither_right_nor_wrong():
    text = text_with("Die TU München, muenchen.de", "München | org")

    assert score_of(text, Prediction(7, 14, MUNICH), Prediction(16, 24, MUNICH)).wrong == 0


def test_name_taken_for_another_place_is_found_but_not_placed():
    text = text_with("Deutschland", "Deutschland | place | DE | country | Germany")
    score = score_of(text, Prediction(0, 11, MUNICH))

    assert (score.found, score.right_place) == (1, 0)


def test_town_in_an_address_that_was_found_is_found():
    text = text_with("Sternstr. 13\n80538 München", "München | address | DE | 48.14,11.58 | Munich")

    assert score_of(text, Prediction(0, 26, MUNICH, city="München")).right_place == 1


def test_reader_can_name_an_occurrence_or_all_that_are_left():
    lines = ["Lage#2 | place | DE | 51.99,8.79 | Lage", "Lage* | free"]
    labels = list(labelled("de001", "Lage, Lage und Lage; Lager", lines))

    assert [(label.start, label.kind) for label in labels] == [
        (6, "place"),
        (0, "free"),
        (15, "free"),
    ]


def test_name_that_is_not_in_the_passage_is_refused():
    with pytest.raises(SystemExit, match="Berlin is not in the text"):
        list(labelled("de001", "München", ["Berlin | place"]))


def test_passage_begins_and_ends_with_a_block():
    page = parse_text("\n\n".join(f"Absatz {number} " + "x" * 90 for number in range(20)))
    start, end = cut(page, 3)

    assert page.text[start:].startswith("Absatz 3")
    assert page.text[start:end].endswith("x")
    assert 300 <= end - start <= 600


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Das ist die Seite der Stadt und sie ist nicht groß.", "de"),
        ("This is the page of the town and it is for you.", "en"),
        ("Adidas Puma Nike", ""),
    ],
)
def test_language_is_told_by_its_function_words(text, language):
    assert language_of(text) == language


def test_label_of_kind_org_does_not_count():
    label = NameLabel(
        passage="de001", start=0, end=4, name="Lage", kind="org", country="", where="", meant=""
    )

    assert not label.counts
