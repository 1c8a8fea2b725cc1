"""Sizes, load generation and tables for all measurements."""

import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

QUICK = "--quick" in sys.argv
ROUNDS = 1 if QUICK else 3
SECONDS = 3 if QUICK else 8
MANY = 5_000 if QUICK else 100_000
WORK = Path(tempfile.mkdtemp(prefix="foyer-bench-"))


def wrk(url, connections, headers=(), script=None, env=None, seconds=SECONDS):
    arguments = [
        "wrk",
        "-t",
        "1" if connections == 1 else "2",
        "-c",
        str(connections),
        "-d",
        f"{seconds}s",
        "--latency",
        "--timeout",
        "10s",
    ]
    for header in headers:
        arguments += ["-H", header]
    if script:
        arguments += ["-s", str(script)]
    text = subprocess.run(
        [*arguments, url], capture_output=True, text=True, env={**os.environ, **(env or {})}
    ).stdout

    def milliseconds(share):
        match = re.search(rf"\s{share}%\s+([\d.]+)(us|ms|s)", text)
        unit = {"us": 0.001, "ms": 1, "s": 1000}
        return float(match[1]) * unit[match[2]] if match else float("nan")

    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    failures = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    if failures:
        print(f"  {failures[1]} responses of {url} were errors", file=sys.stderr)
    return {
        "rate": float(rate[1]) if rate else float("nan"),
        "p50": milliseconds(50),
        "p99": milliseconds(99),
    }


def median(results):
    return {key: statistics.median(r[key] for r in results) for key in results[0]}


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")
