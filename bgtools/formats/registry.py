"""The formats: one entry each, in one tuple."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgtools.formats import recognising as sniffing
from bgtools.formats.carries import ANY, EVERYTHING, NONE, Carries, Feature
from bgtools.formats.format import Format, later

if TYPE_CHECKING:
    from bgtools.record import Evaluation


_MAT_CARRIES = Carries(
    features=EVERYTHING
    - {
        Feature.PLAY_ANALYSIS,
        Feature.CUBE_ANALYSIS,
        Feature.TAKE_CHANCES,
        Feature.MANY_PLAYS,
        Feature.LEVELS,
        Feature.PROGRAMS,
        Feature.LUCK,
        Feature.MARKS,
        Feature.RESIGNATION_LEVELS,
        Feature.SET_BOARD,
        Feature.EXTRAS,
    },
    tags=ANY,
    rules=re.compile("crawford|jacoby|beavers|automatic_doubles|holland|quadruple|winner_starts|cube_limit|variant"),
)

_SGF_CARRIES = Carries(
    features=EVERYTHING - {Feature.SEVERAL_MATCHES},
    plays=later("bgtools.formats.sgf.analysis:says_play"),
    cubes=later("bgtools.formats.sgf.analysis:says_cube"),
    extras="sgf:",
)

XG_CARRIES: Final = Carries(
    features=EVERYTHING
    - {Feature.RATINGS, Feature.MARKS, Feature.UNREADABLE, Feature.CUBE_CLAIMS, Feature.SEVERAL_MATCHES},
    tags=ANY,
    levels=re.compile(r"\d-ply|3-ply red|rollout|XG Roller\+{0,2}|opening book|level -?\d+|"),
    programs=re.compile("eXtreme Gammon"),
    plays=lambda candidate, money: candidate.evaluation.unit == "emg",
    cubes=lambda cube, money: cube.no_double.unit == cube.double_take.unit == "emg",
    most_plays=32,
    extras="xg:",
)

_NO_ANALYSIS = EVERYTHING - {
    Feature.PLAY_ANALYSIS,
    Feature.CUBE_ANALYSIS,
    Feature.TAKE_CHANCES,
    Feature.MANY_PLAYS,
    Feature.LEVELS,
    Feature.PROGRAMS,
    Feature.LUCK,
    Feature.MARKS,
    Feature.EXTRAS,
    Feature.SET_BOARD,
}
"""What records of servers hold at most."""

_ANALYSIS = {
    Feature.PLAY_ANALYSIS,
    Feature.MANY_PLAYS,
    Feature.CUBE_ANALYSIS,
    Feature.LEVELS,
    Feature.PROGRAMS,
    Feature.LUCK,
}

_OGXM_CARRIES = Carries(
    features=EVERYTHING
    - {
        Feature.RATINGS,
        Feature.MARKS,
        Feature.CUBE_CLAIMS,
        Feature.GAME_NUMBERS,
        Feature.SEVERAL_MATCHES,
        Feature.EXTRAS,
        Feature.LUCK,
    },
    tags=ANY,
    rules=re.compile("crawford|jacoby|beavers|automatic_doubles|cube_limit|variant"),
    plays=lambda candidate, money: _has_place(candidate.evaluation, money),
    cubes=lambda cube, money: _has_place(cube.no_double, money) and _has_place(cube.double_take, money),
)


def _has_place(evaluation: Evaluation, money: bool) -> bool:
    """Whether OGXM has a form for an equity: it counts match winning chances in matches, points for money."""
    return evaluation.equity is not None and evaluation.unit == ("emg" if money else "mwc")


_SNOWIE_CARRIES = Carries(
    features=(_MAT_CARRIES.features | {Feature.SET_BOARD})
    - {
        Feature.RATINGS,
        Feature.TAGS,
        Feature.RULES,
        Feature.COMMENTS,
        Feature.MATCH_COMMENTS,
        Feature.GAME_NUMBERS,
    },
    tags=NONE,
    rules=NONE,
)
_GAM_CARRIES = Carries(
    features=_MAT_CARRIES.features
    - {
        Feature.RATINGS,
        Feature.TAGS,
        Feature.RULES,
        Feature.LENGTHS,
        Feature.SCORES,
        Feature.COMMENTS,
        Feature.MATCH_COMMENTS,
        Feature.GAME_NUMBERS,
        Feature.START,
        Feature.SEVERAL_MATCHES,
    },
    tags=NONE,
    rules=NONE,
)
_POS_CARRIES = Carries(
    features=frozenset({Feature.SET_BOARD, Feature.SCORES, Feature.LENGTHS, Feature.UNFINISHED, Feature.UNKNOWN_PLAYS}),
    tags=NONE,
    rules=NONE,
)
_SGG_CARRIES = Carries(
    features=_NO_ANALYSIS
    - {
        Feature.RATINGS,
        Feature.MATCH_COMMENTS,
        Feature.RESIGNATION_LEVELS,
        Feature.START,
        Feature.SEVERAL_MATCHES,
    },
    tags=re.compile("eventdate|player [12] elo"),
    rules=re.compile("crawford|jacoby|beavers|automatic_doubles|variant"),
)
_TMG_CARRIES = Carries(
    features=_NO_ANALYSIS
    - {
        Feature.RATINGS,
        Feature.COMMENTS,
        Feature.MATCH_COMMENTS,
        Feature.RESIGNATION_LEVELS,
        Feature.START,
        Feature.SEVERAL_MATCHES,
    },
    tags=re.compile("match id|eventdate|eventtime"),
    rules=re.compile("crawford|jacoby|beavers|automatic_doubles|cube_limit|variant"),
)
_OLDMOVES_CARRIES = Carries(
    features=_NO_ANALYSIS
    - {
        Feature.RATINGS,
        Feature.TAGS,
        Feature.RULES,
        Feature.COMMENTS,
        Feature.MATCH_COMMENTS,
        Feature.AUTOMATIC_DOUBLES,
        Feature.CUBE_CLAIMS,
        Feature.RESIGNATION_LEVELS,
        Feature.START,
        Feature.GAME_NUMBERS,
    },
    tags=NONE,
    rules=NONE,
)

_POSITION_CARRIES = Carries(
    features=frozenset(
        {
            Feature.RULES, Feature.LENGTHS, Feature.NAMES, Feature.PLAY_ANALYSIS, Feature.CUBE_ANALYSIS,
            Feature.MANY_PLAYS, Feature.LEVELS, Feature.PROGRAMS, Feature.UNKNOWN_PLAYS, Feature.UNFINISHED,
            Feature.SET_BOARD, Feature.SCORES,
        }
    ),
    rules=re.compile("crawford|jacoby|beavers|cube_limit"),
)  # fmt: skip
_BGBLITZ_CARRIES = Carries(
    features=_POSITION_CARRIES.features - {Feature.LEVELS} | {Feature.EXTRAS},
    rules=_POSITION_CARRIES.rules,
    options=later("bgtools.formats.printed.bgblitz_writer:says_option"),
    programs=re.compile("BGBlitz"),
    plays=later("bgtools.formats.printed.bgblitz_writer:says_play"),
    cubes=later("bgtools.formats.printed.bgblitz_writer:says_cube"),
    extras="bgblitz:",
)

FORMATS: Final = (
    Format(
        name="mat",
        title="match text",
        extensions=(".mat", ".txt"),
        sniff=sniffing.mat,
        reader="bgtools.formats.mat.reader:read_content",
        writer="bgtools.formats.mat.writer:write_content",
        dialects=("gnubg", "jellyfish", "xg", "xg-text", "galaxy", "studio"),
        carries=_MAT_CARRIES,
    ),
    Format(
        name="sgf",
        title="GNU Backgammon SGF",
        extensions=(".sgf",),
        sniff=sniffing.sgf,
        reader="bgtools.formats.sgf.reader:read",
        writer="bgtools.formats.sgf.writer:write",
        carries=_SGF_CARRIES,
    ),
    Format(
        name="xg",
        title="eXtreme Gammon match",
        extensions=(".xg",),
        sniff=sniffing.xg,
        reader="bgtools.formats.xg.reader:read",
        writer="bgtools.formats.xg.writer:write",
        carries=XG_CARRIES,
        is_text=False,
    ),
    Format(
        name="xgp",
        title="eXtreme Gammon position",
        extensions=(".xgp",),
        sniff=sniffing.xgp,
        reader="bgtools.formats.xg.reader:read",
        writer="bgtools.formats.xg.writer:write_position",
        carries=replace(XG_CARRIES, features=XG_CARRIES.features - {Feature.SEVERAL_GAMES}),
        is_text=False,
        holds_matches=False,
    ),
    Format(
        name="bgf",
        title="BGBlitz match",
        extensions=(".bgf",),
        sniff=sniffing.bgf,
        reader="bgtools.formats.ogxm.bgf:read",
        carries=Carries(
            features=(_MAT_CARRIES.features | _ANALYSIS)
            - {Feature.BEAVERS, Feature.AUTOMATIC_DOUBLES, Feature.COMMENTS, Feature.MATCH_COMMENTS},
            rules=re.compile("crawford|jacoby|beavers|cube_limit"),
        ),
        is_text=False,
    ),
    Format(
        name="ogxm",
        title="OGXM match",
        extensions=(".ogxm", ".gvab"),
        sniff=sniffing.ogxm,
        reader="bgtools.formats.ogxm.reader:read",
        writer="bgtools.formats.ogxm.writer:write",
        carries=_OGXM_CARRIES,
        is_text=False,
    ),
    Format(
        name="gva",
        title="GammonView JSON",
        extensions=(".gva",),
        sniff=sniffing.gva,
        reader="bgtools.formats.ogxm.gva:read",
        carries=replace(_OGXM_CARRIES, features=_OGXM_CARRIES.features | {Feature.LUCK}),
    ),
    Format(
        name="snowie",
        title="Snowie text",
        extensions=(".txt",),
        sniff=sniffing.snowie,
        reader="bgtools.formats.mat.snowie:read",
        writer="bgtools.formats.mat.snowie:write",
        carries=_SNOWIE_CARRIES,
    ),
    Format(
        name="gam",
        title="Jellyfish game",
        extensions=(".gam",),
        sniff=sniffing.gam,
        reader="bgtools.formats.mat.gam:read",
        writer="bgtools.formats.mat.gam:write",
        carries=_GAM_CARRIES,
    ),
    Format(
        name="pos",
        title="Jellyfish position",
        extensions=(".pos",),
        sniff=sniffing.pos,
        reader="bgtools.formats.mat.pos:read",
        writer="bgtools.formats.mat.pos:write",
        carries=_POS_CARRIES,
        is_text=False,
        holds_matches=False,
    ),
    Format(
        name="sgg",
        title="GamesGrid log",
        extensions=(".sgg",),
        sniff=sniffing.sgg,
        reader="bgtools.formats.servers.sgg:read",
        writer="bgtools.formats.servers.sgg_writer:write",
        carries=_SGG_CARRIES,
    ),
    Format(
        name="tmg",
        title="TrueMoneyGames log",
        extensions=(".tmg",),
        sniff=sniffing.tmg,
        reader="bgtools.formats.servers.tmg:read",
        writer="bgtools.formats.servers.tmg_writer:write",
        carries=_TMG_CARRIES,
    ),
    Format(
        name="oldmoves",
        title="FIBS oldmoves",
        extensions=(".fibs", ".txt"),
        sniff=sniffing.oldmoves,
        reader="bgtools.formats.servers.oldmoves:read",
        writer="bgtools.formats.servers.oldmoves_writer:write",
        carries=_OLDMOVES_CARRIES,
    ),
    Format(
        name="empire",
        title="GammonEmpire game",
        extensions=(".gam",),
        sniff=sniffing.empire,
        reader="bgtools.formats.mat.gam:read",
        carries=_GAM_CARRIES,
    ),
    Format(
        name="party",
        title="PartyGammon record",
        extensions=(".gam",),
        sniff=sniffing.party,
        reader="bgtools.formats.servers.party:read",
        carries=Carries(features=frozenset()),
    ),
    Format(
        name="bgroom",
        title="BackGammonRoom record",
        extensions=(".bgf", ".txt"),
        sniff=sniffing.bgroom,
        reader="bgtools.formats.servers.bgroom:read",
        carries=Carries(features=frozenset()),
    ),
    Format(
        name="fibs",
        title="FIBS session",
        extensions=(".txt", ".log"),
        sniff=sniffing.fibs,
        reader="bgtools.formats.servers.fibs:read",
        carries=Carries(features=frozenset()),
    ),
    Format(
        name="bgblitz",
        title="BGBlitz position text",
        extensions=(".txt",),
        sniff=sniffing.bgblitz,
        reader="bgtools.formats.printed.bgblitz:read",
        writer="bgtools.formats.printed.bgblitz_writer:write",
        dialects=("en", "de", "fr", "ja"),
        carries=_BGBLITZ_CARRIES,
        holds_matches=False,
    ),
    Format(
        name="gnubg-text",
        title="GNU Backgammon analysis text",
        extensions=(".txt",),
        sniff=sniffing.gnubg_text,
        reader="bgtools.formats.printed.gnubg:read",
        carries=Carries(
            features=EVERYTHING
            - {Feature.RATINGS, Feature.SEVERAL_GAMES, Feature.SEVERAL_MATCHES, Feature.SET_BOARD, Feature.EXTRAS},
            tags=re.compile("event|eventdate|round|site|annotator"),
            rules=re.compile("crawford|jacoby"),
        ),
    ),
    Format(
        name="xg-text",
        title="eXtreme Gammon position text",
        extensions=(".txt",),
        sniff=sniffing.xg_text,
        reader="bgtools.formats.printed.xg:read",
        carries=_POSITION_CARRIES,
        holds_matches=False,
    ),
    Format(
        name="json",
        title="bgtools JSON",
        extensions=(".json",),
        sniff=sniffing.own_json,
        reader="bgtools.formats.json.match:read",
        writer="bgtools.formats.json.match:write",
        carries=Carries(features=EVERYTHING),
    ),
)
"""Every format, in the order in which they are listed."""
