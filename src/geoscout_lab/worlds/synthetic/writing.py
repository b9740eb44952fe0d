"""A synthetic web on disk: archives that anything can replay, the truth, and the seeds.

The same web is written as the same bytes: records carry ids and times made from page numbers.
Pages that would not answer, or that robots.txt forbids, are in the truth and not in the archives.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from geoscout.warc import pack
from geoscout_lab.worlds.synthetic.chance import mix
from geoscout_lab.worlds.synthetic.structure.cities import City
from geoscout_lab.worlds.synthetic.web import SyntheticWeb
from geoscout_places.model import OnProgress

_PAGES_A_FILE = 100_000
_REASONS = {200: "OK", 301: "Moved Permanently", 404: "Not Found"}
_DATE = "2025-01-01T00:00:00Z"  # a web without a clock is the same tomorrow


def write_web(
    web: SyntheticWeb, folder: Path, progress: OnProgress = lambda _done, _all: None
) -> None:
    """Write archives, `truth.jsonl`, `hosts.jsonl`, `seeds.txt` and `web.json` into a new folder.

    Raises:
        FileExistsError: the folder has such files already.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "truth.jsonl").open("x", encoding="utf-8") as truth:
        for first in range(0, web.size, _PAGES_A_FILE):
            pages = range(first, min(web.size, first + _PAGES_A_FILE))
            name = f"web-{first // _PAGES_A_FILE + 1:05}.warc.gz"
            with (folder / name).open("xb") as archive:
                archive.write(_file_head(web, name))
                for page in pages:
                    archive.write(_page_record(web, page))
                    truth.write(json.dumps(truth_of(web, page), ensure_ascii=False) + "\n")
                    if page % 256 == 0:
                        progress(page, web.size)
    write_lists(web, folder)


def write_lists(web: SyntheticWeb, folder: Path) -> None:
    """The small files: seeds, hosts, and what the web was made by."""
    seeds = "".join(f"{web.url(page)}\n" for page in web.seeds)
    (folder / "seeds.txt").write_text(seeds, encoding="utf-8")
    with (folder / "hosts.jsonl").open("w", encoding="utf-8") as hosts:
        for row in _host_rows(web):
            hosts.write(json.dumps(row, ensure_ascii=False) + "\n")
    text = json.dumps(about(web), indent=2, ensure_ascii=False) + "\n"
    (folder / "web.json").write_text(text, encoding="utf-8")


def about(web: SyntheticWeb) -> dict[str, object]:
    """The arguments that a web was made from, and how much of it is about its region."""
    return {
        "profile": web.structure.profile.name,
        "random_seed": web.structure.random_seed,
        "pages": web.size,
        "hosts": web.structure.hosts.count,
        "region": web.region,
        "relevant": int(web.structure.relevant.sum()),
    }


def truth_of(web: SyntheticWeb, page: int) -> dict[str, object]:
    """The truth about a page, as a row of `truth.jsonl`."""
    entities = web.register.entities(page) if web.status(page) == 200 else []
    city = entities[0].city if entities else web.city(page)
    return {
        "url": web.url(page),
        "status": web.status(page),
        "host_type": web.host_type(page).name.lower(),
        "role": web.role(page).name.lower(),
        "city": city.name if city else None,
        "country": city.country if city else None,
        "lat": city.place.point.latitude if city else None,
        "lon": city.place.point.longitude if city else None,
        "relevant": web.is_relevant(page),
        "addresses": [f"{entity.street_line}, {entity.town_line}" for entity in entities],
        "links": len(web.targets(page)),
        "copy_of": web.copy_of(page),
        "blocked": web.is_blocked(page),
    }


def _host_rows(web: SyntheticWeb) -> Iterator[dict[str, object]]:
    for host, site in enumerate(web.register.sites):
        yield {
            "host": site.domain,
            "type": site.type.name.lower(),
            "city": site.city.name,
            "country": site.city.country,
            "address": web.locations.address(host),
            "server": _spot(web.locations.server(host)),
            "owner": _spot(web.locations.owner(host)),
        }


def _spot(city: City | None) -> dict[str, object] | None:
    if city is None:
        return None
    point = city.place.point
    return {
        "city": city.name,
        "country": city.country,
        "lat": point.latitude,
        "lon": point.longitude,
        "geonameid": city.place.id,
    }


def _page_record(web: SyntheticWeb, page: int) -> bytes:
    status = web.status(page)
    if status not in _REASONS:
        return b""
    body = web.html(page)
    lines = [f"HTTP/1.1 {status} {_REASONS[status]}"]
    if status == 301:
        lines.append(f"Location: {web.url(web.targets(page)[0])}")
    lines += [f"Content-Type: {web.content_type(page)}", f"Content-Length: {len(body)}", "", ""]
    block = "\r\n".join(lines).encode() + body
    fields = [
        ("WARC-Target-URI", web.url(page)),
        ("WARC-IP-Address", web.locations.address(web.host(page))),
        ("Content-Type", "application/http;msgtype=response"),
    ]
    return _record("response", fields, block, mix(web.structure.random_seed, page))


def _file_head(web: SyntheticWeb, name: str) -> bytes:
    block = f"software: geoscout synthweb\r\ndescription: {web.name}\r\n".encode()
    fields = [("WARC-Filename", name), ("Content-Type", "application/warc-fields")]
    return _record("warcinfo", fields, block, mix(web.structure.random_seed, len(name)))


def _record(type: str, fields: list[tuple[str, str]], block: bytes, id: int) -> bytes:
    lines = [
        "WARC/1.1",
        f"WARC-Type: {type}",
        f"WARC-Record-ID: <urn:uuid:{UUID(int=id << 64 | mix(id, 1))}>",
        f"WARC-Date: {_DATE}",
        *(f"{field}: {value}" for field, value in fields),
        f"Content-Length: {len(block)}",
        "",
        "",
    ]
    return pack("\r\n".join(lines).encode() + block + b"\r\n\r\n")
