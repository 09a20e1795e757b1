"""The mathematics of attention, with nothing around it: NumPy and the standard library only."""
