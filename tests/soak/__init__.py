"""Trials at full size, for `make soak`: each breaks something real, many times, and counts.

The second tier of the tests runs small doses of them.
"""
