"""What is protected and what isn't, said for players."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion.web.middleware.guard import public

blueprint = Blueprint("protection", __name__)


@blueprint.get("/protection")
@public
def show() -> str:
    """Say what this protects, what it doesn't, and what a family can do."""
    return render_template("join/protection.html")
