"""Card Table Companion: scores and rules for rummy games played with real cards."""
