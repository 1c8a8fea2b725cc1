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
    pulse.open_settings(page)
    # This backend cannot delete an account, so the app does not offer it.
    expect(page.get_by_test_id("settings.delete")).to_have_count(0)
    page.get_by_test_id("settings.tab.dashboard").click()
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
        "logout",
    ]
    assert foyer.api("GET", pulse.app_path(device))["storage"] == []
