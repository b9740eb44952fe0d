"""The language of a text by its small words."""

from __future__ import annotations

import pytest

from geoscout.language import guess_language, shipped_languages

TEXTS = {
    "cs": "Vlak jede z města do hor, ale pro děti není dost místa a musí čekat na další.",
    "da": "Toget kører ikke fra byen, og der er heller ikke plads til alle børn med cykler.",
    "de": "Der Zug fährt heute nicht, weil die Strecke nach dem Sturm noch gesperrt ist.",
    "en": "The train does not run today because of the storm that closed the line.",
    "es": "El tren no sale hoy porque la tormenta ha cerrado la línea para los viajeros.",
    "fi": "Juna ei kulje tänään, koska myrsky on sulkenut radan ja se avataan vasta huomenna.",
    "fr": "Le train ne part pas car la tempête a fermé la ligne pour tous les voyageurs.",
    "it": "Il treno non parte oggi perché la tempesta ha chiuso la linea per tutti gli utenti.",
    "nl": "De trein rijdt niet omdat de storm het spoor heeft afgesloten voor alle reizigers.",
    "no": "Toget går ikke i dag fordi stormen har stengt sporet, og alle må vente på neste.",
    "pl": "Pociąg nie jedzie do miasta, bo burza zamknęła tory i nie ma go już dla nikogo.",
    "pt": "O trem não sai hoje porque a tempestade fechou a linha para todos os viajantes.",
    "sv": "Tåget går inte i dag för att stormen har stängt spåret och alla får vänta.",
}


@pytest.mark.parametrize("code", sorted(TEXTS))
def test_language_shows_in_small_words(code: str) -> None:
    assert guess_language(TEXTS[code]) == code


def test_claim_counts_where_words_do_not_decide() -> None:
    assert guess_language("Hotels Berlin", "de-AT") == "de"
    assert guess_language("Hotels Oslo", "nn_NO") == "no"
    assert guess_language("Hotels", "tlh") == ""


def test_words_count_more_than_the_claim_of_a_template() -> None:
    assert guess_language(TEXTS["de"], "en") == "de"


def test_a_long_text_is_read_in_three_places() -> None:
    text = "Hotels Berlin " * 400 + TEXTS["sv"] + " Hotels Berlin" * 400

    assert guess_language(text) in {"", "sv"}
    assert guess_language(TEXTS["sv"] + " Hotels Berlin" * 4000) == "sv"


def test_every_language_with_small_words_says_where_it_is_spoken() -> None:
    for language in shipped_languages():
        assert bool(language.frequent_words) == bool(language.countries), language.code
