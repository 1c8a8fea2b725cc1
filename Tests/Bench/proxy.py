"""Requests that the console proxies and records, compared with other proxies."""

import re
import statistics
import sys
import time
from pathlib import Path

from harness import MANY, ROUNDS, SECONDS, WORK, median, row, wrk
from processes import ROOT, end, free_port, spawn, wait_for_port


def resident(process):
    """Resident MB of a process and its descendants."""
    total, pending = 0, [process.pid]
    while pending:
        pid = pending.pop()
        try:
            text = Path(f"/proc/{pid}/status").read_text()
            pending += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        except OSError:
            continue
        total += int(re.search(r"VmRSS:\s+(\d+)", text)[1])
    return total / 1024


def start_mitmweb(bare):
    """Starts mitmweb, which stores proxied requests as Foyer does, but in memory."""
    web = ROOT / ".build/bench-venv/bin/mitmweb"
    if not web.exists():
        print("mitmproxy is not installed: its rows are omitted", file=sys.stderr)
        return None, None
    port = free_port()
    process = spawn(
        str(web),
        "-q",
        "--no-web-open-browser",
        "--mode",
        f"reverse:http://127.0.0.1:{bare}",
        "--listen-host",
        "127.0.0.1",
        "-p",
        str(port),
        "--web-port",
        str(free_port()),
        "--set",
        f"confdir={WORK}/mitm",
    )
    wait_for_port(port)
    return port, process


def measure_proxy(foyer, bare, nginx, mitm):
    """Measures the requests of a real app, proxied and recorded."""
    device = foyer.device(f"http://127.0.0.1:{bare}")["id"]
    foyer_url = f"{foyer.base}/proxy/main@{device}/mystica/"
    web, web_process = start_mitmweb(bare)
    servers = {
        "Foyer, recorded": (foyer_url, foyer.process),
        "nginx as proxy": (f"http://127.0.0.1:{nginx[0]}/", nginx[1]),
    }
    if mitm[0]:
        servers["mitmdump"] = (f"http://127.0.0.1:{mitm[0]}/", mitm[1])
    if web:
        servers["mitmweb"] = (f"http://127.0.0.1:{web}/", web_process)
    results = {(name, c): [] for name in servers for c in (1, 64)}
    recorded = []
    for _ in range(ROUNDS):
        for connections in (1, 64):
            for name, (url, _) in servers.items():
                before, started_at = foyer.exchanges(), time.monotonic()
                results[name, connections].append(wrk(url, connections))
                if connections == 64 and url == foyer_url:
                    recorded.append((foyer.exchanges() - before) / (time.monotonic() - started_at))
    after = {}
    for name, (url, process) in servers.items():
        rate = max(median(results[name, 64])["rate"], 1)
        # The number of requests that the rounds did not send.
        remaining = MANY - sum(r["rate"] * SECONDS for c in (1, 64) for r in results[name, c])
        if remaining > 0:
            wrk(url, 64, seconds=max(1, round(remaining / rate)))
        after[name] = resident(process)
    print(f"\nProxied requests, each with a body; {MANY:,} and more:\n")
    row(
        "",
        "requests/s at 64",
        "recorded/s",
        "p50 ms",
        "p99 ms",
        "alone/s",
        "p50 ms",
        "p99 ms",
        "resident after",
    )
    row(*["---"] * 9)
    for name in servers:
        many, one = median(results[name, 64]), median(results[name, 1])
        recorded_rate = f"{statistics.median(recorded):,.0f}" if name.startswith("Foyer") else "–"
        row(
            name,
            f"{many['rate']:,.0f}",
            recorded_rate,
            f"{many['p50']:.2f}",
            f"{many['p99']:.2f}",
            f"{one['rate']:,.0f}",
            f"{one['p50']:.3f}",
            f"{one['p99']:.3f}",
            f"{after[name]:.0f} MB",
        )
    if web_process:
        end(web_process)
