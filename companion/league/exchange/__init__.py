"""A whole league as one document: written, read with suspicion, compared, brought in, undone."""

from .bringing import Brought, bring_in, imports, is_brought_in, undo_import
from .comparing import Difference, compare
from .reading import ExchangeError, read_document
from .sending import export_league, write_document

__all__ = [
    "Brought",
    "Difference",
    "ExchangeError",
    "bring_in",
    "compare",
    "export_league",
    "imports",
    "is_brought_in",
    "read_document",
    "undo_import",
    "write_document",
]
