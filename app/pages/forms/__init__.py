"""The page of all forms of attention, as small cards."""
