"""Bob's login and registration forms: messages, their timing, and enabled controls."""

from datetime import datetime

import acting
import bob
import pytest
from bob import nest  # noqa: F401  (a fixture)
from foyer import MARK
from playwright.sync_api import expect


@pytest.fixture
def form(page, foyer, nest):
    """A login page whose clock is paused until a test advances it."""
    bob.start_with_backend(page, foyer, nest.base)
    acting.expect_screen(page, "login")
    page.clock.install(time=datetime(2026, 11, 21, 9))
    page.reload()
    acting.expect_screen(page, "login")
    page.clock.pause_at(datetime(2026, 11, 21, 10))
    return page


def field(page, name):
    return page.get_by_test_id(f"login.{name}")


def error(page, name):
    return page.get_by_test_id(f"login.{name}.error")


def submit(page):
    return page.get_by_test_id("login.submit")


def wait_for_validation(page, milliseconds=600):
    """Advances the page's clock and waits for the response to its validation request."""
    with page.expect_response("**/login/check"):
        page.clock.run_for(milliseconds)


def test_empty_fields_disable_the_button_and_show_no_error(form):
    expect(submit(form)).to_be_disabled()
    expect(form.locator(".field-error")).to_have_count(0)
    expect(form.get_by_test_id("alert")).to_have_count(0)
    expect(form.get_by_test_id("login.overlay")).to_be_hidden()
    # A field that is emptied again counts as untouched.
    field(form, "email").fill("test")
    wait_for_validation(form)
    expect(error(form, "email")).to_be_visible()
    field(form, "email").fill("")
    field(form, "password").fill("1")
    field(form, "password").fill("")
    wait_for_validation(form)
    expect(form.locator(".field-error")).to_have_count(0)
    expect(submit(form)).to_be_disabled()


def test_an_error_shows_500_ms_after_the_last_key_until_it_is_fixed(form):
    for typed in ["t", "te"]:
        field(form, "email").fill(typed)
        form.clock.run_for(499)
        expect(error(form, "email")).to_have_count(0)
    wait_for_validation(form, 1)
    expect(error(form, "email")).to_have_text(bob.MESSAGES["email"])
    expect(error(form, "email")).to_have_attribute("role", "alert")
    expect(field(form, "email")).to_have_attribute("aria-invalid", "true")
    field(form, "email").fill("test@example.com")
    wait_for_validation(form)
    expect(error(form, "email")).to_have_count(0)


def test_the_button_is_blue_when_both_fields_are_valid(form):
    for email, is_disabled in [("test", True), ("test@example.com", False)]:
        bob.fill(form, email, MARK)
        wait_for_validation(form)
        if is_disabled:
            expect(submit(form)).to_be_disabled()
        else:
            expect(submit(form)).to_be_enabled()
        color = "rgb(116, 116, 120)" if is_disabled else "rgb(0, 103, 217)"
        expect(submit(form)).to_have_css("background-color", color)


def test_a_submit_before_live_validation_is_validated_by_the_server(form, nest):
    field(form, "email").fill("test")
    field(form, "password").fill("123")
    expect(submit(form)).to_be_enabled()
    submit(form).click()
    expect(error(form, "email")).to_have_text(bob.MESSAGES["email"])
    expect(error(form, "password")).to_have_text(bob.MESSAGES["password"])
    assert nest.requests == []


def test_the_reveal_button_shows_and_hides_the_password(form):
    password, reveal = field(form, "password"), field(form, "password.reveal")
    password.fill(MARK)
    for name, kind, icon in [
        ("Show password", "password", "eye"),
        ("Hide password", "text", "eye-off"),
        ("Show password", "password", "eye"),
    ]:
        expect(reveal).to_have_accessible_name(name)
        expect(password).to_have_attribute("type", kind)
        expect(password).to_have_value(MARK)
        expect(reveal.locator(f".icon-{icon}")).to_be_visible()
        reveal.click()


def test_return_moves_to_the_password_and_then_signs_in(page, foyer, person, nest):
    email, password = person()
    nest.add(email, password)
    bob.start_with_backend(page, foyer, nest.base)
    acting.expect_screen(page, "login")
    expect(field(page, "email")).to_have_attribute("enterkeyhint", "next")
    expect(field(page, "password")).to_have_attribute("enterkeyhint", "done")
    field(page, "email").fill(email)
    field(page, "email").press("Enter")
    expect(field(page, "password")).to_be_focused()
    assert nest.requests == []
    page.keyboard.type(password)
    expect(submit(page)).to_be_enabled()
    page.keyboard.press("Enter")
    bob.expect_signed_in(page)


def test_a_field_keeps_the_focus_until_a_tap_outside(form):
    expect(field(form, "email")).to_have_accessible_name("Email")
    expect(field(form, "email")).to_have_attribute("inputmode", "email")
    expect(field(form, "email")).to_have_attribute("autocapitalize", "none")
    expect(field(form, "email")).to_have_attribute("autocorrect", "off")
    expect(field(form, "password")).to_have_accessible_name("Password")
    expect(field(form, "password")).to_have_attribute("autocomplete", "current-password")
    for name in ["email", "password"]:
        field(form, name).click()
        expect(field(form, name)).to_be_focused()
    form.get_by_role("heading", name="Bob the Builder").click()
    expect(field(form, "password")).not_to_be_focused()
    assert form.evaluate("document.activeElement === document.body")
    field(form, "email").click()
    expect(field(form, "email")).to_be_focused()


# ---- Register


def register(page, email, password, confirm=None):
    page.get_by_test_id("login.register").click()
    fill_registration(page, email, password, confirm or password)


def fill_registration(page, email, password, confirm):
    acting.expect_screen(page, "register")
    for name, value in [
        ("firstName", "Wendy"),
        ("lastName", "Hart"),
        ("email", email),
        ("password", password),
        ("confirm", confirm),
    ]:
        page.get_by_test_id(f"register.{name}").fill(value)


def test_a_registered_account_signs_in(page, foyer, person):
    email, password = person()
    bob.start_with_backend(page, foyer, None, "embedded")
    register(page, email, password)
    page.get_by_test_id("register.submit").click()
    bob.close_alert(page, "Account created", "Please sign in.")
    acting.expect_screen(page, "login")
    expect(field(page, "email")).to_have_value(email)
    bob.login(page, email, password)
    bob.expect_signed_in(page)


def test_registration_rules_are_checked_while_typing(page, foyer, person, nest):
    bob.start_with_backend(page, foyer, nest.base)
    page.get_by_test_id("login.register").click()
    acting.expect_screen(page, "register")
    bar = page.get_by_test_id("register.password.strength")
    expect(bar).to_be_hidden()
    fill_registration(page, "nobody", "Zq7xGeh", "Zq7xGehe")
    expect(bar).to_have_text("Medium password")
    expect(bar).to_have_attribute("data-level", "2")
    for name, value in [("firstName", "W"), ("lastName", "H")]:
        page.get_by_test_id(f"register.{name}").fill(value)
    for name, text in [
        ("firstName", "First name is too short"),
        ("lastName", "Last name is too short"),
        ("email", bob.MESSAGES["email"]),
        ("password", "Password must be at least 8 characters"),
        ("confirm", "Passwords do not match"),
    ]:
        expect(page.get_by_test_id(f"register.{name}.error")).to_have_text(text)
    expect(page.get_by_test_id("register.submit")).to_be_disabled()
    assert nest.requests == []


def test_editing_the_password_clears_a_confirmation_error(page, foyer, person, nest):
    email, password = person()
    bob.start_with_backend(page, foyer, nest.base)
    register(page, email, password, password + "-mistyped")
    # Submits before the live validation has run.
    page.get_by_test_id("register.submit").evaluate("it => { it.disabled = false; it.click(); }")
    mismatch = page.get_by_test_id("register.confirm.error")
    expect(mismatch).to_have_text("Passwords do not match")
    for name in ["password", "confirm"]:
        expect(page.get_by_test_id(f"register.{name}")).to_be_enabled()
    page.get_by_test_id("register.password").fill(password + "-mistyped")
    expect(mismatch).to_have_count(0)
    expect(page.get_by_test_id("register.submit")).to_be_enabled()
    # The button waits for the confirmation after it was emptied.
    page.get_by_test_id("register.confirm").fill("")
    expect(page.get_by_test_id("register.submit")).to_be_disabled()
    assert nest.requests == []


def test_text_typed_before_the_script_loads_is_validated(page, foyer, nest):
    bob.start_with_backend(page, foyer, nest.base)
    acting.expect_screen(page, "login")
    routes = []
    page.route("**/screen.js", lambda route: routes.append(route))
    with page.expect_request("**/screen.js"):
        page.goto(f"{foyer.base}/apps/bob/login", wait_until="commit")
    field(page, "email").fill("nobody")
    routes[0].continue_()
    expect(error(page, "email")).to_have_text(bob.MESSAGES["email"])
