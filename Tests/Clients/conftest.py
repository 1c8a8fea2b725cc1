"""What tests of real clients start from that cannot share the browsers'
environment: they want older packages."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "Browser"))

from foyer import Foyer


@pytest.fixture(scope="session")
def foyer():
    server = Foyer("clients")
    yield server
    assert server.stop() == 0
