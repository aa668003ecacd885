"""Compiled templates are kept for the next process, where there is a place for them."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

from jinja2 import DictLoader, Environment

from companion.web.frame.compiled_pages import CompiledPages


def drawn(folder: Path, source: str, by: str = "1") -> tuple[str, bool]:
    """Draw a page in a process that has just started; returns whether it had to compile it."""
    pages = Environment(loader=DictLoader({"page": source}), autoescape=True)
    pages.bytecode_cache = CompiledPages(folder, by)
    with patch.object(pages, "_generate", wraps=pages._generate) as compiles:
        return pages.get_template("page").render(), compiles.called


def test_the_next_process_reads_what_one_compiled_until_it_changes(tmp_path: Path) -> None:
    assert drawn(tmp_path, "{{ 1 + 1 }}") == ("2", True)
    assert drawn(tmp_path, "{{ 1 + 1 }}") == ("2", False)
    assert drawn(tmp_path, "{{ 1 + 2 }}") == ("3", True)
    assert drawn(tmp_path, "{{ 1 + 2 }}", "another version") == ("3", True)


def test_a_damaged_file_and_a_folder_that_is_missing_are_passed_over(tmp_path: Path) -> None:
    assert drawn(tmp_path / "missing", "{{ 1 + 1 }}") == ("2", True)
    drawn(tmp_path, "{{ 1 + 1 }}")
    (kept,) = tmp_path.iterdir()
    for damage in (b"", kept.read_bytes()[:9]):
        kept.write_bytes(damage)
        assert drawn(tmp_path, "{{ 1 + 1 }}") == ("2", True)
