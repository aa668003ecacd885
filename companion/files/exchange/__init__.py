"""A whole league as one document: written, read with suspicion, compared, brought in, undone."""

from .comparison import ImportPreview, preview_import
from .document_reader import ExchangeError, read_document
from .exporting import export_league, write_document
from .importing import ImportResult, import_document, imports, is_imported, undo_import

__all__ = [
    "ExchangeError",
    "ImportPreview",
    "ImportResult",
    "export_league",
    "import_document",
    "imports",
    "is_imported",
    "preview_import",
    "read_document",
    "undo_import",
    "write_document",
]
