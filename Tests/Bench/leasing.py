"""A world per test: so many leased, looked at, and dropped again."""

import http.client
import json
import statistics
import time

from measuring import QUICK, row
from processes import Foyer, end

WORLDS = 50 if QUICK else 1_000


def leasing(data):
    foyer = Foyer(data)
    headers = {"Authorization": f"Bearer {foyer.key}", "Content-Type": "application/json"}
    line = http.client.HTTPConnection("127.0.0.1", foyer.port)

    def timed(times, method, path, body=None):
        began = time.perf_counter()
        line.request(method, path, body and json.dumps(body), headers)
        answer = line.getresponse()
        text = answer.read()
        times.append((time.perf_counter() - began) * 1000)
        if answer.status >= 300:
            raise SystemExit(f"{method} {path}: {answer.status}")
        return text and json.loads(text)

    seeds = {
        "empty": None,
        "an account": {"app": "mystica", "state": "verified"},
        "signed in": {"app": "mystica", "state": "signedIn"},
    }
    before = foyer.resident()
    print(f"\n{WORLDS:,} workspaces leased, then dropped, one by one:\n")
    row("", "lease p50 ms", "p99 ms", "drop p50 ms", "p99 ms", "all of it", "resident more")
    row(*["---"] * 7)
    for name, seed in seeds.items():
        leased, dropped = [], []
        began = time.perf_counter()
        worlds = [
            timed(
                leased,
                "POST",
                "/api/workspaces",
                {"ttl": 3_600, **({"seed": seed} if seed else {})},
            )["id"]
            for _ in range(WORLDS)
        ]
        more = foyer.resident() - before
        for world in worlds:
            timed(dropped, "DELETE", f"/api/workspaces/{world}")
        took = time.perf_counter() - began

        def at(times, share):
            return f"{sorted(times)[int(len(times) * share)]:.2f}"

        row(
            name,
            f"{statistics.median(leased):.2f}",
            at(leased, 0.99),
            f"{statistics.median(dropped):.2f}",
            at(dropped, 0.99),
            f"{took:.1f} s",
            f"{more:.0f} MB",
        )
    end(foyer.process)
