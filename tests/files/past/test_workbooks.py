"""Workbooks: formulas by their stored value, and what would take any memory is refused."""

from __future__ import annotations

import io
import zipfile

import pytest

from companion.files.past import PastError, read_games, tables
from tests.support.patience import HANGS

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
PARTS = {
    "[Content_Types].xml": f"""<Types xmlns="{PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="{TYPES}.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{TYPES}.worksheet+xml"/></Types>""",
    "_rels/.rels": f"""<Relationships xmlns="{PACKAGE}/relationships">
<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>
</Relationships>""",
    "xl/workbook.xml": f"""<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">
<sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>""",
    "xl/_rels/workbook.xml.rels": f"""<Relationships xmlns="{PACKAGE}/relationships">
<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>
</Relationships>""",
}
HEAD = """<row r="1"><c r="A1" t="inlineStr"><is><t>Ann</t></is></c>
<c r="B1" t="inlineStr"><is><t>Bob</t></is></c></row>"""
SCORES = '<row r="2"><c r="A2"><v>5</v></c><c r="B2"><f>2+3</f><v>12</v></c></row>'
FAR = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
WIDE = '<row r="3"><c r="XFD3"><v>1</v></c></row>'
TALL = '<row r="900000"><c r="A900000"><v>1</v></c></row>'


def workbook(rows: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in PARTS.items():
            packed.writestr(name, f'<?xml version="1.0"?>{text}')
        sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
        packed.writestr("xl/worksheets/sheet1.xml", f'<?xml version="1.0"?>{sheet}')
    return out.getvalue()


def test_a_formula_is_its_stored_value() -> None:
    (game,) = read_games(workbook(HEAD + SCORES), {}).games
    assert (game.players, game.sums) == (["Ann", "Bob"], [5, 12])


def test_an_open_document_sheet_is_read() -> None:
    namespaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text", "manifest")
    )
    rows = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="float" office:value="{cell}"/>'
            if isinstance(cell, int)
            else f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p>'
            "</table:table-cell>"
            for cell in row
        )
        + "</table:table-row>"
        for row in (("Round", "Ann", "Bob"), (1, 5, 0), (2, 0, 10))
    )
    content = (
        f"<office:document-content {namespaces}><office:body><office:spreadsheet>"
        f'<table:table table:name="A">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr("content.xml", f'<?xml version="1.0"?>{content}')
        packed.writestr("META-INF/manifest.xml", f"<manifest:manifest {namespaces}/>")
    (game,) = read_games(out.getvalue(), {}).games
    assert (game.players, game.points) == (["Ann", "Bob"], [[5, 0], [0, 10]])


@pytest.mark.parametrize("rows", [FAR, WIDE, TALL], ids=["far", "wide", "tall"])
def test_one_cell_far_out_takes_neither_memory_nor_time(
    rows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "PATIENCE", HANGS)  # refused for what it is, not for its time
    with pytest.raises(PastError, match="isn't a table"):
        read_games(workbook(HEAD + SCORES + rows), {})


def test_what_unpacks_to_very_much_is_refused_before_it_is_unpacked() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", "0" * 101 * 2**20)
    with pytest.raises(PastError, match="too large"):
        read_games(out.getvalue(), {})
