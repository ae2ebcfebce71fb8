"""The kinds of findings, each with its manual page.

A code never changes its meaning and is never used again. Families: 0 the file, 1 its text, 2 dice
and plays, 3 the cube, 4 score and result, 5 conversion.
"""

from __future__ import annotations

from typing import Final

from bgtools.findings.finding import Code, Severity

E, W, H = Severity.ERROR, Severity.WARNING, Severity.HINT

# --- the file -------------------------------------------------------------------------------

NO_GAME: Final = Code(
    "BG001", "no-game", E,
    "The file was read as match text, but no game was found in it. It may be another format, or cut off "
    "before the first game.",
)  # fmt: skip
SEVERAL_MATCHES: Final = Code(
    "BG002", "several-matches", H,
    "One file holds more than one match. Each is checked by itself; programs that expect one match a file read "
    "only the first.",
)  # fmt: skip
MONEY_SENTINEL: Final = Code(
    "BG003", "money-sentinel", H,
    "Backgammon Galaxy writes a single money game as a 16-point match. It is read as a money game.",
)  # fmt: skip

CONTRADICTED_RULES: Final = Code(
    "BG004", "contradicted-rules", W,
    "The record states rules that do not go together, such as beavers or the Jacoby rule in a match. They belong to "
    "money play and are skipped.",
    ("R32", "R35"),
)  # fmt: skip
UNKNOWN_VARIATION: Final = Code(
    "BG005", "unknown-variation", W,
    "The record names a variation that is not known here. It is judged by the rules of backgammon.", ("R50",),
)  # fmt: skip
FIXED_NUMBERING: Final = Code(
    "BG006", "fixed-numbering", H,
    "Both players' plays are written in the numbering of one of them. They are read so.", ("R02",),
)  # fmt: skip

UNREADABLE_FILE: Final = Code(
    "BG007", "unreadable-file", E,
    "A file could not be read: it is not there, may not be opened, or its content is in no format that is read here. "
    "Nothing in it was checked, and the exit status is 2 whatever else was found.",
)  # fmt: skip
WRONG_VARIATION: Final = Code(
    "BG008", "wrong-variation", E,
    "The games are of another variation than the one that the record states, or than backgammon where it states none.",
    ("R50", "R51", "R52", "R53"),
)  # fmt: skip
WRONG_LENGTH: Final = Code(
    "BG009", "wrong-length", E,
    "The match was played to another number of points than the record states: with it all results and scores fit.",
    ("R40", "R41"),
)  # fmt: skip
WRONG_NAME: Final = Code(
    "BG010", "wrong-name", E,
    "The names on a score line stand in each other's place, one of them is misspelt, or somebody else is named.",
)  # fmt: skip
SETTINGS_FILE: Final = Code(
    "BG011", "settings-file", H,
    "A settings file held for records that were checked. It may say that something is not reported, so it is named, "
    "with what it switches off. That is not counted, and makes no check fail.",
)  # fmt: skip
SIGNED: Final = Code(
    "BG012", "signed", H,
    "A signature in the file is one of these bytes, by a key that is known: from --keys FILE, or under keys in a "
    "settings file. Nothing that is signed has changed since.",
)  # fmt: skip
CHANGED_SINCE_SIGNED: Final = Code(
    "BG013", "changed-since-signed", E,
    "A signature in the file is none of these bytes: the match, or an analysis, was changed after it was signed, or "
    "the signature is somebody else's. With --original FILE it is told what was changed.",
)  # fmt: skip
UNKNOWN_SIGNER: Final = Code(
    "BG014", "unknown-signer", H,
    "A signature in the file is by a key that is not known. That it fits proves that nothing was changed since; it "
    "proves nothing of who has signed. Or nothing is installed that verifies it.",
)  # fmt: skip

# --- the text -------------------------------------------------------------------------------

UNREADABLE_CELL: Final = Code(
    "BG101", "unreadable-cell", E,
    "A cell begins like a roll or a cube action and goes on with something that is neither moves nor any other known "
    "word. The reader goes on at the next cell; what was played here is unknown, so the board may be wrong from here "
    "to the end of the game. Where a word is misspelt, or a letter stands for a digit, the cell is read as it is "
    "meant.",
)  # fmt: skip
STRAY_TEXT: Final = Code(
    "BG102", "stray-text", W,
    "Text is in a row where a cell should begin: a name pasted into the row, a half-deleted play. It is left out. "
    "Behind a whole play it is kept as a remark; there, marks, clocks, equities and words need no finding.",
)  # fmt: skip
UNREADABLE_LINE: Final = Code(
    "BG103", "unreadable-line", E,
    "A line is neither a row, a heading, a comment nor a result, and no prose either. It is left out. A remark begins "
    "with a semicolon; sentences between rows are remarks without one.",
)  # fmt: skip
NO_SCORE_LINE: Final = Code(
    "BG104", "missing-score-line", W,
    "A game's heading is not followed by the line with both names and their points, so the score before the game is "
    "taken from the games before it.",
)  # fmt: skip
NO_LENGTH: Final = Code(
    "BG105", "missing-length", W,
    'No line says how long the match is ("7 point match"). The games are judged as a money session.',
)  # fmt: skip
ROW_NUMBERS: Final = Code(
    "BG106", "row-numbers", H,
    "The rows of a game are not numbered one after the other. The order in which they stand is taken.",
)  # fmt: skip
EXTRA_CELL: Final = Code(
    "BG107", "extra-cell", W,
    "A row holds more than a left and a right cell, mostly because two rows were joined. Every cell is read, in order.",
)  # fmt: skip
BAD_SET_POSITION: Final = Code(
    "BG108", "bad-set-position", E,
    "A set position is not possible: a side has more checkers than the game has, the line has not 26 places, or the "
    "cube shows what none does.",
)  # fmt: skip

UNSURE_COLUMN: Final = Code(
    "BG109", "unsure-column", W,
    "A row has one roll or cube action, and nothing shows in which column it stands: it is in neither, or no row of "
    "the record shows where they are. It is read as the order of turns has it, or else as it stands.",
)  # fmt: skip
UNUSUAL_HEADING: Final = Code(
    "BG110", "unusual-heading", W,
    "A line above the rows says in other words than match text who plays, or to how many points: \"Ann vs Bob, "
    "5 points\". It is read so where its meaning is plain. Match text has \"5 point match\", and below the heading of "
    "each game a line with both names and points.",
)  # fmt: skip

# --- dice and plays -------------------------------------------------------------------------

BAD_DICE: Final = Code("BG201", "impossible-dice", E, "A die shows 1 to 6. The roll has another number.")
NO_CHECKER: Final = Code(
    "BG202", "no-checker-there", E,
    "A play moves a checker from a point on which its owner has none.", ("R05",),
)  # fmt: skip
BLOCKED: Final = Code(
    "BG203", "blocked-point", E,
    "A checker lands, or touches down on its way, on a point that two or more opposing checkers hold.", ("R05", "R07"),
)  # fmt: skip
BAR_FIRST: Final = Code(
    "BG204", "bar-first", E,
    "Another checker moves while one is still on the bar. Checkers on the bar enter before anything else.", ("R08",),
)  # fmt: skip
WRONG_DIE: Final = Code(
    "BG205", "number-not-rolled", E,
    "A checker moves a number of pips that the dice do not give.", ("R05", "R06"),
)  # fmt: skip
BACKWARDS: Final = Code("BG206", "backwards-hop", E, "A checker moves away from its home board.", ("R01",))
TOO_MANY_HOPS: Final = Code(
    "BG207", "too-many-hops", E,
    "More checkers move than the roll has numbers: two, or four for doubles.", ("R05", "R06"),
)  # fmt: skip
NOT_HOME: Final = Code(
    "BG208", "bear-off-too-early", E,
    "A checker is borne off while another one of the same side is outside the home board or on the bar.", ("R11",),
)  # fmt: skip
HIGHER_CHECKER: Final = Code(
    "BG209", "higher-checker", E,
    "A number bears off a checker from a lower point while a checker on a higher point could use it.", ("R12",),
)  # fmt: skip
DIE_UNPLAYED: Final = Code(
    "BG210", "die-left-unplayed", E,
    "A number was left unplayed although it could be played, in this order or another.", ("R06", "R09"),
)  # fmt: skip
LARGER_DIE: Final = Code(
    "BG211", "larger-die-not-played", E,
    "Only one of the two numbers could be played. Then it must be the larger one.", ("R10",),
)  # fmt: skip
FALSE_DANCE: Final = Code(
    "BG212", "play-existed", E,
    "The record has no play for a roll that could be played.", ("R08", "R09"),
)  # fmt: skip
NO_PLAY: Final = Code(
    "BG213", "no-play-existed", E,
    "The record has a play for a roll with which nothing could be played.", ("R08",),
)  # fmt: skip
OPENING_DOUBLE: Final = Code(
    "BG214", "opening-double", E,
    "The first roll of a game is one die of each player, and equal dice are rolled again, so it is never a double.",
    ("R03",),
)  # fmt: skip
TURN_MISSING: Final = Code(
    "BG215", "turn-missing", E,
    "One player has two turns running. The turn of the other one is missing, or an entry is in the wrong column.",
    ("R03",),
)  # fmt: skip
AFTER_END: Final = Code(
    "BG216", "entry-after-the-end", E,
    "The game was over, by the last checker borne off, a drop or a resignation, and the record goes on.", ("R14",),
)  # fmt: skip
UNKNOWN_PLAY: Final = Code(
    "BG217", "unknown-play", W,
    "The record does not say what was played, or with which roll. Where it says neither, the board is unknown from "
    "here on, and the rest of the game is not judged.",
)  # fmt: skip
FORCED_PLAY: Final = Code(
    "BG218", "forced-play-not-written", H,
    "Nothing stands behind the dice, but exactly one play was possible. It is taken as played.",
)  # fmt: skip
DECLARED_ILLEGAL: Final = Code(
    "BG219", "declared-illegal-play", W,
    "The record itself marks a play as illegal and gives the board that it left. The game goes on from there.",
)  # fmt: skip
FALSE_STAR: Final = Code(
    "BG220", "no-hit", W,
    "A star marks a hit where the other player had no blot.",
)  # fmt: skip

REPEATED_TURN: Final = Code(
    "BG221", "turn-written-twice", E,
    "A player's turn is in the record a second time, with the same dice and moves, where it cannot be played "
    "again. The copy is left out.",
)  # fmt: skip
WRONG_COLUMN: Final = Code(
    "BG222", "wrong-column", E,
    "A turn is in the other player's column: two turns would run together there, and as theirs it fits.",
)  # fmt: skip
SWAPPED: Final = Code(
    "BG223", "swapped-columns", E,
    "The two cells of a row, or their rolls, stand in each other's place: as they stand they cannot be played, and the "
    "other way round they fit.",
)  # fmt: skip
WRONG_STARTER: Final = Code(
    "BG224", "wrong-starter", E,
    "By the rules of the record the winner of a game starts the next one, but the other player does.", ("R04",),
)  # fmt: skip
OUT_OF_ORDER: Final = Code(
    "BG225", "turns-out-of-order", E,
    "Rows, or cells of a column, stand in each other's place: in the order in which they are written they cannot be "
    "played, and in another one they fit.",
)  # fmt: skip
MISREAD_PLAY: Final = Code(
    "BG226", "misread-play", E,
    "A play is legal, but what follows cannot be played after it, and can after another play. It is not what was "
    "played.",
)  # fmt: skip

UNMARKED_HIT: Final = Code(
    "BG227", "unmarked-hit", H,
    "A play hits, and has no star, although the record marks its hits.",
)  # fmt: skip

DRAWN_OTHERWISE: Final = Code(
    "BG228", "drawn-otherwise", W,
    "A board is drawn in a remark, and the plays above it lead to another one.",
)  # fmt: skip

CAPTIONED_OTHERWISE: Final = Code(
    "BG229", "captioned-otherwise", W,
    "A line above a roll, such as ``Black to play 6-2``, names another roll or another player than the record has.",
)  # fmt: skip

# --- the cube -------------------------------------------------------------------------------

NOT_YOUR_CUBE: Final = Code(
    "BG301", "not-your-cube", E,
    "A player doubles although the other one owns the cube.", ("R30", "R31"),
)  # fmt: skip
OPENING_CUBE: Final = Code(
    "BG302", "double-before-opening", E,
    "A double is offered before the opening roll, when neither player is on roll yet.", ("R03", "R30"),
)  # fmt: skip
CRAWFORD_DOUBLE: Final = Code(
    "BG303", "double-in-crawford-game", E,
    "Nobody may double in the Crawford game, the one right after a player first stands one point from winning.",
    ("R41",),
)  # fmt: skip
OUT_OF_TURN: Final = Code(
    "BG304", "double-out-of-turn", E,
    "A double is offered by the player who is not on roll, or after their own roll.", ("R30",),
)  # fmt: skip
UNANSWERED: Final = Code(
    "BG305", "offer-without-answer", E,
    "A double is offered and the game goes on, but nobody took it.", ("R31",),
)  # fmt: skip
NO_OFFER: Final = Code(
    "BG306", "answer-without-offer", E,
    "A take or drop stands where no double was offered.", ("R31",),
)  # fmt: skip
WRONG_CUBE: Final = Code(
    "BG307", "wrong-cube-value", E,
    "A double offers the cube at another value than twice the present one.", ("R31",),
)  # fmt: skip
BEAVER_NOT_ALLOWED: Final = Code(
    "BG308", "beaver-not-allowed", E,
    "A beaver or raccoon where the rules of the record have none: they belong to money play.", ("R32", "R33"),
)  # fmt: skip
CUBE_LIMIT: Final = Code(
    "BG309", "cube-limit", E,
    "A double goes beyond the limit that the record itself states.", ("R31",),
)  # fmt: skip

HOLLAND_DOUBLE: Final = Code(
    "BG310", "double-too-soon", E,
    "By the Holland rule nobody doubles after the Crawford game before each side has played two rolls.", ("R43",),
)  # fmt: skip
OWN_BEAVER: Final = Code(
    "BG311", "own-beaver", E,
    "A beaver is the answer of the player who was doubled. Here the one who doubled beavers.", ("R32",),
)  # fmt: skip
NO_AUTOMATIC: Final = Code(
    "BG312", "automatic-double-not-allowed", E,
    "An automatic double in a match, after the opening roll, or beyond the number agreed upon.", ("R34",),
)  # fmt: skip
DEAD_CUBE: Final = Code(
    "BG313", "dead-cube", H,
    "A double that can gain nothing: at this score the cube as it stands already wins the match.", ("R36",),
)  # fmt: skip
WRONG_ANSWER: Final = Code(
    "BG314", "wrong-answer", E,
    "A drop after which the game goes on as after a take, or another answer to a double than the rest of the game "
    "counts.", ("R22", "R31"),
)  # fmt: skip

# --- score and result -----------------------------------------------------------------------

SCORE_LINE: Final = Code(
    "BG401", "score-does-not-add-up", E,
    "The points on the score line are not the sum of the results before it: one is wrong, or a game is missing or in "
    "another place.", ("R44",),
)  # fmt: skip
WRONG_POINTS: Final = Code(
    "BG402", "wrong-points", E,
    "The stated points do not follow from the board, the cube and the rules, or are those of another game.",
    ("R20", "R22", "R44"),
)  # fmt: skip
WRONG_WINNER: Final = Code(
    "BG403", "wrong-winner", E,
    "The stated winner is not the one who bore off all checkers, or whose double was dropped, or two are stated.",
    ("R44",),
)  # fmt: skip
AFTER_MATCH: Final = Code(
    "BG404", "game-after-the-match", E,
    "A player has reached the length of the match, and another game follows.", ("R40",),
)  # fmt: skip
UNFINISHED_GAME: Final = Code(
    "BG405", "unfinished-game", W,
    "A game ends without a result: nobody bore off, dropped or resigned.",
)  # fmt: skip
GAME_MISSING: Final = Code(
    "BG406", "game-missing", W,
    "The numbers of the games leave a gap or are out of order, and no score line counts points that are missing.",
    ("R44",),
)  # fmt: skip
NOT_A_SCORE: Final = Code(
    "BG407", "points-are-no-score", H,
    "Some programs write large numbers such as 100 or 1004 in place of the points when a game was broken off.",
)  # fmt: skip
ODD_POINTS: Final = Code(
    "BG408", "odd-points", E,
    "The points of a resigned game are neither one, two or three times the cube nor what was needed for the match.",
    ("R20",),
)  # fmt: skip
FALSE_MATCH_END: Final = Code(
    "BG409", "match-not-won", W,
    'The record says "and the match", but by the score the match was not over.', ("R40",),
)  # fmt: skip

IMPOSSIBLE_RESIGNATION: Final = Code(
    "BG410", "impossible-resignation", W,
    "A game is resigned at more than the position allows: a gammon or backgammon after a checker was borne off.",
    ("R23",),
)  # fmt: skip
LOW_RESIGNATION: Final = Code(
    "BG411", "resigned-too-low", H,
    "A game is resigned at less than is certain already.", ("R23",),
)  # fmt: skip

LEFT_TO_SCORE: Final = Code(
    "BG412", "left-to-the-score", W,
    "The points of a money game leave out an automatic double or the Jacoby rule, and the score counts it.",
    ("R34", "R35", "R44"),
)  # fmt: skip

GAME_REPEATED: Final = Code(
    "BG413", "game-repeated", E,
    "A game is written a second time: its score line and every entry are those of the game before it.", ("R44",),
)  # fmt: skip

# --- conversion -----------------------------------------------------------------------------

COMMENT_LOST: Final = Code(
    "BG501", "comment-lost", W,
    "A comment has no place in the format that is written.",
)  # fmt: skip
ANALYSIS_LOST: Final = Code(
    "BG502", "analysis-lost", W,
    "Equities, probabilities, luck, marks or levels of analysis have no place in the format that is written.",
)  # fmt: skip
TAG_LOST: Final = Code(
    "BG503", "header-lost", W,
    "A header such as event, site or rating has no place in the format that is written.",
)  # fmt: skip
RULE_LOST: Final = Code(
    "BG504", "rule-lost", W,
    "An option that the match was played under cannot be stated in the format that is written.",
)  # fmt: skip
PLAY_LOST: Final = Code(
    "BG505", "play-lost", W,
    "A turn that is not legal, not known or out of order has no place in the format that is written.",
)  # fmt: skip
CUBE_ACTION_LOST: Final = Code(
    "BG506", "cube-action-lost", W,
    "A beaver, an automatic double or a stated value of the cube has no place in the format that is written.",
)  # fmt: skip
RESIGNATION_LOST: Final = Code(
    "BG507", "resignation-lost", W,
    "That a game was resigned, or at which level, has no place in the format that is written.",
)  # fmt: skip
CLAIM_LOST: Final = Code(
    "BG508", "claim-lost", W,
    "A stated score, result or game number that differs from what follows from the play has no place in the format "
    "that is written, nor has a game that was broken off.",
)  # fmt: skip
POSITION_LOST: Final = Code(
    "BG509", "position-lost", W,
    "A position set by hand has no place in the format that is written.",
)  # fmt: skip
NAME_CHANGED: Final = Code(
    "BG510", "name-changed", W,
    "A name has letters that the format that is written does not have.",
)  # fmt: skip
GAME_LOST: Final = Code(
    "BG511", "game-lost", W,
    "The format that is written holds one game, or one match, and the record has more.",
)  # fmt: skip
EXTRA_LOST: Final = Code(
    "BG512", "format-data-lost", H,
    "Something that only the format of the record itself understands has no place in the one that is written.",
)  # fmt: skip
TEXT_LOST: Final = Code(
    "BG513", "text-lost", W,
    "A line or cell that could not be read stays behind.",
)  # fmt: skip
ANALYSIS_RESTATED: Final = Code(
    "BG514", "analysis-restated", H,
    "An analysis is in other terms than the record's: its match winning chances in points, or all of it where only "
    "bgtools reads it.",
)  # fmt: skip
NOT_SAYABLE: Final = Code(
    "BG515", "not-sayable", E,
    "The format that is written has no way at all to say what the record says, so that nothing is written.",
)  # fmt: skip
LOSS_NOT_KNOWN: Final = Code(
    "BG516", "loss-not-known", H,
    "The format that is written is not read, so that it is not known what it leaves out.",
)  # fmt: skip
CHANGED: Final = Code(
    "BG599", "changed-by-conversion", E,
    "What was written, read again, is not what was to be written.",
)  # fmt: skip

ALL: Final = tuple(value for value in list(globals().values()) if isinstance(value, Code))
BY_ID: Final = {code.id: code for code in ALL}
CONVERSION: Final = tuple(code for code in ALL if code.id.startswith("BG5"))
"""Codes that a conversion finds, and a check does not."""
LOSSES: Final = tuple(code for code in CONVERSION if code not in (NOT_SAYABLE, CHANGED))
"""Codes of what a conversion may lose; a user may accept such a loss."""
SIGNATURES: Final = (SIGNED, CHANGED_SINCE_SIGNED, UNKNOWN_SIGNER)
"""What is said of a signature. Match text holds none."""
CHECKED: Final = tuple(code for code in ALL if code not in (*CONVERSION, *SIGNATURES, SETTINGS_FILE))
"""Codes that a check finds in records."""
