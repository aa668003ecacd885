"""What stands around every page: who asks, what they may, headers, faults, limits, logs."""
