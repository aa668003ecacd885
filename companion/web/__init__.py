"""The pages: one module per place, thin views that end in a page or a redirect."""

from flask import Flask


def init_app(app: Flask) -> None:
    """Tie the pages to the app."""
