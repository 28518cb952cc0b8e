"""Texts in Spanish, Italian, Dutch and Portuguese: what is found in them, and what is not."""

import numpy as np
import pytest

from linkmask import detect
from linkmask.config import Settings
from linkmask.detect.ner import features, model
from linkmask.graph import entities
from linkmask.records import Document


def found(text: str) -> set[str]:
    """The values that the first pass finds in a text."""
    document = Document("a", text)
    mentions = detect.first_pass(document, Settings(), entities.canonical)
    return {text[one.start : one.end] for one in mentions}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "La paciente ingresó ayer con dolor y vive sola. Avisar a su hija Remedios"
            " (655 30 91 47). Nº de afiliado 4471882, DNI 45678912-S.",
            {"Remedios", "655 30 91 47", "4471882", "45678912-S"},
        ),
        (
            "Il paziente è stato affidato al figlio Salvatore, cell. 347 882 1190. Codice cliente"
            " 7781204453, polizza n. 44/102938, auto targata BL 209 RT.",
            {"Salvatore", "347 882 1190", "7781204453", "BL 209 RT"},
        ),
        (
            "Mevrouw heeft gebeld over haar polis. Haar dochter Liesbeth is bereikbaar via"
            " 06-41882093. Klantnummer 88120477, BSN 111222333.",
            {"Liesbeth", "06-41882093", "88120477", "111222333"},
        ),
        (
            "O paciente veio com a esposa Anabela. Podem ligar-me para o 289 803 114. Apólice n.º"
            " AU60-2214907, CPF 390.533.447-05.",
            {"Anabela", "289 803 114", "390.533.447-05"},
        ),
    ],
)
def test_direct_identifiers_are_found_by_their_words(text: str, values: set[str]) -> None:
    """Relatives, telephone numbers within a sentence, numbers behind labels, licence plates."""
    assert {value for value in values if not any(value in one for one in found(text))} == set()


@pytest.mark.parametrize(
    "text",
    [
        "De filter moet elke twaalf maanden worden vervangen. Het apparaat is niet geschikt voor"
        " de man of vrouw met een klacht. De afvoerklep moet elke zes maanden worden gereinigd.",
        "El filtro se cambia cada doce meses. La tapa se abre con la llave y el depósito se vacía"
        " por la tarde. No use la máquina sin agua.",
    ],
)
def test_instructions_name_nobody(text: str) -> None:
    """Words that are names elsewhere ("elke") are none in a manual."""
    assert found(text) == set()


def test_a_log_names_its_users() -> None:
    """The name in sshd's lines and behind a key is a person's; root is nobody."""
    log = (
        "Mar 01 08:12:44 gw sshd[990]: Accepted publickey for bvdmeulen from 203.0.113.5 port 22\n"
        "Mar 01 08:13:02 gw sshd[991]: Failed password for root from 203.0.113.5 port 22\n"
        "Mar 01 08:13:40 auth[12]: login FAIL user=jgarmendia ip=203.0.113.9\n"
    )
    assert {"bvdmeulen", "jgarmendia"} <= found(log)
    assert "root" not in found(log)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Hola Fermina, soy tu vecina del segundo. Te han dejado un paquete y lo tengo yo."
            " Llámame cuando puedas, un beso, Casilda",
            {"Fermina", "Casilda"},
        ),
        (
            "Ciao Ondina, domani non posso venire perché Gaspare ha la febbre e devo portarlo dal"
            " medico. Chiedi a Fiorenza se ti accompagna lei.",
            {"Ondina", "Gaspare", "Fiorenza"},
        ),
        (
            "Hoi Gijsbert, met de moeder van Floortje. Zij kan morgen niet komen omdat ze met"
            " Teunis naar de tandarts moet. Groetjes, Aleida",
            {"Gijsbert", "Floortje", "Teunis", "Aleida"},
        ),
        (
            "Olá Genoveva, não consigo ir amanhã porque o Aristides está doente e tenho de ficar"
            " com ele. Podes avisar a Etelvina? Beijinhos",
            {"Genoveva", "Aristides", "Etelvina"},
        ),
    ],
)
def test_names_in_everyday_texts_are_found_without_title_or_label(
    text: str, names: set[str]
) -> None:
    """Families of the tagger that learned from texts in these languages know where names stand."""
    assert names <= found(text)


def test_the_tagger_tells_the_four_languages_from_others() -> None:
    """Their words decide which families are asked; other texts ask the usual ones."""
    texts = {
        "No sé si el perito vino ayer, pero la puerta sigue rota y nadie me dice nada.": 3,
        "Non so se il perito è venuto ieri, ma la porta è ancora rotta e nessuno dice niente.": 3,
        "Ik weet niet of de expert gisteren is geweest, maar de deur is nog steeds stuk.": 3,
        "Não sei se o perito veio ontem, mas a porta continua partida e ninguém me diz nada.": 3,
        "I do not know if the adjuster came yesterday, but the door is still broken.": 0,
        "Je ne sais pas si l'expert est venu hier, mais la porte est toujours cassée.": 0,
        "Ich weiß nicht, ob der Gutachter gestern da war, aber die Tür ist noch kaputt.": 0,
    }
    assert {text: kind_of(text) for text in texts} == texts


def kind_of(text: str) -> int:
    """Which kind of text the tagger takes it for; 0 is the usual one."""
    tagger, split = model.shipped(), features.split(text)[0]
    known, number = tagger._numbers(split)
    size = np.array([len(split)])
    return int(tagger._manners(known.tells[number], size, size)[0])


@pytest.mark.parametrize(
    ("text", "date"),
    [
        (
            "La paciente Ana Ruiz, nacida en Nador el veintiuno de julio de mil novecientos ochenta"
            " y uno, vive aquí con su hija.",
            "veintiuno de julio de mil novecientos ochenta y uno",
        ),
        ("Yo naci el tres de mayo del 68 en Lugo, y vivo aquí.", "tres de mayo del 68"),
        (
            "Il signor Manca, nato a Orgosolo il nove gennaio millenovecentosessantuno, abita qui.",
            "nove gennaio millenovecentosessantuno",
        ),
        ("La bambina è nata il 5 magg. 2009 a Bari.", "5 magg. 2009"),
        (
            "Mevrouw De Wit, geboren te Kayseri op eenentwintig mei negentienhonderdtachtig,"
            " woont hier.",
            "eenentwintig mei negentienhonderdtachtig",
        ),
        (
            "A senhora nasceu em dezoito de agosto de setenta e dois e mora aqui.",
            "dezoito de agosto de setenta e dois",
        ),
    ],
)
def test_birth_dates_in_words_are_found_whole(text: str, date: str) -> None:
    document = Document("a", text)
    mentions = detect.first_pass(document, Settings(), entities.canonical)
    assert ("BIRTHDATE", date) in {(one.type, text[one.start : one.end]) for one in mentions}


@pytest.mark.parametrize(
    ("key", "date"),
    [("fecha_nac", "12 de abril de 1979"), ("nascimento", "6 de janeiro de 1965")],
)
def test_a_date_with_two_prepositions_is_the_birth_date_that_its_key_says(
    key: str, date: str
) -> None:
    mentions = detect.first_pass(Document("a", "x", {key: date}), Settings(), entities.canonical)
    assert [(one.type, one.original) for one in mentions] == [("BIRTHDATE", date)]
