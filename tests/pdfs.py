"""Small PDF documents, for tests."""

from collections.abc import Sequence

Line = tuple[int, int, str]  # left and bottom in points, from the lower left corner; the words


def pdf_of(*pages: Sequence[Line], title: str = "", link: str = "") -> bytes:
    """A document whose pages have these lines; all of the first page leads to `link`."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", _font()]
    kids = []
    for number, lines in enumerate(pages):
        words = "".join(
            f"BT /F 10 Tf {x} {y} Td ({_escaped(text)}) Tj ET\n" for x, y, text in lines
        )
        stream = words.encode("cp1252")
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream))
        notes = _annotation(link) if link and number == 0 else b""
        objects.append(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R"
            b"/Resources<</Font<</F 3 0 R>>>>%s>>" % (len(objects), notes)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(kids))
    objects.append(b"<</Title(%s)>>" % _escaped(title).encode("cp1252"))
    return _file(objects)


def _font() -> bytes:
    return b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"


def _annotation(link: str) -> bytes:
    return (
        b"/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 600 800]"
        b"/A<</S/URI/URI(%s)>>>>]" % _escaped(link).encode()
    )


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _file(objects: list[bytes]) -> bytes:
    content, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(content))
        content += b"%d 0 obj%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return content + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R/Info %d 0 R>>\n"
        b"startxref\n%d\n%%%%EOF"
        % (len(objects) + 1, table, len(objects) + 1, len(objects), len(content))
    )
