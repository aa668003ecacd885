"""What is made once and shown again: parts of pages, whole pages, and answers."""
