"""One game and its only writer."""
