"""An isolated workspace for every test: fixtures to copy into other projects.

`FOYER` is the console's address, `FOYER_KEY` its key, as `foyer` prints them.
"""

import json
import os
import shutil
import urllib.error
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import expect, sync_playwright

# Sixteen browsers on a small machine are slow.
expect.set_options(timeout=60_000)


class Workspace:
    """A leased workspace: its API, its mailbox, and the storage state for its browser."""

    def __init__(self, **options):
        self.id = None
        self.base = os.environ["FOYER"]
        self.key = os.environ["FOYER_KEY"]
        lease = self.api("POST", "/api/workspaces", {"ttl": 900, **options})
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
        with urllib.request.urlopen(request, timeout=120) as response:
            text = response.read()
        return json.loads(text) if text else None

    def code(self, address):
        """Waits for a mail and returns its code."""
        query = urllib.parse.urlencode({"to": address, "timeout": 60})
        return self.api("GET", f"/api/mailbox/wait?{query}")["code"]

    def advance_clock(self, seconds):
        return self.api("PATCH", "/api/clock", {"advance": seconds})

    def exchanges(self, call=None):
        query = f"&call={call}" if call else ""
        return self.api("GET", f"/api/exchanges?limit=500{query}")["items"]

    def is_isolated(self):
        """Whether the API shows nothing of other workspaces."""
        devices = {d["id"] for d in self.api("GET", "/api/devices")["items"]}
        items = self.exchanges() + self.api("GET", "/api/sessions")["items"]
        return devices == {self.device} and all(item["device"] == self.device for item in items)

    def end(self):
        self.api("DELETE", f"/api/workspaces/{self.id}")


@pytest.fixture
def lease():
    """Leases workspaces, and ends them after the test."""
    workspaces = []

    def make(**options):
        workspaces.append(Workspace(**options))
        return workspaces[-1]

    yield make
    for workspace in workspaces:
        workspace.end()


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
def open_page(chromium):
    """Opens a browser in a workspace, with the lease's storage state."""
    contexts = []

    def open_in(workspace):
        context = chromium.new_context(base_url=workspace.base, storage_state=workspace.state)
        context.set_default_timeout(60_000)
        contexts.append(context)
        return context.new_page()

    yield open_in
    for context in contexts:
        context.close()
