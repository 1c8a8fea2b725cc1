"""Arguments, sizes, load generation and tables for all measurements."""

import argparse
import http.client
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

from processes import cpu_seconds

parser = argparse.ArgumentParser(prog="Tests/bench", add_help=False)
parser.add_argument("--quick", action="store_true")
parser.add_argument("--only", action="append", metavar="NAME", default=[])
parser.add_argument("--check", action="store_true")
ARGUMENTS = parser.parse_args()
QUICK = ARGUMENTS.quick
ROUNDS = 1 if QUICK else 3
SECONDS = 1 if QUICK else 3
MANY = 5_000 if QUICK else 100_000
WORK = Path(tempfile.mkdtemp(prefix="foyer-bench-"))


def wrk(url, connections, headers=(), process=None, script=None, env=None, seconds=SECONDS):
    """Sends requests for some seconds.

    Returns the rate per second, the latencies in milliseconds and the CPU time of `process` per
    request in microseconds.
    """
    arguments = ["wrk", "-t", "1" if connections == 1 else "2", "-c", str(connections)]
    arguments += ["-d", f"{seconds}s", "--latency", "--timeout", "10s"]
    for header in headers:
        arguments += ["-H", header]
    if script:
        arguments += ["-s", str(script)]
    before = cpu_seconds(process)
    text = subprocess.run(
        [*arguments, url], capture_output=True, text=True, env={**os.environ, **(env or {})}
    ).stdout
    used = cpu_seconds(process) - before

    def milliseconds(share):
        match = re.search(rf"\s{share}%\s+([\d.]+)(us|ms|s)", text)
        unit = {"us": 0.001, "ms": 1, "s": 1000}
        return float(match[1]) * unit[match[2]] if match else float("nan")

    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    count = re.search(r"(\d+) requests in", text)
    failures = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    if failures:
        print(f"  {failures[1]} responses of {url} were errors", file=sys.stderr)
    return {
        "rate": float(rate[1]) if rate else float("nan"),
        "p50": milliseconds(50),
        "p99": milliseconds(99),
        "cpu": used * 1e6 / max(int(count[1]) if count else 0, 1),
    }


def in_succession(url, headers, process, count=100):
    """Sends `count` requests over one connection; the result is like that of `wrk`."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port)
    fields = dict(field.split(": ", 1) for field in headers)
    times = []
    before = cpu_seconds(process)
    for _ in range(count):
        started = time.perf_counter()
        connection.request("GET", url.removeprefix(f"http://{parts.netloc}"), headers=fields)
        response = connection.getresponse()
        response.read()
        times.append((time.perf_counter() - started) * 1000)
        if response.status != 200:
            print(f"  {url} responded {response.status}", file=sys.stderr)
    used = cpu_seconds(process) - before
    connection.close()
    times.sort()
    return {
        "rate": count * 1000 / sum(times),
        "p50": times[count // 2],
        "p99": times[count * 99 // 100],
        "cpu": used * 1e6 / count,
    }


def median(results):
    return {key: statistics.median(r[key] for r in results) for key in results[0]}


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def header(*cells):
    row(*cells)
    row(*["---"] * len(cells))


def microseconds(result):
    return f"{result['cpu']:,.0f} µs"
