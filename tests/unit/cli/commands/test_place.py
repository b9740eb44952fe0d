def test_lisbon_is_in_portugal(typed):
    best = typed("place", "Lisbon", "--json").facts[0]

    assert best["country"] == "PT"
    assert best["path"] == ["Europe", "Portugal", "Lisbon"]
    assert best["geonameid"] == 2267057
    assert best["kind"] == "city"
    assert best["timezone"] == "Europe/Lisbon"
    assert best["synset"] == "08986066-n"
    assert "Europe > Portugal" in typed("place", "Lisbon").out


def test_country_narrows_and_more_people_come_first(typed):
    glendale = typed("place", "Glendale", "--json").facts
    athens = typed("place", "Athens", "--country", "US", "--json").facts

    assert [place["path"][2] for place in glendale[:2]] == ["Arizona", "California"]
    assert {place["country"] for place in athens} == {"US"}


def test_unknown_name_gets_three_spellings_and_status_2(typed):
    done = typed("place", "Lisbonn")

    assert (done.status, done.err.count("\n"), done.err.count(" or ")) == (2, 1, 2)
    assert "Lisbon, Portugal" in done.err


def test_a_postal_code_is_a_place_and_who_is_called_otherwise_says_so(typed):
    found = typed("place", "80331", "--json").facts
    napa = typed("place", "94558", "--country", "US", "--json").facts

    assert [(place["name"], place["country"]) for place in found] == [("80331 Munich", "DE")]
    assert napa[0]["name"] == "94558 Napa"
    assert "Roxie (also Oldenburg)" in typed("place", "Oldenburg").out
