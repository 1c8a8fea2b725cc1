"""What the phone itself decides for Bob: its sensor and its build."""

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
    """Signed in once with a sensor at hand; then the session is gone."""
    email, password = person()
    nest.person(email, password)
    name = bob.point(page, foyer, nest.base, biometrics=kind, **device)
    bob.login(page, email, password)
    bob.signed_in(page)
    assert bob.stored(foyer, name) == bob.TOKENS | {bob.KEPT}
    for _, key in bob.TOKENS:
        foyer.api("DELETE", f"{bob.PLACE.format(name)}/storage/{key}")
    bob.relaunch(page, foyer, name)
    acting.arrive(page, "login")
    # The tokens are gone; what the sensor guards is not.
    assert bob.stored(foyer, name) == {bob.KEPT}
    return name, email, password


@pytest.mark.parametrize("kind, scripts", [("faceID", True), ("touchID", False)])
def test_the_sensor_signs_in_with_what_was_kept(visitors, foyer, person, nest, kind, scripts):
    page = visitors.device(foyer, java_script_enabled=scripts)
    name, email, password = enrolled(page, foyer, person, nest, kind)
    expect(sensor(page)).to_have_text(f"Sign in with {SENSORS[kind]}")
    sensor(page).click()
    expect(prompt(page)).to_contain_text("Sign in to Bob the Builder")
    expect(prompt(page).get_by_role("heading")).to_have_text(SENSORS[kind])
    expect(page.locator("main")).to_have_attribute("inert", "")
    sent = len(nest.seen)
    page.get_by_test_id("login.biometric.match").click()
    bob.signed_in(page)
    assert nest.seen[sent:][0]["sent"] == {"email": email, "password": password}
    assert bob.stored(foyer, name) == bob.TOKENS | {bob.KEPT}
    # Signing out leaves nothing, not even to the sensor.
    bob.sign_out(page)
    assert bob.stored(foyer, name) == set()


def test_cancelling_the_prompt_does_nothing(page, foyer, nest):
    bob.point(page, foyer, nest.base, biometrics={"kind": "touchID", "next": "noMatch"})
    acting.arrive(page, "login")
    page.get_by_test_id("login.email").fill("half@typed")
    for way in ["cancel", "Escape"]:
        sensor(page).click()
        # What this device answers by itself is the first choice.
        preset = page.get_by_test_id("login.biometric.noMatch")
        expect(preset).to_be_focused()
        expect(preset).to_have_accessible_description("What this device answers")
        acting.painted(page)
        if way == "cancel":
            page.get_by_test_id("login.biometric.cancel").click()
        else:
            page.keyboard.press("Escape")
        expect(prompt(page)).to_have_count(0)
        expect(page.get_by_test_id("alert")).to_have_count(0)
        # What was typed behind the prompt is still there.
        expect(page.get_by_test_id("login.email")).to_have_value("half@typed")
    assert nest.seen == []


def test_a_debug_build_says_where_it_is_and_skips_the_login(page, foyer):
    name = bob.point(page, foyer, None, "staging", build="debug")
    acting.arrive(page, "login")
    expect(page.get_by_test_id("login.badge")).to_contain_text("STAGE")
    skip = page.get_by_test_id("login.skip")
    expect(skip).to_have_text("Skip Login (Dev)")
    skip.click()
    bob.signed_in(page)
    page.get_by_test_id("projects.tab.settings").click()
    acting.arrive(page, "settings")
    expect(page.locator(".who-name")).to_have_text("No account")
    expect(page.get_by_test_id("settings.environment")).to_have_text("Staging")
    expect(page.get_by_test_id("settings.base")).to_have_text("https://api-stage.bobthebuilder.com")
    assert acting.exchanges(foyer, name) == []
    assert bob.stored(foyer, name) == set()
    # Nothing of it outlives the app.
    bob.relaunch(page, foyer, name)
    acting.arrive(page, "login")
