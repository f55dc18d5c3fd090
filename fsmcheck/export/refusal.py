"""What cannot be exported."""

from __future__ import annotations


class ExportError(ValueError):
    """The model cannot be written; the message says what stands in the way and what to do."""
