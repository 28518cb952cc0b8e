"""Texts in languages that detection does not cover: they are told, and their prose stays."""

import pytest

from linkmask import detect
from linkmask.config import Settings
from linkmask.detect.register import language as language_module
from linkmask.detect.register.language import uncovered_language, unknown_language
from linkmask.graph import entities
from linkmask.records import Document

SETTINGS = Settings()
MARKET = {
    "id": "Pasar dibuka pada pagi hari dan ditutup setelah makan siang. Harga beras naik sedikit "
    "minggu ini karena hujan. Para pedagang menjual sayur, buah dan ikan segar.",
    "vi": "Chợ mở cửa từ sáng sớm và đóng cửa sau bữa trưa. Giá gạo tuần này tăng nhẹ vì trời mưa "
    "nhiều. Người bán hàng bày rau, trái cây và cá tươi.",
    "sk": "Trh sa otvára skoro ráno a zatvára po obede. Cena ryže tento týždeň mierne stúpla pre "
    "dážď. Predavači ponúkajú zeleninu, ovocie a čerstvé ryby.",
    "lt": "Turgus atidaromas anksti ryte ir uždaromas po pietų. Ryžių kaina šią savaitę šiek tiek "
    "pakilo dėl lietaus. Prekeiviai parduoda daržoves, vaisius ir šviežią žuvį.",
    "lv": "Tirgus tiek atvērts agri no rīta un slēgts pēc pusdienām. Rīsu cena šonedēļ nedaudz "
    "pieauga lietus dēļ. Tirgotāji pārdod dārzeņus, augļus un svaigas zivis.",
    "et": "Turg avatakse varahommikul ja suletakse pärast lõunat. Riisi hind tõusis sel nädalal "
    "vihma tõttu veidi. Kaupmehed müüvad köögivilju, puuvilju ja värsket kala.",
    "sq": "Tregu hapet herët në mëngjes dhe mbyllet pas drekës. Çmimi i orizit u rrit pak këtë "
    "javë për shkak të shiut. Tregtarët shesin perime, fruta dhe peshk të freskët.",
    "sw": "Soko hufunguliwa asubuhi na mapema na kufungwa baada ya chakula cha mchana. Bei ya "
    "mchele imepanda kidogo wiki hii kwa sababu ya mvua. Wafanyabiashara wanauza mboga, "
    "matunda na samaki wabichi.",
    "tl": "Nagbubukas ang palengke sa umaga at nagsasara pagkatapos ng tanghalian. Bahagyang "
    "tumaas ang presyo ng bigas ngayong linggo dahil sa ulan. Nagbebenta ang mga tindera ng "
    "gulay, prutas at sariwang isda.",
    "cy": "Mae'r farchnad yn agor yn gynnar yn y bore ac yn cau ar ôl cinio. Cododd pris reis "
    "ychydig yr wythnos hon oherwydd y glaw. Mae masnachwyr yn gwerthu llysiau, ffrwythau a "
    "physgod ffres.",
    "eu": "Azoka goizean goiz irekitzen da eta bazkalostean ixten da. Arrozaren prezioa pixka bat "
    "igo da aste honetan euriagatik. Saltzaileek barazkiak, fruta eta arrain freskoa "
    "saltzen dituzte.",
    "ga": "Osclaíonn an margadh go luath ar maidin agus dúnann sé tar éis lóin. D'ardaigh praghas "
    "na ríse beagán an tseachtain seo mar gheall ar an mbáisteach. Díolann trádálaithe "
    "glasraí, torthaí agus iasc úr.",
    "ms": "Pasar dibuka awal pagi dan ditutup selepas makan tengah hari. Harga beras naik sedikit "
    "minggu ini kerana hujan. Peniaga menjual sayur-sayuran, buah-buahan dan ikan segar.",
    "fi": "Tori avataan varhain aamulla ja suljetaan lounaan jälkeen. Riisin hinta nousi hieman "
    "tällä viikolla sateen vuoksi. Kauppiaat myyvät vihanneksia, hedelmiä ja tuoretta "
    "kalaa.",
    "hr": "Tržnica se otvara rano ujutro i zatvara poslije ručka. Cijena riže ovaj je tjedan malo "
    "porasla zbog kiše. Trgovci prodaju povrće, voće i svježu ribu.",
    "sl": "Tržnica se odpre zgodaj zjutraj in zapre po kosilu. Cena riža se je ta teden zaradi "
    "dežja nekoliko zvišala. Trgovci prodajajo zelenjavo, sadje in sveže ribe.",
    "is": "Markaðurinn opnar snemma morguns og lokar eftir hádegi. Verð á hrísgrjónum hækkaði "
    "lítillega í þessari viku vegna rigningar. Kaupmenn selja grænmeti, ávexti og ferskan "
    "fisk.",
    "ht": "Mache a louvri bonè nan maten epi li fèmen apre manje midi. Pri diri a monte yon ti "
    "kras semèn sa a akòz lapli. Machann yo vann legim, fwi ak pwason fre.",
    "mt": "Is-suq jiftaħ kmieni filgħodu u jagħlaq wara l-ikla ta' nofsinhar. Il-prezz tar-ross "
    "żdied ftit din il-ġimgħa minħabba x-xita. In-negozjanti jbigħu ħaxix, frott u ħut "
    "frisk.",
    "pl": "Targ otwiera się wcześnie rano i zamyka po obiedzie. Cena ryżu w tym tygodniu lekko "
    "wzrosła z powodu deszczu. Sprzedawcy oferują warzywa, owoce i świeże ryby.",
    "cs": "Trh se otevírá brzy ráno a zavírá po obědě. Cena rýže tento týden mírně vzrostla kvůli "
    "dešti. Prodejci nabízejí zeleninu, ovoce a čerstvé ryby.",
    "hu": "A piac kora reggel nyit és ebéd után zár. A rizs ára ezen a héten kissé emelkedett az "
    "eső miatt. Az árusok zöldséget, gyümölcsöt és friss halat kínálnak.",
    "tr": "Pazar sabah erkenden açılır ve öğle yemeğinden sonra kapanır. Pirinç fiyatı bu hafta "
    "yağmur nedeniyle biraz arttı. Satıcılar sebze, meyve ve taze balık satıyor.",
    "ro": "Piața se deschide dimineața devreme și se închide după prânz. Prețul orezului a "
    "crescut ușor săptămâna aceasta din cauza ploii. Comercianții vând legume, fructe și "
    "pește proaspăt.",
    "sv": "Marknaden öppnar tidigt på morgonen och stänger efter lunch. Priset på ris steg något "
    "den här veckan på grund av regnet. Handlarna säljer grönsaker, frukt och färsk fisk.",
    "da": "Markedet åbner tidligt om morgenen og lukker efter frokost. Prisen på ris steg lidt i "
    "denne uge på grund af regnen. De handlende sælger grøntsager, frugt og frisk fisk.",
    "no": "Markedet åpner tidlig om morgenen og stenger etter lunsj. Prisen på ris steg litt "
    "denne uken på grunn av regnet. Selgerne tilbyr grønnsaker, frukt og fersk fisk.",
}
"""About a market, by language (ISO 639-1); written for this test."""
GERMAN = """Sehr geehrte Frau Quilter, wir haben Ihren Brief vom 3. März zum Antrag Ihrer Mutter
erhalten. Sobald der Bericht der Klinik vorliegt, melden wir uns bei Ihnen."""
PLANTED = {
    "mairi.quilter@posteo.net": "EMAIL",
    "+44 7700 900123": "PHONE_NUMBER",
    "DE89 3704 0044 0532 0130 00": "BANK_ACCOUNT",
    "4111 1111 1111 1111": "CREDIT_CARD",
}


def lost(text: str) -> list[str]:
    """What of a text alone may be masked: values on the floor, values with relevance."""
    mentions = detect.first_pass(Document("d", text, {}), SETTINGS, entities.canonical)
    return [m.original for m in mentions if m.type in SETTINGS.floor or m.relevance > 0]


@pytest.mark.parametrize("language", MARKET)
def test_a_language_that_is_not_covered_is_told(language: str) -> None:
    """Malay and Indonesian are told from others, not always from one another."""
    assert uncovered_language(MARKET[language]) == language


@pytest.mark.parametrize("language", MARKET)
def test_prose_in_a_language_that_is_not_covered_stays(language: str) -> None:
    assert lost(MARKET[language]) == []


@pytest.mark.parametrize("language", ["id", "vi", "sw", "fi"])
def test_direct_identifiers_with_a_form_are_found_in_any_language(language: str) -> None:
    assert lost(f"{MARKET[language]} {', '.join(PLANTED)}.") == [*PLANTED]


@pytest.mark.parametrize(
    "text",
    [
        "The market opens early and closes after lunch. The price of rice went up a little.",
        "Le marché ouvre tôt le matin et ferme après le repas. Le prix du riz a un peu monté.",
        "Der Markt öffnet früh und schließt nach dem Essen. Der Preis für Reis ist gestiegen.",
        "El mercado abre por la mañana y cierra después de comer. El arroz ha subido un poco.",
        "Il mercato apre la mattina e chiude dopo pranzo. Il prezzo del riso è salito un poco.",
        "De markt gaat vroeg open en sluit na het middageten. De rijst is iets duurder geworden.",
        "O mercado abre de manhã e fecha depois do almoço. O preço do arroz subiu um pouco.",
    ],
)
def test_a_covered_language_is_told_without_a_model(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language_module, "identifier", None)
    assert uncovered_language(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(
            f"{n}. Krzysztof Wiśniewski, Małgorzata Zielińska, Łódź, Białystok" for n in range(8)
        ),
        "atorvastatin, metoprolol, codeine, tamsulosin, procarbazine, doxycycline, methotrexate,"
        " lomustine, omalizumab, hydroxyurea, pentazocine, imodium, lovenox, rebif, taltz",
        "dds dmd dnp mph otr rn np facp dpt psyd lcsw lmft fnp facc lpc md crna dpm rd mbbs",
        "kasia.wrona@poczta.example zofia.lis@poczta.example " * 8,
    ],
    ids=["roster", "drugs", "codes", "addresses"],
)
def test_names_and_lists_of_words_are_in_no_language_that_is_not_covered(text: str) -> None:
    assert unknown_language(text) == ""


@pytest.mark.parametrize("order", [1, -1])
def test_a_letter_is_read_whatever_paragraph_stands_beside_it(order: int) -> None:
    """The paragraph is the longer one; a name in the letter is lost if it decides."""
    text = "\n\n".join([MARKET["vi"], GERMAN][::order])
    assert unknown_language(text) == ""
    assert {"Quilter", "3. März"} <= {*lost(text)}
