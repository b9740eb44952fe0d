"""Words that tell what stands beside them: a place, a person, an organisation.

Closed lists of ordinary words, English and German (with the French, Spanish and Italian
prepositions), each read as the class of the word before or after a name. A word in no list gets a
class by its shape.
"""

from __future__ import annotations

from geoscout.gazetteer.automaton import sight


def _classes(table: str) -> dict[str, str]:
    """A look-up, by the word as `sight` shows it, from lines of "class: word word …"."""
    pairs = (line.split(":", 1) for line in table.strip().splitlines())
    return {sight(word): name.strip() for name, words in pairs for word in words.split()}


BEFORE = _classes("""
in: in inside within throughout im innerhalb dans en à au
at: at near around outside beside beyond across nahe bei beim um toward towards entlang near nähe
to: to from via through between leaving into nach aus von vom ab bis zwischen über richtung raum
to: kreuz autobahnkreuz dreieck anschlussstelle gegen zum zur strecke linie streckenabschnitt
of: of for on by with against über für mit auf against
and: and or und oder et y e &
the: the der die das den dem
direction: north south east west northern southern eastern western central upper lower downtown
direction: northeast northwest southeast southwest northeastern northwestern southeastern metro
direction: southwestern mid greater suburban rural nearby inner outer nördlich südlich östlich
direction: westlich nord süd ost west nördlichen südlichen östlichen westlichen
title: mr mrs ms dr prof sen rep gov gen col lt capt sgt cpl rev hon sir lady lord king queen prince
title: princess pope saint president senator congressman congresswoman governor mayor judge justice
title: sheriff officer chief coach captain sergeant detective deputy superintendent professor
title: secretary minister chancellor general colonel attorney councilman councilwoman commissioner
title: director manager chairman spokesman spokeswoman herr frau minister pastor father brother
title: sister aunt uncle miss actor actress singer author dj host designer
kind: city town village county state province district region municipality republic kingdom island
kind: township parish borough port mount lake river stadt gemeinde dorf landkreis kreis land ort
kind: stadtteil bezirk bahnhof ville community capital suburb
""")

AFTER = _classes("""
said: said says told added asked thinks believes wrote who whose explained noted scored has had
said: recalled hit pitched threw rushed finished led went ran won batted sagte erklärte
based: based area native resident residents region downtown born bound metro
geo: county parish river lake creek valley mountain mountains hills hill island islands bay beach
geo: park forest canyon harbor harbour peninsula heights springs falls township district province
geo: airport station bridge road street avenue highway boulevard drive lane st ave rd blvd square
geo: pass canal coast plaza mall dam sea ocean hbf hauptbahnhof bahnhof straße strasse platz
geo: flughafen peak desert basin plateau village
org: university college school hospital police department times post news herald tribune journal
org: gazette daily press inc corp co ltd llc plc gmbh ag bank church center centre club company
org: council court association institute society museum library orchestra theatre theater hotel
org: group foundation high elementary middle academy medical memorial fire city central united fc
org: state community chamber board international union airlines magazine review star sun telegraph
org: festival senate congress war show tour tours guide reserve service services office agency
org: system authority committee commission conference league cup championship open symphony
team: tigers lions bears eagles cowboys giants jets patriots bulldogs panthers warriors wildcats
team: sox cubs braves yankees mets lakers celtics hawks rangers saints raiders broncos chiefs
team: rams colts browns steelers bengals ravens titans jaguars dolphins bills vikings packers
team: redskins seahawks cardinals falcons buccaneers
suffix: jr sr ii iii iv
and: and or und oder et y e &
in: in near im bei
verb: is was lies liegt ist war are were will
""")
