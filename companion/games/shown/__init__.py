"""What pages show of games: scoreboards, their course, lists, and a search."""
