"""The app, for `flask` and for servers that want a module."""

from companion import create_app

app = create_app()
