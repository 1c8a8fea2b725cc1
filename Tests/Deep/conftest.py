"""What the long tests start from: a foyer each, with the helpers of the browser tests."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Browser"))

from foyer import Foyer
from standin import StandIn


@pytest.fixture
def upstream():
    """A backend beside the embedded one: it answers with what it was sent."""
    server = StandIn(lambda method, path, body: (200, body or b"nothing"))
    yield server
    server.stop()


@pytest.fixture
def fresh_foyer(request):
    """A foyer for one test alone, which it may kill."""
    # All recorded exchanges are kept: each of them may be asked for at the end.
    server = Foyer(re.sub(r"\W+", "-", request.node.name)[:60], ["--keep", "1000000"])
    yield server
    server.kill()
