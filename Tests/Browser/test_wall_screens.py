"""Anonymous Wall's forms: what they ask, refuse and say."""

import acting
import anonymous
import pytest
from anonymous import SAM, document, error, fill, press  # noqa: F401
from playwright.sync_api import expect


@pytest.fixture
def app(page, foyer, document):
    """The landing, on a device of its own."""
    anonymous.pointed(page, foyer, document)
    return page


def test_a_bad_address_is_refused_by_the_app_and_a_good_one_by_the_server(app, document):
    anonymous.to_register(app)
    fill(app, "register.email", "a b@example.com")
    press(app, "register.submit")
    said = app.get_by_test_id("register.email.error")
    expect(said).to_have_text(anonymous.INVALID)
    expect(said).to_have_attribute("role", "alert")
    expect(app.get_by_test_id("register.email")).to_have_value("a b@example.com")
    assert document.asked == []
    document.say("/auth/register", document.refusal(409, "Registered"))
    fill(app, "register.email", SAM)
    expect(said).to_have_count(0)
    press(app, "register.submit")
    expect(error(app, "register")).to_have_text("Registered")
    expect(app.get_by_test_id("register.email")).to_have_value(SAM)
    expect(app.get_by_test_id("alert")).to_have_count(0)


def test_a_bad_address_on_the_login_sends_nothing_by_either_button(app, document):
    anonymous.to_login(app)
    fill(app, "login.code", "012345")
    for button in ["getCode", "submit"]:
        fill(app, "login.email", "@example.com")
        press(app, f"login.{button}")
        expect(app.get_by_test_id("login.email.error")).to_have_text(anonymous.INVALID)
        expect(app.get_by_test_id("login.code")).to_have_value("012345")
        fill(app, "login.email", "user+tag@example.org")
        expect(app.get_by_test_id("login.email.error")).to_have_count(0)
    assert document.asked == []


def test_what_is_mended_before_the_script_came_is_no_error_any_more(app):
    anonymous.to_register(app)
    fill(app, "register.email", "invalid")
    press(app, "register.submit")
    wrong = app.get_by_test_id("register.email.error")
    expect(wrong).to_be_visible()
    held = []
    app.route("**/screen.js", lambda route: held.append(route))
    with app.expect_request("**/screen.js"):
        app.reload(wait_until="commit")
    expect(wrong).to_be_visible()
    fill(app, "register.email", "user+tag@example.org")
    held[0].continue_()
    expect(wrong).to_have_count(0)


def test_each_button_waits_for_its_own_fields(app):
    anonymous.to_register(app)
    expect(app.get_by_test_id("register.submit")).to_be_disabled()
    fill(app, "register.email", "x")
    expect(app.get_by_test_id("register.submit")).to_be_enabled()
    press(app, "register.login")
    acting.arrive(app, "login")
    code, login = (app.get_by_test_id(f"login.{name}") for name in ("getCode", "submit"))
    expect(code).to_be_disabled()
    expect(login).to_be_disabled()
    fill(app, "login.email", "x@example.com")
    expect(code).to_be_enabled()
    expect(login).to_be_disabled()
    fill(app, "login.code", "1")
    expect(login).to_be_enabled()
    fill(app, "login.email", " ")
    expect(code).to_be_disabled()
    expect(login).to_be_disabled()


def test_the_screens_say_what_they_are_for_and_lead_to_each_other(app):
    anonymous.to_login(app)
    email, code = (app.get_by_test_id(f"login.{name}") for name in ("email", "code"))
    expect(email).to_have_accessible_name("Email")
    expect(email).to_have_attribute("placeholder", "Enter your email")
    expect(email).to_have_attribute("type", "email")
    expect(email).to_have_attribute("autocapitalize", "none")
    expect(code).to_have_accessible_name("Verification Code")
    expect(code).to_have_attribute("placeholder", "Enter 6-digit code")
    expect(code).to_have_attribute("inputmode", "numeric")
    expect(code).to_have_attribute("autocomplete", "one-time-code")
    for words in [
        "Welcome Back",
        "Don't have an account?",
        "Login with your email and verification code",
    ]:
        expect(app.get_by_text(words)).to_be_visible()
    press(app, "login.register")
    acting.arrive(app, "register")
    for words in ["Create Account", "Enter your email to get started", "Already have an account?"]:
        expect(app.get_by_text(words)).to_be_visible()
    press(app, "register.login")
    acting.arrive(app, "login")
    press(app, "login.back")
    acting.arrive(app, "landing")
    anonymous.to_login(app)
    app.go_back()
    acting.arrive(app, "landing")


def test_green_and_red_never_stand_together(app, document):
    app.on("dialog", lambda d: pytest.fail("a script ran: " + d.message))
    said = app.get_by_test_id("login.notice")
    anonymous.to_login(app)
    anonymous.get_code(app, SAM)
    expect(said).to_have_attribute("role", "status")
    anonymous.login(app, "nonsense")
    expect(error(app)).to_have_text("Invalid verification code")
    expect(error(app)).to_have_attribute("role", "alert")
    expect(said).to_have_count(0)
    expect(app.get_by_test_id("login.email")).to_have_value(SAM)
    expect(app.get_by_test_id("login.code")).to_have_value("nonsense")
    anonymous.get_code(app, SAM)
    expect(error(app)).to_have_count(0)
    # What a server says is text, whatever stands in it.
    evil = "Too many <img src=x onerror=alert(1)>"
    document.say("/auth/request-code", document.refusal(429, evil))
    press(app, "login.getCode")
    expect(error(app)).to_have_text(evil)
    expect(said).to_have_count(0)
    fill(app, "login.email", "sam")
    press(app, "login.getCode")
    expect(app.get_by_test_id("login.email.error")).to_be_visible()
    expect(error(app)).to_have_count(0)
    # What was said stays behind with the screen.
    anonymous.get_code(app, SAM)
    press(app, "login.register")
    press(app, "register.login")
    expect(said).to_have_count(0)


def test_a_double_tap_sends_once_while_the_button_spins(app, document):
    def tap_twice(name):
        tall = app.get_by_test_id(name).evaluate("e => e.offsetHeight")
        resting = acting.press_twice(app, name, document.server)
        assert (resting["spins"], resting["spinners"], resting["pageRests"]) == (True, 1, True)
        assert resting["tall"] == tall

    anonymous.to_register(app)
    fill(app, "register.email", SAM)
    tap_twice("register.submit")
    press(app, "alert.ok")
    acting.arrive(app, "login")
    tap_twice("login.getCode")
    expect(app.get_by_test_id("login.notice")).to_be_visible()
    fill(app, "login.code", document.code(SAM))
    tap_twice("login.submit")
    anonymous.signed_in(app, SAM)
    assert [path for path, _ in document.asked] == [
        "/auth/register",
        "/auth/request-code",
        "/auth/login",
    ]
