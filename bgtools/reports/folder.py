"""The folder of a report: written whole or not at all, and never over what is not ours."""

from __future__ import annotations

import json
import os
import re
import shutil
import unicodedata
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bgtools._atomic import ASIDE, temporary_folder
from bgtools._disk import are_same, exists, goal_of, is_device_name, is_folder, make_folders, read_regular, status
from bgtools.engines.recorded import level_depth

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bgtools.engines.protocol import Stamp

REPORT: Final = "report.json"
"""The file that marks a folder as a report; its ``files`` name everything that belongs to it."""

_UNDONE: Final = ".report.json.undone"
"""The file that lists what belongs to a report while its files are replaced one by one."""

_UNSAFE = re.compile(r"[^\w.()+-]+")
_HYPHENS = re.compile(r"-{2,}")
_LONGEST: Final = 100
_LARGEST: Final = 1 << 24
_MOST_VALUES: Final = 1 << 20
"""The most bytes and values of an index that is read. The findings of a ruined record take some megabytes."""


class ForeignFolder(Exception):
    """The folder holds something that no report of ours has put there. The message names it."""


def folder_name(record_name: str) -> str:
    """A folder name for the report of a record: its file name without ending, made safe on every system."""
    stem = Path(record_name).stem if record_name not in ("-", "<stdin>") else "stdin"
    name = _HYPHENS.sub("-", _UNSAFE.sub("-", unicodedata.normalize("NFC", stem))).strip(".-")[:_LONGEST] or "match"
    return f"{name}-report" if not is_device_name(name) else f"match-{name}-report"


@contextmanager
def report_folder(target: Path, *, force: bool = False) -> Iterator[Path]:
    """Give a fresh folder to write into; when the block ends well, its files become those of ``target``.

    When the block fails or is interrupted, ``target`` is left as it was. An earlier report is put aside, the new one
    takes its place, and the earlier one is removed. If a program is killed in between, the next one that writes a
    report beside ``target`` fixes that.

    Args:
        target: where the report shall be. An earlier report there is replaced.
        force: write there even if the folder holds other files; those are left alone.

    Raises:
        FolderRefused: ``target`` is a file, or holds what no report has put there.
        OSError: the disk refuses.
    """
    target = goal_of(target)
    make_folders(target.parent)
    with temporary_folder(target) as draft:
        earlier = _earlier_files(target, force=force)
        fresh = draft / "new"
        fresh.mkdir()
        yield fresh
        if not _swapped(fresh, target, draft, earlier):
            _replace_files(fresh, target, earlier)


def _swapped(fresh: Path, target: Path, draft: Path, earlier: set[str]) -> bool:
    """Rename the fresh folder to the target; False where the folder that is there has to stay."""
    if exists(target):
        if are_same(Path.cwd(), target) or any(path.name not in earlier for path in target.iterdir()):
            return False
        shutil.copymode(target, fresh)
        aside = draft / ASIDE
        aside.mkdir()
        try:
            target.rename(aside / target.name)
        except OSError:  # the folder is a disk of its own, or on Windows somebody has a file in it open
            return False
    fresh.rename(target)
    return True


def _replace_files(fresh: Path, target: Path, earlier: set[str]) -> None:
    """Replace the files of an earlier report one by one; a list of all of them is there until it is done."""
    written = {path.name for path in fresh.iterdir()}
    (target / _UNDONE).write_text(json.dumps({"files": sorted(earlier | written)}), encoding="utf-8")
    # The index goes first: a folder without it is nobody's finished report.
    (target / REPORT).unlink(missing_ok=True)
    for name in sorted(earlier - written - {_UNDONE}):
        (target / name).unlink(missing_ok=True)
    for name in sorted(written, key=lambda name: (name == REPORT, name)):
        (fresh / name).replace(target / name)
    (target / _UNDONE).unlink()


def folder_state(target: Path) -> tuple[object, ...]:
    """The state of ``target``, which every report written there changes: equal looks have seen the same report."""
    found: list[object] = []
    for path in (target, target / REPORT, target / _UNDONE):
        about = status(path)
        found.append(about and (about.st_ino, path is target or about.st_mtime_ns))
    return tuple(found)


def change_text(target: Path, before: tuple[object, ...]) -> str:
    """What has become of a folder since a `folder_state` at it, as the end of a sentence."""
    if folder_state(target) == before:
        return "is as it was"
    return "is half replaced; the next report there fixes that" if exists(target / _UNDONE) else "is replaced"


def ensure_ours(target: Path, *, force: bool = False) -> None:
    """Check that a report may be written into ``target``.

    Raises:
        FolderRefused: ``target`` is a file, or holds what no report has put there.
    """
    _earlier_files(target, force=force)


def ensure_same_match(target: Path, file: str, players: Sequence[str], rolled: Sequence[Sequence[int]]) -> None:
    """Check that ``target`` holds no report of another match.

    A report is of the same match where two of these agree: the file, the players, and the pips rolled in at least half
    of the games. So a record that was corrected since counts as the same, and another one of the same name does not.

    Args:
        target: the folder.
        file: the record, as it is called.
        players: their names.
        rolled: the pips that both players rolled in every game.

    Raises:
        FolderRefused: it holds one.
    """
    try:
        content = _index(target / REPORT)
        match = content["match"]
        earlier = str(match["file"])
        same_file = earlier == file or os.path.realpath(earlier) == os.path.realpath(file)
        same_players = sorted(match["players"]) == sorted(players)
        counted = [[total["counts"]["pips_rolled"] for total in game["players"]] for game in content["games"]]
    except (KeyError, TypeError, ValueError):
        return
    agree = sum(one == [*other] for one, other in zip(counted, rolled, strict=False))
    same_dice = 2 * agree >= max(len(counted), len(rolled))
    if (same_file and file not in ("-", "<stdin>")) + same_players + same_dice < _ENOUGH:
        raise ForeignFolder(
            f"{target} holds the report of another match: {' - '.join(map(str, match['players']))}, {earlier}; "
            "choose another folder with -o, or use --force"
        )


_ENOUGH: Final = 2


def ensure_not_poorer(target: Path, stamps: Mapping[str, Stamp], *, rollouts: bool, not_analysed: int = 0) -> None:
    """Check that a report does not take the place of one with more analysis.

    More is: by an engine, where there was none; by all of several engines; of rollouts; at a deeper level; of more
    decisions.

    Args:
        target: the folder.
        stamps: of the engines of the new report, by their names; the first gives the figures.
        rollouts: whether its errors are judged again by rollouts.
        not_analysed: how many of its decisions have no analysis.

    Raises:
        ForeignFolder: it holds a report with more.
    """
    content = _index(target / REPORT)
    try:
        earlier, engines = content["conventions"], [str(each["engine"]) for each in content.get("engines", ())]
        name, level, rolled_out = str(earlier["engine"]), str(earlier["level"]), str(earlier["rollouts"])
        lacking = sum(player["errors"]["not_analysed"] for player in content["players"] if player["errors"])
    except (AttributeError, KeyError, TypeError):
        return
    by = next(iter(stamps.values()), None)
    what = ""
    if name and by is None:
        what = f"an analysis by {name}, level {level}; this one has none"
    elif engines and not set(engines) <= set(stamps):
        what = f"a comparison of {', '.join(engines)}; this one has {', '.join(stamps)}"
    elif rolled_out and not rollouts:
        what = "rollouts of the errors; this one has none (--confirm makes them)"
    elif by is not None and level_depth(level) > level_depth(by.level) > 0:
        what = f"an analysis by {name}, level {level}; this one is by {by.engine}, level {by.level}"
    elif name and not_analysed > lacking:
        what = f"an analysis of {not_analysed - lacking} decisions that this one lacks"
    if what:
        raise ForeignFolder(f"{target} holds {what}; choose another folder with -o, or use --force")


def _earlier_files(target: Path, *, force: bool) -> set[str]:
    """The files of an earlier report in ``target``."""
    if not exists(target):
        return set()
    if not is_folder(target):
        raise ForeignFolder(f"{target} is a file, not a folder")
    ours = _listed(target / REPORT) | _listed(target / _UNDONE) | {_UNDONE}
    strangers = sorted(path.name for path in target.iterdir() if path.name not in ours)
    if strangers and not force:
        shown = ", ".join(strangers[:3]) + (f" and {len(strangers) - 3} more" if len(strangers) > 3 else "")
        raise ForeignFolder(
            f"{target} holds what no report has put there: {shown}; choose another folder or use --force"
        )
    return ours


def _listed(index: Path) -> set[str]:
    try:
        return {name for name in _index(index)["files"] if isinstance(name, str) and Path(name).name == name}
    except (KeyError, TypeError):
        return set()


def _index(path: Path) -> Any:
    """The content of an index; an empty dictionary where it cannot be read."""
    try:
        data = read_regular(path, _LARGEST)
        return json.loads(data) if sum(map(data.count, b",[{")) <= _MOST_VALUES else {}
    except (OSError, ValueError, RecursionError):
        return {}
