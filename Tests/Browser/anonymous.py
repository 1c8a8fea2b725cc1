"""User actions in Anonymous Wall."""

import acting
import pytest
from campus import WallBackend
from playwright.sync_api import expect
from standin import StandIn

APP = "wall"
SENT = "Verification code sent to your email!"
CHECK = "Verification code sent to your email. Please check your inbox."
INVALID = "Please enter a valid email address"
EXPIRED = "Your session has expired. Please log in again."
TOKEN = "com.anonymouswall.authToken"
ITEMS = {
    TOKEN: "keychain",
    "com.anonymouswall.ios.refreshToken": "keychain",
    "isAuthenticated": "defaults",
    "userId": "defaults",
    "userEmail": "defaults",
}


def app_path(device):
    return f"/api/devices/{device}/apps/{APP}"


def use_backend(foyer, device, server):
    """Points the app at a stand-in."""
    foyer.api("PATCH", app_path(device), {"backend": "example", "base": server.url})


def start_with_backend(page, foyer, backend):
    """Opens the landing screen on this page's device, with a stand-in as the backend."""
    device = acting.device_of(page, foyer)
    use_backend(foyer, device, backend.server)
    start(page, foyer)
    return device


def start(page, foyer):
    acting.start(page, foyer, APP)
    acting.expect_screen(page, "landing")


def relaunch(page, foyer):
    return acting.relaunch(page, foyer, APP)


def fill(view, name, text):
    view.get_by_test_id(name).fill(text)


def press(view, name):
    view.get_by_test_id(name).click()


def to_register(view):
    press(view, "landing.register")
    acting.expect_screen(view, "register")


def to_login(view):
    press(view, "landing.login")
    acting.expect_screen(view, "login")


def register(view, email):
    """Registers from the landing screen and confirms the alert, which leads to the login."""
    to_register(view)
    fill(view, "register.email", email)
    press(view, "register.submit")
    expect(view.get_by_test_id("alert")).to_contain_text("Success")
    expect(view.get_by_test_id("alert")).to_contain_text(CHECK)
    press(view, "alert.ok")
    acting.expect_screen(view, "login")
    expect(view.get_by_test_id("login.email")).to_have_value(email)


def get_code(view, email):
    fill(view, "login.email", email)
    press(view, "login.getCode")
    expect(view.get_by_test_id("login.notice")).to_have_text(SENT)


def login(view, code, email=None):
    acting.expect_screen(view, "login")
    if email is not None:
        fill(view, "login.email", email)
    fill(view, "login.code", code)
    press(view, "login.submit")


def expect_signed_in(view, email):
    acting.expect_screen(view, "wall")
    expect(view.get_by_test_id("wall.person")).to_have_text(f"Logged in as: {email}")


def sign_in_new_user(page, foyer, backend, email):
    """Signs a new user in; the page shows the wall."""
    device = start_with_backend(page, foyer, backend)
    to_login(page)
    get_code(page, email)
    login(page, backend.code(email))
    expect_signed_in(page, email)
    return device


def posts(view):
    return view.get_by_test_id("wall.post.text")


def write_post(view, text):
    """Writes a post from the wall, which is shown afterwards."""
    press(view, "wall.write")
    acting.expect_screen(view, "write")
    submit_post(view, text)


def submit_post(view, text):
    fill(view, "write.content", text)
    press(view, "write.submit")
    acting.expect_screen(view, "wall")


def error(view, screen="login"):
    return view.get_by_test_id(f"{screen}.error")


def stored(foyer, device):
    """The stored items of the device, by key."""
    items = foyer.api("GET", app_path(device))["storage"]
    return {item["key"]: item for item in items}


def value(foyer, device, key):
    return foyer.api("GET", f"{app_path(device)}/storage/{key}")["value"]


@pytest.fixture
def wall_backend():
    """A running stand-in of the server that the API document describes."""
    backend = WallBackend()
    backend.server = StandIn(backend)
    yield backend
    backend.server.stop()


# --- every state, for test_states.py --------------------------------------------

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
    "wall-posts",
    "wall-failure",
    "write",
    "write-failure",
]
SAM = "sam@campus.edu"


def open_state(page, foyer, wall_backend, name):
    """Brings the page into the state `name`."""
    screen, _, state = name.partition("-")
    if screen == "start":
        # Stays there: without its script the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        page.goto(f"{foyer.base}/apps/wall/")
        acting.expect_screen(page, "start")
        return
    if screen in ("wall", "write"):
        open_signed_in_state(page, foyer, wall_backend, screen, state)
        return
    start_with_backend(page, foyer, wall_backend)
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
        wall_backend.respond_with(
            "/auth/register",
            wall_backend.failure(429, "Too many codes were asked for. Please wait a while."),
        )
    press(page, f"{screen}.submit")
    part = {"error": "register.email.error", "alert": "alert", "failure": f"{screen}.error"}[state]
    expect(page.get_by_test_id(part)).to_be_visible()


def open_signed_in_state(page, foyer, wall_backend, screen, state):
    if state == "posts":
        wall_backend.add_posts(
            *(f"Post {number + 1}\nThe library is open." for number in range(11))
        )
    if (screen, state) == ("wall", "failure"):
        wall_backend.respond_with("/posts", wall_backend.failure(403, "The wall is closed."))
    sign_in_new_user(page, foyer, wall_backend, SAM)
    if screen == "write":
        press(page, "wall.write")
        acting.expect_screen(page, "write")
    if (screen, state) == ("write", "failure"):
        fill(page, "write.content", "Hello")
        wall_backend.respond_with("/posts", wall_backend.failure(400, "Please be kind."))
        press(page, "write.submit")
    if state == "failure":
        expect(error(page, screen)).to_be_visible()
