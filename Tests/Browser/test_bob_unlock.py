"""Bob's session behind the sensor, its onboarding, and the settings that change what it does."""

import acting
import bob
import pytest
from bob import nest  # noqa: F401  (a fixture)
from playwright.sync_api import expect


def signed_in(page, foyer, person, nest, **device):
    email, password = person()
    nest.add(email, password)
    name = bob.start_with_backend(page, foyer, nest.base, **device)
    bob.login(page, email, password)
    bob.expect_signed_in(page)
    return name, email, password


@pytest.mark.parametrize("scripts", [True, False])
def test_a_cold_start_asks_for_the_sensor_before_it_uses_the_tokens(
    browsers, foyer, person, nest, scripts
):
    page = browsers.device(foyer, java_script_enabled=scripts)
    name, email, _ = signed_in(page, foyer, person, nest, biometrics="touchID")
    bob.allow_biometrics(page)
    bob.relaunch(page, foyer, name)
    acting.expect_screen(page, "unlock")
    expect(page.get_by_test_id("unlock.email")).to_have_text(email)
    unlock = page.get_by_test_id("unlock.unlock")
    expect(unlock).to_have_text("Sign in with Touch ID")
    page.goto(foyer.base + "/apps/bob/projects")
    acting.expect_screen(page, "unlock")
    sent = len(nest.requests)
    unlock.click()
    expect(page.get_by_test_id("unlock.unlock.prompt")).to_contain_text(
        "Sign in to Bob the Builder"
    )
    page.get_by_test_id("unlock.unlock.noMatch").click()
    bob.close_alert(page, "Login Error", "Biometric authentication failed")
    acting.expect_screen(page, "unlock")
    assert len(nest.requests) == sent
    unlock.click()
    page.get_by_test_id("unlock.unlock.match").click()
    if not scripts:
        page.get_by_role("button", name="Continue").click()
    bob.expect_signed_in(page)
    # Going back does not lock it again.
    page.goto(foyer.base + "/apps/bob/unlock")
    bob.expect_signed_in(page)


def test_the_studio_shows_the_locked_tokens_and_the_apps_log(browsers, foyer, person, nest):
    page = browsers.device(foyer)
    name, email, password = signed_in(page, foyer, person, nest, biometrics="faceID")
    bob.allow_biometrics(page)
    studio = page.context.new_page()
    studio.goto(f"{foyer.base}/studio/bob")
    locked = studio.get_by_test_id("storage.access_token.locked")
    expect(studio.get_by_test_id("storage.access_token.value")).to_be_visible()
    expect(locked).to_have_count(0)
    bob.relaunch(page, foyer, name)
    acting.expect_screen(page, "unlock")
    expect(locked).to_have_text("Locked")
    log = studio.locator("#log")
    expect(log).to_contain_text("[navigation] splash → unlock")
    page.get_by_test_id("unlock.unlock").click()
    page.get_by_test_id("unlock.unlock.match").click()
    bob.expect_signed_in(page)
    expect(locked).to_have_count(0)
    expect(log).to_contain_text("[navigation] splash → projects")
    for secret in [email, password]:
        expect(log).not_to_contain_text(secret)
    expect(log.get_by_test_id("studio.log.line").last).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_first_start_leads_through_the_onboarding(browsers, foyer, scripts):
    page = browsers.device(foyer, java_script_enabled=scripts)
    bob.start(page, foyer)
    for screen, title in [
        ("onboarding", "Welcome to Bob the Builder"),
        ("manageProjects", "Manage Projects"),
        ("trackRFIs", "Track RFIs"),
    ]:
        acting.expect_screen(page, screen)
        expect(page.get_by_role("heading")).to_have_text(title)
        expect(page.get_by_test_id(f"{screen}.skip")).to_have_text("Skip")
        page.get_by_test_id(f"{screen}.next").click()
    acting.expect_screen(page, "collaborate")
    expect(page.get_by_role("heading")).to_have_text("Collaborate with Your Team")
    expect(page.get_by_role("img", name="Page 4 of 4")).to_be_visible()
    page.go_back()
    acting.expect_screen(page, "trackRFIs")
    page.go_forward()
    page.get_by_test_id("collaborate.start").click()
    acting.expect_screen(page, "login")
    bob.relaunch(page, foyer, bob.device_of(page))
    acting.expect_screen(page, "login")


def test_done_above_the_keyboard_ends_the_input(page, foyer, nest):
    bob.start_with_backend(page, foyer, nest.base)
    acting.expect_screen(page, "login")
    done = page.get_by_test_id("login.keyboardDone")
    email, password = page.get_by_test_id("login.email"), page.get_by_test_id("login.password")
    expect(done).to_be_hidden()
    email.click()
    expect(done).to_be_visible()
    done.click()
    expect(email).not_to_be_focused()
    expect(done).to_be_hidden()
    # By keyboard it is before the first field; Tab leads from field to field.
    email.focus()
    page.keyboard.press("Shift+Tab")
    expect(done).to_be_focused()
    page.keyboard.press("Tab")
    expect(email).to_be_focused()
    page.keyboard.press("Tab")
    expect(password).to_be_focused()
    expect(done).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_test_id("login.password.reveal")).to_be_focused()
    expect(done).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, False])
def test_settings_do_what_they_say(browsers, foyer, person, nest, scripts):
    page = browsers.device(foyer, java_script_enabled=scripts)
    name, email, password = signed_in(page, foyer, person, nest)
    part = page.get_by_test_id
    part("projects.tab.settings").click()
    acting.expect_screen(page, "settings")
    expect(part("settings.email")).to_have_text(email)
    for screen, title in [
        ("about", "About"),
        ("privacy", "Privacy Policy"),
        ("terms", "Terms of Service"),
    ]:
        part(f"settings.{screen}").click()
        acting.expect_screen(page, screen)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        part(f"{screen}.settings").click()
        acting.expect_screen(page, "settings")
    part("settings.push").click()
    expect(part("settings.push")).to_have_attribute("aria-checked", "true")
    assert ("defaults", "push_enabled") in bob.stored(foyer, name)
    part("settings.offline").click()
    expect(part("settings.offline")).to_have_attribute("aria-checked", "true")
    expect(part("settings.push")).to_have_attribute("aria-checked", "true")
    sent = len(nest.requests)
    page.reload()
    expect(part("settings.email")).to_have_text(email)
    bob.sign_out(page, "settings")
    assert len(nest.requests) == sent
    bob.login(page, email, password)
    bob.expect_signed_in(page)


def test_a_switch_keeps_the_place_and_the_focus_of_the_keyboard(page, foyer):
    bob.start_with_backend(page, foyer, None, "staging", build="debug")
    page.get_by_test_id("login.skip").click()
    page.get_by_test_id("projects.tab.settings").click()
    acting.expect_screen(page, "settings")
    acting.resize(page, 390, 500)
    page.evaluate("scrollTo(0, 100)")
    switch = page.get_by_test_id("settings.offline")
    acting.tab_to(page, "settings.offline")
    place = page.evaluate("scrollY")
    assert place > 0
    for checked in ["true", "false"]:
        page.keyboard.press("Space")
        expect(switch).to_have_attribute("aria-checked", checked)
        expect(switch).to_be_focused()
        assert page.evaluate("scrollY") == place


@pytest.mark.parametrize(
    "is_down, message",
    [
        (True, "Request timed out. Please try again."),
        (False, "No internet connection. Please check your network and try again."),
    ],
)
def test_a_server_that_is_down_and_airplane_mode_have_their_words(
    page, foyer, nest, is_down, message
):
    base = "http://127.0.0.1:9/api" if is_down else nest.base
    device = bob.start_with_backend(page, foyer, base)
    if not is_down:
        foyer.api("POST", "/api/faults", {"kind": "offline", "device": device})
    bob.login(page, "bob@example.com", "sparrow-9!")
    # After three retries, with a second, two and four between them.
    expect(page.get_by_test_id("alert")).to_contain_text(message, timeout=20_000)
    assert len(acting.exchanges(foyer, device, "login")) == 4
    assert nest.requests == []
