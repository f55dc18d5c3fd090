"""The protocol: what an editor asks and what it is answered."""

from __future__ import annotations

import logging
import os
import signal
from pathlib import Path
from types import FrameType
from typing import NoReturn

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

from fsmcheck import __version__
from fsmcheck.lsp import answers
from fsmcheck.lsp.analysis import UNSAVED, Settings
from fsmcheck.lsp.session import Session
from fsmcheck.report import sanitise

_INTERRUPTED = 3
_LONGEST = 1_000
_TRIGGERS = [".", " ", "'", '"', "{", "[", ","]


class _Server(LanguageServer):
    """Says nothing to the user about messages that are malformed: the log has it."""

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002
        logging.getLogger("fsmcheck").warning("%s: %s", type(error).__name__, error)


class _Protocol(LanguageServerProtocol):
    """Keeps tracebacks out of answers."""

    def _send_response(
        self, msg_id: str | int, result: object = None, error: types.ResponseError | None = None
    ) -> None:
        if error is not None:
            error.data = None
        super()._send_response(msg_id, result, error)


class _OneLine(logging.Formatter):
    def formatException(self, ei: object) -> str:  # noqa: ARG002, N802
        return ""

    def format(self, record: logging.LogRecord) -> str:
        first, _, _ = record.getMessage().partition("\n")
        return f"fsmcheck: {record.levelname.lower()}: {sanitise.line(first[:_LONGEST])}"


def serve(settings: Settings) -> int:
    """Serve one editor over standard input and output; the exit code.

    It is 0 where the editor asked to shut down first, 1 where it went away without.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    server = _Server(
        "fsmcheck",
        __version__,
        text_document_sync_kind=types.TextDocumentSyncKind.Full,
        protocol_cls=_Protocol,
        max_workers=2,
    )
    _register(server, settings)
    # A copy: pygls closes it, and what else is printed must not get between the messages.
    messages = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    server.start_io(stdout=messages)
    # pygls swallows the exit code that it makes of this itself.
    return 0 if server.protocol._shutdown else 1


def _end(_number: int, _frame: FrameType | None) -> NoReturn:
    """End at once: a thread waits for standard input, and children end with their parent."""
    os._exit(_INTERRUPTED)


def _register(server: LanguageServer, settings: Settings) -> None:
    def tell(message: str) -> None:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"fsmcheck: {message}"))

    session = Session(settings, server.text_document_publish_diagnostics, tell)
    _life(server, session)
    _texts(server, session)
    _questions(server, session)
    _changes(server, session)


def _life(server: LanguageServer, session: Session) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(_params: types.InitializeParams) -> None:
        session.encoding = str(server.workspace.position_encoding or types.PositionEncodingKind.Utf16)
        root = server.workspace.root_path
        session.folder = Path(root) if root is not None else None

    @server.feature(types.SHUTDOWN)
    async def shutdown(_params: None) -> None:
        await session.stop()


def _texts(server: LanguageServer, session: Session) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        session.opened(document.uri, _path(document.uri), document.text, document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        session.changed(uri, server.workspace.get_text_document(uri).source, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        await session.saved(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        session.closed(params.text_document.uri)


def _questions(server: LanguageServer, session: Session) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        found = await session.current(params.text_document.uri)
        return found and answers.hover(session, *found, params.position, server.client_capabilities)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: types.DefinitionParams) -> list[types.Location]:
        found = await session.current(params.text_document.uri)
        return answers.places(*found, params.position, declarations=True) if found else []

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(params: types.ReferenceParams) -> list[types.Location]:
        found = await session.current(params.text_document.uri)
        both = None if params.context.include_declaration else False
        return answers.places(*found, params.position, declarations=both) if found else []

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        found = await session.current(params.text_document.uri)
        same = answers.places(*found, params.position, declarations=None) if found else []
        return [types.DocumentHighlight(place.range) for place in same]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(
        params: types.DocumentSymbolParams,
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
        found = await session.current(params.text_document.uri)
        return answers.symbols(*found, server.client_capabilities) if found else []

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS))
    async def completion(params: types.CompletionParams) -> types.CompletionList:
        found = await session.current(params.text_document.uri)
        items = answers.completions(*found, params.position, server.client_capabilities) if found else []
        return types.CompletionList(is_incomplete=False, items=items)


def _changes(server: LanguageServer, session: Session) -> None:
    kinds = types.CodeActionOptions([types.CodeActionKind.QuickFix])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        found = await session.current(params.text_document.uri)
        return answers.actions(*found, params) if found else []

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
        found = await session.current(params.text_document.uri)
        return answers.renameable(found, params.position)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit:
        found = await session.current(params.text_document.uri)
        return answers.renaming(found, params.position, params.new_name)


def _path(uri: str) -> str:
    """The path of a file, ``UNSAVED`` for what is none."""
    try:
        path = to_fs_path(uri) if uri.startswith("file:") else None
    except (ValueError, JsonRpcException):
        path = None
    return path if path and "\0" not in path else UNSAVED
