"""User actions in Socoto."""

import json
import urllib.error
import urllib.request

import acting
import pytest
from foyer import MARK
from playwright.sync_api import expect
from standin import StandIn
from supabase_project import KEY, Project

APP = "socoto"
CREATED = "Account created! Please check your email to verify your account."
SENT = "Password reset email sent! Check your inbox."
INVALID = "Please enter a valid email address"
WRONG = "Sign in failed: Invalid login credentials"


def app_path(device):
    return f"/api/devices/{device}/apps/{APP}"


def use_backend(foyer, device, project):
    """Points the app at a stand-in, with its key."""
    foyer.api(
        "PATCH",
        app_path(device),
        {"backend": "project", "base": project.base, "settings": {"apiKey": KEY}},
    )


def start_with_backend(page, foyer, project):
    """Opens the welcome screen on this page's device, with a stand-in as the backend."""
    device = acting.device_of(page, foyer)
    use_backend(foyer, device, project)
    acting.start(page, foyer, APP)
    acting.expect_screen(page, "welcome")
    return device


def relaunch(page, foyer):
    return acting.relaunch(page, foyer, APP)


def press(view, name):
    view.get_by_test_id(name).click()


def to_signin(view):
    press(view, "welcome.signin")
    acting.expect_screen(view, "signin")


def to_signup(view):
    press(view, "welcome.signup")
    acting.expect_screen(view, "signup")


def to_forgot(view):
    to_signin(view)
    press(view, "signin.forgot")
    acting.expect_screen(view, "forgot")


def login(view, email, password):
    acting.fill(view, "signin", email, password)
    press(view, "signin.submit")


def card(view, name):
    """A role's card: its label, since its radio button is hidden."""
    return view.locator("label.card").filter(
        has_text="Business Owner" if name == "business_owner" else "User"
    )


def fill_signup(view, email, password, confirm=None, name="Maya Okafor", role=None, terms=True):
    acting.expect_screen(view, "signup")
    if role:
        card(view, role).click()
    for field, value in [
        ("fullName", name),
        ("email", email),
        ("password", password),
        ("confirm", password if confirm is None else confirm),
    ]:
        view.get_by_test_id(f"signup.{field}").fill(value)
    view.get_by_test_id("signup.terms").set_checked(terms)


def signup(view, email, password, **more):
    fill_signup(view, email, password, **more)
    press(view, "signup.submit")


def expect_signed_in(view, email, name="Maya Okafor", role="User"):
    """Expects the profile of this user."""
    acting.expect_screen(view, "profile")
    expect(view.get_by_test_id("profile.email")).to_have_text(email)
    if name:
        expect(view.get_by_test_id("profile.name")).to_have_text(name)
        expect(badge(view)).to_have_text(role, use_inner_text=True)


def badge(view):
    return view.get_by_test_id("profile.role")


def signout(view):
    press(view, "profile.signOut")
    press(view, "profile.signOut.confirm")
    acting.expect_screen(view, "welcome")


def sign_in_new_user(page, foyer, project, person):
    """Signs in a user with an existing account; the page shows the profile."""
    email, password = person()
    project.add(email, password)
    device = start_with_backend(page, foyer, project)
    to_signin(page)
    login(page, email, password)
    acting.expect_screen(page, "profile")
    return device, email, password


def sign_up_embedded(page, foyer, email, password, role="user", has_scripts=True):
    """Signs up at the embedded backend, confirms the address and signs in."""
    acting.start(page, foyer, APP)
    if not has_scripts:
        page.get_by_role("button", name="Continue").click()
    to_signup(page)
    signup(page, email, password, role=role)
    expect(page.get_by_test_id("signup.notice")).to_have_text(CREATED)
    [account] = foyer.api("GET", f"/api/accounts?q={email}")["items"]
    foyer.api("PATCH", f"/api/accounts/{account['id']}", {"verified": True})
    press(page, "signup.signin")
    login(page, email, password)
    acting.expect_screen(page, "profile")


def publish(foyer, device):
    """Publishes a business with the token of the device; the status and the error."""
    key = foyer.api("GET", "/api/backend")["clients"]["supabase"]
    token = foyer.api("GET", f"{app_path(device)}/storage/sb-project-auth-token")["value"]
    request = urllib.request.Request(
        f"{key['url']}/rest/v1/businesses",
        json.dumps({"name": "Bakery", "category": "food"}).encode(),
        {
            "apikey": key["anonKey"],
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
        },
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    return refused.value.code, json.load(refused.value)


def error(view, screen):
    return view.get_by_test_id(f"{screen}.error")


def stored(foyer, device):
    """The stored items of the device, by key."""
    items = foyer.api("GET", app_path(device))["storage"]
    return {item["key"]: item for item in items}


def calls(foyer, device):
    """The names of the calls that were sent, oldest first."""
    return [e["call"] for e in acting.exchanges(foyer, device)][::-1]


def start_project(**options):
    """Starts a project's stand-in."""
    script = Project(**options)
    script.server = StandIn(script)
    return script


@pytest.fixture
def project():
    """A Supabase project without email confirmation."""
    script = start_project()
    yield script
    script.server.stop()


@pytest.fixture
def confirming_project():
    """A Supabase project with email confirmation."""
    script = start_project(confirm=True)
    yield script
    script.server.stop()


# --- every state, for test_states.py --------------------------------------------

STATES = [
    "loading",
    "welcome",
    "signup",
    "signup-owner",
    "signup-live",
    "signup-failure",
    "signup-notice",
    "signin",
    "signin-failure",
    "forgot",
    "forgot-failure",
    "forgot-notice",
    "profile",
    "profile-owner",
    "profile-unavailable",
    "profile-signOut",
    "edit",
    "edit-failure",
    "feed",
    "discover",
    "owners",
    "messages",
]
PASSWORD = MARK + "-look"


@pytest.fixture(scope="module")
def project_with_accounts():
    """A project with a user, a business owner, and a user without a profile."""
    script = start_project(confirm=True)
    script.add("user@example.com", PASSWORD)
    script.add("owner@example.com", PASSWORD, role="business_owner")
    script.add("nobody@example.com", PASSWORD, profile=False)
    yield script
    script.server.stop()


def open_state(page, foyer, backend, name):
    """Brings the page into the state `name`."""
    screen, _, state = name.partition("-")
    if screen == "loading":
        # Stays there: without its script the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        acting.start(page, foyer, "socoto")
        acting.expect_screen(page, "loading")
        return
    start_with_backend(page, foyer, backend)
    if screen == "signup":
        to_signup(page)
        apply_signup_state(state, page)
    elif screen == "signin":
        to_signin(page)
        if state == "failure":
            login(page, "user@example.com", "wrong")
    elif screen == "forgot":
        to_forgot(page)
        if state:
            page.get_by_test_id("forgot.email").fill(
                "user@example.com" if state == "notice" else "invalid"
            )
            press(page, "forgot.submit")
    elif screen == "profile":
        account = {"owner": "owner", "unavailable": "nobody"}.get(state, "user")
        to_signin(page)
        login(page, f"{account}@example.com", PASSWORD)
        acting.expect_screen(page, "profile")
        if state == "signOut":
            press(page, "profile.signOut")
            expect(page.get_by_test_id("profile.signOut.confirm")).to_be_visible()
    elif screen == "edit":
        to_signin(page)
        login(page, "owner@example.com", PASSWORD)
        press(page, "profile.edit")
        acting.expect_screen(page, "edit")
        if state:
            page.get_by_test_id("edit.phone").fill("invalid")
            press(page, "edit.submit")
    elif screen in ("feed", "discover", "owners", "messages"):
        to_signin(page)
        login(page, "user@example.com", PASSWORD)
        press(page, f"profile.tab.{screen}")
        acting.expect_screen(page, screen)
    if state in ("failure", "notice"):
        expect(
            page.get_by_test_id(f"{screen}." + ("error" if state == "failure" else "notice"))
        ).to_be_visible()


def apply_signup_state(state, page):
    if state == "owner":
        card(page, "business_owner").click()
    elif state == "live":
        page.get_by_test_id("signup.password").fill(PASSWORD)
        page.get_by_test_id("signup.confirm").press_sequentially("x")
        expect(page.get_by_test_id("signup.confirm.error")).to_be_visible()
    elif state:
        signup(page, "user@example.com" if state == "notice" else "invalid", PASSWORD)
