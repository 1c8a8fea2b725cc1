"""The studio: its page, its parts, and what a launch costs while tabs show it."""

import time
from urllib.parse import quote

from browser import chromium, new_page
from harness import QUICK, ROUNDS, WORK, header, median, microseconds, row, wrk
from processes import Foyer, cpu_seconds, end

PARTS = ("actions", "device", "state", "tokens", "storage", "exchanges", "mail", "timeline")
LAUNCHES = 10 if QUICK else 40

# Records the milliseconds from the arrival of an event until each part it affects is replaced.
WATCH = """() => {
    window.delays = [];
    let received;
    addEventListener("foyer:event", () => { received ??= performance.now(); }, true);
    addEventListener("foyer:swapped", () => {
        if (received) delays.push(performance.now() - received);
    });
    window.settled = () => { received = undefined; };
}"""


def launch(foyer, device):
    """Relaunches the app, which calls the backend with the stored token."""
    foyer.json("POST", f"/api/devices/{device}/apps/mystica/relaunch")


def measure_studio():
    foyer = Foyer(WORK / "studio")
    created = foyer.device()
    foyer.register(created["id"], "studio")
    # As many events as the studio's timeline shows after some minutes of work.
    for _ in range(50):
        launch(foyer, created["id"])
    cookie = created["cookies"][0]
    headers = [
        f"Authorization: Bearer {foyer.key}",
        f"Cookie: {cookie['name']}={quote(cookie['value'])}",
    ]
    print("\nThe studio after 50 launches, requested alone:\n")
    header("", "p50 ms", "p99 ms", "CPU")
    paths = {"page": "/studio/mystica", "sessions list": "/sessions"}
    paths |= {f"part {name}": f"/studio/mystica?part={name}" for name in PARTS}
    for name, path in paths.items():
        result = median([wrk(foyer.base + path, 1, headers, foyer.process) for _ in range(ROUNDS)])
        row(name, f"{result['p50']:.2f}", f"{result['p99']:.2f}", microseconds(result))
    end(foyer.process)
    measure_tabs()


def measure_tabs():
    """Launches while tabs of Chromium show the studio of the same device."""
    with chromium() as browser:
        if not browser:
            return
        print(f"\nA launch while tabs show the studio; {LAUNCHES} launches:\n")
        header("tabs", "CPU of a launch", "of its updates", "event to part p50 ms", "p99 ms")
        alone = 0
        for count in (0, 1, 10):
            used, delays = launches_with_tabs(browser, count)
            alone = alone or used
            row(
                count,
                f"{used:.2f} ms",
                f"{used - alone:.2f} ms" if count else "–",
                f"{delays[len(delays) // 2]:.1f}" if delays else "–",
                f"{delays[len(delays) * 99 // 100]:.1f}" if delays else "–",
            )


def launches_with_tabs(browser, count):
    """The CPU milliseconds of a launch with all its updates, and the sorted delays of all parts."""
    foyer = Foyer(WORK / f"studio-{count}")
    created = foyer.device()
    foyer.register(created["id"], "tabs")
    cookie = created["cookies"][0]
    # Each in a profile of its own: a profile has six connections to a server, and every visible
    # tab keeps one for its event stream.
    tabs = [new_page(browser, foyer) for _ in range(count)]
    for tab in tabs:
        tab.context.add_cookies(
            [{"name": cookie["name"], "value": cookie["value"], "url": foyer.base}]
        )
    for tab in tabs:
        tab.goto(f"{foyer.base}/studio/mystica")
        tab.get_by_text("Live", exact=True).first.wait_for()
        tab.evaluate(WATCH)
    launch(foyer, created["id"])
    time.sleep(1)
    for tab in tabs:
        tab.evaluate("delays.length = 0; settled()")
    before = cpu_seconds(foyer.process)
    for _ in range(LAUNCHES):
        launch(foyer, created["id"])
        time.sleep(0.5)
        for tab in tabs:
            tab.evaluate("settled()")
    used = (cpu_seconds(foyer.process) - before) / LAUNCHES * 1000
    delays = sorted(delay for tab in tabs for delay in tab.evaluate("delays"))
    for tab in tabs:
        tab.context.close()
    end(foyer.process)
    return used, delays
