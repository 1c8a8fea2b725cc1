"""User actions in Bob the Builder."""

import acting
import pytest
from foyer import MARK
from nest import Nest
from playwright.sync_api import expect

ID = "bob"
APP_PATH = "/api/devices/{}/apps/bob"
MESSAGES = {
    401: "Invalid email or password. Please try again.",
    "email": "Please enter a valid email address",
    "password": "Password must be at least 6 characters",
}


@pytest.fixture
def nest():
    """A stand-in for the app's real server."""
    server = Nest()
    yield server
    server.stop()


def start_with_backend(page, foyer, base, backend="builder-api", **device):
    """Starts the app on this browser's device with the backend at `base`, and returns the device
    id.
    """
    name = device_of(page)
    if device:
        foyer.api("PATCH", f"/api/devices/{name}", device)
    change = {"backend": backend}
    if base:
        change["base"] = base
    foyer.api("PATCH", APP_PATH.format(name), change)
    store(foyer, name, "hasSeenOnboarding")
    start(page, foyer)
    return name


def store(foyer, device, key, value="true"):
    """Writes a value that the app stores."""
    foyer.api("PUT", f"{APP_PATH.format(device)}/storage/{key}", {"value": value})


def device_of(page):
    """The id of this browser's device, with or without scripts."""
    return next(cookie["value"] for cookie in page.context.cookies() if "device" in cookie["name"])


def start(page, foyer):
    """Opens the app and leaves the splash; without scripts by pressing Continue."""
    page.goto(foyer.base + "/apps/bob/")
    # Shown only without scripts, where the launch does not continue by itself.
    button = page.get_by_role("button", name="Continue")
    if button.count():
        button.click()


def studio(page, foyer):
    """Opens the studio and leaves the onboarding; returns its phone."""
    view = acting.studio(page, foyer, ID)
    view.get_by_test_id("onboarding.skip").click()
    acting.expect_screen(view, "login")
    return view


def relaunch(page, foyer, device):
    foyer.api("POST", APP_PATH.format(device) + "/relaunch")
    start(page, foyer)


def fill(page, email, password):
    acting.expect_screen(page, "login")
    page.get_by_test_id("login.email").fill(email)
    page.get_by_test_id("login.password").fill(password)


def login(page, email, password):
    fill(page, email, password)
    page.get_by_test_id("login.submit").click()


def expect_signed_in(page):
    acting.expect_screen(page, "projects")
    expect(page.get_by_test_id("projects.empty")).to_contain_text("No Projects Yet")


def close_alert(page, title, text):
    """Expects this alert and closes it."""
    box = page.get_by_test_id("alert")
    expect(box.get_by_role("heading")).to_have_text(title)
    expect(box.locator("#alert-text")).to_have_text(text)
    page.get_by_test_id("alert.ok").click()
    expect(box).to_have_count(0)


def allow_biometrics(page, allowed=True):
    """Turns the switch in the settings on or off."""
    page.get_by_test_id("projects.tab.settings").click()
    switch = page.get_by_test_id("settings.biometrics")
    expect(switch).to_have_attribute("aria-checked", str(not allowed).lower())
    switch.click()
    expect(switch).to_have_attribute("aria-checked", str(allowed).lower())


def sign_out(page, screen="projects"):
    page.get_by_test_id(f"{screen}.tab.settings").click()
    acting.expect_screen(page, "settings")
    page.get_by_test_id("settings.signOut").click()
    expect(page.get_by_test_id("settings.signOut.dialog")).to_contain_text(
        "Are you sure you want to sign out?"
    )
    page.get_by_test_id("settings.signOut.confirm").click()
    acting.expect_screen(page, "login")
    close_alert(page, "Signed Out", "You have been signed out successfully.")


def stored(foyer, device):
    """The areas and keys of the app's stored items on this device, after its onboarding."""
    state = foyer.api("GET", APP_PATH.format(device))
    return {(i["area"], i["key"]) for i in state["storage"]} - {("defaults", "hasSeenOnboarding")}


TOKENS = {
    ("keychain", "access_token"),
    ("keychain", "refresh_token"),
    ("keychain", "token_expiry"),
    ("keychain", "current_user"),
}
SAVED_LOGIN = ("keychain", "saved_credentials")
CONSENT = ("defaults", "biometric_enabled")


# --- every state, for test_states.py --------------------------------------------

STATES = [
    "splash",
    "onboarding",
    "collaborate",
    "unlock",
    "forgot",
    "login",
    "errors",
    "enabled",
    "alert",
    "prompt",
    "register",
    "mismatch",
    "projects",
    "rfis",
    "settings",
    "about",
    "privacy",
    "terms",
    "sign-out",
    "signed-out",
]


def open_state(page, foyer, state):
    """Brings the page into `state`, without sending a request to a backend."""
    if state == "splash":
        # Stays there: without its script the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        page.goto(foyer.base + "/apps/bob/")
        acting.expect_screen(page, "splash")
        return
    start_with_backend(page, foyer, "http://127.0.0.1:9/api", "development", biometrics="faceID")
    acting.expect_screen(page, "login")
    part = page.get_by_test_id
    if state in ("onboarding", "unlock"):
        device = device_of(page)
        if state == "unlock":
            store(foyer, device, "access_token", MARK)
            store(foyer, device, "biometric_enabled")
        else:
            foyer.api("DELETE", APP_PATH.format(device) + "/storage/hasSeenOnboarding")
        relaunch(page, foyer, device)
        acting.expect_screen(page, state)
    elif state == "collaborate":
        page.goto(foyer.base + "/apps/bob/collaborate")
    elif state == "forgot":
        part("login.forgot").click()
        acting.expect_screen(page, "forgot")
    elif state == "errors":
        fill(page, "test", "123")
        expect(part("login.password.error")).to_be_visible()
    elif state == "enabled":
        fill(page, "bob@example.com", MARK)
        expect(part("login.submit")).to_be_enabled()
    elif state in ("alert", "prompt"):
        part("login.biometric").click()
        expect(part("login.biometric.prompt")).to_be_visible()
        if state == "alert":
            part("login.biometric.noMatch").click()
            expect(part("alert")).to_be_visible()
    elif state in ("register", "mismatch"):
        part("login.register").click()
        acting.expect_screen(page, "register")
        if state == "mismatch":
            part("register.password").fill(MARK)
            part("register.confirm").fill("other")
            expect(part("register.confirm.error")).to_be_visible()
            expect(part("register.password.strength")).to_be_visible()
    elif state != "login":
        part("login.skip").click()
        acting.expect_screen(page, "projects")
        if state == "projects":
            return
        if state == "rfis":
            part("projects.tab.rfis").click()
            acting.expect_screen(page, "rfis")
            return
        part("projects.tab.settings").click()
        acting.expect_screen(page, "settings")
        if state in ("about", "privacy", "terms"):
            part(f"settings.{state}").click()
            acting.expect_screen(page, state)
            return
        if state != "settings":
            part("settings.signOut").click()
            expect(part("settings.signOut.dialog")).to_be_visible()
        if state == "signed-out":
            part("settings.signOut.confirm").click()
            expect(part("alert")).to_be_visible()
