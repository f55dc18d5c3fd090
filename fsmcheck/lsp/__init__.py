"""The language server: what an editor is told about a spec while somebody writes it."""
