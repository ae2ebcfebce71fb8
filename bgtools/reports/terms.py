"""What the words and letters mean that reports print, for ``bgtools explain`` and the glossary of the site."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from bgtools.findings.quantities import printed_as
from bgtools.reports.table_kinds import TABLES


class Term(NamedTuple):
    """A word that is explained.

    Attributes:
        names: how it is written; the first is the usual way.
        meaning: what it means, in a sentence or a few.
    """

    names: tuple[str, ...]
    meaning: str


_TEXT: Final = """\
entry
    One thing that a record writes: a roll with its play, a double, a take, a pass, a resignation.
turn
    A roll and its play, with the cube actions before that roll. Turns are numbered from 1 in each game.
play, checker play
    All checker movements of one roll.
pip, pips, pip count
    One point of the way of a checker. A pip count is the pips that a side has to go.
effective pips, EPC, effective pip count
    The rolls that a side needs on average to bear off, times 8.167, the mean of a roll: its pip count and what it
    wastes.
wastage
    Effective pips less the pip count: what gaps and stacks cost in a bear-off.
decision
    A checker play, a double or the turn without one, a take or pass, or a resignation.
counted
    How many decisions a rating is made of. Each rating has its own rule for what is too easy to count.
equity
    What a position is worth to a player: the points that they win on average, with the cube at 1.
EMG, equivalent to money game, normalised equity
    Equity in a match, scaled so that winning the game with a pass is +1 and losing it so is -1. With it, errors at
    all scores can be compared. mEMG is a thousandth of it.
mEMG
    A thousandth of EMG: an error rate of 5 mEMG is .005 EMG a decision.
MWC, match winning chance
    How often a player wins the match from here. mMWC is a thousandth of it: a tenth of a percentage point.
mMWC
    A thousandth of match winning chance (MWC).
MET, match equity table
    A table of the chance to win a match from each score. Kazaross-XG2 is the one that eXtreme Gammon uses.
loss, EMG lost
    The equity of the best choice less that of the one that was made; never below 0. Of many decisions, EMG lost is the
    sum of their losses.
row
    Where an entry stands in a game: the row as the record numbers its rows, else counted from 1 as match text has
    them, a cell for each player. Findings, reports, pages and `bgtools show -t` tell places by it.
score
    Points of both players before the game: in tables the player's own first, beside a board first those of the player
    below, elsewhere in the order of the names. "score" as the reason of an error: it would be right for money.
right at, right for money, about the score
    An error is asked again with the same board, dice and cube for money, at double match point, gammon-go and
    gammon-save. It is right where the choice loses less than .020 EMG. One that is right for money is about the score.
double match point, DMP
    A score at which a single game wins the match for either player: gammons and the cube count for nothing.
gammon-go
    A score at which a gammon wins the match for a player, a single game for the other, and the cube is not in play:
    2-away 1-away in the Crawford game. For the other player it is gammon-save.
gammon-save
    A score at which a single game wins the match for a player, only a gammon for the other: 1-away 2-away in the
    Crawford game.
points of MWC
    Differences of match winning chances: from 50% to 52% is 2 points.
error, errors
    A decision that loses .020 EMG or more, by eXtreme Gammon's classes. Where errors are counted, blunders are
    among them: "10 errors, of these 2 blunders".
blunder, blunders
    An error that loses .080 EMG or more, by eXtreme Gammon's classes. --thresholds chooses others.
doubtful, bad, very bad
    The classes of GNU Backgammon: from .030, .060 and .120 EMG. A decision is in one of them only.
PR, XG PR, performance rating
    Performance rating of eXtreme Gammon: 500 times the average loss of a decision that counts. The lower, the
    better: below 2.5 world champion, 7.5 expert, 12.5 advanced.
BMAB PR, BMAB
    PR as the Backgammon Masters Awarding Body counts it: as XG PR, with the errors of resignations. Its titles go
    from Super Grandmaster (2.5) to Intermediate (16); above there is no title.
gnubg error rate, gnubg, GNU Backgammon error rate
    1000 times the average loss of a decision, in mEMG or mMWC, by the decisions that GNU Backgammon counts: plays
    with a choice, and cube decisions that are close or were acted on.
Snowie rate, Snowie error rate, Snowie
    1000 times what a player lost, over the moves of both players: easy moves count, so it is about half of other
    rates.
OpenGammon rate, OpenGammon
    1000 times what a player lost, over all moves of their own.
95% interval, interval, confidence interval
    Where the figure would lie 19 times in 20 if chance alone made it other than it is. One match says little, so
    the interval is wide; under 30 decisions there is none.
luck
    What a roll was worth beyond the average of all rolls, each with its best play; of a player, the sum over their
    rolls. In EMG, or in match winning chance.
joker, jokers
    A roll with luck of +0.3 EMG or more.
anti-joker, anti-jokers
    A roll with luck of -0.3 EMG or less.
luck-adjusted result, luck-adjusted
    The result less what the dice gave: how the match would have gone with even dice, as far as the engine can tell.
FIBS rating, FIBS
    The rating of the First Internet Backgammon Server, 1500 for a newcomer. By errors: what a player who errs so
    much would have. By luck: how far the luck-adjusted result would put them above the opponent.
gnubg30
    What the first roll of a game is compared with: as GNU Backgammon does it, the mean of 30 outcomes, 15 rolls for
    whoever starts. --luck chooses another.
roller15
    Luck of the first roll compared with the mean of the starter's own 15 rolls, as bgsage does it.
naive36
    Luck of the first roll compared with all 36 rolls, doubles among them, which cannot come.
match-equity
    Luck of the first roll compared with the chances before the game, as eXtreme Gammon and gammonview do it.
CP, cash point
    The chance from which a double wins the game at once, as the opponent should pass. "Missed double, above CP":
    the pass was there to be had.
DP, doubling point
    The chance from which doubling is right, as long as the opponent may still take.
take point, TP
    The chance of winning that a take needs: 25% for money without gammons and redoubles.
too good, too good to double
    A position that is worth more than the cube, as gammons are likely: playing on without doubling wins more.
missed double
    A turn without a double where doubling was right; above or below the cash point (CP). Tables count each one that
    loses anything, and what all of them lose; an error is only one that loses .020 or more.
wrong double
    A double below the doubling point (DP), or one where the position was too good.
wrong take
    A take where passing loses less.
wrong pass
    A pass where taking loses less.
beaver, raccoon
    An answer to a double for money that turns the cube again and keeps it; a raccoon answers a beaver.
Jacoby, Jacoby rule
    For money: gammons and backgammons count only after the cube was turned.
Crawford, Crawford game
    The first game in which a player needs one point to win the match: nobody may double in it.
gammon
    A win before the loser has borne off a checker: it counts twice the cube; a backgammon three times.
ply, plies, 1-ply, 2-ply, 3-ply
    How many rolls an engine looks ahead. Programs count differently: eXtreme Gammon's 3-ply is GNU Backgammon's
    2-ply.
level, quick, standard, deep
    How deep the engine looks. quick is for many matches, standard for one, deep for the few that matter.
sage, bgsage
    The engine that bgtools uses by default: the package bgsage.
rollout, rolled out, confirmed
    A decision played to the end hundreds of times from each choice; the mean is nearer to the truth than a search.
XGID, position ID
    A position as a line of letters that programs exchange: XGID of eXtreme Gammon, position ID of GNU Backgammon.
finding
    Something that is wrong with a record, or worth saying of it, with its place.
phase, opening, middle game, race, contact
    Which part of a game a turn is in; docs/figures.md has the bounds.
theme
    What a decision is about, such as hitting, priming or a race; docs/themes.md lists them.
Keith, Ward, Thorp
    Three ways to count a race for the cube by hand, named after those who found them.
"""
"""Each word with its other names, and below it, indented, what it means."""


@cache
def all_terms() -> tuple[Term, ...]:
    """All words, in the order of the glossary."""
    found: list[Term] = []
    for line in _TEXT.splitlines():
        if line.startswith(" "):
            names, meaning = found.pop()
            found.append(Term(names, f"{meaning} {line.strip()}".lstrip()))
        else:
            found.append(Term(tuple(line.split(", ")), ""))
    return tuple(found)


def find_term(text: str) -> Term | None:
    """The term of a name, in any case, with or without blanks and hyphens; None where there is none."""
    return _by_name().get(_folded(text))


def find_column(text: str) -> str:
    """What a column of a table means and how texts print it, by its name; empty where no table has it."""
    for name, table in TABLES.items():
        column = next((each for each in table.columns if each.name == text.strip().casefold()), None)
        if column is not None:
            form = printed_as(name, column.name)
            return f"{column.name} (table {name}): {column.meaning}{f'; printed as {form}' if form else ''}."
    return ""


def near_terms(text: str) -> list[str]:
    """Names that look like a text, the likeliest first."""
    from difflib import get_close_matches

    known = _by_name()
    return list(dict.fromkeys(known[each].names[0] for each in get_close_matches(_folded(text), known, 3)))


@cache
def _by_name() -> dict[str, Term]:
    return {_folded(name): term for term in all_terms() for name in term.names}


def _folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
