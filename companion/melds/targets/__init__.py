"""The full search for the nearest targets of any contract, under any limits on wilds."""
