"""Help and man pages are made of one source; and what stands where a command should."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

from program import bgtools
from support import some_or_all

ROOT = Path(__file__).parents[2]


def make_man() -> Any:
    spec = importlib.util.spec_from_file_location("make_man", ROOT / "docs" / "make_man.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@some_or_all(5)
def test_a_flag_shows_no_type(step: int) -> None:
    names = [name.removeprefix("bgtools").split() for name, _ in make_man().commands()]
    assert len(names) > 30
    for name in names[::step]:
        told = bgtools(*name, "--help").stdout
        assert "<bool>" not in told, name
        assert "list[" not in told, name


def test_every_command_and_option_has_its_place_in_a_man_page(tmp_path: Path) -> None:
    made = make_man()
    pages = {path.name: path.read_text(encoding="utf-8") for path in made.write(tmp_path)}
    assert {"bgtools.1", "bgtools-check.1", "bgtools-library-find.1", "bgtools-mcp.1"} <= set(pages)
    compared = 0
    for name, command in made.commands():
        text = pages[f"{name.replace(' ', '-')}.1"].replace("\\-", "-")
        for each in command.params:
            for option in each.opts if each.param_type_name == "option" else ():
                assert option in text, (name, option)
                compared += 1
        assert not re.search(r"^[.'](?!TH|SH|TP|PP|B )", text, re.MULTILINE), name
    assert compared > 150


def test_a_record_without_a_command_is_told_what_can_be_done() -> None:
    record = ROOT / "samples" / "seven-point.mat"
    done = bgtools(str(record))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"bgtools report {record}" in done.stderr
    assert f"bgtools check {record}" in done.stderr
    assert "No such command" in bgtools("no-such.mat").stderr
