"""Which of GeoNames' features are imported unless the user asks otherwise, and what kind they are.

A dump of the world holds millions of features, a large part of them streams, hills, farms, schools
and the like. A name that nobody uses costs twice: it takes memory, and it
makes other names ambiguous. The dump has no measure of importance, but a feature that people write
about mostly has an alternate name; that is the test for everything that is not a settlement.
"""

from __future__ import annotations

from geoscout_places.errors import UsageError
from geoscout_places.model import Kind

CLASSES = frozenset("AHLPRSTUV")
EVERYTHING = "all"

# Gone: historical, abandoned or destroyed.
_GONE_SETTLEMENTS = frozenset({"PPLCH", "PPLH", "PPLQ", "PPLW"})
# Third and lower divisions mostly repeat the name of the town they are around.
_DIVISIONS = frozenset({"ADM1", "ADM2", "PCL", "PCLD", "PCLF", "PCLI", "PCLIX", "PCLS", "TERR"})
_ALWAYS = frozenset({"CONT", "OCN", "SEA", "GULF", "RGN", "RGNE"})
_NOTABLE_CODES = """
    BAY CHN CNL ESTY FJD FLLS GLCR HBR LGN LK LKS RF RSV STM STRT WTRH
    AREA CST PRK RESN RESW RGNH RGNL
    ATOL CAPE CNYN DLTA DSRT HLLS ISL ISLS ISTH MESA MT MTS PASS PEN PK PKS PLAT PLN UPLD VAL VLC
    AIRP AMTH ANS BDG CSTL CTHD DAM FT LTHSE MNMT MUS OBS OPRA PAL PYR RUIN SQR STDM THTR TOWR
    UNIV ZOO FRST
"""
_WATER_CODES = """
    AIRS ANCH BAY BAYS BGHT BNK BNKR BNKX BOG CAPG CHN CHNL CHNM CHNN CNFL CNL CNLA CNLB CNLD CNLI
    CNLN CNLQ CNLSB CNLX COVE CRKT CRNT CUTF DCK DCKB DOMG DPRG DTCH DTCHD DTCHI DTCHM ESTY FISH FJD
    FJDS FLLS FLLSX FLTM FLTT GLCR GULF GYSR HBR HBRX INLT INLTQ LBED LGN LGNS LGNX LK LKC LKI LKN
    LKNI LKO LKOI LKS LKSB LKSC LKSI LKSN LKSNI LKX MFGN MGV MOOR MRSH MRSHN NRWS OCN OVF PND PNDI
    PNDN PNDNI PNDS PNDSF PNDSI PNDSN POOL POOLI RCH RDGG RDST RF RFC RFX RPDS RSV RSVI RSVT RVN
    SBKH SD SEA SHOL SILL SPNG SPNS SPNT STM STMA STMB STMC STMD STMGS STMH STMI STMIX STMM STMQ
    STMS STMSB STMX STRT SWMP SYSG TNLC WAD WADB WADJ WADM WADS WADX WHRL WLL WLLQ WLLS WTLD WTLDI
    WTRC WTRH
"""
_NOTABLE = frozenset(_NOTABLE_CODES.split())
_WATERS = frozenset(_WATER_CODES.split())
_KINDS = {
    "CONT": Kind.CONTINENT,
    "ADM1": Kind.REGION,
    "PPLX": Kind.NEIGHBOURHOOD,
    "quarter": Kind.NEIGHBOURHOOD,  # of our own list
}
_AREAS = frozenset({"AREA", "CST", "RGN", "RGNE", "RGNH", "RGNL"})


def read_classes(option: str) -> frozenset[str]:
    """The feature classes an option asks for in full; none for the usual choice.

    Raises:
        UsageError: a letter is not a feature class of GeoNames.
    """
    if option == EVERYTHING:
        return CLASSES
    classes = frozenset(option.upper())
    if unknown := classes - CLASSES:
        letters = "".join(sorted(CLASSES))
        raise UsageError(
            f"{''.join(sorted(unknown))!r} is not a feature class of GeoNames; "
            f"take some of {letters} (as in geonames:PH) or {EVERYTHING!r}"
        )
    return classes


def is_wanted(feature_class: str, feature: str, *, has_alternates: bool) -> bool:
    """Whether a feature is imported when the user did not choose classes.

    >>> is_wanted("H", "STM", has_alternates=True), is_wanted("H", "STM", has_alternates=False)
    (True, False)
    """
    if feature_class == "P":
        return feature not in _GONE_SETTLEMENTS
    if feature_class == "A":
        return feature in _DIVISIONS
    return feature in _ALWAYS or (has_alternates and feature in _NOTABLE)


def kind_of(feature: str) -> Kind:
    """What kind of place a GeoNames feature code stands for; a city where there is no code.

    >>> [str(kind_of(code)) for code in ("PPLA", "ADM2", "STM", "MT", "")]
    ['city', 'district', 'water', 'landmark', 'city']
    """
    if found := _KINDS.get(feature):
        return found
    if not feature or feature.startswith("PPL") or feature in ("POST", "STLMT"):
        return Kind.CITY
    if feature.startswith("PCL") or feature == "TERR":
        return Kind.COUNTRY
    if feature.startswith("ADM"):
        return Kind.DISTRICT
    if feature in _AREAS:
        return Kind.AREA
    return Kind.WATER if feature in _WATERS else Kind.LANDMARK
