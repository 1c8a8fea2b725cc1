"""What a page costs while something else keeps Foyer waiting or busy."""

import contextlib
import socket
import threading

from measuring import ROUNDS, SECONDS, median, row, wrk
from processes import PASSWORD, Foyer, end

CALLS = 64
SIGN_INS = 4


@contextlib.contextmanager
def nothing(_):
    yield


@contextlib.contextmanager
def slow_calls(foyer):
    """Many calls to a backend that takes them and does not answer."""
    with socket.create_server(("127.0.0.1", 0), backlog=CALLS) as backend:
        base = f"http://127.0.0.1:{backend.getsockname()[1]}"
        devices = [foyer.device(base)["id"] for _ in range(CALLS)]
        callers = [threading.Thread(target=sign_in, args=(foyer, device)) for device in devices]
        for caller in callers:
            caller.start()
        held = [backend.accept()[0] for _ in callers]
        yield
        for one in held:
            one.close()
        # Whoever tries again finds nobody.
    for caller in callers:
        caller.join()


@contextlib.contextmanager
def sign_ins(foyer):
    """People who sign in at the embedded backend without a pause: each
    password is hashed."""
    over = threading.Event()

    def again(device):
        while not over.is_set():
            sign_in(foyer, device)

    callers = [
        threading.Thread(target=again, args=(foyer.device()["id"],)) for _ in range(SIGN_INS)
    ]
    for caller in callers:
        caller.start()
    yield
    over.set()
    for caller in callers:
        caller.join()


def sign_in(foyer, device):
    foyer.open(
        "POST",
        "/apps/mystica/login/submit",
        device=device,
        form=f"email=nobody%40example.com&password={PASSWORD}",
    )


def meanwhile(data):
    foyer = Foyer(data)
    url, headers = foyer.base + "/sessions", foyer.page_headers()
    others = {
        "nothing else": nothing,
        f"{CALLS} calls wait on a slow backend": slow_calls,
        f"{SIGN_INS} people sign in without a pause": sign_ins,
    }
    taken = {name: [] for name in others}
    for _ in range(ROUNDS):
        for name, other in others.items():
            with other(foyer):
                taken[name].append(wrk(url, 1, headers, seconds=min(SECONDS, 5)))
    print("\nThe page of sessions alone, while:\n")
    row("", "pages/s", "p50 ms", "p99 ms")
    row(*["---"] * 4)
    for name, results in taken.items():
        one = median(results)
        row(name, f"{one['rate']:,.0f}", f"{one['p50']:.3f}", f"{one['p99']:.3f}")
    end(foyer.process)
