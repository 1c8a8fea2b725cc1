"""The seventh app: its backend, run for real, and what a person does with it.

The app is nothing but the files in `seventh/apps`; the backend is Django with
djoser and Simple JWT, in an environment of its own.
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

HERE = Path(__file__).parent / "seventh"
APP = "harbour"


def python():
    """The interpreter the backend's packages are installed for."""
    return str(ROOT / ".build/seventh-venv/bin/python")


class Backend:
    """The process, its address, and the mails it leaves as files."""

    def __init__(self, folder):
        self.mails = folder / "mails"
        self.process = subprocess.Popen(
            [python(), str(HERE / "backend.py"), str(folder)], text=True, stdout=subprocess.PIPE
        )
        lines = queue.Queue()
        threading.Thread(
            target=lambda: lines.put(self.process.stdout.readline()), daemon=True
        ).start()
        self.url = lines.get(timeout=60).strip()
        if not self.url:
            raise RuntimeError(f"it ended with {self.process.wait()}")

    def proof(self, to, page):
        """The number and token of the newest mail's link to `page`.

        A mail is written before the request that causes it is answered.
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


def apps(folder):
    """A copy of the app that a test may change: the folder for --apps."""
    return Path(shutil.copytree(HERE / "apps", folder / "apps"))


def point(page, foyer, backend):
    """This browser's device speaks to the backend that runs."""
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
        acting.arrive(page, "splash")
        page.get_by_role("button", name="Continue").click()


def fill(page, screen, **values):
    acting.arrive(page, screen)
    for name, value in values.items():
        page.get_by_test_id(f"{screen}.{name}").fill(value)
    page.get_by_test_id(f"{screen}.submit").click()


def register(page, name, address, password):
    page.get_by_test_id("login.register").click()
    fill(page, "register", username=name, email=address, password=password, again=password)


def login(page, name, password):
    fill(page, "login", username=name, password=password)


def aboard(page, name, address):
    acting.arrive(page, "quay")
    expect(page.get_by_test_id("quay.username")).to_have_text(name)
    expect(page.get_by_test_id("quay.email")).to_have_text(address)


def logout(page):
    page.get_by_test_id("quay.settings").click()
    acting.arrive(page, "settings")
    page.get_by_test_id("settings.logout").click()
    page.get_by_test_id("settings.logout.confirm").click()
    acting.arrive(page, "login")


def sailor(page, foyer, backend, person):
    """Somebody new, registered, active and signed in on this page."""
    address, password = person()
    name = address.split("@")[0]
    device = point(page, foyer, backend)
    start(page, foyer)
    acting.arrive(page, "login")
    register(page, name, address, password)
    acting.arrive(page, "activate")
    uid, token = backend.proof(address, "activate")
    fill(page, "activate", uid=uid, token=token)
    login(page, name, password)
    aboard(page, name, address)
    return device, name, address, password
