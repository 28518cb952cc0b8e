"""Work on many items: order, equality over worker counts, failures kept apart."""

from linkmask.workers import ALONE, Batched, Failure, batches, ordered


def double_unless_seven(number: int) -> int:
    if number == 7:
        raise ValueError("a value that must not be told")
    return 2 * number


def test_results_are_the_same_whatever_the_number_of_workers() -> None:
    items = range(ALONE + 50)
    alone = list(ordered(double_unless_seven, items, workers=1))
    spread = list(ordered(double_unless_seven, items, workers=2))
    assert alone == spread
    assert [done for done in alone if not isinstance(done, Failure)] == [
        2 * n for n in items if n != 7
    ]


def test_a_failure_names_the_kind_of_error_and_nothing_of_its_message() -> None:
    (failure,) = ordered(double_unless_seven, [7], workers=1)
    assert failure == Failure(7, "ValueError")


def double_all(numbers: list[int]) -> list[int]:
    return [double_unless_seven(number) for number in numbers]


def test_a_batch_that_fails_on_one_item_loses_no_other() -> None:
    """Done together or one by one, on one process or two, the results are the same."""
    items = range(ALONE + 50)
    alone = list(ordered(double_unless_seven, items, workers=1))
    together = Batched(double_unless_seven, double_all)
    assert list(ordered(together, items, workers=1)) == alone
    assert list(ordered(together, items, workers=2)) == alone


def test_a_batch_ends_where_its_items_are_enough() -> None:
    """Three small items or one large one come together; what is left comes last."""
    assert list(batches([1, 1, 1, 5, 2], 3, lambda size: size)) == [[1, 1, 1], [5], [2]]
    assert list(batches("abcd", 3)) == [["a", "b", "c"], ["d"]]


def test_items_are_taken_as_they_are_needed() -> None:
    """A generator is not read to its end before the first result."""
    taken = []

    def items():
        for number in range(100_000):
            taken.append(number)
            yield number

    results = ordered(double_unless_seven, items(), workers=2)
    assert next(results) == 0
    assert len(taken) < 2_000
    results.close()
