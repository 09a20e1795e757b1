"""The application behind a client; property tests have no clock and leave no files behind."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.support.asking import Api
from tests.support.examples import FEWEST, SHARE

settings.register_profile("haibun", database=None, deadline=None, max_examples=max(FEWEST, 100 // SHARE))
settings.load_profile("haibun")


@pytest.fixture(scope="session")
def api() -> Iterator[Api]:
    """The application, asked without a network."""
    with Api() as asked:
        yield asked
