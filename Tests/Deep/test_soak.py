"""Hours of use in minutes: memory, descriptors and write-ahead logs stay as they are.

`FOYER_SOAK` says how many minutes, 10 without it. The first fifth is warm-up;
the medians of the first and last third of the rest are compared.
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
# One round of load in a workspace that is deleted afterwards.
ROUND = min(15, MINUTES * 60 / 12)
STREAMS = 8

# What the last third may have more than the first: a factor, and a constant.
TOLERANCES = {
    "VmRSS KiB": (1.15, 16 << 10),
    "descriptors": (1.0, 10),
    "backend.sqlite-wal": (1.25, 2 << 20),
    "devices.sqlite-wal": (1.25, 2 << 20),
    "traffic.sqlite-wal": (1.25, 2 << 20),
}


def measure(foyer):
    """The figures of this moment."""
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


def stream(foyer, place, stop, opened):
    """Opens the event stream of the workspace in use, reads a line and leaves, again and again."""
    while not stop.is_set():
        host = urllib.parse.urlsplit(foyer.base).netloc
        connection = http.client.HTTPConnection(host, timeout=60)
        headers = {"Authorization": f"Bearer {foyer.key}", "X-Foyer-Workspace": place[0]}
        connection.request("GET", "/api/events", headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.status
        answer.readline()
        opened.append(time.monotonic())
        stop.wait(0.2)
        connection.close()


def test_memory_descriptors_and_logs_stay_flat(fresh_foyer, upstream):
    foyer = fresh_foyer
    chance = random.Random(20261126)
    stop, opened, samples, acknowledged = threading.Event(), [], [], 0
    place = ["main"]
    streams = [
        threading.Thread(target=stream, args=(foyer, place, stop, opened)) for _ in range(STREAMS)
    ]
    for thread in streams:
        thread.start()
    begun = time.monotonic()
    try:
        while time.monotonic() < begun + MINUTES * 60:
            workspace = foyer.api("POST", "/api/workspaces", {"ttl": 3600})["id"]
            load = Load(foyer, upstream, chance, workspace)
            place[0] = workspace
            load.begin()
            until = time.monotonic() + ROUND
            while time.monotonic() < until and load.threads[0].is_alive():
                load.threads[0].join(1)
                samples.append((time.monotonic() - begun, measure(foyer)))
            load.end()
            load.check_all()
            place[0] = "main"
            load.client.close()
            acknowledged += load.ledger.acknowledged.total()
            foyer.api("DELETE", f"/api/workspaces/{workspace}", timeout=120)
            assert all(thread.is_alive() for thread in streams)
    finally:
        stop.set()
        for thread in streams:
            thread.join()
    kept = [figures for at, figures in samples if at > MINUTES * 60 / 5]
    third = len(kept) // 3
    print(f"\n{MINUTES:g} minutes, {acknowledged} writes acknowledged, {len(opened)} streams")
    tenth = max(1, len(samples) // 10)
    course = [samples[at : at + tenth] for at in range(0, len(samples), tenth)]
    print(
        "VmRSS MiB, by tenths:",
        *(median("VmRSS KiB", [f for _, f in part]) >> 10 for part in course),
    )
    grown = []
    for name, (factor, constant) in TOLERANCES.items():
        first, last = median(name, kept[:third]), median(name, kept[-third:])
        print(f"{name}: {first}, then {last}; most {max(f[name] for f in kept)}")
        if last > first * factor + constant:
            grown.append(name)
    assert grown == []
    assert acknowledged > MINUTES * 300 and len(opened) > MINUTES * 60
