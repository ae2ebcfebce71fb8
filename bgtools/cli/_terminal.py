"""The one door through which text reaches standard output and standard error.

Names of players, programs, levels and files come from other people, and a terminal obeys control characters. So both
streams are a `SafeStream`: control characters, and those that turn the direction of text, become U+FFFD there.
Colours of our own pass where the terminal shows them, and are dropped where it does not. Data for other programs
(`put_data`, `data_stream`) stays as it is in a pipe or a file, and goes through the door where a terminal shows it.

A command whose streams are closed does its work all the same.
"""

from __future__ import annotations

import io
import os
import re
import sys
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NoReturn, TextIO, cast

from bgtools._disk import why

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.console import Console

WIDTH: Final = 110
"""The width of tables in a pipe or a file."""

_STYLE: Final = re.compile(r"(\x1b\[(?:(?:[0-4]|2[1-4]|3[1-79]|4[09]|9[0-7])(?:;(?=\d)|(?=m)))*m)")
"""What colours text. Nothing in it hides text, or moves it."""


class _ShownCharacters(dict[int, str]):
    """What is on the terminal for a character, by its number."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = shown = char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}"
        return shown


_SHOWN: Final = _ShownCharacters()


def cleaned(text: str, *, colour: bool = False) -> str:
    """A text that is safe on a terminal; with ``colour`` the colours in it stay."""
    if "\x1b" not in text:
        return text.translate(_SHOWN)
    pieces = _STYLE.split(text)
    pieces[::2] = (piece.translate(_SHOWN) for piece in pieces[::2])
    return "".join(pieces if colour else pieces[::2])


def is_dumb() -> bool:
    """Whether the terminal understands nothing but text."""
    return os.environ.get("TERM", "").casefold() in ("dumb", "unknown")


def shows_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that has colours, whose user has not asked for none."""
    return stream.isatty() and not is_dumb() and not os.environ.get("NO_COLOR")


class SafeStream(io.TextIOBase):
    """A text stream that writes only what is safe on a terminal.

    Args:
        stream: where to.
        fails: what to do when it cannot be written.
    """

    def __init__(self, stream: TextIO, fails: Callable[[OSError], None]) -> None:
        self.stream = stream
        self._fails = fails
        self._colour = shows_colour(stream)

    def write(self, text: str) -> int:
        self.put(cleaned(text, colour=self._colour))
        return len(text)

    def put(self, text: str) -> None:
        """Write a text as it is."""
        try:
            self.stream.write(text)
        except OSError as error:
            self._fails(error)

    def flush(self) -> None:
        try:
            self.stream.flush()
        except OSError as error:
            self._fails(error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self.stream.errors

    def fileno(self) -> int:
        return self.stream.fileno()

    def isatty(self) -> bool:
        return self.stream.isatty()

    def writable(self) -> bool:
        return True


class _SafeBytes(io.RawIOBase):
    """A stream for the bytes of a text that a terminal shows. No escape passes, nor a colour: none of them is ours."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        sys.stdout.write(bytes(data).decode("utf-8", "replace").translate(_SHOWN))
        return len(data)


def install_safe_streams() -> None:
    """Put a door before standard output and standard error. A missing stream takes all that is written to it."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # A file that is opened takes the lowest free number: without this, messages could go into that file.
            os.set_inheritable(os.open(os.devnull, os.O_WRONLY), True)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - the number of a stream
    for name, fails in (("stdout", exit_on_output_error), ("stderr", _give_up_messages)):
        stream = getattr(sys, name)
        if stream is None:
            stream = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - it ends with the process
        if hasattr(stream, "reconfigure"):
            # A file name or a player's name may hold characters that the terminal's encoding lacks.
            stream.reconfigure(errors="backslashreplace")
        setattr(sys, name, SafeStream(stream, fails))


def exit_on_output_error(error: OSError) -> NoReturn:
    """End the program, as nothing more can be printed.

    If the reader has gone away, as with "| head", the program ends with status 0. If the disk is full, it says so and
    ends with status 2.
    """
    _silence(sys.stdout)
    if isinstance(error, BrokenPipeError):
        raise SystemExit(0)
    say(f"bgtools: standard output: cannot be written: {why(error)}", err=True)
    raise SystemExit(2)


def _give_up_messages(_error: OSError) -> None:
    """Go on without messages: that they cannot be printed is no reason to end the work."""
    _silence(sys.stderr)


def _silence(stream: TextIO) -> None:
    """Send what is still buffered, and all that follows, nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def say(text: str = "", *, err: bool = False) -> None:
    """Print a line on standard output, or with ``err`` on standard error; a terminal gets it wrapped at words."""
    stream = sys.stderr if err else sys.stdout
    if stream.isatty() and "\n" not in text and len(text) > (columns := max(_columns(), _NARROWEST)):
        text = "\n".join(wrap_words(text, columns))
    stream.write(f"{text}\n")
    if err:
        stream.flush()


def prompt(text: str) -> None:
    """Print what is before an answer, without ending the line."""
    sys.stdout.write(text)
    sys.stdout.flush()


def put_data(text: str) -> None:
    """Print a text for other programs: as it is, unless a terminal shows it."""
    if isinstance(sys.stdout, SafeStream) and not sys.stdout.isatty():
        sys.stdout.put(f"{text}\n")
    else:
        say(text.translate(_SHOWN))


def data_stream() -> BinaryIO:
    """Standard output for the bytes of a file. A terminal shows them as text, so callers refuse binary data there."""
    sys.stdout.flush()
    return cast("BinaryIO", _SafeBytes()) if sys.stdout.isatty() else sys.stdout.buffer


def width() -> int | None:
    """How many columns the terminal has that standard output goes to; None for a pipe or a file, which have any."""
    return max(_columns(), _NARROWEST) if sys.stdout.isatty() else None


def height() -> int | None:
    """How many lines the terminal shows that standard output goes to; None for a pipe or a file."""
    import shutil

    return shutil.get_terminal_size().lines if sys.stdout.isatty() else None


def _columns() -> int:
    import shutil

    return shutil.get_terminal_size().columns


_NARROWEST: Final = 20


def wrapped(text: str, indent: str = "") -> list[str]:
    """A text in lines that fit the terminal, all but the first indented; in one line for a pipe or a file."""
    columns = width()
    if columns is None or len(text) <= columns:
        return [text] if text else []
    return wrap_words(text, columns, indent)


_COMMAND: Final = re.compile(r"bgtools [a-z-][^;,()]*")


def wrap_words(text: str, columns: int, indent: str = "") -> list[str]:
    """A text in lines of so many columns, broken at words. A command is not broken, so that it can be copied.

    Args:
        text: the text; blanks at its beginning stand before every line.
        columns: the width of a line.
        indent: what stands before all lines but the first, beside those blanks.
    """
    import textwrap

    lead = text[: len(text) - len(text.lstrip(" "))]
    whole = _COMMAND.sub(lambda found: found[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(
        whole, columns, subsequent_indent=lead + indent, break_on_hyphens=False, break_long_words=False,
        drop_whitespace=True, replace_whitespace=False,
    )  # fmt: skip
    return [line.replace("\0", " ") for line in lines] or [text]


def say_wrapped(text: str, indent: str = "") -> None:
    """Print a line; in a terminal that is too narrow several, all but the first indented."""
    for line in wrapped(text, indent) or [""]:
        say(line)


def as_json(data: object) -> str:
    """JSON on several lines in which what is not a character to print is escaped."""
    import json

    text = json.dumps(data, indent=2, ensure_ascii=False)
    if text.replace("\n", "").isprintable():
        return text
    shown = {char: json.dumps(char)[1:-1] for char in set(text) if not char.isprintable()}
    shown |= {"\n": "\n", "\x7f": "\\u007f"}  # the ends of lines are between the values
    return "".join(shown.get(char, char) for char in text)


def console() -> Console:
    """What prints tables on standard output, and cleans what is in them."""
    from rich.console import Console, RenderHook
    from rich.segment import Segment

    class Cleaned:
        def __init__(self, renderable: Any) -> None:
            self.renderable = renderable

        def __rich_console__(self, console: Console, options: Any) -> Iterable[Segment]:
            for text, style, control in console.render(self.renderable, options):
                yield Segment(text if control else cleaned(text), style, control)

    class Cleaning(RenderHook):
        def process_renderables(self, renderables: list[Any]) -> list[Any]:
            return [Cleaned(each) for each in renderables]

    found = Console(
        highlight=False,
        color_system="auto" if shows_colour(sys.stdout) else None,
        width=None if sys.stdout.isatty() else WIDTH,
    )
    found.push_render_hook(Cleaning())
    return found


def terminal() -> Console | None:
    """What draws progress on standard error; None where that is not a terminal that can show it.

    Progress moves the cursor, so it bypasses the door; callers pass the text in it through `cleaned` first.
    """
    if not sys.stderr.isatty() or is_dumb():
        return None
    from rich.console import Console

    return Console(file=sys.stderr.stream if isinstance(sys.stderr, SafeStream) else sys.stderr)
