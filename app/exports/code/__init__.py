"""A scenario as code: notebook, NumPy, PyTorch."""
