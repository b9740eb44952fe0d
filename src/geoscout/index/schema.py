"""The fields of the Tantivy index, and how texts become words.

`body` has every word of a page, `lead` again those of its title, address and in-link, which count
more. So all words of a query can be demanded of one field, which is the quickest thing Tantivy
does, and `lead` only adds to the score. Places and cells are numbers: they need no text.

The key of a page is a raw text field because deleting by term works on such a field only.
"""

from __future__ import annotations

import re

import tantivy

VERSION = 6  # one more whenever the fields or the columns change; an older index is built again
STATE_KEY = "state"  # never a URL: what is committed is noted in a document of its own
_LONGEST_WORD = 40
_NOT_A_WORD = re.compile(r"[\W_]+")


def build_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("key", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("state", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("slot", fast=True)  # the row of the columns
    builder.add_text_field("body", tokenizer_name="words", index_option="freq")
    builder.add_text_field("lead", tokenizer_name="words", index_option="freq")
    builder.add_integer_field("node", indexed=True, fast=True)  # places, direct and inherited
    builder.add_integer_field("direct", indexed=True)  # places the page itself names
    builder.add_integer_field("strong", indexed=True)  # with an address or the main place inside
    builder.add_integer_field("about", indexed=True, fast=True)  # more than a trace of its scope
    builder.add_integer_field("kind", indexed=True)  # of the places the page is about
    builder.add_integer_field("known", indexed=True)  # houses, streets and landmarks it gives
    builder.add_text_field("language", tokenizer_name="raw", index_option="basic", fast=True)
    builder.add_text_field("host", tokenizer_name="raw", index_option="basic")  # and what is above
    builder.add_text_field("evidence", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("fetched_at", fast=True)  # seconds since the epoch
    builder.add_unsigned_field("dated_at", fast=True)  # only where the page gives a date
    builder.add_unsigned_field("cell", indexed=True)  # H3
    return builder.build()


def build_analyzer() -> tantivy.TextAnalyzer:
    """Words without case and accents; no stemming, since a crawl has many languages."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    builder = builder.filter(tantivy.Filter.remove_long(_LONGEST_WORD))
    builder = builder.filter(tantivy.Filter.lowercase())
    return builder.filter(tantivy.Filter.ascii_fold()).build()


def lead_of(title: str, anchor: str, url: str) -> str:
    """The words by which a page introduces itself."""
    return f"{title} {anchor} {url_words(url)}"


def language_code(language: str) -> str:
    """The code of a language without its region.

    >>> language_code("de-AT"), language_code("pt_BR"), language_code("")
    ('de', 'pt', '')
    """
    return language.lower().replace("_", "-").partition("-")[0]


def host_names(host: str) -> list[str]:
    """A host and the domains above it that have a dot: a filter takes either.

    >>> host_names("www.museum.example"), host_names("localhost")
    (['www.museum.example', 'museum.example'], ['localhost'])
    """
    parts = host.lower().split(".")
    return [".".join(parts[at:]) for at in range(max(1, len(parts) - 1))]


def url_words(url: str) -> str:
    """The readable parts of a URL.

    >>> url_words("https://www.lisbon-pizza.example/menu_2024.html")
    'lisbon pizza example menu 2024 html'
    """
    rest = url.partition("://")[2].removeprefix("www.")
    return _NOT_A_WORD.sub(" ", rest).strip()
