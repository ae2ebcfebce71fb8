"""Pages of the findings about scores and results (codes BG4xx)."""

from __future__ import annotations

from typing import Final

from bgtools.findings.manual import Page

_FIRST = """ 3 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point
"""

PAGES: Final[dict[str, Page]] = {
    "BG401": Page(
        why="Either this score or an earlier result is wrong. The score decides about the Crawford game, the value of "
        "the cube and who has won the match.",
        example=_FIRST
        + """
 Game 2
 Ann : 0                          Bob : 1
  1) 31: 8/5 6/5                     Doubles => 2
  2)  Drops                          Wins 1 point""",
        do="Add the results up from the first game. Correct the line that is off; the message gives the score that "
        "should stand here.",
    ),
    "BG402": Page(
        why="Points follow from the board and the cube: one, two or three times its value, or what it was worth before "
        "a dropped double. Another number breaks every score after it.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 2 points""",
        do="Correct the points, or look for a double, take or last play that is missing.",
    ),
    "BG403": Page(
        why="The game is credited to the loser, and with it perhaps the match.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
                                    Wins 1 point""",
        do="Move the result to the winner's column.",
    ),
    "BG404": Page(
        why="A match is over when a player reaches its length. Games after that belong to another match, or the length "
        "or an earlier result is wrong.",
        example=""" 1 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 63: 24/15                      41: 13/9 6/5
      Wins 1 point

 Game 2
 Ann : 1                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 63: 24/15                      41: 13/9 6/5
      Wins 1 point""",
        do="Correct the match length or the result, or begin a match of its own for the games that follow.",
    ),
    "BG405": Page(
        why="Nobody knows who won it, and the scores after it cannot be checked.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 63: 24/15                      43: 13/10 13/9""",
        do="Add the rows that are missing, or the result. If the match was broken off here, leave it as it is.",
    ),
    "BG406": Page(
        why="A game that is not recorded may have been the Crawford game, and the score before the next one is the "
        "record's word alone.",
        example=_FIRST
        + """
 Game 3
 Ann : 1                          Bob : 0
  1) 31: 8/5 6/5                     Doubles => 2
  2)  Drops                          Wins 1 point""",
        do="Add the missing game, or correct the number in the heading.",
    ),
    "BG407": Page(
        why="Taken as points, the number would end any match. It marks that the game was broken off.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 63: 24/15                      43: 13/10 13/9
      Wins 1004 points""",
        do="Nothing, or write the points that were agreed.",
    ),
    "BG408": Page(
        why="A resignation gives up a single game, a gammon or a backgammon. Another number means that a double or a "
        "take is missing, or that the points are wrong.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 63: 24/15                      43: 13/10 13/9
      Wins 5 points""",
        do="Correct the points, or add the cube action that is missing.",
    ),
    "BG409": Page(
        why="The record ends the match before its time: the length, the score or an earlier result is wrong.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point and the match""",
        do='Correct the length or the scores, or delete "and the match".',
    ),
    "BG410": Page(
        why="Who has borne off a checker can lose a single game only. The points are wrong, or the checker was not "
        "borne off.",
        example="""; Set Pos=--B-B-C------------cdc----/0
  1) 31: 6/3 4/3                    52: 6/4 6/1
      Wins 2 points""",
        do="Correct the points, or the play that bore the checker off. Players may agree on anything; then leave it.",
    ),
    "BG411": Page(
        why="The winner gets less than he cannot fail to win. Mostly the points are wrong.",
        example="""; Set Pos=-C----------e----e-e------/0
  1) 21: 1/off(2)                   52: 13/8 13/11
      Wins 1 point""",
        do="Correct the points. If the resignation was accepted so, leave it.",
    ),
    "BG412": Page(
        why="The result and the score contradict each other, and the score is right. GNU Backgammon exports money "
        "sessions so: it does not write that the cube was turned by itself, states results without that, and gammons "
        "that do not count by the Jacoby rule.",
        example=""" 0 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                     Doubles => 2
  2)  Drops                          Wins 1 point

 Game 2
 Ann : 0                          Bob : 2
  1) 31: 8/5 6/5                     Doubles => 2
  2)  Drops                          Wins 1 point""",
        do="Nothing: the points are taken from the score. If no automatic doubles were played, correct the score line "
        'and write [AutomaticDoubles "Off"] among the tags.',
    ),
}
