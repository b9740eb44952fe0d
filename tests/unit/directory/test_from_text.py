"""The name next to an address."""

import pytest

from geoscout_directory.from_text import is_person
from geoscout_directory.page_reader import join_statements

LIST = """
<title>Friseure in Fürstenfeldbruck - 3 Einträge</title><h1>Friseure in Fürstenfeldbruck</h1>
<h3>A2 Haarstudio</h3><p>Augsburger Str. 2<br>82256 Fürstenfeldbruck<br>Tel: 08141 526077</p>
<p>Friseur Fürstenfeldbruck</p><p>(0)</p>
<h3>Bauer</h3><p>Gröbenzeller Str. 7<br>82178 Puchheim<br>Tel: 089 803614</p>
<p>Friseur Puchheim <a href="http://bauer-haare.example/">Website</a></p><p>(1)</p>
<h3>Salon Bine</h3><p>Ringstr. 9<br>82223 Eichenau<br>Tel: 01520 5145954</p>
<p>Mo-Fr 9-18 Uhr</p>
"""


def test_list_gives_one_entry_each(read_html):
    entries = read_html(LIST)

    assert [(entry.name, entry.phones) for entry in entries] == [
        ("A2 Haarstudio", ("+498141526077",)),
        ("Bauer", ("+4989803614",)),
        ("Salon Bine", ("+4915205145954",)),
    ]
    assert [entry.website for entry in entries] == ["", "http://bauer-haare.example/", ""]
    assert [entry.hours for entry in entries] == ["", "", "Mo-Fr 09:00-18:00"]
    assert {entry.categories for entry in entries} == {("shop=hairdresser",)}


def test_imprint_names_the_business_of_its_site(read_html):
    html = (
        "<title>Impressum</title><h1>Impressum</h1><p>Angaben gemäß § 5 TMG:</p>"
        "<p>Weber Bau GmbH<br>Augsburger Str. 2<br>82256 Fürstenfeldbruck</p>"
        "<p>Telefon: 08141 526077<br>E-Mail: info [at] weber-bau.example</p>"
    )

    (entry,) = read_html(html, "http://www.weber-bau.example/impressum")

    assert entry.name == "Weber Bau GmbH"
    assert (entry.website, entry.is_own) == ("http://www.weber-bau.example/", True)
    assert entry.mails == ("info@weber-bau.example",)


@pytest.mark.parametrize(
    ("title", "text", "names"),
    [
        (
            "Nachricht",
            "Am Samstag wurde in der Augsburger Str. 2, 82256 Fürstenfeldbruck, ein Fest gefeiert.",
            [],
        ),
        (
            "Gasthof Post",
            "Ihr findet das alte Haus an der Augsburger Str. 2, 82256 Fürstenfeldbruck, im Hof.",
            ["Gasthof Post"],
        ),
        (
            "Vereine",
            "Turnverein Bruck e.V., Augsburger Str. 2, 82256 Fürstenfeldbruck",
            ["Turnverein Bruck e.V."],
        ),
    ],
)
def test_title_names_no_business_of_a_sentence_or_of_a_name_before_the_address(
    read_html, title, text, names
):
    entries = read_html(f"<title>{title}</title><h1>{title}</h1><p>{text}</p>")

    assert [entry.name for entry in entries if entry.name] == names


def test_person_in_a_list_is_left_out_unless_asked_for(read_html):
    html = LIST.replace("Bauer</h3>", "Bärbel Wicke</h3>")

    assert [entry.name for entry in read_html(html)] == ["A2 Haarstudio", "Salon Bine"]
    assert "Bärbel Wicke" in [entry.name for entry in read_html(html, persons=True)]


@pytest.mark.parametrize(
    ("name", "person"),
    [("Peter Müller", True), ("Dr. Weber", True), ("Müller & Söhne", False), ("Salon Peter", False),
     ("Hotel Anna", False), ("Peter Müller GmbH", False), ("Villa Romana", False)],
)  # fmt: skip
def test_persons_are_told_from_businesses(name, person):
    assert is_person(name) is person


def test_page_with_thousands_of_addresses_takes_linear_time(read_html):
    (entry,) = read_html("<p>Weber Bau GmbH, Augsburger Str. 2, 82256 Fürstenfeldbruck</p>")

    assert len(join_statements([entry] * 20_000)) == 1


def test_personal_page_is_left_out_unless_asked_for(read_html):
    html = "<title>Yufeng</title><h1>Yufeng</h1><p>2901 Barton Skyway, Austin, TX 78746</p>"
    url = "http://www.cs.example/users/yufeng/"

    assert read_html(html, url) == []
    assert [entry.name for entry in read_html(html, url, persons=True)] == ["Yufeng"]


def test_where_something_is_does_not_tell_what_it_is(read_html):
    """Nor is the mail of a directory that of its entries."""
    html = "<h3>Apotheke am Bahnhof</h3><p>Bahnhofstr. 34, 85591 Vaterstetten</p>"
    (entry,) = read_html(f"{html}<p>info@guide.example</p>")

    assert (entry.categories, entry.mails) == (("amenity=pharmacy",), ())


def test_institution_is_named_where_a_person_works(read_html):
    html = """<title>Anna Weber's Home Page</title><h1>Anna Weber</h1>
        <p>Department of Physics<p>Example University<p>1301 Beal Avenue<br>Ann Arbor, MI 48109"""

    (entry,) = read_html(html, "http://cs.example.edu/~anna/")

    assert entry.name in ("Department of Physics", "Example University")


def test_home_of_somebody_is_left_out(read_html):
    html = """<title>Anna's page</title><p>Office: 4153 Upson Hall
        <p>Home:<br>19 Skyacre Drive<br>Ithaca, NY 14850"""

    assert read_html(html, "http://cs.example.edu/~anna/") == []
    assert len(read_html(html, "http://cs.example.edu/~anna/", persons=True)) == 1


def test_number_of_something_else_is_not_taken(read_html):
    other = "<p>Text about it<p>More text<p>Even more text<p>And more<p>And more"
    html = f"""<h3>Corner Inn</h3><p>12 Main Street<br>Lubbock, TX 79403</p>{other}
        <h3>Blue Door Club</h3><p>Call (806) 765-4321</p>"""

    assert [entry.phones for entry in read_html(html)] == [()]


ROWS = (("Corner Inn", 12), ("Blue Door Bakery", 34), ("Lone Star Books", 56))
CENTRES = ("Waste Disposal Center", "Hazardous Waste Facility", "Yard Compost Site")


@pytest.mark.parametrize(
    ("html", "names"),
    [
        pytest.param(
            "<table>" + "".join(
                f"<tr><td>{name}</td><td>{number} Main St</td><td>Lubbock, TX 79403</td>"
                f"<td>806-555-01{number}</td></tr>"
                for name, number in ROWS
            ) + "</table>",
            [name for name, _ in ROWS], id="rows of a table",
        ),
        pytest.param(
            "<title>South Plains Disposal (Lubbock, TX) | Guide</title>"
            "<h1>South Plains Disposal</h1><h2>Search another city</h2>"
            "<p>Start typing and pick a city from the list.</p>"
            "<h3>Address</h3><p>801 N Avenue P, Lubbock, TX 79403</p>",
            ["South Plains Disposal"], id="not the label before an address",
        ),
        pytest.param(
            "<p>Weber Bau GmbH, Augsburger Str. 2, 82256 Fürstenfeldbruck</p>",
            ["Weber Bau GmbH"], id="in the line of its address",
        ),
        pytest.param(
            "<h3>Plato's Closet</h3><p>1110 Pecanland Rd #105, Monroe, LA 71203</p>"
            "<h3>Once Upon A Child</h3><p>1110 Pecanland Rd #107, Monroe, LA 71203</p>",
            ["Plato's Closet", "Once Upon A Child"], id="shops in one house",
        ),
        pytest.param(
            "<title>Blomberg im Tölzer Land: Infos - Guide</title><h1>Blomberg im Tölzer Land: "
            "Infos zum Rodeln</h1><p>Am Blomberg 2, 83646 Wackersberg</p>",
            ["Blomberg im Tölzer Land"], id="a heading without its remark",
        ),
        pytest.param(
            "<title>Dimmitt, TX Transfer Stations & Landfills | Guide</title>"
            "<h1>Dimmitt, TX Transfer Stations & Landfills</h1>"
            "<p>Landfill</p><h3>Cobb Building</h3><p>900 Main Street, Dimmitt, TX 79027</p>",
            ["Cobb Building"], id="not the title of a list",
        ),
        pytest.param(
            "<h2>Other Pharmacy</h2><p>Advertising</p>"
            "<h2>St. Gabriel Apotheke<br>Apotheken Bogenhausen</h2>"
            "<p>Possartstr. 3<br>81679 München<br>Tel: 089 4703330</p>",
            ["St. Gabriel Apotheke"], id="the first line of a heading",
        ),
        pytest.param(
            "".join(f"<h3>{n}</h3><p>2115 E Club Blvd, Durham, NC 27704</p>" for n in CENTRES),
            list(CENTRES), id="things in one house of a list",
        ),
        pytest.param(
            "<p>Corner Inn</p><p>\U0001f3f7 Clothing, Clean</p>"
            "<p>12 Main Street, Lubbock, TX 79403",
            ["Corner Inn"], id="not a line with a picture in front",
        ),
        pytest.param(
            "<title>Effektiv samordning | Helsingborg.se</title><h1>Effektiv samordning</h1>"
            "<footer><p>Lediga jobb</p><h2>Postadress</h2>"
            "<p>Ringstr. 9, 82223 Eichenau</p></footer>",
            ["Helsingborg.se"], id="the site of a footer, not the subject of the page or a label",
        ),
        pytest.param(
            "<title>Welcome to the Corner Inn</title><h1>Welcome to the Corner Inn</h1>"
            "<p>Friday</p><p>12 Main Street, Lubbock, TX 79403</p>",
            ["Corner Inn"], id="not a greeting or a day",
        ),
        pytest.param(
            "<p>Ich bin damit einverstanden, dass mir die Weber Bau GmbH, Augsburger Str. 2, 82256 "
            "Fürstenfeldbruck, Angebote schickt, die zu meinen Themen gehören.</p>"
            "<p>Gastgeber: Huber AG, Ringstr. 9, 82223 Eichenau</p>",
            ["Weber Bau GmbH", "Huber AG"],
            id="the end of a sentence, not what is before a colon",
        ),
    ],
)  # fmt: skip
def test_name_is_found(read_html, html, names):
    entries = read_html(html, "http://www.helsingborg.se/page")

    assert [entry.name for entry in entries] == names
