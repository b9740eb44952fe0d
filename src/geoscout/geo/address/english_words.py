"""The words English-speaking addresses are made of, as posts and street signs write them.

Kept apart from the grammar so that a word is added by adding a word. All are lower-case and
without full stops, as `Word.key` has them.
"""

from __future__ import annotations

from geoscout.geo.address.vocabulary import word_set

# Words that make a street of the name in front of them wherever they stand.
STREET_TYPES = word_set(
    """
    street st str avenue ave av aven road rd roads rds drive dr drv lane ln boulevard blvd boul bd
    court ct crt place pl terrace ter terr way wy circle cir circ parkway pkwy pky pkwys parkways
    highway hwy hiway pk trail trl square sq plaza plz loop pike alley aly turnpike tpke tnpk tpk
    expressway expy expwy freeway fwy frwy causeway cswy crossing xing row path walk crescent
    cres driveway esplanade promenade bypass broadway beltway thruway throughway trafficway
    trace trce passage motorway speedway skyway viaduct frontage mews close wynd quay wharf
    embankment parade arcade streets sts avenues aves drives drs lanes courts
    """
)

# Of these, the ones a number may follow: "Indiana Highway 212".
ROUTE_TYPES = word_set("highway hwy route rte road rd parkway")

# Words that end street names too, but end other names as well: proof only beside a postcode.
WEAK_STREET_TYPES = word_set(
    """
    center centre ctr park hill hills heights hts ridge rdg run point pt points view vw vista
    manor gardens gdns garden grove grv green grn landing lndg mall bend bluff bluffs branch
    bridge brook canyon cape cove cv creek crk crest dale estate estates extension ext field
    fields fld flats ford forest fork forks gate gateway glen gln harbor harbour hbr haven hollow
    holw island isle junction jct key knoll knolls lake lakes lodge meadow meadows mdws mdw mill
    mills mount mountain mtn neck oval overlook orchard pass pines plain plains port prairie
    ranch rapids rest rise river shore shores spring springs spur station sta summit tower towers
    tunnel union valley village vlg well wells commons common crossroad crossroads yard vale
    chase croft drove end fold garth cottages villas buildings campus pavilion concourse
    boardwalk pier dock building bldg hall house
    """
)

# Street words that come first, or are the whole name.
LEADING_TYPES = word_set(
    """
    avenue ave av boulevard blvd boul calle camino avenida avda via viale paseo rue chemin ch
    place plaza plz corte rambla cours quai rang montée impasse allée
    """
)
STANDING_ALONE = word_set("broadway bowery embarcadero strand esplanade paseo piccadilly")

DIRECTIONS = word_set(
    """
    n s e w ne nw se sw north south east west northeast northwest southeast southwest
    no so n.e n.w s.e s.w nord sud est ouest o
    """
)

UNIT_WORDS = word_set(
    """
    suite ste apartment apt unit floor fl flr room rm building bldg space spc lot level box
    department dept office ofc penthouse ph hangar slip pier trailer trlr mailstop stop basement
    bsmt front frnt lobby lower upper rear side studio block wing tower flat shop bureau étage
    stall # no number app appartement local
    mezzanine concourse gate kiosk bay pmb mezz psc cmr code
    """
)
# Of these, the ones that stand without an identifier.
WHOLE_UNITS = word_set("basement bsmt lobby penthouse ph rear front mezzanine lower upper")

NUMBER_WORDS = word_set(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty"
)
ORDINAL_WORDS = word_set(
    """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
    """
)
CONNECTORS = word_set("of the de la las los del el du des da di y le les d l and &")

# What begins no street in a line that is all in lower case.
FUNCTION_WORDS = word_set(
    "a an at in on of for to and or but with by from per is was are were has have had that this"
)

# What begins a remark on where a street is: "between 8th and 9th Aves.", "off I-10 West".
POSITION_WORDS = word_set(
    """
    at near nr between bet btwn b/w corner cor off on via in inside across next just behind by
    opposite opp adjacent above below along around from within beside under north south east west
    northeast northwest southeast southwest the one two three half approx about
    station stn succursale succ c/o attn
    """
)

# What is counted on web pages: "12 Reviews", "3 Beds", "5 March". Never the name of a street.
COUNTED = word_set(
    """
    review reviews photo photos comment comments bed beds bath baths bedroom bedrooms bathroom
    bathrooms star stars result results day days hour hours minute minutes min mins year years
    month months week weeks mile miles mi km people person persons guest guests member members
    vote votes item items view views post posts page pages job jobs listing listings property
    properties home homes room rooms sq sqft acre acres car cars seat seats student students
    percent million billion thousand hundred dollars usd am pm january february march april may
    june july august september october november december jan feb mar apr jun jul aug sep sept oct
    nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
    copyright inc llc corp ltd all rights llp edition season model issue volume vol article
    tickets locations location stores results restaurants hotels events companies
    """
)
