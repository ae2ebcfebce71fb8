"""The house: a name is imported from the module that defines it, and a private one stays in its room."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bgtools
from bgtools.formats.registry import our_formats

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

HOUSE = Path(bgtools.__path__[0])
FACES = sorted(".".join(path.parent.relative_to(HOUSE.parent).parts) for path in HOUSE.rglob("__init__.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def taken(tree: ast.Module) -> Iterator[str]:
    """Whatever of bgtools a module imports, as dotted names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.split(".")[0] == "bgtools")
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.module.split(".")[0] == "bgtools":
            yield from (f"{node.module}.{each.name}" for each in node.names)


def face(name: str) -> ModuleType:
    return importlib.import_module(name)


def private(room: str, tree: ast.Module) -> list[str]:
    """The private names of other rooms that a module imports; what belongs to no room is everybody's."""
    foreign = (name for name in taken(tree) if not name.startswith((f"{room}.", "bgtools._")))
    return [name for name in foreign if "._" in name and not name.endswith("__")]


def test_no_module_takes_a_private_name_of_another_room() -> None:
    modules = {path.relative_to(HOUSE.parent): path for path in HOUSE.rglob("*.py")}
    found = {str(inside): private(".".join(inside.parts[:2]), parsed(path)) for inside, path in modules.items()}
    assert len(found) > 300
    assert {inside: names for inside, names in found.items() if names} == {}


def test_a_private_name_of_another_room_is_noticed() -> None:
    tree = ast.parse(
        "from bgtools.board import _tables\nfrom bgtools.rules.cube import _Cube\nfrom bgtools._disk import x"
    )
    assert private("bgtools.board", tree) == ["bgtools.rules.cube._Cube"]


def handed_on(tree: ast.Module) -> list[str]:
    """The names that a package imports only so that others import them from there."""
    imported = [
        each.asname or each.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module != "__future__"
        for each in node.names
    ]
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [name for name in imported if name not in used and not any(name in text for text in texts)]


def test_a_package_hands_no_names_on() -> None:
    """Two do more with what they import: fixes are loaded late, and themes make themselves known."""
    names = {name: handed_on(parsed(Path(face(name).__file__ or ""))) for name in FACES if name != "bgtools"}
    assert {name for name, each in names.items() if each} == {"bgtools.analysis.lessons.themes"}
    assert handed_on(ast.parse("from bgtools.rules.cube import Cube, parse\nparse()")) == ["Cube"]


@pytest.mark.parametrize("name", ["bgtools", "bgtools.extend"])
def test_type_checkers_see_every_public_name_where_it_is(name: str) -> None:
    module = face(name)
    tree = parsed(Path(module.__file__ or ""))
    homes = {
        each.asname or each.name: (node.module, each.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module not in ("__future__", "typing", "importlib")
        for each in node.names
    }
    assert {*module.__all__} == homes.keys()
    for each, (home, original) in homes.items():
        found = getattr(importlib.import_module(home or ""), original, None)
        found = found if found is not None else importlib.import_module(f"{home}.{original}")
        assert getattr(module, each) is found, each


ASKING = {
    "exists", "glob", "is_dir", "is_file", "isdir", "isfile", "iterdir", "listdir", "lstat", "read_bytes", "read_text",
    "rglob", "samefile", "scandir", "stat", "walk",
}  # fmt: skip
"""What asks the file system, or reads from it, as a function of `os` or of a path."""

BESIDE = {
    "_disk.py": "the door itself",
    "_held.py": "what lies below folders that are held open",
    "_atomic.py": "files that are in work, which nobody names",
    "_terminal.py": "standard streams",
    "analysis/benchmarks.py": "a folder of one's own for a program",
    "bearoff/disk_cache.py": "the folder of the cache",
    "engines/gnubg/session.py": "a folder of one's own for a program",
    "formats/archives.py": "what is in an archive",
    "formats/shared/grammar.py": "grammars, which come along",
    "library/": "a library lies on a disk or elsewhere, and asks through its storage",
    "met/finding.py": "the folders of another program",
    "plugins.py": "the folders of Python's packages",
    "reports/folder.py": "the files of a report, one by one",
    "reports/sheets/anki.py": "a folder of one's own for a program",
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


def test_the_picture_in_contributing_shows_these_layers() -> None:
    text = (HOUSE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    picture = text.split("## Where things are")[1].split("```")[1].strip()
    rows = [re.split(r"\s{3,}", line)[0] for line in picture.splitlines()]
    shown = [{room.strip() for room in each.split("|")} for row in rows for each in row.split(">")]
    kept = [{room.strip().removeprefix("bgtools.") for room in layer.split("|")} for layer in layers()[::-1]]
    assert shown == kept
    assert len(rows) == 10


def floor(module: str) -> int | None:
    """On which layer a module stands; None for what is beside them."""
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
    tree = ast.parse('called("bgtools.reports.notebook_html:games_html"), load("bgtools.board"), "bgtools.sgf"')
    assert upward("bgtools.record.record", tree) == ["bgtools.reports.notebook_html:games_html"]
    assert upward("bgtools.cli.report", tree) == []


@pytest.mark.parametrize("name", FACES)
def test_a_package_says_in_a_sentence_what_lives_there(name: str) -> None:
    doc = inspect.getdoc(face(name))
    assert doc is not None
    first, _, _ = doc.partition("\n\n")
    assert first.endswith(".")
    assert "\n" not in first
    assert len(first) <= 120


def test_readers_and_writers_take_nothing_from_each_other() -> None:
    """What both need is in a module of its own. A writer may read what it has written, to see what comes back."""
    pairs = {
        (reader.partition(":")[0], writer.partition(":")[0])
        for each in our_formats()
        if isinstance(reader := each.reader, str) and isinstance(writer := each.writer, str) and reader and writer
    }
    assert len(pairs) > 5
    past = []
    for reader, writer in pairs:
        for one, two in ((reader, writer), (writer, reader)):
            names = taken(parsed(HOUSE.parent.joinpath(*one.split(".")).with_suffix(".py")))
            past += [f"{one}: {name}" for name in names if one != two and name.startswith(f"{two}.")]
    assert [each for each in past if not each.endswith(".OgxmReader")] == []


SHARED_CLASSES = {
    "Candidate": "a play that a record values, and one that an engine does; both are public",
    "Evaluation": "what a record says of a position, and what an engine does; both are public",
    "Group": "of commands, and of games",
}
"""Class names that stand for several classes, and why."""


def test_one_class_name_stands_for_one_thing() -> None:
    """With and without an underscore: whoever reads `Table` thinks of one thing."""
    classes = [
        (name.strip("_"), str(path.relative_to(HOUSE)))
        for path in HOUSE.rglob("*.py")
        for name in re.findall(r"^ *class (\w+)[(:\[]", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert len(classes) > 500
    counts = Counter(name for name, _ in classes)
    assert {name for name, count in counts.items() if count > 1} == SHARED_CLASSES.keys()


VAGUE = {
    "apart", "fit", "fits", "folly", "judged", "meant", "place", "places", "said", "settle", "settled", "told",
    "turned", "wanted",
}  # fmt: skip
"""Words that have meant something else each time."""

COLUMNS = {
    "Grouped.place", "Grouped.turned", "Known.place", "Opening.judged", "Origin.place", "Played.judged",
    "SearchResult.judged",
}  # fmt: skip
"""Attributes that are columns of tables, whose names stay."""


def vague(tree: ast.Module) -> Iterator[str]:
    """The functions, parameters, attributes and classes of a module whose names are such words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from [node.name] * (node.name.strip("_").lower() in VAGUE)
        if isinstance(node, ast.arg):
            yield from [node.arg] * (node.arg.strip("_") in VAGUE)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr.strip("_") in VAGUE:
            yield ast.unparse(node)
        if isinstance(node, ast.ClassDef):
            fields = (
                each.target.id
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            )
            yield from (f"{node.name}.{name}" for name in fields if name.strip("_") in VAGUE)


def test_names_say_what_they_are() -> None:
    assert {name for path in HOUSE.rglob("*.py") for name in vague(parsed(path))} == COLUMNS
    tree = ast.parse("class Told:\n    fits: int\n    def said(self, place): self._judged = 1")
    assert sorted(vague(tree)) == ["Told", "Told.fits", "place", "said", "self._judged"]


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
