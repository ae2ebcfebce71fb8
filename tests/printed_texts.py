"""What programs and servers print of positions and games, as tests read it."""

from __future__ import annotations

from bgtools.board.board import BAR, START, Board, Dice
from bgtools.positions.draw import encode_picture
from bgtools.positions.gnubg import encode_gnu_id
from bgtools.positions.notations import encode_id
from bgtools.positions.position import Position
from bgtools.rules.cube import Cube, MatchState
from support import after, board

# --- GNU Backgammon -------------------------------------------------------------------------------

NAMES = ("Ann Smith", "Bob")
"""Player 0 and 1: O and X."""


def block(
    number: int, heading: str, position: Board, *lines: str, upper: bool = False, dice: Dice | None = None,
    state: MatchState | None = None, offered: bool = False,
) -> str:  # fmt: skip
    """A decision as the program prints it."""
    situation = Position(
        position, state or MatchState(3), dice, "double" if offered else "", upper=upper,
        names=NAMES if upper else NAMES[::-1],
    )  # fmt: skip
    board, match = encode_gnu_id(situation).split(":")
    ids = f" GNU Backgammon  Position ID: {board}\n                 Match ID   : {match}"
    return f"Move number {number}:  {heading}\n\n{ids}\n{encode_picture(situation)}\n\n" + "\n".join(lines) + "\n\n"


FIRST = after(START, (3, 1), "8/5 6/5")
SECOND = after(FIRST.flipped(), (6, 4), "24/14")
GNUBG_TEXT = (
    "The score (after 0 games) is: Ann Smith 0, Bob 0 (match to 3 points)\n\nMatch Information:\nDate: 28/09/2023\n"
    "Event: Club night\nPlace: Oslo\nComments: windy\n\n"
    + block(
        1, "Bob to play 31", START,
        "* Bob moves 8/5 6/5", "", "Rolled 31 (+0.064):",
        "*    1. Cubeful 2-ply    8/5 6/5                      Eq.: +0.159",
        "       0.551 0.173 0.013 - 0.449 0.124 0.005",
        "     2. Cubeful 2-ply    24/23 13/10                  Eq.: -0.010 (-0.169)",
        "       0.497 0.136 0.007 - 0.503 0.137 0.006",
        dice=(3, 1),
    )
    + block(
        2, "Ann Smith to play 64", FIRST.flipped(),
        "* Ann Smith moves 24/14", "", "Cube analysis", "2-ply cubeless equity -0.161 (Money: -0.150)",
        "  0.449 0.124 0.005 - 0.551 0.173 0.013", "Cubeful equities:", "1. No double           -0.190",
        "2. Double, pass        +1.000  (+1.190)", "3. Double, take        -0.742  (-0.552)",
        "Proper cube action: No double, take (29.3%)", "Alert: doubtful move ( -0.057)", "Alert: lucky roll! ( +0.439)",
        "", "Rolled 64 (+0.439):",
        "     1. Cubeful 2-ply    24/18 13/9                   Eq.: -0.100",
        "       0.470 0.120 0.005 - 0.530 0.160 0.010",
        "*    2. Cubeful 0-ply    24/14                        Eq.: -0.157 (-0.057)",
        "       0.455 0.110 0.004 - 0.545 0.165 0.011",
        upper=True, dice=(6, 4),
    )
    + block(3, "Bob on roll, cube decision?", SECOND.flipped(), "* Bob doubles", "",
            "Alert: wrong double (-0.120)!", " [bad]", "Cube analysis", "2-ply cubeless equity +0.200 (Money: +0.190)",
            "  0.550 0.170 0.010 - 0.450 0.120 0.005",
            "Cubeful equities:", "1. No double           +0.220", "2. Double, pass        +1.000  (+0.780)",
            "3. Double, take        +0.100  (-0.120)", "Proper cube action: No double, take (10.0%)")
    + block(4, "Bob doubles to 2", SECOND.flipped(), "* Ann Smith rejects", "",
            "Alert: wrong pass (-0.900)!", " [very bad]", "Cube analysis",
            "2-ply cubeless equity -0.200 (Money: -0.190)",
            "  0.450 0.120 0.005 - 0.550 0.170 0.010",
            "Cubeful equities:", "1. No double           -0.220", "2. Double, pass        -1.000  (-0.780)",
            "3. Double, take        -0.100  (+0.120)", "Proper cube action: No double, take (10.0%)", offered=True)
    + "Bob wins 1 point\n\nGame statistics for game 1\n\nTotal moves    1   1\n\nOutput generated Tue Sep 05 2023\n"
    " by GNU Backgammon 1.07.001 20230103 (Text Export version 1.128)\n"
)  # fmt: skip


# --- eXtreme Gammon and BGBlitz -------------------------------------------------------------------

POSITION = board({24: 2, 13: 4, 8: 4, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
ROLLED = Position(POSITION, MatchState(7, (2, 4), Cube(2, "theirs")), (6, 1), names=("Ann", "Bob"))
CUBE = Position(POSITION, MatchState(7, (2, 4)), names=("Ann", "Bob"))


def xg(situation: Position, *lines: str) -> str:
    return "\n".join([encode_id(situation, "xgid"), "", encode_picture(situation, "xg"), "", *lines, ""])


XG_PLAYS = xg(
    ROLLED,
    "    1. XG Roller+  13/7 8/7                     eq:+0.589",
    "      Player:   79.46% (G:17.05% B:0.67%)",
    "      Opponent: 20.54% (G:2.22% B:0.06%)",
    "",
    "    2. 3-ply       24/18 6/5                    eq:+0.528 (-0.061)",
    "      Player:   76.43% (G:24.10% B:1.77%)",
    "      Opponent: 23.57% (G:3.32% B:0.12%)",
    "",
    "",
    "eXtreme Gammon Version: 2.10, MET: Kazaross XG2",
)
XG_CUBE = xg(
    CUBE,
    "Analyzed in XG Roller++",
    "Player Winning Chances:   54.40% (G:18.22% B:0.53%)",
    "Opponent Winning Chances: 45.60% (G:12.71% B:0.51%)",
    "",
    "Cubeless Equities: No Double=+0.103, Double=+0.259",
    "",
    "Cubeful Equities:",
    "       No double:     +0.337",
    "       Double/Take:   +0.215 (-0.122)",
    "       Double/Pass:   +1.000 (+0.663)",
    "",
    "Best Cube action: No double / Take",
    "",
    "eXtreme Gammon Version: 2.10, MET: Kazaross XG2",
)


def bgblitz(situation: Position, *lines: str) -> str:
    rows = encode_picture(situation, "xg").splitlines()[2:15]
    rows[0] += "   O: Green  167"
    rows[-1] += "   X: Red  160"
    ids = encode_id(situation, "gnubg").split(":")
    dice = f" {min(situation.dice)}-{max(situation.dice)}" if situation.dice else "."
    return "\n".join(
        [*rows, "", f" Position-ID: {ids[0]}    Match-ID: {ids[1]}", f" {encode_id(situation, 'xgid')}", "",
         " Green - 4 Red - 2 in a 7 point match.", f" Red to move{dice}", "", *lines, ""]
    )  # fmt: skip


BGBLITZ_PLAYS = bgblitz(
    ROLLED,
    "Evaluation  (EMG)",
    " ==========",
    "  1.   0.124 mwp /  -0.492            13/7, 8/7 ",
    "       0.254  0.100  0.010  -  0.746  0.338  0.004 ",
    "",
    "  2.   0.111 mwp /  -0.545  (-0.053)  24/18, 6/5 ",
    "       0.227  0.090  0.009  -  0.773  0.385  0.005 ",
)
BGBLITZ_CUBE = bgblitz(
    CUBE,
    "              Wins  G+BG  BG",
    " Green        34.1  9.3   0.2 ",
    " Red          65.9  15.3  0.3 ",
    " Equity Red (cubeless): 0.377  Std.Dev.: 0.114",
    " Equity (cubeful)    :  0.535",
    "",
    " Cube Action:          :  Redouble / Take      EMG",
    " Double / Take         :  0.535   ( 0.000)      0.760   ( 0.000)",
    " No Double             :  0.526   (-0.010)      0.685   (-0.075)",
    " Double / Pass         :  0.567   ( 0.031)      1.000   ( 0.240)",
)


# --- FIBS -----------------------------------------------------------------------------------------


def fibs_line(
    position: Board = START,
    names: str = "You:Bob",
    *,
    length: int = 5,
    score: str = "0:0",
    turn: int = 1,
    dice: str = "0:0:0:0",
    cube: str = "1:1:1",
    colour: int = 1,
    crawford: int = 0,
) -> str:
    """A board line; the position is seen by who looks on. They are O and move downwards, or X and move upwards."""
    places = [0] * 26
    for point in range(1, 26):
        places[point if colour > 0 else BAR - point] += position.mine[point] * colour
        places[BAR - point if colour > 0 else point] -= position.theirs[point] * colour
    numbers = ":".join(map(str, places))
    ends = "0:25" if colour > 0 else "25:0"
    head, rest = f"board:{names}:{length}:{score}:{numbers}", f"{turn}:{dice}:{cube}:0:{colour}:{-colour}:{ends}"
    return f"{head}:{rest}:0:0:0:0:2:0:{crawford}:0"


SESSION = f"""login: ann
1 ann 1593791615 host.example
5 Cid - - 1 0 2010.19 1348332 82 1593781365 host.example bot -
Cid and Dan start a 1 point match.
You and Bob start a 5 point match.
Starting a new game with Bob.
You rolled 3, Bob rolled 1
You make the first move.
{fibs_line(dice="3:1:0:0")}
You move 8-5 6-5 .
12 Bob hello
13 Cid buy my book
Bob rolls 6 and 4.
Bob moves 1-7 12-16 .
You double. Please wait for Bob to accept or reject.
Bob accepts the double. The cube shows 2.
You roll 6 and 6.
You can't move.
Bob rolls 2 and 1.
The only possible move is nothing.
Bob wants to resign. You will win 2 points. Type 'accept' or 'reject'.
You reject. The game continues.
Bob moves 12-14 16-17 .
Cid wins a 1 point match against Dan  1-0 .
You roll 5 and 2.
Bob wants to resign. You will win 2 points. Type 'accept' or 'reject'.
You accept and win 2 points.
score in 5 point match: ann-2 Bob-0
Starting a new game with Bob.
You rolled 2, Bob rolled 2
You rolled 1, Bob rolled 5
Bob makes the first move.
{fibs_line(score="2:0", turn=-1, dice="0:0:1:5")}
Bob moves 12-17 17-18 .
You double. Please wait for Bob to accept or reject.
Bob gives up. You win 1 point.
"""
