import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webencodings.labels import LABELS

from geoscout_places.parse.charset import codec_of, declared_codec, decode, guess_codec

GERMAN = "<p>Die Straße führt über die Brücke nach München, schön und größer als früher.</p>"
TEXTS = {
    "ru": "Москва является столицей России, здесь живёт более тринадцати миллионов человек",
    "el": "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας και η μεγαλύτερη πόλη της χώρας αυτής",
    "he": "ירושלים היא עיר הבירה של מדינת ישראל והעיר הגדולה ביותר במדינה הזאת",
    "ar": "القاهرة هي عاصمة جمهورية مصر العربية وأكبر وأهم مدنها على الإطلاق",
    "ja": "東京都は日本の首都であり、関東地方に位置する都です。人口はとても多いです。",
    "zh": "北京是中国的首都,是全国的政治中心,也是一座有三千多年历史的古都,在华北平原的北部。",
    "tw": "臺北市是臺灣的首都,也是臺灣的政治中心,有許多的人在這裡工作和生活,地方不大。",
    "ko": "서울은 대한민국의 수도이자 최대 도시이다. 한강을 끼고 있으며 인구가 많은 도시이다.",
}


def test_utf8_needs_no_declaration():
    assert decode(GERMAN.encode()) == GERMAN


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ],
)
def test_byte_order_mark_beats_every_declaration(mark, codec):
    body = mark + GERMAN.encode(codec)

    assert decode(body, "text/html; charset=koi8-r") == GERMAN


def test_header_beats_the_page():
    body = b'<meta charset="windows-1252">' + "Москва".encode("koi8-r")

    assert decode(body, "text/html; charset=KOI8-R").endswith("Москва")


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="windows-1251">',
        "<META CHARSET=windows-1251>",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        "<meta content='text/html;charset = cp1251' http-equiv=content-type>",
        '<?xml version="1.0" encoding="windows-1251"?><html>',
    ],
)
def test_page_may_declare_its_encoding(declaration):
    body = (declaration + "Тверь").encode("cp1251")

    assert decode(body).endswith("Тверь")


def test_declaration_in_a_comment_does_not_count():
    assert declared_codec(b'<!-- <meta charset="koi8-r"> --><meta charset="utf-8">') == "utf-8"


@pytest.mark.parametrize("label", ["latin1", "latin-1", "ISO-8859-1", "us-ascii", "x-user-defined"])
def test_latin_1_means_windows_1252(label):
    body = b"\x93Caf\xe9\x94 \x80"

    assert decode(body, f"text/html; charset={label}") == "“Café” €"


def test_page_that_declares_utf16_in_ascii_is_utf8():
    assert declared_codec(b'<meta charset="utf-16">') == "utf-8"


def test_unknown_label_is_ignored():
    assert decode(GERMAN.encode("cp1252"), "text/html; charset=klingon") == GERMAN


@pytest.mark.parametrize("label", ["", "hz-gb-2312", "kl\u0131ngon", "utf-8\udcff"])
def test_label_that_names_no_codec_is_ignored(label):
    assert codec_of(label) == ""


@pytest.mark.parametrize("label", sorted(LABELS))
def test_every_codec_is_one_of_python(label):
    codec = codec_of(label)

    assert codec == "" or b"a".decode(codec, "replace")


def test_utf8_under_a_wrong_label_is_seen():
    assert decode(GERMAN.encode(), "text/html; charset=iso-8859-1") == GERMAN


def test_western_text_under_a_utf8_label_is_seen():
    assert decode(GERMAN.encode("cp1252"), "text/html; charset=utf-8") == GERMAN


def test_a_few_bad_bytes_do_not_unmake_utf8():
    body = GERMAN.encode() + b"\xff" + GERMAN.encode()

    assert decode(body) == GERMAN + "\ufffd" + GERMAN


@pytest.mark.parametrize(
    ("language", "codec"),
    [
        ("ru", "cp1251"), ("ru", "koi8-r"), ("ru", "iso8859-5"), ("ru", "cp866"),
        ("el", "cp1253"), ("he", "cp1255"), ("ar", "cp1256"),
        ("ja", "cp932"), ("ja", "euc-jp"), ("ja", "iso2022-jp"),
        ("zh", "gb18030"), ("tw", "big5"), ("ko", "cp949"),
    ],
)  # fmt: skip
def test_undeclared_encoding_is_guessed(language, codec):
    text = f"<html><body><p>{TEXTS[language]}</p></body></html>"

    assert decode(text.encode(codec)) == text


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_sixteen_bits_show_without_a_mark(codec):
    assert decode(GERMAN.encode(codec)) == GERMAN


def test_language_of_the_page_tells_central_european_text():
    text = '<html lang="pl"><p>Łódź i Gdańsk</p>'

    assert decode(text.encode("cp1250")) == text


def test_country_of_the_site_tells_when_the_page_does_not():
    text = "<p>Plzeň a České Budějovice</p>"

    assert decode(text.encode("cp1250"), url="http://www.example.cz/") == text


def test_guess_without_any_hint_is_western():
    assert guess_codec("caf\xe9".encode("cp1252")) == "cp1252"


@given(st.binary(max_size=300), st.text(max_size=40), st.text(max_size=20))
def test_any_bytes_decode(body, content_type, url):
    assert isinstance(decode(body, content_type, url), str)
