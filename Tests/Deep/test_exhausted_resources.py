"""Exhausted resources at run time: a full disk, and more clients than file descriptors.

Requests get problems that name the cause, no acknowledged write is lost, and everything works
again without a restart once space is available.
"""

import json
import os
import random
import socket
import subprocess
import threading
import time
import urllib.parse
from collections import Counter

import pytest
from foyer import RESULTS, Foyer, binary
from load import Load, NoResponse, Worker, integrity

# Writes or failures to wait for.
SAMPLE_SIZE = 40
DESCRIPTORS = 400


@pytest.fixture
def small_disk():
    """A foyer whose data folder is a separate file system of 24 MiB."""
    home = RESULTS / "servers" / "small-disk"
    data = home / "data"
    data.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m,mode=700", "foyer-test", str(data)]
    result = subprocess.run(mount, capture_output=True, text=True)
    if result.returncode != 0:
        pytest.skip(f"a tmpfs cannot be mounted here: {result.stderr.strip()}")
    foyer = Foyer("small-disk", home=home)
    yield foyer
    foyer.kill()
    subprocess.run(["umount", str(data)], check=True)


class Failures:
    """Counts the failures of a load, and collects those that are not expected."""

    def __init__(self, statuses, allows_no_response=False):
        self.statuses = statuses
        self.allows_no_response = allows_no_response
        self.counts = Counter()
        self.unexpected = []
        self.condition = threading.Condition()

    def __call__(self, failure):
        with self.condition:
            if isinstance(failure, NoResponse):
                self.counts["no response"] += 1
                return self.allows_no_response
            problem = json.loads(failure.body) if "problem+json" in failure.content_type else {}
            self.counts[failure.status, problem.get("type")] += 1
            # 303: a redirect to a screen of the app, which displays its backend's failure.
            if failure.status != 303 and not (
                failure.status in self.statuses and problem.get("detail")
            ):
                self.unexpected.append(f"{failure.content_type} {failure}")
            self.condition.notify_all()
        return True

    def wait(self, count):
        with self.condition:
            return self.condition.wait_for(lambda: self.counts.total() >= count, 0.2)


def fill(file):
    """Writes until the disk is full."""
    try:
        while True:
            file.write(bytes(4096))
    except OSError:
        pass


def check_recovery(load):
    """Checks that the load continues without failures and that no write was lost."""
    load.begin()
    load.expected.wait_for_writes(SAMPLE_SIZE)
    load.end()
    load.check_all()


def test_a_full_disk_is_reported_and_loses_no_acknowledged_write(small_disk, upstream):
    foyer = small_disk
    load = Load(foyer, upstream, random.Random(20261124))
    failures = Failures({502, 503, 507})
    # A proxied request succeeds even if there is no space for its record.
    load.begin([action for action in Worker.ACTIONS if action != "proxy"], failures)
    load.expected.wait_for_writes(SAMPLE_SIZE)
    assert not failures.counts
    filler = foyer.data / "filler"
    with open(filler, "wb", buffering=0) as file:
        # Space that a checkpoint frees is filled as well.
        fill(file)
        deadline = time.monotonic() + 120
        while not failures.wait(SAMPLE_SIZE):
            assert time.monotonic() < deadline, failures.counts
            fill(file)
        load.end()
        # Reads work on a full disk.
        load.check_all()
    filler.unlink()
    print(f"\nfailures while the disk was full: {dict(failures.counts)}")
    assert failures.unexpected == []
    check_recovery(load)
    # The writes are on the disk and not only in memory.
    foyer.kill()
    foyer.start()
    load.check_all()
    assert foyer.stop() == 0
    assert set(map(str, integrity(foyer.data).values())) == {"[('ok',)]"}


@pytest.fixture
def limited_foyer(tmp_path, monkeypatch):
    """A foyer with a low limit of open files."""
    script = tmp_path / "foyer"
    script.write_text(f'#!/bin/sh\nulimit -n {DESCRIPTORS}\nexec {binary()} "$@"\n')
    script.chmod(0o700)
    monkeypatch.setenv("FOYER_BINARY", str(script))
    foyer = Foyer("limited-descriptors")
    yield foyer
    foyer.kill()


def test_exhausted_descriptors_lose_no_acknowledged_write(limited_foyer, upstream):
    foyer = limited_foyer
    load = Load(foyer, upstream, random.Random(20261125))
    failures = Failures({502, 503}, allows_no_response=True)
    load.begin(is_tolerated=failures)
    load.expected.wait_for_writes(SAMPLE_SIZE)
    assert not failures.counts
    clients = []
    for number in range(2 * DESCRIPTORS):
        url = foyer.backend if number % 4 == 0 else foyer.base
        client = socket.create_connection(("127.0.0.1", urllib.parse.urlsplit(url).port), 30)
        client.sendall(b"GET /health HTTP/1.1\r\n")
        clients.append(client)
    descriptors = len(os.listdir(f"/proc/{foyer.process.pid}/fd"))
    # Other writes continue meanwhile.
    load.expected.wait_for_writes(SAMPLE_SIZE)
    load.end()
    for client in clients:
        client.close()
    print(f"\n{descriptors} of {DESCRIPTORS} descriptors in use; failures: {dict(failures.counts)}")
    assert failures.unexpected == []
    check_recovery(load)
    assert foyer.stop() == 0
    assert set(map(str, integrity(foyer.data).values())) == {"[('ok',)]"}
