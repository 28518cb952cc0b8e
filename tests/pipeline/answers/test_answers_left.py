"""What is left of answers is counted by their words, and so is what took the others."""

from linkmask.pipeline.answers.answers_left import AnswersLeft
from linkmask.pipeline.answers.questions import UserQuestion

BEFORE = "Ms. Holt, a beekeeper of Tolland, was given rituximab on March 3."
AFTER = "Ms. [NAME], a beekeeper of [LOCATION], was given rituximab in March."


def taken(words: object) -> dict[str, set[str]]:
    return {"holt": {"e1"}, "tolland": {"e2"}}


def figures(*questions: UserQuestion) -> dict[str, object]:
    left = AnswersLeft(questions)
    left.note("a", BEFORE, AFTER, taken)
    left.note("b", "Who knows Tolland, a town?", "Who knows [LOCATION], a town?")
    return left.figures({"e1": ("NAME", "floor"), "e2": ("LOCATION", "chain")}.__getitem__)


def test_an_answer_is_left_whole_in_part_or_not_at_all() -> None:
    """Of the second answer no word is left, of the third one of two: (1 + 0 + 1/2) / 3."""
    found = figures(
        UserQuestion(1, "rituximab", ["a"]),
        UserQuestion(2, "Holt of Tolland", ["a"]),
        UserQuestion(3, "Holt, a beekeeper", []),
        UserQuestion(4, "a plumber", []),
    )
    assert found == {
        "questions": 4,
        "whole": 1,
        "in_part": 1,
        "gone": 1,
        "unanswered": 1,
        "share": 0.5,
        "lost": [2],
        "taken": {"LOCATION": {"chain": 1}, "NAME": {"floor": 2}},
    }


def test_a_question_without_documents_is_answered_by_the_one_that_holds_most_of_it() -> None:
    """The second document says the town only, the first one the town and the beekeeper."""
    assert figures(UserQuestion(1, "a beekeeper of Tolland", []))["in_part"] == 1


def test_a_word_that_one_of_the_named_documents_still_holds_is_left() -> None:
    left = AnswersLeft([UserQuestion(1, "Tolland", ["a", "b"])])
    left.note("a", "Tolland", "[LOCATION]")
    left.note("b", "Tolland", "Tolland")
    assert left.figures()["whole"] == 1
