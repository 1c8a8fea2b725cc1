"""The pages of Socoto's sign-in, reset and profile.

`SocotoFormTests.swift` tests which response leads to which message.
"""

import acting
import socoto
from playwright.sync_api import expect
from socoto import project  # noqa: F401


def at_signin(page, foyer, project):
    device = socoto.start_with_backend(page, foyer, project)
    socoto.to_signin(page)
    return device


# ---- Signing in


def test_an_unknown_address_gets_the_message_of_a_wrong_password(page, foyer, project, person):
    email, password = person()
    unknown, _ = person()
    project.add(email, password)
    device = at_signin(page, foyer, project)
    for address in [email, unknown]:
        socoto.login(page, address, password + "-wrong")
        error = socoto.error(page, "signin")
        expect(error).to_have_text(socoto.WRONG)
        expect(error).to_have_attribute("role", "alert")
        expect(page.get_by_test_id("signin.email")).to_have_value(address)
    assert socoto.stored(foyer, device) == {}
    expect(page.get_by_test_id("signin.submit")).to_be_enabled()
    socoto.login(page, email, password)
    socoto.expect_signed_in(page, email)


def test_typing_or_leaving_the_screen_removes_a_message(page, foyer, project, person):
    email, password = person()
    device = at_signin(page, foyer, project)
    socoto.login(page, "invalid-email", password)
    expect(socoto.error(page, "signin")).to_have_text(socoto.INVALID)
    assert socoto.calls(foyer, device) == []
    page.get_by_test_id("signin.password").press_sequentially("y")
    expect(socoto.error(page, "signin")).to_have_count(0)
    socoto.login(page, email, password)
    expect(socoto.error(page, "signin")).to_be_visible()
    socoto.press(page, "signin.close")
    acting.expect_screen(page, "welcome")
    socoto.to_signin(page)
    expect(socoto.error(page, "signin")).to_have_count(0)


def test_a_double_click_signs_in_once_and_the_button_spins(page, foyer, project, person):
    email, password = person()
    project.add(email, password)
    device = at_signin(page, foyer, project)
    acting.fill(page, "signin", email, password)
    pending = acting.press_twice(page, "signin.submit", project.server)
    assert (pending["busy"], pending["disabled"], pending["spinning"]) == ("true", True, True)
    socoto.expect_signed_in(page, email)
    assert socoto.calls(foyer, device) == ["signIn", "profile"]


# ---- Resetting


def test_a_password_reset_is_requested_and_confirmed(page, foyer, project, person):
    email, password = person()
    unknown, _ = person()
    project.add(email, password)
    device = socoto.start_with_backend(page, foyer, project)
    socoto.to_forgot(page)
    page.get_by_test_id("forgot.email").fill("invalid-email")
    socoto.press(page, "forgot.submit")
    expect(socoto.error(page, "forgot")).to_have_text(socoto.INVALID)
    for address in [email, unknown]:
        page.get_by_test_id("forgot.email").fill(address)
        page.keyboard.press("Enter")
        notice = page.get_by_test_id("forgot.notice")
        expect(notice).to_have_text(socoto.SENT)
        expect(notice).to_have_attribute("role", "status")
        # The link back to the sign-in replaces the form.
        expect(page.get_by_test_id("forgot.submit")).to_have_count(0)
        expect(page.get_by_test_id("forgot.signin")).to_have_text("Back to Sign In")
        socoto.press(page, "forgot.signin")
        acting.expect_screen(page, "signin")
        socoto.press(page, "signin.forgot")
        expect(page.get_by_test_id("forgot.submit")).to_be_visible()
    assert project.bodies_of("recover") == [{"email": email}, {"email": unknown}]
    assert project.mails == [("recovery", email)]
    assert socoto.calls(foyer, device) == ["recover", "recover"]


# ---- The profile


def test_a_missing_profile_is_reported_until_it_exists(page, foyer, project, person):
    email, password = person()
    project.add(email, password, profile=False)
    at_signin(page, foyer, project)
    socoto.login(page, email, password)
    acting.expect_screen(page, "profile")
    expect(page.get_by_test_id("profile.unavailable")).to_have_text("Profile unavailable")
    # The session contains the email address; the role is not guessed.
    expect(page.get_by_test_id("profile.email")).to_have_text(email)
    expect(socoto.badge(page)).to_have_count(0)
    # The profile is shown as soon as it exists.
    project.create_profile(project.people[email])
    page.reload()
    socoto.expect_signed_in(page, email)
