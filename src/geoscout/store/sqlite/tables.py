"""The tables of the facts. Names are whole words, so that SQL over a crawl reads well.

Links are one packed row a page instead of a row each: a page has dozens, and rows would take
three times the time and five times the space (docs/why/store.md). Whoever needs them by target
reads them all.
"""

TABLES = """
CREATE TABLE IF NOT EXISTS visit (
    n INTEGER PRIMARY KEY,          -- the order of writing
    url TEXT NOT NULL,
    node TEXT NOT NULL,
    status INTEGER NOT NULL,
    relevant INTEGER NOT NULL,
    priority REAL NOT NULL,
    depth INTEGER NOT NULL,
    distance INTEGER NOT NULL,      -- links since the last relevant page or seed
    parent TEXT NOT NULL,           -- URL of the page the link was found on
    fetched_at REAL NOT NULL,       -- seconds since the epoch, UTC
    seconds REAL NOT NULL,
    address TEXT NOT NULL,          -- IP address
    size INTEGER NOT NULL,          -- bytes of the decoded body
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    digest BLOB NOT NULL,           -- SHA-1 of the body
    simhash INTEGER NOT NULL,
    is_page INTEGER NOT NULL,
    noindex INTEGER NOT NULL,       -- the page asks not to be found
    archive_file INTEGER NOT NULL,
    archive_offset INTEGER NOT NULL,
    archive_length INTEGER NOT NULL,  -- 0 when the record was lost
    body_of INTEGER NOT NULL,       -- the visit whose record holds the body
    degree REAL NOT NULL,           -- how much the page is about the region, 0 to 1
    captured_at REAL                -- when an archive got it that was replayed; NULL: we did
);
CREATE INDEX IF NOT EXISTS visit_url ON visit (url);
CREATE TABLE IF NOT EXISTS payload (
    digest BLOB PRIMARY KEY, visit INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS links (
    visit INTEGER PRIMARY KEY, count INTEGER NOT NULL, packed BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS address (
    visit INTEGER NOT NULL, position INTEGER NOT NULL,
    start INTEGER NOT NULL, end INTEGER NOT NULL, text TEXT NOT NULL,
    house_number TEXT NOT NULL, street TEXT NOT NULL, unit TEXT NOT NULL, city TEXT NOT NULL,
    region TEXT NOT NULL, postcode TEXT NOT NULL, country TEXT NOT NULL,
    latitude REAL, longitude REAL, place INTEGER NOT NULL, source TEXT NOT NULL,
    of_site INTEGER NOT NULL DEFAULT 0,  -- it stands in what many pages of its site have
    precision TEXT NOT NULL DEFAULT '',  -- of the point; '' where that is not known
    PRIMARY KEY (visit, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS place (
    id INTEGER PRIMARY KEY,         -- GeoNames id
    name TEXT NOT NULL, kind TEXT NOT NULL, latitude REAL NOT NULL, longitude REAL NOT NULL,
    country TEXT NOT NULL, population INTEGER NOT NULL, timezone TEXT NOT NULL,
    parent INTEGER NOT NULL, feature TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS visit_place (
    visit INTEGER NOT NULL, place INTEGER NOT NULL,
    mentions INTEGER NOT NULL,      -- by the page itself
    confidence REAL NOT NULL,
    score REAL NOT NULL,            -- share of the page's scope; 0 when only mentioned
    is_main INTEGER,                -- what the page is mainly about; NULL where it was not kept
    site_mentions INTEGER NOT NULL DEFAULT 0,  -- in what many pages of its site have
    PRIMARY KEY (visit, place)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS point (
    visit INTEGER NOT NULL, position INTEGER NOT NULL,
    latitude REAL NOT NULL, longitude REAL NOT NULL, source TEXT NOT NULL,
    PRIMARY KEY (visit, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS page_entries (  -- what pages say of businesses; a page without a row
                                    -- was not looked at
    visit INTEGER PRIMARY KEY,
    packed BLOB NOT NULL            -- as `directory.packing` does it
);
CREATE TABLE IF NOT EXISTS failure (
    at REAL NOT NULL, url TEXT NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL,
    tries INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS tally (
    topic TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (topic, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS change (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, visit INTEGER NOT NULL,
    changed_at REAL                 -- seconds since the epoch; NULL where it was not kept
);
CREATE TABLE IF NOT EXISTS crawl (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS site (   -- what the crawl knows of the sites it was at last; with the
                                    -- number of a visit in the name, what one of its pages told
    name TEXT PRIMARY KEY, packed BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS lost (   -- visits whose responses the archive has lost
    visit INTEGER PRIMARY KEY, url TEXT NOT NULL, at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS archive (file INTEGER PRIMARY KEY, size INTEGER NOT NULL);
DROP VIEW IF EXISTS page;           -- of an older version
CREATE VIEW page AS                 -- what each URL held when it was last fetched, if it was a page
    SELECT * FROM visit WHERE is_page AND n = (
        SELECT later.n FROM visit AS later WHERE later.url = visit.url AND later.status <> 304
        ORDER BY later.fetched_at DESC, later.n DESC LIMIT 1);
CREATE VIEW IF NOT EXISTS fetch_log AS
    SELECT fetched_at AS at, url, status, '' AS kind, seconds, size, address, n FROM visit
    UNION ALL SELECT at, url, 0, kind, 0, 0, '', NULL FROM failure;
"""
