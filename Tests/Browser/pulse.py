"""What a person does with CLARITY Pulse, in words."""

import pytest
from playwright.sync_api import expect

import acting
from firebase import Firebase
from standin import StandIn

APP = "clarity"


def device_of(page, foyer):
    page.goto(f"{foyer.base}/studio/{APP}")
    return acting.device_of(page, foyer)


def place(device):
    return f"/api/devices/{device}/apps/{APP}"


def pointed(page, foyer, server, backend="emulator"):
    """The app on this page's device, talking to a stand-in."""
    device = device_of(page, foyer)
    base = server.url.removesuffix("/api/v1")
    settings = {"apiURL": "/"} if backend == "emulator" else {}
    foyer.api("PATCH", place(device), {
        "backend": backend, "base": base, "settings": settings})
    acting.start(page, foyer, APP)
    return device


def start(page, foyer):
    return acting.start(page, foyer, APP)


def relaunch(page, foyer):
    return acting.relaunch(page, foyer, APP)


def login(view, email, password):
    acting.fill(view, "login", email, password)
    view.get_by_test_id("login.submit").click()


def fill_register(view, email, password, confirm=None, first="Avery",
                  last="Quinn", terms=True, privacy=True):
    acting.arrive(view, "register")
    for name, value in [
            ("firstName", first), ("lastName", last), ("email", email),
            ("password", password),
            ("confirm", password if confirm is None else confirm)]:
        view.get_by_test_id(f"register.{name}").fill(value)
    view.get_by_test_id("register.terms").set_checked(terms)
    view.get_by_test_id("register.privacy").set_checked(privacy)


def register(view, email, password, **more):
    acting.arrive(view, "login")
    view.get_by_test_id("login.register").click()
    fill_register(view, email, password, **more)
    view.get_by_test_id("register.submit").click()


def answer_alert(view):
    expect(view.get_by_test_id("alert")).to_contain_text(
        "Registration Successful")
    view.get_by_test_id("alert.ok").click()
    acting.arrive(view, "login")


def signed_in(view, email):
    acting.arrive(view, "dashboard")
    expect(view.get_by_test_id("dashboard.email")).to_have_text(email)


def settings(view):
    view.get_by_test_id("dashboard.tab.settings").click()
    acting.arrive(view, "settings")


def logout(view):
    settings(view)
    view.get_by_test_id("settings.signOut").click()
    view.get_by_test_id("settings.signOut.confirm").click()
    acting.arrive(view, "login")


def failure(view, screen):
    return view.get_by_test_id(f"{screen}.error")


@pytest.fixture
def firebase():
    """Firebase's stand-in, listening."""
    script = Firebase()
    server = StandIn(script)
    script.server = server
    yield script
    server.stop()
