"""Whatever is done to a library in whatever order, and killed at whatever moment, it ends as if done at once."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from test_analysing import QUICK, late
from test_checking import told

from bgtools.library import adding, analysing
from bgtools.library.library import Library
from bgtools.library.storage import _Folder

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

RECORDS = 6


class Killed(BaseException):
    """Stands for the end of the process: nothing that catches faults may catch it."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Records, of which the last is the first again under another name and with other players."""
    folder = tmp_path_factory.mktemp("files")
    for seed in range(RECORDS - 1):
        (folder / f"{seed}.mat").write_bytes(late(seed))
    (folder / "again.mat").write_bytes(late(0).replace(b"Ann", b"Anne"))
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def expected(files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[object, ...]]]:
    library = Library(tmp_path_factory.mktemp("expected") / "library")
    library.add(files)
    library.analyse(QUICK)
    return {name: rows for name, rows in zip(library.tables, told(library), strict=True) if name not in BY_ENGINES}


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adding, "FILES", 2)
    monkeypatch.setattr(analysing, "MATCHES", 2)


ANALYSED = """
    SELECT (SELECT count(DISTINCT match) FROM analyses WHERE chosen) = (SELECT count(*) FROM matches),
        (SELECT count(DISTINCT (match, game, entry)) FROM decisions WHERE kind = 'checker play')
        = (SELECT count(*) FROM turns WHERE action = 'roll' AND in_game AND dice <> '' AND played <> '')
"""
"""Whether every match has its analysis, and every play in it."""
BY_ENGINES = {"analyses", "decisions", "choices", "totals"}

NUMBERS = st.sets(st.integers(0, RECORDS - 1), min_size=1)
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), NUMBERS, st.none() | st.integers(0, 14)),
        st.tuples(st.just("analyse"), st.sampled_from(["true", "record % 2 = 0"]), st.none() | st.integers(0, 8)),
        st.tuples(st.just("tidy"), st.none(), st.none()),
        st.tuples(st.just("check"), st.booleans(), st.none()),
    ),
    max_size=7,
)


def do(library: Library, files: list[Path], deed: str, what: Any) -> None:
    if deed == "add":
        library.add([files[number] for number in sorted(what)])
    elif not library.exists:
        return
    elif deed == "analyse":
        library.analyse(QUICK, where=what)
    elif deed == "tidy":
        library.tidy()
    else:
        assert library.check(rebuild=True, clean=what).damaged == []


@pytest.mark.thorough
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DEEDS)
def test_all_roads_lead_to_the_same_library(
    files: list[Path], expected: dict[str, list[tuple[object, ...]]], deeds: list[tuple[str, Any, int | None]]
) -> None:
    folder = Path(tempfile.mkdtemp())
    real = _Folder._drafted
    try:
        for deed, what, survives in deeds:
            writes = 0

            def drafted(
                self: _Folder, name: str, data: bytes, survives: int | None = survives
            ) -> AbstractContextManager[Path]:
                nonlocal writes
                writes += 1
                if survives is not None and writes > survives:
                    # A killed writer leaves half a file.
                    path = self._folder / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.with_name(f".{path.name}.x.part").write_bytes(data[: len(data) // 2])
                    raise Killed
                return real(self, name, data)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(_Folder, "_drafted", drafted)
                with suppress(Killed):
                    do(Library(folder / "library"), files, deed, what)
            library = Library(folder / "library")
            if library.exists:
                assert library.check().damaged == []
                assert library.sql("SELECT count(*) = count(DISTINCT record) FROM stored.matches").fetchall() == [
                    (True,)
                ]
        library = Library(folder / "library")
        library.add(files)
        library.analyse(QUICK)
        assert dict(zip(library.tables, told(library), strict=True)).items() >= expected.items()
        once = "SELECT record, engine, count(*) FROM stored.totals GROUP BY ALL"
        assert {count for _, _, count in library.sql(once).fetchall()} == {2}
        # Which of two records of a match was analysed depends on which came first.
        assert library.sql(ANALYSED).fetchall() == [(True, True)]
    finally:
        shutil.rmtree(folder)
