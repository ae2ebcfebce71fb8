"""Aliases: names of which somebody has said that they are one person's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgtools.library.errors import LibraryError
from bgtools.library.manifest import Commit, commit, read_state
from bgtools.library.placeholder_names import is_nobody

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bgtools.library.manifest import State
    from bgtools.library.storage import Storage


def alias(storage: Storage, known: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Let names be those of one person, who goes by the last one.

    A name that goes by one of them already goes by the last one as well.

    Args:
        storage: where the library lies.
        known: the names in its records; the last name need not be one of them.
        names: two or more.

    Raises:
        LibraryError: a name is not known, or nobody's; or the names are fewer than two. Nothing is changed.
        OSError: the place refuses.
    """
    *others, person = (name.strip() for name in names)
    if not others or set(others) == {person}:
        raise LibraryError("give two names or more that are one person; he goes by the last one")
    for name in (*others, person):
        if is_nobody(name):
            raise LibraryError(f"{name!r} is nobody's name: many share it, or it is a program's; it stays as it is")
    for name in others:
        if name not in known:
            near = [each for each in known if each.casefold() == name.casefold()]
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise LibraryError(f"no record of this library names {name!r}{hint}")

    def changes(state: State) -> dict[str, str]:
        """The whole group of each name goes by the last one."""
        heads = {state.aliases.get(name, name) for name in (*others, person)}
        members = heads | {name for name, goes_by in state.aliases.items() if goes_by in heads} | set(others)
        told = {name: person for name in sorted(members) if name != person}
        # Who goes by himself has no alias.
        return {**told, **({person: ""} if person in state.aliases else {})}

    return {name: goes_by for name, goes_by in _committed(storage, changes).items() if goes_by}


def unalias(storage: Storage, names: Sequence[str]) -> dict[str, str]:
    """Let names, and all that went by one of them, stand for themselves again; each with what it went by before.

    Raises:
        LibraryError: a name is no alias, and no other name goes by it. Nothing is changed.
        OSError: the place refuses.
    """
    before: dict[str, str] = {}

    def changes(state: State) -> dict[str, str]:
        before.clear()
        for name in names:
            own = {each: person for each, person in state.aliases.items() if name in (each, person)}
            if not own:
                raise LibraryError(f"{name!r} is no alias, and no name goes by it")
            before.update(own)
        return dict.fromkeys(before, "")

    _committed(storage, changes)
    return before


def _committed(storage: Storage, changes: Callable[[State], dict[str, str]]) -> dict[str, str]:
    """Commit changes of aliases. Where another process has committed first, they are made anew on what it left."""
    state = read_state(storage)
    while True:
        told = changes(state)
        if all(state.aliases.get(name, "") == person for name, person in told.items()):
            return told
        if commit(storage, state, Commit(aliases=told)) is not None:
            return told
        state = read_state(storage, state)
