"""Old scores in the shapes in which people keep them."""
