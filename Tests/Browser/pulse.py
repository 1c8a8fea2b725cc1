"""User actions in CLARITY Pulse."""

import acting
import pytest
from firebase import Firebase
from foyer import MARK
from playwright.sync_api import expect
from standin import StandIn

APP = "clarity"


def app_path(device):
    return f"/api/devices/{device}/apps/{APP}"


def start_with_backend(page, foyer, server, backend="emulator"):
    """Starts the app on this page's device with a stand-in as its backend."""
    device = acting.device_of(page, foyer)
    base = server.url.removesuffix("/api/v1")
    app_settings = (
        {"apiURL": "/"}
        if backend == "emulator"
        else {"userPoolURL": "/cognito-idp.us-east-1.amazonaws.com"}
    )
    foyer.api(
        "PATCH", app_path(device), {"backend": backend, "base": base, "settings": app_settings}
    )
    acting.start(page, foyer, APP)
    return device


def start(page, foyer):
    return acting.start(page, foyer, APP)


def relaunch(page, foyer):
    return acting.relaunch(page, foyer, APP)


def login(view, email, password):
    acting.fill(view, "login", email, password)
    view.get_by_test_id("login.submit").click()


def fill_register(
    view, email, password, confirm=None, first="Avery", last="Quinn", terms=True, privacy=True
):
    acting.expect_screen(view, "register")
    for name, value in [
        ("firstName", first),
        ("lastName", last),
        ("email", email),
        ("password", password),
        ("confirm", password if confirm is None else confirm),
    ]:
        view.get_by_test_id(f"register.{name}").fill(value)
    view.get_by_test_id("register.terms").set_checked(terms)
    view.get_by_test_id("register.privacy").set_checked(privacy)


def register(view, email, password, **more):
    acting.expect_screen(view, "login")
    view.get_by_test_id("login.register").click()
    fill_register(view, email, password, **more)
    view.get_by_test_id("register.submit").click()


def close_alert(view):
    expect(view.get_by_test_id("alert")).to_contain_text("Registration Successful")
    view.get_by_test_id("alert.ok").click()
    acting.expect_screen(view, "login")


def user_keys(foyer, device):
    """The keys that the device stores of its user."""
    stored = foyer.api("GET", app_path(device))["storage"]
    return [item["key"] for item in stored if item["key"] != "hasCompletedOnboarding"]


INTRODUCTION = ["track", "insights", "secure"]


def pass_introduction(view):
    """Reads the three pages that a phone shows before the first dashboard."""
    acting.expect_screen(view, "track")
    view.get_by_test_id("track.next").click()
    acting.expect_screen(view, "insights")
    view.get_by_test_id("insights.next").click()
    acting.expect_screen(view, "secure")
    view.get_by_test_id("secure.start").click()


def expect_signed_in(view, email):
    """Waits for the dashboard, past the introduction if the phone shows it."""
    first = view.locator("body[data-screen=track], body[data-screen=dashboard]")
    expect(first).to_be_attached()
    if first.get_attribute("data-screen") == "track":
        pass_introduction(view)
    acting.expect_screen(view, "dashboard")
    expect(view.get_by_test_id("dashboard.email")).to_have_text(email)


def open_settings(view):
    view.get_by_test_id("dashboard.tab.settings").click()
    acting.expect_screen(view, "settings")


def logout(view):
    open_settings(view)
    view.get_by_test_id("settings.signOut").click()
    view.get_by_test_id("settings.signOut.confirm").click()
    acting.expect_screen(view, "login")


def failure(view, screen):
    return view.get_by_test_id(f"{screen}.error")


@pytest.fixture
def firebase():
    """Firebase's stand-in, running."""
    script = Firebase()
    server = StandIn(script)
    script.server = server
    yield script
    server.stop()


# --- every state, for test_states.py --------------------------------------------

STATES = [
    "loading",
    "login",
    "login-failure",
    "register",
    "register-live",
    "register-failure",
    "register-alert",
    "reset",
    "reset-notice",
    "newPassword",
    "confirm",
    "verify",
    "verify-notice",
    "verify-toast",
    "verify-registration",
    "track",
    "insights",
    "secure",
    "dashboard",
    "chat",
    "edit",
    "edit-failure",
    "settings",
    "settings-notice",
    "settings-signOut",
    "settings-delete",
]
PASSWORD = MARK + "-look"


@pytest.fixture(scope="module")
def firebase_with_accounts():
    """Firebase with a verified and an unverified account."""
    script = Firebase()
    script.add("in@example.com", PASSWORD, name="Avery Quinn")
    script.add("out@example.com", PASSWORD, verified=False)
    script.server = StandIn(script)
    yield script
    script.server.stop()


def open_state(page, foyer, backend, name):
    """Brings the page into the state `name`."""
    screen, _, state = name.partition("-")
    if screen == "loading":
        # Stays there: without its script the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        start_with_backend(page, foyer, backend.server)
        acting.expect_screen(page, "loading")
        return
    start_with_backend(page, foyer, backend.server)
    acting.expect_screen(page, "login")
    if screen in ("reset", "register"):
        page.get_by_test_id(f"login.{screen}").click()
        acting.expect_screen(page, screen)
    if screen in ("newPassword", "confirm"):
        page.goto(f"{foyer.base}/apps/clarity/{screen}")
        acting.expect_screen(page, screen)
    if name == "verify-registration":
        email = f"look{len(backend.people)}@example.com"
        register(page, email, PASSWORD)
        close_alert(page)
        login(page, email, PASSWORD)
        acting.expect_screen(page, "verify")
        return
    if screen == "verify":
        login(page, "out@example.com", PASSWORD)
        acting.expect_screen(page, "verify")
    if screen in (*INTRODUCTION, "dashboard", "chat", "settings", "edit"):
        login(page, "in@example.com", PASSWORD)
        open_screen(page, screen)
    apply_state(state, page, screen, backend)


def open_screen(page, screen):
    """Goes to a screen of a user who has just signed in."""
    acting.expect_screen(page, "track")
    if screen in INTRODUCTION:
        for page_before in INTRODUCTION[: INTRODUCTION.index(screen)]:
            page.get_by_test_id(f"{page_before}.next").click()
        acting.expect_screen(page, screen)
        return
    pass_introduction(page)
    acting.expect_screen(page, "dashboard")
    tab = "settings" if screen == "edit" else screen
    if tab != "dashboard":
        page.get_by_test_id(f"dashboard.tab.{tab}").click()
        acting.expect_screen(page, tab)
    if screen == "edit":
        open_edit(page)


def open_edit(view):
    view.get_by_test_id("settings.edit").click()
    acting.expect_screen(view, "edit")


def save_names(view, first, last):
    view.get_by_test_id("edit.first").fill(first)
    view.get_by_test_id("edit.last").fill(last)
    view.get_by_test_id("edit.submit").click()


def apply_state(state, page, screen, backend):
    """Brings the screen into `state`."""
    if state == "failure" and screen == "login":
        login(page, "in@example.com", "wrong")
    elif state == "failure" and screen == "edit":
        save_names(page, "", "Quinn")
    elif state == "notice" and screen == "settings":
        open_edit(page)
        save_names(page, "Avery", "Quinn")
        acting.expect_screen(page, "settings")
    elif state == "failure":
        fill_register(page, "a@example.com", PASSWORD, privacy=False)
        page.get_by_test_id("register.submit").click()
    elif state == "live":
        page.get_by_test_id("register.password").press_sequentially("abc")
        expect(page.get_by_test_id("register.password.error")).to_be_visible()
    elif state == "alert":
        email = f"look{len(backend.people)}@example.com"
        fill_register(page, email, PASSWORD)
        page.get_by_test_id("register.submit").click()
        expect(page.get_by_test_id("alert")).to_be_visible()
    elif state == "notice" and screen == "reset":
        page.get_by_test_id("reset.email").fill("in@example.com")
        page.get_by_test_id("reset.submit").click()
    elif state == "notice":
        page.get_by_test_id("verify.verified").click()
    elif state == "toast":
        page.get_by_test_id("verify.resend").click()
    elif state:
        page.get_by_test_id(f"settings.{state}").click()
        expect(page.get_by_test_id(f"settings.{state}.confirm")).to_be_visible()
    if state in ("failure", "notice", "toast"):
        part = (
            "toast"
            if state == "toast"
            else (f"{screen}.{'error' if state == 'failure' else state}")
        )
        expect(page.get_by_test_id(part)).to_be_visible()
