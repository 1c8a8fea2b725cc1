"""SIGKILL again and again under mixed load: nothing acknowledged is lost.

`FOYER_KILLS` says how often, 200 times without it.
"""

import os
import random
import statistics
import time
from collections import Counter

from load import Cell, Load, integrity

KILLS = int(os.environ.get("FOYER_KILLS", 200))
# Acknowledged writes between two kills, at least and at most.
BETWEEN = (4, 24)
# What one device's logins meet between two kills.
FAULTS = [
    {"kind": "offline", "times": 2},
    {"kind": "status", "status": 503, "times": 2},
    {"kind": "reset", "phase": "after", "times": 1},
    {"kind": "accessTokenExpired", "times": 1},
]
CLOCK = Cell("/api/clock", ("offset",))


def test_nothing_acknowledged_is_lost_by_kills_under_mixed_load(fresh_foyer, upstream):
    foyer = fresh_foyer
    chance = random.Random(20261123)
    load = Load(foyer, upstream, chance)
    starts = []
    for number in range(KILLS):
        load.client.ask("DELETE", "/api/conditions")
        fault = chance.choice(FAULTS) | {"device": chance.choice(load.workers).home}
        load.client.ask("POST", "/api/conditions", fault)
        load.begin()
        load.client.ask("PATCH", CLOCK.path, {"advance": 30})
        load.ledger.acknowledge("clock", (CLOCK, 30 * (number + 1)))
        load.ledger.wait(chance.randint(*BETWEEN))
        # Not only right after an acknowledgement.
        load.threads[0].join(chance.random() * 0.03)
        foyer.kill()
        load.end()
        begun = time.monotonic()
        foyer.start()
        starts.append(time.monotonic() - begun)
        load.check()
        # Of the sessions on a device at most one lasts.
        lasting = load.client.ask("GET", "/api/sessions?state=active&limit=500")["items"]
        assert max(Counter(one["device"] for one in lasting).values(), default=0) <= 1
        load.tidy()
    load.check_all()
    acknowledged = load.ledger.acknowledged
    print(
        f"\n{KILLS} kills, acknowledged: {dict(acknowledged)}; start: median "
        f"{statistics.median(starts) * 1000:.0f} ms, slowest {max(starts) * 1000:.0f} ms"
    )
    assert acknowledged.total() >= KILLS * BETWEEN[0]
    # Each kind was among them.
    kinds = {*load.workers[0].ACTS, "session", "delete", "clock"}
    assert set(acknowledged) == kinds or KILLS < 20, acknowledged
    assert foyer.stop() == 0
    assert integrity(foyer.data) == {
        name: [("ok",)] for name in ("backend.sqlite", "devices.sqlite", "traffic.sqlite")
    }
