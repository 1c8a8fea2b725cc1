"""A world of one's own for every worker: the fixture to copy.

`FOYER` is the console's address, `FOYER_KEY` its key, as `foyer` printed them.
"""

import json
import os
import shutil
import urllib.error
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import expect, sync_playwright

# Sixteen browsers on a small machine take their time.
expect.set_options(timeout=60_000)


class World:
    """A leased workspace: its API, its mailbox, and its browser's state."""

    def __init__(self, **wish):
        self.id = None
        self.base = os.environ["FOYER"]
        self.key = os.environ["FOYER_KEY"]
        lease = self.api("POST", "/api/workspaces", {"ttl": 900, **wish})
        self.id = lease["id"]
        self.device = lease["device"]
        self.state = lease["storageState"]
        self.user = lease["user"]
        self.session = lease["session"]

    def api(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        if self.id:
            headers["X-Foyer-Workspace"] = self.id
        request = urllib.request.Request(
            self.base + path,
            None if body is None else json.dumps(body).encode(),
            headers,
            method=method,
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def code(self, address):
        """The code that was mailed last; waits for it."""
        query = urllib.parse.urlencode({"to": address, "timeout": 60})
        return self.api("GET", f"/api/mailbox/wait?{query}")["code"]

    def pass_time(self, seconds):
        return self.api("PATCH", "/api/clock", {"advance": seconds})

    def exchanges(self, call=None):
        query = f"&call={call}" if call else ""
        return self.api("GET", f"/api/exchanges?limit=500{query}")["items"]

    def is_alone(self):
        """Nothing of anybody else is to be seen."""
        devices = {d["id"] for d in self.api("GET", "/api/devices")["items"]}
        seen = self.exchanges() + self.api("GET", "/api/sessions")["items"]
        return devices == {self.device} and all(item["device"] == self.device for item in seen)

    def end(self):
        self.api("DELETE", f"/api/workspaces/{self.id}")


@pytest.fixture
def lease():
    """Leases worlds, and ends them after the test."""
    worlds = []

    def make(**wish):
        worlds.append(World(**wish))
        return worlds[-1]

    yield make
    for world in worlds:
        world.end()


@pytest.fixture(scope="session")
def chromium():
    executable = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def enter(chromium):
    """A browser that is in a world: signed in or not, as the lease says."""
    contexts = []

    def go(world):
        context = chromium.new_context(base_url=world.base, storage_state=world.state)
        context.set_default_timeout(60_000)
        contexts.append(context)
        return context.new_page()

    yield go
    for context in contexts:
        context.close()
