"""What the device decides for Bob: its biometric sensor and its build."""

import acting
import bob
import pytest
from bob import nest  # noqa: F401  (a fixture)
from playwright.sync_api import expect

SENSORS = {"faceID": "Face ID", "touchID": "Touch ID"}


def sensor(page):
    return page.get_by_test_id("login.biometric")


def prompt(page):
    return page.get_by_test_id("login.biometric.prompt")


def enrolled(page, foyer, person, nest, kind="faceID", **device):
    """A device that signed in once with a sensor and then lost its session."""
    email, password = person()
    nest.add(email, password)
    name = bob.start_with_backend(page, foyer, nest.base, biometrics=kind, **device)
    bob.login(page, email, password)
    bob.expect_signed_in(page)
    # Nothing is saved for the sensor before the user allows it.
    assert bob.stored(foyer, name) == bob.TOKENS
    bob.allow_biometrics(page)
    bob.sign_out(page, "settings")
    bob.login(page, email, password)
    bob.expect_signed_in(page)
    assert bob.stored(foyer, name) == bob.TOKENS | {bob.CONSENT, bob.SAVED_LOGIN}
    # A cold start finds the tokens behind the sensor.
    bob.relaunch(page, foyer, name)
    acting.expect_screen(page, "unlock")
    page.get_by_test_id("unlock.password").click()
    acting.expect_screen(page, "login")
    # The tokens are gone; the credentials that the sensor protects are not.
    assert bob.stored(foyer, name) == {bob.CONSENT, bob.SAVED_LOGIN}
    return name, email, password


@pytest.mark.parametrize("kind, scripts", [("faceID", True), ("touchID", False)])
def test_biometrics_sign_in_with_the_stored_credentials(
    browsers, foyer, person, nest, kind, scripts
):
    page = browsers.device(foyer, java_script_enabled=scripts)
    name, email, password = enrolled(page, foyer, person, nest, kind)
    expect(sensor(page)).to_have_text(f"Sign in with {SENSORS[kind]}")
    sensor(page).click()
    expect(prompt(page)).to_contain_text("Sign in to Bob the Builder")
    expect(prompt(page).get_by_role("heading")).to_have_text(SENSORS[kind])
    expect(page.locator("main")).to_have_attribute("inert", "")
    earlier = len(nest.requests)
    page.get_by_test_id("login.biometric.match").click()
    bob.expect_signed_in(page)
    assert nest.requests[earlier:][0]["body"] == {"email": email, "password": password}
    assert bob.stored(foyer, name) == bob.TOKENS | {bob.CONSENT, bob.SAVED_LOGIN}
    # Turned off, the switch deletes what the sensor protects; signing out deletes the rest.
    bob.allow_biometrics(page, False)
    assert bob.stored(foyer, name) == bob.TOKENS | {bob.CONSENT}
    bob.sign_out(page, "settings")
    assert bob.stored(foyer, name) == {bob.CONSENT}


def test_canceling_the_biometric_prompt_does_nothing(page, foyer, nest):
    bob.start_with_backend(
        page, foyer, nest.base, biometrics={"kind": "touchID", "next": "noMatch"}
    )
    acting.expect_screen(page, "login")
    page.get_by_test_id("login.email").fill("half@typed")
    for method in ["cancel", "Escape"]:
        sensor(page).click()
        # The device's configured response has the focus.
        preset = page.get_by_test_id("login.biometric.noMatch")
        expect(preset).to_be_focused()
        expect(preset).to_have_accessible_description("This device's result")
        acting.wait_for_styles(page)
        if method == "cancel":
            page.get_by_test_id("login.biometric.cancel").click()
        else:
            page.keyboard.press("Escape")
        expect(prompt(page)).to_have_count(0)
        expect(page.get_by_test_id("alert")).to_have_count(0)
        # The input behind the prompt is still there.
        expect(page.get_by_test_id("login.email")).to_have_value("half@typed")
    assert nest.requests == []


def test_a_debug_build_shows_its_environment_and_skips_the_login(page, foyer):
    name = bob.start_with_backend(page, foyer, None, "staging", build="debug")
    acting.expect_screen(page, "login")
    expect(page.get_by_test_id("login.badge")).to_contain_text("STAGE")
    skip = page.get_by_test_id("login.skip")
    expect(skip).to_have_text("Skip Login (Dev)")
    skip.click()
    bob.expect_signed_in(page)
    page.get_by_test_id("projects.tab.settings").click()
    acting.expect_screen(page, "settings")
    expect(page.locator(".who-name")).to_have_text("No account")
    expect(page.get_by_test_id("settings.environment")).to_have_text("Staging")
    expect(page.get_by_test_id("settings.base")).to_have_text("https://api-stage.bobthebuilder.com")
    assert acting.exchanges(foyer, name) == []
    assert bob.stored(foyer, name) == set()
    # The skipped login is not stored: a relaunch shows the login again.
    bob.relaunch(page, foyer, name)
    acting.expect_screen(page, "login")
