"""The language of a text by its small words."""

import pytest

from geoscout_places.language import guess_language, shipped_languages

TEXTS = {
    "bg": "Влакът днес не се движи, защото бурята е затворила линията за всички пътници.",
    "cs": "Vlak jede z města do hor, ale pro děti není dost místa a musí čekat na další.",
    "da": "Toget kører ikke fra byen, og der er heller ikke plads til alle børn med cykler.",
    "de": "Der Zug fährt heute nicht, weil die Strecke nach dem Sturm noch gesperrt ist.",
    "el": "Το τρένο δεν φεύγει σήμερα, γιατί η καταιγίδα έχει κλείσει τη γραμμή για όλους.",
    "en": "The train does not run today because of the storm that closed the line.",
    "es": "El tren no sale hoy porque la tormenta ha cerrado la línea para los viajeros.",
    "et": "Rong täna ei sõida, sest torm on sulgenud tee ning kõik peavad ootama järgmist.",
    "fi": "Juna ei kulje tänään, koska myrsky on sulkenut radan ja se avataan vasta huomenna.",
    "fr": "Le train ne part pas car la tempête a fermé la ligne pour tous les voyageurs.",
    "hr": "Vlak danas ne vozi jer je oluja zatvorila prugu, ali će autobus doći nakon podne.",
    "hu": "A vonat ma nem közlekedik, mert a vihar lezárta a pályát, és mindenki csak várhat.",
    "is": "Lestin fer ekki í dag, því að óveðrið hefur lokað leiðinni og allir þurfa að bíða.",
    "it": "Il treno non parte oggi perché la tempesta ha chiuso la linea per tutti gli utenti.",
    "lt": (
        "Traukinys šiandien nevažiuoja, nes audra uždarė kelią, ir visi turi "
        "laukti, kad kas nors padėtų."
    ),
    "lv": (
        "Vilciens šodien nebrauc, jo vētra ir slēgusi ceļu, un visiem "
        "jāgaida, līdz tas tiek atvērts."
    ),
    "nl": "De trein rijdt niet omdat de storm het spoor heeft afgesloten voor alle reizigers.",
    "no": "Toget går ikke i dag fordi stormen har stengt sporet, og alle må vente på neste.",
    "pl": "Pociąg nie jedzie do miasta, bo burza zamknęła tory i nie ma go już dla nikogo.",
    "pt": "O trem não sai hoje porque a tempestade fechou a linha para todos os viajantes.",
    "ro": (
        "Trenul nu pleacă azi pentru că furtuna a închis linia și toți sunt "
        "nevoiți să aștepte în gară."
    ),
    "ru": "Поезд сегодня не идёт, потому что буря закрыла дорогу, и все должны ждать до завтра.",
    "sk": (
        "Vlak dnes nejde, lebo búrka zatvorila trať, a všetci musia čakať, "
        "ale autobus už je tu aj pre nich."
    ),
    "sl": "Vlak danes ne vozi, ker je nevihta zaprla progo, lahko pa greste tudi z avtobusom.",
    "sr": "Воз данас не вози јер је олуја затворила пругу, али ће аутобус доћи после подне.",
    "sv": "Tåget går inte i dag för att stormen har stängt spåret och alla får vänta.",
    "tr": (
        "Tren bugün çalışmıyor, çünkü fırtına yolu kapattı ve herkes bir "
        "sonraki için beklemek zorunda."
    ),
    "uk": "Потяг сьогодні не їде, бо буря закрила колію, і всі мають чекати, що буде далі.",
}


@pytest.mark.parametrize("code", sorted(TEXTS))
def test_language_shows_in_small_words(code):
    assert guess_language(TEXTS[code]) == code


def test_letters_tell_languages_with_the_same_words():
    assert guess_language("Ředitel přijel do Plzně a potom do Brna, kde žije v domě") == "cs"
    assert guess_language("Riaditeľ šiel do mesta a potom do hôr, kde je v chate, vo ľade") == "sk"


def test_claim_counts_where_words_do_not_decide():
    assert guess_language("Hotels Berlin", "de-AT") == "de"
    assert guess_language("Hotels Oslo", "nn_NO") == "no"
    assert guess_language("Hotels", "tlh") == ""


def test_words_count_more_than_the_claim_of_a_template():
    assert guess_language(TEXTS["de"], "en") == "de"


def test_a_long_text_is_read_in_three_places():
    text = "Hotels Berlin " * 400 + TEXTS["sv"] + " Hotels Berlin" * 400

    assert guess_language(text) in {"", "sv"}
    assert guess_language(TEXTS["sv"] + " Hotels Berlin" * 4000) == "sv"


def test_every_language_with_small_words_says_where_it_is_spoken():
    for language in shipped_languages():
        assert bool(language.frequent_words) == bool(language.countries), language.code
