"""CLARITY Pulse against the stand-in of its later backend, which mails codes."""

import acting
import pulse
import pytest
from cognito import Cognito
from playwright.sync_api import expect
from standin import StandIn


@pytest.fixture
def cognito():
    script = Cognito()
    server = StandIn(script)
    script.server = server
    yield script
    server.stop()


def at_login(page, foyer, cognito):
    device = pulse.start_with_backend(page, foyer, cognito.server, "cognito")
    acting.expect_screen(page, "login")
    return device


def test_register_confirm_with_a_code_sign_in_and_log_out(page, foyer, cognito, person):
    email, password = person()
    device = at_login(page, foyer, cognito)
    pulse.register(page, email, password)
    pulse.close_alert(page)
    assert cognito.bodies_of("register") == [
        {"email": email, "password": password, "display_name": "Avery Quinn"}
    ]

    pulse.login(page, email, password)
    acting.expect_screen(page, "confirm")
    expect(page.get_by_test_id("confirm.email")).to_have_value(email)
    page.get_by_test_id("confirm.code").fill("000000")
    page.get_by_test_id("confirm.submit").click()
    expect(pulse.failure(page, "confirm")).to_have_text(
        "That code is not valid. Please check it or ask for a new one."
    )
    page.get_by_test_id("confirm.resend").click()
    expect(page.get_by_test_id("toast")).to_have_text("Verification email sent")
    page.get_by_test_id("confirm.code").fill(cognito.codes[email])
    page.get_by_test_id("confirm.submit").click()
    acting.expect_screen(page, "login")
    expect(page.get_by_test_id("login.notice")).to_have_text(
        "Your email is verified. Please log in."
    )

    pulse.login(page, email, password)
    pulse.expect_signed_in(page, email)
    expect(page.get_by_test_id("dashboard.name")).to_have_text("Avery Quinn")
    pulse.logout(page)
    calls = [e["call"] for e in acting.exchanges(foyer, device)][::-1]
    assert calls == [
        "createUser",
        "signIn",
        "confirmCode",
        "resendCode",
        "confirmCode",
        "signIn",
        "lookup",
        # The dashboard and the settings load it when they are opened.
        "lookup",
        "lookup",
        "logout",
    ]
    assert pulse.user_keys(foyer, device) == []


def test_a_name_is_saved_and_the_account_deleted(page, foyer, cognito, person):
    email, password = person()
    cognito.add(email, password, "Avery Quinn")
    device = at_login(page, foyer, cognito)
    pulse.login(page, email, password)
    pulse.expect_signed_in(page, email)
    pulse.open_settings(page)
    expect(page.get_by_test_id("settings.lastName")).to_have_text("Quinn")
    pulse.open_edit(page)
    expect(page.get_by_test_id("edit.first")).to_have_value("Avery")
    expect(page.get_by_test_id("edit.last")).to_have_value("Quinn")
    pulse.save_names(page, "Ivory", "Stone")
    acting.expect_screen(page, "settings")
    expect(page.get_by_test_id("settings.notice")).to_have_text("Profile updated successfully")
    expect(page.get_by_test_id("settings.name")).to_have_text("Ivory Stone")
    expect(page.get_by_test_id("settings.firstName")).to_have_text("Ivory")
    assert cognito.people[email]["display_name"] == "Ivory Stone"

    page.get_by_test_id("settings.delete").click()
    page.get_by_test_id("settings.delete.confirm").click()
    acting.expect_screen(page, "login")
    assert cognito.people == {}
    assert pulse.user_keys(foyer, device) == []
    pulse.login(page, email, password)
    expect(pulse.failure(page, "login")).to_have_text("Invalid email or password")
