"""Pages of the findings about the text (codes BG1xx)."""

from __future__ import annotations

from typing import Final

from bgtools.findings.manual import Page

PAGES: Final[dict[str, Page]] = {
    "BG101": Page(
        why="A play that cannot be read is a hole in the game: everything after it is judged on a guessed board. Other "
        "programs drop the cell and give the next turn to the wrong player.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 63: 24(15
      Wins 1 point""",
        do="Write the play in the usual way: the roll, a colon, then moves such as 13/8 24/22*, 8/5(2) or bar/20.",
    ),
    "BG102": Page(
        why="The reader leaves the text out. If it was part of a play, that play is now another one.",
        example="""  1) Ann 31: 8/5 6/5                52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Delete the text, or make a remark of it on a line of its own that begins with a semicolon.",
    ),
    "BG103": Page(
        why="A line that is left out may have been a row of the game, and then turns are missing.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
Bob asked for the clock
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Begin a remark with a semicolon. If it is a row, see that it begins with its number and a bracket.",
    ),
    "BG104": Page(
        why="Without it nobody knows who plays in which column, and a slip in the points of an earlier game goes "
        "unnoticed. The Crawford game is told from the score.",
        example=""" 3 point match

 Game 1
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do='Write both names with their points below the heading: "Ann : 0     Bob : 0".',
    ),
    "BG105": Page(
        why="In a match the score decides about the Crawford game and about when it is over, and the analysis of the "
        "cube depends on it. None of that can be checked.",
        example=""" Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do='Write the length before the first game: "7 point match", or "0 point match" for a money session.',
    ),
    "BG106": Page(
        why="A gap in the numbers can mean that a row was lost. Some programs number rows in their own way, so it is "
        "no more than a hint.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  3)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Look whether a row is missing. If none is, renumber them or ignore this code.",
    ),
    "BG107": Page(
        why="Whose the third cell is can only be guessed; it is given to the player of the right column.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 63: 24/15                       Doubles => 2
  3)  Drops                          Wins 1 point         Wins 1 point""",
        do="Break the row in two, each with its number.",
    ),
    "BG108": Page(
        why="The game cannot be judged from a board that cannot be. It is judged from the usual start position "
        "instead, and most plays will not fit.",
        example="""; Set Pos=-b----E-C---eE---c-e----C-/0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Count the checkers: capitals are the left player's, small letters the right player's, A or a for one "
        "checker, and neither side may come to more than the game has.",
    ),
}
