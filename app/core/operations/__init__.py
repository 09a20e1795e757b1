"""The operations: each computes, explains a cell, and says how its result grows."""
