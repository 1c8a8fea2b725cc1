"""The measurements of Tests/bench, in turns, and their table."""

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

from crowd import crowds
from history import traffic
from leasing import leasing
from meanwhile import meanwhile
from measuring import MANY, QUICK, ROUNDS, SECONDS, WORK, median, row, wrk
from processes import PASSWORD, ROOT, Foyer, answers, end, free_port, spawn, started
from storyboards import storyboards
from through import through


def upstreams(foyer, headers):
    """The same bytes from bare libmicrohttpd, and through two proxies."""
    request = urllib.request.Request(
        foyer.base + "/apps/mystica/login", headers=dict(h.split(": ", 1) for h in headers)
    )
    with urllib.request.urlopen(request) as answer:
        body = answer.read()
        kept = [
            f"{k}: {v}"
            for k, v in answer.headers.items()
            if k.lower() not in ("date", "content-length", "connection")
        ]
    page = WORK / "page.http"
    page.write_bytes("\r\n".join(kept).encode() + b"\r\n\r\n" + body)
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
    if not answers(bare):
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
        answers(port)
    return bare, (nginx, front), (mitm, dumper), len(body)


def pages(foyer):
    headers = foyer.page_headers()
    bare, front, dump, size = upstreams(foyer, headers)
    nginx, mitm = front[0], dump[0]
    rivals = {
        "Foyer, the login screen": (foyer.base + "/apps/mystica/login", headers),
        "bare libmicrohttpd": (f"http://127.0.0.1:{bare}/", []),
        "nginx as proxy": (f"http://127.0.0.1:{nginx}/", []),
    }
    if mitm:
        rivals["mitmdump as proxy"] = (f"http://127.0.0.1:{mitm}/", [])
    taken = {(name, c): [] for name in rivals for c in (1, 64)}
    for _ in range(ROUNDS):
        for connections in (1, 64):
            for name, (url, sent) in rivals.items():
                taken[name, connections].append(wrk(url, connections, sent))
    print(f"\nA page of {size:,} bytes:\n")
    row("", "pages/s at 64", "of bare", "p50 ms", "p99 ms", "pages/s alone", "p50 ms", "p99 ms")
    row(*["---"] * 8)
    base = median(taken["bare libmicrohttpd", 64])["rate"]
    for name in rivals:
        many, one = median(taken[name, 64]), median(taken[name, 1])
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


def exchanges(foyer, bare):
    """`resend` on many phones: one call each, recorded and stored."""
    upstream = f"http://127.0.0.1:{bare}"
    names = WORK / "devices.txt"
    made = []
    for number in range(256):
        device = foyer.device(upstream)["id"]
        foyer.open(
            "POST",
            "/apps/mystica/register/submit",
            device=device,
            form=f"email=bench{number}%40example.com&password={PASSWORD}",
        )
        made.append(device)
    names.write_text("\n".join(made) + "\n")
    target = "/apps/mystica/verify/resend"
    env = {"BENCH_DEVICES": str(names), "BENCH_KEY": foyer.key, "BENCH_TARGET": target}
    script = ROOT / "Tests/Bench/post.lua"
    rates, one, direct = [], [], []
    for _ in range(ROUNDS):
        before, began = foyer.exchanges(), time.monotonic()
        wrk(foyer.base + target, 64, script=script, env=env)
        rates.append((foyer.exchanges() - before) / (time.monotonic() - began))
        one.append(wrk(foyer.base + target, 1, script=script, env=env))
        direct.append(wrk(upstream + target, 1, script=script, env=env))
    added = median(one)["p50"] - median(direct)["p50"]
    print("\nExchanges through the console, recorded and stored:\n")
    row("exchanges/s at 64", "p50 alone", "the upstream's own", "added")
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


def listeners(data):
    """What an idle listener of the event stream costs, in KB."""
    foyer = Foyer(data)
    foyer.device()
    held = []

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
                raise SystemExit("a listener was refused")
        held.extend(fresh)
        time.sleep(2)
        return foyer.resident()

    # The first ones also pay for what all share.
    before = listen(200)
    after = listen(1_000)
    for one in held:
        one.close()
    end(foyer.process)
    return (after - before) * 1024 / 1_000


def waits(foyer):
    """What a person waits for, against the embedded backend."""
    taken = {"register": [], "launch": [], "login": [], "refresh": [], "read a stored value": []}

    def timed(name, *what, **more):
        began = time.monotonic()
        answer = foyer.open(*what, **more)
        taken[name].append((time.monotonic() - began) * 1000)
        return answer

    for number in range(5 if QUICK else 25):
        email = f"wait{number}@example.com"
        form = f"email=wait{number}%40example.com&password={PASSWORD}"
        device = foyer.device()["id"]
        place = f"/api/devices/{device}/apps/mystica"
        timed("register", "POST", "/apps/mystica/register/submit", form=form, device=device)
        mail = foyer.json("GET", f"/api/mailbox/wait?to={email}")
        urllib.request.urlopen(mail["link"]).read()
        timed("launch", "POST", place + "/relaunch")
        session = foyer.json("GET", place)["session"]["id"]
        timed("refresh", "POST", f"/api/sessions/{session}/refresh")
        timed("read a stored value", "GET", place + "/storage/mystica_access_token")
        other = foyer.device()["id"]
        timed("login", "POST", "/apps/mystica/login/submit", form=form, device=other)
    print("\nWhat a person waits for, embedded backend, medians:\n")
    row(*taken)
    row(*["---"] * len(taken))
    row(*(f"{statistics.median(t):.1f} ms" for t in taken.values()))


def crowd(data):
    """Many sessions, copied from one in the database at rest."""
    database = sqlite3.connect(data / "devices.sqlite")
    columns = [r[1] for r in database.execute("pragma table_info(sessions)")]
    copied = [c for c in columns if c not in ("sequence", "id", "email")]
    names = ", ".join(copied)
    have = database.execute("select count(*) from sessions").fetchone()[0]
    database.execute(
        f"""
        with recursive n(i) as
            (select 1 union all select i + 1 from n where i < ?)
        insert into sessions (id, email, {names})
        select 'ses_bench' || n.i, 'bench' || n.i || '@example.com', {names}
        from n, (select * from sessions limit 1)""",
        [max(1, MANY - have)],
    )
    database.commit()
    last = database.execute("select max(sequence) from sessions").fetchone()[0]
    database.close()
    return last


def sessions(data):
    last = crowd(data)
    foyer = Foyer(data)
    headers = [f"Authorization: Bearer {foyer.key}"]

    def at(place, search=""):
        """The page that many sessions below the newest."""
        return f"/sessions?{search}after={last - place}&from={place + 1}"

    middle, end_of_all = MANY // 2, MANY - 60
    asked = {
        "first page": "/sessions",
        "middle page": at(middle),
        "last page": at(end_of_all),
        "a word of all": "/sessions?q=example",
        "a word of all, middle": at(middle, "q=example&"),
        "a word of all, last": at(end_of_all, "q=example&"),
        "one of them": f"/sessions?q=bench{middle}",
        "a word of none": "/sessions?q=nowhere",
    }
    taken = {name: [] for name in asked}
    for _ in range(ROUNDS):
        for name, path in asked.items():
            taken[name].append(wrk(foyer.base + path, 1, headers, seconds=min(SECONDS, 3)))
    print(f"\n{MANY:,} sessions, 50 a page, with total:\n")
    row("", "p50 ms", "p99 ms")
    row(*["---"] * 3)
    for name, results in taken.items():
        one = median(results)
        row(name, f"{one['p50']:.2f}", f"{one['p99']:.2f}")
    end(foyer.process)


def main():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4_096, most), most))
    cores = os.cpu_count()
    print(
        f"{datetime.date.today()}, {cores} cores, median of {ROUNDS} × {SECONDS} s, taken in turns"
    )
    starts = []
    for number in range(3 if QUICK else 9):
        one = Foyer(WORK / f"start-{number}")
        starts.append(one.first_answer)
        end(one.process)
    data = WORK / "data"
    foyer = Foyer(data)
    time.sleep(1)
    idle = foyer.resident()
    bare, front, dump = pages(foyer)
    exchanges(foyer, bare)
    after, total = foyer.resident(), foyer.exchanges()
    waits(foyer)
    end(foyer.process)
    meanwhile(WORK / "meanwhile")
    foyer = Foyer(WORK / "through")
    through(foyer, bare, front, dump)
    end(foyer.process)
    each = listeners(WORK / "listened")
    crowds(WORK / "crowds", bare)
    leasing(WORK / "leased")
    print("\nMemory and start:\n")
    row(
        "resident idle",
        f"after {total:,} exchanges",
        "each of 1,000 idle listeners",
        "start to first answer",
    )
    row(*["---"] * 4)
    row(
        f"{idle:.0f} MB", f"{after:.0f} MB", f"{each:.1f} KB", f"{statistics.median(starts):.0f} ms"
    )
    sessions(data)
    traffic(data)
    storyboards(WORK / "storyboards")


if __name__ == "__main__":
    try:
        main()
    finally:
        for process in started:
            if process.poll() is None:
                end(process)
        subprocess.run(["rm", "-rf", str(WORK)], check=False)
