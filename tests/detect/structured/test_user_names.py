"""A user name behind an "@" or a label is a NAME, and so is one made of a name in the document."""

import pytest

from linkmask.config import Settings
from linkmask.detect import first_pass
from linkmask.detect.candidates import Scope
from linkmask.detect.corpus_pass.statistics import value_statistics
from linkmask.detect.structured import fields
from linkmask.detect.structured.label_types import names_user
from linkmask.detect.structured.user_names import IN_LINK, user_name_in
from linkmask.graph.entities import canonical
from linkmask.records import Document

NAME = "Ottoline Brandvold"


def test_a_user_name_is_found_in_another_field_than_the_name() -> None:
    """All fields of a document know the persons that any of them names."""
    document = Document("d", f"Ms. {NAME} asks for help.", {"account": "obrandvold92"})
    mentions = first_pass(document, Settings(), canonical)
    assert ("NAME", "obrandvold92") in [(one.type, one.original) for one in mentions]


def mentioned(text: str) -> list[str]:
    """Return the names that the first pass finds in a text."""
    found = first_pass(Document("a", text), Settings(), canonical)
    return [one.original for one in found if one.type == "NAME"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Many thanks to @tkallio for the ride.", "tkallio"),
        ("@odalysb Works now, see you there", "odalysb"),
        ("cc @samuel and the team", "samuel"),
        ("* fixed by @runafalk in the last release", "runafalk"),
    ],
)
def test_a_made_up_word_or_a_name_behind_an_at_is_a_user_name(text: str, name: str) -> None:
    """It needs neither a digit nor a point."""
    assert mentioned(text) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "@lru_cache\ndef run(path):\n    return path\n",
        "@hookimpl\n    async def run(path): ...\n",
        "@app.route('/claims')\ndef run(): ...\n",
        "/**\n * @tparam path the file\n * @since_2 always\n */",
        "Use `@validate_call` for that.",
        "@media screen { }",
        "cc @everyone and @here",
        "npm install @scopeofit/tool",
        "the price @delivery is 4 EUR",
    ],
)
def test_code_and_words_of_prose_behind_an_at_are_no_user_names(text: str) -> None:
    """Decorators, tags of comments, quoted code, rules of style sheets, scopes of packages."""
    assert mentioned(text) == []


HEADS = (
    "usr identifiant utilisateur benutzer usuario gebruiker nomUtilisateur USER_NAME sAMAccountName"
    " reporter created_by ticket.author"
).split()


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("value", ["lbrandvold", "ottoline.brandvold", "brandvold_o", "LBrandvold"])
def test_a_column_of_users_holds_user_names(head: str, value: str) -> None:
    """One word below a head that says user, account or author is a NAME, as a whole."""
    document = Document("d", "The claim was paid.", others={head: value})
    (mention,) = first_pass(document, Settings(), canonical)
    assert (mention.type, mention.original) == ("NAME", value)


def test_a_user_name_behind_its_domain_is_masked() -> None:
    """Of "CORP\\user", the user is masked; the domain may be masked with it."""
    document = Document("d", "The claim was paid.", others={"login": "CORP\\lbrandvold"})
    (mention,) = first_pass(document, Settings(), canonical)
    assert (mention.type, mention.original.rpartition("\\")[2]) == ("NAME", "lbrandvold")


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("user", "active"),
        ("user", "postgres"),
        ("user", "48213"),
        ("author", "The team of the project"),
        ("owner", "finance_team"),
        ("user type", "lbrandvold"),
        ("name[de]", "Druckeinstellungen"),
        ("valid", "tbrandvold"),
    ],
)
def test_other_values_and_other_labels_announce_no_user(label: str, value: str) -> None:
    """Roles, answers, numbers and sentences are no user names, nor is what other labels name."""
    assert not names_user(label) or user_name_in(value) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("user: tentwistle", ["tentwistle"]),
        ("DB_USER=dquennell\nexport SMTP_USER='tentwistle'", ["dquennell", "tentwistle"]),
        ("lastModifiedBy: tentwistle", ["tentwistle"]),
        ("X-Originating-User: KONTOR\\tentwistle", ["tentwistle"]),
        ("user=root\nowner: platform\nuser: postgres\nto-user: nobody", []),
        ("users: tentwistles of the world", []),
        ("reviewers: [tentwistle, admin, 'dquennell']", ["tentwistle", "dquennell"]),
        ("team:\n  members:\n    - tentwistle\n    - dquennell\n", ["tentwistle", "dquennell"]),
        ("Accounts to close today:\n- tentwistle\n- dquennell\n", ["tentwistle", "dquennell"]),
        ("Colours of the accounts:\n- magenta\n- teal\n", []),
        ("maintainers:\n  - platform-team\n  - security\n", []),
        ("utente portale: tentwistle", ["tentwistle"]),
        ("Login Kundenportal: tentwistle", ["tentwistle"]),
        ("identifiant Moodle : tentwistle", ["tentwistle"]),
        ("usuario de la app: tentwistle", ["tentwistle"]),
        ("login attempts: tentwistle", []),
        ("login ok user=tentwistle ip=10.0.0.9", ["tentwistle"]),
        ('<row id="4" owner="tentwistle" state="open"/>', ["tentwistle"]),
        ("owner: kubernetes\nDB_USER: mailgun\nMYSQL_USER=wordpress", []),
    ],
)
def test_a_label_announces_a_user_name_of_letters_alone(text: str, names: list[str]) -> None:
    assert [text[one.start : one.end] for one in fields.find(text, Scope())] == names


BUTTON = "img.example/twitter/url/https/twitter.com/kestrel_oss.svg?label=Follow%20%40Kestrelcache"


def test_a_user_name_in_the_query_of_a_link_is_looked_for_nowhere_else() -> None:
    """It is found with its sign; the word alone may be the program that the text is about."""
    document = Document("a", f"The cache keeps results. ![Follow]({BUTTON}) Install it.")
    found = [m for m in first_pass(document, Settings(), canonical) if m.why.rule == IN_LINK]
    assert [one.original for one in found] == ["%40Kestrelcache"]
    assert value_statistics(found) == []


def test_a_user_name_behind_an_at_in_prose_is_found_wherever_it_stands() -> None:
    text = "Kestrelrunner wrote the cache. Many thanks to @Kestrelrunner for it."
    assert mentioned(text) == ["Kestrelrunner", "Kestrelrunner"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("mysql -h db1 -u tentwistle -p claims", "tentwistle"),
        ("curl --user tentwistle https://example.org", "tentwistle"),
        ("scp x.csv tentwistle@claims01:/srv", "tentwistle"),
        ("drwxr-xr-x 2 tentwistle staff 4096 Mar  4 10:00 claims", "tentwistle"),
        ("# FIXME(tentwistle): slow", "tentwistle"),
        ("pip install -U tentwistle", ""),
        ("psql -U postgres claims", ""),
        ("ssh deploy@web01", ""),
        ("thanks @kubernetes for that", ""),
    ],
)
def test_a_command_names_the_account_of_a_person(text: str, name: str) -> None:
    """Accounts of programs and of offices are nobody's."""
    assert mentioned(text) == [name] * bool(name)


def test_a_column_of_users_in_a_table_holds_user_names() -> None:
    """It counts beside a line of dashes, as other columns do."""
    table = "| user | role |\n|---|---|\n| tentwistle | admin |\n| postgres | owner |\n"
    assert mentioned(table) == ["tentwistle"]


def test_each_of_a_list_of_users_is_a_user_name() -> None:
    document = Document("d", "", others={"assignees": ["tentwistle", "bot"]})
    assert [one.original for one in first_pass(document, Settings(), canonical)] == ["tentwistle"]
