"""The delay from a call to the event it causes, for each of many listeners."""

import selectors
import socket
import time

from harness import QUICK, WORK, header, row
from processes import Foyer, cpu_seconds, end
from upstreams import bare

CALLS = 20 if QUICK else 100


class EventListeners:
    """Listeners of the event stream, and a client whose calls cause their events."""

    def __init__(self, foyer, count):
        self.selector = selectors.DefaultSelector()
        self.host = f"Host: 127.0.0.1:{foyer.port}\r\n"
        self.key = f"Authorization: Bearer {foyer.key}\r\n"
        device = foyer.device(bare().url)["id"]
        self.call = (f"GET /proxy/main@{device}/mystica/ HTTP/1.1\r\n{self.host}\r\n").encode()
        self.received = {}
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", foyer.port))
            one.sendall(f"GET /api/events HTTP/1.1\r\n{self.host}{self.key}\r\n".encode())
            if b" 200 " not in one.recv(100):
                raise SystemExit("a listener was rejected")
            one.setblocking(False)
            self.received[one] = b""
            self.selector.register(one, selectors.EVENT_READ)
        self.client = socket.create_connection(("127.0.0.1", foyer.port))

    def event_delays(self):
        """Sends a call and returns the milliseconds to its last event, for each listener."""
        times, ends = {}, b"event: exchange.ended"
        started_at = time.perf_counter()
        self.client.sendall(self.call)
        while len(times) < len(self.received):
            ready = self.selector.select(10)
            if not ready:
                raise SystemExit("a listener received nothing")
            now = (time.perf_counter() - started_at) * 1000
            for key, _ in ready:
                one = key.fileobj
                text = self.received[one][-30:] + one.recv(1 << 16)
                self.received[one] = text
                if ends in text:
                    times[one], self.received[one] = now, b""
        self.client.recv(1 << 16)
        return list(times.values())

    def close(self):
        for one in [self.client, *self.received]:
            one.close()
        self.selector.close()


def measure_events():
    print(
        f"\nFrom a call to its event, including the call; {CALLS} calls, "
        "each received by all listeners:\n"
    )
    header("listeners", "p50 ms", "p99 ms", "slowest ms", "CPU per call")
    for count in (1, 100, 1_000):
        foyer = Foyer(WORK / f"events-{count}")
        listeners = EventListeners(foyer, count)
        listeners.event_delays()
        results, before = [], cpu_seconds(foyer.process)
        for _ in range(CALLS):
            results += listeners.event_delays()
            time.sleep(0.02)
        used = cpu_seconds(foyer.process) - before
        results.sort()
        listeners.close()
        end(foyer.process)
        row(
            f"{count:,}",
            f"{results[len(results) // 2]:.2f}",
            f"{results[len(results) * 99 // 100]:.2f}",
            f"{results[-1]:.2f}",
            f"{used / CALLS * 1000:.2f} ms",
        )
