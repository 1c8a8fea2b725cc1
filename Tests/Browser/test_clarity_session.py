"""CLARITY Pulse's login, verification and reset, and what goes wrong."""

import re

import acting
import pulse
import pytest
from firebase import Firebase, said
from playwright.sync_api import expect
from pulse import firebase  # noqa: F401
from standin import StandIn

BAD = "Invalid email or password"
CONFIG = "App configuration error. Please restart the app or contact support."
MANY = "Too many attempts. Please try again later."


def at_login(page, foyer, firebase):
    device = pulse.pointed(page, foyer, firebase.server)
    acting.arrive(page, "login")
    return device


def unverified(page, foyer, firebase, person):
    email, password = person()
    firebase.add(email, password, verified=False)
    device = at_login(page, foyer, firebase)
    pulse.login(page, email, password)
    acting.arrive(page, "verify")
    return device, email, password


@pytest.mark.parametrize(
    "answer,words",
    [
        (said("INVALID_LOGIN_CREDENTIALS"), BAD),
        (said("EMAIL_NOT_FOUND"), BAD),
        (said("INVALID_PASSWORD"), BAD),
        (said("INVALID_EMAIL"), "Please enter a valid email address."),
        (said("USER_DISABLED"), "This account has been disabled. Please contact support."),
        (
            said(
                "TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been "
                "temporarily disabled due to many failed login attempts."
            ),
            MANY,
        ),
        (said("PASSWORD_LOGIN_DISABLED"), CONFIG),
        (said("API key not valid. Please pass a valid API key.", reason="keyInvalid"), CONFIG),
        (
            said("The request is missing a valid API key.", 403, "forbidden", "PERMISSION_DENIED"),
            CONFIG,
        ),
        ((503, "Service Unavailable"), "Server error 503"),
        ((200, "It works!"), "Unable to read the server's answer. Please try again."),
    ],
)
def test_whatever_firebase_says_at_a_login_has_its_words(
    page, foyer, firebase, person, answer, words
):
    email, password = person()
    at_login(page, foyer, firebase)
    firebase.fail("signInWithPassword", answer)
    pulse.login(page, email, password)
    expect(pulse.failure(page, "login")).to_have_text(words)
    # The form can be used again, with what was typed.
    expect(page.get_by_test_id("login.submit")).to_be_enabled()
    expect(page.get_by_test_id("login.email")).to_have_value(email)


@pytest.mark.parametrize("typed", [("", ""), ("x@example.com", ""), ("", "abc")])
def test_both_fields_are_asked_for_and_nothing_is_sent(page, foyer, firebase, typed):
    device = at_login(page, foyer, firebase)
    pulse.login(page, *typed)
    expect(pulse.failure(page, "login")).to_have_text("Please enter both email and password.")
    assert acting.exchanges(foyer, device) == []


def test_a_double_click_signs_in_once_and_the_button_spins(page, foyer, firebase, person):
    email, password = person()
    firebase.add(email, password)
    device = at_login(page, foyer, firebase)
    acting.fill(page, "login", email, password)
    expect(page.get_by_test_id("login.password.reveal")).to_be_visible()
    firebase.server.hold()
    page.evaluate("""() => addEventListener('submit', ({target}) =>
        setTimeout(() => {
            const button = target.querySelector('.button-primary');
            console.log([target.getAttribute('aria-busy'), button.disabled,
                button.querySelector('.spinner').checkVisibility(),
                getComputedStyle(button).backgroundColor].join(' '));
        }, 300), {once: true})""")
    with page.expect_console_message() as told:
        page.get_by_test_id("login.submit").dblclick(no_wait_after=True)
    assert told.value.text == "true true true rgb(116, 116, 120)"
    firebase.server.release()
    pulse.signed_in(page, email)
    assert len(acting.exchanges(foyer, device, "signIn")) == 1


def test_a_server_nobody_reaches_is_no_wrong_password(page, foyer, firebase, person):
    email, password = person()
    at_login(page, foyer, firebase)
    firebase.server.stop()
    pulse.login(page, email, password)
    expect(pulse.failure(page, "login")).to_have_text(
        "Unable to connect to the server. Please check your internet connection and try again."
    )


def test_offline_the_remembered_person_sees_the_dashboard(page, foyer, firebase, person):
    email, password = person()
    firebase.add(email, password)
    device = at_login(page, foyer, firebase)
    pulse.login(page, email, password)
    pulse.signed_in(page, email)
    # Nobody listens there.
    foyer.api("PATCH", pulse.place(device), {"backend": "emulator", "base": "http://127.0.0.1:9"})
    pulse.relaunch(page, foyer)
    pulse.signed_in(page, email)
    expect(pulse.failure(page, "dashboard")).to_contain_text("Unable to connect to the server.")
    assert len(foyer.api("GET", pulse.place(device))["storage"]) == 3


def test_an_expired_token_is_refreshed_without_a_word(page, foyer, firebase, person):
    email, password = person()
    firebase.add(email, password)
    device = at_login(page, foyer, firebase)
    pulse.login(page, email, password)
    pulse.signed_in(page, email)
    token = foyer.api("GET", pulse.place(device) + "/storage/firebase_user.access_token")["value"]
    firebase.dead.add(token)
    pulse.relaunch(page, foyer)
    pulse.signed_in(page, email)
    [form] = firebase.bodies_of("/securetoken.googleapis.com/v1/token")
    assert form["grant_type"] == "refresh_token"
    calls = [e["call"] for e in acting.exchanges(foyer, device)][::-1]
    assert calls[-3:] == ["lookup", "refresh", "lookup"]


def test_a_refused_refresh_ends_the_session_and_says_so(page, foyer, firebase, person):
    email, password = person()
    known = firebase.add(email, password)
    device = at_login(page, foyer, firebase)
    pulse.login(page, email, password)
    pulse.signed_in(page, email)
    token = foyer.api("GET", pulse.place(device) + "/storage/firebase_user.access_token")["value"]
    firebase.dead.add(token)
    known["refreshToken"] = "another"
    pulse.relaunch(page, foyer)
    acting.arrive(page, "login")
    expect(pulse.failure(page, "login")).to_have_text("Session expired. Please sign in again.")
    assert foyer.api("GET", pulse.place(device))["storage"] == []


# ---- Verifying


def test_the_unverified_are_kept_out_by_every_way(page, foyer, firebase, person):
    unverified(page, foyer, firebase, person)
    for screen in ["dashboard", "chat", "settings"]:
        page.goto(f"{foyer.base}/apps/clarity/{screen}")
        acting.arrive(page, "verify")
    pulse.relaunch(page, foyer)
    acting.arrive(page, "verify")


def test_the_check_says_what_it_heard(page, foyer, firebase, person):
    _, email, _ = unverified(page, foyer, firebase, person)
    page.get_by_test_id("verify.verified").click()
    expect(page.get_by_test_id("verify.notice")).to_have_text("Your email isn't verified yet.")
    firebase.people[email]["emailVerified"] = True
    page.get_by_test_id("verify.verified").click()
    pulse.signed_in(page, email)


def test_while_it_checks_the_button_says_so_and_rests(page, foyer, firebase, person):
    unverified(page, foyer, firebase, person)
    firebase.server.hold()
    page.evaluate("""() => addEventListener('submit', ({target}) =>
        setTimeout(() => {
            const button = target.querySelector('button');
            console.log(button.disabled + ' ' + button.innerText.trim());
        }, 300), {once: true})""")
    with page.expect_console_message() as told:
        page.get_by_test_id("verify.verified").click(no_wait_after=True)
    assert told.value.text == "true Checking verification..."
    firebase.server.release()
    expect(page.get_by_test_id("verify.notice")).to_be_visible()


def test_another_mail_is_sent_and_said(page, foyer, firebase, person):
    _, email, _ = unverified(page, foyer, firebase, person)
    page.get_by_test_id("verify.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text("Verification email sent")
    assert firebase.mails[-1][:2] == ("VERIFY_EMAIL", email)
    firebase.fail("sendOobCode", said("TOO_MANY_ATTEMPTS_TRY_LATER"))
    page.get_by_test_id("verify.resend").click()
    expect(pulse.failure(page, "verify")).to_have_text(MANY)
    expect(page.get_by_test_id("toast")).to_have_count(0)


def test_the_unverified_can_sign_out(page, foyer, firebase, person):
    device, _, _ = unverified(page, foyer, firebase, person)
    page.get_by_test_id("verify.signOut").click()
    acting.arrive(page, "login")
    assert foyer.api("GET", pulse.place(device))["storage"] == []


# ---- Resetting


def test_a_forgotten_password_is_replaced_from_the_login_to_the_login(
    page, foyer, firebase, person
):
    email, password = person()
    firebase.add(email, password)
    at_login(page, foyer, firebase)
    pulse.login(page, email, "Wrong1234")
    expect(pulse.failure(page, "login")).to_have_text(BAD)
    page.get_by_test_id("login.reset").click()
    # The address typed at the login is there already.
    expect(page.get_by_test_id("reset.email")).to_have_value(email)
    page.get_by_test_id("reset.submit").click()
    notice = page.get_by_test_id("reset.notice")
    expect(notice).to_have_text("Password reset email sent. Please check your inbox.")
    expect(pulse.failure(page, "reset")).to_have_count(0)
    firebase.follow(email, password + "-new")
    page.get_by_test_id("reset.login").click()
    pulse.login(page, email, password)
    expect(pulse.failure(page, "login")).to_have_text(BAD)
    pulse.login(page, email, password + "-new")
    pulse.signed_in(page, email)


@pytest.mark.parametrize("privacy", [True, False])
def test_an_unknown_address_is_told_the_same(page, foyer, person, privacy):
    email, _ = person()
    server = StandIn(Firebase(privacy))
    pulse.pointed(page, foyer, server)
    page.get_by_test_id("login.reset").click()
    page.get_by_test_id("reset.email").fill(email)
    page.get_by_test_id("reset.submit").click()
    expect(page.get_by_test_id("reset.notice")).to_have_text(
        "Password reset email sent. Please check your inbox."
    )
    expect(page.locator("main")).not_to_contain_text(
        re.compile("unknown|not found|no account", re.I)
    )
    server.stop()


@pytest.mark.parametrize(
    "email,words",
    [
        ("", "Please enter your email address to reset your password."),
        ("invalid-email", "Please enter a valid email address."),
    ],
)
def test_a_reset_without_an_address_asks_for_one(page, foyer, firebase, email, words):
    device = at_login(page, foyer, firebase)
    page.get_by_test_id("login.reset").click()
    page.get_by_test_id("reset.email").fill(email)
    page.get_by_test_id("reset.submit").click()
    expect(pulse.failure(page, "reset")).to_have_text(words)
    assert acting.exchanges(foyer, device) == []
