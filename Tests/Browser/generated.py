"""The number of generated requests, and their seed.

Every run generates the same few. With `FOYER_ALL` there are more, and different ones each time: a
failure prints the seed, and `FOYER_SEED` repeats it.
"""

import os
import random

from hypothesis import HealthCheck, Phase, core, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

ALL = "FOYER_ALL" in os.environ
SEED = int(os.environ.get("FOYER_SEED", "0"), 0) or random.SystemRandom().randrange(1 << 32)
if ALL:
    core.global_force_seed = SEED


def requests(usual, many):
    return settings(
        max_examples=many if ALL else usual,
        derandomize=not ALL,
        # No failure is stored for the next run: the seed repeats it.
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def without_framing(headers):
    """Drops the headers that frame a message: with wrong ones the response would not be Foyer's."""
    framing = ("content-length", "transfer-encoding", "connection", "host", "expect")
    return {k: v for k, v in (headers or {}).items() if k.lower() not in framing}


def said(case, response):
    """The request and its response, for the failure message."""
    seed = f"FOYER_ALL=1 FOYER_SEED={SEED}\n" if ALL else ""
    body = response.content[:600].decode(errors="replace")
    return f"{seed}{case.as_curl_command()}\n{response.status_code} {body}"
