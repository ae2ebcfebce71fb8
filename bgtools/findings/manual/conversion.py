"""Pages of the findings about conversions (codes BG5xx)."""

from __future__ import annotations

from typing import Final

from bgtools.findings.manual import Page

_ACCEPT = "accept the loss with --allow, or refuse every loss with --strict"

PAGES: Final[dict[str, Page]] = {
    "BG501": Page(
        why="A transcriber's remark may be the only place that says who the players were, or why a play stands as it "
        "does.",
        example="bgtools convert match.mat match.gam",
        do=f"Choose a format that has comments (json, sgf, mat, xg), or {_ACCEPT}.",
    ),
    "BG502": Page(
        why="Equities and rollouts are hours of work of a program, and cannot be had back from the plays alone.",
        example="bgtools convert analysed.xg match.mat",
        do=f"Keep the analysed file, choose a format that has analysis (json, sgf, xg), or {_ACCEPT}.",
    ),
    "BG503": Page(
        why="Event, date and site tell one match from another in an archive.",
        example="bgtools convert match.mat match.gam",
        do=f"Choose a format with headers of its own (json, mat), or {_ACCEPT}.",
    ),
    "BG504": Page(
        why="A program that does not know that the Jacoby rule was off scores a gammon wrongly, and rates the cube "
        "actions by another game.",
        example="bgtools convert money.mat money.sgg",
        do=f"Set the option by hand in the program that reads the file, or {_ACCEPT}.",
    ),
    "BG505": Page(
        why="What was played at the table may be against the rules, or nobody saw it. A format that only holds legal "
        "plays would make a different game of it.",
        example="bgtools convert match.mat match.gam",
        do=f"Choose json, mat or sgf, which hold any play, or {_ACCEPT}.",
    ),
    "BG506": Page(
        why="Without the beaver or the automatic double the stated points no longer follow from the cube.",
        example="bgtools convert money.mat money.gam",
        do=f"Choose json, which holds every cube action, or {_ACCEPT}.",
    ),
    "BG507": Page(
        why="A game that ends without a word about it looks broken off.",
        example="bgtools convert match.sgf match.mat",
        do=f"Nothing is wrong with the points, which are kept. Choose json or sgf to keep the words, or {_ACCEPT}.",
    ),
    "BG508": Page(
        why="A score that does not add up may be the one right thing in a record with a wrong result.",
        example="bgtools convert match.mat match.sgf",
        do=f"Let bgtools check find what is wrong first and mend it, or {_ACCEPT}.",
    ),
    "BG509": Page(
        why="Everything after it is played on another board.",
        example="bgtools convert study.mat study.tmg",
        do=f"Choose a format with set positions (json, mat, sgf, xg), or {_ACCEPT}.",
    ),
    "BG510": Page(
        why="Players are found by their names in other programs.",
        example="bgtools convert match.mat match.gam",
        do=f"Choose a format that holds every script (json, mat, sgf, xg), or {_ACCEPT}.",
    ),
    "BG511": Page(
        why="Only a part of the record would be in the file.",
        example="bgtools convert match.mat position.xgp",
        do="Choose a format that holds a whole match, or give a folder: then every match gets a file of its own.",
    ),
    "BG512": Page(
        why="Programs keep clocks, settings and statistics in fields of their own. No other program reads them.",
        example="bgtools convert match.xg match.sgf",
        do=f"Keep the file, or {_ACCEPT}.",
    ),
    "BG513": Page(
        why="A line that cannot be read may be a turn.",
        example="  7) 31: 8/5 6/5  {coffee}      52: 13/8 24/22",
        do=f"Let bgtools check show the place, and mend it, or {_ACCEPT}.",
    ),
    "BG599": Page(
        why="A converter that changes a turn is worse than none: bgtools reads what it has written, and where that is "
        "not the same match it keeps nothing.",
        example="bgtools convert match.mat match.sgf",
        do="Please report it with the record. --no-verify keeps the output all the same.",
    ),
}
