"""CLARITY Pulse's login, verification and reset, as their pages show them.

Which words belong to which answer is told by `ClarityFormTests.swift`.
"""

import acting
import pulse
from firebase import said
from playwright.sync_api import expect
from pulse import firebase  # noqa: F401

BAD = "Invalid email or password"


def at_login(page, foyer, firebase):
    device = pulse.pointed(page, foyer, firebase.server)
    acting.arrive(page, "login")
    return device


def test_a_double_click_signs_in_once_and_the_button_spins(page, foyer, firebase, person):
    email, password = person()
    firebase.add(email, password)
    device = at_login(page, foyer, firebase)
    acting.fill(page, "login", email, password)
    resting = acting.press_twice(page, "login.submit", firebase.server)
    assert (resting["busy"], resting["rests"], resting["spins"]) == ("true", True, True)
    assert resting["colour"] == "rgb(116, 116, 120)"
    pulse.signed_in(page, email)
    assert len(acting.exchanges(foyer, device, "signIn")) == 1


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


# ---- Verifying


def test_the_unverified_are_kept_out_until_the_check_hears_otherwise(page, foyer, firebase, person):
    email, password = person()
    firebase.add(email, password, verified=False)
    at_login(page, foyer, firebase)
    pulse.login(page, email, password)
    acting.arrive(page, "verify")
    page.goto(f"{foyer.base}/apps/clarity/dashboard")
    acting.arrive(page, "verify")

    page.get_by_test_id("verify.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text("Verification email sent")
    assert firebase.mails[-1][:2] == ("VERIFY_EMAIL", email)
    firebase.fail("sendOobCode", said("TOO_MANY_ATTEMPTS_TRY_LATER"))
    page.get_by_test_id("verify.resend").click()
    expect(pulse.failure(page, "verify")).to_have_text("Too many attempts. Please try again later.")
    expect(page.get_by_test_id("toast")).to_have_count(0)

    # While it checks, the button says so and rests.
    resting = acting.press_twice(page, "verify.verified", firebase.server)
    assert (resting["rests"], resting["says"]) == (True, "Checking verification...")
    expect(page.get_by_test_id("verify.notice")).to_have_text("Your email isn't verified yet.")
    firebase.people[email]["emailVerified"] = True
    page.get_by_test_id("verify.verified").click()
    pulse.signed_in(page, email)


# ---- Resetting


def test_a_forgotten_password_is_replaced_from_the_login_to_the_login(
    page, foyer, firebase, person
):
    email, password = person()
    firebase.add(email, password)
    at_login(page, foyer, firebase)
    pulse.login(page, email, "Wrong1234")
    expect(pulse.failure(page, "login")).to_have_text(BAD)
    expect(page.get_by_test_id("login.submit")).to_be_enabled()
    expect(page.get_by_test_id("login.email")).to_have_value(email)
    page.get_by_test_id("login.reset").click()
    # The address typed at the login is there already.
    expect(page.get_by_test_id("reset.email")).to_have_value(email)
    page.get_by_test_id("reset.email").fill("invalid-email")
    page.get_by_test_id("reset.submit").click()
    expect(pulse.failure(page, "reset")).to_have_text("Please enter a valid email address.")
    page.get_by_test_id("reset.email").fill(email)
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
