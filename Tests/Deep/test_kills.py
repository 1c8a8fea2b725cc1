"""Repeated SIGKILL under mixed load: no acknowledged write is lost.

`FOYER_KILLS` is the number of kills, 200 by default.
"""

import os
import random
import statistics
import time
from collections import Counter

from load import Cell, Load, integrity

KILLS = int(os.environ.get("FOYER_KILLS", 200))
# Minimum and maximum of acknowledged writes between two kills.
WRITES_BETWEEN = (4, 24)
# Faults, one of which affects one device's logins between two kills.
FAULTS = [
    {"kind": "offline", "times": 2},
    {"kind": "status", "status": 503, "times": 2},
    {"kind": "reset", "phase": "after", "times": 1},
    {"kind": "accessTokenExpired", "times": 1},
]
CLOCK = Cell("/api/clock", ("offset",))


def test_kills_under_mixed_load_lose_no_acknowledged_write(fresh_foyer, upstream):
    foyer = fresh_foyer
    rng = random.Random(20261123)
    load = Load(foyer, upstream, rng)
    durations = []
    for number in range(KILLS):
        load.client.send("DELETE", "/api/faults")
        fault = rng.choice(FAULTS) | {"device": rng.choice(load.workers).home_device}
        load.client.send("POST", "/api/faults", fault)
        load.begin()
        load.client.send("PATCH", CLOCK.path, {"advance": 30})
        load.expected.acknowledge("clock", (CLOCK, 30 * (number + 1)))
        load.expected.wait_for_writes(rng.randint(*WRITES_BETWEEN))
        # Kill at any time, and not only right after an acknowledgment.
        load.threads[0].join(rng.random() * 0.03)
        foyer.kill()
        load.end()
        started_at = time.monotonic()
        foyer.start()
        durations.append(time.monotonic() - started_at)
        load.check()
        # At most one session of a device is active.
        active = load.client.send("GET", "/api/sessions?state=active&limit=500")["items"]
        assert max(Counter(session["device"] for session in active).values(), default=0) <= 1
        load.delete_unacknowledged_snapshots()
    load.check_all()
    acknowledged = load.expected.acknowledged
    print(
        f"\n{KILLS} kills, acknowledged: {dict(acknowledged)}; start: median "
        f"{statistics.median(durations) * 1000:.0f} ms, slowest {max(durations) * 1000:.0f} ms"
    )
    assert acknowledged.total() >= KILLS * WRITES_BETWEEN[0]
    # Every kind of write occurred.
    kinds = {*load.workers[0].ACTIONS, "session", "delete", "clock"}
    assert set(acknowledged) == kinds or KILLS < 20, acknowledged
    assert foyer.stop() == 0
    assert integrity(foyer.data) == {
        name: [("ok",)] for name in ("backend.sqlite", "devices.sqlite", "traffic.sqlite")
    }
