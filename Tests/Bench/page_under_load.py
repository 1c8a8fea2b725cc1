"""The response time of a page while Foyer waits for a backend or hashes passwords."""

import contextlib
import socket
import threading

from harness import ROUNDS, WORK, header, median, microseconds, row, wrk
from processes import PASSWORD, Foyer, end

CALLS = 64
SIGN_INS = 4


@contextlib.contextmanager
def no_load(_):
    yield


@contextlib.contextmanager
def slow_calls(foyer):
    """Many calls to a backend that accepts connections and never responds."""
    with socket.create_server(("127.0.0.1", 0), backlog=CALLS) as backend:
        base = f"http://127.0.0.1:{backend.getsockname()[1]}"
        devices = [foyer.device(base)["id"] for _ in range(CALLS)]
        callers = [threading.Thread(target=sign_in, args=(foyer, device)) for device in devices]
        for caller in callers:
            caller.start()
        connections = [backend.accept()[0] for _ in callers]
        yield
        for one in connections:
            one.close()
        # The backend no longer listens, so that retries fail.
    for caller in callers:
        caller.join()


@contextlib.contextmanager
def sign_ins(foyer):
    """Continuous sign-ins at the embedded backend, each of which hashes a password."""
    stop = threading.Event()

    def sign_in_repeatedly(device):
        while not stop.is_set():
            sign_in(foyer, device)

    callers = [
        threading.Thread(target=sign_in_repeatedly, args=(foyer.device()["id"],))
        for _ in range(SIGN_INS)
    ]
    for caller in callers:
        caller.start()
    yield
    stop.set()
    for caller in callers:
        caller.join()


def sign_in(foyer, device):
    foyer.open(
        "POST",
        "/apps/mystica/login/submit",
        device=device,
        form=f"email=unknown%40example.com&password={PASSWORD}",
    )


def measure_load():
    foyer = Foyer(WORK / "load")
    url, headers = foyer.base + "/sessions", foyer.page_headers()
    loads = {
        "no other load": no_load,
        f"{CALLS} requests wait on a slow backend": slow_calls,
        f"{SIGN_INS} users sign in continuously": sign_ins,
    }
    results = {name: [] for name in loads}
    for _ in range(ROUNDS):
        for name, load in loads.items():
            with load(foyer):
                results[name].append(wrk(url, 1, headers, foyer.process))
    print("\nThe sessions page, one connection, under other load; CPU of both:\n")
    header("", "pages/s", "p50 ms", "p99 ms", "CPU")
    for name, samples in results.items():
        one = median(samples)
        row(
            name, f"{one['rate']:,.0f}", f"{one['p50']:.3f}", f"{one['p99']:.3f}", microseconds(one)
        )
    end(foyer.process)
