"""The wheel is the same byte for byte wherever it is built, and says what is in it."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
needs_backend = pytest.mark.skipif(importlib.util.find_spec("hatchling") is None, reason="hatchling is not installed")


def built(folder: Path, zone: str) -> Path:
    """The wheel of a copy of the sources, built in that folder and time zone."""
    parts = ("bgtools", "grammars", "pyproject.toml", "README.md", "LICENSE", "bgtools.cdx.json")
    folder.mkdir()
    for part in parts:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, folder / part)
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "SOURCE_DATE_EPOCH")}
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist"],
        cwd=folder, env={**environment, "TZ": zone}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel


@needs_backend
def test_a_wheel_is_the_same_from_two_folders_and_two_time_zones(tmp_path: Path) -> None:
    one, two = built(tmp_path / "one", "UTC"), built(tmp_path / "another, longer", "Asia/Kathmandu")
    assert one.name == two.name
    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as wheel:
        names = wheel.namelist()
        boms = [name for name in names if re.search(r"\.dist-info/sboms/.*\.json$", name)]
        assert len(boms) == 1
        assert wheel.read(boms[0]) == (ROOT / "bgtools.cdx.json").read_bytes()
    assert not [name for name in names if name.startswith(("tests", "docs"))]


def test_the_bill_of_materials_names_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = json.loads((ROOT / "bgtools.cdx.json").read_text(encoding="utf-8"))
    asked = {re.split(r"[^\w.-]", each, maxsplit=1)[0].lower() for each in project["dependencies"]}
    assert asked == {each["name"] for each in found["components"]}
    assert found["bomFormat"] == "CycloneDX"
    assert found["metadata"]["component"]["name"] == project["name"]


def test_workflows_pin_every_action_by_its_hash() -> None:
    used = [line for path in WORKFLOWS for line in re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))]
    assert len(used) >= 5
    assert [each for each in used if not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v[\d.]+", each)] == []


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="actionlint is not installed")
def test_workflows_are_sound() -> None:
    done = subprocess.run(["actionlint", *map(str, WORKFLOWS)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
