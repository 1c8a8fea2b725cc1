"""Anonymous Wall's forms: fields, validation and messages."""

import acting
import anonymous
import pytest
from anonymous import SAM, error, fill, press, wall_backend  # noqa: F401
from playwright.sync_api import expect


@pytest.fixture
def app(page, foyer, wall_backend):
    """The landing screen, on a new device."""
    anonymous.start_with_backend(page, foyer, wall_backend)
    return page


def test_the_app_rejects_invalid_addresses_and_the_server_taken_ones(app, wall_backend):
    anonymous.to_register(app)
    fill(app, "register.email", "a b@example.com")
    press(app, "register.submit")
    field_error = app.get_by_test_id("register.email.error")
    expect(field_error).to_have_text(anonymous.INVALID)
    expect(field_error).to_have_attribute("role", "alert")
    expect(app.get_by_test_id("register.email")).to_have_value("a b@example.com")
    assert wall_backend.requests == []
    wall_backend.respond_with("/auth/register", wall_backend.failure(409, "Registered"))
    fill(app, "register.email", SAM)
    expect(field_error).to_have_count(0)
    press(app, "register.submit")
    expect(error(app, "register")).to_have_text("Registered")
    expect(app.get_by_test_id("register.email")).to_have_value(SAM)
    expect(app.get_by_test_id("alert")).to_have_count(0)


def test_neither_login_button_sends_an_invalid_address(app, wall_backend):
    anonymous.to_login(app)
    fill(app, "login.code", "012345")
    for button in ["getCode", "submit"]:
        fill(app, "login.email", "@example.com")
        press(app, f"login.{button}")
        expect(app.get_by_test_id("login.email.error")).to_have_text(anonymous.INVALID)
        expect(app.get_by_test_id("login.code")).to_have_value("012345")
        fill(app, "login.email", "user+tag@example.org")
        expect(app.get_by_test_id("login.email.error")).to_have_count(0)
    assert wall_backend.requests == []


def test_an_error_fixed_before_the_script_loads_disappears(app):
    anonymous.to_register(app)
    fill(app, "register.email", "invalid")
    press(app, "register.submit")
    address_error = app.get_by_test_id("register.email.error")
    expect(address_error).to_be_visible()
    routes = []
    app.route("**/screen.js", lambda route: routes.append(route))
    with app.expect_request("**/screen.js"):
        app.reload(wait_until="commit")
    expect(address_error).to_be_visible()
    fill(app, "register.email", "user+tag@example.org")
    routes[0].continue_()
    expect(address_error).to_have_count(0)


def test_each_button_is_disabled_until_its_fields_are_filled(app):
    anonymous.to_register(app)
    expect(app.get_by_test_id("register.submit")).to_be_disabled()
    fill(app, "register.email", "x")
    expect(app.get_by_test_id("register.submit")).to_be_enabled()
    press(app, "register.login")
    acting.expect_screen(app, "login")
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


def test_the_screens_have_labels_and_link_to_each_other(app):
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
    acting.expect_screen(app, "register")
    for words in ["Create Account", "Enter your email to get started", "Already have an account?"]:
        expect(app.get_by_text(words)).to_be_visible()
    press(app, "register.login")
    acting.expect_screen(app, "login")
    press(app, "login.back")
    acting.expect_screen(app, "landing")
    anonymous.to_login(app)
    app.go_back()
    acting.expect_screen(app, "landing")


def test_a_notice_and_an_error_are_never_shown_together(app, wall_backend):
    app.on("dialog", lambda d: pytest.fail("a script ran: " + d.message))
    notice = app.get_by_test_id("login.notice")
    anonymous.to_login(app)
    anonymous.get_code(app, SAM)
    expect(notice).to_have_attribute("role", "status")
    anonymous.login(app, "nonsense")
    expect(error(app)).to_have_text("Invalid verification code")
    expect(error(app)).to_have_attribute("role", "alert")
    expect(notice).to_have_count(0)
    expect(app.get_by_test_id("login.email")).to_have_value(SAM)
    expect(app.get_by_test_id("login.code")).to_have_value("nonsense")
    anonymous.get_code(app, SAM)
    expect(error(app)).to_have_count(0)
    # A server's message is shown as text, and one with markup is none for a reader.
    for message, shown in [
        ("Too many &lt;img&gt; <3", "Too many &lt;img&gt; <3"),
        ("Too many <img src=x onerror=alert(1)>", "Invalid response from server"),
    ]:
        wall_backend.respond_with("/auth/request-code", wall_backend.failure(429, message))
        press(app, "login.getCode")
        expect(error(app)).to_have_text(shown)
    expect(notice).to_have_count(0)
    fill(app, "login.email", "sam")
    press(app, "login.getCode")
    expect(app.get_by_test_id("login.email.error")).to_be_visible()
    expect(error(app)).to_have_count(0)
    # Leaving the screen removes its messages.
    anonymous.get_code(app, SAM)
    press(app, "login.register")
    press(app, "register.login")
    expect(notice).to_have_count(0)


def test_a_double_tap_sends_one_request_while_the_button_spins(app, wall_backend):
    def tap_twice(name):
        height = app.get_by_test_id(name).evaluate("e => e.offsetHeight")
        pending = acting.press_twice(app, name, wall_backend.server)
        assert (pending["spinning"], pending["spinners"], pending["pageDisabled"]) == (
            True,
            1,
            True,
        )
        assert pending["height"] == height

    anonymous.to_register(app)
    fill(app, "register.email", SAM)
    tap_twice("register.submit")
    press(app, "alert.ok")
    acting.expect_screen(app, "login")
    tap_twice("login.getCode")
    expect(app.get_by_test_id("login.notice")).to_be_visible()
    fill(app, "login.code", wall_backend.code(SAM))
    tap_twice("login.submit")
    anonymous.expect_signed_in(app, SAM)
    assert [path for path, _ in wall_backend.requests] == [
        "/auth/register",
        "/auth/request-code",
        "/auth/login",
    ]
