"""Is everything as it should be: `flask recount` and `flask doctor`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from companion.store import database
from companion.store.installation import COMMAND
from companion.store.models import db

from .file_commands import find_league
from .output import PlainCommand, Progress, need_tables, print_first

MOST_PRINTED = 200


@click.command(cls=PlainCommand)
@click.option("--league", default="", help="Only this league, a number or a name.")
@click.option("--mend", is_flag=True, help="Recalculate everything that is derived.")
def recount(league: str, *, mend: bool) -> None:
    """Compare posted points, sums and ratings with what today's rules give for the stored cards.

    Posted points are never changed, only compared.
    """
    from companion.upkeep import recount as checks

    need_tables()
    chosen = _leagues(league)
    found = [
        (f"League {number}: {drift.words}", drift.mendable)
        for number in chosen
        for drift in checks.recount(number, Progress("Games recounted"))
    ]
    print_first([words for words, _ in found], MOST_PRINTED)
    mendable = sum(derived for _, derived in found)
    if mend and mendable:
        for number in chosen:
            checks.mend(number, Progress("Games mended"))
        click.echo("Everything derived has been recalculated.")
    elif mendable:
        click.echo(f"{mendable} of these are derived: --mend recalculates them.")
    if not found:
        click.echo("Everything is as it should be.")
    # What is posted is never mended, so it is still a finding.
    if len(found) > (mendable if mend else 0):
        raise click.exceptions.Exit(1)


def _leagues(wanted: str) -> list[int]:
    from companion.upkeep.recount import leagues

    db.session.rollback()
    return [find_league(db.session(), wanted).id] if wanted else leagues(db.session())


@click.command(cls=PlainCommand)
def doctor() -> None:
    """Prove that the database is whole: its file, every game and every history."""
    need_tables()
    found = [*_copied(), *_faults()]
    print_first(found, MOST_PRINTED)
    if found:
        raise click.exceptions.Exit(1)
    click.echo("The database is whole.")


def _copied() -> Iterator[str]:
    from companion.upkeep.backups import contents, is_plain_copy

    path = database.sqlite_file()
    if path and is_plain_copy(path):
        yield (
            f"{path} was copied by hand from a server in use: its latest scores may be missing. "
            f"It holds {contents(path).words}. Compare that with the original, or go back to it "
            f"with {COMMAND} restore; for copies use {COMMAND} backup. "
            "Serving this file accepts it."
        )


def _faults() -> Iterator[str]:
    from companion.upkeep.integrity import all_faults

    return all_faults(db.session(), Progress("Games looked over"))
