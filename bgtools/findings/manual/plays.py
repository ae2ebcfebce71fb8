"""Pages of the findings about dice and checker plays (codes BG2xx)."""

from __future__ import annotations

from typing import Final

from bgtools.findings.manual import Page

_AFTER_31 = """  1) 31: 8/5 6/5                    {}
  2)  Doubles => 2                   Drops
      Wins 1 point"""
_ONE_BACK = """; Set Pos=-N----------b-------A---c-/0
  1) {:<30} 31: 13/10 13/12
  2)  Doubles => 2                   Drops
      Wins 1 point"""

PAGES: Final[dict[str, Page]] = {
    "BG201": Page(
        why="The roll cannot be, so no play of it can be judged. Mostly a digit was mistyped.",
        example=_AFTER_31.format("72: 13/8 24/22"),
        do="Correct the roll. The moves often tell what it was.",
    ),
    "BG202": Page(
        why="Either this move begins at another point, or an earlier play went elsewhere than written and the board is "
        "not the one that was played on.",
        example=_AFTER_31.format("52: 14/9 24/22"),
        do="Compare with the checkers that the message lists, and correct the starting point here or the play before "
        "that brought the checker there. If the hint says that the play stood, it was played so.",
    ),
    "BG203": Page(
        why="Two checkers make a point, and nobody lands there. Such a play was not made, or was made by mistake and "
        "let stand.",
        example="""  1) 61: 13/7 8/7                    66: 24/18(2) 13/7(2)
  2) 21: 7/5 6/5                    43: 13/10 13/9
  3)  Doubles => 2                   Drops
      Wins 1 point""",
        do="See whether a number was mistyped here, or whether the play of the other player that made the point is "
        "right.",
    ),
    "BG204": Page(
        why="A player on the bar has no other move. Where a record has one, either the entering move is missing or the "
        "checker was not hit.",
        example="""  1) 21: 13/11 6/5                   41: 24/20* 6/5
  2) 31: 13/10 24/23                 62: 24/18 20/18
  3)  Doubles => 2                    Drops
      Wins 1 point""",
        do="Write the entering move, such as bar/22, or correct the play that hit.",
    ),
    "BG205": Page(
        why="The move or the roll is mistyped. Which of the two, the rest of the game often tells.",
        example=_AFTER_31.format("52: 13/9 24/22"),
        do="Correct the move or the roll; the hint gives the play of this roll that fits best.",
    ),
    "BG206": Page(
        why="Checkers move from 24 towards 1. A backwards move is two numbers exchanged, or the point numbers of the "
        "other side.",
        example=_AFTER_31.format("52: 8/13 24/22"),
        do="Write the point that the checker left first. If all plays of one player are backwards, the record numbers "
        "the points from one side for both.",
    ),
    "BG207": Page(
        why="A roll gives two moves, a double four. One more is a move of another turn, or the roll was a double.",
        example=_AFTER_31.format("52: 13/8 24/22 6/4"),
        do="Delete the move that is too many, or correct the roll.",
    ),
    "BG208": Page(
        why="Bearing off begins when all fifteen checkers are home. An earlier play has left one outside, or this is "
        "the play of the other column.",
        example=_AFTER_31.format("62: 24/22 6/off"),
        do="See that the moves that brought the last checkers home are right.",
    ),
    "BG209": Page(
        why="A number larger than needed bears off only from the highest point. The checker there had to move.",
        example="""; Set Pos=--A-A-A-----b-----------c-/0
  1) 51: 4/off 2/1                    Doubles => 2
  2)  Drops                           Wins 1 point""",
        do="Correct the move or the roll. If it was played so, leave it: an illegal play stands once the other player "
        "has rolled.",
    ),
    "BG210": Page(
        why="A number that can be played must be. Often the second move was forgotten in writing.",
        example=_AFTER_31.format("52: 13/8"),
        do="Add the missing move; the message gives one that was possible.",
    ),
    "BG211": Page(
        why="Where only one of two numbers can be played, the choice is not free. Programs and players both get this "
        "wrong.",
        example=_ONE_BACK.format("62: 20/18"),
        do="Write the play with the larger number, or leave it if it stood.",
    ),
    "BG212": Page(
        why="A roll without a play is right only if nothing could be played. Mostly the play was not written down.",
        example="""  1) 31: 8/5 6/5                    52: Cannot Move
  2) 42: 8/4 6/4                    63: 24/15
  3)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Write the play, or four question marks where nobody knows it.",
    ),
    "BG213": Page(
        why="Either the roll is another one, or the board is not the one that was played on.",
        example="""; Set Pos=----B-E-C---cD-----bbbbbbA/0
  1) 31: 13/10 6/5                   31: 13/9
  2) 64: Cannot Move                  Doubles => 2
  3)  Drops                           Wins 1 point""",
        do="Correct the roll, or delete the play.",
    ),
    "BG214": Page(
        why="Equal dice are rolled again before anybody moves. A double here is a mistyped roll, or the first turn of "
        "the game is missing.",
        example="""  1) 33: 8/5(2) 6/3(2)              41: 13/9 6/5
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Correct the roll, or add the turn before it. Where the winner of a game starts the next one with two dice, "
        "the record must say so.",
    ),
    "BG215": Page(
        why="A missing turn leaves the board wrong for both players.",
        example="""  1) 31: 8/5 6/5
  2) 42: 8/4 6/4                    52: 13/8 24/22
  3)  Doubles => 2                   Drops
      Wins 1 point""",
        do='Add the turn, with "Cannot Move" where nothing could be played, or move the entry to the other column.',
    ),
    "BG216": Page(
        why="Nothing can happen after the end. The end was written too early, or the entries belong to the next game.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
  3) 42: 8/4 6/4
      Wins 1 point""",
        do="Delete the entries, or see whether the drop or the last play before them is right.",
    ),
    "BG217": Page(
        why="A play that is not recorded can be guessed at best, from what follows it. One whose roll is not recorded "
        "is taken as it is written, but nobody can tell whether it was legal or good.",
        example="""  1) 31: 8/5 6/5                    52: ????
  2) 42: 8/4 6/4                    63: 24/15
  3)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Write the play if somebody knows it.",
    ),
    "BG218": Page(
        why="Some servers move by themselves where there is no choice and write nothing. Other programs take such a "
        "roll for a dance.",
        example=_ONE_BACK.format("62:"),
        do="Nothing, or write the play.",
    ),
    "BG219": Page(
        why="The play was against the rules and stood; both players agreed with the board that it left. Programs that "
        "do not know the mark cannot read on.",
        example="  1) 31: Illegal play (7;0;1;0;1;ann;bob;0;0;0;1;0;0;-2;0;0;0;0;4;0;3;1;0;0;-5;5;0;0;0;-3;0;-5;"
        """0;0;0;0;2;0;5;2;)  52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Nothing: the record says itself what happened.",
    ),
    "BG220": Page(
        why="The record claims a hit that the board does not show. If it is right, an earlier play is wrong.",
        example=_AFTER_31.format("52: 13/8* 24/22"),
        do="Delete the star, or look for the play that should have left a blot there.",
    ),
    "BG221": Page(
        why="A copied cell looks like a turn of its own, and every turn after it seems to be the other player's.",
        example="""  1) 31: 8/5 6/5                    66: 24/18(2) 13/7(2)
  2)                                66: 24/18(2) 13/7(2)
  3) 63: 24/15                      41: 13/9 6/5
  4)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Delete the copy. If the player did roll the same twice, the turn of the other one is missing between.",
    ),
    "BG222": Page(
        why="Read by its column the turn is the wrong player's. Other programs go on with the sides exchanged and may "
        "give the game to the loser.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)                                63: 24/18 8/5
  3)                                41: 13/9 6/5
  4)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Move the turn to the other column.",
    ),
    "BG223": Page(
        why="Both turns are given to the wrong player, and neither can have been played as it stands.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 41: 22/21 13/9                 63: 24/18 5/2
  3) 42: 13/11 13/9                 21: 13/11 6/5
  4)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Exchange the two cells, and those of the rows that follow where the message says so.",
    ),
    "BG224": Page(
        why="Either the result of the game before is wrong, or the record states a rule that was not played.",
        example="""; [WinnerStarts "On"]

 3 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point

 Game 2
 Ann : 1                          Bob : 0
  1)                                31: 8/5 6/5
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do='Correct the result, or delete ; [WinnerStarts "On"] from the header.',
    ),
}
