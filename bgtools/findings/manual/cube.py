"""Pages of the findings about the cube (codes BG3xx)."""

from __future__ import annotations

from typing import Final

from bgtools.findings.manual import Page

_AFTER_CRAWFORD = """ 3 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 63: 24/15                      41: 13/9 6/5
      Wins 2 points

 Game 2
 Ann : 2                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2) 63: 24/15                      41: 13/9 6/5
                                    Wins 1 point

 Game 3
 Ann : 2                          Bob : 1
"""

PAGES: Final[dict[str, Page]] = {
    "BG301": Page(
        why="Only the owner may redouble. Either the offer stands in the wrong column, or an earlier double or take "
        "was written down for the wrong player.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Takes
  3) 63: 24/15                      43: 13/10 13/9
  4)  Doubles => 4                   Drops
      Wins 2 points""",
        do="See who doubled last and who took. Move the offer to the other column, or put the earlier entry right.",
    ),
    "BG302": Page(
        why="Before the opening roll nobody is on roll, so nobody can double.",
        example="""  1)  Doubles => 2                   Takes
  2) 31: 8/5 6/5                    52: 13/8 24/22
      Wins 2 points""",
        do="Put the opening roll before it. A cube that begins higher by automatic doubles is a money option that the "
        "record must state.",
    ),
    "BG303": Page(
        why="In the Crawford game the cube is out of play. In a tournament such a double is annulled, and all that "
        "follows from it with it.",
        example=""" 2 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point

 Game 2
 Ann : 1                          Bob : 0
  1) 31: 8/5 6/5                     Doubles => 2
  2)  Drops                          Wins 1 point""",
        do="See that the scores are right: the Crawford game is told from them. Where the match was played without the "
        'rule, write ; [Crawford "Off"] above the match length.',
    ),
    "BG304": Page(
        why="A double comes before one's own roll. Here the turn of the other player is missing, or the offer stands "
        "in the wrong column.",
        example="""  1) 31: 8/5 6/5
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Add the turn that is missing, or move the offer to the other column.",
    ),
    "BG305": Page(
        why="Without the answer it is not known who owns the cube. The game going on, the double is taken to have been "
        "accepted.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2
  3) 63: 24/15                       Doubles => 4
  4)  Drops                          Wins 2 points""",
        do='Write "Takes" or "Drops" in the other column.',
    ),
    "BG306": Page(
        why="An answer needs an offer. The double may have been lost, and then the cube is worth less than it should "
        "be to the end of the game.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Takes
  3)  Doubles => 2                   Drops
      Wins 1 point""",
        do="Add the double before it, or delete the answer.",
    ),
    "BG307": Page(
        why="The number behind the double is a claim. It is not followed: the cube doubles, and the game is scored "
        "with that.",
        example="""  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 4                   Drops
      Wins 1 point""",
        do="Write twice the present value, or look for a double that is missing before.",
    ),
    "BG308": Page(
        why="A beaver changes the cube's value and owner. In a match there is none, and in money play it must be "
        "agreed.",
        example=""" 7 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Beavers => 4
  3) 63: 24/15                       Doubles => 8
  4)  Drops                          Wins 4 points""",
        do='In money play with beavers write ; [Beaver "On"] above the match length. In a match it was a take.',
    ),
    "BG309": Page(
        why="Beyond an agreed limit the cube cannot be turned. Records of programs with a small cube state it.",
        example="""; [CubeLimit "2"]

 7 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Takes
  3) 63: 24/15                       Doubles => 4
  4)  Drops                          Wins 2 points""",
        do="Correct the limit in the header, or delete the double.",
    ),
    "BG310": Page(
        why="With the Holland rule the cube comes back two rolls a side later. The record states the rule and breaks "
        "it.",
        example="""; [Holland "On"]

"""
        + _AFTER_CRAWFORD
        + """  1) 31: 8/5 6/5                     Doubles => 2
  2)  Drops                          Wins 1 point""",
        do='Delete ; [Holland "On"] where it was not played, or look for rolls that are missing.',
    ),
    "BG311": Page(
        why="Only the player who was doubled may beaver. Here it stands in the column of the one who doubled.",
        example="""; [Beaver "On"]

 0 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2
  3)  Beavers => 4                   Takes
  4) 63: 24/15                       Doubles => 4
  5)  Drops                          Wins 2 points""",
        do="Move the beaver to the other column, or delete it. The doubler's own answer to a beaver is a raccoon.",
    ),
    "BG312": Page(
        why="Automatic doubles belong to money play, before the opening roll and up to a number agreed upon. A cube "
        "that is too high changes every result after it.",
        example=""" 7 point match

 Game 1
 Ann : 0                          Bob : 0
  1)  Automatic => 2
  2) 31: 8/5 6/5                    52: 13/8 24/22
  3)  Doubles => 4                   Drops
      Wins 2 points""",
        do='Delete it, or state in a money session how many were agreed upon: ; [AutomaticDoubles "1"].',
    ),
    "BG313": Page(
        why="The double is legal and a mistake: it wins nothing more and gives the other player a cube worth having. "
        "It can also mean that the score is wrong.",
        example=_AFTER_CRAWFORD
        + """  1) 31: 8/5 6/5                    52: 13/8 24/22
  2)  Doubles => 2                   Drops
      Wins 1 point""",
        do="See that the scores are right. If they are, leave it.",
    ),
}
