"""Runs the benchmarks and prints their tables. `Tests/bench` starts it."""

import datetime
import os
import resource
import shutil
import sys
import time

from app_requests import measure_actions, measure_requests
from event_delays import measure_events
from growth import measure_growth
from harness import ARGUMENTS, ROUNDS, SECONDS, WORK, parser
from leases import measure_leases
from list_pages import measure_sessions, measure_traffic
from page_under_load import measure_load
from pages import measure_pages
from processes import end, started
from proxy import measure_proxy
from start import measure_start
from storyboards import measure_storyboards
from studio import measure_studio

MEASUREMENTS = {
    "pages": measure_pages,
    "requests": measure_requests,
    "actions": measure_actions,
    "load": measure_load,
    "proxy": measure_proxy,
    "events": measure_events,
    "leases": measure_leases,
    "start": measure_start,
    "sessions": measure_sessions,
    "traffic": measure_traffic,
    "growth": measure_growth,
    "storyboards": measure_storyboards,
    "studio": measure_studio,
}


def main():
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4_096, hard_limit), hard_limit))
    rounds = f"median of {ROUNDS} × {SECONDS} s, in turn"
    print(f"{datetime.date.today()}, {os.cpu_count()} cores, {rounds}")
    for name in ARGUMENTS.only or MEASUREMENTS:
        started_at = time.monotonic()
        MEASUREMENTS[name]()
        print(f"{name}: {time.monotonic() - started_at:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    try:
        for name in ARGUMENTS.only:
            if name not in MEASUREMENTS:
                parser.error(f"no table {name}; tables: " + ", ".join(MEASUREMENTS))
        if not ARGUMENTS.check:
            main()
    finally:
        for process in started:
            if process.poll() is None:
                end(process)
        shutil.rmtree(WORK, ignore_errors=True)
