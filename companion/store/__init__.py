"""The database: its tables, connections and keys, and what every room writes and reads alike."""
