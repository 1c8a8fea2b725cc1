"""Fixtures of tests with real clients. They have their own environment, because they need older
packages than the browser tests."""

import sys
from pathlib import Path

import pytest

# Last, because a module there has the name of a client.
sys.path.append(str(Path(__file__).parents[1] / "Browser"))

from foyer import Foyer


@pytest.fixture(scope="session")
def foyer():
    server = Foyer("clients")
    yield server
    assert server.stop() == 0
