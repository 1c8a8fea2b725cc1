"""From a call to the event it causes, on every one of many listeners."""

import selectors
import socket
import time

from measuring import QUICK, row
from processes import Foyer, end

CALLS = 20 if QUICK else 100


class Crowd:
    """Listeners of the event stream, and one client whose calls they see."""

    def __init__(self, foyer, bare, count):
        self.selector = selectors.DefaultSelector()
        self.host = f"Host: 127.0.0.1:{foyer.port}\r\n"
        self.key = f"Authorization: Bearer {foyer.key}\r\n"
        device = foyer.device(f"http://127.0.0.1:{bare}")["id"]
        self.call = (f"GET /through/main@{device}/mystica/ HTTP/1.1\r\n{self.host}\r\n").encode()
        self.heard = {}
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", foyer.port))
            one.sendall(f"GET /api/events HTTP/1.1\r\n{self.host}{self.key}\r\n".encode())
            if b" 200 " not in one.recv(100):
                raise SystemExit("a listener was refused")
            one.setblocking(False)
            self.heard[one] = b""
            self.selector.register(one, selectors.EVENT_READ)
        self.client = socket.create_connection(("127.0.0.1", foyer.port))

    def late(self):
        """Milliseconds from a call to its last event, for each listener."""
        times, ends = {}, b"event: exchange.ended"
        began = time.perf_counter()
        self.client.sendall(self.call)
        while len(times) < len(self.heard):
            ready = self.selector.select(10)
            if not ready:
                raise SystemExit("a listener heard nothing")
            now = (time.perf_counter() - began) * 1000
            for key, _ in ready:
                one = key.fileobj
                text = self.heard[one][-30:] + one.recv(1 << 16)
                self.heard[one] = text
                if ends in text:
                    times[one], self.heard[one] = now, b""
        self.client.recv(1 << 16)
        return list(times.values())

    def leave(self):
        for one in [self.client, *self.heard]:
            one.close()
        self.selector.close()


def crowds(data, bare):
    print(f"\nFrom a call to its event, the call included; {CALLS} calls, each heard by all:\n")
    row("listeners", "p50 ms", "p99 ms", "the slowest ms")
    row(*["---"] * 4)
    for count in (1, 100, 1_000):
        foyer = Foyer(data / str(count))
        crowd = Crowd(foyer, bare, count)
        crowd.late()
        taken = []
        for _ in range(CALLS):
            taken += crowd.late()
            time.sleep(0.02)
        taken.sort()
        crowd.leave()
        end(foyer.process)
        row(
            f"{count:,}",
            f"{taken[len(taken) // 2]:.2f}",
            f"{taken[len(taken) * 99 // 100]:.2f}",
            f"{taken[-1]:.2f}",
        )
