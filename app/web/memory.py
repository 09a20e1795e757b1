"""Memory: what a server that answers all day asks of the C library and of Python's garbage collector.

The C library is asked to keep what was freed, so that the next sentence finds its arrays' memory warm. Without this, arrays
of some hundred kilobytes are given back to the system after every answer and faulted in again page by page, which costs more
than the mathematics. It does nothing where the C library is not glibc.

The collector is told that what is there when the server begins stays: it need not walk through a hundred thousand objects
of libraries while somebody waits for an answer.
"""

import ctypes
import gc

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # the numbers of mallopt(3)
KEPT = 128 * 1024 * 1024
"""Bytes of freed memory that are kept."""
_YOUNG = 10_000
"""New objects after which the collector looks for rings among them: about one page's."""


def keep_memory() -> bool:
    """Keep freed memory for reuse; True where the C library could be asked."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return bool(mallopt(_TRIM_THRESHOLD, KEPT)) and bool(mallopt(_MMAP_THRESHOLD, KEPT))


def spare_collector() -> None:
    """Leave out of every collection what is there when the server begins, for it stays; and collect less often."""
    gc.freeze()
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])
