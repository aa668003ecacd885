"""Migrations run with the product's own connection settings, foreign keys checked at the end."""

from alembic import context
from flask import current_app
from sqlalchemy import text

from companion.upkeep.recount import derive_all

# `engine` among the attributes is another database than the app's: a copy that is looked over.
engine = context.config.attributes.get("engine") or current_app.extensions["migrate"].db.engine
metadata = current_app.extensions["migrate"].db.metadata


def run() -> None:
    """Migrate in one transaction; in SQLite foreign keys rest until everything is in place."""
    with engine.execution_options(writing=True).connect() as connection:
        is_sqlite = engine.dialect.name == "sqlite"
        raw = connection.connection.dbapi_connection
        if is_sqlite:
            raw.execute("PRAGMA foreign_keys=OFF")
        with connection.begin():
            context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
            before, is_derived = context.get_context().get_current_revision(), True
            if before and before < "0013":
                is_derived = before >= "0003" and not underived_leagues(connection)
            context.run_migrations()
            after = context.get_context().get_current_revision()
            if is_sqlite:
                check_foreign_keys(connection)
            if before and before < "0013" and after == context.get_head_revision():
                derive_all(connection, ratings_only=is_derived)
        if is_sqlite:
            raw.execute("PRAGMA foreign_keys=ON")


def underived_leagues(connection) -> bool:
    """Tell whether an earlier version was stopped before it had worked everything out."""
    return bool(connection.scalar(text("SELECT count(*) FROM league WHERE revision < 0")))


def check_foreign_keys(connection) -> None:
    """Refuse, and so roll back, a migration that leaves a row pointing nowhere."""
    lost = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if lost:
        raise RuntimeError(f"this migration would leave {len(lost)} rows pointing nowhere")


run()
