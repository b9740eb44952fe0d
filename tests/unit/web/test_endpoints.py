import pytest


def test_a_misspelt_parameter_is_refused_with_the_right_one(client):
    answer = client.get("/api/search", params={"q": "pizza", "plce": 1, "radius": 2})

    problem = answer.json()
    assert answer.status_code == 422
    assert problem["detail"] == ("query.plce: there is no such parameter; did you mean 'place'?")
    assert [fault["where"] for fault in problem["errors"]] == ["query.plce", "query.radius"]


def test_where_nothing_is_taken_it_is_said(client):
    answer = client.get("/api/site", params={"crawl": "lisbon"})

    assert answer.json()["detail"] == "query.crawl: there is no such parameter; it takes none"


def test_parameters_of_shared_dependencies_are_known(client):
    answer = client.get("/api/hosts", params={"crawl": "lisbon", "limit": 3})

    assert answer.status_code == 200


def test_pages_take_any_parameter(client):
    assert client.get("/search", params={"from": "a newsletter"}).status_code == 200


def test_unknown_members_of_a_body_are_refused(client):
    answer = client.post("/api/geoparse", json={"text": "Lisbon", "htm": "x"})

    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, "body.htm")


@pytest.mark.parametrize("number", ["1" + 400 * "0", "1" + 5000 * "0", "1e400", "NaN"])
def test_no_number_is_an_error_of_the_server(client, number):
    area = f'{{"type":"Polygon","coordinates":[[[0,0],[{number},1],[1,1],[0,0]]]}}'
    for name, text in [("within", area), ("near", f"{number},0"), ("limit", number)]:
        answer = client.get("/api/search", params={"q": "pizza", name: text})

        assert 400 <= answer.status_code < 500, (name, answer.text)


def test_an_invalid_parameter_is_named(client):
    answer = client.get("/api/search", params={"q": "pizza", "limit": 1000})

    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"].startswith("query.limit: ")


def test_a_wrong_method_is_a_problem(client):
    answer = client.delete("/api/search")

    assert (answer.status_code, answer.json()["status"]) == (405, 405)
