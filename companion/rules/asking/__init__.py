"""How a question is read: its words, the numbers in it, what it is about and in which game."""
