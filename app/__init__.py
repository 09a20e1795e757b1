"""Haibun: attention, step by step, with true numbers."""
