"""Tests of the mathematics: by hand, against plain loops, properties, golden vectors, contracts."""
