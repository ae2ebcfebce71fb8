"""What tools of an assistant can reach: nothing beside their folders, whatever is renamed or linked meanwhile."""

from __future__ import annotations

import io
import os
import shutil
import socket
import threading
import time
import zipfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgtools import _held
from bgtools.assistant.folders import Folders, NotAllowed

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLES = Path(__file__).parents[2] / "samples"
RECORD = (SAMPLES / "one-point.mat").read_bytes()

pytestmark = pytest.mark.skipif(not hasattr(os, "symlink"), reason="this system has no links")
by_descriptor = pytest.mark.skipif(not _held.BY_DESCRIPTOR, reason="this system opens nothing from a descriptor")


@pytest.fixture
def inside(tmp_path: Path) -> Path:
    folder = tmp_path / "inside"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.mat").write_bytes(b"inside")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.mat").write_bytes(b"outside")
    return folder


@contextmanager
def exchanged(inside: Path, *, whole: bool = False) -> Iterator[None]:
    """A folder (or the file in it) that is exchanged for a link out of the folders, and back, all the time."""
    name = inside / "sub" if not whole else inside / "sub" / "a.mat"
    away, link, goal = inside / "away", inside / "link", inside.parent / "outside" / (name.name if whole else "")
    going = threading.Event()

    def exchange() -> None:
        while not going.is_set():
            for step in (
                lambda: link.symlink_to(goal),
                lambda: name.rename(away),
                lambda: link.rename(name),
                lambda: time.sleep(0),
                lambda: name.unlink(),
                lambda: away.rename(name),
            ):
                with suppress(OSError):
                    step()

    thread = threading.Thread(target=exchange)
    thread.start()
    try:
        yield
    finally:
        going.set()
        thread.join()


@by_descriptor
@pytest.mark.parametrize("whole", [False, True])
def test_a_folder_or_file_exchanged_for_a_link_never_leads_out(inside: Path, whole: bool) -> None:
    folders = Folders([inside])
    found: dict[str, int] = {}
    with exchanged(inside, whole=whole):
        began = time.monotonic()
        while time.monotonic() - began < 60 and (sum(found.values()) < 3000 or not {"inside"} < {*found}):
            try:
                answer = folders.read("sub/a.mat").decode()
            except (NotAllowed, OSError) as error:
                answer = type(error).__name__
            found[answer] = found.get(answer, 0) + 1
    assert "outside" not in found
    assert "inside" in found
    assert len(found) > 1  # the exchange was met


@by_descriptor
def test_nothing_is_written_where_an_exchanged_folder_leads(inside: Path) -> None:
    folders = Folders([inside], write=True)
    written = refused = 0
    with exchanged(inside):
        began = time.monotonic()
        while time.monotonic() - began < 60 and (written + refused < 1500 or not written or not refused):
            try:
                folders.new(f"sub/{written + refused}.mat", b"new", "mat")
                written += 1
            except (NotAllowed, OSError):
                refused += 1
    assert [each.name for each in (inside.parent / "outside").iterdir()] == ["a.mat"]
    assert written
    assert refused
    kept = inside / "sub" if (inside / "sub").exists() else inside / "away"
    assert len(list(kept.glob("*.mat"))) == written + 1
    assert not list(kept.glob(".*"))  # no draft is left


@by_descriptor
def test_a_listing_of_an_exchanged_folder_names_only_what_is_inside(inside: Path) -> None:
    (inside.parent / "outside" / "secret.mat").write_bytes(b"")
    folders = Folders([inside])
    with exchanged(inside):
        listings = [folders.records(".") for _ in range(300)]
    assert not [each for each in listings if any("secret" in path for path in each)]
    assert any(listings)


@pytest.fixture(params=["by descriptor", "by name"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to files: that of Windows as well, which looks at names before and after."""
    if request.param == "by name":
        monkeypatch.setattr(_held, "BY_DESCRIPTOR", False)
    elif not _held.BY_DESCRIPTOR:
        pytest.skip("this system opens nothing from a descriptor")
    name: str = request.param
    return name


@pytest.mark.usefixtures("way")
def test_paths_and_links_that_stay_inside_are_read(inside: Path) -> None:
    (inside / "link.mat").symlink_to(Path("sub") / "a.mat")
    (inside / "whole.mat").symlink_to(inside / "sub" / "a.mat")
    (inside / "folder").symlink_to("sub")
    (inside / "sub" / "up.mat").symlink_to(Path("..") / "sub" / "a.mat")
    alias = inside.parent / "alias"
    alias.symlink_to(inside)
    names = ["sub/a.mat", "./sub//a.mat", "sub/../sub/a.mat", "link.mat", "whole.mat", "folder/a.mat", "sub/up.mat"]
    for folder in (inside, alias):
        folders = Folders([folder])
        for name in [*names, str(inside / "sub" / "a.mat"), str(folder / "sub" / "a.mat")]:
            assert folders.read(name) == b"inside", name
    assert Folders([inside]).records(".") == ["link.mat", "sub/a.mat", "sub/up.mat", "whole.mat"]
    assert Folders([inside]).records("sub") == ["sub/a.mat", "sub/up.mat"]
    second = Folders([inside.parent / "outside", inside])
    assert second.read(str(inside / "sub" / "a.mat")) == b"inside"
    assert second.read("a.mat") == b"outside"


@pytest.mark.usefixtures("way")
def test_paths_and_links_that_lead_out_are_refused(inside: Path) -> None:
    outside = inside.parent / "outside"
    (inside / "out").symlink_to(outside)
    (inside / "out.mat").symlink_to(outside / "a.mat")
    (inside / "up.mat").symlink_to(Path("..") / "outside" / "a.mat")
    (inside / "chain.mat").symlink_to("out.mat")
    (inside / "dots").symlink_to("..")
    paths = [
        "out/a.mat", "out.mat", "up.mat", "chain.mat", "dots/outside/a.mat", "..", "../outside/a.mat", "sub/../../x",
        str(outside / "a.mat"), f"{inside}/../outside/a.mat", f"{inside}-too/a.mat", "/", "/etc/passwd",
        "/proc/self/mem", "/dev/stdin", "~", "~/.ssh",
    ]  # fmt: skip
    folders = Folders([inside], write=True)
    for path in paths:
        with pytest.raises((NotAllowed, OSError)):
            folders.read(path)
        with pytest.raises((NotAllowed, OSError)):
            folders.new(f"{path}/new.mat", b"", "mat")
    assert folders.records(".") == ["sub/a.mat"]
    assert [each.name for each in outside.iterdir()] == ["a.mat"]


@pytest.mark.usefixtures("way")
def test_what_is_not_a_regular_file_is_refused_at_once(inside: Path, tmp_path: Path) -> None:
    os.mkfifo(inside / "pipe.mat")
    (inside / "loop.mat").symlink_to("loop.mat")
    (inside / "a").symlink_to("b")
    (inside / "b").symlink_to("a")
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(inside)  # the path of a socket must be short
        try:
            listening.bind("socket.mat")
        finally:
            os.chdir(here)
        folders = Folders([inside])
        began = time.monotonic()
        for name in ("pipe.mat", "loop.mat", "a/x.mat", "socket.mat", "sub", ".", "pipe.mat/x", "no.mat", "x" * 300):
            with pytest.raises((OSError, NotAllowed)) as refused:
                folders.read(name)
            assert str(refused.value)
        assert time.monotonic() - began < 20
        assert "pipe.mat" not in folders.records(".")


@pytest.mark.usefixtures("way")
def test_a_file_in_an_archive_is_read_by_its_path(inside: Path) -> None:
    with zipfile.ZipFile(inside / "many.zip", "w") as archive:
        archive.writestr("deep/one.mat", RECORD)
    folders = Folders([inside])
    assert folders.read("many.zip/deep/one.mat") == RECORD
    for name in ("many.zip/no.mat", "sub/a.mat/x", "many.zip/../sub/a.mat/x"):
        with pytest.raises((OSError, NotAllowed)):
            folders.read(name)
    assert len(folders.matches("many.zip")) == 1


NAMES = [
    ".hidden.mat", ".git/x.mat", "bgtools.toml", "a.toml", "a.py", "a", "a.mat.exe", "a\nb.mat", "a\rb.mat",
    "a\u2028b.mat", "a\u202emat.mat", "a\x1b[2J.mat", "con.mat", "sub/NUL.mat", "com1.mat", "a.mat:b.mat", "a|b.mat",
    "a?.mat", "a*.mat", "sub\\a2.mat", "a.mat.", "a.mat ", " a.mat", "", "-", "x" * 252 + ".mat", "nowhere/a.mat",
    "sub/a.mat", "sub",
    "sub/", "sub/a.mat/b.mat", "a\udc80.mat", "a.sgf", "crontab", "a.html", "a.mat/..", "con", "../inside/.x.mat",
]  # fmt: skip


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", NAMES)
def test_a_new_file_has_a_name_that_every_system_takes_for_a_record(inside: Path, name: str) -> None:
    before = sorted(inside.rglob("*"))
    with pytest.raises(NotAllowed) as refused:
        Folders([inside], write=True).new(name, b"new", "mat")
    assert "\n" not in str(refused.value)
    assert sorted(inside.rglob("*")) == before


@pytest.mark.usefixtures("way")
def test_a_new_file_is_written_whole_or_not_at_all(inside: Path) -> None:
    folders = Folders([inside], write=True)
    assert folders.new("sub/b.mat", b"new", "mat") == "sub/b.mat"
    assert folders.new(str(inside / "C.TXT"), b"more", "mat") == "C.TXT"
    assert ((inside / "sub" / "b.mat").read_bytes(), (inside / "C.TXT").read_bytes()) == (b"new", b"more")
    (inside / "dangling.mat").symlink_to(inside.parent / "outside" / "new.mat")
    for taken in ("sub/b.mat", "dangling.mat"):
        with pytest.raises(NotAllowed, match="exists"):
            folders.new(taken, b"other", "mat")
    assert not (inside.parent / "outside" / "new.mat").exists()
    assert not list(inside.rglob(".*"))


@by_descriptor
@pytest.mark.parametrize("fault", ["no links", "full"])
def test_a_file_system_without_links_or_room(inside: Path, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    class Full(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(28, "No space left on device")

    if fault == "no links":
        monkeypatch.setattr(os, "link", refuse)
    else:

        def full(descriptor: int, _: str) -> Full:
            os.close(descriptor)
            return Full()

        monkeypatch.setattr(os, "fdopen", full)
    if fault == "full":
        with pytest.raises(OSError, match="No space"):
            Folders([inside], write=True).new("b.mat", b"new", "mat")
        assert not (inside / "b.mat").exists()
    else:
        Folders([inside], write=True).new("b.mat", b"new", "mat")
        assert (inside / "b.mat").read_bytes() == b"new"
    assert not list(inside.glob(".*"))


def test_another_folder_under_the_old_path_is_not_taken_for_it(inside: Path) -> None:
    first = Folders([inside])
    assert Folders([inside], identities=first.identities).read("sub/a.mat") == b"inside"
    inside.rename(inside.parent / "moved")
    shutil.copytree(inside.parent / "outside", inside)
    with pytest.raises(OSError, match="no longer there"):
        Folders([inside], identities=first.identities)
    if _held.BY_DESCRIPTOR:
        assert first.read("sub/a.mat") == b"inside"


@pytest.mark.thorough
@by_descriptor
def test_ten_thousand_files_and_a_deep_folder_are_listed(inside: Path) -> None:
    for number in range(10_000):
        (inside / f"{number}.mat").touch()
    deep = inside
    for _ in range(300):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "x.mat").touch()
    found = Folders([inside]).records(".")
    assert len(found) == 10_002
    assert "d/" * 300 + "x.mat" in found
