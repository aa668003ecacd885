"""What every page needs: the guard, forms, headers, faults."""
