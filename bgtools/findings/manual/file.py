"""Pages of the findings about the file (codes BG0xx)."""

from __future__ import annotations

from typing import Final

from bgtools.findings.manual import Page

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
    "BG004": Page(
        why="A rule that cannot hold here was meant for something else: the length or the tag is wrong, and with it "
        "how games are scored.",
        example="""; [Jacoby "On"]

 3 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Delete the tag, or correct the match length.",
    ),
    "BG005": Page(
        why="Another game is played from another start or by other rules, and its plays would look illegal here.",
        example="""; [Variation "Tapa"]

 3 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do="If it is backgammon, Nackgammon, Hypergammon or Longgammon, spell the tag so. Others cannot be judged.",
    ),
    "BG006": Page(
        why="Usually each player's plays are written from his own side. Programs that do not notice the difference "
        "find every play of one player illegal.",
        example="""  1) 31: 8/5 6/5                    52: 12/17 1/3
  2) 63: 24/15                      41: 12/16 17/18
  3) 52: 13/8 6/4                   43: 12/16 12/15
  4)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Nothing: it is read as it was meant. For other programs, number the plays from each player's own side.",
    ),
    "BG007": Page(
        why="A record that cannot be read looks like a sound one to whoever only counts findings.",
        example="Club night, second match: Ann won 7 to 5.",
        do="See that the path is right and the file is match text (.mat, .txt). Export records of other programs as "
        "match text first.",
    ),
}
