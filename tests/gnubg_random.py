"""Random players for GNU Backgammon, run by its own Python: ``gnubg -t -q -p gnubg_random.py``.

Reads its jobs from the JSON file that ``GNUBG_JOBS`` names. Nothing is evaluated, so every variant can be
played, with cube actions and resignations that no engine would think of. GNU Backgammon deals, judges
every play, keeps the score and exports. A play that is taken for legal here and refused there ends it all.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any, Final

import gnubg

BAR, OFF = 24, -1
"""Indices of a side's checkers as GNU Backgammon gives them: 0 is the 1-point."""

DOUBLES, DROPS, BEAVERS, RESIGNS, ACCEPTS = 0.08, 0.25, 0.5, 0.004, 0.7
"""How often a player does so when they may; a drop, beaver or acceptance when they are asked."""
LATE_RESIGNS: Final = 0.03
"""How often they resign when most of the other side's checkers are borne off."""

Side = tuple[int, ...]
Hops = tuple[tuple[int, int], ...]


def plays(mine: Side, theirs: Side, dice: tuple[int, int]) -> list[Hops]:
    """Every sequence of hops that uses as much of the dice as can be used."""
    orders = [(dice[0],) * 4] if dice[0] == dice[1] else [dice, dice[::-1]]
    found: list[Hops] = []
    for order in orders:
        _extend(list(mine), theirs, order, (), found)
    most = max(map(len, found))
    longest = [hops for hops in found if len(hops) == most]
    if most == 1 and dice[0] != dice[1]:
        larger = [hops for hops in longest if _can_be(hops[0], max(dice), mine)]
        longest = larger or longest
    return longest


def _can_be(hop: tuple[int, int], die: int, mine: Side) -> bool:
    start, end = hop
    return start - end == die or (end == OFF and start + 1 <= die and not any(mine[start + 1 :]))


def _extend(mine: list[int], theirs: Side, numbers: Side, hops: Hops, found: list[Hops]) -> None:
    found.append(hops)
    if not numbers:
        return
    points = [BAR] if mine[BAR] else [point for point in range(24) if mine[point]]
    highest = max((point for point in range(25) if mine[point]), default=0)
    for start in points:
        end = start - numbers[0]
        if end < 0:
            if highest > 5 or (end < -1 and start < highest):
                continue
            end = OFF
        elif theirs[23 - end] > 1:
            continue
        mine[start] -= 1
        if end != OFF:
            mine[end] += 1
        _extend(mine, theirs, numbers[1:], (*hops, (start, end)), found)
        mine[start] += 1
        if end != OFF:
            mine[end] -= 1


def spelled(hops: Hops) -> str:
    """Hops as the command ``move`` reads them."""
    return " ".join(f"{start + 1}/{end + 1}" for start, end in hops)


class Players:
    """Both players of one match or session."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.log: list[list[dict[str, Any]]] = []

    def happens(self, share: float) -> bool:
        return self.chance.random() < share

    def game(self) -> None:
        """Play until the game is over."""
        self.log.append([])
        while gnubg.posinfo()["gamestate"] == 1:
            self.act(gnubg.posinfo())

    def act(self, now: dict[str, Any]) -> None:
        """Do one thing for whoever has to do something."""
        if now["resigned"]:
            gnubg.command("accept" if self.happens(ACCEPTS) else "reject")
        elif now["doubled"]:
            self.answer()
        elif now["dice"] == (0, 0):
            self.before_roll()
        elif self.happens(RESIGNS):
            self.resign()
        else:
            self.play(now["dice"])

    def answer(self) -> None:
        if self.happens(DROPS):
            gnubg.command("drop")
            return
        cube = gnubg.cubeinfo()["cube"]
        if self.happens(BEAVERS) and cube < 256:
            before = gnubg.matchid()
            gnubg.command("redouble")
            if gnubg.matchid() != before:
                return
        gnubg.command("take")

    def before_roll(self) -> None:
        other = gnubg.board()[0]
        late = sum(other) <= 4
        if self.happens(LATE_RESIGNS if late else RESIGNS):
            self.resign()
        if gnubg.posinfo()["resigned"]:
            return
        if self.happens(DOUBLES) and gnubg.cubeinfo()["cube"] < 256:
            gnubg.command("double")
        if not gnubg.posinfo()["doubled"]:
            gnubg.command("roll")

    def resign(self) -> None:
        gnubg.command("resign " + self.chance.choice(("normal", "normal", "gammon", "backgammon")))

    def play(self, dice: tuple[int, int]) -> None:
        theirs, mine = gnubg.board()
        hops = self.chance.choice(plays(mine, theirs, dice))
        before = gnubg.matchid(), gnubg.positionid()
        self.log[-1].append(
            {"mine": mine, "theirs": theirs, "dice": dice, "id": before[1], **gnubg.posinfo(), **gnubg.cubeinfo()}
        )
        gnubg.command(f"move {spelled(hops)}")
        if (gnubg.matchid(), gnubg.positionid()) == before:
            raise RuntimeError(f"refused: {dice} {spelled(hops)} on {mine} {theirs}")


def is_over() -> bool:
    """Whether the match is over: GNU Backgammon gives no cube then."""
    try:
        gnubg.cubeinfo()
    except Exception:
        return True
    return False


def run(job: dict[str, Any]) -> None:
    """Play and save one match or session."""
    for command in job["commands"]:
        gnubg.command(command)
    players = Players(job["seed"])
    players.game()
    if job["length"]:
        while not is_over():
            gnubg.command("new game")
            players.game()
    else:
        for _ in range(job["games"] - 1):
            gnubg.command("new game")
            players.game()
    for command in job["after"]:
        gnubg.command(command)
    Path(job["log"]).write_text(json.dumps(players.log), encoding="utf-8")


def main() -> None:
    """Do all jobs."""
    for job in json.loads(Path(os.environ["GNUBG_JOBS"]).read_text(encoding="utf-8")):
        run(job)


if __name__ == "__main__":
    main()
