"""An editor as far as the protocol goes: it talks JSON-RPC to a server that runs as a process of its own."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PATIENCE = 60.0
COMMAND = (sys.executable, "-m", "fsmcheck", "lsp")
MARKED = {
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    }
}


class Editor:
    """One session. Texts are sent whole; positions are ``(line, character)`` in the agreed encoding."""

    def __init__(self, *arguments: str, cwd: Path | None = None, command: Sequence[str] = COMMAND) -> None:
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
        )
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._number = 0
        self._versions: dict[str, int] = {}
        self.published: list[dict[str, Any]] = []
        self.shown: list[str] = []
        self.log: list[bytes] = []
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._read, self._drain)]
        for thread in self._threads:
            thread.start()

    def initialize(self, capabilities: Mapping[str, Any] = MARKED, root: Path | None = None) -> dict[str, Any]:
        answer: dict[str, Any] = self.ask(
            "initialize",
            {"processId": os.getpid(), "rootUri": root.as_uri() if root else None, "capabilities": dict(capabilities)},
        )
        self.tell("initialized", {})
        return answer

    def open(self, uri: str, text: str) -> None:
        self._versions[uri] = 1
        item = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, text: str) -> int:
        self._versions[uri] += 1
        document = {"uri": uri, "version": self._versions[uri]}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return self._versions[uri]

    def save(self, uri: str) -> None:
        self.tell("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def at(self, method: str, uri: str, position: tuple[int, int], **more: object) -> Any:
        """Ask about a place."""
        place = {"line": position[0], "character": position[1]}
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": place, **more})

    def diagnostics(
        self, uri: str, wanted: Callable[[list[dict[str, Any]]], bool] = lambda _: True, version: int | None = None
    ) -> list[dict[str, Any]]:
        """The next diagnostics of a text that are as wanted, and of that version if one is given."""
        deadline = time.monotonic() + PATIENCE
        while True:
            for number, each in enumerate(self.published):
                fits = each["uri"] == uri and version in (None, each.get("version"))
                if fits and wanted(each["diagnostics"]):
                    del self.published[: number + 1]
                    found: list[dict[str, Any]] = each["diagnostics"]
                    return found
            self._handle(deadline)

    def settled(self, uri: str, *rules: str) -> list[dict[str, Any]]:
        """The next diagnostics that have exactly these rules."""
        return self.diagnostics(uri, lambda found: sorted(codes(found)) == sorted(rules))

    def ask(self, method: str, params: object) -> Any:
        """Send a request; the result. Raises ``RefusedError`` for an error."""
        self._number += 1
        number = self._number
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self._handle(deadline)
            if answer is not None and answer.get("id") == number:
                if "error" in answer:
                    raise RefusedError(answer["error"])
                return answer.get("result")

    def tell(self, method: str, params: object) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, message: object) -> None:
        self.send_bytes(json.dumps(message).encode())

    def send_bytes(self, body: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def quit(self) -> int:
        """Shut down and exit in good order; the exit code."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(PATIENCE)

    def end(self) -> None:
        """Kill the server if it is still there."""
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(BrokenPipeError):
                if stream is not None:
                    stream.close()

    def children(self) -> list[int]:
        """The processes below the server."""
        return descendants(self.process.pid)

    def _handle(self, deadline: float) -> dict[str, Any] | None:
        """Take one message: an answer is returned, all else kept."""
        message = self._messages.get(timeout=max(0.01, deadline - time.monotonic()))
        assert message is not None, b"".join(self.log).decode()
        match message.get("method"):
            case "textDocument/publishDiagnostics":
                self.published.append(message["params"])
            case "window/showMessage":
                self.shown.append(message["params"]["message"])
            case None:
                return message
        return None

    def _read(self) -> None:
        assert self.process.stdout is not None
        stream = self.process.stdout
        while header := stream.readline():
            length = int(header.removeprefix(b"Content-Length: ")) if header.startswith(b"Content-Length") else None
            while header.strip():
                header = stream.readline()
            self._messages.put(json.loads(stream.read(length)))
        self._messages.put(None)

    def _drain(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)


class RefusedError(Exception):
    """The server answered with an error; ``args[0]`` is it."""


@contextmanager
def editor(
    *arguments: str,
    cwd: Path | None = None,
    capabilities: Mapping[str, Any] = MARKED,
    root: Path | None = None,
    command: Sequence[str] = COMMAND,
) -> Iterator[Editor]:
    """A session that was opened, and is closed in good order."""
    session = Editor(*arguments, cwd=cwd, command=command)
    try:
        session.initialize(capabilities, root)
        yield session
        assert session.quit() == 0
        assert not any(b"Traceback" in line for line in session.log), b"".join(session.log).decode()
    finally:
        session.end()


def codes(diagnostics: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(each["code"]) for each in diagnostics]


def descendants(pid: int) -> list[int]:
    """All processes below one, by what the system says of each."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            state, parent = stat.rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(entry.name)] = int(parent)
    found, frontier = [], [pid]
    while frontier:
        frontier = [child for child, parent in parents.items() if parent in frontier]
        found.extend(frontier)
    return found


def where(text: str, needle: str, number: int = 0, inside: int = 1) -> tuple[int, int]:
    """The line and UTF-16 character of a place ``inside`` the needle's occurrence of that number."""
    offset = -1
    for _ in range(number + 1):
        offset = text.index(needle, offset + 1)
    before = text[: offset + inside]
    line = before.count("\n")
    return line, len(before.rpartition("\n")[2].encode("utf-16-le")) // 2


def offset_of(text: str, position: Mapping[str, int]) -> int:
    """The offset of a place in UTF-16."""
    lines = text.splitlines(keepends=True)
    line = lines[position["line"]] if position["line"] < len(lines) else ""
    units = line.encode("utf-16-le")[: 2 * position["character"]].decode("utf-16-le")
    return sum(len(each) for each in lines[: position["line"]]) + len(units)


def edited(text: str, edits: Sequence[Mapping[str, Any]]) -> str:
    """The text with the edits made."""
    spans = [(offset_of(text, e["range"]["start"]), offset_of(text, e["range"]["end"]), e["newText"]) for e in edits]
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text
