"""The words German-speaking addresses are made of.

Kept apart from the grammar so that a word is added by adding a word. All are lower-case, as
`Word.key` has them.
"""

from __future__ import annotations

from geoscout.geo.address.vocabulary import word_set

# What a compound ends in, or what stands alone before the number.
TYPE_ENDINGS = (
    "straße", "strasse", "str", "str.", "platz", "pl.", "weg", "allee", "gasse", "ring", "damm",
    "ufer", "markt", "steig", "stieg", "gässchen", "gässli", "gässle", "chaussee", "promenade",
    "pfad", "graben", "wall", "brücke", "tor", "berg", "hof", "park", "feld", "kamp", "zeile",
    "twiete", "stiege", "hang", "halde", "rain", "wiese", "wiesen", "höhe", "siedlung", "matte",
    "redder", "stücken", "garten", "gärten", "anger", "bogen", "schlag", "kai", "deich", "mauer",
    "strooss", "passage", "quai", "rampe", "treppe", "winkel", "ort", "eck", "ecke", "insel",
    "acker", "mühle", "bach", "tal", "thal", "wald", "busch", "heide", "moor", "hafen", "lände",
    "leite", "gürtel", "linie", "karree", "zentrum", "esch", "brink", "bleiche", "bruch", "loh",
)  # fmt: skip
CERTAIN_ENDINGS = (
    "straße", "strasse", "str", "str.", "platz", "weg", "allee", "gasse", "ring", "damm", "ufer",
    "chaussee", "promenade", "steig", "twiete", "redder",
)  # fmt: skip
LEADING = word_set(
    """
    am an auf im in zum zur unter hinter vor bei beim ob obere oberer oberes untere unterer
    unteres hintere vordere alte alter altes neue neuer neues große großer kleine kleiner hohe
    hoher lange langer straße platz weg allee rue via gasse ring
    """
)
CERTAIN_LEADING = word_set("straße platz strasse allee weg")
PREPOSITIONS = word_set("am an auf im in zum zur unter hinter vor bei beim ob")
SMALL = word_set("der die das des dem den und u im am an auf zu zum zur von vom bei in a d nach v")

# Numbered things that are no streets.
NUMBERED = word_set(
    """
    telefon tel fax telefax mobil handy halle stand haus zimmer raum gebäude etage seite kapitel
    nr nummer artikel januar februar märz april mai juni juli august september oktober november
    dezember jan feb jun jul aug sep sept okt nov dez postfach pf ausgabe version stock block
    uhr konto blz iban bic steuernummer bündnis platzierung absatz abs paragraph teil band folge
    tag woche monat jahr jahre klasse gruppe runde spieltag bild foto abbildung preis ab bis von
    ca seit um nur über montag dienstag mittwoch donnerstag freitag samstag sonntag top schritt
    punkt punkte level stufe saison heft text bundesstraße europastraße landesstraße kreisstraße
    autobahn bundesautobahn ausfahrt code plz hrb hra ust id copyright die der das wir sie
    stellplatz rang sitzplatz parkplatz startplatz listenplatz geschoss zone liste anhang abschnitt
    bewertungen kommentare ergebnisse artikelnummer ticket modul kategorie bus linie gleis
    """
)
