"""How long a test waits for what hangs; nothing that only takes its time is ever cut off."""

HANGS = 300
"""Seconds after which anything is taken to hang, however busy the machine is."""
