"""Names in other cases whose stem changes, and towns with their river or region in short."""

import pytest

from geoscout_places.geo.mentions import find_mentions

# A text, and the names in it with their places.
TEXTS = [
    (
        (
            "Největší závod v České republice se konal minulý rok v Praze, ale žije ve Spojených "
            "státech a v Německu."
        ),
        "České_republice=Czechia Praze=Prague Spojených_státech=United_States Německu=Germany",
    ),
    (
        "Asun Alankomaissa, mutta olen työskennellyt myös Yhdysvalloissa ja Filippiineillä.",
        ("Alankomaissa=The_Netherlands Yhdysvalloissa=United_States Filippiineillä=Philippines"),
    ),
    ("Asun Helsingissä ja kävin Ruotsissa.", "Helsingissä=Helsinki Ruotsissa=Sweden"),
    ("Restauracja w Krakowie", "Krakowie=Kraków"),
    (
        "Die Firma kommt aus den Niederlanden und liefert in die Vereinigten Staaten.",
        "Niederlanden=The_Netherlands Vereinigten_Staaten=United_States",
    ),
    (
        (
            "V Praze se dnes koná výstava, která je otevřena do konce roku. Vlak jede z "
            "Brna, z Plzně "
            "a z Liberce do Hradce Králové, do Českých Budějovic a do Karlových Varů."
        ),
        (
            "Praze=Prague Brna=Brno Plzně=Pilsen Liberce=Liberec Hradce_Králové=Hradec_Králové "
            "Českých_Budějovic=České_Budějovice Karlových_Varů=Karlovy_Vary"
        ),
    ),
    (
        (
            "V Bratislave sa dnes koná výstava, ktorá je otvorená do konca roka. Vlak ide z "
            "Košíc do "
            "Žiliny, do Banskej Bystrice a aj do Viedne."
        ),
        (
            "Bratislave=Bratislava Košíc=Košice Žiliny=Žilina Banskej_Bystrice=Banská_Bystrica "
            "Viedne=Vienna"
        ),
    ),
    (
        (
            "W Warszawie są targi, które były otwarte do końca roku. Pociąg jedzie z Gdyni "
            "do Katowic. "
            "Mieszkał w Nowym Jorku, w Niemczech i w Stanach Zjednoczonych, ale nie w Białymstoku."
        ),
        (
            "Warszawie=Warsaw Gdyni=Gdynia Katowic=Katowice Nowym_Jorku=New_York Niemczech=Germany "
            "Stanach_Zjednoczonych=United_States Białymstoku=Białystok"
        ),
    ),
    (
        (
            "Helsingissä on tänään näyttely, joka on auki vuoden loppuun, ja juna kulkee Lahdesta "
            "Seinäjoelle, mutta myös Rovaniemen asukkaat ovat mukana Suomessa."
        ),
        (
            "Helsingissä=Helsinki Lahdesta=Lahti Seinäjoelle=Seinäjoki Rovaniemen=Rovaniemi "
            "Suomessa=Finland"
        ),
    ),
    (
        (
            "U Rijeci je izložba koja je otvorena do kraja godine. Vlak ide iz Zadra, a "
            "autobus je bio "
            "u Novom Sadu, u Sarajevu i u Hrvatskoj."
        ),
        "Rijeci=Rijeka Zadra=Zadar Novom_Sadu=Novi_Sad Sarajevu=Sarajevo Hrvatskoj=Croatia",
    ),
    (
        "V Ljubljani je razstava, ki je odprta do konca leta. Vlak pelje iz Kopra v Novo Gorico.",
        "Ljubljani=Ljubljana Kopra=Koper Novo_Gorico=Nova_Gorica",
    ),
    (
        "У Београду је данас изложба која је отворена до краја године, а воз иде из Новог Сада.",
        "Београду=Belgrade Новог_Сада=Novi_Sad",
    ),
    (
        "У Києві та у Львові відкрили виставку, яка буде до кінця року. Потяг їде з Одеси.",
        "Києві=Kyiv Львові=Lviv Одеси=Odesa",
    ),
    (
        (
            "В Москве и в Санкт-Петербурге открылась выставка, которая будет до конца года. "
            "Поезд идёт "
            "из Казани в Самару и в Нижний Новгород, но не в Ярославле и не в Германии."
        ),
        (
            "Москве=Moscow Санкт-Петербурге=Saint_Petersburg Казани=Kazan Самару=Samara "
            "Нижний_Новгород=Nizhniy_Novgorod Ярославле=Yaroslavl Германии=Germany"
        ),
    ),
    (
        "Στην Αθήνα άνοιξε σήμερα η έκθεση που είναι κοντά στον Βόλο και της Πάτρας.",
        "Αθήνα=Athens Βόλο=Volos Πάτρας=Pátra",
    ),
    (
        "Tartus on täna näitus, mis on avatud, ja rong sõidab aga Viljandisse ning Pärnust.",
        "Tartus=Tartu Viljandisse=Viljandi Pärnust=Pärnu",
    ),
    (
        "Vilniuje ir Kaune atidaryta paroda, kuri yra iki metų pabaigos, o kitas iš Klaipėdos.",
        "Vilniuje=Vilnius Kaune=Kaunas Klaipėdos=Klaipėda",
    ),
    (
        "Rīgā un Daugavpilī ir izstāde, kas ir atvērta līdz gada beigām, arī no Liepājas.",
        "Rīgā=Riga Daugavpilī=Daugavpils Liepājas=Liepāja",
    ),
    (
        (
            "Budapesten és Debrecenben kiállítás nyílt, amely szerint a vonat Pécsre megy, de nem "
            "Ausztriában."
        ),
        "Budapesten=Budapest Debrecenben=Debrecen Pécsre=Pécs Ausztriában=Austria",
    ),
    (
        "Primăria Constanței și cea din sudul României sunt deschise până la sfârșitul anului.",
        "Constanței=Constanţa României=Romania",
    ),
    (
        "Rútan fer í dag frá Kópavogi til Hafnarfjarðar, og það er ekki langt.",
        "Kópavogi=Kópavogur Hafnarfjarðar=Hafnarfjörður",
    ),
]


TEXTS += [
    (
        "Živi u Austriji, a bio je i u Italiji te u Belgiji.",
        "Austriji=Austria Italiji=Italy Belgiji=Belgium",
    ),
    (
        "Jis gyvena Italijoje ir Norvegijoje, kad būtų ne vienas.",
        "Italijoje=Italy Norvegijoje=Norway",
    ),
]


@pytest.mark.parametrize(("text", "names"), TEXTS, ids=[text[:12] for text, _ in TEXTS])
def test_names_are_found_in_other_cases(text, names, knowledge):
    wanted = [tuple(pair.replace("_", " ").split("=")) for pair in names.split()]

    found = find_mentions(text, knowledge)

    assert [(m.text, m.place.name) for m in found if m.place] == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Ředitel Karel Novák a Petr Dvořák pracovali pro Marcela Kadáka, ale pro Václava Havla ne.",
        "Pan Kowalski pracował dla Jana Nowaka oraz dla Marka Zielińskiego, a nie dla Anny.",
        "Matti Virtanen ja Kari Mikkola olivat mukana, mutta Pekalle ja Mikkolalle ei ole aikaa.",
        "Директор Иван Петров работал для Алексея Смирнова и для Марины, но не для Кирилла.",
    ],
)
def test_people_in_other_cases_are_no_places(text, knowledge):
    assert find_mentions(text, knowledge) == []


def test_a_famous_name_in_another_case_outdoes_a_village_that_is_written_so(knowledge):
    text = "Mieszkał w Nowym Jorku, ale nie był to jego dom, bo wrócił do kraju."

    found = find_mentions(text, knowledge)

    assert [(m.text, m.place and m.place.country) for m in found] == [("Nowym Jorku", "US")]


def test_rules_of_one_language_do_not_hold_in_another(knowledge):
    text = "The girl was called Praze by her friends, and they did not know why she had that name."

    assert find_mentions(text, knowledge) == []


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Limburg a.d. Lahn", "Limburg an der Lahn"),
        ("Limburg a. d. Lahn", "Limburg an der Lahn"),
        ("Frankfurt a. M.", "Frankfurt am Main"),
        ("Frankfurt a.M.", "Frankfurt am Main"),
        ("Frankfurt/M.", "Frankfurt am Main"),
        ("Neustadt a. d. Weinstraße", "Neustadt an der Weinstraße"),
        ("Rothenburg o.d.T.", "Rothenburg ob der Tauber"),
        ("Freiburg i. Br.", "Freiburg"),
        ("Mülheim a. d. Ruhr", "Mülheim"),
        ("Halle/S.", "Halle (Saale)"),
    ],
)
def test_short_names_are_those_of_the_town(written, name, knowledge):
    found = find_mentions(f"Der Verein hat auch in {written} und in der Umgebung Büros.", knowledge)

    assert [(m.text, m.place and m.place.name) for m in found] == [(written, name)]


def test_the_full_stop_of_a_sentence_is_not_part_of_a_name(knowledge):
    found = find_mentions("Er wohnt jetzt mit der Familie in Offenbach a. Main.", knowledge)

    assert [m.text for m in found] == ["Offenbach a. Main"]


def test_other_words_behind_a_town_stay_what_they_are(knowledge):
    text = "Die Linie fährt von Hamburg/Berlin i. d. R. nicht nach Kiel, aber z. B. nach Bonn."

    assert [m.text for m in find_mentions(text, knowledge)] == ["Hamburg", "Berlin", "Kiel", "Bonn"]
