"""CLARITY Pulse against the backend it moved to later: codes by mail."""

import acting
import pulse
import pytest
from cognito import Cognito, problem
from playwright.sync_api import expect
from standin import StandIn


@pytest.fixture
def cognito():
    script = Cognito()
    server = StandIn(script)
    script.server = server
    yield script
    server.stop()


def at_login(page, foyer, cognito):
    device = pulse.pointed(page, foyer, cognito.server, "cognito")
    acting.arrive(page, "login")
    return device


def test_from_the_registration_through_the_code_to_the_logout(page, foyer, cognito, person):
    email, password = person()
    device = at_login(page, foyer, cognito)
    pulse.register(page, email, password)
    pulse.answer_alert(page)
    assert cognito.bodies_of("register") == [
        {"email": email, "password": password, "display_name": "Avery Quinn"}
    ]

    pulse.login(page, email, password)
    acting.arrive(page, "confirm")
    expect(page.get_by_test_id("confirm.email")).to_have_value(email)
    page.get_by_test_id("confirm.code").fill("000000")
    page.get_by_test_id("confirm.submit").click()
    expect(pulse.failure(page, "confirm")).to_have_text(
        "That code is not valid. Please check it or ask for a new one."
    )
    page.get_by_test_id("confirm.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text("Verification email sent")
    page.get_by_test_id("confirm.code").fill(cognito.codes[email])
    page.get_by_test_id("confirm.submit").click()
    acting.arrive(page, "login")
    expect(page.get_by_test_id("login.notice")).to_have_text(
        "Your email is verified. Please log in."
    )

    pulse.login(page, email, password)
    pulse.signed_in(page, email)
    expect(page.get_by_test_id("dashboard.name")).to_have_text("Avery Quinn")
    pulse.settings(page)
    # This backend cannot delete an account, so nobody is offered it.
    expect(page.get_by_test_id("settings.delete")).to_have_count(0)
    page.get_by_test_id("settings.tab.dashboard").click()
    pulse.logout(page)
    calls = [e["call"] for e in acting.exchanges(foyer, device)][::-1]
    assert calls == [
        "createUser",
        "signIn",
        "confirmCode",
        "resendCode",
        "confirmCode",
        "signIn",
        "lookup",
        "logout",
    ]
    assert foyer.api("GET", pulse.place(device))["storage"] == []


def test_a_backend_that_confirms_nobody_lets_in_at_once(page, foyer, cognito, person):
    cognito.confirms = False
    email, password = person()
    at_login(page, foyer, cognito)
    pulse.register(page, email, password)
    pulse.answer_alert(page)
    pulse.login(page, email, password)
    pulse.signed_in(page, email)


def test_a_password_is_replaced_with_the_code_of_the_mail(page, foyer, cognito, person):
    email, password = person()
    cognito.add(email, password)
    at_login(page, foyer, cognito)
    page.get_by_test_id("login.reset").click()
    page.get_by_test_id("reset.email").fill(email)
    page.get_by_test_id("reset.submit").click()
    acting.arrive(page, "newPassword")
    page.get_by_test_id("newPassword.code").fill(cognito.codes[email])
    page.get_by_test_id("newPassword.password").fill(password + "-new")
    page.get_by_test_id("newPassword.submit").click()
    acting.arrive(page, "login")
    expect(page.get_by_test_id("login.notice")).to_be_visible()
    pulse.login(page, email, password + "-new")
    pulse.signed_in(page, email)


def test_a_backend_that_gives_accounts_away_is_not_repeated(page, foyer, cognito, person):
    email, _ = person()
    at_login(page, foyer, cognito)
    page.get_by_test_id("login.reset").click()
    page.get_by_test_id("reset.email").fill(email)
    page.get_by_test_id("reset.submit").click()
    acting.arrive(page, "newPassword")
    assert cognito.codes == {}


def test_registering_may_be_switched_off(page, foyer, cognito, person):
    cognito.signup = False
    email, password = person()
    at_login(page, foyer, cognito)
    pulse.register(page, email, password)
    expect(pulse.failure(page, "register")).to_have_text("Self-registration is currently disabled")


@pytest.mark.parametrize(
    "answer,words",
    [
        (
            problem(401, "invalid_credentials", "Invalid Credentials", "Invalid email or password"),
            "Invalid email or password",
        ),
        (
            problem(429, "account_locked", "Account Locked", "Locked for 15 min"),
            "Too many attempts. Please try again later.",
        ),
        (
            (429, {"error": "Rate limit exceeded: 10 per 1 minute"}),
            "Too many attempts. Please try again later.",
        ),
        ((500, {"detail": "Login failed"}), "Login failed"),
    ],
)
def test_what_the_backend_says_at_a_login_has_its_words(
    page, foyer, cognito, person, answer, words
):
    email, password = person()
    at_login(page, foyer, cognito)
    cognito.fail("login", answer)
    pulse.login(page, email, password)
    expect(pulse.failure(page, "login")).to_have_text(words)


@pytest.mark.parametrize(
    "answer,words",
    [
        (
            (409, {"detail": "User already exists"}),
            "This email address is already registered. Please try signing in instead.",
        ),
        (
            (422, {"detail": [{"loc": ["body", "password"]}]}),
            "Please choose a stronger password with at least 8 characters, "
            "including uppercase, lowercase, and numbers.",
        ),
        ((400, {"detail": "Invalid email"}), "Invalid email"),
    ],
)
def test_what_it_says_at_a_registration_has_its_words(page, foyer, cognito, person, answer, words):
    email, password = person()
    at_login(page, foyer, cognito)
    cognito.fail("register", answer)
    pulse.register(page, email, password)
    expect(pulse.failure(page, "register")).to_have_text(words)


def test_a_refresh_token_it_does_not_know_ends_the_session(page, foyer, cognito, person):
    email, password = person()
    cognito.add(email, password)
    device = at_login(page, foyer, cognito)
    pulse.login(page, email, password)
    pulse.signed_in(page, email)
    cognito.fail("me", problem(401, "invalid_token", "Invalid", "Expired"))
    cognito.refreshes.clear()
    pulse.relaunch(page, foyer)
    acting.arrive(page, "login")
    expect(pulse.failure(page, "login")).to_have_text("Session expired. Please sign in again.")
    assert foyer.api("GET", pulse.place(device))["storage"] == []
