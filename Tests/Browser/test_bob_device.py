"""What the phone itself decides for Bob: its sensor, its build, its backend."""

import urllib.error

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


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("kind", SENSORS)
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


def test_a_phone_without_a_sensor_has_no_button(page, foyer, person, nest):
    email, password = person()
    nest.person(email, password)
    name = bob.point(page, foyer, nest.base, biometrics="none")
    acting.arrive(page, "login")
    assert "biometric" not in page.content()
    bob.login(page, email, password)
    bob.signed_in(page)
    # What only a sensor opens is not kept where there is none.
    assert bob.stored(foyer, name) == bob.TOKENS


def test_a_sensor_that_knows_nobody_has_no_button(page, foyer, nest):
    bob.point(page, foyer, nest.base, biometrics={"kind": "faceID", "enrolled": False})
    acting.arrive(page, "login")
    expect(sensor(page)).to_have_count(0)


def test_somebody_else_is_told_and_nothing_is_sent(page, foyer, person, nest):
    enrolled(page, foyer, person, nest)
    sent = len(nest.seen)
    sensor(page).click()
    page.get_by_test_id("login.biometric.noMatch").click()
    bob.alert(page, "Login Error", "Biometric authentication failed")
    acting.arrive(page, "login")
    assert len(nest.seen) == sent


def test_cancelling_the_prompt_does_nothing(page, foyer, person, nest):
    enrolled(page, foyer, person, nest)
    sent = len(nest.seen)
    page.get_by_test_id("login.email").fill("half@typed")
    for way in ["cancel", "Escape"]:
        sensor(page).click()
        expect(prompt(page)).to_be_visible()
        acting.painted(page)
        if way == "cancel":
            page.get_by_test_id("login.biometric.cancel").click()
        else:
            page.keyboard.press("Escape")
        expect(prompt(page)).to_have_count(0)
        expect(page.get_by_test_id("alert")).to_have_count(0)
        # What was typed behind the prompt is still there.
        expect(page.get_by_test_id("login.email")).to_have_value("half@typed")
    assert len(nest.seen) == sent


@pytest.mark.parametrize("answer", ["match", "noMatch", "cancel"])
def test_the_devices_own_answer_is_the_default(page, foyer, nest, answer):
    bob.point(page, foyer, nest.base, biometrics={"kind": "touchID", "next": answer})
    sensor(page).click()
    preset = page.get_by_test_id(f"login.biometric.{answer}")
    expect(preset).to_be_focused()
    expect(preset).to_have_accessible_description("What this device answers")
    expect(prompt(page).locator(".is-preset")).to_have_count(1)


def test_with_nothing_kept_a_match_says_so(page, foyer, nest):
    bob.point(page, foyer, nest.base, biometrics="faceID")
    sensor(page).click()
    page.get_by_test_id("login.biometric.match").click()
    bob.alert(
        page,
        "Login Error",
        "Nothing is saved for Face ID yet. Sign in once with your email and password.",
    )
    assert nest.seen == []


def test_a_password_changed_meanwhile_is_told_as_ever(page, foyer, person, nest):
    _, email, password = enrolled(page, foyer, person, nest)
    nest.person(email, password + "-new")
    sensor(page).click()
    page.get_by_test_id("login.biometric.match").click()
    bob.alert(page, "Login Error", bob.MESSAGES[401])


def test_what_was_kept_is_shown_to_nobody_unasked(page, foyer, person, nest):
    name, email, password = enrolled(page, foyer, person, nest)
    state = foyer.api("GET", bob.PLACE.format(name))
    (kept,) = state["storage"]
    assert kept["masked"] == "…"
    page.goto(foyer.base + "/studio/bob")
    expect(page.get_by_test_id("studio.phone")).to_be_visible()
    assert password not in page.content()
    for exchange in acting.exchanges(foyer, name):
        whole = foyer.api("GET", f"/api/exchanges/{exchange['id']}")
        assert password not in str(whole)


# ---- The build


def test_a_debug_build_skips_the_login_without_a_request(page, foyer, nest):
    name = bob.point(page, foyer, nest.base, build="debug")
    acting.arrive(page, "login")
    skip = page.get_by_test_id("login.skip")
    expect(skip).to_have_text("Skip Login (Dev)")
    skip.click()
    bob.signed_in(page)
    page.get_by_test_id("projects.tab.settings").click()
    acting.arrive(page, "settings")
    expect(page.locator(".who-name")).to_have_text("No account")
    assert nest.seen == []
    assert acting.exchanges(foyer, name) == []
    assert bob.stored(foyer, name) == set()
    # Nothing of it outlives the app.
    bob.relaunch(page, foyer, name)
    acting.arrive(page, "login")


def test_a_shipped_build_has_no_way_round_the_login(visitors, foyer, nest):
    visitors.expect("409")
    page = visitors.device(foyer)
    bob.point(page, foyer, nest.base, build="release")
    acting.arrive(page, "login")
    assert "Skip" not in page.content() and "skip" not in page.content()
    answer = page.evaluate("""async () => {
        const form = new FormData(document.querySelector('form'));
        const answer = await fetch('/apps/bob/login/skip', {
            method: 'POST', body: new URLSearchParams(form)});
        return [answer.status, await answer.text()];
    }""")
    assert answer[0] == 409 and "does not show" in answer[1]
    page.goto(foyer.base + "/apps/bob/projects")
    acting.arrive(page, "login")


# ---- The backends


@pytest.mark.parametrize(
    "backend, badge",
    [
        ("embedded", "DEV"),
        ("development", "DEV"),
        ("staging", "STAGE"),
        ("production", None),
        ("nest", "DEV"),
        ("builder-api", "DEV"),
    ],
)
def test_a_badge_tells_the_environment(page, foyer, backend, badge):
    bob.point(page, foyer, None, backend)
    acting.arrive(page, "login")
    shown = page.get_by_test_id("login.badge")
    if badge is None:
        expect(shown).to_have_count(0)
    else:
        expect(shown).to_contain_text(badge)


def test_settings_tell_where_calls_go(page, foyer):
    bob.point(page, foyer, None, "staging", build="debug")
    page.get_by_test_id("login.skip").click()
    page.get_by_test_id("projects.tab.settings").click()
    expect(page.get_by_test_id("settings.environment")).to_have_text("Staging")
    expect(page.get_by_test_id("settings.base")).to_have_text("https://api-stage.bobthebuilder.com")


def test_only_this_machine_is_spoken_to_without_encryption(page, foyer):
    page.goto(foyer.base + "/studio/bob")
    place = bob.PLACE.format(bob.device_of(page))
    with pytest.raises(urllib.error.HTTPError) as refused:
        foyer.api("PATCH", place, {"backend": "development", "base": "http://api.example.com/api"})
    assert refused.value.code == 422
    foyer.api("PATCH", place, {"backend": "development", "base": "http://localhost:3000/api"})
