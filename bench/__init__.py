"""Benchmarks: what they measure and found stands in docs/performance.md."""
