"""What keeps a database sound: start, backup, restore, integrity."""
