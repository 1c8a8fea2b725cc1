"""What a person does with CLARITY Pulse, in words."""

import acting
import pytest
from firebase import Firebase
from foyer import MARK
from playwright.sync_api import expect
from standin import StandIn

APP = "clarity"


def place(device):
    return f"/api/devices/{device}/apps/{APP}"


def pointed(page, foyer, server, backend="emulator"):
    """The app on this page's device, talking to a stand-in."""
    device = acting.device_of(page, foyer)
    base = server.url.removesuffix("/api/v1")
    settings = {"apiURL": "/"} if backend == "emulator" else {}
    foyer.api("PATCH", place(device), {"backend": backend, "base": base, "settings": settings})
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
    acting.arrive(view, "register")
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
    acting.arrive(view, "login")
    view.get_by_test_id("login.register").click()
    fill_register(view, email, password, **more)
    view.get_by_test_id("register.submit").click()


def answer_alert(view):
    expect(view.get_by_test_id("alert")).to_contain_text("Registration Successful")
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


# --- every state, to be looked at --------------------------------------------

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
    "dashboard",
    "chat",
    "settings",
    "settings-signOut",
    "settings-delete",
]
LOOK = MARK + "-look"


@pytest.fixture(scope="module")
def known_firebase():
    """Firebase with one person it has verified and one it has not."""
    script = Firebase()
    script.add("in@example.com", LOOK, name="Avery Quinn")
    script.add("out@example.com", LOOK, verified=False)
    script.server = StandIn(script)
    yield script
    script.server.stop()


def stand(page, foyer, known, name):
    """Brings the page to what `name` means."""
    screen, _, state = name.partition("-")
    if screen == "loading":
        # Held there: without its script the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        pointed(page, foyer, known.server)
        acting.arrive(page, "loading")
        return
    pointed(page, foyer, known.server)
    acting.arrive(page, "login")
    if screen in ("reset", "register"):
        page.get_by_test_id(f"login.{screen}").click()
        acting.arrive(page, screen)
    if screen in ("newPassword", "confirm"):
        page.goto(f"{foyer.base}/apps/clarity/{screen}")
        acting.arrive(page, screen)
    if screen in ("verify", "dashboard", "chat", "settings"):
        who = "out" if screen == "verify" else "in"
        login(page, f"{who}@example.com", LOOK)
        acting.arrive(page, "verify" if screen == "verify" else "dashboard")
        if screen in ("chat", "settings"):
            page.get_by_test_id(f"dashboard.tab.{screen}").click()
            acting.arrive(page, screen)
    show(state, page, screen, known)


def show(state, page, screen, known):
    """Brings the screen into its state."""
    if state == "failure" and screen == "login":
        login(page, "in@example.com", "wrong")
    elif state == "failure":
        fill_register(page, "a@example.com", LOOK, privacy=False)
        page.get_by_test_id("register.submit").click()
    elif state == "live":
        page.get_by_test_id("register.password").press_sequentially("abc")
        expect(page.get_by_test_id("register.password.error")).to_be_visible()
    elif state == "alert":
        email = f"look{len(known.people)}@example.com"
        fill_register(page, email, LOOK)
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
        seen = (
            "toast"
            if state == "toast"
            else (f"{screen}.{'error' if state == 'failure' else state}")
        )
        expect(page.get_by_test_id(seen)).to_be_visible()
