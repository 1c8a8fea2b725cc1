"""Signing in to Bob the Builder and out again, on the stand-in of its server and embedded."""

import acting
import bob
import pytest
from bob import nest  # noqa: F401  (a fixture)
from foyer import MARK
from playwright.sync_api import expect


def test_sign_in_relaunch_refresh_and_sign_out(page, foyer, person, nest):
    email, password = person()
    nest.add(email, password)
    nest.token_lifetime = 20  # The app refreshes a token that expires within half a minute.
    device = bob.start_with_backend(page, foyer, nest.base)
    bob.login(page, email, password + "-wrong")
    bob.close_alert(page, "Login Error", bob.MESSAGES[401])
    # The login is requested once, without a refresh.
    assert [e["call"] for e in nest.requests] == ["login"]
    expect(page.get_by_test_id("login.email")).to_have_value(email)
    expect(page.get_by_test_id("login.submit")).to_be_enabled()
    bob.login(page, email, password)
    bob.expect_signed_in(page)
    assert bob.stored(foyer, device) == bob.TOKENS
    assert nest.requests[-1]["agent"] == "iOS/1.0.0"
    assert nest.requests[-1]["body"] == {"email": email, "password": password}

    # A token about to expire is refreshed before a screen is shown.
    nest.token_lifetime = 900
    bob.relaunch(page, foyer, device)
    bob.expect_signed_in(page)
    assert [list(e["body"]) for e in nest.requests_of("refresh")] == [["refreshToken"]]
    page.get_by_test_id("projects.tab.rfis").click()
    acting.expect_screen(page, "rfis")
    page.get_by_test_id("rfis.tab.settings").click()
    expect(page.get_by_test_id("settings.name")).to_have_text("John Doe")
    expect(page.get_by_test_id("settings.email")).to_have_text(email)
    page.get_by_test_id("settings.tab.projects").click()

    bob.sign_out(page)
    assert bob.stored(foyer, device) == set()
    assert nest.requests_of("logout")[0]["bearer"].startswith("Bearer ey")
    expect(page.get_by_test_id("login.email")).to_have_value("")
    bob.relaunch(page, foyer, device)
    acting.expect_screen(page, "login")


def test_sign_in_and_sign_out_without_scripts(browsers, foyer, person, nest):
    email, password = person()
    nest.add(email, password)
    page = browsers.device(foyer, java_script_enabled=False)
    bob.start_with_backend(page, foyer, nest.base)
    acting.expect_screen(page, "login")
    expect(page.get_by_test_id("login.submit")).to_be_enabled()
    page.get_by_test_id("login.submit").click()
    # Without scripts the button is enabled, so a submit shows what is missing.
    for name in ["email", "password"]:
        expect(page.get_by_test_id(f"login.{name}.error")).to_have_text(bob.MESSAGES[name])
    expect(page.get_by_test_id("alert")).to_have_count(0)
    assert nest.requests == []
    bob.login(page, email, password + "-wrong")
    bob.close_alert(page, "Login Error", bob.MESSAGES[401])
    bob.login(page, email, password)
    bob.expect_signed_in(page)
    bob.sign_out(page)


def test_an_overlay_covers_the_form_during_sign_in(page, foyer, person, nest):
    email, password = person()
    nest.add(email, password)
    device = bob.start_with_backend(page, foyer, nest.base)
    bob.fill(page, email, password)
    expect(page.get_by_test_id("login.overlay")).to_be_hidden()
    pending = acting.press_twice(page, "login.submit", nest.standin)
    assert (pending["busy"], pending["disabled"]) == ("true", True)
    assert pending["overlay"] == "Signing in..."
    bob.expect_signed_in(page)
    assert len(acting.exchanges(foyer, device, "login")) == 1
    assert len(nest.requests) == 1


def test_a_session_that_cannot_be_refreshed_ends_on_the_login(page, foyer, person, nest):
    email, password = person()
    nest.add(email, password)
    nest.token_lifetime = 20
    device = bob.start_with_backend(page, foyer, nest.base)
    bob.login(page, email, password)
    bob.expect_signed_in(page)
    # Another client has used the refresh token.
    nest.refresh_tokens.clear()
    bob.relaunch(page, foyer, device)
    acting.expect_screen(page, "login")
    bob.close_alert(page, "Session Expired", "Your session has expired. Please sign in again.")
    assert bob.stored(foyer, device) == set()
    assert acting.exchanges(foyer, device, "refresh")[0]["status"] == 403


@pytest.mark.parametrize("scripts", [True, False])
def test_a_token_that_dies_in_use_is_refreshed_or_its_session_ends(
    browsers, foyer, person, scripts
):
    email, password = person()
    foyer.api("POST", "/api/accounts", {"app": "bob", "email": email, "password": password})
    page = browsers.device(foyer, java_script_enabled=scripts)
    device = bob.start_with_backend(page, foyer, None, "embedded")
    bob.login(page, email, password)
    bob.expect_signed_in(page)
    app = bob.APP_PATH.format(device)
    foyer.api("POST", f"{app}/expire")
    page.get_by_test_id("projects.tab.rfis").click()
    acting.expect_screen(page, "rfis")
    assert [one["status"] for one in acting.exchanges(foyer, device, "refresh")] == [200]
    foyer.api("PUT", f"{app}/storage/refresh_token", {"value": MARK})
    foyer.api("POST", f"{app}/expire")
    page.get_by_test_id("rfis.tab.projects").click()
    acting.expect_screen(page, "login")
    bob.close_alert(page, "Session Expired", "Your session has expired. Please sign in again.")
    assert bob.stored(foyer, device) == set()
