"""Runs all benchmarks and prints their tables. `Tests/bench` starts it."""

import datetime
import json
import os
import resource
import socket
import sqlite3
import statistics
import subprocess
import time
import urllib.request
from pathlib import Path

from event_delays import measure_event_delays
from harness import MANY, QUICK, ROUNDS, SECONDS, WORK, median, row, wrk
from leases import measure_leases
from page_under_load import measure_page_under_load
from processes import PASSWORD, ROOT, Foyer, end, free_port, spawn, started, wait_for_port
from proxy import measure_proxy
from storyboards import measure_storyboards
from traffic_pages import measure_traffic_pages


def start_upstreams(foyer, headers):
    """Starts a bare libmicrohttpd that serves the same bytes, and two proxies in front of it."""
    request = urllib.request.Request(
        foyer.base + "/apps/mystica/login", headers=dict(h.split(": ", 1) for h in headers)
    )
    with urllib.request.urlopen(request) as response:
        body = response.read()
        headers_to_keep = [
            f"{k}: {v}"
            for k, v in response.headers.items()
            if k.lower() not in ("date", "content-length", "connection")
        ]
    page = WORK / "page.http"
    page.write_bytes("\r\n".join(headers_to_keep).encode() + b"\r\n\r\n" + body)
    login = WORK / "login.json"
    login.write_text(
        json.dumps(
            {
                "user": {
                    "id": "5f0c6b0a-8f1d-4f0e-9d3f-1b2a3c4d5e6f",
                    "email": "bench@example.com",
                },
                "session": {
                    "access_token": "bench-access-" + "a" * 40,
                    "refresh_token": "bench-refresh-" + "b" * 40,
                },
            }
        )
    )
    bare = free_port()
    spawn(str(ROOT / ".build/bench/bare"), str(bare), str(page), str(login))
    if not wait_for_port(bare):
        raise SystemExit("bare did not start")

    nginx = free_port()
    conf = WORK / "nginx.conf"
    conf.write_text(f"""
daemon off; pid {WORK}/nginx.pid; error_log {WORK}/nginx.log;
worker_processes 2;
events {{ worker_connections 1024; }}
http {{
  access_log off; client_body_temp_path {WORK}/b; proxy_temp_path {WORK}/p;
  fastcgi_temp_path {WORK}/f; uwsgi_temp_path {WORK}/u;
  scgi_temp_path {WORK}/s; keepalive_requests 1000000000;
  upstream bare {{ server 127.0.0.1:{bare}; keepalive 128;
                   keepalive_requests 1000000000; }}
  server {{ listen 127.0.0.1:{nginx};
    location / {{ proxy_pass http://bare; proxy_http_version 1.1;
                  proxy_set_header Connection ""; }} }}
}}""")
    binary = "/usr/sbin/nginx" if Path("/usr/sbin/nginx").exists() else "nginx"
    front = spawn(binary, "-c", str(conf), "-p", str(WORK))
    mitm = dumper = None
    dump = ROOT / ".build/bench-venv/bin/mitmdump"
    if dump.exists():
        mitm = free_port()
        dumper = spawn(
            str(dump),
            "-q",
            "--mode",
            f"reverse:http://127.0.0.1:{bare}",
            "--listen-host",
            "127.0.0.1",
            "-p",
            str(mitm),
            "--set",
            f"confdir={WORK}/mitm",
        )
    for port in filter(None, [nginx, mitm]):
        wait_for_port(port)
    return bare, (nginx, front), (mitm, dumper), len(body)


def measure_pages(foyer):
    headers = foyer.page_headers()
    bare, front, dump, size = start_upstreams(foyer, headers)
    nginx, mitm = front[0], dump[0]
    servers = {
        "Foyer, the login screen": (foyer.base + "/apps/mystica/login", headers),
        "bare libmicrohttpd": (f"http://127.0.0.1:{bare}/", []),
        "nginx as proxy": (f"http://127.0.0.1:{nginx}/", []),
    }
    if mitm:
        servers["mitmdump as proxy"] = (f"http://127.0.0.1:{mitm}/", [])
    results = {(name, c): [] for name in servers for c in (1, 64)}
    for _ in range(ROUNDS):
        for connections in (1, 64):
            for name, (url, sent) in servers.items():
                results[name, connections].append(wrk(url, connections, sent))
    print(f"\nA page of {size:,} bytes:\n")
    row("", "pages/s at 64", "of bare", "p50 ms", "p99 ms", "pages/s alone", "p50 ms", "p99 ms")
    row(*["---"] * 8)
    base = median(results["bare libmicrohttpd", 64])["rate"]
    for name in servers:
        many, one = median(results[name, 64]), median(results[name, 1])
        row(
            name,
            f"{many['rate']:,.0f}",
            f"{many['rate'] / base:.2f}",
            f"{many['p50']:.2f}",
            f"{many['p99']:.2f}",
            f"{one['rate']:,.0f}",
            f"{one['p50']:.3f}",
            f"{one['p99']:.3f}",
        )
    return bare, front, dump


def measure_exchanges(foyer, bare):
    """Submits `resend` on many devices; each submit is one recorded request."""
    upstream = f"http://127.0.0.1:{bare}"
    names = WORK / "devices.txt"
    created = []
    for number in range(256):
        device = foyer.device(upstream)["id"]
        foyer.open(
            "POST",
            "/apps/mystica/register/submit",
            device=device,
            form=f"email=bench{number}%40example.com&password={PASSWORD}",
        )
        created.append(device)
    names.write_text("\n".join(created) + "\n")
    target = "/apps/mystica/verify/resend"
    env = {"BENCH_DEVICES": str(names), "BENCH_KEY": foyer.key, "BENCH_TARGET": target}
    script = ROOT / "Tests/Bench/post_per_device.lua"
    rates, one, direct = [], [], []
    for _ in range(ROUNDS):
        before, started_at = foyer.exchanges(), time.monotonic()
        wrk(foyer.base + target, 64, script=script, env=env)
        rates.append((foyer.exchanges() - before) / (time.monotonic() - started_at))
        one.append(wrk(foyer.base + target, 1, script=script, env=env))
        direct.append(wrk(upstream + target, 1, script=script, env=env))
    added = median(one)["p50"] - median(direct)["p50"]
    print("\nRequests sent by the console, recorded and stored:\n")
    row("requests/s at 64", "p50 alone", "upstream alone", "added")
    row(*["---"] * 4)
    row(
        f"{statistics.median(rates):,.0f}",
        f"{median(one)['p50']:.3f} ms",
        f"{median(direct)['p50']:.3f} ms",
        f"{added:.3f} ms",
    )
    while foyer.exchanges() < MANY:
        wrk(foyer.base + target, 64, script=script, env=env, seconds=1 if QUICK else 4)
    time.sleep(1)


def measure_listeners(data):
    """Returns the memory of an idle listener of the event stream, in KB."""
    foyer = Foyer(data)
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
        time.sleep(2)
        return foyer.resident()

    # The first listeners also allocate memory that all listeners share.
    before = listen(200)
    after = listen(1_000)
    for one in connections:
        one.close()
    end(foyer.process)
    return (after - before) * 1024 / 1_000


def measure_waiting_times(foyer):
    """Measures the response times for users, with the embedded backend."""
    results = {"register": [], "launch": [], "login": [], "refresh": [], "read a stored value": []}

    def timed(name, *arguments, **options):
        started_at = time.monotonic()
        response = foyer.open(*arguments, **options)
        results[name].append((time.monotonic() - started_at) * 1000)
        return response

    for number in range(5 if QUICK else 25):
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
    print("\nResponse times for users, embedded backend, medians:\n")
    row(*results)
    row(*["---"] * len(results))
    row(*(f"{statistics.median(t):.1f} ms" for t in results.values()))


def copy_sessions(data):
    """Copies one session many times in a stopped foyer's database. Returns the last sequence."""
    database = sqlite3.connect(data / "devices.sqlite")
    columns = [r[1] for r in database.execute("pragma table_info(sessions)")]
    copied = [c for c in columns if c not in ("sequence", "id", "email")]
    names = ", ".join(copied)
    existing = database.execute("select count(*) from sessions").fetchone()[0]
    database.execute(
        f"""
        with recursive n(i) as
            (select 1 union all select i + 1 from n where i < ?)
        insert into sessions (id, email, {names})
        select 'ses_bench' || n.i, 'bench' || n.i || '@example.com', {names}
        from n, (select * from sessions limit 1)""",
        [max(1, MANY - existing)],
    )
    database.commit()
    last = database.execute("select max(sequence) from sessions").fetchone()[0]
    database.close()
    return last


def measure_session_pages(data):
    last = copy_sessions(data)
    foyer = Foyer(data)
    headers = [f"Authorization: Bearer {foyer.key}"]

    def at(position, search=""):
        """The path of the page that begins `position` sessions below the newest."""
        return f"/sessions?{search}before={last - position + 1}&from={position + 1}"

    middle, near_end = MANY // 2, MANY - 60
    paths = {
        "first page": "/sessions",
        "middle page": at(middle),
        "last page": at(near_end),
        "search, common word": "/sessions?q=example",
        "search, common word, middle page": at(middle, "q=example&"),
        "search, common word, last page": at(near_end, "q=example&"),
        "search, one match": f"/sessions?q=bench{middle}",
        "search, no match": "/sessions?q=nowhere",
    }
    results = {name: [] for name in paths}
    for _ in range(ROUNDS):
        for name, path in paths.items():
            results[name].append(wrk(foyer.base + path, 1, headers, seconds=min(SECONDS, 3)))
    print(f"\n{MANY:,} sessions, 50 a page, with total:\n")
    row("", "p50 ms", "p99 ms")
    row(*["---"] * 3)
    for name, samples in results.items():
        one = median(samples)
        row(name, f"{one['p50']:.2f}", f"{one['p99']:.2f}")
    end(foyer.process)


def main():
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4_096, hard_limit), hard_limit))
    cores = os.cpu_count()
    print(f"{datetime.date.today()}, {cores} cores, median of {ROUNDS} × {SECONDS} s, in turn")
    starts = []
    for number in range(3 if QUICK else 9):
        one = Foyer(WORK / f"start-{number}")
        starts.append(one.startup_time)
        end(one.process)
    data = WORK / "data"
    foyer = Foyer(data)
    time.sleep(1)
    idle = foyer.resident()
    bare, front, dump = measure_pages(foyer)
    measure_exchanges(foyer, bare)
    after, total = foyer.resident(), foyer.exchanges()
    measure_waiting_times(foyer)
    end(foyer.process)
    measure_page_under_load(WORK / "page-under-load")
    foyer = Foyer(WORK / "proxy")
    measure_proxy(foyer, bare, front, dump)
    end(foyer.process)
    listener_size = measure_listeners(WORK / "listeners")
    measure_event_delays(WORK / "event-delays", bare)
    measure_leases(WORK / "leases")
    print("\nMemory and start:\n")
    row(
        "resident idle",
        f"after {total:,} requests",
        "each of 1,000 idle listeners",
        "start to first response",
    )
    row(*["---"] * 4)
    row(
        f"{idle:.0f} MB",
        f"{after:.0f} MB",
        f"{listener_size:.1f} KB",
        f"{statistics.median(starts):.0f} ms",
    )
    measure_session_pages(data)
    measure_traffic_pages(data)
    measure_storyboards(WORK / "storyboards")


if __name__ == "__main__":
    try:
        main()
    finally:
        for process in started:
            if process.poll() is None:
                end(process)
        subprocess.run(["rm", "-rf", str(WORK)], check=False)
