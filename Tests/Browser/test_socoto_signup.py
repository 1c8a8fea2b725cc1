"""Socoto's registration: two roles, and what its page does while it is filled in.

`SocotoFormTests.swift` tests its rules and the messages for GoTrue's errors.
"""

import acting
import socoto
from foyer import MARK
from playwright.sync_api import expect
from socoto import confirming_project, project  # noqa: F401

MISMATCH = "Passwords do not match"


def open_signup(page, foyer, project):
    device = socoto.start_with_backend(page, foyer, project)
    socoto.to_signup(page)
    return device


def submit_by_script(page):
    """Submits the form by script, which a disabled button does not prevent."""
    page.evaluate("""document.querySelector("[data-testid='signup.submit']")
        .form.submit()""")


def test_a_password_mismatch_shows_while_typing(page, foyer, project):
    open_signup(page, foyer, project)
    first = page.get_by_test_id("signup.password")
    confirmation = page.get_by_test_id("signup.confirm")
    error = page.get_by_test_id("signup.confirm.error")
    first.fill(MARK + "-one")
    expect(error).to_have_count(0)
    confirmation.press_sequentially("x")
    expect(error).to_have_text(MISMATCH)
    expect(confirmation).to_have_attribute("aria-invalid", "true")
    confirmation.fill(MARK + "-one")
    expect(error).to_have_count(0)
    # Editing the first field causes a mismatch too.
    first.fill(MARK + "-two")
    expect(error).to_have_text(MISMATCH)
    confirmation.fill(MARK + "-two")
    expect(page.locator(".field-error")).to_have_count(0)


def test_the_strength_of_the_password_shows_while_typing(page, foyer, project):
    open_signup(page, foyer, project)
    field = page.get_by_test_id("signup.password")
    strength = page.get_by_test_id("signup.password.strength")
    expect(strength).not_to_be_visible()
    for text, level in [("weak", "Weak"), ("harbour-lantern", "Medium"), (MARK + "-9", "Strong")]:
        field.fill(text)
        expect(strength).to_have_text(f"{level} password")
    field.fill("")
    expect(strength).not_to_be_visible()


def test_the_button_is_disabled_until_the_terms_are_accepted(page, foyer, project, person):
    email, password = person()
    device = open_signup(page, foyer, project)
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
    # The server rejects a form that is submitted anyway.
    submit_by_script(page)
    expect(socoto.error(page, "signup")).to_have_text("Please accept the Terms of Service")
    # The input is still there, and the terms stay accepted.
    expect(page.get_by_test_id("signup.email")).to_have_value(email)
    terms.check()
    page.get_by_test_id("signup.fullName").fill("")
    button.click()
    expect(socoto.error(page, "signup")).to_have_text("Please enter your full name")
    expect(terms).to_be_checked()
    assert socoto.calls(foyer, device) == []


def test_the_role_is_one_of_two_and_defaults_to_user(page, foyer, project):
    open_signup(page, foyer, project)
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


def test_an_unconfirmed_user_stays_signed_out_and_sees_a_notice(
    page, foyer, confirming_project, person
):
    email, password = person()
    device = open_signup(page, foyer, confirming_project)
    socoto.signup(page, email, password)
    notice = page.get_by_test_id("signup.notice")
    expect(notice).to_have_text(socoto.CREATED)
    expect(notice).to_have_attribute("role", "status")
    assert socoto.calls(foyer, device) == ["signUp"]
    assert socoto.stored(foyer, device) == {}
    # The notice belongs to the sign-up: the next screen does not repeat it.
    socoto.press(page, "signup.signin")
    acting.expect_screen(page, "signin")
    expect(page.get_by_text(socoto.CREATED)).to_have_count(0)
    confirming_project.open_link(email)
    socoto.login(page, email, password)
    socoto.expect_signed_in(page, email)


def test_a_taken_address_is_reported_without_email_confirmation(page, foyer, project, person):
    email, password = person()
    project.add(email, password)
    device = open_signup(page, foyer, project)
    socoto.signup(page, email, password, role="business_owner")
    expect(socoto.error(page, "signup")).to_have_text("Sign up failed: User already registered")
    assert socoto.stored(foyer, device) == {}
    # The form can be submitted again, with the same role.
    expect(page.get_by_test_id("signup.role.business_owner")).to_be_checked()
    expect(page.get_by_test_id("signup.submit")).to_be_enabled()


def test_a_password_is_masked_until_it_is_revealed(page, foyer, project):
    open_signup(page, foyer, project)
    for name in ["password", "confirm"]:
        field = page.get_by_test_id(f"signup.{name}")
        field.fill(MARK + "-eye")
        expect(field).to_have_attribute("type", "password")
        reveal = page.get_by_test_id(f"signup.{name}.reveal")
        reveal.click()
        expect(field).to_have_attribute("type", "text")
        expect(reveal).to_have_accessible_name("Hide password")
        reveal.click()
        expect(field).to_have_attribute("type", "password")


def test_the_form_is_disabled_while_signing_up(page, foyer, project, person):
    email, password = person()
    device = open_signup(page, foyer, project)
    socoto.fill_signup(page, email, password)
    pending = acting.press_twice(page, "signup.submit", project.server)
    assert pending["disabled"] and pending["spinning"]
    socoto.expect_signed_in(page, email)
    assert socoto.calls(foyer, device) == ["signUp", "profile"]
