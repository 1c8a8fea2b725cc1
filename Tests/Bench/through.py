"""Pass-through: a real app's calls, beside what else passes calls on."""

import re
import statistics
import sys
import time
from pathlib import Path

from measuring import MANY, ROUNDS, SECONDS, WORK, median, row, wrk
from processes import ROOT, answers, end, free_port, spawn


def resident(process):
    """Resident MB of a process and of those it started."""
    total, waiting = 0, [process.pid]
    while waiting:
        pid = waiting.pop()
        try:
            text = Path(f"/proc/{pid}/status").read_text()
            waiting += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        except OSError:
            continue
        total += int(re.search(r"VmRSS:\s+(\d+)", text)[1])
    return total / 1024


def mitmweb(bare):
    """It keeps what it sees, as Foyer does, in memory."""
    web = ROOT / ".build/bench-venv/bin/mitmweb"
    if not web.exists():
        print("mitmproxy is not installed: its rows are left out", file=sys.stderr)
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
    answers(port)
    return port, process


def through(foyer, bare, nginx, mitm):
    """A real app's calls, passed through and recorded."""
    device = foyer.device(f"http://127.0.0.1:{bare}")["id"]
    ours = f"{foyer.base}/through/main@{device}/mystica/"
    web, web_process = mitmweb(bare)
    rivals = {
        "Foyer, recorded": (ours, foyer.process),
        "nginx as proxy": (f"http://127.0.0.1:{nginx[0]}/", nginx[1]),
    }
    if mitm[0]:
        rivals["mitmdump"] = (f"http://127.0.0.1:{mitm[0]}/", mitm[1])
    if web:
        rivals["mitmweb"] = (f"http://127.0.0.1:{web}/", web_process)
    taken = {(name, c): [] for name in rivals for c in (1, 64)}
    recorded = []
    for _ in range(ROUNDS):
        for connections in (1, 64):
            for name, (url, _) in rivals.items():
                before, began = foyer.exchanges(), time.monotonic()
                taken[name, connections].append(wrk(url, connections))
                if connections == 64 and url == ours:
                    recorded.append((foyer.exchanges() - before) / (time.monotonic() - began))
    after = {}
    for name, (url, process) in rivals.items():
        rate = max(median(taken[name, 64])["rate"], 1)
        # What the rounds have not passed already.
        rest = MANY - sum(r["rate"] * SECONDS for c in (1, 64) for r in taken[name, c])
        if rest > 0:
            wrk(url, 64, seconds=max(1, round(rest / rate)))
        after[name] = resident(process)
    print(f"\nPassed through, a body each; {MANY:,} and more of them:\n")
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
    for name in rivals:
        many, one = median(taken[name, 64]), median(taken[name, 1])
        kept = f"{statistics.median(recorded):,.0f}" if name.startswith("Foyer") else "–"
        row(
            name,
            f"{many['rate']:,.0f}",
            kept,
            f"{many['p50']:.2f}",
            f"{many['p99']:.2f}",
            f"{one['rate']:,.0f}",
            f"{one['p50']:.3f}",
            f"{one['p99']:.3f}",
            f"{after[name]:.0f} MB",
        )
    if web_process:
        end(web_process)
