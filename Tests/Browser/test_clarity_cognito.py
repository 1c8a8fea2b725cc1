"""CLARITY Pulse against the backend it moved to later: codes by mail."""

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
    device = pulse.pointed(page, foyer, cognito.server, "cognito")
    acting.arrive(page, "login")
    return device


def test_from_the_registration_through_the_code_to_the_logout(page, foyer, cognito, person):
    email, password = person()
    device = at_login(page, foyer, cognito)
    pulse.register(page, email, password)
    pulse.answer_alert(page)
    assert cognito.bodies_of("register") == [
        {"email": email, "password": password, "display_name": "Avery Quinn"}
    ]

    pulse.login(page, email, password)
    acting.arrive(page, "confirm")
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
    acting.arrive(page, "login")
    expect(page.get_by_test_id("login.notice")).to_have_text(
        "Your email is verified. Please log in."
    )

    pulse.login(page, email, password)
    pulse.signed_in(page, email)
    expect(page.get_by_test_id("dashboard.name")).to_have_text("Avery Quinn")
    pulse.settings(page)
    # This backend cannot delete an account, so nobody is offered it.
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
    assert foyer.api("GET", pulse.place(device))["storage"] == []
