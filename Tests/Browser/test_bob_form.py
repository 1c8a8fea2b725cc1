"""Bob's login form: what is said, when, and what may be pressed."""

from datetime import datetime

import acting
import bob
import pytest
from bob import nest  # noqa: F401  (a fixture)
from foyer import MARK
from playwright.sync_api import expect


@pytest.fixture
def form(page, foyer, nest):
    """A login whose clock stands still until a test moves it."""
    bob.point(page, foyer, nest.base)
    acting.arrive(page, "login")
    page.clock.install(time=datetime(2026, 11, 21, 9))
    page.reload()
    acting.arrive(page, "login")
    page.clock.pause_at(datetime(2026, 11, 21, 10))
    return page


def field(page, name):
    return page.get_by_test_id(f"login.{name}")


def error(page, name):
    return page.get_by_test_id(f"login.{name}.error")


def submit(page):
    return page.get_by_test_id("login.submit")


def pause(page, milliseconds=600):
    """Lets the page's clock run, and the answer to its question arrive."""
    with page.expect_response("**/login/check"):
        page.clock.run_for(milliseconds)


def test_empty_fields_disable_the_button_and_say_nothing(form):
    expect(submit(form)).to_be_disabled()
    expect(form.locator(".field-error")).to_have_count(0)
    expect(form.get_by_test_id("alert")).to_have_count(0)
    expect(form.get_by_test_id("login.overlay")).to_be_hidden()
    # Emptied again, a field is as good as untouched.
    field(form, "email").fill("test")
    pause(form)
    expect(error(form, "email")).to_be_visible()
    field(form, "email").fill("")
    field(form, "password").fill("1")
    field(form, "password").fill("")
    pause(form)
    expect(form.locator(".field-error")).to_have_count(0)
    expect(submit(form)).to_be_disabled()


def test_an_error_comes_half_a_second_after_the_last_key_and_goes_when_mended(form):
    for typed in ["t", "te"]:
        field(form, "email").fill(typed)
        form.clock.run_for(499)
        expect(error(form, "email")).to_have_count(0)
    pause(form, 1)
    expect(error(form, "email")).to_have_text(bob.MESSAGES["email"])
    expect(error(form, "email")).to_have_attribute("role", "alert")
    expect(field(form, "email")).to_have_attribute("aria-invalid", "true")
    field(form, "email").fill("test@example.com")
    pause(form)
    expect(error(form, "email")).to_have_count(0)


def test_the_button_is_blue_once_both_fields_are_good(form):
    for email, grey in [("test", True), ("test@example.com", False)]:
        bob.fill(form, email, MARK)
        pause(form)
        if grey:
            expect(submit(form)).to_be_disabled()
        else:
            expect(submit(form)).to_be_enabled()
        colour = "rgb(116, 116, 120)" if grey else "rgb(0, 103, 217)"
        expect(submit(form)).to_have_css("background-color", colour)


def test_who_is_faster_than_the_wait_is_refused_by_the_server(form, nest):
    field(form, "email").fill("test")
    field(form, "password").fill("123")
    expect(submit(form)).to_be_enabled()
    submit(form).click()
    expect(error(form, "email")).to_have_text(bob.MESSAGES["email"])
    expect(error(form, "password")).to_have_text(bob.MESSAGES["password"])
    assert nest.seen == []


def test_the_eye_shows_and_hides_the_password(form):
    password, eye = field(form, "password"), field(form, "password.reveal")
    password.fill(MARK)
    for name, kind, seen in [
        ("Show password", "password", "eye"),
        ("Hide password", "text", "eye-off"),
        ("Show password", "password", "eye"),
    ]:
        expect(eye).to_have_accessible_name(name)
        expect(password).to_have_attribute("type", kind)
        expect(password).to_have_value(MARK)
        expect(eye.locator(f".icon-{seen}")).to_be_visible()
        eye.click()


def test_return_leads_to_the_password_and_there_it_signs_in(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    bob.point(page, foyer, nest.base)
    acting.arrive(page, "login")
    expect(field(page, "email")).to_have_attribute("enterkeyhint", "next")
    expect(field(page, "password")).to_have_attribute("enterkeyhint", "done")
    field(page, "email").fill(email)
    field(page, "email").press("Enter")
    expect(field(page, "password")).to_be_focused()
    assert nest.seen == []
    page.keyboard.type(password)
    expect(submit(page)).to_be_enabled()
    page.keyboard.press("Enter")
    bob.signed_in(page)


def test_the_fields_have_their_keyboard_until_a_tap_beside_them(form):
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


def join(page, email, password, confirm=None):
    page.get_by_test_id("login.register").click()
    fill_in(page, email, password, confirm or password)


def fill_in(page, email, password, confirm):
    acting.arrive(page, "register")
    for name, value in [
        ("firstName", "Wendy"),
        ("lastName", "Hart"),
        ("email", email),
        ("password", password),
        ("confirm", confirm),
    ]:
        page.get_by_test_id(f"register.{name}").fill(value)


def test_an_account_is_made_and_signed_in_with(page, foyer, person):
    email, password = person()
    bob.point(page, foyer, None, "embedded")
    join(page, email, password)
    page.get_by_test_id("register.submit").click()
    bob.alert(page, "Account created", "Please sign in.")
    acting.arrive(page, "login")
    expect(field(page, "email")).to_have_value(email)
    bob.login(page, email, password)
    bob.signed_in(page)


def test_the_rules_of_registration_are_told_while_typing(page, foyer, person, nest):
    bob.point(page, foyer, nest.base)
    page.get_by_test_id("login.register").click()
    acting.arrive(page, "register")
    bar = page.get_by_test_id("register.password.strength")
    expect(bar).to_be_hidden()
    fill_in(page, "nobody", "Zq7xGeh", "Zq7xGehe")
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
    assert nest.seen == []


def test_another_field_can_mend_what_the_server_said(page, foyer, person, nest):
    email, password = person()
    bob.point(page, foyer, nest.base)
    join(page, email, password, password + "-mistyped")
    # Faster than the wait.
    page.get_by_test_id("register.submit").evaluate("it => { it.disabled = false; it.click(); }")
    wrong = page.get_by_test_id("register.confirm.error")
    expect(wrong).to_have_text("Passwords do not match")
    for name in ["password", "confirm"]:
        expect(page.get_by_test_id(f"register.{name}")).to_be_enabled()
    page.get_by_test_id("register.password").fill(password + "-mistyped")
    expect(wrong).to_have_count(0)
    expect(page.get_by_test_id("register.submit")).to_be_enabled()
    # A confirmation taken back is waited for.
    page.get_by_test_id("register.confirm").fill("")
    expect(page.get_by_test_id("register.submit")).to_be_disabled()
    assert nest.seen == []


def test_what_was_typed_before_the_script_came_is_judged(page, foyer, nest):
    bob.point(page, foyer, nest.base)
    acting.arrive(page, "login")
    held = []
    page.route("**/screen.js", lambda route: held.append(route))
    with page.expect_request("**/screen.js"):
        page.goto(f"{foyer.base}/apps/bob/login", wait_until="commit")
    field(page, "email").fill("nobody")
    held[0].continue_()
    expect(error(page, "email")).to_have_text(bob.MESSAGES["email"])
