"""Fixtures of the long tests. They use the helpers of the browser tests."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Browser"))

from foyer import Foyer
from standin import StandIn


@pytest.fixture
def upstream():
    """A second backend, which responds with the body it was sent."""
    server = StandIn(lambda method, path, body: (200, body or b"nothing"))
    yield server
    server.stop()


@pytest.fixture
def fresh_foyer(request):
    """A foyer for a single test, which may kill it."""
    # No recorded exchange is deleted: each may be read at the end.
    server = Foyer(re.sub(r"\W+", "-", request.node.name)[:60], ["--keep", "1000000"])
    yield server
    server.kill()
