"""Requests in, answers out: reading, rendering, static files."""
