"""The pages of a league: standings, people, seasons, files."""
