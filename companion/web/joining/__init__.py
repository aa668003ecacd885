"""The pages by which phones come and go."""
