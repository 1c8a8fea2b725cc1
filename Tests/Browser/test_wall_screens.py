"""Anonymous Wall's forms: what they ask, refuse and say."""

import json

import acting
import anonymous
import pytest
from anonymous import document, error, fill, press  # noqa: F401
from campus import token
from playwright.sync_api import expect


@pytest.fixture
def app(page, foyer, document):
    """The landing, on a device of its own."""
    page.device = anonymous.pointed(page, foyer, document)
    return page


BAD = ["invalid", "@example.com", "user@", "a@b", "a b@example.com"]


@pytest.mark.parametrize("email", BAD)
def test_a_bad_address_on_the_registration_sends_nothing(app, document, email):
    anonymous.to_register(app)
    fill(app, "register.email", email)
    press(app, "register.submit")
    said = app.get_by_test_id("register.email.error")
    expect(said).to_have_text(anonymous.INVALID)
    expect(said).to_have_attribute("role", "alert")
    expect(app.get_by_test_id("register.email")).to_have_value(email)
    assert document.asked == []


@pytest.mark.parametrize("button", ["getCode", "submit"])
@pytest.mark.parametrize("email", BAD[:2])
def test_a_bad_address_on_the_login_sends_nothing(app, document, email, button):
    anonymous.to_login(app)
    fill(app, "login.email", email)
    fill(app, "login.code", "012345")
    press(app, f"login.{button}")
    expect(app.get_by_test_id("login.email.error")).to_have_text(anonymous.INVALID)
    expect(app.get_by_test_id("login.code")).to_have_value("012345")
    assert document.asked == []
    fill(app, "login.email", "user+tag@example.org")
    expect(app.get_by_test_id("login.email.error")).to_have_count(0)


def test_what_is_mended_before_the_script_came_is_no_error_any_more(app):
    anonymous.to_register(app)
    fill(app, "register.email", BAD[0])
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


@pytest.mark.parametrize(
    "email", ["test@example.com", "user.name@domain.co.uk", "user+tag@example.org"]
)
def test_a_good_address_is_sent(app, document, email):
    anonymous.register(app, email)
    assert document.asked == [("/auth/register", {"email": email})]


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


def test_the_fields_say_what_they_are_for(app):
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


def test_the_ways_between_the_screens(app):
    anonymous.to_register(app)
    press(app, "register.login")
    acting.arrive(app, "login")
    press(app, "login.register")
    acting.arrive(app, "register")
    press(app, "register.login")
    press(app, "login.back")
    acting.arrive(app, "landing")
    anonymous.to_login(app)
    app.go_back()
    acting.arrive(app, "landing")


def test_a_wrong_code_is_told_and_the_fields_kept(app, document):
    anonymous.to_login(app)
    anonymous.get_code(app, "sam@campus.edu")
    anonymous.login(app, "nonsense")
    expect(error(app)).to_have_text("Invalid verification code")
    expect(error(app)).to_have_attribute("role", "alert")
    expect(app.get_by_test_id("login.email")).to_have_value("sam@campus.edu")
    expect(app.get_by_test_id("login.code")).to_have_value("nonsense")
    acting.arrive(app, "login")
    document.expire()
    anonymous.login(app, document.code("sam@campus.edu"))
    expect(error(app)).to_have_text("Verification code has expired")


def test_green_and_red_never_stand_together(app, document):
    said = app.get_by_test_id("login.notice")
    anonymous.to_login(app)
    anonymous.get_code(app, "sam@campus.edu")
    expect(said).to_have_attribute("role", "status")
    anonymous.login(app, "wrong")
    expect(error(app)).to_be_visible()
    expect(said).to_have_count(0)
    anonymous.get_code(app, "sam@campus.edu")
    expect(error(app)).to_have_count(0)
    document.say("/auth/request-code", document.refusal(429, "Too many codes"))
    press(app, "login.getCode")
    expect(error(app)).to_have_text("Too many codes")
    expect(said).to_have_count(0)
    fill(app, "login.email", "sam")
    press(app, "login.getCode")
    expect(app.get_by_test_id("login.email.error")).to_be_visible()
    expect(error(app)).to_have_count(0)
    # What was said stays behind with the screen.
    anonymous.get_code(app, "sam@campus.edu")
    press(app, "login.register")
    press(app, "register.login")
    expect(said).to_have_count(0)


@pytest.mark.parametrize(
    "answer,words",
    [
        ((200, {"success": False, "message": "Not today"}), "Not today"),
        ((409, {"success": False, "message": "Registered"}), "Registered"),
        ((500, "<html>"), "Invalid response from server"),
        ((500, None), "Invalid response from server"),
        ((404, {}), "Invalid response from server"),
    ],
)
def test_a_refused_registration_is_told(app, document, answer, words):
    anonymous.to_register(app)
    document.say("/auth/register", answer)
    fill(app, "register.email", "sam@campus.edu")
    press(app, "register.submit")
    expect(error(app, "register")).to_have_text(words)
    expect(app.get_by_test_id("register.email")).to_have_value("sam@campus.edu")
    expect(app.get_by_test_id("alert")).to_have_count(0)


USER = {"id": "u1", "email": "sam@campus.edu"}
UNREADABLE = "Network error: The data couldn't be read because it isn't in the correct format."


@pytest.mark.parametrize(
    "answer,words",
    [
        ((200, {"success": False, "message": "Not you", "user": USER, "token": "t"}), "Not you"),
        ((200, {"success": True, "user": USER}), UNREADABLE),
        ((200, {"success": True, "token": "t"}), UNREADABLE),
        ((200, "<html>"), UNREADABLE),
        ((500, "<html>"), "Invalid response from server"),
    ],
)
def test_an_answer_that_signs_nobody_in(app, foyer, document, answer, words):
    anonymous.to_login(app)
    document.say("/auth/login", answer)
    anonymous.login(app, "012345", "sam@campus.edu")
    expect(error(app)).to_have_text(words)
    acting.arrive(app, "login")
    assert anonymous.stored(foyer, app.device) == {}


@pytest.mark.parametrize("created", [{}, {"created_at": "2026-01-31T00:00:00Z"}])
def test_a_date_may_be_there_or_not(app, document, created):
    email = "sam@campus.edu"
    anonymous.to_login(app)
    document.say(
        "/auth/login", (200, {"success": True, "user": {**USER, **created}, "token": token(email)})
    )
    anonymous.login(app, "012345", email)
    anonymous.signed_in(app, email)


def test_a_server_that_is_not_there_is_told(app, document):
    anonymous.to_register(app)
    document.server.stop()
    fill(app, "register.email", "sam@campus.edu")
    press(app, "register.submit")
    expect(error(app, "register")).to_have_text(
        "Network error: The Internet connection appears to be offline."
    )


@pytest.mark.parametrize(
    "name,path",
    [
        ("register.submit", "/auth/register"),
        ("login.getCode", "/auth/request-code"),
        ("login.submit", "/auth/login"),
    ],
)
def test_a_double_tap_sends_once_while_the_button_spins(app, document, name, path):
    screen = name.split(".")[0]
    anonymous.to_register(app)
    if screen == "login":
        press(app, "register.login")
        acting.arrive(app, "login")
        fill(app, "login.code", "012345")
    fill(app, f"{screen}.email", "sam@campus.edu")
    expect(app.get_by_test_id(name)).to_be_enabled()
    document.server.hold()
    # The page itself tells how it rests: while its next one is awaited,
    # nothing can be asked of it from outside.
    app.evaluate(
        """name => addEventListener('submit', () => setTimeout(() => {
        const button = document.querySelector(`[data-testid='${name}']`);
        const seen = e => e.checkVisibility({visibilityProperty: true});
        console.log(JSON.stringify({
            spins: seen(button.querySelector('.spinner')),
            others: [...document.querySelectorAll('.button .spinner')]
                .filter(seen).length,
            rests: [...document.querySelectorAll('button, input')]
                .filter(e => e.type !== 'hidden')
                .every(e => e.matches(':disabled')),
            tall: button.offsetHeight,
        }));
    }, 300), {once: true})""",
        name,
    )
    acting.painted(app)
    tall = app.get_by_test_id(name).evaluate("e => e.offsetHeight")
    with app.expect_console_message() as told:
        app.get_by_test_id(name).dblclick(no_wait_after=True)
    assert json.loads(told.value.text) == {"spins": True, "others": 1, "rests": True, "tall": tall}
    assert document.server.wait_for(1)
    document.server.release()
    expect(
        app.get_by_test_id("alert")
        if screen == "register"
        else app.locator("[role=status], [role=alert]").first
    ).to_be_visible()
    assert len(document.asked_for(path)) == 1
    assert len(document.asked) == 1


def test_a_servers_markup_is_text(app, document):
    evil = "<img src=x onerror=alert(1)>"
    app.on("dialog", lambda d: pytest.fail("a script ran: " + d.message))
    anonymous.to_login(app)
    document.say("/auth/request-code", document.refusal(400, evil))
    fill(app, "login.email", "sam@campus.edu")
    press(app, "login.getCode")
    expect(error(app)).to_have_text(evil)
