"""Signing in to Bob the Builder and out again, against its own server."""

import acting
import bob
from bob import nest  # noqa: F401  (a fixture)
from playwright.sync_api import expect


def test_the_whole_journey(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    nest.life = 20  # Within the half minute in which the app refreshes.
    device = bob.point(page, foyer, nest.base)
    bob.login(page, email, password + "-wrong")
    bob.alert(page, "Login Error", bob.MESSAGES[401])
    # The login itself is asked once, and no refresh.
    assert [e["call"] for e in nest.seen] == ["login"]
    expect(page.get_by_test_id("login.email")).to_have_value(email)
    expect(page.get_by_test_id("login.submit")).to_be_enabled()
    bob.login(page, email, password)
    bob.signed_in(page)
    assert bob.stored(foyer, device) == bob.TOKENS
    assert nest.seen[-1]["agent"] == "iOS/1.0.0"
    assert nest.seen[-1]["sent"] == {"email": email, "password": password}

    # A token about to end is renewed before anything is shown.
    nest.life = 900
    bob.relaunch(page, foyer, device)
    bob.signed_in(page)
    assert [list(e["sent"]) for e in nest.asked("refresh")] == [["refreshToken"]]
    page.get_by_test_id("projects.tab.rfis").click()
    acting.arrive(page, "rfis")
    page.get_by_test_id("rfis.tab.settings").click()
    expect(page.get_by_test_id("settings.name")).to_have_text("John Doe")
    expect(page.get_by_test_id("settings.email")).to_have_text(email)
    page.get_by_test_id("settings.tab.projects").click()

    bob.sign_out(page)
    assert bob.stored(foyer, device) == set()
    assert nest.asked("logout")[0]["bearer"].startswith("Bearer ey")
    expect(page.get_by_test_id("login.email")).to_have_value("")
    bob.relaunch(page, foyer, device)
    acting.arrive(page, "login")


def test_the_whole_journey_without_scripts(visitors, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    page = visitors.device(foyer, java_script_enabled=False)
    bob.point(page, foyer, nest.base)
    acting.arrive(page, "login")
    expect(page.get_by_test_id("login.submit")).to_be_enabled()
    page.get_by_test_id("login.submit").click()
    # Nothing could keep it from being pressed, so it says what it waits for.
    for name in ["email", "password"]:
        expect(page.get_by_test_id(f"login.{name}.error")).to_have_text(bob.MESSAGES[name])
    expect(page.get_by_test_id("alert")).to_have_count(0)
    assert nest.seen == []
    bob.login(page, email, password + "-wrong")
    bob.alert(page, "Login Error", bob.MESSAGES[401])
    bob.login(page, email, password)
    bob.signed_in(page)
    bob.sign_out(page)


def test_while_signing_in_the_overlay_covers_the_form(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    device = bob.point(page, foyer, nest.base)
    bob.fill(page, email, password)
    expect(page.get_by_test_id("login.overlay")).to_be_hidden()
    resting = acting.press_twice(page, "login.submit", nest.standin)
    assert (resting["busy"], resting["rests"]) == ("true", True)
    assert resting["overlay"] == "Signing in..."
    bob.signed_in(page)
    assert len(acting.exchanges(foyer, device, "login")) == 1
    assert len(nest.seen) == 1


def test_a_session_that_cannot_be_renewed_ends_on_the_login(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    nest.life = 20
    device = bob.point(page, foyer, nest.base)
    bob.login(page, email, password)
    bob.signed_in(page)
    # The refresh token was used by another client meanwhile.
    nest.refreshing.clear()
    bob.relaunch(page, foyer, device)
    acting.arrive(page, "login")
    bob.alert(page, "Session Expired", "Your session has expired. Please sign in again.")
    assert bob.stored(foyer, device) == set()
    assert acting.exchanges(foyer, device, "refresh")[0]["status"] == 403
