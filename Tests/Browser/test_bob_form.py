"""Bob's login form: what is said, when, and what may be pressed."""

import re
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


@pytest.mark.parametrize(
    "name, wrong, right",
    [
        ("email", "test", "test@example.com"),
        ("email", "invalid-email", "bob@example.co"),
        ("password", "123", "password123"),
        ("password", "12345", "123456"),
    ],
)
def test_an_error_comes_after_half_a_second_and_goes_when_mended(form, name, wrong, right):
    field(form, name).fill(wrong)
    form.clock.run_for(499)
    expect(error(form, name)).to_have_count(0)
    pause(form, 1)
    expect(error(form, name)).to_have_text(bob.MESSAGES[name])
    expect(error(form, name)).to_have_attribute("role", "alert")
    expect(field(form, name)).to_have_attribute("aria-invalid", "true")
    field(form, name).fill(right)
    pause(form)
    expect(error(form, name)).to_have_count(0)


def test_every_key_begins_the_wait_anew(form):
    field(form, "email").fill("t")
    form.clock.run_for(400)
    field(form, "email").fill("te")
    form.clock.run_for(400)
    expect(error(form, "email")).to_have_count(0)
    pause(form, 100)
    expect(error(form, "email")).to_be_visible()


@pytest.mark.parametrize(
    "email, password, may",
    [
        ("test@example.com", MARK, True),
        ("test@example.com", "", False),
        ("", MARK, False),
        ("test", MARK, False),
        ("test@example.com", "123", False),
    ],
)
def test_the_button_waits_for_two_good_fields(form, email, password, may):
    field(form, "email").fill(email)
    field(form, "password").fill(password)
    pause(form)
    if may:
        expect(submit(form)).to_be_enabled()
        expect(submit(form)).to_have_css("background-color", "rgb(0, 103, 217)")
    else:
        expect(submit(form)).to_be_disabled()
        expect(submit(form)).to_have_css("background-color", "rgb(116, 116, 120)")


def test_who_is_faster_than_the_wait_is_refused_by_the_server(form, nest):
    field(form, "email").fill("test")
    field(form, "password").fill("123")
    expect(submit(form)).to_be_enabled()
    submit(form).click()
    expect(error(form, "email")).to_have_text(bob.MESSAGES["email"])
    expect(error(form, "password")).to_have_text(bob.MESSAGES["password"])
    assert nest.seen == []


def test_empty_fields_send_nothing_without_scripts(visitors, foyer, nest):
    page = visitors.device(foyer, java_script_enabled=False)
    bob.point(page, foyer, nest.base)
    acting.arrive(page, "login")
    expect(submit(page)).to_be_enabled()
    submit(page).click()
    acting.arrive(page, "login")
    # Nothing could keep it from being pressed, so it says what it waits for.
    expect(error(page, "email")).to_have_text(bob.MESSAGES["email"])
    expect(error(page, "password")).to_have_text(bob.MESSAGES["password"])
    expect(page.get_by_test_id("alert")).to_have_count(0)
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


def test_a_tap_beside_the_fields_takes_the_keyboard_away(form):
    for name in ["email", "password"]:
        field(form, name).click()
        expect(field(form, name)).to_be_focused()
    form.get_by_role("heading", name="Bob the Builder").click()
    expect(field(form, "password")).not_to_be_focused()
    assert form.evaluate("document.activeElement === document.body")
    field(form, "email").click()
    expect(field(form, "email")).to_be_focused()


def test_the_fields_are_what_a_phones_keyboard_needs(form):
    expect(field(form, "email")).to_have_accessible_name("Email")
    expect(field(form, "email")).to_have_attribute("inputmode", "email")
    expect(field(form, "email")).to_have_attribute("autocapitalize", "none")
    expect(field(form, "email")).to_have_attribute("autocorrect", "off")
    expect(field(form, "password")).to_have_accessible_name("Password")
    expect(field(form, "password")).to_have_attribute("autocomplete", "current-password")


def test_the_forgotten_password_leads_nowhere_yet(form, nest):
    forgot = form.get_by_test_id("login.forgot")
    expect(forgot).to_have_text("Forgot Password?")
    expect(forgot).to_have_attribute("aria-disabled", "true")
    expect(forgot).to_have_accessible_description("Not available yet")
    forgot.click(force=True)
    acting.arrive(form, "login")
    assert nest.seen == []


# ---- Register


def join(page, email, password, confirm=None, phone=""):
    page.get_by_test_id("login.register").click()
    acting.arrive(page, "register")
    for name, value in [
        ("firstName", "Wendy"),
        ("lastName", "Hart"),
        ("email", email),
        ("phoneNumber", phone),
        ("password", password),
        ("confirm", confirm or password),
    ]:
        page.get_by_test_id(f"register.{name}").fill(value)


def test_an_account_is_made_and_signed_in_with(page, foyer, person, nest):
    email, password = person()
    bob.point(page, foyer, nest.base)
    join(page, email, password)
    page.get_by_test_id("register.submit").click()
    bob.alert(page, "Account created", "Please sign in.")
    acting.arrive(page, "login")
    assert "phoneNumber" not in nest.seen[0]["sent"]
    expect(field(page, "email")).to_have_value(email)
    bob.login(page, email, password)
    bob.signed_in(page)


def test_a_telephone_number_is_sent_if_there_is_one(page, foyer, person, nest):
    email, password = person()
    bob.point(page, foyer, nest.base)
    join(page, email, password, phone="+4930123456")
    page.get_by_test_id("register.submit").click()
    bob.alert(page, "Account created", "Please sign in.")
    assert nest.seen[0]["sent"]["phoneNumber"] == "+4930123456"


def test_the_servers_rules_are_told_in_an_alert(page, foyer, person, nest):
    email, _ = person()
    bob.point(page, foyer, nest.base)
    join(page, email, "Zq7xGeheim", phone="call me")
    page.get_by_test_id("register.submit").click()
    bob.alert(
        page,
        "Registration Error",
        "Password must contain at least one uppercase letter, one "
        "lowercase letter, one number, and one special character\n"
        "Phone number must be in E.164 format",
    )
    expect(page.get_by_test_id("register.email")).to_have_value(email)


def test_an_address_that_has_an_account_is_told(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    bob.point(page, foyer, nest.base)
    join(page, email, password)
    page.get_by_test_id("register.submit").click()
    bob.alert(page, "Registration Error", "An account with this email address already exists")


def test_the_rules_of_registration_are_told_while_typing(page, foyer, person, nest):
    bob.point(page, foyer, nest.base)
    join(page, "nobody", "Zq7xGeh", "Zq7xGehe")
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


def test_the_confirmation_is_waited_for(page, foyer, person, nest):
    email, password = person()
    bob.point(page, foyer, nest.base)
    join(page, email, password)
    expect(page.get_by_test_id("register.submit")).to_be_enabled()
    page.get_by_test_id("register.confirm").fill("")
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


@pytest.mark.parametrize(
    "password, words",
    [
        ("Zq", "Weak password"),
        ("Zq7xGehe", "Medium password"),
        (MARK + "-strong", "Strong password"),
    ],
)
def test_a_bar_tells_how_strong_a_password_is(page, foyer, nest, password, words):
    bob.point(page, foyer, nest.base)
    page.get_by_test_id("login.register").click()
    acting.arrive(page, "register")
    bar = page.get_by_test_id("register.password.strength")
    expect(bar).to_be_hidden()
    page.get_by_test_id("register.password").fill(password)
    expect(bar).to_have_text(re.compile(words))
    level = ["Weak password", "Medium password", "Strong password"].index(words) + 1
    expect(bar).to_have_attribute("data-level", str(level))
