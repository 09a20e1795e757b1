"""Other ways from queries, keys and values to answers: tiles, linear attention, a cache, a state space."""
