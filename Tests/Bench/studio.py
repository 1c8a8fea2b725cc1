"""The studio: its page, its parts, and what a launch costs while tabs show it."""

import http.client
import time
from urllib.parse import quote

from harness import QUICK, ROUNDS, WORK, header, median, microseconds, row, wrk
from processes import Foyer, cpu_seconds, end
from tab_clients import follow

PARTS = ("actions", "device", "state", "tokens", "storage", "exchanges", "mail", "timeline")
LAUNCHES = 10 if QUICK else 60
CHANGES = 50 if QUICK else 200


def measure_studio():
    foyer, device, headers = new_studio("studio")
    # As many events as the studio's timeline shows after some minutes of work.
    for _ in range(50):
        launch(foyer, device)
    print("\nThe studio after 50 launches, requested alone:\n")
    header("", "p50 ms", "p99 ms", "CPU")
    for name, path in {"page": "/studio/mystica", "sessions list": "/sessions"}.items():
        result = median([wrk(foyer.base + path, 1, headers, foyer.process) for _ in range(ROUNDS)])
        row(name, f"{result['p50']:.2f}", f"{result['p99']:.2f}", microseconds(result))
    alone = after_changes(foyer, device)["cpu"]
    fields = dict(header.split(": ", 1) for header in headers)
    for name in PARTS:
        result = after_changes(foyer, device, f"/studio/mystica?part={name}", fields)
        result["cpu"] -= alone
        row(f"part {name}", f"{result['p50']:.2f}", f"{result['p99']:.2f}", microseconds(result))
    end(foyer.process)
    measure_tabs()


def new_studio(name):
    """A console with a signed-in device, and the headers of its browser."""
    foyer = Foyer(WORK / name)
    created = foyer.device()
    foyer.register(created["id"], "studio")
    cookie = created["cookies"][0]
    headers = [
        f"Authorization: Bearer {foyer.key}",
        f"Cookie: {cookie['name']}={quote(cookie['value'])}",
    ]
    return foyer, created["id"], headers


def launch(foyer, device):
    """Relaunches the app, which calls the backend with the stored token."""
    foyer.json("POST", f"/api/devices/{device}/apps/mystica/relaunch")


def after_changes(foyer, device, part=None, headers=()):
    """Changes the device and requests a part, again and again: unchanged parts are shared.

    The CPU time includes that of the change.
    """
    times = []
    connection = http.client.HTTPConnection("127.0.0.1", foyer.port)
    before = cpu_seconds(foyer.process)
    for number in range(CHANGES):
        foyer.json("PATCH", f"/api/devices/{device}", {"label": f"Device {number}"})
        started = time.perf_counter()
        if part:
            connection.request("GET", part, headers=headers)
            response = connection.getresponse()
            assert response.status == 200 and response.read()
        times.append((time.perf_counter() - started) * 1000)
    used = cpu_seconds(foyer.process) - before
    connection.close()
    times.sort()
    return {
        "p50": times[CHANGES // 2],
        "p99": times[CHANGES * 99 // 100],
        "cpu": used * 1e6 / CHANGES,
    }


def measure_tabs():
    """Launches while clients follow the studio of the same device as tabs do."""
    print(f"\nA launch while tabs show the studio; {LAUNCHES} launches:\n")
    header("tabs", "CPU of a launch", "of its updates", "event to part p50 ms", "p99 ms")
    alone = 0
    for count in (0, 1, 10):
        foyer, device, headers = new_studio(f"studio-{count}")
        used = 0

        def launches(foyer=foyer, device=device):
            nonlocal used
            launch(foyer, device)
            time.sleep(0.2)
            before = cpu_seconds(foyer.process)
            for _ in range(LAUNCHES):
                launch(foyer, device)
                time.sleep(0.1)
            used = (cpu_seconds(foyer.process) - before) / LAUNCHES * 1000

        delays = follow(foyer, "/studio/mystica", headers, count, launches)
        end(foyer.process)
        alone = alone or used
        row(
            count,
            f"{used:.2f} ms",
            f"{used - alone:.2f} ms" if count else "–",
            f"{delays[len(delays) // 2]:.1f}" if delays else "–",
            f"{delays[len(delays) * 99 // 100]:.1f}" if delays else "–",
        )
