"""How many requests are generated, and from which seed.

The same few in every run; with `FOYER_ALL` more of them, and others each time:
a failure names the seed, and `FOYER_SEED` brings it back.
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
        # None is kept for the next run: it has its seed.
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def without_framing(headers):
    """What says where a message ends is the client's: a wrong one gets no answer of ours."""
    framing = ("content-length", "transfer-encoding", "connection", "host", "expect")
    return {k: v for k, v in (headers or {}).items() if k.lower() not in framing}


def said(case, response):
    """What came of a request, for the reader of the failure."""
    seed = f"FOYER_ALL=1 FOYER_SEED={SEED}\n" if ALL else ""
    return f"{seed}{case.as_curl_command()}\n{response.status_code} {response.text[:600]}"
