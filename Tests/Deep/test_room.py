"""No room while it runs: a full disk, more clients than file descriptors.

Requests get problems that say so, nothing acknowledged is lost, and everything
works again once there is room, without a restart.
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
from load import Load, Unanswered, Worker, integrity

ENOUGH = 40
DESCRIPTORS = 400


@pytest.fixture
def small_disk():
    """A foyer whose data folder is a file system of its own, of 24 MiB."""
    home = RESULTS / "servers" / "small-disk"
    data = home / "data"
    data.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m,mode=700", "foyer-test", str(data)]
    done = subprocess.run(mount, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"a tmpfs cannot be mounted here: {done.stderr.strip()}")
    foyer = Foyer("small-disk", home=home)
    yield foyer
    foyer.kill()
    subprocess.run(["umount", str(data)], check=True)


class Refusals:
    """Judges what was refused, and waits until enough was."""

    def __init__(self, statuses, unanswered=False):
        self.statuses = statuses
        self.unanswered = unanswered
        self.seen = Counter()
        self.unclear = []
        self.condition = threading.Condition()

    def __call__(self, refused):
        with self.condition:
            if isinstance(refused, Unanswered):
                self.seen["unanswered"] += 1
                return self.unanswered
            problem = json.loads(refused.body) if "problem+json" in refused.kind else {}
            self.seen[refused.status, problem.get("type")] += 1
            # 303: a screen of the app, which shows what its backend answered.
            if refused.status != 303 and not (
                refused.status in self.statuses and problem.get("detail")
            ):
                self.unclear.append(f"{refused.kind} {refused}")
            self.condition.notify_all()
        return True

    def wait(self, count):
        with self.condition:
            return self.condition.wait_for(lambda: self.seen.total() >= count, 0.2)


def fill(file):
    """Writes until there is no room."""
    try:
        while True:
            file.write(bytes(4096))
    except OSError:
        pass


def recovers(load):
    """The same load goes on, nothing is refused, and nothing was lost."""
    load.begin()
    load.ledger.wait(ENOUGH)
    load.end()
    load.check_all()


def test_a_full_disk_is_said_and_loses_nothing(small_disk, upstream):
    foyer = small_disk
    load = Load(foyer, upstream, random.Random(20261124))
    refusals = Refusals({502, 503, 507})
    # What is proxied passes, with or without room for its record.
    load.begin([act for act in Worker.ACTS if act != "proxy"], refusals)
    load.ledger.wait(ENOUGH)
    assert not refusals.seen
    filler = foyer.data / "filler"
    with open(filler, "wb", buffering=0) as file:
        # What a checkpoint frees is taken as well.
        fill(file)
        until = time.monotonic() + 120
        while not refusals.wait(ENOUGH):
            assert time.monotonic() < until, refusals.seen
            fill(file)
        load.end()
        # Reading needs no room.
        load.check_all()
    filler.unlink()
    print(f"\nrefused while the disk was full: {dict(refusals.seen)}")
    assert refusals.unclear == []
    recovers(load)
    # And it was on the disk, not only in memory.
    foyer.kill()
    foyer.start()
    load.check_all()
    assert foyer.stop() == 0
    assert set(map(str, integrity(foyer.data).values())) == {"[('ok',)]"}


@pytest.fixture
def narrow_foyer(tmp_path, monkeypatch):
    """A foyer that may open few files."""
    narrow = tmp_path / "foyer"
    narrow.write_text(f'#!/bin/sh\nulimit -n {DESCRIPTORS}\nexec {binary()} "$@"\n')
    narrow.chmod(0o700)
    monkeypatch.setenv("FOYER_BINARY", str(narrow))
    foyer = Foyer("narrow")
    yield foyer
    foyer.kill()


def test_clients_that_take_every_descriptor_lose_nothing(narrow_foyer, upstream):
    foyer = narrow_foyer
    load = Load(foyer, upstream, random.Random(20261125))
    refusals = Refusals({502, 503}, unanswered=True)
    load.begin(tolerated=refusals)
    load.ledger.wait(ENOUGH)
    assert not refusals.seen
    clients = []
    for number in range(2 * DESCRIPTORS):
        url = foyer.backend if number % 4 == 0 else foyer.base
        client = socket.create_connection(("127.0.0.1", urllib.parse.urlsplit(url).port), 30)
        client.sendall(b"GET /health HTTP/1.1\r\n")
        clients.append(client)
    most = len(os.listdir(f"/proc/{foyer.process.pid}/fd"))
    # Work goes on beside them.
    load.ledger.wait(ENOUGH)
    load.end()
    for client in clients:
        client.close()
    print(f"\n{most} of {DESCRIPTORS} descriptors in use; not done: {dict(refusals.seen)}")
    assert refusals.unclear == []
    recovers(load)
    assert foyer.stop() == 0
    assert set(map(str, integrity(foyer.data).values())) == {"[('ok',)]"}
