"""Hours of use in minutes: memory, descriptors and write-ahead logs do not grow.

`FOYER_SOAK` is the duration in minutes, 10 by default. The first fifth is warm-up. The medians
of the first and the last third of the rest are compared.
"""

import http.client
import os
import random
import statistics
import threading
import time
import urllib.parse

from load import Load

MINUTES = float(os.environ.get("FOYER_SOAK", 10))
# Seconds of one round of load, in a workspace that is deleted afterwards.
ROUND = min(15, MINUTES * 60 / 12)
STREAMS = 8

# How far the last third may exceed the first: a factor, and a constant.
TOLERANCES = {
    "VmRSS KiB": (1.15, 16 << 10),
    "descriptors": (1.0, 10),
    "backend.sqlite-wal": (1.25, 2 << 20),
    "devices.sqlite-wal": (1.25, 2 << 20),
    "traffic.sqlite-wal": (1.25, 2 << 20),
}


def measure(foyer):
    """The current figures."""
    process = f"/proc/{foyer.process.pid}"
    with open(f"{process}/status") as status:
        resident = next(line for line in status if line.startswith("VmRSS:"))
    figures = {
        "VmRSS KiB": int(resident.split()[1]),
        "descriptors": len(os.listdir(f"{process}/fd")),
    }
    for log in foyer.data.glob("*-wal"):
        figures[log.name] = log.stat().st_size
    return figures


def median(name, samples):
    return int(statistics.median(figures[name] for figures in samples))


def read_events(foyer, current, stop, opened):
    """Repeatedly opens the event stream of the current workspace, reads a line and closes it."""
    while not stop.is_set():
        host = urllib.parse.urlsplit(foyer.base).netloc
        connection = http.client.HTTPConnection(host, timeout=60)
        headers = {"Authorization": f"Bearer {foyer.key}", "X-Foyer-Workspace": current[0]}
        connection.request("GET", "/api/events", headers=headers)
        response = connection.getresponse()
        assert response.status == 200, response.status
        response.readline()
        opened.append(time.monotonic())
        stop.wait(0.2)
        connection.close()


def test_memory_descriptors_and_logs_stay_flat(fresh_foyer, upstream):
    foyer = fresh_foyer
    rng = random.Random(20261126)
    stop, opened, samples, acknowledged = threading.Event(), [], [], 0
    current = ["main"]
    streams = [
        threading.Thread(target=read_events, args=(foyer, current, stop, opened))
        for _ in range(STREAMS)
    ]
    for thread in streams:
        thread.start()
    started_at = time.monotonic()
    try:
        while time.monotonic() < started_at + MINUTES * 60:
            workspace = foyer.api("POST", "/api/workspaces", {"ttl": 3600})["id"]
            load = Load(foyer, upstream, rng, workspace)
            current[0] = workspace
            load.begin()
            deadline = time.monotonic() + ROUND
            while time.monotonic() < deadline and load.threads[0].is_alive():
                load.threads[0].join(1)
                samples.append((time.monotonic() - started_at, measure(foyer)))
            load.end()
            load.check_all()
            current[0] = "main"
            load.client.close()
            acknowledged += load.expected.acknowledged.total()
            foyer.api("DELETE", f"/api/workspaces/{workspace}", timeout=120)
            assert all(thread.is_alive() for thread in streams)
    finally:
        stop.set()
        for thread in streams:
            thread.join()
    measured = [figures for at, figures in samples if at > MINUTES * 60 / 5]
    third = len(measured) // 3
    print(f"\n{MINUTES:g} minutes, {acknowledged} writes acknowledged, {len(opened)} streams")
    tenth = max(1, len(samples) // 10)
    tenths = [samples[at : at + tenth] for at in range(0, len(samples), tenth)]
    print(
        "VmRSS MiB, by tenths:",
        *(median("VmRSS KiB", [f for _, f in part]) >> 10 for part in tenths),
    )
    grown = []
    for name, (factor, constant) in TOLERANCES.items():
        first, last = median(name, measured[:third]), median(name, measured[-third:])
        print(f"{name}: {first}, then {last}; most {max(f[name] for f in measured)}")
        if last > first * factor + constant:
            grown.append(name)
    assert grown == []
    assert acknowledged > MINUTES * 300 and len(opened) > MINUTES * 60
