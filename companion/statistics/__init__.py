"""Looking back: standings, ratings, profiles, records, and how likely what comes is."""
