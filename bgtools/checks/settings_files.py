"""Settings files: which one holds for a record, and what is in it.

``bgtools.toml``, or the table ``[tool.bgtools]`` of a ``pyproject.toml``, upwards from the record to the root of its
repository or the user's home. A record and its settings may come together from a stranger. So whoever checks for others
names the settings, or takes them from a commit: that of the branch that the record is to go into.
"""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from bgtools._disk import Untrusted, exists, is_there, may_exist, read_regular, status, why
from bgtools._shell import find_on_path
from bgtools.checks.settings import Settings, SettingsError, from_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NONE: Final = "none"
"""Asks for no settings file."""
BASE: Final = "base"
"""Asks for the settings of the branch that a change is to go into, where `_BASES` tell it."""
COMMIT: Final = "git:"
"""Stands before the commit whose settings files are asked for."""

_NAMES: Final = ("bgtools.toml", "pyproject.toml")
_LARGEST: Final = 1 << 20
"""The most bytes of a settings file."""
_BASES: Final = (
    ("PRE_COMMIT_FROM_REF", ""),
    ("GITHUB_BASE_REF", "origin/"),
    ("CI_MERGE_REQUEST_DIFF_BASE_SHA", ""),
)
"""In which variables pre-commit, GitHub and GitLab tell the base of a change, and what to put before it."""
_SECONDS: Final = 60
_OFFLINE: Final = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
"""Keeps Git from fetching what a repository lacks: by its own configuration that starts any program."""
_OF_ANOTHER_REPOSITORY: Final = frozenset(
    ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE")
)
"""What Git tells a hook: it would name the repository of the hook in place of the record's."""


def settings_for(path: str | Path, where: str = "") -> Settings:
    """The settings of the file that holds for a record.

    A folder is looked at once; changes made afterwards are not seen by the same process before `forget_settings`.

    Args:
        path: the record; ``-`` is a record in the present folder.
        where: "" for the nearest file upwards from the record, `NONE`, `BASE`, `COMMIT` with a commit after it for
            the nearest file in that, or else the file.

    Raises:
        SettingsError: the file cannot be read or followed; the message begins with its name.
    """
    if where == NONE:
        return Settings()
    if where == BASE:
        where = next((f"{COMMIT}{before}{ref}" for name, before in _BASES if (ref := os.environ.get(name))), "")
    if where and not where.startswith(COMMIT):
        return _named(where)
    about = status(path)
    owner = about.st_uid if about is not None else os.geteuid() if hasattr(os, "geteuid") else 0
    return _upwards(os.path.dirname(os.path.abspath(path)), owner, where)  # noqa: PTH100, PTH120 - once for every record


def forget_settings() -> None:
    """Look for settings files again."""
    for each in (_upwards, _in_folder, _committed, _named):
        each.cache_clear()


@lru_cache(maxsize=1024)
def _upwards(folder: str, owner: int, where: str) -> Settings:
    """The settings of the nearest file in a folder or above it."""
    above = list(_with_those_above(folder))
    passed_over: list[str] = []
    for each in above:
        found, untrusted = _in_folder(each, owner, where, above[-1])
        passed_over += untrusted
        if found is not None:
            return replace(found, passed_over=tuple(passed_over))
    return Settings(passed_over=tuple(passed_over))


def _with_those_above(folder: str) -> list[str]:
    """A folder and those above it, up to the root of a repository or the user's home."""
    home = os.path.expanduser("~")  # noqa: PTH111 - there need be none
    found = [folder]
    while not _is_root(found[-1]) and found[-1] not in (home, os.path.realpath(home)):
        above = os.path.dirname(found[-1])  # noqa: PTH120
        if above == found[-1]:
            break
        found.append(above)
    return found


def _is_root(folder: str) -> bool:
    return exists(os.path.join(folder, ".git"))  # noqa: PTH118


@lru_cache(maxsize=4096)
def _in_folder(folder: str, owner: int, where: str, root: str) -> tuple[Settings | None, tuple[str, ...]]:
    """The settings in a folder, and what is skipped there, as others than the owner of the record may write it."""

    def trusted(about: os.stat_result) -> bool:
        if not hasattr(os, "geteuid"):
            return True
        is_open = bool(about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)) and not stat.S_ISLNK(about.st_mode)
        return about.st_uid == owner or (about.st_uid in (0, os.geteuid()) and not is_open)

    passed_over = []
    for name in _NAMES:
        path = os.path.join(folder, name)  # noqa: PTH118
        try:
            if where:
                path = os.path.relpath(path, root).replace(os.sep, "/")
                found = _parsed(f"{where}:{path}", partial(_from_commit, root, where, path))
            else:
                found = _parsed(path, partial(read_regular, path, _LARGEST, trusted))
        except Untrusted:
            passed_over.append(f"{path}: others may write it, and the record is not theirs")
        except SettingsError:
            if where or is_there(path):
                raise
            # Its folder cannot be looked into: nothing is known of such a file, and nothing is read of the record.
        else:
            if found is not None:
                return found, tuple(passed_over)
    return None, tuple(passed_over)


@lru_cache(maxsize=8)
def _named(path: str) -> Settings:
    """The settings of a file that the user has named."""
    if not may_exist(path):
        raise SettingsError(f"{path}: there is no such file; settings are a file, {NONE}, {BASE} or {COMMIT}COMMIT")
    return _parsed(path, partial(read_regular, path, _LARGEST)) or Settings(file=path)


def _parsed(path: str, read: Callable[[], bytes]) -> Settings | None:
    """The settings in a file; None where there is no such file or it says nothing about bgtools."""
    try:
        data = read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except Untrusted:
        raise
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {why(error)}") from None
    ours = not path.endswith(_NAMES[1])
    if not ours and b"bgtools" not in data:
        return None  # the project file of other tools, valid or not
    import tomllib

    try:
        table: object = tomllib.loads(data.decode("utf-8"))
        if not ours:
            table = table.get("tool", {}).get("bgtools") if isinstance(table, dict) else None
        if table is None:
            return None
        if not isinstance(table, dict):
            raise SettingsError("tool.bgtools must be a table")
        return replace(from_table(table), file=path)
    except (ValueError, AttributeError, RecursionError) as error:
        raise SettingsError(f"{path}: {error}") from None


# --- settings in a commit -------------------------------------------------------------------


def _from_commit(root: str, where: str, path: str) -> bytes:
    """A settings file of a commit, by its path from the root of the repository."""
    if path not in (files := _committed(root, where)):
        raise FileNotFoundError
    mode, name = files[path]
    if not mode.startswith("100"):
        raise OSError("it is not a regular file")
    data = _git(root, "cat-file", "blob", name)
    if data is None or len(data) > _LARGEST:
        raise OSError(f"it is larger than {_LARGEST >> 20} MB" if data else "Git does not give it")
    return data


@lru_cache(maxsize=64)
def _committed(root: str, where: str) -> dict[str, tuple[str, str]]:
    """The mode and the object of every settings file in a commit, by its path."""
    if not _is_root(root):
        raise SettingsError(f"{where}: the record is in no repository")
    ref = where.removeprefix(COMMIT)
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    listed = commit and _git(root, "ls-tree", "-r", "-z", "--full-tree", commit.decode().strip())
    if listed is None:
        raise SettingsError(f"{where}: {root} has no such commit; fetch it, or name a settings file")
    found = {}
    for entry in filter(None, os.fsdecode(listed).split("\0")):
        about, _, path = entry.partition("\t")
        if path.rpartition("/")[2] in _NAMES:
            mode, _, name = about.split()
            found[path] = mode, name
    return found


def _git(root: str, *arguments: str) -> bytes | None:
    """What Git prints; None where it refuses.

    Raises:
        SettingsError: Git cannot be run, or says why it refuses.
    """
    import subprocess

    program = find_on_path("git")
    if program is None:
        raise SettingsError("Git cannot be asked for settings: there is no program git on the path")
    environment = {name: value for name, value in os.environ.items() if name not in _OF_ANOTHER_REPOSITORY} | _OFFLINE
    command = [program, "-C", root, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False, env=environment)
    except (OSError, subprocess.SubprocessError) as error:
        raise SettingsError(f"Git cannot be asked for settings: {error}") from None
    if done.returncode and done.stderr:
        raise SettingsError(f"Git gives no settings: {done.stderr.decode('utf-8', 'replace').splitlines()[0]}")
    return None if done.returncode else done.stdout
