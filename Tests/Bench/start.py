"""The start of a process, and the memory of what waits."""

import socket
import statistics
import time

from harness import QUICK, WORK, header, row
from processes import Foyer, cpu_seconds, end, resident


def starts(count, path):
    """Milliseconds to the first response and CPU milliseconds until then, medians.

    `path` names the data folder of each start.
    """
    times, cpu = [], []
    for number in range(count):
        foyer = Foyer(WORK / path(number))
        times.append(foyer.startup_time)
        cpu.append(cpu_seconds(foyer.process) * 1000)
        end(foyer.process)
    return f"{statistics.median(times):.0f} ms", f"{statistics.median(cpu):.0f} ms"


def listener_memory():
    """The memory of an idle listener of the event stream, in KB."""
    foyer = Foyer(WORK / "listeners")
    foyer.device()
    connections = []

    def listen(count):
        fresh = []
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", foyer.port))
            one.sendall(
                f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{foyer.port}"
                f"\r\nAuthorization: Bearer {foyer.key}\r\n\r\n".encode()
            )
            fresh.append(one)
        for one in fresh:
            if b" 200 " not in one.recv(100):
                raise SystemExit("a listener was rejected")
        connections.extend(fresh)
        time.sleep(1)
        return resident(foyer.process)

    # The first listeners also allocate memory that all listeners share.
    before = listen(200)
    after = listen(1_000)
    for one in connections:
        one.close()
    end(foyer.process)
    return (after - before) * 1024 / 1_000


def measure_start():
    count = 3 if QUICK else 9
    first, first_cpu = starts(count, lambda number: f"start-{number}")
    later, later_cpu = starts(count, lambda _: "start-0")
    foyer = Foyer(WORK / "start-0")
    time.sleep(1)
    idle = resident(foyer.process)
    end(foyer.process)
    print("\nStart to first response, and memory:\n")
    header("first start", "CPU", "later start", "CPU", "resident idle", "each of 1,000 listeners")
    row(first, first_cpu, later, later_cpu, f"{idle:.0f} MB", f"{listener_memory():.1f} KB")
