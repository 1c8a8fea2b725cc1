"""CLARITY Pulse's colors and shapes, its layout, and its use without a mouse."""

import re

import acting
import pulse
from playwright.sync_api import expect
from pulse import firebase_with_accounts  # noqa: F401  (a fixture)


def test_the_form_is_at_most_400_wide_and_centered(page, foyer, firebase_with_accounts):
    pulse.start_with_backend(page, foyer, firebase_with_accounts.server)
    acting.expect_screen(page, "login")
    box = page.locator("form").first.bounding_box()
    assert box["width"] <= 400
    assert abs(box["x"] + box["width"] / 2 - 640) <= 2


def test_colors_and_shapes_match_the_style_sheet(page, foyer, firebase_with_accounts):
    page.emulate_media(color_scheme="light")
    pulse.start_with_backend(page, foyer, firebase_with_accounts.server)
    acting.expect_screen(page, "login")

    def style(name, property_):
        return page.get_by_test_id(name).evaluate(
            "(e, what) => getComputedStyle(e)[what]", property_
        )

    assert style("login.submit", "backgroundColor") == "rgb(0, 103, 217)"
    assert style("login.submit", "height") == "54px"
    assert style("login.submit", "borderRadius") == "10px"
    assert style("login.email", "backgroundColor") == "rgb(242, 242, 247)"
    assert style("login.email", "height") == "54px"
    title = page.get_by_role("heading", name="CLARITY Pulse")
    assert title.evaluate("e => getComputedStyle(e).fontSize") == "34px"
    page.emulate_media(color_scheme="dark")
    assert style("login.submit", "backgroundColor") == "rgb(10, 111, 224)"
    assert style("login.email", "backgroundColor") == "rgb(28, 28, 30)"
    body = page.locator("body")
    assert body.evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(0, 0, 0)"


def test_reduced_motion_stops_the_heart(browsers, foyer, firebase_with_accounts):
    browsers.expect_network_error("ERR_FAILED", "/assets/screen.js")
    animations = {}
    for motion in ["no-preference", "reduce"]:
        page = browsers.device(foyer, reduced_motion=motion)
        pulse.open_state(page, foyer, firebase_with_accounts, "loading")
        animations[motion] = page.locator(".pulse").evaluate(
            "e => getComputedStyle(e).animationName"
        )
    assert animations == {"no-preference": "beat", "reduce": "none"}


def test_a_switch_is_a_checkbox_named_after_what_it_accepts(page, foyer, firebase_with_accounts):
    pulse.open_state(page, foyer, firebase_with_accounts, "register")
    switch = page.get_by_role("checkbox", name=re.compile("I accept the Terms of Service"))
    switch.focus()
    page.keyboard.press("Space")
    expect(switch).to_be_checked()
    expect(switch).to_have_css("background-color", "rgb(52, 199, 89)")


def test_sign_in_and_sign_out_by_keyboard(page, foyer, firebase_with_accounts):
    pulse.start_with_backend(page, foyer, firebase_with_accounts.server)
    acting.expect_screen(page, "login")

    acting.tab_to(page, "login.email", acting.OUTLINE)
    page.keyboard.type("in@example.com")
    acting.tab_to(page, "login.password", acting.OUTLINE)
    page.keyboard.type(pulse.PASSWORD)
    page.keyboard.press("Enter")
    for screen, control in [("track", "next"), ("insights", "next"), ("secure", "start")]:
        acting.expect_screen(page, screen)
        acting.tab_to(page, f"{screen}.{control}", acting.OUTLINE)
        page.keyboard.press("Enter")
    acting.expect_screen(page, "dashboard")
    acting.tab_to(page, "dashboard.tab.settings", acting.OUTLINE)
    page.keyboard.press("Enter")
    acting.expect_screen(page, "settings")
    acting.tab_to(page, "settings.edit", acting.OUTLINE)
    page.keyboard.press("Enter")
    acting.expect_screen(page, "edit")
    acting.tab_to(page, "edit.cancel", acting.OUTLINE)
    page.keyboard.press("Enter")
    acting.expect_screen(page, "settings")
    acting.tab_to(page, "settings.signOut", acting.OUTLINE)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("settings.signOut.cancel")).to_be_focused()
    acting.tab_to(page, "settings.signOut.confirm", acting.OUTLINE)
    page.keyboard.press("Enter")
    acting.expect_screen(page, "login")
