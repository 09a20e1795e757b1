"""Memory: ask the C library to keep what was freed, so that the next sentence finds its arrays' memory warm.

Without this, arrays of some hundred kilobytes are given back to the system after every answer and faulted in again page
by page, which costs more than the mathematics. It does nothing where the C library is not glibc.
"""

import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # the numbers of mallopt(3)
KEPT = 128 * 1024 * 1024
"""Bytes of freed memory that are kept."""


def keep_memory() -> bool:
    """Keep freed memory for reuse; True where the C library could be asked."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return bool(mallopt(_TRIM_THRESHOLD, KEPT)) and bool(mallopt(_MMAP_THRESHOLD, KEPT))
