"""Whole layers: norms, feed-forward networks, experts, and how they are stacked."""
