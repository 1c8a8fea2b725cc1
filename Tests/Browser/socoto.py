"""What a person does with Socoto, in words."""

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


def place(device):
    return f"/api/devices/{device}/apps/{APP}"


def point(foyer, device, project):
    """Points the app at a stand-in, with its key."""
    foyer.api(
        "PATCH",
        place(device),
        {"backend": "project", "base": project.base, "settings": {"apiKey": KEY}},
    )


def pointed(page, foyer, project):
    """The welcome on this page's device, talking to a stand-in."""
    device = acting.device_of(page, foyer)
    point(foyer, device, project)
    acting.start(page, foyer, APP)
    acting.arrive(page, "welcome")
    return device


def relaunch(page, foyer):
    return acting.relaunch(page, foyer, APP)


def press(view, name):
    view.get_by_test_id(name).click()


def to_signin(view):
    press(view, "welcome.signin")
    acting.arrive(view, "signin")


def to_signup(view):
    press(view, "welcome.signup")
    acting.arrive(view, "signup")


def to_forgot(view):
    to_signin(view)
    press(view, "signin.forgot")
    acting.arrive(view, "forgot")


def login(view, email, password):
    acting.fill(view, "signin", email, password)
    press(view, "signin.submit")


def card(view, name):
    """A role's card: its words, not its unseen button."""
    return view.locator("label.card").filter(
        has_text="Business Owner" if name == "business_owner" else "User"
    )


def fill_signup(view, email, password, confirm=None, name="Maya Okafor", role=None, terms=True):
    acting.arrive(view, "signup")
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


def signed_in(view, email, name="Maya Okafor", role="User"):
    """The profile is shown, and it is this person's."""
    acting.arrive(view, "profile")
    expect(view.get_by_test_id("profile.email")).to_have_text(email)
    if name:
        expect(view.get_by_test_id("profile.name")).to_have_text(name)
        expect(badge(view)).to_have_text(role, use_inner_text=True)


def badge(view):
    return view.get_by_test_id("profile.role")


def signout(view):
    press(view, "profile.signOut")
    press(view, "profile.signOut.confirm")
    acting.arrive(view, "welcome")


def enter(page, foyer, project, person):
    """Somebody who has an account, signed in and standing on the profile."""
    email, password = person()
    project.add(email, password)
    device = pointed(page, foyer, project)
    to_signin(page)
    login(page, email, password)
    acting.arrive(page, "profile")
    return device, email, password


def error(view, screen):
    return view.get_by_test_id(f"{screen}.error")


def stored(foyer, device):
    """What lies on the device: key to item."""
    items = foyer.api("GET", place(device))["storage"]
    return {item["key"]: item for item in items}


def calls(foyer, device):
    """The names of the calls that left, oldest first."""
    return [e["call"] for e in acting.exchanges(foyer, device)][::-1]


def listening(**options):
    """A project that answers."""
    script = Project(**options)
    script.server = StandIn(script)
    return script


@pytest.fixture
def project():
    """A Supabase project without mail confirmation."""
    script = listening()
    yield script
    script.server.stop()


@pytest.fixture
def confirming():
    """A Supabase project that confirms addresses by mail."""
    script = listening(confirm=True)
    yield script
    script.server.stop()


# --- every state, to be looked at --------------------------------------------

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
]
LOOK = MARK + "-look"


@pytest.fixture(scope="module")
def known_supabase():
    """A project with a user, an owner, and one whose profile is missing."""
    script = listening(confirm=True)
    script.add("user@example.com", LOOK)
    script.add("owner@example.com", LOOK, role="business_owner")
    script.add("nobody@example.com", LOOK, profile=False)
    yield script
    script.server.stop()


def stand(page, foyer, known, name):
    """Brings the page to what `name` means."""
    screen, _, state = name.partition("-")
    if screen == "loading":
        # Held there: without its script the launch waits for a click.
        page.route("**/screen.js", lambda route: route.abort())
        acting.start(page, foyer, "socoto")
        acting.arrive(page, "loading")
        return
    pointed(page, foyer, known)
    if screen == "signup":
        to_signup(page)
        show_signup(state, page)
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
        who = {"owner": "owner", "unavailable": "nobody"}.get(state, "user")
        to_signin(page)
        login(page, f"{who}@example.com", LOOK)
        acting.arrive(page, "profile")
        if state == "signOut":
            press(page, "profile.signOut")
            expect(page.get_by_test_id("profile.signOut.confirm")).to_be_visible()
    if state in ("failure", "notice"):
        expect(
            page.get_by_test_id(f"{screen}." + ("error" if state == "failure" else "notice"))
        ).to_be_visible()


def show_signup(state, page):
    if state == "owner":
        card(page, "business_owner").click()
    elif state == "live":
        page.get_by_test_id("signup.password").fill(LOOK)
        page.get_by_test_id("signup.confirm").press_sequentially("x")
        expect(page.get_by_test_id("signup.confirm.error")).to_be_visible()
    elif state:
        signup(page, "user@example.com" if state == "notice" else "invalid", LOOK)
