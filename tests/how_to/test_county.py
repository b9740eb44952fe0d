"""The commands of docs/how-to/county.md, on a county of seven websites on this machine."""

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from geoscout.cli.main import main
from tests.conftest import PROJECT
from tests.fakeweb import FakeWeb, Handler, Site
from tests.fakeweb.sites import HTML, by_path, content, page

GUIDE = (PROJECT / "docs/how-to/county.md").read_text()
STREETS = {"Bäckerei Harms": "Lange Straße 4", "Friseur Lahme": "Theaterwall 12",
           "Hotel Wieting": "Haarenstraße 7", "Apotheke am Wall": "Nadorster Straße 31",
           "Gasthaus Ahlers": "Donnerschweer Straße 9"}  # fmt: skip
HOSTS = {f"{name.split()[-1].lower()}.test": name for name in STREETS}
PHONES = {name: f"0441 5550{n}0" for n, name in enumerate(STREETS)}
LINKS = '<a href="/neues/1">Neues</a> <a href="/kontakt">Kontakt</a> <a href="{}">Stadt</a>'


def own_site(name: str, guide: str) -> Site:
    """A home page without facts, a page with all of them, and news without end."""
    contact = (
        f"<title>Kontakt - {name}</title><h1>{name}</h1><p>{STREETS[name]}, 26122 Oldenburg"
        f"<p>Telefon {PHONES[name]}<p>Öffnungszeiten: Mo-Fr 9-18 Uhr"
    )
    start = f"<title>{name}</title><h1>{name}</h1>{LINKS.format(guide)}"
    news = {f"/neues/{n}": page(f"Neues {n}", [f"/neues/{n + 1}"]) for n in range(1, 20)}
    return Site(by_path({"/": html(start), "/kontakt": html(contact), **news}))


def html(text: str) -> Handler:
    return content(text.encode(), HTML)


@pytest.fixture
def county():
    with FakeWeb({}) as free:
        port = free.port
    guide = f"http://guide.test:{port}/"
    sites = {host: own_site(name, guide) for host, name in HOSTS.items()}
    sites["guide.test"] = Site(page("Alle Betriebe in Oldenburg"))
    with FakeWeb(sites, port=port) as web:
        yield web


def write_files(web: FakeWeb) -> None:
    """The websites as Overpass gives them, and the map: one as on its page, one with another
    number, one without any, and two that are missing."""
    places, things = [], []
    for n, (host, name) in enumerate(HOSTS.items()):
        street, _, number = STREETS[name].rpartition(" ")
        tags = {"name": name, "website": web.url(host)}
        places.append({"type": "node", "id": n, "lat": 53.14, "lon": 8.21, "tags": tags})
        phone = ["+49 441 555000", "+49 441 999999", ""][n] if n < 3 else ""
        known = {**tags, "addr:street": street, "addr:housenumber": number, "phone": phone,
                 "opening_hours": "Mo-Fr 09:00-18:00", "addr:postcode": "26122"}  # fmt: skip
        if n < 3:
            things.append({**places[-1], "id": 100 + n, "tags": known})
    Path("places.json").write_text(json.dumps({"elements": places}))
    Path("map.json").write_text(json.dumps({"elements": things}))
    lines = [f"{address} {host}" for host, address in web.resolver.addresses.items()]
    Path("hosts.txt").write_text("\n".join(lines))


def commands() -> list[list[str]]:
    blocks = re.findall(r"```console\n(.*?)```", GUIDE, re.DOTALL)
    return [shlex.split(line[2:]) for block in blocks for line in block.splitlines()]


def test_the_guide_leads_from_websites_to_a_challenge(county, in_folder, capsys):
    write_files(county)
    here = ["--set", "fetcher=live:hosts=hosts.txt", "--allow-private", "--set", "delay_seconds=0"]
    for words in commands():
        if words[0] == "geoscout":
            assert main(words[1:] + (here if words[1] == "crawl" else [])) == 0
        else:
            tasks = list(map(json.loads, Path("tasks.geojson").read_text().split("\x1e")[1:]))
            assert re.search(r"\[\w+\]", capsys.readouterr().out)  # the ids are there to be seen
            wrong = tasks[0]["features"][0]["properties"]["id"]
            Path("wrong.txt").write_text(f"{wrong}\n")
            done = subprocess.run(words[:-2], check=True, capture_output=True)
            Path(words[-1]).write_bytes(done.stdout)

    found = [task["features"][0]["properties"] for task in tasks]
    assert {task["name"] for task in found} == set(STREETS) - {"Bäckerei Harms"}
    status = {task["name"]: task["task"] for task in found}
    assert status["Friseur Lahme"] == "changed"
    assert status["Apotheke am Wall"] == status["Gasthaus Ahlers"] == "new"
    (changed,) = (task for task in found if task["name"] == "Friseur Lahme")
    assert (changed["phone"], changed["map:phone"]) == ("+49441555010", "+49 441 999999")
    assert changed["source:phone"] == county.url("lahme.test", "/kontakt")
    assert Path("challenge.geojson").read_text().count("\x1e") == len(tasks) - 1
    asked = [hit.host for hit in county.log if hit.path != "/robots.txt"]
    assert "guide.test" not in asked
    assert max(map(asked.count, asked)) <= 6
