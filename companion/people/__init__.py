"""The people of a league, their seasons and their house rules."""
