"""CLARITY Pulse with the embedded backend: its mails, links and codes."""

import acting
import pulse
from playwright.sync_api import expect


def follow(page, link):
    """Opens a mailed link in a new tab."""
    tab = page.context.new_page()
    tab.goto(link)
    return tab


def open_app(page, foyer, backend="embedded"):
    device = acting.device_of(page, foyer)
    foyer.api("PATCH", pulse.app_path(device), {"backend": backend})
    pulse.start(page, foyer)
    acting.expect_screen(page, "login")
    return device


def test_register_verify_with_a_link_sign_in_and_log_out(page, foyer, person):
    email, password = person()
    open_app(page, foyer)
    pulse.register(page, email, password)
    pulse.close_alert(page)
    pulse.login(page, email, password)
    acting.expect_screen(page, "verify")
    page.get_by_test_id("verify.verified").click()
    expect(page.get_by_test_id("verify.notice")).to_be_visible()

    tab = follow(page, foyer.mail(email, "verify")["link"])
    expect(tab.locator("body")).to_contain_text("verified")
    tab.close()
    page.get_by_test_id("verify.verified").click()
    pulse.expect_signed_in(page, email)
    pulse.relaunch(page, foyer)
    pulse.expect_signed_in(page, email)
    pulse.logout(page)
    pulse.relaunch(page, foyer)
    acting.expect_screen(page, "login")


def test_the_sign_in_after_a_kill_finishes_the_registration(page, foyer, person):
    email, password = person()
    view = acting.studio(page, foyer, pulse.APP)
    acting.expect_screen(view, "login")
    view.get_by_test_id("login.register").click()
    pulse.fill_register(view, email, password)
    page.get_by_test_id("studio.launches").click()
    page.get_by_test_id("studio.kill.next").click()
    expect(page.get_by_test_id("studio.kills")).to_be_visible()
    view.get_by_test_id("register.submit").click()
    pulse.login(view, email, password)
    acting.expect_screen(view, "verify")
    expect(view.locator("main")).to_contain_text("We've sent you a verification link.")
    calls = [e["call"] for e in acting.exchanges(foyer, acting.device_of(page, foyer))][::-1]
    finishing = ["signIn", "lookup", "registerProfile", "sendVerification"]
    assert calls == ["createUser", *finishing]

    follow(page, foyer.mail(email, "verify")["link"]).close()
    view.get_by_test_id("verify.verified").click()
    pulse.expect_signed_in(view, email)
    pulse.open_settings(view)
    expect(view.get_by_test_id("settings.firstName")).to_have_text("Avery")
    expect(view.get_by_test_id("settings.lastName")).to_have_text("Quinn")


def test_a_forgotten_password_is_reset_on_the_page_of_the_link(browsers, page, foyer, person):
    browsers.expect_status(422, ".*/emulator/action")
    email, password = person()
    open_app(page, foyer)
    pulse.register(page, email, password)
    pulse.close_alert(page)
    page.get_by_test_id("login.reset").click()
    page.get_by_test_id("reset.email").fill(email)
    page.get_by_test_id("reset.submit").click()
    expect(page.get_by_test_id("reset.notice")).to_be_visible()

    link = foyer.mail(email, "reset")["link"]
    tab = follow(page, link)
    new_password = tab.get_by_test_id("reset.password")
    for weak, error in [
        ("Short1", "Password must be at least 8 characters long."),
        ("longenough1", "Password must contain at least one uppercase letter"),
        ("LONGENOUGH1", "Password must contain at least one lowercase letter"),
        ("LongEnough", "Password must contain at least one number"),
    ]:
        new_password.fill(weak)
        tab.get_by_test_id("reset.submit").click()
        expect(tab.get_by_test_id("reset.error")).to_have_text(error)
    new_password.fill(password + "-New1")
    tab.get_by_test_id("reset.submit").click()
    expect(tab.locator("input[type=password]")).to_have_count(0)
    tab.close()

    page.get_by_test_id("reset.login").click()
    pulse.login(page, email, password)
    expect(pulse.failure(page, "login")).to_have_text("Invalid email or password")
    pulse.login(page, email, password + "-New1")
    # Opening the mailed link may also have verified the address.
    expect(page.locator("body[data-screen=verify], body[data-screen=track]")).to_be_attached()


def test_an_unknown_address_gets_the_same_notice_and_no_mail(page, foyer, person):
    email, _ = person()
    open_app(page, foyer)
    page.get_by_test_id("login.reset").click()
    page.get_by_test_id("reset.email").fill(email)
    page.get_by_test_id("reset.submit").click()
    expect(page.get_by_test_id("reset.notice")).to_have_text(
        "Password reset email sent. Please check your inbox."
    )
    assert foyer.api("GET", f"/api/mailbox?to={email}")["items"] == []


def test_the_cognito_backend_mails_codes(page, foyer, person):
    email, password = person()
    open_app(page, foyer, "embeddedCognito")
    pulse.register(page, email, password)
    pulse.close_alert(page)
    pulse.login(page, email, password)
    acting.expect_screen(page, "confirm")
    page.get_by_test_id("confirm.code").fill(foyer.mail(email, "verify")["code"])
    page.get_by_test_id("confirm.submit").click()
    acting.expect_screen(page, "login")
    pulse.login(page, email, password)
    pulse.expect_signed_in(page, email)
    pulse.logout(page)

    page.get_by_test_id("login.reset").click()
    page.get_by_test_id("reset.email").fill(email)
    page.get_by_test_id("reset.submit").click()
    acting.expect_screen(page, "newPassword")
    page.get_by_test_id("newPassword.code").fill(foyer.mail(email, "reset")["code"])
    page.get_by_test_id("newPassword.password").fill("weakpassword")
    page.get_by_test_id("newPassword.submit").click()
    expect(pulse.failure(page, "newPassword")).to_have_text(
        "Password must contain at least one uppercase letter"
    )
    page.get_by_test_id("newPassword.password").fill(password + "-New1")
    page.get_by_test_id("newPassword.submit").click()
    acting.expect_screen(page, "login")
    expect(page.get_by_test_id("login.notice")).to_be_visible()
    pulse.login(page, email, password + "-New1")
    pulse.expect_signed_in(page, email)

    pulse.open_settings(page)
    pulse.open_edit(page)
    pulse.save_names(page, "Ivory", "Stone")
    acting.expect_screen(page, "settings")
    expect(page.get_by_test_id("settings.name")).to_have_text("Ivory Stone")
    page.get_by_test_id("settings.delete").click()
    page.get_by_test_id("settings.delete.confirm").click()
    acting.expect_screen(page, "login")
    pulse.login(page, email, password + "-New1")
    expect(pulse.failure(page, "login")).to_have_text("Invalid email or password")
