"""The time to lease and to delete workspaces, as tests do."""

import http.client
import json
import statistics
import time

from harness import QUICK, WORK, header, row
from processes import Foyer, cpu_seconds, end, resident

WORKSPACES = 20 if QUICK else 200


def measure_leases():
    foyer = Foyer(WORK / "leases")
    headers = {"Authorization": f"Bearer {foyer.key}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection("127.0.0.1", foyer.port)

    def timed(times, method, path, body=None):
        started_at = time.perf_counter()
        connection.request(method, path, body and json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read()
        times.append((time.perf_counter() - started_at) * 1000)
        if response.status >= 300:
            raise SystemExit(f"{method} {path}: {response.status}")
        return text and json.loads(text)

    seeds = {
        "empty": None,
        "an account": {"app": "mystica", "state": "verified"},
        "signed in": {"app": "mystica", "state": "signedIn"},
    }
    before = resident(foyer.process)
    print(f"\n{WORKSPACES:,} workspaces leased, then deleted, one by one:\n")
    header(
        "", "lease p50 ms", "p99 ms", "CPU", "delete p50 ms", "p99 ms", "CPU", "total",
        "resident increase",
    )  # fmt: skip
    for name, seed in seeds.items():
        leased, deleted = [], []
        started_at, used = time.perf_counter(), [cpu_seconds(foyer.process)]
        workspaces = [
            timed(
                leased,
                "POST",
                "/api/workspaces",
                {"ttl": 3_600, **({"seed": seed} if seed else {})},
            )["id"]
            for _ in range(WORKSPACES)
        ]
        added = resident(foyer.process) - before
        used.append(cpu_seconds(foyer.process))
        for workspace in workspaces:
            timed(deleted, "DELETE", f"/api/workspaces/{workspace}")
        duration = time.perf_counter() - started_at
        used.append(cpu_seconds(foyer.process))

        def cpu(before, after):
            return f"{(after - before) / WORKSPACES * 1000:.2f} ms"

        def percentile(times, share):
            return f"{sorted(times)[int(len(times) * share)]:.2f}"

        row(
            name,
            f"{statistics.median(leased):.2f}",
            percentile(leased, 0.99),
            cpu(*used[:2]),
            f"{statistics.median(deleted):.2f}",
            percentile(deleted, 0.99),
            cpu(*used[1:]),
            f"{duration:.1f} s",
            f"{added:.0f} MB",
        )
    end(foyer.process)
