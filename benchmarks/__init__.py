"""Benchmarks: ratios measured in one run. `python -m benchmarks --help` says how to run them."""
