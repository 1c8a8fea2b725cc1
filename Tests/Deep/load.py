"""Mixed load on a foyer, and the state that its acknowledged writes should have left.

A `Cell` is one value that can be read over the API. While a write is in progress its cell may
hold the old or the new value. Once the write is acknowledged it holds the new one, even if the
process is killed.
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

MISSING = "missing"


class NoResponse(Exception):
    """The connection ended before a response. The write may or may not have been made."""


class ErrorResponse(Exception):
    """A response with a status of 400 or above."""

    def __init__(self, status, headers, body):
        super().__init__(f"{status} {body[:300]}")
        self.status = status
        self.content_type = headers.get("Content-Type", "")
        self.body = body


class Client:
    """A client of the console with one persistent connection."""

    def __init__(self, foyer, workspace="main"):
        self.foyer = foyer
        self.workspace = workspace
        self.connection = None
        self.status, self.headers = None, {}

    def send(self, method, path, body=None, form=None, device=None):
        """Sends a request and returns the response's body, parsed if it is JSON."""
        # A proxied request would pass the console's key on to the backend.
        headers = (
            {}
            if path.startswith("/proxy/")
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
            response = self.connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise NoResponse from error
        self.status, self.headers = response.status, response.headers
        if response.will_close:
            self.close()
        if response.status >= 400:
            raise ErrorResponse(response.status, response.headers, text)
        return json.loads(text) if "json" in response.headers.get("Content-Type", "") else text

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Cell(NamedTuple):
    """The path of a resource, and the names that lead to a value in its JSON."""

    path: str
    names: tuple

    def read(self, client):
        try:
            value = client.send("GET", self.path)
        except ErrorResponse as error:
            if error.status == 404:
                return MISSING
            raise
        for name in self.names:
            value = value[name] if value else None
        return value


class ExpectedState:
    """The values that each cell may hold, and the number of acknowledged writes by kind."""

    def __init__(self):
        self.cells = {}
        self.changed = set()
        self.acknowledged = Counter()
        self.condition = threading.Condition()

    def begin_write(self, cell, value):
        """Adds `value` to the allowed values of a cell."""
        with self.condition:
            self.cells[cell] = self.cells.get(cell, {MISSING}) | {value}
            self.changed.add(cell)

    def acknowledge(self, kind, *values):
        """Counts a write. Its values are now the only allowed values of their cells."""
        with self.condition:
            for cell, value in values:
                self.cells[cell] = {value}
                self.changed.add(cell)
            self.acknowledged[kind] += 1
            self.condition.notify_all()

    def wait_for_writes(self, count):
        """Waits until `count` more writes are acknowledged."""
        with self.condition:
            target = self.acknowledged.total() + count
            assert self.condition.wait_for(lambda: self.acknowledged.total() >= target, 120)

    def check(self, client, cells):
        for cell in cells:
            value = cell.read(client)
            assert value in self.cells[cell], (cell, value, self.cells[cell])
            self.cells[cell] = {value}


class Worker:
    """Performs every kind of write on one foyer."""

    ACTIONS = (
        *("register", "login", "sign_in_again", "refresh", "account"),
        *("snapshot", "workspace", "proxy", "setting", "storage"),
    )
    # Snapshots and workspaces of one worker, before it deletes the oldest.
    MAX_PER_KIND = 3

    def __init__(self, client, expected, number, rng, upstream):
        self.client = client
        self.expected = expected
        self.name = f"w{number}"
        self.rng = rng
        self.count = 0
        self.session = None
        self.snapshots, self.workspaces = [], []
        self.failure = None
        self.credentials = {"email": f"{self.name}@example.com", "password": f"{MARK}-{self.name}"}
        client.send(
            "POST", "/api/accounts", {"app": "mystica", "state": "verified", **self.credentials}
        )
        self.device = client.send("POST", "/api/devices")["id"]
        self.home_device = self.new_device()
        client.send(
            "PATCH",
            f"/api/devices/{self.device}/apps/mystica",
            {"backend": "local", "base": upstream.url},
        )
        # From here on the device's label is known.
        self.setting()

    def run(self, stop, actions, is_tolerated):
        """Performs random actions until the foyer ends, `stop` is set or an action fails."""
        try:
            while not stop.is_set():
                try:
                    getattr(self, self.rng.choice(actions))()
                except (ErrorResponse, NoResponse) as failure:
                    if not (is_tolerated and is_tolerated(failure)):
                        raise
        except NoResponse:
            pass
        except Exception as error:
            self.failure = error
        finally:
            self.client.close()

    def unique_name(self):
        self.count += 1
        return f"{self.name}-{self.count}"

    def new_credentials(self):
        email = f"{self.unique_name()}@example.com"
        return {"email": email, "password": f"{MARK}-{self.count}"}

    def new_device(self):
        """Creates a device and launches Mystica on it."""
        device = self.client.send("POST", "/api/devices")["id"]
        self.client.send("POST", "/apps/mystica/splash/launch", form={}, device=device)
        return device

    def submit(self, screen, device, credentials, next_screen):
        path = f"/apps/mystica/{screen}/submit"
        page = self.client.send("POST", path, form=credentials, device=device)
        # On any other screen the app displays the backend's failure.
        if not self.client.headers.get("Location", "").endswith(f"/{next_screen}"):
            raise ErrorResponse(self.client.status, self.client.headers, page)
        user = Cell(f"/api/devices/{device}/apps/mystica", ("session", "user", "email"))
        return user, credentials["email"]

    def register(self):
        credentials = self.new_credentials()
        user = self.submit("register", self.new_device(), credentials, "verify")
        mails = Cell(f"/api/mailbox?to={credentials['email']}", ("total",))
        self.expected.acknowledge("register", user, (mails, 1))

    def login(self):
        device = self.new_device()
        user = self.submit("login", device, self.credentials, "map")
        self.expected.acknowledge("login", user)
        state = self.client.send("GET", f"/api/devices/{device}/apps/mystica")
        self.session = Cell(f"/api/sessions/{state['session']['id']}", ("refreshCount",))
        self.expected.acknowledge("session", (self.session, 0))

    def sign_in_again(self):
        """Signs in on a device that may have a session. Injected faults may affect its calls."""
        path = f"/api/devices/{self.home_device}/apps/mystica"
        user = Cell(path, ("session", "user", "email"))
        self.expected.begin_write(user, None)
        self.expected.begin_write(user, self.credentials["email"])
        self.client.send("POST", f"{path}/relaunch")
        self.client.send("GET", "/apps/mystica/login", device=self.home_device)
        try:
            self.submit("login", self.home_device, self.credentials, "map")
        except ErrorResponse as error:
            # With a 303 the app displays the failed response.
            if error.status != 303:
                raise
        else:
            self.expected.acknowledge("sign_in_again", (user, self.credentials["email"]))

    def account(self):
        account = self.new_credentials()
        created = self.client.send("POST", "/api/accounts", {"app": "mystica", **account})
        cell = Cell(f"/api/accounts/{created['id']}", ("email",))
        self.expected.acknowledge("account", (cell, account["email"]))

    def refresh(self):
        if not self.session:
            return
        cell, self.session = self.session, None
        (count,) = self.expected.cells[cell]
        self.expected.begin_write(cell, count + 1)
        response = self.client.send("POST", f"{cell.path}/refresh")
        assert response["state"] == "active", response
        self.expected.acknowledge("refresh", (cell, count + 1))
        # Without a response the backend may have a newer token than the device: the session is not
        # used again.
        self.session = cell

    def snapshot(self):
        created = self.client.send(
            "POST", "/api/snapshots", {"name": self.unique_name()}, device=self.device
        )
        cell = Cell(f"/api/snapshots/{created['id']}", ("name",))
        self.expected.acknowledge("snapshot", (cell, created["name"]))
        self.append_limited(self.snapshots, cell)

    def workspace(self):
        created = self.client.send("POST", "/api/workspaces", {"label": self.unique_name()})
        cell = Cell(f"/api/workspaces/{created['id']}", ("label",))
        self.expected.acknowledge("workspace", (cell, created["label"]))
        self.append_limited(self.workspaces, cell)

    def append_limited(self, cells, cell):
        """Appends a cell, and deletes the oldest above the limit."""
        cells.append(cell)
        if len(cells) > self.MAX_PER_KIND:
            oldest = cells.pop(0)
            self.expected.begin_write(oldest, MISSING)
            self.client.send("DELETE", oldest.path)
            self.expected.acknowledge("delete", (oldest, MISSING))

    def proxy(self):
        body = {"note": self.unique_name()}
        path = f"/proxy/{self.client.workspace}@{self.device}/mystica/notes/{self.count}"
        response = self.client.send("POST", path, body)
        response = response if isinstance(response, dict) else json.loads(response)
        assert response == body, response
        # The record is written asynchronously. It counts as acknowledged once it was read.
        cell = Cell(f"/api/exchanges/{self.client.headers['X-Foyer-Exchange']}", ("status",))
        deadline = time.monotonic() + 30
        while cell.read(self.client) == MISSING:
            assert time.monotonic() < deadline, f"{cell.path} is not recorded"
        self.expected.acknowledge("proxy", (cell, 200))

    def setting(self):
        label = self.unique_name()
        cell = Cell(f"/api/devices/{self.device}", ("label",))
        self.expected.begin_write(cell, label)
        self.client.send("PATCH", cell.path, {"label": label})
        self.expected.acknowledge("setting", (cell, label))

    def storage(self):
        path = f"/api/devices/{self.home_device}/apps/wall/storage"
        cell = Cell(f"{path}/userEmail", ("value",))
        value = self.unique_name() if self.rng.random() < 0.7 else MISSING
        self.expected.begin_write(cell, value)
        if value == MISSING:
            self.client.send("DELETE", path)
        else:
            self.client.send("PUT", cell.path, {"value": value})
        self.expected.acknowledge("storage", (cell, value))


class Load:
    """Several concurrent workers, in rounds."""

    def __init__(self, foyer, upstream, rng, workspace="main", workers=4):
        self.expected = ExpectedState()
        self.rng = rng
        self.client = Client(foyer, workspace)
        self.stop = threading.Event()
        self.workers = [
            Worker(Client(foyer, workspace), self.expected, number, rng, upstream)
            for number in range(workers)
        ]
        self.threads = []

    def begin(self, actions=Worker.ACTIONS, is_tolerated=None):
        self.stop.clear()
        self.threads = [
            threading.Thread(
                target=worker.run, args=(self.stop, actions, is_tolerated), daemon=True
            )
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
        """Checks the cells of the last round, and a sample of the others."""
        cells = list(self.expected.cells)
        sample = self.rng.sample(cells, min(len(cells), 10))
        self.expected.check(self.client, self.expected.changed.union(sample))
        self.expected.changed = set()

    def check_all(self):
        self.expected.check(self.client, list(self.expected.cells))

    def delete_unacknowledged_snapshots(self):
        """Deletes snapshots whose request got no response; they would fill the workspace."""
        acknowledged_cells = {cell for worker in self.workers for cell in worker.snapshots}
        for snapshot in self.client.send("GET", "/api/snapshots?limit=100")["items"]:
            cell = Cell(f"/api/snapshots/{snapshot['id']}", ("name",))
            if cell not in acknowledged_cells:
                self.client.send("DELETE", cell.path)
                self.expected.cells[cell] = {MISSING}


def integrity(data):
    """The result of SQLite's integrity check of each database in a data folder."""
    results = {}
    for file in sorted(data.glob("*.sqlite")):
        with closing(sqlite3.connect(file)) as database:
            results[file.name] = database.execute("PRAGMA integrity_check").fetchall()
    return results
