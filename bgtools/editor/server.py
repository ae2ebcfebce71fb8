"""The language server, which answers editors by the Language Server Protocol. The only user of pygls.

An editor sends the whole text with every change. A record is small, and for changes in parts editor and server would
have to agree on what ends a line.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, cast

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from bgtools._version import __version__
from bgtools.editor.answers import causes, fix_all, folds, hover, offers, suggestions, symbols
from bgtools.editor.document import Document, NotFormatted, Superseded, Units, dialects, formatted, problem
from bgtools.findings.finding import Severity, printable
from bgtools.source import Span

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable
    from typing import BinaryIO

    from bgtools.editor.answers import Symbol
    from bgtools.editor.document import CheckedText, Encoding, Position
    from bgtools.findings.finding import Finding, Fix

PAUSE: Final = 0.05
"""Seconds without a change after which a text is judged roughly; changes that come faster are judged together."""
REST: Final = 0.4
"""Seconds after that without a change until the text is judged in full."""

FIX_ALL: Final = "source.fixAll.bgtools"
UNSAFE: Final = "quickfix.unsafe"
"""The kinds of actions beside ``quickfix``, which is for safe fixes. No editor applies these unless it is told."""
REWRITE: Final = "refactor.rewrite"
REWRITE_COMMAND: Final = "bgtools.rewrite"

_SEVERITIES: Final = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.HINT: lsp.DiagnosticSeverity.Information,
}
_MOST_RELATED: Final = 20


class Server(LanguageServer):
    """Records that are open in an editor.

    Args:
        pause: seconds without a change after which a text is judged roughly.
        rest: seconds after that without a change until it is judged in full.
    """

    def __init__(self, pause: float = PAUSE, rest: float = REST) -> None:
        """Begin without any record."""
        super().__init__("bgtools", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.pause = pause
        self.rest = rest
        self.dialect = ""
        self.documents: dict[str, Document] = {}
        self.versions: dict[str, int] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        # One thread, for two searches at once would only slow each other down.
        self._searches = ThreadPoolExecutor(1, "bgtools-search")
        self.said_goodbye = False
        self._is_over = False

    def open(self, uri: str, text: str, version: int) -> None:
        """Take a record that an editor shows."""
        path = to_fs_path(uri) if uri.startswith("file:") else None
        self.documents[uri] = Document(path or uri, text, is_file=path is not None)
        self.versions[uri] = version
        self._judge_soon(uri, 0)

    def change(self, uri: str, text: str, version: int) -> None:
        """Take the new text of a record."""
        if (document := self.documents.get(uri)) is not None:
            document.change(text)
            self.versions[uri] = version
            self._judge_soon(uri, self.pause)

    def save(self) -> None:
        """Judge all records by settings that are read again: the file that was saved may be a settings file."""
        for uri, document in self.documents.items():
            document.forget_settings()
            self._judge_soon(uri, 0)

    def close(self, uri: str) -> None:
        """Forget a record."""
        self.documents.pop(uri, None)
        self.versions.pop(uri, None)
        if (task := self._waiting.pop(uri, None)) is not None:
            task.cancel()
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def _judge_soon(self, uri: str, pause: float) -> None:
        if (task := self._waiting.pop(uri, None)) is not None:
            task.cancel()
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._judge(uri, pause))

    async def _judge(self, uri: str, pause: float) -> None:
        """Publish the findings of a record after a pause in typing, and again when all readings have been tried."""
        await asyncio.sleep(pause)
        document = self.documents[uri]
        try:
            if pause:
                self._tell(uri, document.checked())
                await asyncio.sleep(self.rest)
            self._tell(uri, await self.in_full(document))
        except Superseded:
            return
        except Exception as error:  # a fault of ours, or of a plug-in, must not end in silence
            fault = f"{type(error).__name__}: {error}"
            told = f"{document.name}: not checked, by a fault of bgtools; please report it: {fault}"
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, printable(told)))

    async def in_full(self, document: Document) -> CheckedText:
        """What a record says, with all readings tried; other questions are answered meanwhile.

        Raises:
            Superseded: its text has changed meanwhile.
        """
        text = document.text
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._searches, lambda: document.judged_in_full(lambda: self._is_over or document.text is not text)
        )

    def end(self) -> None:
        """End all searches."""
        self._is_over = True
        self._searches.shutdown()

    def _tell(self, uri: str, text: CheckedText) -> None:
        """Publish the findings of a record."""
        units = self.units(text)
        told = [_diagnostic(finding, uri, text, units) for some in text.findings for finding in some]
        if (trouble := problem(text)) is not None:
            told.append(_diagnostic(trouble, uri, text, units))
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, told, self.versions.get(uri)))

    def units(self, text: CheckedText) -> Units:
        """How the editor counts places in a text."""
        encoding = self.server_capabilities.position_encoding or lsp.PositionEncodingKind.Utf16
        return Units(text.source, cast("Encoding", getattr(encoding, "value", encoding)), lead=text.lead)

    def edit(self, uri: str, fixes: Iterable[Fix], text: CheckedText) -> lsp.WorkspaceEdit:
        """Fixes as the editor's edit of a record."""
        units = self.units(text)
        return lsp.WorkspaceEdit(changes={uri: [_text_edit(fix, units) for fix in fixes]})

    def shows(self, uri: str, text: CheckedText) -> bool:
        """Whether the editor still has the text that was judged."""
        document = self.documents.get(uri)
        return document is not None and document.text[text.lead :] == text.source.text

    def refuse(self, error: NotFormatted) -> None:
        """Tell the user why something is not done."""
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, printable(str(error))))


def _position(position: Position) -> lsp.Position:
    return lsp.Position(*position)


def _range(span: Span, units: Units) -> lsp.Range:
    start, end = units.range(span)
    return lsp.Range(_position(start), _position(end))


def _text_edit(fix: Fix, units: Units) -> lsp.TextEdit:
    return lsp.TextEdit(_range(fix.span, units), fix.text)


def _diagnostic(finding: Finding, uri: str, text: CheckedText, units: Units) -> lsp.Diagnostic:
    """A finding as editors show it. A finding without a place in the text is at the beginning of the text."""
    span = finding.span if text.is_text or not text.matches else Span(0, 0)
    notes = [*finding.facts, *([f"hint: {finding.hint}"] if finding.hint else [])]
    related = [
        lsp.DiagnosticRelatedInformation(lsp.Location(uri, _range(each.span, units)), printable(each.message))
        for each in finding.related[:_MOST_RELATED]
        if text.is_text
    ]
    return lsp.Diagnostic(
        range=_range(span, units),
        message="\n".join(map(printable, (finding.message, *notes))),
        severity=_SEVERITIES[finding.severity],
        code=finding.code.id,
        source="bgtools",
        related_information=related or None,
    )


def _wants(kinds: list[str] | None, kind: str, *, unasked: bool = True) -> bool:
    """Whether an editor asks for actions of a kind; where it names no kinds, ``unasked``."""
    if not kinds:
        return unasked
    return any(kind == each or kind.startswith(f"{each}.") for each in kinds)


def make_server(pause: float = PAUSE, rest: float = REST) -> Server:
    """A server that answers what editors ask of records.

    Args:
        pause: seconds without a change after which a text is judged roughly.
        rest: seconds after that without a change until it is judged in full.
    """
    server = Server(pause, rest)

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        options = params.initialization_options
        if isinstance(options, dict):
            server.dialect = str(options.get("dialect") or "")

    @server.feature(lsp.SHUTDOWN)
    def shutdown(_: None) -> None:
        server.said_goodbye = True

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        server.open(item.uri, item.text, item.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        if params.content_changes:
            item = params.text_document
            server.change(item.uri, params.content_changes[-1].text, item.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(_: lsp.DidSaveTextDocumentParams) -> None:
        server.save()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    _answer_questions(server)
    _answer_actions(server)
    return server


def _answer_questions(server: Server) -> None:
    """Let a server answer questions about one place in a record, or about the whole of it."""

    def asked(params: Any) -> tuple[CheckedText, Units] | None:
        document = server.documents.get(params.text_document.uri)
        if document is None:
            return None
        judged = document.checked()
        return judged, server.units(judged)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: lsp.HoverParams) -> lsp.Hover | None:
        if (known := asked(params)) is None:
            return None
        judged, units = known
        found = hover(judged, units.offset((params.position.line, params.position.character)))
        if found is None:
            return None
        lines, span = found
        text = "\n".join(lines).replace("```", "'''")
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, f"```text\n{text}\n```"), range=_range(span, units))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def on_definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        if (known := asked(params)) is None:
            return []
        judged, units = known
        spans = causes(judged, units.offset((params.position.line, params.position.character)))
        return [lsp.Location(params.text_document.uri, _range(span, units)) for span in spans]

    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[":", " ", "/", *"0123456789"])
    )
    async def on_completion(params: lsp.CompletionParams) -> lsp.CompletionList:
        if (known := asked(params)) is None:
            return lsp.CompletionList(is_incomplete=False, items=[])
        judged, units = known
        offset = units.offset((params.position.line, params.position.character))
        items = [
            lsp.CompletionItem(
                label=each.title or each.text,
                kind=lsp.CompletionItemKind.Value,
                sort_text=f"{number:04}",
                filter_text=each.title or each.text,
                text_edit=lsp.TextEdit(_range(each.span, units), each.text),
            )
            for number, each in enumerate(suggestions(judged, offset))
        ]
        # The next letter may ask for the hops in another order, so an editor must ask again.
        return lsp.CompletionList(is_incomplete=True, items=items)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def on_symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        if (known := asked(params)) is None:
            return []
        judged, units = known
        return [_symbol(each, units) for each in symbols(judged)]

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def on_folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        if (known := asked(params)) is None:
            return []
        kinds = {True: lsp.FoldingRangeKind.Comment, False: lsp.FoldingRangeKind.Region}
        return [
            lsp.FoldingRange(each.first - 1, each.last - 1, kind=kinds[each.is_comment]) for each in folds(known[0])
        ]


def _symbol(symbol: Symbol, units: Units) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=symbol.name,
        detail=symbol.detail,
        kind=lsp.SymbolKind.Package if symbol.parts else lsp.SymbolKind.Event,
        range=_range(symbol.span, units),
        selection_range=_range(symbol.heading, units),
        children=[_symbol(part, units) for part in symbol.parts],
    )


def _answer_actions(server: Server) -> None:
    """Let a server offer edits. The record is judged in full for them, so that no edit is called safe too early."""

    async def in_full(uri: str) -> CheckedText | None:
        document = server.documents.get(uri)
        while document is not None:
            try:
                return await server.in_full(document)
            except Superseded:
                document = server.documents.get(uri)
        return None

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix, UNSAFE, FIX_ALL, REWRITE]),
    )
    async def on_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        if (judged := await in_full(uri)) is None:
            return []
        units, only = server.units(judged), [str(getattr(each, "value", each)) for each in params.context.only or []]
        start = units.offset((params.range.start.line, params.range.start.character))
        end = units.offset((params.range.end.line, params.range.end.character))
        actions = []
        for offer in await _off_the_loop(server, offers, judged, start, end):
            kind = lsp.CodeActionKind.QuickFix.value if offer.is_safe else UNSAFE
            if _wants(only, kind):
                actions.append(
                    lsp.CodeAction(
                        title=printable(offer.title),
                        kind=kind,
                        diagnostics=[_diagnostic(offer.finding, uri, judged, units)],
                        is_preferred=offer.is_safe or None,
                        edit=server.edit(uri, [offer.fix], judged),
                    )
                )
        # Judging every fix takes a while, so it is done only on request, such as when a file is saved.
        if _wants(only, FIX_ALL, unasked=False) and (fixes := await _off_the_loop(server, fix_all, judged)):
            title = "make all safe fixes"
            actions.append(lsp.CodeAction(title=title, kind=FIX_ALL, edit=server.edit(uri, fixes, judged)))
        if _wants(only, REWRITE, unasked=False):
            actions += [
                lsp.CodeAction(
                    title=f"rewrite in the dialect {dialect}",
                    kind=REWRITE,
                    command=lsp.Command("rewrite", REWRITE_COMMAND, arguments=[uri, dialect]),
                )
                for dialect in dialects(judged)
            ]
        return actions

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def on_formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        if (judged := await in_full(params.text_document.uri)) is None:
            return None
        try:
            fixes = await _off_the_loop(server, formatted, judged, server.dialect)
        except NotFormatted as error:
            server.refuse(error)
            return None
        units = server.units(judged)
        return [_text_edit(fix, units) for fix in fixes]

    @server.command(REWRITE_COMMAND)
    async def rewrite(uri: str, dialect: str) -> None:
        while (judged := await in_full(uri)) is not None:
            try:
                fixes = await _off_the_loop(server, formatted, judged, dialect)
            except NotFormatted as error:
                server.refuse(error)
                return
            # If the text has changed meanwhile, these are edits of another text.
            if server.shows(uri, judged):
                break
        if judged is not None and fixes:
            edit = server.edit(uri, fixes, judged)
            await server.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(edit, f"rewrite in {dialect}"))


def _off_the_loop(server: Server, function: Any, *given: object) -> Coroutine[Any, Any, Any]:
    """What a function returns; other questions are answered meanwhile."""
    return cast(
        "Coroutine[Any, Any, Any]",
        asyncio.get_running_loop().run_in_executor(server._searches, lambda: function(*given)),
    )


class _Kept:
    """A stream that its writer cannot close, because it belongs to the process."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        self._stream.write(data)

    def flush(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        self.flush()


def serve(source: BinaryIO, target: BinaryIO) -> bool:
    """Answer an editor until it says goodbye, or its stream ends.

    Args:
        source: the stream that the editor writes.
        target: the stream that the editor reads.

    Returns:
        Whether the editor said goodbye.
    """
    # What pygls logs about a malformed message is only of use to the author of an editor.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = make_server()
    try:
        server.start_io(source, cast("BinaryIO", _Kept(target)))
    finally:
        server.end()
    return server.said_goodbye
