"""Socoto's registration: two roles, and what its page does while it is filled in.

Its rules, and the words for what GoTrue says, are told by
`SocotoFormTests.swift`.
"""

import acting
import socoto
from foyer import MARK
from playwright.sync_api import expect
from socoto import confirming, project  # noqa: F401

MISMATCH = "Passwords do not match"


def opened(page, foyer, project):
    device = socoto.pointed(page, foyer, project)
    socoto.to_signup(page)
    return device


def forced(page):
    """Sends the form past its button, as no finger can."""
    page.evaluate("""document.querySelector("[data-testid='signup.submit']")
        .form.submit()""")


def test_a_mismatch_is_told_while_typing(page, foyer, project):
    opened(page, foyer, project)
    first = page.get_by_test_id("signup.password")
    again = page.get_by_test_id("signup.confirm")
    said = page.get_by_test_id("signup.confirm.error")
    first.fill(MARK + "-one")
    expect(said).to_have_count(0)
    again.press_sequentially("x")
    expect(said).to_have_text(MISMATCH)
    expect(again).to_have_attribute("aria-invalid", "true")
    again.fill(MARK + "-one")
    expect(said).to_have_count(0)
    # The other field can break it as well, and mend it.
    first.fill(MARK + "-two")
    expect(said).to_have_text(MISMATCH)
    again.fill(MARK + "-two")
    expect(page.locator(".field-error")).to_have_count(0)


def test_the_button_waits_for_the_terms(page, foyer, project, person):
    email, password = person()
    device = opened(page, foyer, project)
    socoto.fill_signup(page, email, password, terms=False)
    button = page.get_by_test_id("signup.submit")
    expect(button).to_be_disabled()
    expect(button).to_have_css("opacity", "0.5")
    terms = page.get_by_role("checkbox", name="I agree to the Terms of Service and Privacy Policy")
    terms.focus()
    page.keyboard.press("Space")
    expect(terms).to_be_checked()
    expect(button).to_be_enabled()
    page.keyboard.press("Space")
    expect(button).to_be_disabled()
    # Who sends it all the same is told by the server.
    forced(page)
    expect(socoto.error(page, "signup")).to_have_text("Please accept the Terms of Service")
    # What was typed is still there, and so are the terms once accepted.
    expect(page.get_by_test_id("signup.email")).to_have_value(email)
    terms.check()
    page.get_by_test_id("signup.fullName").fill("")
    button.click()
    expect(socoto.error(page, "signup")).to_have_text("Please enter your full name")
    expect(terms).to_be_checked()
    assert socoto.calls(foyer, device) == []


def test_a_role_is_one_of_two_and_first_it_is_user(page, foyer, project):
    opened(page, foyer, project)
    group = page.get_by_role("group", name="I am a...")
    cards = group.get_by_role("radio")
    expect(cards).to_have_count(2)
    expect(page.get_by_test_id("signup.role.user")).to_be_checked()
    socoto.card(page, "business_owner").click()
    expect(page.get_by_test_id("signup.role.business_owner")).to_be_checked()
    expect(page.get_by_test_id("signup.role.user")).not_to_be_checked()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("signup.role.user")).to_be_checked()
    expect(socoto.card(page, "user")).to_contain_text("Discover and book local businesses")
    expect(socoto.card(page, "business_owner")).to_contain_text(
        "Manage your business profile and bookings"
    )


def test_who_must_confirm_stays_signed_out_and_is_told(page, foyer, confirming, person):
    email, password = person()
    device = opened(page, foyer, confirming)
    socoto.signup(page, email, password)
    notice = page.get_by_test_id("signup.notice")
    expect(notice).to_have_text(socoto.CREATED)
    expect(notice).to_have_attribute("role", "status")
    assert socoto.calls(foyer, device) == ["signUp"]
    assert socoto.stored(foyer, device) == {}
    # The message is the sign-up's: the next screen does not repeat it.
    socoto.press(page, "signup.signin")
    acting.arrive(page, "signin")
    expect(page.get_by_text(socoto.CREATED)).to_have_count(0)
    confirming.follow(email)
    socoto.login(page, email, password)
    socoto.signed_in(page, email)


def test_a_taken_address_is_told_where_nobody_confirms(page, foyer, project, person):
    email, password = person()
    project.add(email, password)
    device = opened(page, foyer, project)
    socoto.signup(page, email, password, role="business_owner")
    expect(socoto.error(page, "signup")).to_have_text("Sign up failed: User already registered")
    assert socoto.stored(foyer, device) == {}
    # The form can be sent again, the role as it was.
    expect(page.get_by_test_id("signup.role.business_owner")).to_be_checked()
    expect(page.get_by_test_id("signup.submit")).to_be_enabled()


def test_a_password_is_masked_until_its_eye_is_pressed(page, foyer, project):
    opened(page, foyer, project)
    for name in ["password", "confirm"]:
        field = page.get_by_test_id(f"signup.{name}")
        field.fill(MARK + "-eye")
        expect(field).to_have_attribute("type", "password")
        eye = page.get_by_test_id(f"signup.{name}.reveal")
        eye.click()
        expect(field).to_have_attribute("type", "text")
        expect(eye).to_have_accessible_name("Hide password")
        eye.click()
        expect(field).to_have_attribute("type", "password")


def test_while_it_signs_up_the_whole_form_rests(page, foyer, project, person):
    email, password = person()
    device = opened(page, foyer, project)
    socoto.fill_signup(page, email, password)
    resting = acting.press_twice(page, "signup.submit", project.server)
    assert resting["rests"] and resting["spins"]
    socoto.signed_in(page, email)
    assert socoto.calls(foyer, device) == ["signUp", "profile"]
