"""Sign-in at a provider: the system's question, the provider's page, and the way back."""

import acting
import pytest
import socoto
from playwright.sync_api import expect


@pytest.fixture
def screen(page, foyer):
    """The sign-in screen on its own, at the embedded backend."""
    acting.start(page, foyer, socoto.APP)
    socoto.to_signin(page)
    return page


def open_provider(view, name):
    socoto.press(view, f"signin.{name}")
    prompt = view.get_by_test_id(f"signin.{name}.prompt")
    expect(prompt).to_contain_text("“Socoto” Wants to Use “127.0.0.1” to Sign In")
    socoto.press(view, f"signin.{name}.continue")
    expect(view.get_by_test_id("provider")).to_be_visible()


def enter(view, name, email):
    view.get_by_test_id("consent.other").check()
    view.get_by_test_id("consent.name").fill(name)
    view.get_by_test_id("consent.email").fill(email)


def test_the_phone_of_the_studio_signs_in_at_a_provider(page, foyer, person):
    email, _ = person()
    acting.studio(page, foyer, socoto.APP)
    phone = acting.phone(page)
    socoto.to_signin(phone)
    open_provider(phone, "google")
    enter(phone, "Ada Lovelace", email)
    socoto.press(phone, "consent.allow")
    socoto.expect_signed_in(phone, email, "Ada Lovelace")


def test_without_scripts_apple_posts_its_result(browsers, foyer, person):
    email, _ = person()
    page = browsers.device(foyer, java_script_enabled=False)
    page.goto(f"{foyer.base}/apps/{socoto.APP}")
    page.get_by_role("button", name="Continue").click()
    socoto.to_signin(page)
    open_provider(page, "apple")
    enter(page, "Grace Hopper", email)
    socoto.press(page, "consent.allow")
    # Apple posts its result to the backend, and the backend returns to the app.
    socoto.press(page, "provider.continue")
    page.get_by_role("button", name="Continue").click()
    socoto.expect_signed_in(page, email, "Grace Hopper")


@pytest.mark.parametrize(
    ("decision", "reason"),
    [("deny", "The user denied access"), ("cancel", "The user cancelled the sign-in")],
)
def test_a_refusal_is_shown_and_can_be_repeated(screen, decision, reason):
    open_provider(screen, "google")
    socoto.press(screen, f"consent.{decision}")
    expect(socoto.error(screen, "signin")).to_have_text(f"Sign in failed: {reason}")
    open_provider(screen, "google")


def test_the_question_and_the_page_can_be_left(screen):
    socoto.press(screen, "signin.google")
    expect(screen.get_by_test_id("signin.google.continue")).to_be_focused()
    screen.keyboard.press("Escape")
    expect(screen.get_by_test_id("signin.google.prompt")).to_have_count(0)
    acting.expect_screen(screen, "signin")
    open_provider(screen, "google")
    screen.go_back()
    socoto.press(screen, "signin.google.cancel")
    acting.expect_screen(screen, "signin")


def test_the_storyboard_shows_the_providers_page(browsers, foyer):
    page = browsers.device(foyer, viewport={"width": 390, "height": 844})
    page.goto(f"{foyer.base}/storyboard/{socoto.APP}/signin/page.google/frame")
    expect(page.get_by_role("heading", name="Sign in with Google")).to_be_visible()
    box = page.get_by_test_id("provider").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    # Its style sheet is a part of the recording.
    assert page.evaluate("getComputedStyle(document.querySelector('.provider')).color") == (
        "rgb(255, 255, 255)"
    )
