"""Made-up letters that share names, numbers and days: the corpus of the tests on Spark and Ray."""

from typing import Any

NAMES = "Odalys Brandvold,Teemu Kallio,Wenda Ashgrove,Jorin Maddox,Petra Lindqvist".split(",")


def letters(count: int) -> list[dict[str, Any]]:
    """Return so many records with id, content and metadata."""
    return [
        {
            "id": f"letter-{n:02}",
            "content": f"{NAMES[n % 5]}, member ID 4471-{n % 7:04}-2, was seen on {1 + n % 9} "
            f"March 2024 for asthma. Call 202-555-01{n % 5}3. "
            f"Claim 77{n % 4} of a beekeeper in Quarry Bend.",
            "metadata": {"by": NAMES[(n + 1) % 5], "town": "Hancock"},
        }
        for n in range(count)
    ]
