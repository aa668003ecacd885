"""A whole league as one document: written, read with suspicion, compared, brought in, undone."""

from .comparison import ImportPreview, preview_import
from .document_reader import ExchangeError, is_packed, read_document
from .exporting import export_league, packed, write_document
from .import_undo import Import, imports, undo_import
from .importing import ImportResult, import_document, is_imported

__all__ = [
    "ExchangeError",
    "Import",
    "ImportPreview",
    "ImportResult",
    "export_league",
    "import_document",
    "imports",
    "is_imported",
    "is_packed",
    "packed",
    "preview_import",
    "read_document",
    "undo_import",
    "write_document",
]
