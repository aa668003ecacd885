"""The pages of a game: started, entered, corrected, seen from every phone."""
