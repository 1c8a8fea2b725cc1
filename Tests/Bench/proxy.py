"""Requests that the console proxies and records, compared with other proxies."""

import statistics
import time

from harness import MANY, QUICK, ROUNDS, SECONDS, WORK, header, median, microseconds, row, wrk
from processes import Foyer, end, resident
from upstreams import bare, mitmdump, mitmweb, nginx


def measure_proxy():
    foyer = Foyer(WORK / "proxy")
    device = foyer.device(bare().url)["id"]
    foyer_url = f"{foyer.base}/proxy/main@{device}/mystica/"
    servers = {"Foyer, recorded": (foyer_url, foyer.process)}
    for name, server in {
        "nginx as proxy": nginx(),
        "mitmdump": mitmdump(),
        "mitmweb": mitmweb(),
    }.items():
        if server:
            servers[name] = (server.url + "/", server.process)
    results = {(name, c): [] for name in servers for c in (1, 64)}
    recorded = []
    for _ in range(ROUNDS):
        for connections in (1, 64):
            for name, (url, process) in servers.items():
                before, started_at = foyer.exchanges(), time.monotonic()
                results[name, connections].append(wrk(url, connections, (), process))
                if connections == 64 and url == foyer_url:
                    recorded.append((foyer.exchanges() - before) / (time.monotonic() - started_at))
    after = {}
    for name, (url, process) in servers.items():
        rate = max(median(results[name, 64])["rate"], 1)
        # The number of requests that the rounds did not send, as far as the time suffices.
        remaining = MANY - sum(r["rate"] * SECONDS for c in (1, 64) for r in results[name, c])
        if remaining > 0:
            wrk(url, 64, seconds=min(max(1, round(remaining / rate)), 2 if QUICK else 10))
        after[name] = resident(process)
    print(f"\nProxied requests, each with a body; {MANY:,} and more:\n")
    header(
        "", "requests/s at 64", "of nginx", "recorded/s", "p50 ms", "p99 ms", "CPU", "alone/s",
        "p50 ms", "p99 ms", "CPU", "resident after",
    )  # fmt: skip
    base = median(results["nginx as proxy", 64])["rate"]
    for name in servers:
        many, one = median(results[name, 64]), median(results[name, 1])
        row(
            name,
            f"{many['rate']:,.0f}",
            f"{many['rate'] / base:.2f}",
            f"{statistics.median(recorded):,.0f}" if name.startswith("Foyer") else "–",
            f"{many['p50']:.2f}",
            f"{many['p99']:.2f}",
            microseconds(many),
            f"{one['rate']:,.0f}",
            f"{one['p50']:.3f}",
            f"{one['p99']:.3f}",
            microseconds(one),
            f"{after[name]:.0f} MB",
        )
    end(foyer.process)
