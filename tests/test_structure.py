"""The house: every package has one face, and the others see nothing else of it."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bgtools
from bgtools.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

HOUSE = Path(bgtools.__path__[0])
FACES = sorted(".".join(path.parent.relative_to(HOUSE.parent).parts) for path in HOUSE.rglob("__init__.py"))
ROOMS = [name for name in FACES if name.count(".") == 1]
"""The packages that stand side by side."""

DOORS = {
    "bgtools.findings.manual": "long pages with a face of their own, imported when somebody asks for one",
    "bgtools.reports.details": "printing: the command line says what each module prints, `details.turns`",
    "bgtools.reports.disagreements": "the same",
    "bgtools.reports.findings": "the same",
    "bgtools.reports.findings_data": "the same",
    "bgtools.reports.summary": "the same",
}
"""What is imported past a face, and why."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def taken(tree: ast.Module) -> Iterator[str]:
    """Whatever of bgtools a module imports, as dotted names; of a package that is imported whole, what is used."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.split(".")[0] == "bgtools")
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.module.split(".")[0] == "bgtools":
            for each in node.names:
                name = f"{node.module}.{each.name}"
                yield from used(tree, each.asname or each.name, name) if name in ROOMS else (name,)


def used(tree: ast.Module, called: str, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == called:
            yield f"{package}.{node.attr}"


def face(name: str) -> ModuleType:
    return importlib.import_module(name)


def is_public(name: str) -> bool:
    """Whether a room hands this name out; what belongs to no room is everybody's."""
    room = next((room for room in ROOMS if f"{name}.".startswith(f"{room}.")), None)
    return room is None or name.removeprefix(f"{room}.") in face(room).__all__


def is_door(name: str) -> bool:
    return name in DOORS or name.rpartition(".")[0] in DOORS


def test_a_package_is_imported_by_the_names_that_it_hands_out() -> None:
    past = []
    for path in HOUSE.rglob("*.py"):
        inside = path.relative_to(HOUSE.parent)
        own = ".".join((*inside.parts[:2], ""))
        foreign = {name for name in taken(parsed(path)) if not name.startswith(own)}
        past += [f"{inside}: {name}" for name in foreign if not (is_public(name) or is_door(name))]
    assert past == []


def test_every_door_is_used_and_has_its_reason() -> None:
    names = {name for path in HOUSE.rglob("*.py") for name in taken(parsed(path))}
    entered = names | {name.rpartition(".")[0] for name in names}
    assert {door for door, reason in DOORS.items() if door not in entered or is_public(door) or not reason} == set()


def test_what_is_no_public_name_is_noticed() -> None:
    text = "from bgtools import board\nfrom bgtools.rules.cube import Cube\nboard.START, board.movement\n"
    assert [name for name in taken(ast.parse(text)) if not is_public(name)] == [
        "bgtools.board.movement",
        "bgtools.rules.cube.Cube",
    ]


ASKING = {
    "exists", "glob", "is_dir", "is_file", "isdir", "isfile", "iterdir", "listdir", "lstat", "read_bytes", "read_text",
    "rglob", "samefile", "scandir", "stat", "walk",
}  # fmt: skip
"""What asks the file system, or reads from it, as a function of `os` or of a path."""

BESIDE = {
    "_disk.py": "the door itself",
    "_drafts.py": "files that are in work, which nobody names",
    "_terminal.py": "standard streams",
    "analysis/benchmarks.py": "a folder of one's own for a program",
    "bearoff/kept.py": "the folder of the cache",
    "engines/gnubg/session.py": "a folder of one's own for a program",
    "formats/shared/grammar.py": "grammars, which come along",
    "formats/streaming.py": "what is in an archive",
    "formats/unpacking.py": "the same",
    "library/": "a library lies on a disk or elsewhere, and asks through its storage",
    "met/places.py": "the folders of another program",
    "plugins.py": "the folders of Python's packages",
    "reports/folder.py": "the files of a report, one by one",
    "reports/sheets/deck.py": "a folder of one's own for a program",
    "reports/tables.py": "tables that a program reads again",
}
"""Where the file system is asked past the door, and why."""


def test_the_file_system_is_asked_through_one_door() -> None:
    past = []
    for path in HOUSE.rglob("*.py"):
        inside = path.relative_to(HOUSE).as_posix()
        if not any(place in inside for place in BESIDE):
            calls = (node for node in ast.walk(parsed(path)) if isinstance(node, ast.Call))
            past += [f"{inside}: {ast.unparse(call)}" for call in calls if asks(call)]
    assert past == []


def asks(call: ast.Call) -> bool:
    called = call.func
    if isinstance(called, ast.Name):
        return called.id == "open"
    resource = "files(" in ast.unparse(called)  # what comes along in a package
    return isinstance(called, ast.Attribute) and called.attr in ASKING and not resource


def layers() -> list[str]:
    """The layers of the contract that import-linter keeps, the lowest first, each as it stands there."""
    tools = tomllib.loads((HOUSE.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    found: list[str] = tools["importlinter"]["contracts"][0]["layers"]
    return found[::-1]


def floor(module: str) -> int | None:
    """On which layer a module stands; None for what stands beside them."""
    rooms = [[room.strip() for room in layer.split("|")] for layer in layers()]
    return next((at for at, layer in enumerate(rooms) if ".".join(module.split(".")[:2]) in layer), None)


def upward(module: str, tree: ast.Module) -> list[str]:
    """The texts in a module that name one above it, from which it could be loaded unseen by import-linter."""
    own = floor(module)
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    named = [text for text in texts if re.fullmatch(r"bgtools(\.\w+)+(:\w+)?", text)]
    return [text for text in named if own is not None and (floor(text.partition(":")[0]) or 0) > own]


def test_no_layer_loads_one_above_it_by_its_name() -> None:
    modules = {path.relative_to(HOUSE.parent): path for path in HOUSE.rglob("*.py")}
    found = {
        str(inside): upward(".".join(inside.with_suffix("").parts), parsed(path)) for inside, path in modules.items()
    }
    assert {inside: texts for inside, texts in found.items() if texts} == {}


def test_a_load_by_name_upward_is_noticed() -> None:
    tree = ast.parse('called("bgtools.reports.games_page:games_html"), load("bgtools.board"), "bgtools.sgf"')
    assert upward("bgtools.record.record", tree) == ["bgtools.reports.games_page:games_html"]
    assert upward("bgtools.cli.report", tree) == []


@pytest.mark.parametrize("name", FACES)
def test_a_package_says_in_a_sentence_what_lives_there(name: str) -> None:
    doc = inspect.getdoc(face(name))
    assert doc is not None
    first, _, _ = doc.partition("\n\n")
    assert first.endswith(".")
    assert "\n" not in first
    assert len(first) <= 120


@pytest.mark.parametrize("name", ROOMS)
def test_every_name_that_a_package_hands_out_is_there(name: str) -> None:
    module = face(name)
    assert module.__all__, name
    assert len(set(module.__all__)) == len(module.__all__)
    for each in module.__all__:
        assert getattr(module, each) is not None


@pytest.mark.parametrize("name", ["bgtools", *ROOMS])
def test_type_checkers_see_every_name_where_it_is(name: str) -> None:
    """What is imported at the first use, and what type checkers read, are one list."""
    module = face(name)
    tree = parsed(Path(module.__file__ or ""))
    homes = {
        each.asname or each.name: f"{node.module}.{each.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    }
    made = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    made |= {
        each.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for each in node.targets
        if isinstance(each, ast.Name)
    }
    assert set(module.__all__) <= homes.keys() | made
    for each in set(module.__all__) - made:
        home, _, original = homes[each].rpartition(".")
        assert getattr(importlib.import_module(home), original) is getattr(module, each), each


def test_readers_and_writers_take_nothing_from_each_other() -> None:
    """What both need stands in a module of its own. A writer may read what it has written, to see what comes back."""
    pairs = {
        (reader.partition(":")[0], writer.partition(":")[0])
        for each in FORMATS
        if isinstance(reader := each.reader, str) and isinstance(writer := each.writer, str) and reader and writer
    }
    assert len(pairs) > 5
    past = []
    for reader, writer in pairs:
        for one, two in ((reader, writer), (writer, reader)):
            names = taken(parsed(HOUSE.parent.joinpath(*one.split(".")).with_suffix(".py")))
            past += [f"{one}: {name}" for name in names if one != two and name.startswith(f"{two}.")]
    assert [each for each in past if not each.endswith(".OgxmReader")] == []


def test_every_file_that_the_documents_name_is_there() -> None:
    root = Path(__file__).parents[1]
    documents = [root / "README.md", root / "CONTRIBUTING.md", *(root / "docs").rglob("*.md")]
    named = {
        (path.name, found)
        for path in documents
        for found in re.findall(r"`((?:bgtools|tests|grammars|samples)/[\w/.-]+\.\w+)`", path.read_text("utf-8"))
    }
    assert len(named) > 20
    assert [each for each in sorted(named) if not (root / each[1]).exists()] == []
