"""CLARITY Pulse with the embedded backend: its mails, links and codes."""

import acting
import pulse
from playwright.sync_api import expect


def follow(page, link):
    """Opens a mailed link in a tab of its own."""
    tab = page.context.new_page()
    tab.goto(link)
    return tab


def open_app(page, foyer, backend="embedded"):
    device = acting.device_of(page, foyer)
    foyer.api("PATCH", pulse.place(device), {"backend": backend})
    pulse.start(page, foyer)
    acting.arrive(page, "login")
    return device


def test_from_the_registration_through_the_link_to_the_logout(page, foyer, person):
    email, password = person()
    open_app(page, foyer)
    pulse.register(page, email, password)
    pulse.answer_alert(page)
    pulse.login(page, email, password)
    acting.arrive(page, "verify")
    page.get_by_test_id("verify.verified").click()
    expect(page.get_by_test_id("verify.notice")).to_be_visible()

    tab = follow(page, foyer.mail(email, "verify")["link"])
    expect(tab.locator("body")).to_contain_text("verified")
    tab.close()
    page.get_by_test_id("verify.verified").click()
    pulse.signed_in(page, email)
    pulse.relaunch(page, foyer)
    pulse.signed_in(page, email)
    pulse.logout(page)
    pulse.relaunch(page, foyer)
    acting.arrive(page, "login")


def test_a_forgotten_password_is_replaced_on_the_page_of_the_link(page, foyer, person):
    email, password = person()
    open_app(page, foyer)
    pulse.register(page, email, password)
    pulse.answer_alert(page)
    page.get_by_test_id("login.reset").click()
    page.get_by_test_id("reset.email").fill(email)
    page.get_by_test_id("reset.submit").click()
    expect(page.get_by_test_id("reset.notice")).to_be_visible()

    link = foyer.mail(email, "reset")["link"]
    tab = follow(page, link)
    for field in tab.locator("input[type=password]").all():
        field.fill(password + "-New1")
    tab.get_by_role("button").first.click()
    expect(tab.locator("input[type=password]")).to_have_count(0)
    tab.close()

    page.get_by_test_id("reset.login").click()
    pulse.login(page, email, password)
    expect(pulse.failure(page, "login")).to_have_text("Invalid email or password")
    pulse.login(page, email, password + "-New1")
    # Whoever opens a mail of an address has it.
    expect(page.locator("body[data-screen=verify], body[data-screen=dashboard]")).to_be_attached()


def test_an_address_nobody_has_is_told_the_same_and_gets_no_mail(page, foyer, person):
    email, _ = person()
    open_app(page, foyer)
    page.get_by_test_id("login.reset").click()
    page.get_by_test_id("reset.email").fill(email)
    page.get_by_test_id("reset.submit").click()
    expect(page.get_by_test_id("reset.notice")).to_have_text(
        "Password reset email sent. Please check your inbox."
    )
    assert foyer.api("GET", f"/api/mailbox?to={email}")["items"] == []


def test_the_later_backend_sends_codes(page, foyer, person):
    email, password = person()
    open_app(page, foyer, "embeddedCognito")
    pulse.register(page, email, password)
    pulse.answer_alert(page)
    pulse.login(page, email, password)
    acting.arrive(page, "confirm")
    page.get_by_test_id("confirm.code").fill(foyer.mail(email, "verify")["code"])
    page.get_by_test_id("confirm.submit").click()
    acting.arrive(page, "login")
    pulse.login(page, email, password)
    pulse.signed_in(page, email)
    pulse.logout(page)

    page.get_by_test_id("login.reset").click()
    page.get_by_test_id("reset.email").fill(email)
    page.get_by_test_id("reset.submit").click()
    acting.arrive(page, "newPassword")
    page.get_by_test_id("newPassword.code").fill(foyer.mail(email, "reset")["code"])
    page.get_by_test_id("newPassword.password").fill(password + "-New1")
    page.get_by_test_id("newPassword.submit").click()
    acting.arrive(page, "login")
    expect(page.get_by_test_id("login.notice")).to_be_visible()
    pulse.login(page, email, password + "-New1")
    pulse.signed_in(page, email)
