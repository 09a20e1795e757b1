"""What the server asks of the garbage collector."""

import gc

from app.web.memory import spare_collector


def test_what_is_there_is_left_out_of_collections_and_new_rings_are_still_found() -> None:
    before = gc.get_threshold()
    try:
        spare_collector()
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold()[0] > before[0] or before[0] >= 10_000
        ring: list[object] = []
        ring.append(ring)
        del ring
        assert gc.isenabled()
        assert gc.collect() >= 1
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
