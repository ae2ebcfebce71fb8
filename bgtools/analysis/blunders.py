"""The worst decisions of many matches: which are chosen, in which order, and how an answer to one is judged."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from math import exp
from typing import TYPE_CHECKING, Final, Literal

from bgtools.analysis.names import find_name, may_mean
from bgtools.findings.quantities import LOSS
from bgtools.positions.notations import decode_id
from bgtools.positions.playing import play_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bgtools.analysis.plays import PlayLosses
    from bgtools.analysis.rows import ChoiceRow, DecisionRow, Phase
    from bgtools.analysis.score_grid import ScoreGrid
    from bgtools.analysis.totals import Analysis


Order = Literal["loss", "avoidable"]
"""What makes a decision worse than another."""

TAU: Final = 0.025
"""How sharply the player of `expected_loss` chooses, in EMG: the smaller, the more often they find the best choice."""


@dataclass(frozen=True, slots=True)
class Blunder:
    """A decision that lost something, and where it stands.

    >>> worst = bgtools.blunders("samples/one-point.mat", level="quick", top=1)[0]
    >>> worst.file, worst.names, worst.loss > 0.02
    ('samples/one-point.mat', ('Sam Okoro', 'Ines Vidal'), True)

    Attributes:
        file: the record.
        match: the number of the match in it, from 1.
        names: of its players.
        row: the decision.
        called: the number that the record gives the game, by which `bgtools show` knows it; None where it gives none.
        date: when the match was played, as year, month and day with a hyphen between; empty where that is not known.
        scores: what would be right at every score; None where that was not asked for.
        plays: what every legal play of the roll loses; None where that was not asked for.
    """

    file: str
    match: int
    names: tuple[str, str]
    row: DecisionRow
    called: int | None = None
    date: str = ""
    scores: ScoreGrid | None = None
    plays: PlayLosses | None = None

    def __repr__(self) -> str:
        row = self.row
        return f"<Blunder {row.name}: {row.played} instead of {row.best}, {LOSS.text(self.loss)}, game {row.game}>"

    @property
    def loss(self) -> float:
        """What it lost in EMG; by rollout where it was rolled out."""
        row = self.row
        return row.rollout_loss if row.rollout_loss is not None else row.loss or 0.0

    @property
    def avoidable(self) -> float:
        """What it lost beyond what a player of some strength loses there on average; at least 0."""
        return max(self.loss - expected_loss(self.row.choices), 0.0)


def expected_loss(choices: Sequence[ChoiceRow]) -> float:
    """The mean loss of a player who makes a choice the less often, the more it loses.

    With losses l the chance of a choice is proportional to exp(-l / `TAU`), as blunderDB supposes it (its
    ADR-0075). A difficult decision, in which several choices are close, costs such a player more than an easy one.
    """
    weights = [(exp(-choice.loss / TAU), choice.loss) for choice in choices]
    total = sum(weight for weight, _ in weights)
    return sum(weight * loss for weight, loss in weights) / total if total else 0.0


@dataclass(frozen=True, slots=True)
class DecisionFilter:
    """Which decisions are asked for.

    Attributes:
        players: names or parts of names, as `may_mean` takes them; none for everybody.
        min_loss: the least loss in EMG.
        themes, phases: of which one has to fit; none for all.
        cube: only cube actions, or only checker plays; None for both.
        confirmed: only those that a rollout has confirmed.
    """

    players: tuple[str, ...] = ()
    min_loss: float = 0.02
    themes: tuple[str, ...] = ()
    phases: tuple[Phase, ...] = ()
    cube: bool | None = None
    confirmed: bool = False

    def has(self, blunder: Blunder) -> bool:
        """Whether a decision is asked for."""
        row = blunder.row
        return (
            row.loss is not None
            and row.loss > 0
            and blunder.loss >= self.min_loss
            and (not self.players or any(may_mean(name, row.name) for name in self.players))
            and (not self.themes or bool(set(self.themes) & set(row.themes)))
            and (not self.phases or row.phase in self.phases)
            and (self.cube is None or self.cube == (row.kind != "checker play"))
            and (not self.confirmed or row.verdict == "confirmed")
        )


def blunders_of(
    analysis: Analysis, file: str, match: int, selection: DecisionFilter, date: str = ""
) -> tuple[Blunder, ...]:
    """The decisions of a match that are asked for; ``date`` is when it was played."""
    names = analysis.match.players
    called = {game.game: game.number for game in analysis.games}
    found = (
        Blunder(file, match, names, row, called.get(row.game), date, plays=analysis.plays.get((row.game, row.entry)))
        for row in analysis.decisions
    )
    return tuple(blunder for blunder in found if selection.has(blunder))


def of_players(blunders: Iterable[Blunder], given: Sequence[str], names: Iterable[str]) -> list[Blunder]:
    """The decisions of the players who are meant, each by a whole name or a part that one player has.

    Args:
        blunders: decisions of any players.
        given: what a user has written; empty for everybody.
        names: of all players, who plays most first.

    Raises:
        UnknownName: nobody is meant, or several are.
    """
    known = list(names)
    picked = {find_name(each, known).casefold() for each in given}
    return [each for each in blunders if not given or each.row.name.casefold() in picked]


def worst_of(blunders: Iterable[Blunder], top: int | None = None, by: Order = "loss") -> list[Blunder]:
    """The worst decisions, the costliest first; of those of one kind on one board with one roll, only the costliest.

    Args:
        blunders: decisions of any matches.
        top: how many at most.
        by: the whole loss, or what was avoidable of it.
    """
    first: dict[object, Blunder] = {}
    for blunder in sorted(blunders, key=lambda each: -(each.loss if by == "loss" else each.avoidable)):
        row = blunder.row
        first.setdefault((decode_id(row.xgid).board, row.dice, row.kind), blunder)
    return list(first.values())[:top]


NEAR: Final = 0.02
"""An answer that loses less, in EMG, is as good as right: no error by eXtreme Gammon's limits."""

_CUBE: Final = {
    "double": ("double", "d", "yes", "y"),
    "no double": ("no double", "no", "n", "nd", "roll"),
    "take": ("take", "t"),
    "pass": ("pass", "p", "drop"),
}
"""The cube actions that can be answered, with the words for each."""
_ASKED: Final = {
    "no double": ("double", "no double"),
    "double": ("double", "no double"),
    "take": ("take", "pass"),
    "pass": ("take", "pass"),
}
"""The decisions that can be asked for besides plays, with what can be answered."""


@dataclass(frozen=True, slots=True)
class QuizAnswer:
    """An answer to a question.

    Attributes:
        choice: what was answered, in the usual spelling.
        loss: what it loses in EMG.
        at_least: whether it may lose more: the play is none of those that were valued.
    """

    choice: str
    loss: float
    at_least: bool = False


_QUESTIONS: Final = {
    "checker play": "Checker play",
    "no double": "Double or not",
    "double": "Double or not",
    "take": "Take or pass",
    "pass": "Take or pass",
}


def question_kind(row: DecisionRow) -> str:
    """What is asked, whatever is right: who doubled and who did not are asked the same."""
    return _QUESTIONS.get(row.kind, "Other decisions")


def question_key(row: DecisionRow) -> str:
    """What a question is known by, everywhere and always: what is asked, and the XGID."""
    kind = question_kind(row)
    asked = row.kind if kind == "Other decisions" else kind
    return "bgtools-" + blake2b(f"{asked} {row.xgid}".encode(), digest_size=10).hexdigest()


def can_be_asked(row: DecisionRow) -> bool:
    """Whether a decision makes a question: a play, a double, or a take."""
    return bool(row.choices) and (row.kind == "checker play" or row.kind in _ASKED)


def judge_answer(blunder: Blunder, text: str) -> QuizAnswer:
    """What an answer is worth.

    Args:
        blunder: the decision.
        text: a play in any spelling, or ``double``, ``no double``, ``take``, ``pass`` or their first letters.

    Raises:
        ValueError: the text is not an answer; the message says why and what would be.
    """
    row = blunder.row
    if row.kind == "checker play":
        return _judge_play(blunder, text)
    possible = _ASKED[row.kind]
    meant = " ".join(text.casefold().split())
    said = next((each for each in possible if meant in _CUBE[each]), None)
    if said is None:
        raise ValueError(f"the answer is {possible[0]} or {possible[1]}")
    return _cube_answer(row.choices, said, possible)


def right_answers(blunder: Blunder) -> tuple[QuizAnswer, ...]:
    """The answers that count as right, the best first: all that lose less than `NEAR`.

    What was done counts by its rollout where it was rolled out.
    """
    row = blunder.row
    if row.kind in _ASKED:
        possible = _ASKED[row.kind]
        each = [_cube_answer(row.choices, said, possible) for said in possible]
        answers = [QuizAnswer(one.choice, blunder.loss if one.choice == row.played else one.loss) for one in each]
    else:
        answers = [QuizAnswer(one.choice, blunder.loss if one.made else one.loss) for one in row.choices]
    return tuple(sorted((one for one in answers if one.loss < NEAR), key=lambda one: one.loss))


def _cube_answer(choices: Sequence[ChoiceRow], action: str, possible: Iterable[str]) -> QuizAnswer:
    best = max(_worth(choices, each) for each in possible)
    return QuizAnswer(action.capitalize(), best - _worth(choices, action))


def _worth(choices: Iterable[ChoiceRow], action: str) -> float:
    """The equity of a cube action; a double is worth what the other player's better answer leaves."""
    value = {choice.choice: choice.equity for choice in choices}
    if action == "double":
        return min(value["Double, take"], value["Double, pass"])
    return value[action.capitalize()]


def _judge_play(blunder: Blunder, text: str) -> QuizAnswer:
    row = blunder.row
    position = decode_id(row.xgid)
    # Which plays are legal may be the solution, so that a refusal names none.
    play = play_of(position.board, text, position.dice, position.names, names_plays=False)
    board = position.play(play).board
    for choice in row.choices:
        if position.play(choice.choice or "Cannot Move").board == board:
            return QuizAnswer(choice.choice, choice.loss)
    # A play that is not listed loses at least as much as the worst listed one, apart from the play that was made.
    ranked = [choice.loss for choice in row.choices if not choice.made] or [0.0]
    return QuizAnswer(" ".join(text.split()), max(ranked), at_least=True)


SHARES: Final = (
    (0.05, "almost nothing"), (0.29, "a quarter"), (0.42, "a third"), (0.58, "half"), (0.71, "two thirds"),
    (0.9, "three quarters"),
)  # fmt: skip
"""Words for a share, each for what is less than its number."""


def share_lost(now: float, then: float) -> str:
    """What is lost now as a share of what was lost then, in words that "was lost" follows."""
    share = now / then if then else 1.0
    name = next((text for most, text in SHARES if share < most), "")
    return f"{name} of what" if name else "as much as" if share < 1.1 else "more than"
