"""Errors of a library judged again by rollouts: which, in which order, kept, and shown."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer
from records import made, put, ready

import bgtools
import program
from annotated import analysed
from bgtools.analysis.confirmation import confirm_decisions
from bgtools.cli.library.confirm import confirm_command
from bgtools.engines.protocol import LOOKED_UP, EngineUnavailable
from bgtools.library import confirming, connecting, manifest
from bgtools.library.confirming import ConfirmSummary, Rolling, confirm
from bgtools.library.library import Library
from bgtools.library.results import DecisionKey, decisions_at
from bgtools.library.runners import ProcessRunner
from bgtools.library.storage import LibraryError, open_storage
from fake_roller import FakeRoller

if TYPE_CHECKING:
    from collections.abc import Iterable

ERRORS = "FROM decisions WHERE error <> '' AND standing < 100 AND NOT list_contains(?, depth)"


@dataclass(frozen=True)
class Faked(Rolling):
    """Rollouts that are known beforehand."""

    loss: float = 0.1

    def started(self) -> Any:
        return FakeRoller(self.loss)


class Broken(FakeRoller):
    """A roller that refuses some positions, and fails at others."""

    def refusal(self, position: Any, state: Any) -> str | None:
        return "not here" if position.mine[6] % 2 else None


def of_analysed(folder: Path) -> None:
    (folder / "in").mkdir()
    for seed in (7, 8, 9):
        data = bgtools.convert(analysed(made(seed), seed), to="sgf", verify=False).data
        (folder / "in" / f"{seed}.sgf").write_bytes(data)
    Library(folder / "library").add([folder / "in"])


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """Three matches with analyses of their own."""
    confirming._STARTED.clear()
    return ready(tmp_path, of_analysed)


def errors(library: Library) -> list[tuple[Any, ...]]:
    """Keys of all errors that can be confirmed, the costliest first."""
    order = "ORDER BY loss DESC, record, game, entry, kind"
    query = f"SELECT record, game, entry, kind, loss {ERRORS} {order}"
    found: list[tuple[Any, ...]] = library.connection.execute(query, [[*LOOKED_UP]]).fetchall()
    return found


def rolled(library: Library) -> list[tuple[Any, ...]]:
    return sorted(Library(library.location).sql("FROM stored.rollouts").fetchall(), key=str)


def run(library: Library, rolling: Rolling = Faked(), **options: Any) -> ConfirmSummary:
    return confirm(open_storage(library.location), rolling, **options)


def test_each_error_gets_the_verdict_that_a_report_gives_it(library: Library) -> None:
    wanted = errors(library)
    assert len(wanted) > 30
    before = decisions_at(library.connection, [DecisionKey(*each[:4]) for each in wanted])
    losses = library.sql("SELECT record, game, entry, kind, loss FROM decisions ORDER BY ALL").fetchall()
    totals = library.sql("FROM totals ORDER BY ALL").fetchall()
    found = run(library)
    assert (found.missing, found.done) == (len(wanted), len(wanted))
    assert sum(found.verdicts.values()) == len(wanted)
    later = Library(library.location)
    after = decisions_at(later.connection, [*before])
    for key, row in before.items():
        (expected,) = confirm_decisions([row], FakeRoller())
        assert after[key] == expected
    assert later.sql("SELECT record, game, entry, kind, loss FROM decisions ORDER BY ALL").fetchall() == losses
    assert later.sql("FROM totals ORDER BY ALL").fetchall() == totals
    assert run(library).missing == 0


@pytest.mark.thorough
def test_the_costliest_go_first_and_each_is_kept_at_once(library: Library) -> None:
    wanted = errors(library)

    def stop(now: ConfirmSummary) -> None:
        if now.done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(library, progress=stop)
    kept = {each[:4] for each in rolled(library)}
    assert kept == {each[:4] for each in wanted[:5]}
    found = run(library)
    assert found.missing == len(wanted) - 5
    assert {each[:4] for each in rolled(library)} == {each[:4] for each in wanted}
    assert len(rolled(library)) == len(wanted)


def test_only_what_is_asked_for(library: Library) -> None:
    names = [name for (name,) in library.sql("SELECT DISTINCT person FROM players ORDER BY 1").fetchall()]
    (record,) = library.sql("SELECT min(record) FROM matches").fetchall()[0]
    condition = "list_contains(?, (SELECT person FROM players p WHERE p.record = d.record AND p.player = d.player))"
    query = ERRORS.replace("decisions", "decisions d") + f" AND record = ? AND loss >= 0.1 AND {condition}"
    own = library.connection.execute(f"SELECT count(*) {query}", [[*LOOKED_UP], record, names[:1]]).fetchall()[0][0]
    assert own > 0
    found = run(library, players=names[:1], where=f"record = {record}", min_loss=0.1)
    assert (found.missing, found.done, len(rolled(library))) == (own, own, own)
    with pytest.raises(LibraryError, match="nobody"):
        library.confirm(players=["nobody"])
    with pytest.raises(LibraryError, match="wrong"):
        run(library, where="wrong = 1")
    assert run(library, seconds=1e-9).done == 0


@pytest.mark.thorough
def test_what_cannot_be_rolled_out_is_asked_once_and_what_fails_is_named(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Faked, "started", lambda _: Broken())
    found = run(library)
    assert found.done == found.missing
    assert found.verdicts[""] > 0
    assert found.verdicts["confirmed"] > 0
    assert run(library).missing == 0

    def fail(*_: object) -> object:
        raise RuntimeError("no dice")

    monkeypatch.setattr(FakeRoller, "roll", fail)
    confirming._STARTED.clear()
    other = Library(library.location + "-other")
    other.add([library.location + "/../in"])
    again = run(other)
    assert again.done == again.verdicts.get("", 0) < again.missing
    assert len(again.problems) == again.missing - again.done
    assert "no dice" in again.problems[0][1]
    assert run(other).missing == again.missing - again.done


@pytest.mark.thorough
def test_two_at_once_double_nothing(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, real, begun = errors(library), manifest.commit, list[bool]()

    def late_commit(*arguments: object) -> object:
        if not begun:
            begun.append(True)
            run(Library(library.location), Faked(loss=0.2), min_loss=0.1)
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(manifest, "commit", late_commit)
    run(library)
    later = Library(library.location)
    count, several = later.sql(
        "SELECT count(*), count(DISTINCT (record, game, entry, kind)) FROM stored.rolled"
    ).fetchall()[0]
    assert count == several == len(wanted)
    assert later.sql(
        "SELECT count(*) = count(DISTINCT (record, game, entry, kind, player)) FROM decisions"
    ).fetchall() == [(True,)]


@pytest.mark.thorough
def test_several_processes_give_the_same_rows(library: Library, tmp_path: Path) -> None:
    other = Library(tmp_path / "other")
    other.add([tmp_path / "in"])
    run(library)
    confirm(open_storage(other.location), Faked(), ProcessRunner(2))
    assert rolled(library) == rolled(other)
    assert rolled(library)


@pytest.mark.thorough
def test_a_verdict_belongs_to_the_analysis_that_it_judges(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    run(library)
    shown = "SELECT count(*) FROM decisions WHERE verdict <> ''"
    assert Library(library.location).sql(shown).fetchall()[0][0] > 0
    real = connecting.rows_in

    def rows_in(files: Iterable[str]) -> str:
        query = real(files)
        return f"SELECT * REPLACE ('another' AS valued_by) FROM ({query})" if "/rollouts/" in query else query

    monkeypatch.setattr(connecting, "rows_in", rows_in)
    assert Library(library.location).sql(shown).fetchall() == [(0,)]


@pytest.mark.thorough
def test_hits_worst_decisions_and_damage(library: Library, tmp_path: Path) -> None:
    run(library)
    later = Library(library.location)
    hit = next(each for each in later.find(loss=(0.1, None), limit=None).hits if each.decision is not None)
    assert any(each.decision and each.decision.verdict for each in later.find(loss=(0.1, None), limit=None).hits)
    assert hit.decision is not None
    printed = program.bgtools("library", "find", "--loss", "0.1..", "--library", library.location).stdout
    assert printed.count(" ± 0.00") == printed.count(" (best ") > 3
    data = json.loads(
        program.bgtools("library", "find", "--loss", "0.1..", "--library", library.location, "--format", "json").stdout
    )
    shown = {(each["record"], each["game"], each["entry"]): each["verdict"] for each in data["hits"]}
    rows = later.sql("SELECT record, game, entry, kind, verdict FROM decisions").fetchall()
    for record, game, entry, kind, verdict in rows:
        if kind == "checker play" and (str(record), game, entry) in shown:
            assert shown.pop((str(record), game, entry)) == verdict
    assert len(shown) < len(data["hits"])
    name = later.sql("SELECT person FROM players LIMIT 1").fetchall()[0][0]
    worst = later.player(name).worst
    assert any(each.row.rollout_loss is not None for each in worst)
    (file,) = (tmp_path / "library" / "rollouts").iterdir()
    rows = len(rolled(library))
    file.write_bytes(b"nothing")
    assert Library(library.location).count == 3
    health = Library(library.location).check(rebuild=True)
    assert [each for each in health.lost if f"{rows:,} rollouts; library confirm makes them again" in each]
    assert run(library).done == rows
    record = Library(library.location).sql("SELECT min(record) FROM matches").fetchall()[0][0]
    Library(library.location).remove(match=record)
    left = rolled(library)
    assert 0 < len(left) < rows
    assert all(each[0] != record for each in left)


@pytest.mark.thorough
def test_the_manifest_made_again_keeps_rollouts(library: Library, tmp_path: Path) -> None:
    run(library)
    before = Library(library.location).sql("FROM stored.rolled ORDER BY ALL").fetchall()
    for each in (tmp_path / "library" / "manifest").iterdir():
        each.write_bytes(b"{")
    Library(library.location).check(rebuild=True)
    assert Library(library.location).sql("FROM stored.rolled ORDER BY ALL").fetchall() == before


def test_the_command(library: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def run_command() -> tuple[int, str]:
        with pytest.raises(typer.Exit) as ended:
            confirm_command(library.location, jobs=1, min_loss=0.15)
        return ended.value.exit_code, capsys.readouterr().err

    monkeypatch.setattr(confirming, "sage_roller", lambda *_, **__: FakeRoller())
    wanted = [each for each in errors(library) if each[4] >= 0.15]
    code, said = run_command()
    assert code == 0
    assert f"{len(wanted)} errors judged again: " in said
    assert run_command() == (0, "no error rolled out: none waits\n")

    bare = Library(library.location + "-bare")
    bare.add(put(Path(library.location + "-in"), 1))
    with pytest.raises(typer.Exit):
        confirm_command(bare.location, jobs=1)
    assert capsys.readouterr().err == "bgtools: nothing is analysed yet; bgtools library analyse does it\n"

    def unable(*_: object, **__: object) -> Any:
        raise EngineUnavailable("bgsage is not installed")

    monkeypatch.setattr(confirming, "sage_roller", unable)
    assert run_command() == (2, "bgtools: bgsage is not installed\n")
