import gzip
import re
import uuid

import pytest
from msgspec.structs import replace

from geoscout.store.records import (
    Original,
    pack_exchange,
    pack_filler,
    pack_info,
    pack_repeat,
    unpack_response,
)
from geoscout.warc import parse_http, parse_packed, parse_record, unpack, whole_members
from tests.unit.store.visits import respond


def test_an_answer_is_kept_whole():
    response = respond("http://a.example/x?y=1", b"<p>caf\xe9", at=1.5)

    record = parse_record(unpack(pack_exchange(response, "agent").response))

    message = parse_http(record.block)
    assert record.type == "response"
    assert record.target == "http://a.example/x?y=1"
    assert record.fields["warc-date"] == "1970-01-01T00:00:01.500000Z"
    assert record.fields["warc-ip-address"] == "192.0.2.1"
    assert (message.status, message.body) == (200, b"<p>caf\xe9")
    assert dict(message.headers)["x-served-by"] == "fake"


def test_fields_of_codings_that_were_undone_are_set_aside():
    headers = (("content-encoding", "br"), ("content-length", "3"), ("etag", "x"))
    response = replace(respond("http://a.example/", b"decoded"), headers=headers)

    record = parse_record(unpack(pack_exchange(response, "agent").response))

    assert parse_http(record.block).headers == (
        ("x-orig-content-encoding", "br"),
        ("x-orig-content-length", "3"),
        ("etag", "x"),
        ("content-length", "7"),
    )


def test_a_request_points_to_its_answer_and_names_the_agent():
    exchange = pack_exchange(respond("http://a.example:81/x?y"), "geoscout/1 (+contact)")

    message, request = (parse_record(unpack(r)) for r in (exchange.response, exchange.request))

    assert request.type == "request"
    assert request.fields["warc-concurrent-to"] == message.fields["warc-record-id"]
    assert request.block == (
        b"GET /x?y HTTP/1.1\r\nHost: a.example:81\r\nUser-Agent: geoscout/1 (+contact)\r\n\r\n"
    )


def test_every_record_has_a_random_uuid_of_its_own():
    exchanges = [pack_exchange(respond("http://a.example/"), "agent") for _ in range(20)]

    packed = [part for exchange in exchanges for part in (exchange.response, exchange.request)]
    ids = {parse_record(unpack(part)).fields["warc-record-id"] for part in packed}

    assert len(ids) == 40
    for id in ids:
        found = uuid.UUID(id.removeprefix("<").removesuffix(">"))
        assert (found.version, found.variant) == (4, uuid.RFC_4122)


def test_a_repeated_body_is_referred_to_instead_of_kept():
    response = respond("http://b.example/")
    exchange = pack_exchange(response, "agent")
    original = Original("http://a.example/", 0.0)

    repeat = pack_repeat(response, exchange, original, "agent")
    record = parse_record(unpack(repeat.response))

    first = parse_record(unpack(exchange.response))
    assert record.type == "revisit"
    assert record.fields["warc-payload-digest"] == first.fields["warc-payload-digest"]
    assert record.fields["warc-refers-to-target-uri"] == "http://a.example/"
    assert record.fields["warc-refers-to-date"] == "1970-01-01T00:00:00.000000Z"
    assert parse_http(record.block).body == b""


def test_an_odd_status_needs_no_known_phrase():
    record = parse_record(unpack(pack_exchange(respond("http://a/", status=299), "a").response))

    assert parse_http(record.block).status == 299


def test_the_first_record_of_a_file_tells_who_wrote_it_and_what_is_known_of_the_crawl():
    about = [("geoscout-region", "Bern\r\nWARC/1.1"), ("geoscout-seed", "http://a.example/")]
    record = parse_packed(pack_info("a.warc.gz", 0.0, about))

    assert record.type == "warcinfo"
    assert record.fields["warc-filename"] == "a.warc.gz"
    assert record.block.startswith(b"software: geoscout/")
    assert record.block.endswith(
        b"geoscout-region: Bern WARC/1.1\r\ngeoscout-seed: http://a.example/\r\n"
    )


@pytest.mark.parametrize(
    "length", [5, 100, 213, 214, 300, 345, 1230, 65_535, 65_777, 65_900, 131_099, 1_000_000]
)
def test_a_filler_has_exactly_its_length_and_is_a_record(length):
    filler = pack_filler(length, 0.0)

    if length <= 100:
        assert filler is None
    else:
        assert len(filler) == whole_members(filler) == length
        assert parse_packed(filler).type == "metadata"


def test_what_was_replayed_has_the_date_of_its_archive_and_no_request():
    response = replace(respond("http://a.example/", at=1e9), captured_at=8e8)

    exchange = pack_exchange(response, "agent")
    repeat = pack_repeat(response, exchange, Original("http://b.example/", 7e8), "agent")

    for packed in (exchange.response, repeat.response):
        assert parse_packed(packed).fields["warc-date"] == "1995-05-09T06:13:20.000000Z"
    assert (exchange.request, repeat.request) == (b"", b"")


def types_of(members: bytes) -> list[str]:
    return re.findall(r"WARC-Type: (\w+)", gzip.decompress(members).decode("latin-1"))


def rendered(body: bytes = b"<p>made", sent: bytes = b"<script>"):
    response = respond("http://a.example/", body)
    headers = (("content-type", "text/html; charset=utf-8"), ("x-odd", "caf\udce9"))
    return replace(response, headers=headers, sent=sent)


def test_what_a_browser_made_is_a_resource_and_the_answer_stands_behind_it():
    given = rendered()
    exchange = pack_exchange(given, "agent")
    made = parse_record(unpack(exchange.response))

    assert (made.type, made.block) == ("resource", b"<p>made")
    assert types_of(exchange.request) == ["response", "request"]
    assert b"<script>" in gzip.decompress(exchange.request)
    found = unpack_response(made, None, given.address, given.fetched_at, given.seconds)
    assert found == replace(given, sent=b"")


def test_page_that_a_browser_made_twice_refers_to_the_first():
    given = rendered()
    exchange = pack_exchange(given, "agent")
    first = parse_record(unpack(exchange.response))

    repeat = pack_repeat(given, exchange, Original("http://a.example/", 0.0), "agent")
    record = parse_record(unpack(repeat.response))

    assert record.type == "revisit"
    assert types_of(repeat.request) == ["response", "request"]
    assert unpack_response(record, first, "", 0.0, 0.0).body == b"<p>made"
