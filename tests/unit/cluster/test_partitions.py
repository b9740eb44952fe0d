from __future__ import annotations

from collections import Counter

from geoscout_cluster.partitions import partition_of_url


def test_the_hosts_of_a_site_are_in_one_partition() -> None:
    urls = ["https://example.co.uk/", "http://www.example.co.uk/a", "https://a.b.example.co.uk:81/"]

    assert len({partition_of_url(url, 1024) for url in urls}) == 1


def test_every_process_finds_the_same_partition() -> None:
    assert [partition_of_url(f"http://site-{n}.example/", 16) for n in range(6)] == [
        9, 10, 15, 12, 5, 6,
    ]  # fmt: skip


def test_sites_are_spread_evenly() -> None:
    counts = Counter(partition_of_url(f"http://site-{n}.test/", 16) for n in range(16_000))

    assert set(counts) == set(range(16))
    assert 900 < min(counts.values()) <= max(counts.values()) < 1100


def test_addresses_and_odd_names_have_a_partition_too() -> None:
    for url in ("http://192.0.2.1/", "http://[2001:db8::1]:8080/", "http://localhost/"):
        assert 0 <= partition_of_url(url, 7) < 7
