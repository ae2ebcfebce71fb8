"""Which questions have been answered, and when each comes again: spaced repetition by FSRS.

The schedule is that of the package ``fsrs`` (https://github.com/open-spaced-repetition/py-fsrs), without steps of
minutes and without chance, so that the same answers give the same days here, in the page to train with and in tests.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bgtools.analysis.blunders import NEAR
from bgtools.analysis.errors import LEAST_SHOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fsrs import Card

RETENTION: Final = 0.9
"""How likely it shall be that a question is still answered when it comes again."""

_LAYOUT: Final = 2
"""Version of the file; the first one kept the last loss of each question and no days."""


class Review(NamedTuple):
    """An answer to a question.

    Attributes:
        when: seconds since 1970.
        grade: 1 wrong, 2 nearly right, 3 right; 4, easy, comes from Anki only.
        loss: what it lost in EMG; None where it was shown, or where a program tells only the grade.
    """

    when: int
    grade: int
    loss: float | None


def grade_of(loss: float) -> int:
    """The grade of an answer that loses so much: from `NEAR` on it is wrong."""
    return 1 if loss >= NEAR else 2 if loss >= LEAST_SHOWN else 3


@dataclass(slots=True)
class Progress:
    """The answers to questions, by `bgtools.analysis.blunders.question_key`, each question's in the order of time."""

    reviews: dict[str, list[Review]] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str | bytes) -> Progress:
        """The answers in the text of a file.

        Raises:
            ValueError: the text holds something else.
        """
        try:
            data: Any = json.loads(text)
            if data["made_by"] != "bgtools":
                raise ValueError("another program has made it")
            found = cls()
            for key, reviews in data["reviews"].items():
                found.add(str(key), (_review(each) for each in reviews))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError("it keeps no answers") from error
        return found

    def text(self) -> str:
        """The content of a file."""
        data = {"made_by": "bgtools", "schema_version": _LAYOUT, "reviews": self.reviews}
        return json.dumps(data, indent=1, allow_nan=False) + "\n"

    def add(self, key: str, reviews: Iterable[Review]) -> None:
        """Add answers to a question; one that is known already is not added again."""
        known = {review.when: review for review in self.reviews.get(key, ())}
        fresh = {review.when: review for review in reviews} | known
        if fresh:
            self.reviews[key] = [fresh[when] for when in sorted(fresh)]

    def last(self, key: str) -> Review | None:
        """The last answer to a question."""
        reviews = self.reviews.get(key)
        return reviews[-1] if reviews else None

    def due(self, key: str) -> float | None:
        """When a question comes again, in seconds since 1970; None before its first answer."""
        card = self.card(key)
        return None if card is None else card.due.timestamp()

    def card(self, key: str) -> Card | None:
        """How well a question is known after its answers; None before the first one."""
        reviews = self.reviews.get(key)
        return card_after(reviews) if reviews else None


def _review(value: Any) -> Review:
    when, grade, loss = value
    if not 0 < when < 1 << 40 or grade not in (1, 2, 3, 4):
        raise ValueError("not an answer")
    return Review(int(when), int(grade), None if loss is None else float(loss))


def in_order(dues: Sequence[float | None], now: float) -> list[int]:
    """Questions by their index: what is due, the longest first; what is new, as it stands; then what is due later.

    Args:
        dues: when each comes again, in seconds since 1970; None for a new one.
        now: likewise.
    """

    def rank(index: int) -> tuple[int, float]:
        due = dues[index]
        return (1, index) if due is None else (0 if due <= now else 2, due)

    return sorted(range(len(dues)), key=rank)


def card_after(reviews: Iterable[Review]) -> Card:
    """How well a question is known after some answers, in the order of time."""
    from fsrs import Card, Rating, Scheduler

    scheduler = Scheduler(desired_retention=RETENTION, learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card = Card(card_id=1)
    for review in reviews:
        card, _ = scheduler.review_card(card, Rating(review.grade), datetime.fromtimestamp(review.when, UTC))
    return card


def weights() -> tuple[float, ...]:
    """The 21 weights of FSRS-6, for a program that schedules by itself: the page to train with does."""
    from fsrs.scheduler import DEFAULT_PARAMETERS

    return tuple(DEFAULT_PARAMETERS)
