"""The same answers, quickly, where nothing limits the wilds: what most games are played with."""
