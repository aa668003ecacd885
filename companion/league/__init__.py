"""The league: its tables, the only writer, and the readers of games and standings."""
