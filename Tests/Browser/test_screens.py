"""Mystica's screens and their states, used in a browser."""

import acting
import pytest
from foyer import MARK
from playwright.sync_api import expect


def test_editing_a_field_removes_its_error(page, foyer):
    acting.start(page, foyer)
    acting.login(page, "nonsense", "")
    error = page.get_by_test_id("login.email.error")
    expect(error).to_have_text("Please enter a valid email address")
    expect(error).to_have_attribute("role", "alert")
    expect(page.get_by_test_id("login.email")).to_have_attribute("aria-invalid", "true")
    assert acting.exchanges(foyer, acting.device_of(page, foyer)) == []
    expect(page.get_by_test_id("login.password.error")).to_have_text("Password is required")
    page.get_by_test_id("login.email").press_sequentially("x")
    expect(error).to_have_count(0)
    expect(page.get_by_test_id("login.password.error")).to_be_visible()


def test_a_wrong_password_keeps_the_address_and_clears_the_password(page, foyer, person):
    email, password = person()
    foyer.account(email, password)
    acting.start(page, foyer)
    acting.login(page, email, password + "-wrong")
    expect(page.get_by_test_id("login.error")).to_have_text("Invalid email or password")
    expect(page.get_by_test_id("login.email")).to_have_value(email)
    expect(page.get_by_test_id("login.password")).to_have_value("")
    expect(page.get_by_test_id("login.submit")).to_be_enabled()


def test_a_rejected_registration_keeps_all_fields(page, foyer, person):
    email, password = person()
    foyer.account(email, password)
    acting.start(page, foyer)
    acting.register(page, email, password[:7])
    expect(page.get_by_test_id("register.password.error")).to_have_text(
        "Password must be at least 8 characters"
    )
    acting.fill(page, "register", email, password)
    page.get_by_test_id("register.submit").click()
    expect(page.get_by_test_id("register.error")).to_have_text(
        "An account with this email already exists"
    )
    expect(page.get_by_test_id("register.email")).to_have_value(email)
    expect(page.get_by_test_id("register.password")).to_have_value(password)


def test_an_unverified_user_is_asked_to_verify(page, foyer, person):
    email, password = person()
    foyer.account(email, password, verified=False)
    acting.start(page, foyer)
    acting.login(page, email, password)
    acting.expect_screen(page, "verify")
    expect(page.locator("body")).to_contain_text("verify your email", ignore_case=True)
    page.get_by_test_id("verify.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text("Verification email sent")


def test_the_reveal_button_shows_and_hides_the_password(page, foyer):
    acting.start(page, foyer)
    acting.fill(page, "login", "a@b.c", MARK)
    field = page.get_by_test_id("login.password")
    reveal = page.get_by_test_id("login.password.reveal")
    expect(reveal).to_have_accessible_name("Show password")
    reveal.click()
    expect(field).to_have_attribute("type", "text")
    expect(reveal).to_have_accessible_name("Hide password")
    reveal.click()
    expect(field).to_have_attribute("type", "password")
    expect(field).to_have_value(MARK)


def test_typed_markup_is_shown_as_text(page, foyer):
    markup = '"><script>alert(1)</script>@x.y'
    page.on("dialog", lambda d: pytest.fail("a script ran: " + d.message))
    acting.start(page, foyer)
    acting.login(page, markup, MARK)
    expect(page.get_by_test_id("login.email")).to_have_value(markup)


def test_canceling_the_logout_sends_nothing(browsers, foyer, person):
    page, email, _ = acting.signed_in_device(browsers, foyer, person)
    device = acting.device_of(page, foyer)
    page.get_by_test_id("map.settings").click()
    page.get_by_test_id("settings.logout").click()
    dialog = page.get_by_test_id("settings.logout.dialog")
    expect(dialog).to_contain_text("Are you sure you want to logout?")
    page.get_by_test_id("settings.logout.cancel").click()
    expect(dialog).to_have_count(0)
    page.get_by_test_id("settings.logout").click()
    expect(page.get_by_test_id("settings.logout.cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert acting.exchanges(foyer, device, "logout") == []
    acting.relaunch(page, foyer)
    acting.expect_signed_in(page, email)


def test_an_unknown_url_gets_an_error_page_with_a_link_home(browsers, foyer):
    browsers.expect_status(404, ".*/(nowhere|nobody/|(ses|exc|mail)_nobody)")
    page = browsers.device(foyer)
    for path in ["/nowhere", "/apps/mystica/nowhere"]:
        response = page.goto(foyer.base + path)
        assert response.status == 404, path
        expect(page.get_by_test_id("error.title")).to_be_visible()
        expect(page.get_by_test_id("error.home")).to_be_visible()
