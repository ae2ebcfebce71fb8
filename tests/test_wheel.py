"""The wheel is the same byte for byte wherever it is built, and says what is in it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
needs_backend = pytest.mark.skipif(importlib.util.find_spec("hatchling") is None, reason="hatchling is not installed")


def built(folder: Path, zone: str) -> Path:
    """The wheel of a copy of the sources, built in that folder and time zone."""
    parts = ("bgtools", "grammars", "pyproject.toml", "README.md", "LICENSE", "hatch_build.py")
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
        assert [name.rpartition("/")[2] for name in boms] == ["bgtools.cdx.json"]
        compare_bill(json.loads(wheel.read(boms[0])), wheel)
    assert not [name for name in names if name.startswith(("tests", "docs"))]


def compare_bill(bill: dict[str, Any], wheel: zipfile.ZipFile) -> None:
    """The bill of materials says what is in the wheel and what its metadata ask for, and nothing else."""
    names = wheel.namelist()
    metadata = Parser().parsestr(wheel.read(next(name for name in names if name.endswith("/METADATA"))).decode())
    itself = bill["metadata"]["component"]
    assert (bill["bomFormat"], itself["name"], itself["version"]) == (
        "CycloneDX",
        metadata["Name"],
        metadata["Version"],
    )
    packages = [each for each in bill["components"] if each["type"] == "library"]
    asked = {re.split(r"[^\w.-]", each, maxsplit=1)[0].lower() for each in metadata.get_all("Requires-Dist", [])}
    assert {each["name"] for each in packages} == asked - {itself["name"]}
    assert len({each["bom-ref"] for each in packages}) == len(packages) > 20
    files = {each["name"]: each["hashes"][0]["content"] for each in bill["components"] if each["type"] == "file"}
    held = {name for name in names if not name.endswith(".py") and ".dist-info/" not in name}
    assert files == {name: hashlib.sha256(wheel.read(name)).hexdigest() for name in held}
    assert len(files) > 50


def test_versions_have_an_upper_bound_only_where_a_test_shows_the_need() -> None:
    """No test has shown one by now. A bound keeps people from mending what they have."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(each for some in project["optional-dependencies"].values() for each in some)]
    versions = [each.partition(";")[0] for each in asked]
    assert len(versions) > 30
    assert [each for each in versions if re.search(r"<|==|~=|!=", each)] == []
    named = [each for each in versions if not each.startswith(f"{project['name']}[")]
    assert [each for each in named if ">=" not in each] == ["pandas-stubs"]


def test_workflows_pin_every_action_by_its_hash() -> None:
    used = [line for path in WORKFLOWS for line in re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))]
    assert len(used) >= 5
    assert [each for each in used if not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v[\d.]+", each)] == []


@pytest.mark.needs(shutil.which("actionlint"), "actionlint")
def test_workflows_are_sound() -> None:
    done = subprocess.run(["actionlint", *map(str, WORKFLOWS)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
