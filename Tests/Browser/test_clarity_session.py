"""The pages of CLARITY Pulse's login, verification and reset.

`ClarityFormTests.swift` tests which response leads to which message.
"""

import acting
import pulse
from firebase import google_error
from playwright.sync_api import expect
from pulse import firebase  # noqa: F401

BAD = "Invalid email or password"


def at_login(page, foyer, firebase):
    device = pulse.start_with_backend(page, foyer, firebase.server)
    acting.expect_screen(page, "login")
    return device


def test_a_double_click_signs_in_once_and_the_button_spins(page, foyer, firebase, person):
    email, password = person()
    firebase.add(email, password)
    device = at_login(page, foyer, firebase)
    acting.fill(page, "login", email, password)
    pending = acting.press_twice(page, "login.submit", firebase.server)
    assert (pending["busy"], pending["disabled"], pending["spinning"]) == ("true", True, True)
    assert pending["color"] == "rgb(116, 116, 120)"
    pulse.expect_signed_in(page, email)
    assert len(acting.exchanges(foyer, device, "signIn")) == 1


def test_a_stored_user_sees_the_dashboard_offline(page, foyer, firebase, person):
    email, password = person()
    firebase.add(email, password)
    device = at_login(page, foyer, firebase)
    pulse.login(page, email, password)
    pulse.expect_signed_in(page, email)
    # No server listens on this port.
    foyer.api(
        "PATCH", pulse.app_path(device), {"backend": "emulator", "base": "http://127.0.0.1:9"}
    )
    pulse.relaunch(page, foyer)
    pulse.expect_signed_in(page, email)
    expect(pulse.failure(page, "dashboard")).to_contain_text("Unable to connect to the server.")
    assert len(pulse.user_keys(foyer, device)) == 3


# ---- Verifying


def test_an_unverified_user_stays_on_the_verification_screen(page, foyer, firebase, person):
    email, password = person()
    firebase.add(email, password, verified=False)
    at_login(page, foyer, firebase)
    pulse.login(page, email, password)
    acting.expect_screen(page, "verify")
    for screen in ["dashboard", "secure"]:
        page.goto(f"{foyer.base}/apps/clarity/{screen}")
        acting.expect_screen(page, "verify")

    page.get_by_test_id("verify.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text("Verification email sent")
    assert firebase.mails[-1][:2] == ("VERIFY_EMAIL", email)
    firebase.fail("sendOobCode", google_error("TOO_MANY_ATTEMPTS_TRY_LATER"))
    page.get_by_test_id("verify.resend").click()
    expect(pulse.failure(page, "verify")).to_have_text("Too many attempts. Please try again later.")
    expect(page.get_by_test_id("toast")).to_have_count(0)

    # During the check the button is disabled and its label says so.
    pending = acting.press_twice(page, "verify.verified", firebase.server)
    assert (pending["disabled"], pending["label"]) == (True, "Checking verification...")
    expect(page.get_by_test_id("verify.notice")).to_have_text("Your email isn't verified yet.")
    firebase.people[email]["emailVerified"] = True
    page.get_by_test_id("verify.verified").click()
    pulse.expect_signed_in(page, email)


# ---- Resetting


def test_a_forgotten_password_is_reset_by_mail(page, foyer, firebase, person):
    email, password = person()
    firebase.add(email, password)
    at_login(page, foyer, firebase)
    pulse.login(page, email, "Wrong1234")
    expect(pulse.failure(page, "login")).to_have_text(BAD)
    expect(page.get_by_test_id("login.submit")).to_be_enabled()
    expect(page.get_by_test_id("login.email")).to_have_value(email)
    page.get_by_test_id("login.reset").click()
    # The address typed on the login is filled in.
    expect(page.get_by_test_id("reset.email")).to_have_value(email)
    page.get_by_test_id("reset.email").fill("invalid-email")
    page.get_by_test_id("reset.submit").click()
    expect(pulse.failure(page, "reset")).to_have_text("Please enter a valid email address.")
    page.get_by_test_id("reset.email").fill(email)
    page.get_by_test_id("reset.submit").click()
    notice = page.get_by_test_id("reset.notice")
    expect(notice).to_have_text("Password reset email sent. Please check your inbox.")
    expect(pulse.failure(page, "reset")).to_have_count(0)
    firebase.open_link(email, password + "-new")
    page.get_by_test_id("reset.login").click()
    pulse.login(page, email, password)
    expect(pulse.failure(page, "login")).to_have_text(BAD)
    pulse.login(page, email, password + "-new")
    pulse.expect_signed_in(page, email)
