"""A whole league as a file: exported, imported, archived."""
