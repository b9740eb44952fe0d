"""What users hear when the extra of the laboratory is not installed."""

from __future__ import annotations

import sys

from geoscout.cli.main import main
from geoscout_places.extras import install_command


def test_compare_says_what_to_install_before_it_starts(tmp_path, monkeypatch, capsys):
    for name in ("matplotlib", "scipy"):
        monkeypatch.setitem(sys.modules, name, None)

    status = main(["compare", "--out", str(tmp_path / "out")])

    shown = capsys.readouterr().err
    assert status == 2
    assert shown == f"geoscout: compare needs matplotlib and scipy: {install_command('lab')}\n"
    assert not (tmp_path / "out").exists()


def test_plot_of_a_crawl_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    status = main(["status", str(tmp_path), "--plot", str(tmp_path / "found.png")])

    assert status == 2
    assert install_command("lab") in capsys.readouterr().err
