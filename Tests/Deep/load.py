"""Mixed load on a foyer, and a ledger of the writes that were acknowledged.

A `Cell` is one value that can be read over the API. While a write is under way
its cell may hold the old value or the new one; once the write is acknowledged
it holds the new one, whatever happens to the process.
"""

import http.client
import json
import sqlite3
import threading
import time
import urllib.parse
from collections import Counter
from contextlib import closing
from typing import NamedTuple

from foyer import MARK

GONE = "gone"


class Unanswered(Exception):
    """The connection ended before a response: the write may have been made or not."""


class Refused(Exception):
    """A response that is not a success."""

    def __init__(self, status, headers, body):
        super().__init__(f"{status} {body[:300]}")
        self.status = status
        self.kind = headers.get("Content-Type", "")
        self.body = body


class Client:
    """One kept connection to the console."""

    def __init__(self, foyer, workspace="main"):
        self.foyer = foyer
        self.workspace = workspace
        self.connection = None
        self.status, self.headers = None, {}

    def ask(self, method, path, body=None, form=None, device=None):
        """The body of a success, parsed if it is JSON."""
        # A proxied request would hand the console's key on.
        headers = (
            {}
            if path.startswith("/through/")
            else {"Authorization": f"Bearer {self.foyer.key}", "X-Foyer-Workspace": self.workspace}
        )
        if device:
            headers["X-Foyer-Device"] = device
        if form is not None:
            body = urllib.parse.urlencode(form)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        elif body is not None:
            body = json.dumps(body)
            headers["Content-Type"] = "application/json"
        try:
            host = urllib.parse.urlsplit(self.foyer.base).netloc
            if self.connection and self.host != host:
                self.close()
            if not self.connection:
                self.host = host
                self.connection = http.client.HTTPConnection(host, timeout=60)
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Unanswered from error
        self.status, self.headers = answer.status, answer.headers
        if answer.will_close:
            self.close()
        if answer.status >= 400:
            raise Refused(answer.status, answer.headers, text)
        return json.loads(text) if "json" in answer.headers.get("Content-Type", "") else text

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Cell(NamedTuple):
    path: str
    names: tuple

    def read(self, client):
        try:
            value = client.ask("GET", self.path)
        except Refused as refused:
            if refused.status == 404:
                return GONE
            raise
        for name in self.names:
            value = value[name] if value else None
        return value


class Ledger:
    """What the cells may hold, and how many writes of each kind were acknowledged."""

    def __init__(self):
        self.cells = {}
        self.touched = set()
        self.acknowledged = Counter()
        self.condition = threading.Condition()

    def expect(self, cell, value):
        """A write of a known cell begins."""
        with self.condition:
            self.cells[cell] = self.cells.get(cell, {GONE}) | {value}
            self.touched.add(cell)

    def acknowledge(self, kind, *values):
        with self.condition:
            for cell, value in values:
                self.cells[cell] = {value}
                self.touched.add(cell)
            self.acknowledged[kind] += 1
            self.condition.notify_all()

    def wait(self, count):
        """Until so many more writes were acknowledged."""
        with self.condition:
            until = self.acknowledged.total() + count
            assert self.condition.wait_for(lambda: self.acknowledged.total() >= until, 120)

    def check(self, client, cells):
        for cell in cells:
            value = cell.read(client)
            assert value in self.cells[cell], (cell, value, self.cells[cell])
            self.cells[cell] = {value}


class Worker:
    """Uses one foyer in all the ways that write."""

    ACTS = (
        *("register", "login", "again", "refresh", "account"),
        *("snapshot", "workspace", "proxy", "setting", "storage"),
    )
    # Of each kind, in a workspace or of it, before the oldest is deleted.
    KEPT = 3

    def __init__(self, client, ledger, number, chance, upstream):
        self.client = client
        self.ledger = ledger
        self.name = f"w{number}"
        self.chance = chance
        self.count = 0
        self.session = None
        self.snapshots, self.workspaces = [], []
        self.failure = None
        self.person = {"email": f"{self.name}@example.com", "password": f"{MARK}-{self.name}"}
        client.ask("POST", "/api/accounts", {"app": "mystica", "state": "verified", **self.person})
        self.device = client.ask("POST", "/api/devices")["id"]
        self.home = self.phone()
        client.ask(
            "PATCH",
            f"/api/devices/{self.device}/apps/mystica",
            {"backend": "local", "base": upstream.url},
        )
        # From here on its name is known.
        self.setting()

    def run(self, stop, acts, tolerated):
        """Acts until the foyer is gone or `stop` is set; `tolerated` judges what failed."""
        try:
            while not stop.is_set():
                try:
                    getattr(self, self.chance.choice(acts))()
                except (Refused, Unanswered) as failure:
                    if not (tolerated and tolerated(failure)):
                        raise
        except Unanswered:
            pass
        except Exception as error:
            self.failure = error
        finally:
            self.client.close()

    def fresh(self):
        self.count += 1
        return f"{self.name}-{self.count}"

    def phone(self):
        """A new device with Mystica started."""
        device = self.client.ask("POST", "/api/devices")["id"]
        self.client.ask("POST", "/apps/mystica/splash/launch", form={}, device=device)
        return device

    def submit(self, screen, device, person, arrives):
        path = f"/apps/mystica/{screen}/submit"
        page = self.client.ask("POST", path, form=person, device=device)
        # Elsewhere the app shows the backend's failure, as a person would see it.
        if not self.client.headers.get("Location", "").endswith(f"/{arrives}"):
            raise Refused(self.client.status, self.client.headers, page)
        user = Cell(f"/api/devices/{device}/apps/mystica", ("session", "user", "email"))
        return user, person["email"]

    def register(self):
        person = {"email": f"{self.fresh()}@example.com", "password": f"{MARK}-{self.count}"}
        user = self.submit("register", self.phone(), person, "verify")
        mails = Cell(f"/api/mailbox?to={person['email']}", ("total",))
        self.ledger.acknowledge("register", user, (mails, 1))

    def login(self):
        device = self.phone()
        user = self.submit("login", device, self.person, "map")
        self.ledger.acknowledge("login", user)
        state = self.client.ask("GET", f"/api/devices/{device}/apps/mystica")
        self.session = Cell(f"/api/sessions/{state['session']['id']}", ("refreshCount",))
        self.ledger.acknowledge("session", (self.session, 0))

    def again(self):
        """Signs in anew on a device that may have a session; its calls may meet faults."""
        place = f"/api/devices/{self.home}/apps/mystica"
        user = Cell(place, ("session", "user", "email"))
        self.ledger.expect(user, None)
        self.ledger.expect(user, self.person["email"])
        self.client.ask("POST", f"{place}/relaunch")
        self.client.ask("GET", "/apps/mystica/login", device=self.home)
        try:
            self.submit("login", self.home, self.person, "map")
        except Refused as refused:
            # The app shows what it was answered.
            if refused.status != 303:
                raise
        else:
            self.ledger.acknowledge("again", (user, self.person["email"]))

    def account(self):
        wanted = {"email": f"{self.fresh()}@example.com", "password": f"{MARK}-{self.count}"}
        made = self.client.ask("POST", "/api/accounts", {"app": "mystica", **wanted})
        cell = Cell(f"/api/accounts/{made['id']}", ("email",))
        self.ledger.acknowledge("account", (cell, wanted["email"]))

    def refresh(self):
        if not self.session:
            return
        cell, self.session = self.session, None
        (count,) = self.ledger.cells[cell]
        self.ledger.expect(cell, count + 1)
        answer = self.client.ask("POST", f"{cell.path}/refresh")
        assert answer["state"] == "active", answer
        self.ledger.acknowledge("refresh", (cell, count + 1))
        # Unanswered, the backend may have a newer token than the device: another login then.
        self.session = cell

    def snapshot(self):
        made = self.client.ask("POST", "/api/snapshots", {"name": self.fresh()}, device=self.device)
        cell = Cell(f"/api/snapshots/{made['id']}", ("name",))
        self.ledger.acknowledge("snapshot", (cell, made["name"]))
        self.keep(self.snapshots, cell)

    def workspace(self):
        made = self.client.ask("POST", "/api/workspaces", {"label": self.fresh()})
        cell = Cell(f"/api/workspaces/{made['id']}", ("label",))
        self.ledger.acknowledge("workspace", (cell, made["label"]))
        self.keep(self.workspaces, cell)

    def keep(self, cells, cell):
        cells.append(cell)
        if len(cells) > self.KEPT:
            oldest = cells.pop(0)
            self.ledger.expect(oldest, GONE)
            self.client.ask("DELETE", oldest.path)
            self.ledger.acknowledge("delete", (oldest, GONE))

    def proxy(self):
        sent = {"note": self.fresh()}
        path = f"/through/{self.client.workspace}@{self.device}/mystica/notes/{self.count}"
        answer = self.client.ask("POST", path, sent)
        answer = answer if isinstance(answer, dict) else json.loads(answer)
        assert answer == sent, answer
        # The record is written a moment later; it counts once it was read.
        cell = Cell(f"/api/exchanges/{self.client.headers['X-Foyer-Exchange']}", ("status",))
        until = time.monotonic() + 30
        while cell.read(self.client) == GONE:
            assert time.monotonic() < until, f"{cell.path} is not recorded"
        self.ledger.acknowledge("proxy", (cell, 200))

    def setting(self):
        label = self.fresh()
        cell = Cell(f"/api/devices/{self.device}", ("label",))
        self.ledger.expect(cell, label)
        self.client.ask("PATCH", cell.path, {"label": label})
        self.ledger.acknowledge("setting", (cell, label))

    def storage(self):
        place = f"/api/devices/{self.home}/apps/wall/storage"
        cell = Cell(f"{place}/userEmail", ("value",))
        value = self.fresh() if self.chance.random() < 0.7 else GONE
        self.ledger.expect(cell, value)
        if value == GONE:
            self.client.ask("DELETE", place)
        else:
            self.client.ask("PUT", cell.path, {"value": value})
        self.ledger.acknowledge("storage", (cell, value))


class Load:
    """Several workers at once, in rounds."""

    def __init__(self, foyer, upstream, chance, workspace="main", workers=4):
        self.ledger = Ledger()
        self.chance = chance
        self.client = Client(foyer, workspace)
        self.stop = threading.Event()
        self.workers = [
            Worker(Client(foyer, workspace), self.ledger, number, chance, upstream)
            for number in range(workers)
        ]
        self.threads = []

    def begin(self, acts=Worker.ACTS, tolerated=None):
        self.stop.clear()
        self.threads = [
            threading.Thread(target=worker.run, args=(self.stop, acts, tolerated), daemon=True)
            for worker in self.workers
        ]
        for thread in self.threads:
            thread.start()

    def end(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()
        for worker in self.workers:
            if worker.failure:
                raise worker.failure

    def check(self):
        """What the last round acknowledged, and a sample of what others did."""
        cells = list(self.ledger.cells)
        sample = self.chance.sample(cells, min(len(cells), 10))
        self.ledger.check(self.client, self.ledger.touched.union(sample))
        self.ledger.touched = set()

    def check_all(self):
        self.ledger.check(self.client, list(self.ledger.cells))

    def tidy(self):
        """Snapshots made or deleted without an answer would fill their workspace."""
        kept = {cell for worker in self.workers for cell in worker.snapshots}
        for one in self.client.ask("GET", "/api/snapshots?limit=100")["items"]:
            cell = Cell(f"/api/snapshots/{one['id']}", ("name",))
            if cell not in kept:
                self.client.ask("DELETE", cell.path)
                self.ledger.cells[cell] = {GONE}


def integrity(data):
    """What SQLite says of each database in a data folder."""
    found = {}
    for file in sorted(data.glob("*.sqlite")):
        with closing(sqlite3.connect(file)) as database:
            found[file.name] = database.execute("PRAGMA integrity_check").fetchall()
    return found
