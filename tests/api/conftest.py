"""The application, behind a client."""

from collections.abc import Iterator

import pytest

from .asking import Api


@pytest.fixture(scope="session")
def api() -> Iterator[Api]:
    """The application, asked without a network."""
    with Api() as asked:
        yield asked
