"""The seventh app: its real backend, and user actions in the app.

The app consists only of the files in `seventh/apps`; the backend is Django with djoser and Simple
JWT, in its own environment.
"""

import email
import email.policy
import queue
import re
import shutil
import subprocess
import threading
from pathlib import Path

import acting
from foyer import ROOT
from playwright.sync_api import expect

FOLDER = Path(__file__).parent / "seventh"
APP = "harbour"


def python():
    """The Python interpreter of the backend's environment."""
    return str(ROOT / ".build/seventh-venv/bin/python")


class Backend:
    """The backend's process, its address, and the mails it writes as files."""

    def __init__(self, folder, smtp=()):
        """`smtp` is the port and the user name of the server that gets its mails."""
        self.mails = folder / "mails"
        self.process = subprocess.Popen(
            [python(), str(FOLDER / "backend.py"), str(folder), *map(str, smtp)],
            text=True,
            stdout=subprocess.PIPE,
        )
        lines = queue.Queue()
        threading.Thread(
            target=lambda: lines.put(self.process.stdout.readline()), daemon=True
        ).start()
        self.url = lines.get(timeout=60).strip()
        if not self.url:
            raise RuntimeError(f"it ended with {self.process.wait()}")

    def link_values(self, to, page):
        """The uid and token in the newest mailed link to `page`.

        The backend writes a mail before it responds to the request that causes it.
        """
        for file in sorted(self.mails.glob("*.log"), reverse=True):
            text = file.read_text()
            mail = email.message_from_string(text, policy=email.policy.default)
            link = re.search(rf"/{page}/([^/\s]+)/([^/\s]+)", text)
            if mail["To"] == to and link:
                return link[1], link[2]
        raise AssertionError(f"no mail to {to} leads to {page}")

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


def copy_apps(folder):
    """Copies the app, so that a test may change it, and returns the folder for --apps."""
    return Path(shutil.copytree(FOLDER / "apps", folder / "apps"))


def use_backend(page, foyer, backend):
    """Sets the running backend for this browser's device."""
    device = acting.device_of(page, foyer)
    foyer.api(
        "PATCH", f"/api/devices/{device}/apps/{APP}", {"backend": "django", "base": backend.url}
    )
    return device


def start(page, foyer, scripts=True):
    if scripts:
        acting.relaunch(page, foyer, APP)
    else:
        acting.relaunch_in_studio(page, foyer, APP)
        acting.expect_screen(page, "splash")
        page.get_by_role("button", name="Continue").click()


def fill(page, screen, **values):
    acting.expect_screen(page, screen)
    for name, value in values.items():
        page.get_by_test_id(f"{screen}.{name}").fill(value)
    page.get_by_test_id(f"{screen}.submit").click()


def register(page, name, address, password):
    page.get_by_test_id("login.register").click()
    fill(page, "register", username=name, email=address, password=password, again=password)


def login(page, name, password):
    fill(page, "login", username=name, password=password)


def expect_signed_in(page, name, address):
    acting.expect_screen(page, "quay")
    expect(page.get_by_test_id("quay.username")).to_have_text(name)
    expect(page.get_by_test_id("quay.email")).to_have_text(address)


def logout(page):
    page.get_by_test_id("quay.settings").click()
    acting.expect_screen(page, "settings")
    page.get_by_test_id("settings.logout").click()
    page.get_by_test_id("settings.logout.confirm").click()
    acting.expect_screen(page, "login")


def signed_in_device(page, foyer, backend, person):
    """Registers, activates and signs in a new user on this page."""
    address, password = person()
    name = address.split("@")[0]
    device = use_backend(page, foyer, backend)
    start(page, foyer)
    acting.expect_screen(page, "login")
    register(page, name, address, password)
    acting.expect_screen(page, "activate")
    uid, token = backend.link_values(address, "activate")
    fill(page, "activate", uid=uid, token=token)
    login(page, name, password)
    expect_signed_in(page, name, address)
    return device, name, address, password
