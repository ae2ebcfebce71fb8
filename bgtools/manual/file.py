"""Pages of the findings about the file (codes BG0xx)."""

from __future__ import annotations

from typing import Final

from bgtools.manual import Page

PAGES: Final[dict[str, Page]] = {
    "BG001": Page(
        why="Nothing in the file can be checked, although it looks like a record. Taken for a clean record it would "
        "hide that a match was lost.",
        example=" 7 point match\n; the games were lost",
        do="Export the match again from the program that recorded it. If the games are there, look how they are "
        'headed: each begins with a line such as "Game 1".',
    ),
    "BG002": Page(
        why="Programs that expect one match a file read the first one and say nothing about the rest.",
        example=""" 1 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 63: 24/15                      ????
      Wins 1 point

 1 point match

 Game 1
 Cem : 0                          Dee : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 63: 24/15                      ????
      Wins 1 point""",
        do="Nothing, if the file is meant to hold them. Otherwise split it before every match length.",
    ),
    "BG003": Page(
        why="Read as it stands, the game would be judged as the first of a match to 16, with the Crawford rule and "
        "without gammons that count for the whole.",
        example="""; [Site "Backgammon Galaxy"]

 16 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do='Nothing. To make other programs read it as money too, write "0 point match".',
    ),
}
