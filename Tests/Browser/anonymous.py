"""What a person does with Anonymous Wall, in words."""

import acting
import pytest
from campus import Document
from playwright.sync_api import expect
from standin import StandIn

APP = "wall"
SENT = "Verification code sent to your email!"
CHECK = "Verification code sent to your email. Please check your inbox."
INVALID = "Please enter a valid email address"
TOKEN = "com.anonymouswall.authToken"
ITEMS = {
    TOKEN: "keychain",
    "isAuthenticated": "defaults",
    "userId": "defaults",
    "userEmail": "defaults",
}


def place(device):
    return f"/api/devices/{device}/apps/{APP}"


def point(foyer, device, server):
    """Points the app at a stand-in."""
    foyer.api("PATCH", place(device), {"backend": "example", "base": server.url})


def pointed(page, foyer, script):
    """The landing on this page's device, talking to a stand-in."""
    device = acting.device_of(page, foyer)
    point(foyer, device, script.server)
    start(page, foyer)
    return device


def start(page, foyer):
    acting.start(page, foyer, APP)
    acting.arrive(page, "landing")


def relaunch(page, foyer):
    return acting.relaunch(page, foyer, APP)


def fill(view, name, text):
    view.get_by_test_id(name).fill(text)


def press(view, name):
    view.get_by_test_id(name).click()


def to_register(view):
    press(view, "landing.register")
    acting.arrive(view, "register")


def to_login(view):
    press(view, "landing.login")
    acting.arrive(view, "login")


def register(view, email):
    """From the landing to the login, by way of the alert."""
    to_register(view)
    fill(view, "register.email", email)
    press(view, "register.submit")
    expect(view.get_by_test_id("alert")).to_contain_text("Success")
    expect(view.get_by_test_id("alert")).to_contain_text(CHECK)
    press(view, "alert.ok")
    acting.arrive(view, "login")
    expect(view.get_by_test_id("login.email")).to_have_value(email)


def get_code(view, email):
    fill(view, "login.email", email)
    press(view, "login.getCode")
    expect(view.get_by_test_id("login.notice")).to_have_text(SENT)


def login(view, code, email=None):
    acting.arrive(view, "login")
    if email is not None:
        fill(view, "login.email", email)
    fill(view, "login.code", code)
    press(view, "login.submit")


def signed_in(view, email):
    acting.arrive(view, "wall")
    expect(view.get_by_test_id("wall.person")).to_have_text(f"Logged in as: {email}")


def enter(page, foyer, script, email):
    """Somebody new, signed in and standing on the wall."""
    device = pointed(page, foyer, script)
    to_login(page)
    get_code(page, email)
    login(page, script.code(email))
    signed_in(page, email)
    return device


def error(view, screen="login"):
    return view.get_by_test_id(f"{screen}.error")


def stored(foyer, device):
    """What lies on the device: key to item."""
    items = foyer.api("GET", place(device))["storage"]
    return {item["key"]: item for item in items}


def value(foyer, device, key):
    return foyer.api("GET", f"{place(device)}/storage/{key}")["value"]


@pytest.fixture
def document():
    """The document's server, listening."""
    script = Document()
    script.server = StandIn(script)
    yield script
    script.server.stop()


# --- every state, to be looked at --------------------------------------------

STATES = [
    "start",
    "landing",
    "register",
    "register-error",
    "register-failure",
    "register-alert",
    "login",
    "login-sent",
    "login-failure",
    "wall",
]
SAM = "sam@campus.edu"


def stand(page, foyer, document, name):
    """Brings the page to what `name` means."""
    screen, _, state = name.partition("-")
    if screen == "start":
        # Held there: without its script the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        page.goto(f"{foyer.base}/apps/wall/")
        acting.arrive(page, "start")
        return
    if screen == "wall":
        enter(page, foyer, document, SAM)
        return
    pointed(page, foyer, document)
    if screen == "register":
        to_register(page)
    elif screen == "login":
        to_login(page)
    if not state:
        return
    fill(page, f"{screen}.email", "sam" if state == "error" else SAM)
    if state == "sent":
        get_code(page, SAM)
        fill(page, "login.code", "4820")
        return
    if screen == "login":
        fill(page, "login.code", "482016")
    if name == "register-failure":
        document.say(
            "/auth/register",
            document.refusal(429, "Too many codes were asked for. Please wait a while."),
        )
    press(page, f"{screen}.submit")
    seen = {"error": "register.email.error", "alert": "alert", "failure": f"{screen}.error"}[state]
    expect(page.get_by_test_id(seen)).to_be_visible()
