"""A token dies while the user is in the app: in the background, and at a pull to refresh."""

import acting
import pytest
from playwright.sync_api import expect

EXPIRED = "Session expired. Please login again."


def app_path(device):
    return f"/api/devices/{device}/apps/mystica"


def calls(foyer, device):
    """The calls since the login, oldest first, with their status."""
    return [(e["call"], e["status"]) for e in reversed(acting.exchanges(foyer, device))][1:]


def seeded_device(browsers, foyer, state="signedIn", **options):
    """A new device whose app shows the map of a user in the state of a seed."""
    page = browsers.device(foyer, **options)
    device = acting.device_of(page, foyer)
    foyer.submit("/studio/mystica/seed", {"state": state}, device)
    return page, device


def test_the_app_refreshes_its_token_when_it_returns_to_the_foreground(browsers, foyer):
    page, device = seeded_device(browsers, foyer)
    view = acting.studio(page, foyer)
    acting.expect_screen(view, "map")

    page.get_by_test_id("studio.launches").click()
    page.get_by_test_id("studio.background").click()
    expect(view.get_by_test_id("background")).to_have_text("In the background")
    expect(view.locator("main")).to_have_js_property("inert", True)
    expect(page.get_by_test_id("studio.inBackground")).to_be_visible()
    assert foyer.api("GET", app_path(device))["inBackground"] is True

    foyer.api("POST", app_path(device) + "/expire")
    before = len(calls(foyer, device))
    page.get_by_test_id("studio.foreground.chip").click()
    expect(view.get_by_test_id("background")).to_have_count(0)
    expect(page.get_by_test_id("studio.inBackground")).to_have_count(0)
    acting.expect_screen(view, "map")
    assert calls(foyer, device)[before:] == [("me", 401), ("refresh", 200), ("me", 200)]
    events = page.get_by_test_id("timeline.event")
    expect(events.filter(has_text="foreground")).to_have_count(1)
    silent = page.locator("[data-testid='timeline.event'][data-timing^='Silent refresh']")
    expect(silent).to_have_count(1)


def test_what_was_typed_is_still_there_after_the_background(page, foyer):
    view = acting.studio(page, foyer)
    acting.fill(view, "login", "ada@example.com", "half a pass")
    app = app_path(acting.device_of(page, foyer))
    for step, count in [("background", 1), ("foreground", 0)]:
        foyer.api("POST", f"{app}/{step}")
        expect(view.get_by_test_id("background")).to_have_count(count)
        expect(view.get_by_test_id("login.email")).to_have_value("ada@example.com")
        expect(view.get_by_test_id("login.password")).to_have_value("half a pass")


def test_a_revoked_session_ends_when_the_app_returns_to_the_foreground(browsers, foyer):
    page, device = seeded_device(browsers, foyer, "revoked")
    view = acting.studio(page, foyer)
    acting.expect_screen(view, "map")
    foyer.api("POST", app_path(device) + "/background")
    expect(view.get_by_test_id("background")).to_be_visible()
    foyer.api("POST", app_path(device) + "/foreground")
    acting.expect_screen(view, "login")
    expect(view.get_by_test_id("login.error")).to_have_text(EXPIRED)


def test_a_pull_at_phone_width_loads_the_screen_again(browsers, foyer):
    page, device = seeded_device(browsers, foyer, viewport={"width": 390, "height": 844})
    acting.start(page, foyer)
    acting.expect_screen(page, "map")
    before = len(calls(foyer, device))

    def pull(distance):
        page.mouse.move(195, 100)
        page.mouse.down()
        page.mouse.move(195, 100 + distance, steps=4)
        page.mouse.up()

    pull(30)
    with page.expect_navigation():
        pull(120)
    acting.expect_screen(page, "map")
    assert calls(foyer, device)[before:] == [("me", 200)]


def test_a_reload_loads_the_screen_again_and_a_redirect_does_not(browsers, foyer):
    page, device = seeded_device(browsers, foyer)
    acting.start(page, foyer)
    acting.expect_screen(page, "map")
    before = len(calls(foyer, device))
    page.get_by_test_id("map.refresh").focus()
    page.keyboard.press("Enter")
    acting.expect_screen(page, "map")
    expect(page.get_by_test_id("map.refresh")).to_be_enabled()
    assert calls(foyer, device)[before:] == [("me", 200)]
    page.reload()
    assert calls(foyer, device)[before:] == [("me", 200)] * 2


@pytest.mark.parametrize("state, screen", [("signedIn", "map"), ("revoked", "login")])
def test_without_scripts_the_refresh_control_loads_the_screen_again(browsers, foyer, state, screen):
    page, device = seeded_device(browsers, foyer, state, java_script_enabled=False)
    acting.start(page, foyer)
    acting.expect_screen(page, "map")
    acting.tab_to(page, "map.refresh")
    expect(page.locator(".refresh")).to_have_css("opacity", "1")
    page.keyboard.press("Enter")
    acting.expect_screen(page, screen)
    if screen == "login":
        expect(page.get_by_test_id("login.error")).to_have_text(EXPIRED)
