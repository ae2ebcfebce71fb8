"""The rules of the game that findings enforce, a sentence each; docs/rules.md tells which finding serves which."""

from __future__ import annotations

from typing import Final

RULES: Final[dict[str, str]] = {
    "R01": "Each player numbers the points 24 to 1 in their own direction; my 24 is your 1. They start with 2 checkers "
    "on 24, 5 on 13, 3 on 8 and 5 on 6.",
    "R02": "Some records keep one player's numbering for both sides.",
    "R03": "The opening roll is one die of each player, and the higher one plays both; equal dice are rolled again. "
    "So it is not a double, and nobody can have doubled before it.",
    "R04": "House option: the winner of the previous game starts the next one with two dice.",
    "R05": "Two numbers are two hops, in either order; one checker may make both if the point between is open.",
    "R06": "Doubles are played four times, as far as possible.",
    "R07": "Two or more opposing checkers block a point; a single one is hit and goes to the bar.",
    "R08": "Checkers on the bar enter first; who cannot enter loses the rest of the roll.",
    "R09": "As many numbers as possible are played.",
    "R10": "If either number could be played but not both, the larger is.",
    "R11": "Bearing off needs all own checkers in the home board.",
    "R12": "A number bears off from its own point, else moves from a higher one, else bears off from the highest.",
    "R13": "No number has to be used fully: with one checker on 6 and 61 rolled, 6/5/off is fine.",
    "R14": "The game ends with the fifteenth checker off.",
    "R20": "A win counts one, a gammon two, a backgammon three times the cube.",
    "R21": "Option: a backgammon with a checker still on the bar counts four times the cube.",
    "R22": "A drop loses the cube's value before the double.",
    "R23": "A resignation gives up a single game, a gammon or a backgammon, and can be refused.",
    "R30": "The cube starts at 1 in the middle; it is turned before one's own roll, by its owner or by anybody while "
    "it is centred.",
    "R31": "Who takes owns the cube, which has doubled.",
    "R32": "Beaver, in money play if allowed: the player doubled may double again at once and keep the cube.",
    "R33": "Raccoon, in money play if allowed: the doubler may double the beaver at once, or drop it.",
    "R34": "Automatic doubles, in money play if agreed: equal dice at the opening double the centred cube.",
    "R35": "Jacoby rule, in money play: gammons and backgammons count only if a double was taken in the game.",
    "R36": "A dead cube, one that can gain its owner nothing at this score, may be turned all the same.",
    "R40": "First to the match's length wins, and no game follows.",
    "R41": "Nobody doubles in the Crawford game, the one right after a player first stands one point from winning.",
    "R42": "After the Crawford game the cube is back.",
    "R43": "Holland rule, an option: after the Crawford game nobody doubles until each side has played two rolls.",
    "R44": "Scores are the sums of the results, and results follow from board, cube and rules.",
    "R50": "Standard start position, see R01.",
    "R51": "Nackgammon starts with 2 checkers on 24, 2 on 23, 4 on 13, 3 on 8 and 4 on 6.",
    "R52": "Hypergammon is played with three checkers, one each on 24, 23 and 22; with fewer, 22 or 23 is empty.",
    "R53": "Longgammon starts with all fifteen checkers on 24.",
    "R54": "A record may give any other start position.",
}
