"""Socoto's sign-in, reset and profile, as a page shows them.

Which words belong to which answer is told by `SocotoFormTests.swift`.
"""

import acting
import socoto
from playwright.sync_api import expect
from socoto import project  # noqa: F401


def at_signin(page, foyer, project):
    device = socoto.pointed(page, foyer, project)
    socoto.to_signin(page)
    return device


# ---- Signing in


def test_an_unknown_address_is_told_what_a_wrong_password_is(page, foyer, project, person):
    email, password = person()
    stranger, _ = person()
    project.add(email, password)
    device = at_signin(page, foyer, project)
    for who in [email, stranger]:
        socoto.login(page, who, password + "-wrong")
        said = socoto.error(page, "signin")
        expect(said).to_have_text(socoto.WRONG)
        expect(said).to_have_attribute("role", "alert")
        expect(page.get_by_test_id("signin.email")).to_have_value(who)
    assert socoto.stored(foyer, device) == {}
    expect(page.get_by_test_id("signin.submit")).to_be_enabled()
    socoto.login(page, email, password)
    socoto.signed_in(page, email)


def test_a_message_goes_when_a_key_is_pressed_or_the_screen_is_left(page, foyer, project, person):
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
    acting.arrive(page, "welcome")
    socoto.to_signin(page)
    expect(socoto.error(page, "signin")).to_have_count(0)


def test_a_double_click_signs_in_once_and_the_button_spins(page, foyer, project, person):
    email, password = person()
    project.add(email, password)
    device = at_signin(page, foyer, project)
    acting.fill(page, "signin", email, password)
    resting = acting.press_twice(page, "signin.submit", project.server)
    assert (resting["busy"], resting["rests"], resting["spins"]) == ("true", True, True)
    socoto.signed_in(page, email)
    assert socoto.calls(foyer, device) == ["signIn", "profile"]


# ---- Resetting


def test_a_reset_is_asked_for_and_said(page, foyer, project, person):
    email, password = person()
    stranger, _ = person()
    project.add(email, password)
    device = socoto.pointed(page, foyer, project)
    socoto.to_forgot(page)
    page.get_by_test_id("forgot.email").fill("invalid-email")
    socoto.press(page, "forgot.submit")
    expect(socoto.error(page, "forgot")).to_have_text(socoto.INVALID)
    for who in [email, stranger]:
        page.get_by_test_id("forgot.email").fill(who)
        page.keyboard.press("Enter")
        notice = page.get_by_test_id("forgot.notice")
        expect(notice).to_have_text(socoto.SENT)
        expect(notice).to_have_attribute("role", "status")
        # The form has made room for the way back.
        expect(page.get_by_test_id("forgot.submit")).to_have_count(0)
        expect(page.get_by_test_id("forgot.signin")).to_have_text("Back to Sign In")
        socoto.press(page, "forgot.signin")
        acting.arrive(page, "signin")
        socoto.press(page, "signin.forgot")
        expect(page.get_by_test_id("forgot.submit")).to_be_visible()
    assert project.bodies_of("recover") == [{"email": email}, {"email": stranger}]
    assert project.mails == [("recovery", email)]
    assert socoto.calls(foyer, device) == ["recover", "recover"]


# ---- The profile


def test_a_profile_that_is_not_there_is_told_and_breaks_nothing(page, foyer, project, person):
    email, password = person()
    project.add(email, password, profile=False)
    at_signin(page, foyer, project)
    socoto.login(page, email, password)
    acting.arrive(page, "profile")
    expect(page.get_by_test_id("profile.unavailable")).to_have_text("Profile unavailable")
    # Who it is is known from the session; the role is not guessed.
    expect(page.get_by_test_id("profile.email")).to_have_text(email)
    expect(socoto.badge(page)).to_have_count(0)
    # Once there is one, it is shown.
    project.trigger(project.people[email])
    page.reload()
    socoto.signed_in(page, email)
