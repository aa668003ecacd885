"""Tools for those who work on the project: what the product needs was made with them."""
