"""Build the site: `python docs/site/build.py OUT`. It needs the extra `site`, npm and a network.

The generator is Zensical: Material for MkDocs ends in 2027, and its makers go on with this one, which reads the same
settings. It is young; nothing here but `mkdocs.yml` knows of it, so that MkDocs itself could take its place.
"""

from __future__ import annotations

import contextlib
import html
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

NAVIGATION = {
    "Start": "index.md",
    "Tutorials": {
        "For a player": "tutorials/player.md",
        "Was it the score?": "tutorials/score.md",
        "For a director": "tutorials/director.md",
        "An event on the web": "tutorials/publish.md",
        "For a transcriber": "tutorials/transcriber.md",
        "For a coach": "tutorials/coach.md",
        "For a programmer": "tutorials/programmer.md",
        "For a data scientist": "tutorials/data-scientist.md",
    },
    "How to": {
        "Overview": "how-to/index.md",
        "Install": "how-to/install.md",
        "Connect an assistant": "reference/assistants.md",
    },
    "In the browser": "browser.md",
    "Gallery": "gallery.md",
    "Questions": "faq.md",
    "Glossary": "glossary.md",
}  # fmt: skip
"""What is in the menu before the reference, which is found in docs/."""


def stage(pages: Path) -> None:
    """Put all sources of the site into a folder: its own pages, docs/, grammars, and what the program makes."""
    shutil.copytree(HERE / "pages", pages)
    ours = shutil.ignore_patterns("site", "try", "*.py", "__pycache__")
    shutil.copytree(ROOT / "docs", pages / "reference", ignore=ours)
    shutil.copytree(ROOT / "grammars", pages / "grammars")
    (pages / "reference" / "commands.md").write_text(commands(), encoding="utf-8")
    (pages / "glossary.md").write_text(glossary(), encoding="utf-8")
    pictures(pages)
    demonstrate(pages)


_SHELL = re.compile(r"^```sh\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
_FIRST_LINES, _LAST_LINES = 16, 24
"""Lines of what a command prints that a tutorial shows."""


def demonstrate(pages: Path) -> None:
    """Show below each command of the tutorials what it prints, and the pictures that it makes."""
    for page in sorted((pages / "tutorials").glob("*.md")):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            shutil.copytree(ROOT / "samples", folder / "samples")
            text = page.read_text(encoding="utf-8")
            shown = _SHELL.sub(lambda found: _demonstrated(found[1], folder, pages, page.stem), text)  # noqa: B023
            page.write_text(shown, encoding="utf-8")


def _demonstrated(lines: str, folder: Path, pages: Path, name: str) -> str:
    """Commands, each with what it prints below it; they run in a folder."""
    parts = []
    for line in lines.splitlines():
        command, _, remark = line.partition("  # ")
        before = {*folder.rglob("*.png")}
        printed = _typed(command, folder, fails=remark.startswith("exits with")).rstrip().splitlines()
        if len(printed) > _FIRST_LINES + _LAST_LINES:
            printed = [*printed[:_FIRST_LINES], "…", *printed[-_LAST_LINES:]]
        parts.append(f"```sh\n{command}\n```\n")
        if printed:
            parts.append("\n".join(["```text", *(each.rstrip() for each in printed), "```", ""]))
        made = sorted({*folder.rglob("*.png")} - before)
        # Of a report the curve of chances says most.
        for picture in [each for each in made if len(made) == 1 or each.name == "chance.png"]:
            copy = pages / "gallery" / f"{name}-{picture.name}"
            shutil.copyfile(picture, copy)
            parts.append(f"![{picture.stem} as the command draws it](../gallery/{copy.name})\n")
    return "\n".join(parts)


def _typed(command: str, folder: Path, *, fails: bool) -> str:
    """What a command prints on a terminal of 80 columns, and behind it what it says on standard error."""
    import pty

    program = folder.parent / f"{folder.name}-bin" / "bgtools"
    if not program.is_file():
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bgtools "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "LINES": "1000", "NO_COLOR": "1", "TERM": "xterm",
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
    }  # fmt: skip
    ours, theirs = pty.openpty()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            ["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=theirs, stderr=errors
        )
        os.close(theirs)
        written = bytearray()
        with contextlib.suppress(OSError):  # how Linux tells the end
            while piece := os.read(ours, 1 << 16):
                written += piece
        os.close(ours)
        code = process.wait()
        errors.seek(0)
        said = errors.read().decode()
    if code != int(fails):
        raise SystemExit(f"{command}: {code}\n{written.decode()}{said}")
    return written.decode().replace("\r\n", "\n") + said


def commands() -> str:
    """The reference of all commands, from the program."""
    man = _module(ROOT / "docs" / "make_man.py")
    parts = ["# Commands\n", "Made from the program: the same text as `--help` and the man pages.\n"]
    for name, command in man.commands():
        parts.append(f"## {name}\n\n{html.escape(_cleaned(command.help or ''), quote=False)}\n")
        rows = [f"| `{typed.replace('|', chr(92) + '|')}` | {_cell(told)} |" for typed, told in man.options(command)]
        parts.append("\n".join(["| what to type | what it does |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def glossary() -> str:
    """The words that reports print, from the program."""
    from bgtools.reports.terms import all_terms

    rows = [
        f"| **{each.names[0]}** | {_cell(each.meaning)} | {_cell(', '.join(each.names[1:]))} |" for each in all_terms()
    ]
    head = "# Glossary\n\nThe same as `bgtools explain` prints.\n\n| word | what it means | also |\n|---|---|---|\n"
    return head + "\n".join(rows) + "\n"


def _cleaned(text: str) -> str:
    return "\n\n".join(re.sub(r"\s+", " ", each).strip() for each in text.split("\n\n"))


def _cell(text: str) -> str:
    return html.escape(re.sub(r"\s+", " ", text), quote=False).replace("|", "\\|")


def pictures(pages: Path) -> None:
    """Pictures and example pages, made from the samples."""
    import bgtools
    from bgtools.drawing.board import board_picture
    from bgtools.drawing.svg import svg

    gallery, example = pages / "gallery", pages / "example"
    gallery.mkdir()
    report = pages.parent / "report"
    sample = ROOT / "samples" / "seven-point.mat"
    bgtools.report(sample, report, level="quick")
    for name in ("pips.png", "luck.png", "chance.png", "errors.png"):
        shutil.copyfile(report / name, gallery / name)
    example.mkdir()
    # Pages of their own, not of this site: they go past the generator.
    shutil.copyfile(report / "report.html", example / "report.html")
    _run("blunders", str(sample), "--level", "quick", "-o", str(example / "train.html"))
    worst = next(each for each in bgtools.blunders(sample, level="quick", top=None) if each.row.kind == "checker play")
    position = bgtools.Position.from_id(worst.row.xgid)
    made, best = (_hops(position, text) for text in (worst.row.played, worst.row.best))
    names = (worst.row.name, worst.names[1 - worst.row.player])
    board = board_picture(
        position.board, position.state, dice=position.dice, names=names, played=made, best=best,
        caption=f"{worst.row.played} was played, {worst.row.best} was best: {-worst.loss:.3f}",
    )  # fmt: skip
    (gallery / "board.svg").write_text(svg(board), encoding="utf-8")
    (gallery / "findings.svg").write_text(_printed("check", "samples/five-slips.mat"), encoding="utf-8")


def _hops(position: Any, text: str) -> Any:
    return next((each.hops for each in position.legal_plays() if str(each) == text), ())


def _run(*arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    command = [sys.executable, "-m", "bgtools", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


def _printed(*arguments: str) -> str:
    """What a command prints, as a picture of a terminal."""
    from rich.console import Console
    from rich.text import Text

    lines = _run(*arguments).splitlines()[:24]
    console = Console(record=True, width=110, file=io.StringIO())
    console.print(Text("\n".join([f"$ bgtools {' '.join(arguments)}", *lines])))
    # Its fonts come from another host; a plain one is on every machine.
    text = console.export_svg(title="bgtools", unique_id="terminal")
    return re.sub(r"@font-face \{.*?\}", "", text, flags=re.DOTALL).replace("Fira Code", "monospace")


def navigation(pages: Path) -> list[Any]:
    """The menu, with every page of the reference."""
    reference = {
        _title(path): path.relative_to(pages).as_posix() for path in sorted((pages / "reference").rglob("*.md"))
    }
    menu: list[Any] = [{name: _entries(where)} for name, where in NAVIGATION.items()]
    return [*menu, {"Reference": [{name: path} for name, path in sorted(reference.items())]}]


def _entries(where: Any) -> Any:
    return where if isinstance(where, str) else [{name: path} for name, path in where.items()]


def _title(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return re.sub(r"[`*]", "", found[1]) if found else path.stem


def llms(pages: Path) -> str:
    """`llms.txt`: what the site holds, a line per page, for programs that read it."""
    lines = [
        "# bgtools", "",
        "> Reads recorded backgammon matches in every format, judges them by the rules, reports luck and errors.", "",
    ]  # fmt: skip
    for folder in ("", "tutorials", "how-to", "reference", "reference/formats"):
        lines += [f"## {folder or 'Pages'}", ""]
        for path in sorted((pages / folder).glob("*.md")):
            lines.append(f"- [{_title(path)}]({path.relative_to(pages).with_suffix('.html').as_posix()})")
        lines.append("")
    return "\n".join(lines)


class _Links(HTMLParser):
    """The links and the names in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.names |= {each for each in (found.get("id"), found.get("name")) if each}
        self.links += [each for each in (found.get("href"), found.get("src")) if each]


def broken_links(folder: Path) -> list[str]:
    """Every link in the pages of a folder that leads nowhere in it; links to other hosts are not followed."""
    pages: dict[Path, _Links] = {}
    for path in folder.rglob("*.html"):
        pages[path] = _Links()
        pages[path].feed(path.read_text(encoding="utf-8"))
    wrong = []
    for path, found in pages.items():
        if path.name == "404.html":  # served below any address, so its links begin at the root
            continue
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            where = f"{path.relative_to(folder)}: {link}"
            if not target.exists():
                wrong.append(where)
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
                # A page made by a script names its places when it runs.
                wrong += [where] * ("example" not in target.parts)
    return sorted(set(wrong))


def build(out: Path, page: Path | None = None) -> None:
    """Build the site into a folder, which must not exist or be one that this has made.

    Args:
        out: the folder.
        page: the page in which bgtools runs, where it is built already; None to build it, by ``docs/try/build.py``.

    Raises:
        SystemExit: the generator is missing or fails, the folder holds something else, or a link leads nowhere.
    """
    if importlib.util.find_spec("zensical") is None:
        from bgtools._extras import install_hint

        raise SystemExit(f"this needs Zensical, which builds the site; {install_hint('site')}")
    if out.exists() and any(out.iterdir()) and not (out / "llms.txt").is_file():
        raise SystemExit(f"{out} holds something else; give another folder")
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        stage(work / "pages")
        settings = (HERE / "mkdocs.yml").read_text(encoding="utf-8")
        import json

        # JSON is YAML as well.
        (work / "mkdocs.yml").write_text(
            f"{settings}\nnav: {json.dumps(navigation(work / 'pages'))}\n", encoding="utf-8"
        )
        done = subprocess.run(
            [sys.executable, "-m", "zensical", "build", "--clean"],
            cwd=work,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not (work / "site" / "index.html").is_file():
            raise SystemExit(f"Zensical failed:\n{done.stdout}{done.stderr}")
        (work / "site" / "llms.txt").write_text(llms(work / "pages"), encoding="utf-8")
        if out.exists():
            shutil.rmtree(out)
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(work / "site", out)
    if page is not None:
        shutil.copytree(page, out / "try")
    elif subprocess.run(
        [sys.executable, str(ROOT / "docs" / "try" / "build.py"), str(out / "try")], check=False
    ).returncode:
        raise SystemExit("the page in which bgtools runs is not built")
    wrong = broken_links(out)
    if wrong:
        raise SystemExit("links that lead nowhere:\n" + "\n".join(wrong))


def _module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python docs/site/build.py OUT")
    with contextlib.suppress(KeyboardInterrupt):
        build(Path(sys.argv[1]).resolve())
        print(f"written to {sys.argv[1]}")
