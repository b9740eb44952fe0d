"""Which of GeoNames' features are imported unless the user asks otherwise.

A dump of the world holds millions of features, a large part of them streams, hills, farms, schools
and the like. A name that nobody uses costs twice: it takes memory, and it
makes other names ambiguous. The dump has no measure of importance, but a feature that people write
about mostly has an alternate name; that is the test for everything that is not a settlement.
"""

from __future__ import annotations

from geoscout_places.errors import UsageError

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
_NOTABLE = frozenset(_NOTABLE_CODES.split())


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
