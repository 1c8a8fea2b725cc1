"""Requests that simulated apps send: from a form to a recorded exchange."""

import statistics
import time
import urllib.request

from harness import MANY, QUICK, ROUNDS, WORK, header, median, microseconds, row, wrk
from processes import PASSWORD, ROOT, Foyer, cpu_seconds, end, resident
from upstreams import bare


def measure_requests():
    """Submits `resend` on many devices; each submit is one recorded request."""
    foyer = Foyer(WORK / "requests")
    idle = resident(foyer.process)
    names = WORK / "devices.txt"
    created = []
    for number in range(64 if QUICK else 256):
        device = foyer.device(bare().url)["id"]
        foyer.register(device, f"bench{number}")
        created.append(device)
    names.write_text("\n".join(created) + "\n")
    target = "/apps/mystica/verify/resend"
    env = {"BENCH_DEVICES": str(names), "BENCH_KEY": foyer.key, "BENCH_TARGET": target}
    script = ROOT / "Tests/Bench/post_per_device.lua"

    def submit(base, connections, process, **more):
        return wrk(base + target, connections, (), process, script, env, **more)

    rates, many, one, direct = [], [], [], []
    for _ in range(ROUNDS):
        before, started_at = foyer.exchanges(), time.monotonic()
        many.append(submit(foyer.base, 64, foyer.process))
        rates.append((foyer.exchanges() - before) / (time.monotonic() - started_at))
        one.append(submit(foyer.base, 1, foyer.process))
        direct.append(submit(bare().url, 1, bare().process))
    while foyer.exchanges() < MANY:
        submit(foyer.base, 64, foyer.process, seconds=1 if QUICK else 4)
    time.sleep(1)
    print("\nRequests sent by the console, recorded and stored:\n")
    header(
        "requests/s at 64", "CPU", "p50 alone", "CPU", "upstream alone", "CPU", "added",
        "resident idle", f"after {foyer.exchanges():,}",
    )  # fmt: skip
    one, direct = median(one), median(direct)
    row(
        f"{statistics.median(rates):,.0f}",
        microseconds(median(many)),
        f"{one['p50']:.3f} ms",
        microseconds(one),
        f"{direct['p50']:.3f} ms",
        microseconds(direct),
        f"{one['p50'] - direct['p50']:.3f} ms",
        f"{idle:.0f} MB",
        f"{resident(foyer.process):.0f} MB",
    )
    end(foyer.process)


def measure_actions():
    """Measures the response times for users, with the embedded backend."""
    foyer = Foyer(WORK / "actions")
    names = ("register", "launch", "login", "refresh", "read a stored value")
    times, cpu = {name: [] for name in names}, dict.fromkeys(names, 0.0)

    def timed(name, *arguments, **options):
        used, started_at = cpu_seconds(foyer.process), time.monotonic()
        foyer.open(*arguments, **options)
        times[name].append((time.monotonic() - started_at) * 1000)
        cpu[name] += cpu_seconds(foyer.process) - used

    for number in range(10 if QUICK else 50):
        email = f"wait{number}@example.com"
        form = f"email=wait{number}%40example.com&password={PASSWORD}"
        device = foyer.device()["id"]
        path = f"/api/devices/{device}/apps/mystica"
        timed("register", "POST", "/apps/mystica/register/submit", form=form, device=device)
        mail = foyer.json("GET", f"/api/mailbox/wait?to={email}")
        urllib.request.urlopen(mail["link"]).read()
        timed("launch", "POST", path + "/relaunch")
        session = foyer.json("GET", path)["session"]["id"]
        timed("refresh", "POST", f"/api/sessions/{session}/refresh")
        timed("read a stored value", "GET", path + "/storage/mystica_access_token")
        other = foyer.device()["id"]
        timed("login", "POST", "/apps/mystica/login/submit", form=form, device=other)
    print("\nResponse times for users, embedded backend:\n")
    header("", "p50", "CPU")
    for name in names:
        one = times[name]
        row(name, f"{statistics.median(one):.1f} ms", f"{cpu[name] / len(one) * 1000:.1f} ms")
    end(foyer.process)
