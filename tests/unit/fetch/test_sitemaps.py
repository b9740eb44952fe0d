import gzip
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from geoscout.fetch import sitemaps
from geoscout.fetch.http.fetcher import HttpFetcher
from geoscout.fetch.sitemaps import Sitemap, SitemapBudget, SitemapEntry, parse_sitemap
from geoscout_places.errors import FetchError, NeverAgainError
from geoscout_places.model import Request, RequestKind
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.sites import markup, page
from tests.unit.fetch.asking import RULES, with_fetcher

URL = "http://a.test/maps/sitemap.xml"


def pages(body: str | bytes) -> list[str]:
    data = body if isinstance(body, bytes) else body.encode()
    return [entry.url for entry in parse_sitemap(data, URL).pages]


URL_SET = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc> http://a.test/?a=1&amp;b=2 </loc><lastmod>2024-05-01</lastmod>
    <priority>0.8</priority></url>
  <url><loc><![CDATA[http://a.test/?c=3&d=4]]></loc><changefreq>daily</changefreq></url>
</urlset>"""


def test_url_set_is_read_with_all_it_says():
    assert parse_sitemap(URL_SET.encode(), URL) == Sitemap(
        pages=(
            SitemapEntry("http://a.test/?a=1&b=2", "2024-05-01", 0.8),
            SitemapEntry("http://a.test/?c=3&d=4"),
        )
    )


def test_index_lists_further_sitemaps():
    body = b"<sitemapindex><sitemap><loc>/one.xml.gz</loc><sitemap><loc>two.xml</loc></sitemap>"

    assert parse_sitemap(body, URL) == Sitemap(
        sitemaps=("http://a.test/one.xml.gz", "http://a.test/maps/two.xml")
    )


def test_gzip_is_recognised_whatever_its_name():
    assert len(pages(gzip.compress(URL_SET.encode()))) == 2


def test_damaged_gzip_gives_what_it_can():
    body = URL_SET + "".join(f"<url><loc>http://a.test/{n * n}</loc></url>" for n in range(9000))

    assert len(pages(gzip.compress(body.encode())[:-2000])) > 100


def test_plain_text_has_a_url_a_line():
    body = "\ufeffhttp://a.test/1\r\nhttps://b.test/ü\n\nno url\n/relative\nhttp://a.test/1\n"

    assert pages(body) == ["http://a.test/1", "https://b.test/%C3%BC"]


def test_rss_is_a_sitemap():
    body = """<rss xmlns:atom="x"><channel><link>http://a.test/</link>
      <item><atom:link href="http://a.test/feed"/><link>http://a.test/1</link>
        <guid isPermaLink="false">17</guid><pubDate>Mon, 06 May 2024</pubDate></item>
      <item><guid>http://a.test/2</guid></item><item><guid>18</guid></item></channel></rss>"""

    assert parse_sitemap(body.encode(), URL).pages == (
        SitemapEntry("http://a.test/1", "Mon, 06 May 2024"),
        SitemapEntry("http://a.test/2"),
    )


def test_atom_is_a_sitemap():
    body = """<feed><link href="http://a.test/"/>
      <entry><link rel="edit" href="/edit"/><link rel='alternate' href='/1?a=b&amp;c=d'/>
        <id>urn:1</id><updated>2024-05-06</updated></entry>
      <entry><id>http://a.test/2</id></entry></feed>"""

    assert parse_sitemap(body.encode(), URL).pages == (
        SitemapEntry("http://a.test/1?a=b&c=d", "2024-05-06"),
        SitemapEntry("http://a.test/2"),
    )


def test_images_and_translations_of_a_page_are_not_pages():
    body = """<urlset><url><image:image><image:loc>http://a.test/i.png</image:loc></image:image>
      <xhtml:link rel="alternate" href="http://a.test/de"/><loc>http://a.test/1</loc></url></urlset>"""

    assert pages(body) == ["http://a.test/1"]


def test_prefix_of_the_sitemap_itself_does_not_matter():
    body = "<sm:urlset><sm:url><sm:loc>http://a.test/1</sm:loc></sm:url></sm:urlset>"

    assert pages(body) == ["http://a.test/1"]


def test_comments_are_skipped():
    body = "<urlset><!-- <url><loc>http://a.test/old</loc></url> --><url><loc>http://a.test/1</loc></url>"

    assert pages(body) == ["http://a.test/1"]


@pytest.mark.parametrize("encoding", ["utf-16", "latin1", "utf-8-sig"])
def test_encoding_is_obeyed(encoding):
    body = f'<?xml version="1.0" encoding="{encoding}"?><url><loc>http://a.test/ü</loc></url>'

    assert pages(body.encode(encoding)) == ["http://a.test/%C3%BC"]


def test_a_codec_of_python_that_takes_quadratic_time_is_not_used():
    body = b'<?xml version="1.0" encoding="punycode"?><url><loc>http://a.test/1</loc></url>-'
    began = time.process_time()

    assert pages(body + b"a" * 200_000) == ["http://a.test/1"]
    assert time.process_time() - began < 1  # 5 s as punycode


@pytest.mark.parametrize("encoding", ["no-such-thing", "rot13", "zlib", "idna", "punycode"])
def test_encoding_that_is_none_is_ignored(encoding):
    body = f'<?xml version="1.0" encoding="{encoding}"?><url><loc>http://a.test/1</loc></url>'

    assert pages(body) == ["http://a.test/1"]


@pytest.mark.parametrize("location", ["javascript:x()", "ftp://a.test/", "", "http://", "x" * 3000])
def test_what_is_no_page_is_left_out(location):
    assert pages(f"<url><loc>{location}</loc></url>") == []


@pytest.mark.parametrize(
    ("text", "priority"), [("1.0", 1.0), ("9", 0.5), ("high", 0.5), ("nan", 0.5)]
)
def test_priority_is_a_number_from_zero_to_one(text, priority):
    body = f"<url><loc>http://a.test/</loc><priority>{text}</priority></url>"

    assert parse_sitemap(body.encode(), URL).pages[0].priority == priority


def test_entries_are_bounded(monkeypatch):
    monkeypatch.setattr(sitemaps, "MOST_ENTRIES", 100)
    body = "".join(f"<url><loc>http://a.test/{n}</loc></url>" for n in range(150))

    assert len(pages(body)) == 100


def test_entities_do_not_unfold():
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    body = f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]><url><loc>http://a.test/&l11;</loc></url>'

    assert [len(url) < 40 for url in pages(body)] == [True]


def test_external_entities_are_not_read():
    body = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><url><loc>http://a.test/&f;</loc></url>'

    assert pages(body) == ["http://a.test/&f;"]


@pytest.mark.parametrize(
    "piece",
    [
        *["<", "<!--", "<![CDATA[", "<loc>", "<url><loc>", "&", "<a:", "<url><link href=", "]]>"],
        *[
            "<url><sitemap>",
            "<1",
            "<?xml ",
            '<url a="',
            "<loc><loc></loc>",
            "&#x",
            "<url><loc>&amp;",
        ],
    ],
)
def test_hostile_text_takes_linear_time(piece):
    def seconds(size: int) -> float:
        body = (piece * (size // len(piece))).encode()
        started = time.process_time()
        parse_sitemap(body, URL)
        return time.process_time() - started

    assert seconds(400_000) < 1.0 + 20 * seconds(40_000)


def test_gzip_bomb_is_survived():
    assert pages(gzip.compress(b" " * 60_000_000 + b"<url>", 1)) == []


@given(st.binary(max_size=2000) | st.text(alphabet="<>/!-[]&;:ul rocCDAT\"'=", max_size=300))
def test_any_bytes_are_survived(body):
    pages(body)


def test_sitemap_takes_little_more_memory_than_the_largest_file(monkeypatch):
    """Whatever it unfolds to; characters beyond the basic plane take the most room."""
    monkeypatch.setattr("geoscout.fetch.sitemaps.LARGEST_FILE", 500_000)
    entries = "".join(f"<url><loc>http://a.test/\U0001f600{n}</loc></url>" for n in range(100_000))
    packed = gzip.compress(f"<urlset>{entries}".encode(), 1)
    tracemalloc.start()
    found = parse_sitemap(packed, "http://a.test/sitemap.xml")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert 1000 < len(found.pages) < 20_000
    assert most < 10 * 500_000


A, OTHER_HOST, B = "http://a.test/1.xml", "http://www.a.test/2.xml", "http://b.test/1.xml"


def test_what_a_sitemap_took_is_missing_to_the_others_of_its_domain():
    budget = SitemapBudget(100)
    with budget.grant(A, 70) as first, budget.grant(OTHER_HOST, 70) as second:
        first.used_bytes = 40
        second.used_bytes = 30
    with budget.grant(A, 70) as third, budget.grant(B, 70) as elsewhere:
        third.used_bytes = 30

    assert [first.most_bytes, second.most_bytes] == [70, 30]
    assert [third.most_bytes, elsewhere.most_bytes] == [30, 70]
    with pytest.raises(NeverAgainError, match="sitemap-budget"), budget.grant(OTHER_HOST, 70):
        pass


def test_sitemap_that_fails_takes_nothing():
    budget = SitemapBudget(100)
    with pytest.raises(FetchError), budget.grant(A, 100):
        raise NeverAgainError("reset", A)

    with budget.grant(A, 100) as granted:
        assert granted.most_bytes == 100


async def sizes(fetcher: HttpFetcher, url: str) -> list[int | str]:
    found: list[int | str] = []
    for _ in range(3):
        try:
            response = await fetcher.fetch(Request(url, kind=RequestKind.SITEMAP))
        except FetchError as error:
            found.append(error.kind)
        else:
            found.append(len(response.body))
    return found


def test_fetcher_cuts_and_then_refuses_the_sitemaps_of_a_domain():
    whole = len(markup("Hello"))
    rules = replace(RULES, sitemap_bytes=whole + 10)
    with FakeWeb({"good.test": Site(page("Hello"))}) as web:
        url = web.url("good.test", "/map.xml")

        assert with_fetcher(web, lambda fetcher: sizes(fetcher, url)) == [whole] * 3
        bounded = with_fetcher(web, lambda fetcher: sizes(fetcher, url), rules)

    assert bounded == [whole, 10, "sitemap-budget"]
