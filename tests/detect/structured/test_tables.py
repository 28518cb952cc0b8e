"""Tables: what a column's head names is found in every row, and only where it looks like it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.detect.candidates import Scope
from linkmask.detect.structured.tables import find


def hits(text):
    return [(one.type, text[one.start : one.end]) for one in find(text, Scope())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "| Name | MRN |\n|------|:---:|\n| Teemur Kallimo | 906-221 |\n| Zoan Mor | 7-11-2 |\n",
            [("NAME", "Teemur Kallimo"), ("PATIENT_ID", "906-221"),
             ("NAME", "Zoan Mor"), ("PATIENT_ID", "7-11-2")],
        ),
        (
            "Nom;Année\r\nBrandhelt, Ottolin;1977\r\nMorvel, Zoan de;1981\r\n",
            [("NAME", "Brandhelt, Ottolin"), ("NAME", "Morvel, Zoan de")],
        ),
        ("list:\nPrénom\tNom\tVille\nZoan\tMORVEL\tBrest",
         [("NAME", "Zoan"), ("NAME", "MORVEL"), ("LOCATION", "Brest")]),
        ("Claimant\tClaim\tDOB\nYoung A\t7-11-2\t1/2/71\nOkwar-Bright C\t7-12-2\t4/2/71\n",
         [("NAME", "Young A"), ("BIRTHDATE", "1/2/71"),
          ("NAME", "Okwar-Bright C"), ("BIRTHDATE", "4/2/71")]),
        ("Name\tCity\nFin\tCork\nTotal\t\n", [("NAME", "Fin"), ("LOCATION", "Cork")]),
        ("Patient | Phone\nTeemur Kallimo | 555 010 7788\n",
         [("NAME", "Teemur Kallimo"), ("PHONE_NUMBER", "555 010 7788")]),
        ("Member           Phone     MRN\nTeemur Kallimo   555-0148  W2208\n"
         "Zoan van Mor     555-0173  W2201\n",
         [("NAME", "Teemur Kallimo"), ("PHONE_NUMBER", "555-0148"), ("PATIENT_ID", "W2208"),
          ("NAME", "Zoan van Mor"), ("PHONE_NUMBER", "555-0173"), ("PATIENT_ID", "W2201")]),
        ("Pt\tAge\tDx\tSeen by\nNgo, Zoan\t34\tG43.909\tTesfayo\nMorvel, Ada\t7\tJ45.20\tGrunwal\n",
         [("NAME", "Ngo, Zoan"), ("AGE", "34"), ("MEDICAL_CONDITION", "G43.909"),
          ("PROVIDER", "Tesfayo"), ("NAME", "Morvel, Ada"), ("AGE", "7"),
          ("MEDICAL_CONDITION", "J45.20"), ("PROVIDER", "Grunwal")]),
        ("last_name,first_name,phone\nNakagawa-Mor,Zoan,555-010-7788\nO'Fallim,Ada,555-010-7789\n",
         [("NAME", "Nakagawa-Mor"), ("NAME", "Zoan"), ("PHONE_NUMBER", "555-010-7788"),
          ("NAME", "O'Fallim"), ("NAME", "Ada"), ("PHONE_NUMBER", "555-010-7789")]),
        ("id,member_first,last,dob,addr1,phone\nC1,Zoan,Love,1971-12-02,PO Box 8,3345550120\n",
         [("NAME", "Zoan"), ("NAME", "Love"), ("BIRTHDATE", "1971-12-02"),
          ("ADDRESS", "PO Box 8"), ("PHONE_NUMBER", "3345550120")]),
        ("LAST      FIRST   DOB\n--------  ------  ----------\nPRINCE    HOPE    04/04/1998\n"
         "MORVEL    FAITH   12/25/1998\n",
         [("NAME", "PRINCE"), ("NAME", "HOPE"), ("BIRTHDATE", "04/04/1998"),
          ("NAME", "MORVEL"), ("NAME", "FAITH"), ("BIRTHDATE", "12/25/1998")]),
        ("Assuré;Âge;Vu par\nMorvel, Zoan;51;Kerbrat\n",
         [("NAME", "Morvel, Zoan"), ("AGE", "51"), ("PROVIDER", "Kerbrat")]),
        ("Versicherte;Alter;Behandler\nMorvel, Zoan;51;Grunwal\n",
         [("NAME", "Morvel, Zoan"), ("AGE", "51"), ("PROVIDER", "Grunwal")]),
    ],
)  # fmt: skip
def test_a_column_is_read_by_its_head(text, expected):
    assert hits(text) == expected


def test_a_bare_age_is_told_by_its_column():
    text = "Name\tAlter\nMoser, Urs\t34\nFrei, Eva\t101\n"
    assert [value for kind, value in hits(text) if kind == "AGE"] == ["34", "101"]


@pytest.mark.parametrize(
    "text",
    [
        "| Drug | Name |\n|---|---|\n| Insulin | Insulin Glargine |\n",  # a drug's name
        "| Name | Count |\n|---|---|\n| Total | 4 |\n| all others | 9 |\n",
        "| Patient name | Ada Lune |\n| Member no | 4711 |\n",  # a form, not a table
        "Name; age; visit\nshe came; he left; they paid\n",
        "Name;MRN",
        "Name;MRN\n\nTeemur Kallimo;906-221",  # a blank line ends the table
        "no table here; nor here\nNor here; or here",
        "Name  Phone\nThe patient called.  She was told.  It ends.\n",
        "| Policyholder | [NAME] |\n| Mobile | [PHONE_NUMBER] |\n| Admitted | Whitby |\n",
    ],
)
def test_near_misses_are_left(text):
    assert hits(text) == []


def test_a_row_of_another_width_ends_the_table():
    text = "Name;MRN\nTeemur Kallimo;906-221\nX;Y;Z\nZoan Morvel;7-11-2\n"
    assert hits(text) == [("NAME", "Teemur Kallimo"), ("PATIENT_ID", "906-221")]


@pytest.mark.parametrize(
    "piece", ["|", "Name;", "Name;MRN\n", ";\n", "a\t", "|-", "Name|MRN\nA B|9\n"]
)
def test_hostile_repetition_is_read_in_one_pass(piece):
    text = piece * (200_000 // len(piece))
    assert all(0 <= one.start < one.end <= len(text) for one in find(text, Scope()))


HEADS = ("Name", "MRN", "DOB", "Phone", "City", "Plan")
CELLS = ("Ada Lune", "Teemur Kallimo", "906-221", "7-11-2", "1961-03-04", "617-555-0184", "", " x ")


@st.composite
def tables(draw):
    """Draw a table of two to four columns, parted in one of five ways, whose rows may be uneven."""
    width = draw(st.integers(2, 4))
    head = draw(st.permutations(HEADS))[:width]
    row = st.lists(st.sampled_from(CELLS), min_size=width, max_size=width)
    uneven = st.lists(st.sampled_from(CELLS), max_size=5)
    rows = draw(st.lists(row, min_size=1, max_size=4)) + draw(st.lists(uneven, max_size=1))
    between = draw(st.sampled_from([";", "|", "\t", ",", "   "]))
    return "\n".join(between.join(cells) for cells in [head, *rows])


def test_spans_are_disjoint_and_hold_no_blank_at_their_edges():
    """Whatever the table; in many of them cells are found."""
    reached = 0

    @settings(max_examples=150, deadline=None)
    @given(tables())
    def check(table):
        nonlocal reached
        text, end = f"Name;MRN\nTeemur Kallimo;906-221\n\n{table}", 0
        for start, last in sorted((one.start, one.end) for one in find(text, Scope())):
            value = text[start:last]
            assert end <= start < last <= len(text)
            assert value == value.strip()
            end = last
        reached += end > 0

    check()
    assert reached >= 100


def test_a_row_of_which_a_cell_is_empty_is_read_by_where_its_cells_begin():
    text = (
        "SUBSCRIBER        BIRTH     MEMBER NO\n"
        "NG WAI MAN        05221983  77-20391\n"
        "ROTH ANNA                   77-20392\n"
        "SELF              05221983  77-20393\n"
    )
    assert hits(text) == [
        ("NAME", "NG WAI MAN"),
        ("BIRTHDATE", "05221983"),
        ("PATIENT_ID", "77-20391"),
        ("NAME", "ROTH ANNA"),
        ("PATIENT_ID", "77-20392"),
        ("BIRTHDATE", "05221983"),
        ("PATIENT_ID", "77-20393"),
    ]


def test_heads_may_be_numbered_and_explained():
    text = (
        "1. EMPLOYEE (LAST, FIRST)   2. SSN        3. DOB\n"
        "ROTH, ANNA                  078-05-1120   88-10-02\n"
    )
    assert hits(text) == [
        ("NAME", "ROTH, ANNA"),
        ("NATIONAL_ID", "078-05-1120"),
        ("BIRTHDATE", "88-10-02"),
    ]


def test_a_title_stays_outside_a_name_in_a_table():
    assert hits("Resident\tDOB\nMrs Anna Roth\t1/2/71\n")[0] == ("NAME", "Anna Roth")


def test_a_column_of_persons_counts_though_one_surname_in_five_is_no_name_elsewhere():
    """ "Hier" is French for yesterday; of three rows all must fit."""
    rows = ["Anne Corbel", "Svetlana Hier", "Louis Marchal", "Nadia Belkacem", "Luc Fabre"]
    text = "Dossier | Assuré\n" + "\n".join(f"{n} | {name}" for n, name in enumerate(rows))
    assert [name for _, name in hits(text)] == [name for name in rows if "Hier" not in name]
    assert not hits("\n".join(text.split("\n")[:4]))
